//! Values for lookups outside the snapshot: what an operation needs, and what was found.
//!
//! An operation returns what it needs ([`super::Plan`]); a front end looks it up and comes back with [`Found`]. So
//! operations need no network and no clock, and a slow service holds no thread.

use std::{borrow::Cow, fmt::Debug, sync::Arc};

use super::{Answers, Choice, ParcelAnswer, Refusal};
use crate::{
    facts::{Fact, FactKey, FactKeys, Facts, Fault, Said},
    geometry::LonLat,
    vocabulary::{JurisdictionId, OutsideSource, ProblemKind},
};

/// Data that an operation needs from outside the snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// The location of an address.
    Address(String),
    /// Facts that maps give for a spot.
    Facts {
        /// The point and its county.
        spot: Spot,
        /// The facts that apply there: shoreland only in Minnesota.
        keys: FactKeys,
    },
    /// Data of a parcel provider for a point.
    Parcel {
        /// The point on the parcel.
        point: LonLat,
        /// Ids of the jurisdictions that the point lies in.
        lineage: Vec<JurisdictionId>,
    },
}

/// The location for which facts are looked up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The point, in WGS84 degrees.
    pub point: LonLat,
    /// The county of the point, for facts that are published by county.
    pub county: JurisdictionId,
}

/// Answers from local files, at once and without a network. Finders are tried before any service. They take names of
/// counties and cities from the directory in `answers`, which is served at that time.
pub trait Finder: Debug + Send + Sync {
    /// Locates an address. `None` where this finder cannot decide, so that the next one is tried.
    fn address(&self, answers: &Answers, text: &str) -> Option<AddressAnswer>;

    /// Whether this finder has any addresses.
    fn has_addresses(&self) -> bool;

    /// Finds what the text of an unlocated address still says, such as its city or the counties of its ZIP code.
    /// Returns sentences on how to send a request with that; the problem's detail repeats them.
    fn hint(&self, answers: &Answers, text: &str) -> Option<String>;

    /// Returns facts of a spot; leaves out those that this finder does not have.
    fn facts(&self, answers: &Answers, spot: &Spot, keys: FactKeys) -> Facts;
}

/// Results of lookups. `Default` means that no lookup was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The geocoder's result for the address.
    pub address: AddressAnswer,
    /// Hint from the text of an address that was not located: see [`Finder::hint`].
    pub hint: Option<String>,
    /// Facts that maps give for the point.
    pub facts: Facts,
    /// The provider's result for the parcel.
    pub parcel: ParcelAnswer,
    /// When services outside were called, RFC 3339; the earliest where facts differ. `None` if none was called.
    pub looked_up_at: Option<String>,
    /// Seconds for which the results stay valid; `None` where the operation's own lifetime is shorter.
    pub lifetime_s: Option<u32>,
}

/// The geocoder's result for an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AddressAnswer {
    /// No geocoder was called: online lookups are off and no data file has addresses.
    #[default]
    NotConfigured,
    /// The geocoder did not answer; the string says why, in plain words.
    Unavailable(String),
    /// No address matches the text.
    NotFound,
    /// The text cannot be located, e.g. a post office box; the string says why, in plain words.
    Unplaceable(String),
    /// Several addresses match the text.
    Several(Vec<Choice>),
    /// One address matches the text.
    One(FoundAddress),
}

/// An address that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundAddress {
    /// The point of the address, WGS84.
    pub point: LonLat,
    /// The address as the geocoder has it.
    pub matched_address: String,
    /// The service or file that located the address.
    pub geocoder: String,
    /// The method in plain words, such as `interpolated along the block of its street`.
    pub method: Cow<'static, str>,
    /// The publisher of the addresses.
    pub source: Arc<OutsideSource>,
    /// When it was looked up outside, RFC 3339; `None` if a local file had it.
    pub looked_up_at: Option<String>,
}

/// Seconds until an address service that is down may be tried again, if the service names no time. Chosen, not
/// measured.
const RETRY_AFTER_S: u32 = 60;

impl Found {
    /// The result for a fact that could not be checked now; `retry_after_s` is how many seconds to wait before the next
    /// try.
    pub fn failed(key: FactKey, why: Fault, retry_after_s: u32) -> Found {
        let facts = Facts::from_iter([Fact::new(key, Said::NotChecked { why, retry_after_s })]);
        Found { facts, lifetime_s: Some(retry_after_s), ..Found::default() }
    }

    /// Returns the only address that matches.
    ///
    /// # Errors
    /// `address-not-found`, `ambiguous`, `upstream-unavailable`.
    pub(super) fn one_address(self) -> Result<FoundAddress, Refusal> {
        let hint = self.hint.map_or(String::new(), |hint| format!(". {hint}"));
        let refusal = |kind, detail: &str| Refusal::new(kind, format!("{detail}{hint}"));
        match self.address {
            AddressAnswer::One(found) => Ok(found),
            AddressAnswer::NotFound => {
                Err(refusal(ProblemKind::AddressNotFound, "no address matches the text"))
            }
            AddressAnswer::Unplaceable(why) => Err(refusal(ProblemKind::AddressNotFound, &why)),
            AddressAnswer::Several(choices) => Err(Refusal {
                choices,
                ..refusal(ProblemKind::Ambiguous, "several addresses match; ask with the coordinate of one")
            }),
            AddressAnswer::Unavailable(why) => Err(Refusal {
                retry_after_s: self.lifetime_s.filter(|lifetime_s| *lifetime_s > 0).or(Some(RETRY_AFTER_S)),
                ..refusal(ProblemKind::UpstreamUnavailable, &why)
            }),
            AddressAnswer::NotConfigured => Err(refusal(
                ProblemKind::UpstreamUnavailable,
                "address lookups are switched off on this server; ask with lat and lon, or with place and state",
            )),
        }
    }
}
