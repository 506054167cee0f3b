//! Records for a snapshot: sites and pages of governments and offices, from published lists and hand-kept
//! tables.

use std::{collections::BTreeMap, fmt};

use crate::curated::ActionTable;
use platbook::{
    snapshot::write::NewResource,
    vocabulary::{FunctionSet, JurisdictionId, SourceKind, TopicSet, VerifiedStatus},
};

/// The records of one list or table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Sites of governments and offices.
    pub websites: Vec<Website>,
    /// Resources, each for one body.
    pub pages: Vec<Page>,
    /// Records that are not shown, but counted in the answers where they would appear.
    pub withheld: Vec<Withheld>,
    /// Actions of single pages, in place of those that rules find.
    pub actions: ActionTable,
    /// Rows that gave no record, each with its reason.
    pub rejected: Vec<Rejected>,
}

/// The site of a government, or of one of its offices.
#[derive(Clone, Debug, PartialEq)]
pub struct Website {
    /// The government that runs the site.
    pub body: JurisdictionId,
    /// Functions of the office; empty for the main site of the government.
    pub functions: FunctionSet,
    /// Title of the office in the source, without the government's name; `None` for the main site.
    pub office: Option<String>,
    /// Address, `http` or `https`, with a slash after a bare host.
    pub url: String,
    /// Telephone of the office, from the same source.
    pub phone: Option<String>,
    /// Mail address of the office, never of a person.
    pub email: Option<String>,
    /// Street address of the office.
    pub address: Option<String>,
    /// Key of the source: its id in the manifest, or `XX/id` for a state's table.
    pub source: String,
    /// How the record was gathered.
    pub kind: SourceKind,
    /// Status of the link: never `Verified`, which only a link check may set.
    pub status: VerifiedStatus,
}

/// A resource by the id of its body and the key of its source (see [`Website::source`]).
pub type Page = NewResource<JurisdictionId, String>;

/// A record without a documented source, or whose license forbids passing it on.
#[derive(Clone, Debug, PartialEq)]
pub struct Withheld {
    /// The body of the record.
    pub body: JurisdictionId,
    /// Topics of the answers where the record would appear.
    pub topics: TopicSet,
    /// Functions of the answers where the record would appear.
    pub functions: FunctionSet,
    /// The record, for the report.
    pub what: String,
    /// The reason in plain words.
    pub reason: &'static str,
}

/// A row that gave no record.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// Key of the row's source.
    pub source: String,
    /// The row in words that let a reader find it.
    pub what: String,
    /// The reason in plain words.
    pub reason: &'static str,
}

/// The result for a record that is not in the snapshot as it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disposition {
    /// Not shown, but counted in the answers where the record would appear.
    Withheld,
    /// Not usable: the row gave no record.
    Rejected,
    /// Another record of the same office or page is used.
    Superseded,
}

impl Disposition {
    /// The word in lists and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Disposition::Withheld => "withheld",
            Disposition::Rejected => "rejected",
            Disposition::Superseded => "superseded",
        }
    }
}

/// A record that is not in the snapshot as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The result for the record.
    pub disposition: Disposition,
    /// Key of the record's source; for a withheld record, its body.
    pub of: String,
    /// The record in words that let a reader find it.
    pub what: String,
    /// The reason in plain words.
    pub reason: &'static str,
}

/// Writes a line of a tab-separated list.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.replace(|c: char| c.is_control(), " ");
        let (of, what) = (one_line(&self.of), one_line(&self.what));
        write!(f, "{}\t{of}\t{what}\t{}", self.disposition.as_str(), self.reason)
    }
}

/// The number of records left out, by disposition and reason.
pub fn reasons(left_out: &[LeftOut]) -> BTreeMap<(Disposition, &'static str), u32> {
    let mut reasons = BTreeMap::new();
    left_out.iter().for_each(|record| *reasons.entry((record.disposition, record.reason)).or_default() += 1);
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_left_out_is_one_line() {
        let record = |disposition, what: &str| LeftOut {
            disposition,
            of: "list".into(),
            what: what.into(),
            reason: "why",
        };
        let all = [
            record(Disposition::Rejected, "a\tb\nc"),
            record(Disposition::Withheld, "d"),
            record(Disposition::Rejected, "e"),
        ];
        assert_eq!(all[0].to_string(), "rejected\tlist\ta b c\twhy");
        let counts: Vec<_> = reasons(&all).into_iter().collect();
        assert_eq!(counts, [((Disposition::Withheld, "why"), 1), ((Disposition::Rejected, "why"), 2)]);
    }
}
