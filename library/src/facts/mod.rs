//! Screening facts: the statements of maps about a point, judged in one place for all readers of maps.
//!
//! A reader passes attributes as their publisher writes them ([`Attributes`]). The `judge` function in the file of
//! each fact turns attributes into keys and figures. `words` makes sentences of the figures. A new fact needs a file
//! here, its lines in this file, and its words.
//!
//! This module must not know of files, services or sentences.

mod attributes;
mod elevation;
mod fact;
mod fault;
mod flood;
mod radon;
mod shoreland;
mod soils;
mod wetlands;

use crate::vocabulary::{Function, OutsideSource, StateCode, Topic};

pub use attributes::{Attributes, stated_number, stated_text};
pub use elevation::Elevation;
pub use fact::{Fact, FactKeys, FactValue, Facts, Values};
pub use fault::Fault;
pub use flood::{Flood, FloodHazard, FloodZone};
pub use radon::{RADON_LIST_YEAR, Radon};
pub use shoreland::{LAKE_FT, STREAM_FT, Shoreland, Water};
pub use soils::SoilUnit;
pub use wetlands::{Images, NEAR_FT, Wetland, Wetlands};

/// The key of a fact in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is described in its row")]
pub enum FactKey {
    Flood,
    Wetlands,
    Soils,
    Elevation,
    Shoreland,
    Radon,
}

impl FactKey {
    /// All keys, in the order of the answer.
    pub const ALL: [FactKey; 6] = [
        FactKey::Flood,
        FactKey::Wetlands,
        FactKey::Soils,
        FactKey::Elevation,
        FactKey::Shoreland,
        FactKey::Radon,
    ];

    /// The fixed properties of the fact.
    pub fn row(self) -> &'static FactRow {
        match self {
            FactKey::Flood => &flood::ROW,
            FactKey::Wetlands => &wetlands::ROW,
            FactKey::Soils => &soils::ROW,
            FactKey::Elevation => &elevation::ROW,
            FactKey::Shoreland => &shoreland::ROW,
            FactKey::Radon => &radon::ROW,
        }
    }

    /// The contract's word for the key.
    pub fn as_str(self) -> &'static str {
        self.row().word
    }

    /// The fact that pages on a topic confirm; `None` for topics without such a fact.
    pub fn of_topic(topic: Topic) -> Option<FactKey> {
        FactKey::ALL.into_iter().find(|key| key.row().topic == Some(topic))
    }

    /// Whether the fact is published for whole counties, so that it needs no point.
    pub fn is_of_county(self) -> bool {
        self == FactKey::Radon
    }

    /// Whether the fact is looked up in a state; `None` stands for an unknown state.
    pub fn applies_in(self, state: Option<StateCode>) -> bool {
        self.row().only_in.is_none_or(|only| state.is_some_and(|state| state.usps() == only))
    }
}

/// The fixed properties of a fact. Its name, caveat and decider are in `words`.
#[derive(Debug)]
pub struct FactRow {
    /// The contract's word for the key.
    pub word: &'static str,
    /// The contract's name for the set of the fact's statuses.
    pub schema: &'static str,
    /// Description of the fact in the contract.
    pub about: &'static str,
    /// Description of the fact's statuses in the contract.
    pub about_statuses: &'static str,
    /// The fact's statuses with their meanings, in the contract's order.
    pub statuses: &'static [(FactStatus, &'static str)],
    /// The data from which the fact is usually read.
    pub source: OutsideSource,
    /// The function whose office decides; `None` if no local office does.
    pub function: Option<Function>,
    /// The topic of the pages that confirm the fact, if any.
    pub topic: Option<Topic>,
    /// The national page on which a person sees the fact, as `curated/national.toml` has it; `None` without one.
    pub page: Option<&'static str>,
    /// The postal code of the only state in which the fact is looked up; `None` for all states.
    pub only_in: Option<&'static str>,
}

/// Declares the statuses with their words in the contract.
macro_rules! statuses {
    ($($variant:ident = $word:literal),* $(,)?) => {
        /// A fact in one word of the contract. [`FactRow::statuses`] has the words of each fact, with their meanings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FactStatus {
            $(#[doc = $word] $variant),*
        }

        impl FactStatus {
            /// The contract's word for the status.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(FactStatus::$variant => $word),*
                }
            }
        }
    };
}

statuses!(
    Sfha = "sfha",
    Moderate = "moderate",
    Minimal = "minimal",
    Unmapped = "unmapped",
    Yes = "yes",
    Near = "near",
    No = "no",
    Ok = "ok",
    None = "none",
    Likely = "likely",
    Zone1 = "zone_1",
    Zone2 = "zone_2",
    Zone3 = "zone_3",
    NotListed = "not_listed",
    Unknown = "unknown",
);

impl FactStatus {
    /// Whether the status follows from an empty answer. A service that has lost its data gives the same answer.
    pub fn is_of_nothing(self) -> bool {
        matches!(self, FactStatus::Unmapped | FactStatus::No | FactStatus::None | FactStatus::Unknown)
    }
}

/// The statement about a point, as keys and figures.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the judged values are described at their types")]
pub enum Said {
    /// No file covers the point, and online lookups are off.
    NotAsked,
    /// The fact differs from point to point, and only a place was given.
    NeedsPoint,
    /// The map could not be read just now.
    NotChecked {
        /// The fault of the service, or of this server.
        why: Fault,
        /// Seconds after which to try again.
        retry_after_s: u32,
    },
    Flood(Flood),
    Wetlands(Wetlands),
    /// The map unit; `None` if no soil map covers the point.
    Soils(Option<SoilUnit>),
    Elevation(Elevation),
    Shoreland(Shoreland),
    Radon(Radon),
}

impl Said {
    /// The judged value; `None` if no map was read.
    fn judged(&self) -> Option<&dyn Judged> {
        match self {
            Said::NotAsked | Said::NeedsPoint | Said::NotChecked { .. } => None,
            Said::Flood(flood) => Some(flood),
            Said::Wetlands(wetlands) => Some(wetlands),
            Said::Soils(unit) => Some(unit),
            Said::Elevation(elevation) => Some(elevation),
            Said::Shoreland(shoreland) => Some(shoreland),
            Said::Radon(radon) => Some(radon),
        }
    }
}

/// The interface of all judged values.
trait Judged {
    /// The value as one word of the contract.
    fn status(&self) -> FactStatus;

    /// The value for programs.
    fn values(&self) -> Values;
}
