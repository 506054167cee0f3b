//! Properties of a record: whether its link was checked, how certain the fact is, how it was found.

use serde::{Deserialize, Serialize};

/// The result of a link check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum VerifiedStatus {
    /// Checked and found working.
    Verified,
    /// No link check has looked at it yet.
    NotYetVerified,
    /// Checked and possibly broken.
    PossiblyBroken,
}

impl VerifiedStatus {
    /// The status stored as this number; `None` for a number that no release has written.
    pub fn from_u8(number: u8) -> Option<VerifiedStatus> {
        use VerifiedStatus::{NotYetVerified, PossiblyBroken, Verified};
        [Verified, NotYetVerified, PossiblyBroken].get(usize::from(number)).copied()
    }
}

/// The owner of the page or contact that is shown for an office.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UrlScope {
    /// The page or contact is the office's own.
    Office,
    /// The page or contact is the main site or main telephone line of the government. The office has none on record.
    Government,
}

/// The method of a link check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationMethod {
    /// By a program without a browser.
    Automated,
    /// By a program that runs a browser.
    Browser,
    /// By a person, by hand.
    Manual,
}

/// How certain a hand-kept table is of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// A hint to check: the office title is shown, but no body is named.
    Low,
    /// Right in general, but different in some places.
    Medium,
    /// Right everywhere that the rule applies.
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

/// The way in which a resource was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum SourceKind {
    /// The record has no documented source.
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

/// The purpose for which people use a page. [`PageUse::rank`] is the order of pages by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum PageUse {
    /// To look something up, do a task on the page, or find the office that does it.
    #[default]
    Act,
    /// To read the text of a law. Its number is lower than `Agency`'s because it is older.
    Law = 1,
    /// To learn about an agency that oversees the job: the agency's front page.
    Agency = 2,
}

impl PageUse {
    /// The use stored as this number; `Act` for any other number.
    pub fn from_u8(number: u8) -> PageUse {
        match number {
            1 => PageUse::Law,
            2 => PageUse::Agency,
            _ => PageUse::Act,
        }
    }

    /// The rank of pages with this purpose, lowest first: agencies come before laws.
    pub fn rank(self) -> u8 {
        match self {
            PageUse::Act => 0,
            PageUse::Agency => 1,
            PageUse::Law => 2,
        }
    }
}

impl SourceKind {
    /// The kind stored as this number; `None` for a number that no release has written.
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
