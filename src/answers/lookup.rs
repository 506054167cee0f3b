//! What an answer may need from outside of the snapshot, and what was found there.
//!
//! Only values: an operation says what it needs ([`super::Plan`]), a door asks for it, waits, and comes back with
//! [`Found`]. So operations know no network and no clock, and a slow service holds no thread.

use super::{Choice, Refusal};
use crate::{
    geometry::LonLat,
    vocabulary::{Elevation, Flood, LicenseClass, ProblemKind, Radon, Shoreland, Soils, Wetlands},
};

/// What is to be looked up outside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// Where an address is.
    Address(String),
    /// What the maps say of a point.
    Facts {
        /// The point.
        point: LonLat,
        /// Whether the shorelands are mapped there; only in Minnesota.
        shoreland: bool,
    },
}

/// What was found. The default is that nothing could be asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What a geocoder says of the address.
    pub address: AddressAnswer,
    /// What the maps say of the point.
    pub facts: Findings,
    /// Seconds for which the findings stay good, where that is less than the operation's own lifetime.
    pub lifetime_s: Option<u32>,
}

/// What a geocoder says of an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AddressAnswer {
    /// No geocoder is set up.
    #[default]
    NotConfigured,
    /// The geocoder did not answer; why, in plain words.
    Unavailable(String),
    /// No address matches.
    NotFound,
    /// Several do.
    Several(Vec<Choice>),
    /// One does.
    One(FoundAddress),
}

/// An address that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundAddress {
    /// Where it is.
    pub point: LonLat,
    /// The address as the geocoder has it.
    pub matched_address: String,
    /// Who turned the address into a point.
    pub geocoder: String,
    /// Where that is published.
    pub source: OutsideSource,
    /// When it was looked up, RFC 3339.
    pub looked_up_at: String,
}

/// A published source that is not part of the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideSource {
    /// Name of the data or service.
    pub name: String,
    /// Address of the published data.
    pub url: String,
    /// Publisher.
    pub publisher: String,
    /// Whether the publisher is a government.
    pub official: bool,
    /// License class.
    pub license_class: LicenseClass,
}

/// What the maps say of a point; `None` where a map could not be asked.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each is named as its fact in `model::Facts`")]
pub struct Findings {
    pub flood: Option<Finding<Flood>>,
    pub wetlands: Option<Finding<Wetlands>>,
    pub soils: Option<Finding<Soils>>,
    pub elevation: Option<Finding<Elevation>>,
    pub shoreland: Option<Finding<Shoreland>>,
    pub radon: Option<Finding<Radon>>,
}

/// What one map says.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<S> {
    /// The fact in one word.
    pub status: S,
    /// The fact in plain words.
    pub summary: String,
    /// More on it.
    pub detail: Option<String>,
    /// Values for machines by their names, which hold the units, such as `feet`.
    pub values: Vec<(&'static str, FactValue)>,
    /// Date of the map.
    pub as_of: Option<String>,
}

/// A value for machines.
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// A word or text.
    Text(String),
    /// A number; the name of the value holds its unit.
    Number(f64),
    /// Whether something holds.
    Flag(bool),
    /// Several.
    List(Vec<FactValue>),
}

impl AddressAnswer {
    /// The one address.
    ///
    /// # Errors
    /// `address-not-found`, `ambiguous`, `upstream-unavailable`.
    pub(super) fn one(self) -> Result<FoundAddress, Refusal> {
        let unavailable = |detail: String| Refusal::new(ProblemKind::UpstreamUnavailable, detail);
        match self {
            AddressAnswer::One(found) => Ok(found),
            AddressAnswer::NotFound => {
                Err(Refusal::new(ProblemKind::AddressNotFound, "no address matches the text"))
            }
            AddressAnswer::Several(choices) => Err(Refusal {
                choices,
                ..Refusal::new(
                    ProblemKind::Ambiguous,
                    "several addresses match; ask with the coordinate of one",
                )
            }),
            AddressAnswer::Unavailable(detail) => Err(unavailable(detail)),
            AddressAnswer::NotConfigured => Err(unavailable(
                "address lookups are not configured on this server; ask with lat and lon".to_owned(),
            )),
        }
    }
}
