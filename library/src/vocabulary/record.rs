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

/// Whose page the link of an office is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UrlScope {
    /// The office's own page.
    Office,
    /// The main site of its government, because no page of the office is on record.
    Government,
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

/// What people do with a page, the nearest to their business first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum PageUse {
    /// They look something up there, or do it, or find who does.
    #[default]
    Act,
    /// They read the text of a law. Stored as 1 before there were agencies.
    Law = 1,
    /// They come to know an agency that oversees the job: its front page.
    Agency = 2,
}

impl PageUse {
    /// The use stored as this number.
    pub fn from_u8(number: u8) -> PageUse {
        match number {
            1 => PageUse::Law,
            2 => PageUse::Agency,
            _ => PageUse::Act,
        }
    }

    /// Where it stands among others: agencies before laws.
    pub fn rank(self) -> u8 {
        match self {
            PageUse::Act => 0,
            PageUse::Agency => 1,
            PageUse::Law => 2,
        }
    }
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
