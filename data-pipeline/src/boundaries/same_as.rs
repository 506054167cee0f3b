//! Which ids are one government, from the hand-kept table and from shared codes.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{Geoid, JurisdictionId, Layer};
use serde::Deserialize;

use crate::curated::line_of;

/// The hand-kept table, read by every build.
const TABLE: (&str, &str) =
    ("data-pipeline/curated/same_as.toml", include_str!("../../curated/same_as.toml"));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    same: Vec<RawRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRow {
    ids: toml::Spanned<Vec<String>>,
    why: String,
    source: String,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Two or more ids of one body.
    pub ids: Vec<Geoid>,
}

/// A table that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct TableError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What was expected and what came.
    pub problem: String,
}

/// Reads the hand-kept table.
///
/// # Errors
/// When a key is unknown, an id malformed or listed twice, or a row has fewer than two ids or no source.
pub fn table() -> Result<Vec<Row>, TableError> {
    parse(TABLE.0, TABLE.1)
}

fn parse(file: &str, text: &str) -> Result<Vec<Row>, TableError> {
    let at = |offset: usize, problem: String| {
        let line = line_of(text, offset);
        TableError { file: file.to_owned(), line, problem }
    };
    let raw: File = toml::from_str(text)
        .map_err(|error| at(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for row in raw.same {
        let start = row.ids.span().start;
        let ids = row.ids.into_inner().iter().map(|id| census_id(id)).collect::<Result<Vec<_>, _>>();
        let ids = ids.map_err(|problem| at(start, problem))?;
        if ids.len() < 2 || row.why.is_empty() || row.source.is_empty() {
            return Err(at(start, "expected two or more ids, a reason and a source".to_owned()));
        }
        if let Some(twice) = ids.iter().find(|id| !seen.insert(**id)) {
            return Err(at(start, format!("{twice} stands in two rows; put all its ids into one")));
        }
        rows.push(Row { ids });
    }
    Ok(rows)
}

fn census_id(text: &str) -> Result<Geoid, String> {
    match text.parse::<JurisdictionId>() {
        Ok(JurisdictionId::Census(geoid)) => Ok(geoid),
        Ok(other) => Err(format!("expected a Census id, got {other}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Who is the same as whom.
#[derive(Debug, Default)]
pub struct SameAs {
    /// The others of each id, ascending.
    pub others: BTreeMap<Geoid, BTreeSet<Geoid>>,
    /// Five-digit code of the place for each place and subdivision that are one government.
    pub links: BTreeMap<Geoid, u32>,
}

impl SameAs {
    /// Pairs by table, and subdivisions with the place of the same state and five-digit code. Ids that are not
    /// among `known` are left out.
    pub fn of(table: &[Row], known: &BTreeSet<Geoid>) -> SameAs {
        let mut same = SameAs::default();
        for row in table {
            let here: Vec<Geoid> = row.ids.iter().copied().filter(|id| known.contains(id)).collect();
            for (at, one) in here.iter().enumerate() {
                here[at + 1..].iter().for_each(|other| same.pair(*one, *other));
            }
        }
        for cousub in known.iter().filter(|geoid| geoid.layer() == Layer::Cousub) {
            let digits = cousub.fp5().map(|code| format!("{:02}{code:05}", cousub.state_fips()));
            let place = digits.and_then(|digits| Geoid::parse(Layer::Place, &digits).ok());
            if let Some(place) = place.filter(|place| known.contains(place)) {
                same.pair(*cousub, place);
            }
        }
        same
    }

    fn pair(&mut self, one: Geoid, other: Geoid) {
        self.others.entry(one).or_default().insert(other);
        self.others.entry(other).or_default().insert(one);
        let layers = [one.layer(), other.layer()];
        if layers.contains(&Layer::Cousub) && layers.contains(&Layer::Place) {
            let place = if one.layer() == Layer::Place { one } else { other };
            let code = place.fp5().unwrap_or_default();
            self.links.extend([(one, code), (other, code)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reads() {
        let rows = table().unwrap();
        assert!(rows.len() > 90, "{}", rows.len());
    }

    #[test]
    fn broken_tables_name_their_line() {
        let good = "[[same]]\nids = [\"county:24510\", \"place:2404000\"]\nwhy = \"a\"\nsource = \"b\"\n";
        assert_eq!(parse("t", good).unwrap().len(), 1);
        for (broken, line, word) in [
            (good.replace("24510", "2451"), 2, "county:2451"),
            (good.replace("why", "wy"), 3, "wy"),
            (good.replace("\"b\"", "\"\""), 2, "source"),
            (good.replace(", \"place:2404000\"", ""), 2, "two or more"),
            (format!("{good}{good}"), 6, "two rows"),
        ] {
            let error = parse("t", &broken).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.problem.contains(word), "{error}");
        }
    }

    #[test]
    fn cities_are_paired_with_their_parts() {
        let id = |text: &str| census_id(text).unwrap();
        let known =
            ["place:2727530", "cousub:2703727530", "cousub:2716327530", "cousub:2703701234"].map(id).into();
        let same = SameAs::of(&[], &known);
        assert_eq!(same.others[&id("place:2727530")].len(), 2);
        assert_eq!(same.links[&id("cousub:2716327530")], 27530);
        assert!(!same.links.contains_key(&id("cousub:2703701234")));
    }
}
