//! What an answer may need from outside of the snapshot, and what was found there.
//!
//! Only values: an operation says what it needs ([`super::Plan`]), a door asks for it, waits, and comes back with
//! [`Found`]. So operations know no network and no clock, and a slow service holds no thread.

use std::{borrow::Cow, fmt::Debug, sync::Arc};

use super::{Answers, Choice, ParcelAnswer, Refusal};
use crate::{
    facts::{Fact, FactKey, FactKeys, Facts, Fault, Said},
    geometry::LonLat,
    vocabulary::{JurisdictionId, OutsideSource, ProblemKind},
};

/// What is to be looked up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// Where an address is.
    Address(String),
    /// What the maps say of a spot.
    Facts {
        /// The spot.
        spot: Spot,
        /// Which facts are wanted: shoreland only in Minnesota.
        keys: FactKeys,
    },
    /// What a provider of parcel data says of a point.
    Parcel {
        /// The point.
        point: LonLat,
        /// The jurisdictions that it lies in.
        lineage: Vec<JurisdictionId>,
    },
}

/// Where facts are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The point.
    pub point: LonLat,
    /// Its county, for what is published by county.
    pub county: JurisdictionId,
}

/// Answers from files at hand, at once and without a network. Finders are asked before anyone outside is, on behalf of the
/// answers that are given then: what is told of counties and cities is told by their snapshot.
pub trait Finder: Debug + Send + Sync {
    /// Where an address is. `None` where this finder cannot tell, so that others are asked.
    fn address(&self, answers: &Answers, text: &str) -> Option<AddressAnswer>;

    /// What the text of an address tells where nobody can place it, such as its city or the counties of its ZIP code,
    /// and how to ask by that: whole sentences, added to the problem.
    fn hint(&self, answers: &Answers, text: &str) -> Option<String>;

    /// Facts of a spot, without those that this finder does not have.
    fn facts(&self, answers: &Answers, spot: &Spot, keys: FactKeys) -> Facts;
}

/// What was found. The default is that nobody was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What a geocoder says of the address.
    pub address: AddressAnswer,
    /// What else the text of the address tells where it was not placed: see [`Finder::hint`].
    pub hint: Option<String>,
    /// What the maps say of the point.
    pub facts: Facts,
    /// What a provider says of the parcel.
    pub parcel: ParcelAnswer,
    /// When services outside were asked, RFC 3339; the earliest where facts differ. `None` where none was.
    pub looked_up_at: Option<String>,
    /// Seconds for which the findings stay good, where that is less than the operation's own lifetime.
    pub lifetime_s: Option<u32>,
}

/// What a geocoder says of an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AddressAnswer {
    /// Nobody was asked: lookups outside are switched off.
    #[default]
    NotConfigured,
    /// The geocoder did not answer; why, in plain words.
    Unavailable(String),
    /// No address matches.
    NotFound,
    /// The text is none that could be placed, such as a post office box; why, in plain words.
    Unplaceable(String),
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
    /// How it was placed, in plain words, such as `interpolated along the block of its street`.
    pub method: Cow<'static, str>,
    /// Where that is published.
    pub source: Arc<OutsideSource>,
    /// When it was looked up outside, RFC 3339; `None` where a file at hand told.
    pub looked_up_at: Option<String>,
}

/// Seconds after which an address service that is down may be asked again, where nothing else is known.
const RETRY_AFTER_S: u32 = 60;

impl Found {
    /// A fact that could not be checked just now, and after how many seconds to ask again.
    pub fn failed(key: FactKey, why: Fault, retry_after_s: u32) -> Found {
        let facts = Facts::from_iter([Fact::new(key, Said::NotChecked { why, retry_after_s })]);
        Found { facts, lifetime_s: Some(retry_after_s), ..Found::default() }
    }

    /// The one address.
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
