//! Reads communities that no list of the Census Bureau has: `curated/communities.toml`.
//!
//! Parts of cities and villages in towns have no government. The table gives each a point, or the government that it
//! is part of.

use std::collections::BTreeSet;

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, StateCode, name_key},
};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    CuratedSource, Fault, Label,
    checker::Checker,
    file::{SourceTable, Text},
    files::toml_fault,
    lists::sources,
};

/// A community without a government.
#[derive(Clone, Debug, PartialEq)]
pub struct Community {
    /// The state that the community lies in.
    pub state: StateCode,
    /// Name of the community as its source has it.
    pub name: String,
    /// The location of the community, which decides the government that stands for it.
    pub at: Location,
    /// Whether the community comes first among those of its name.
    pub known: bool,
}

/// The location of a community.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Location {
    /// A point inside the community.
    Point(LonLat),
    /// The county, town or city that the community is part of.
    PartOf(Geoid),
}

/// Adds the communities of a further list, except those with a point whose name `known` has in their state. Lists
/// give different points to one community, so one list must decide. A part of a government and a point of the same
/// name are two communities, so both are kept. South Beach, for example, is a part of Miami Beach, and also a place
/// in another county.
pub fn add_missing(known: &mut Vec<Community>, further: Vec<Community>) {
    let key = |one: &Community| (one.state, name_key(&one.name));
    let named: BTreeSet<(StateCode, String)> = known.iter().map(key).collect();
    let is_part = |one: &Community| matches!(one.at, Location::PartOf(_));
    known.extend(further.into_iter().filter(|one| is_part(one) || !named.contains(&key(one))));
}

/// The communities of `communities.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommunityTable {
    /// Sources of names and points.
    pub sources: Vec<CuratedSource>,
    /// The communities, in the order of the file.
    pub communities: Vec<Community>,
    /// Governments with the names that the file gives them.
    pub labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    checked: Spanned<Datetime>,
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    points: Vec<Points>,
    #[serde(default)]
    parts: Vec<Parts>,
}

/// Communities of a state, each with its point.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Points {
    state: Text,
    source: Text,
    /// Each item is a name, then latitude and longitude: `Hyannis 41.6529,-70.2828`.
    list: Vec<Text>,
}

/// Names of the parts of a government.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    of: Text,
    source: Text,
    /// Whether these parts come first among communities of their names.
    #[serde(default)]
    known: bool,
    list: Vec<Text>,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_communities(file: &str, text: &str) -> Result<CommunityTable, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    checker.date(&table.checked, "checked");
    let sources = sources(&mut checker, &table.source);
    let mut communities = Vec::new();
    for (at, row) in table.points.iter().enumerate() {
        let key = |name: &str| format!("points[{}].{name}", at + 1);
        checker.source(&row.source, &key("source"));
        let Ok(state) = row.state.get_ref().parse() else {
            checker.at(&row.state, &key("state"), "expected the postal code of a state");
            continue;
        };
        communities.extend(row.list.iter().filter_map(|text| point(&mut checker, text, state, &key("list"))));
    }
    for (at, row) in table.parts.iter().enumerate() {
        let key = |name: &str| format!("parts[{}].{name}", at + 1);
        checker.source(&row.source, &key("source"));
        let Some(of) = checker.area_of_any_layer(&row.of, &key("of")) else { continue };
        let Some(state) = StateCode::from_fips(of.state_fips()) else { continue };
        communities.extend(row.list.iter().map(|name| {
            let name = checker.words(name, &key("list"));
            Community { state, name, at: Location::PartOf(of), known: row.known }
        }));
    }
    checker.every_source_is_used(&table.source);
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(CommunityTable { sources, communities, labels })
}

/// A name with its point; a malformed one is a fault.
fn point(checker: &mut Checker<'_>, text: &Text, state: StateCode, key: &str) -> Option<Community> {
    checker.words(text, key);
    let parts = text.get_ref().rsplit_once(' ').and_then(|(name, point)| {
        let (lat, lon) = point.split_once(',')?;
        Some((name, LonLat::from_lat_lon(lat.parse().ok()?, lon.parse().ok()?).ok()?))
    });
    let Some((name, point)) = parts else {
        let what = format!(
            "expected a name and a point such as `Hyannis 41.6529,-70.2828`, got {:?}",
            text.get_ref()
        );
        checker.at(text, key, what);
        return None;
    };
    Some(Community { state, name: name.to_owned(), at: Location::Point(point), known: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"checked = 2026-11-26
[[source]]
id = "list"
name = "A list"
url = "https://example.org/list"
publisher = "P"

[[points]]
state = "MA"
source = "list"
list = [
  "Woods Hole 41.527,-70.673",
]

[[parts]]
of = "place:5363000 Seattle"
source = "list"
known = true
list = ["Ballard"]
"#;

    #[test]
    fn a_part_is_added_beside_a_point_of_its_name() {
        let table = parse_communities("c.toml", GOOD).unwrap().communities;
        let point = |name: &str, state: &str| Community {
            state: state.parse().unwrap(),
            name: name.to_owned(),
            at: Location::Point(LonLat::from_units(0, 0)),
            known: false,
        };
        let mut listed = vec![point("Woods Hole", "MA"), point("Ballard", "WA"), point("Ballard", "MA")];
        add_missing(&mut listed, table);
        assert_eq!(listed.len(), 4);
        assert_eq!((listed[3].name.as_str(), listed[3].known), ("Ballard", true));
    }

    #[test]
    fn a_community_is_read_or_refused_with_its_line() {
        let table = parse_communities("c.toml", GOOD).unwrap();
        let shown = |one: &Community| {
            let at = match one.at {
                Location::Point(point) => format!("{:.3},{:.3}", point.lat_degrees(), point.lon_degrees()),
                Location::PartOf(geoid) => geoid.digits(),
            };
            format!("{} {} {at}{}", one.state, one.name, if one.known { " known" } else { "" })
        };
        let found: Vec<String> = table.communities.iter().map(shown).collect();
        assert_eq!(found, ["MA Woods Hole 41.527,-70.673", "WA Ballard 5363000 known"]);
        assert_eq!(table.labels.len(), 1);
        for (old, new, expected) in [
            ("\"MA\"", "\"Mass\"", "c.toml:9: points[1].state:"),
            ("41.527,-70.673", "41.527", "c.toml:12: points[1].list:"),
            ("41.527,", "141.527,", "c.toml:12: points[1].list:"),
            ("Woods Hole 41", "41", "c.toml:12: points[1].list:"),
            ("place:5363000", "place:53", "c.toml:16: parts[1].of:"),
            ("[\"Ballard\"]", "[\" Ballard\"]", "c.toml:19: parts[1].list:"),
            ("source = \"list\"\nknown", "source = \"lost\"\nknown", "c.toml:17: parts[1].source:"),
        ] {
            let text = GOOD.replacen(old, new, 1);
            assert_ne!(text, GOOD, "{old}");
            let faults = parse_communities("c.toml", &text).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
    }
}
