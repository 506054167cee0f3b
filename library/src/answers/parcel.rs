//! Facts on one parcel, as a provider of parcel data has them. Only values: see [`super::lookup`].

use crate::{facts::Values, vocabulary::OutsideSource};

/// What a provider says of the parcel at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ParcelAnswer {
    /// No provider is set up.
    #[default]
    NotConfigured,
    /// The provider is not cleared for this place.
    NotCleared,
    /// The provider did not answer; why, in plain words.
    Unavailable(String),
    /// It knows of no parcel here.
    NoParcel,
    /// It does.
    Facts(ParcelFacts),
}

/// Facts on one parcel. There is no name among them: nobody is looked up here.
#[derive(Clone, Debug, PartialEq)]
pub struct ParcelFacts {
    /// Values for machines by their names, which hold the units: see [`PARCEL_FIELDS`].
    pub values: Values,
    /// Date of the data, `2026-01-31`.
    pub as_of: Option<String>,
    /// Whose data it is.
    pub source: OutsideSource,
}

/// What a fact on a parcel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParcelForm {
    /// A text of so many characters at most.
    Text(usize),
    /// A number that is not negative.
    Number,
    /// A day, such as `2026-01-31`.
    Day,
}

/// The facts that are read; all others are left where they are. Owners, their addresses and legal descriptions, which name
/// people, are not among them.
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
