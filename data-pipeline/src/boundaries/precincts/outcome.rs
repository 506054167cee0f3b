//! Results for each precinct, and their lines in the report.

use std::{collections::BTreeMap, fmt};

use platbook::vocabulary::{Geoid, StateCode};

/// How a precinct was matched to its town; the most certain way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// A table, or the number of the precinct, gives the code of the town.
    Code,
    /// The precinct's name has the town's name and legal word.
    NameAndType,
    /// The precinct has the town's name, and no other town of the county has that name.
    Name,
    /// The precinct has the name of both a city and a town, and the polygon of the city decides.
    NameAndPlace,
    /// Whatever its name, the precinct lies in the polygon of a city that is a subdivision of its own.
    Place,
    /// A row of a hand-kept table names the town.
    Table,
    /// One town lies all around the precinct.
    Enclosed,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::Code => "by code",
            How::NameAndType => "by name and legal word",
            How::Name => "by name",
            How::NameAndPlace => "by name and polygon of the place",
            How::Place => "by polygon of the place",
            How::Table => "by table",
            How::Enclosed => "by what lies around",
        })
    }
}

/// The reason why a precinct has no town.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// No subdivision of the precinct's county has the precinct's name.
    NoSuchName,
    /// The precinct's county has no towns at all.
    NoTowns,
    /// The precinct's name lists two or more towns.
    Joined,
    /// Several towns of the county have the precinct's name, and nothing says which of them is meant.
    Ambiguous,
    /// The precinct has the name of a city or village inside a town, and no word of the name says which town that is.
    OnlyPlace,
    /// The precinct has the name of a city or village but lies elsewhere, or the name of a town but lies in a city.
    AgainstPlace,
    /// The precinct's code in a table and its name disagree.
    AgainstCode,
    /// The precinct's number holds no code of a subdivision of its county.
    NoSuchCode,
    /// A row of a hand-kept table says why the precinct cannot be placed.
    Table(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::NoSuchName => "no subdivision of the county has that name",
            Why::NoTowns => "the county has no towns",
            Why::Joined => "joins several towns",
            Why::Ambiguous => "several towns have that name",
            Why::OnlyPlace => "named after a place, and its town is not given",
            Why::AgainstPlace => "name and polygon of the place disagree",
            Why::AgainstCode => "name and code disagree",
            Why::NoSuchCode => "its number holds no code of a subdivision",
            Why::Table(why) => return write!(f, "table: {why}"),
        })
    }
}

/// The result for a precinct: its town, or why it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The precinct lies in this subdivision.
    Placed(Geoid, How),
    /// The precinct lies in no town that the data names.
    Left(Why),
}

/// A precinct with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// GEOID of the precinct's county.
    pub county: Geoid,
    /// The precinct's name, or the number of a voting district.
    pub name: String,
    /// The precinct's town, or the reason why it has none.
    pub placement: Placement,
}

impl fmt::Display for Outcome {
    /// Writes a line of the report, separated by tabs: kind, county, name, and the town or the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.placement {
            Placement::Placed(town, how) => {
                write!(f, "precinct placed\t{}\t{}\t{town} {how}", self.county, self.name)
            }
            Placement::Left(why) => write!(f, "precinct left\t{}\t{}\t{why}", self.county, self.name),
        }
    }
}

/// Returns two lines for each state. They count its precincts, its towns by their most certain match, and its precincts
/// without a town by reason.
pub fn summary(outcomes: &[Outcome]) -> String {
    let mut states: BTreeMap<u8, Vec<&Outcome>> = BTreeMap::new();
    outcomes.iter().for_each(|outcome| states.entry(outcome.county.state_fips()).or_default().push(outcome));
    states.into_iter().map(|(fips, outcomes)| state_lines(fips, &outcomes)).collect()
}

fn state_lines(fips: u8, outcomes: &[&Outcome]) -> String {
    let mut towns: BTreeMap<Geoid, How> = BTreeMap::new();
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for outcome in outcomes {
        match &outcome.placement {
            Placement::Placed(town, how) => {
                let surest = towns.entry(*town).or_insert(*how);
                *surest = (*how).min(*surest);
            }
            Placement::Left(Why::Table(_)) => *left.entry("left by table".to_owned()).or_default() += 1,
            Placement::Left(why) => *left.entry(why.to_string()).or_default() += 1,
        }
    }
    let mut by_way: BTreeMap<How, usize> = BTreeMap::new();
    towns.values().for_each(|how| *by_way.entry(*how).or_default() += 1);
    let state = StateCode::from_fips(fips).map_or("?", StateCode::usps);
    let ways: Vec<String> = by_way.iter().map(|(how, count)| format!("{count} {how}")).collect();
    let reasons: Vec<String> = left.iter().map(|(why, count)| format!("{count} {why}")).collect();
    let unplaced: usize = left.values().sum();
    format!(
        "towns from precincts, {state}: {} of {} precincts, {}\nprecincts without a town, {state}: {unplaced}{}{}\n",
        towns.len(),
        outcomes.len(),
        ways.join(", "),
        if reasons.is_empty() { "" } else { ": " },
        reasons.join(", ")
    )
}
