//! What is known of a record: was its link checked, how sure is the fact.

use serde::{Deserialize, Serialize};

/// Whether a link was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum VerifiedStatus {
    /// Checked.
    Verified,
    /// Not yet checked.
    NotYetVerified,
    /// May be broken.
    PossiblyBroken,
}

impl VerifiedStatus {
    /// The status stored as this number.
    pub fn from_u8(number: u8) -> Option<VerifiedStatus> {
        use VerifiedStatus::{NotYetVerified, PossiblyBroken, Verified};
        [Verified, NotYetVerified, PossiblyBroken].get(usize::from(number)).copied()
    }
}

/// How a link was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationMethod {
    /// By a program.
    Automated,
    /// By a program that runs a browser.
    Browser,
    /// By a person.
    Manual,
}

/// How sure a hand-kept table is of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// A pointer to check: the office title is shown, no body is named.
    Low,
    /// Right in general, varies locally.
    Medium,
    /// Sure.
    High,
}

impl Confidence {
    /// The word in tables and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// How a resource was gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum SourceKind {
    /// No saved source trail.
    Unknown,
    /// A hand-kept table of this project.
    Curated,
    /// The registry of .gov domains.
    DomainRegistry,
    /// A list of government addresses outside .gov.
    AddressList,
    /// A list of open data sources.
    OpenDataList,
    /// A map service or a file from a list of open data sources: data for map software, not a page to look at.
    MapData,
}

impl SourceKind {
    /// The kind stored as this number.
    pub fn from_u8(number: u8) -> Option<SourceKind> {
        use SourceKind::{AddressList, Curated, DomainRegistry, MapData, OpenDataList, Unknown};
        [Unknown, Curated, DomainRegistry, AddressList, OpenDataList, MapData]
            .get(usize::from(number))
            .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        for number in 0..=u8::MAX {
            assert!(VerifiedStatus::from_u8(number).is_none_or(|status| status as u8 == number));
            assert!(SourceKind::from_u8(number).is_none_or(|kind| kind as u8 == number));
        }
    }
}
