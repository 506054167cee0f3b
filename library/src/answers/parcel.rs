//! Facts on one parcel, as a provider of parcel data has them. Holds only values: see [`super::lookup`].

use crate::{facts::Values, vocabulary::OutsideSource};

/// A provider's result for the parcel at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ParcelAnswer {
    /// No provider is set up.
    #[default]
    NotConfigured,
    /// The provider is not cleared for this place.
    NotCleared,
    /// The provider did not answer; the string says why, in plain words.
    Unavailable(String),
    /// The provider has no parcel at the point.
    NoParcel,
    /// The provider has a parcel at the point.
    Facts(ParcelFacts),
}

/// Facts on one parcel. None of them is a person's name, because the service looks up no persons.
#[derive(Clone, Debug, PartialEq)]
pub struct ParcelFacts {
    /// Values by name, for machines. The names contain the units: see [`PARCEL_FIELDS`].
    pub values: Values,
    /// Date of the data, `2026-01-31`.
    pub as_of: Option<String>,
    /// The publisher of the data.
    pub source: OutsideSource,
}

/// The form of a value on a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParcelForm {
    /// Text of at most this many characters.
    Text(usize),
    /// A number of 0 or more.
    Number,
    /// A day such as `2026-01-31`.
    Day,
}

/// The fields that are read from the provider; all others are ignored. Owners, their addresses and legal descriptions
/// are left out because they name people.
pub const PARCEL_FIELDS: [(&str, ParcelForm); 16] = [
    ("parcel_id", ParcelForm::Text(60)),
    ("site_address", ParcelForm::Text(200)),
    ("land_area_acres", ParcelForm::Number),
    ("land_use", ParcelForm::Text(100)),
    ("zoning", ParcelForm::Text(100)),
    ("year_built", ParcelForm::Number),
    ("building_area_sqft", ParcelForm::Number),
    ("living_units", ParcelForm::Number),
    ("land_value_usd", ParcelForm::Number),
    ("building_value_usd", ParcelForm::Number),
    ("total_value_usd", ParcelForm::Number),
    ("taxable_value_usd", ParcelForm::Number),
    ("tax_usd", ParcelForm::Number),
    ("tax_year", ParcelForm::Number),
    ("last_sale_date", ParcelForm::Day),
    ("last_sale_price_usd", ParcelForm::Number),
];
