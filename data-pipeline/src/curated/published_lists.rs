//! Reads facts that published lists of pages leave open: `curated/published_lists.toml`.

use platbook::vocabulary::{Geoid, Layer, StateCode};
use serde::Deserialize;

use super::{
    checker::{Checker, Label},
    error::Fault,
    file::Text,
    files::toml_fault,
};

/// The facts of `published_lists.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedLists {
    /// Domains of the .gov registry whose organization does not name the government, with the government of
    /// each.
    pub domains: Vec<(String, Geoid)>,
    /// Counties with a new name or code: the old GEOID and the current one.
    pub renamed_counties: Vec<(Geoid, Geoid)>,
    /// States whose towns and townships are governments that cover all land.
    pub town_states: Vec<StateCode>,
    /// The areas with their names, for comparison with the Census names.
    pub labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    town_states: Vec<Text>,
    #[serde(default)]
    domain: Vec<Domain>,
    #[serde(default)]
    renamed_county: Vec<Renamed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Domain {
    domain: Text,
    body: Text,
    why: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Renamed {
    old: Text,
    old_name: Text,
    new: Text,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_published_lists(file: &str, text: &str) -> Result<PublishedLists, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let mut lists = PublishedLists::default();
    for state in &table.town_states {
        match state.get_ref().parse() {
            Ok(code) => lists.town_states.push(code),
            Err(_) => {
                let what = format!("expected a postal code such as \"CT\", got {:?}", state.get_ref());
                checker.at(state, "town_states", what);
            }
        }
    }
    for (at, row) in table.domain.iter().enumerate() {
        lists.domains.extend(domain(&mut checker, row, &format!("domain[{}]", at + 1)));
    }
    for (at, row) in table.renamed_county.iter().enumerate() {
        lists.renamed_counties.extend(renamed(&mut checker, row, &format!("renamed_county[{}]", at + 1)));
    }
    lists.labels = std::mem::take(&mut checker.labels);
    checker.finish().map(|()| lists)
}

fn domain(checker: &mut Checker<'_>, row: &Domain, key: &str) -> Option<(String, Geoid)> {
    let domain = row.domain.get_ref();
    let is_host = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
    if !domain.contains('.') || !domain.bytes().all(is_host) {
        let what = format!("expected a domain in lower case such as \"nyc.gov\", got {domain:?}");
        checker.at(&row.domain, &format!("{key}.domain"), what);
    }
    checker.sentence(&row.why, &format!("{key}.why"));
    let body = checker.area_of_any_layer(&row.body, &format!("{key}.body"))?;
    Some((domain.clone(), body))
}

fn renamed(checker: &mut Checker<'_>, row: &Renamed, key: &str) -> Option<(Geoid, Geoid)> {
    checker.words(&row.old_name, &format!("{key}.old_name"));
    let new = checker.area(&row.new, Layer::County, &format!("{key}.new"));
    match Geoid::parse(Layer::County, row.old.get_ref()) {
        Ok(old) => new.map(|new| (old, new)),
        Err(error) => {
            checker.at(&row.old, &format!("{key}.old"), error.to_string());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_tables_name_their_line() {
        let good = "town_states = [\"CT\"]\n[[domain]]\ndomain = \"nyc.gov\"\nbody = \"place:3651000 New York\"\nwhy = \"It is.\"\n[[renamed_county]]\nold = \"46113\"\nold_name = \"Shannon\"\nnew = \"46102 Oglala Lakota County\"\n";
        let lists = parse_published_lists("l", good).unwrap();
        assert_eq!((lists.domains.len(), lists.renamed_counties.len(), lists.labels.len()), (1, 1, 2));
        for (broken, expected) in [
            (good.replace("\"CT\"", "\"09\""), "l:1: town_states: expected a postal code"),
            (good.replace("nyc.gov", "NYC.gov"), "l:3: domain[1].domain: expected a domain"),
            (good.replace("place:3651000", "3651000"), "l:4: domain[1].body: expected an area"),
            (good.replace("It is.", "It is"), "l:5: domain[1].why: is not a full sentence"),
            (good.replace("46113", "4613"), "l:7: renamed_county[1].old: a county GEOID has 5 digits"),
            (
                good.replace("46102 Oglala Lakota County", "46102"),
                "l:9: renamed_county[1].new: 46102 has no name",
            ),
        ] {
            let faults = parse_published_lists("l", &broken).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.starts_with(expected)), "{expected}: {all:?}");
        }
    }
}
