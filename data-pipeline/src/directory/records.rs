//! Records on their way into a snapshot: pages of governments and of their offices, from feeds and hand-kept tables.

use std::{collections::BTreeMap, fmt};

use platbook::{
    snapshot::write::NewResource,
    vocabulary::{FunctionSet, JurisdictionId, SourceKind, TopicSet, VerifiedStatus},
};

/// Everything that one feed or table gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Sites of governments and offices.
    pub websites: Vec<Website>,
    /// Resources.
    pub pages: Vec<Page>,
    /// Records that are not shown, but counted in the answers that they would have been in.
    pub withheld: Vec<Withheld>,
    /// Rows that came to nothing, each with its reason.
    pub rejected: Vec<Rejected>,
}

/// The site of a government, or of one of its offices.
#[derive(Clone, Debug, PartialEq)]
pub struct Website {
    /// Whose site.
    pub body: JurisdictionId,
    /// What the office does; empty for the main site of the government.
    pub functions: FunctionSet,
    /// Title of the office as the source has it, cleaned of the government's name; `None` for the main site.
    pub office: Option<String>,
    /// Address, `http` or `https`, with a slash after a bare host.
    pub url: String,
    /// Telephone of the office, from the same source.
    pub phone: Option<String>,
    /// Mail box of the office, never of a person.
    pub email: Option<String>,
    /// Street address of the office.
    pub address: Option<String>,
    /// Key of the source: its id in the manifest, or `XX/id` of a state's table.
    pub source: String,
    /// How it was gathered.
    pub kind: SourceKind,
    /// Never `Verified`: only a link check says so.
    pub status: VerifiedStatus,
}

/// A resource by the id of its body and the key of its source (see [`Website::source`]).
pub type Page = NewResource<JurisdictionId, String>;

/// A record that has no documented source, or may not be passed on.
#[derive(Clone, Debug, PartialEq)]
pub struct Withheld {
    /// Whose record.
    pub body: JurisdictionId,
    /// Topics of the answers that it would have been in.
    pub topics: TopicSet,
    /// Functions of the answers that it would have been in.
    pub functions: FunctionSet,
    /// What it is, for the report.
    pub what: String,
    /// Why, in plain words.
    pub reason: &'static str,
}

/// A row that came to nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// Key of the source.
    pub source: String,
    /// The row, so that a reader finds it.
    pub what: String,
    /// Why, in plain words.
    pub reason: &'static str,
}

/// What became of a record that is not in the snapshot as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disposition {
    /// Not shown, but counted in the answers that it would have been in.
    Withheld,
    /// Came to nothing.
    Rejected,
    /// Another record stands for it.
    Superseded,
}

impl Disposition {
    /// The word in lists.
    pub fn as_str(self) -> &'static str {
        match self {
            Disposition::Withheld => "withheld",
            Disposition::Rejected => "rejected",
            Disposition::Superseded => "superseded",
        }
    }
}

/// A record that is not in the snapshot as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What became of it.
    pub disposition: Disposition,
    /// Its source; of a withheld record its body.
    pub of: String,
    /// The record, so that a reader finds it.
    pub what: String,
    /// Why, in plain words.
    pub reason: &'static str,
}

/// A line of a tab-separated list.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.replace(|c: char| c.is_control(), " ");
        let (of, what) = (one_line(&self.of), one_line(&self.what));
        write!(f, "{}\t{of}\t{what}\t{}", self.disposition.as_str(), self.reason)
    }
}

/// How many records were left out for each reason, by disposition and reason.
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
        let record = |disposition, what: &str| LeftOut { disposition, of: "list".into(), what: what.into(), reason: "why" };
        let all =
            [record(Disposition::Rejected, "a\tb\nc"), record(Disposition::Withheld, "d"), record(Disposition::Rejected, "e")];
        assert_eq!(all[0].to_string(), "rejected\tlist\ta b c\twhy");
        let counts: Vec<_> = reasons(&all).into_iter().collect();
        assert_eq!(counts, [((Disposition::Withheld, "why"), 1), ((Disposition::Rejected, "why"), 2)]);
    }
}
