//! Reads the rules for names of election precincts: the folder `curated/precincts/`.

use std::{collections::BTreeMap, ops::RangeInclusive, path::Path};

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer, StateCode},
};
use serde::Deserialize;
use toml::Spanned;

use super::{
    checker::{Checker, Label},
    error::Fault,
    file::Text,
    files::{read_folder, toml_fault},
};

/// Name of the file, without extension, that applies to all states.
const WORDS: &str = "words";

/// Numbers of corners that a town's boundary may have. A line with more is not a survey line, and belongs in a
/// published file.
const CORNERS: RangeInclusive<usize> = 3..=12;

/// The rules of all states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrecinctRules {
    /// Short forms of words, with the word that each means.
    pub short: BTreeMap<String, String>,
    /// Words after the name of a town that only name a part of the town.
    pub parts: Vec<String>,
    /// The rules of each state, by FIPS code.
    pub states: BTreeMap<u8, StatePrecincts>,
}

/// The rules for names in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatePrecincts {
    /// Whether a name without a legal word means the town, even if a city or village has the same name. In such a
    /// state every precinct is a part of a town. In other states the polygon of the city or village decides.
    pub always_towns: bool,
    /// Whether "North", "East" and so on before the name of a town mean a part of the town.
    pub compass: bool,
    /// Words after a name, with the legal word that each means.
    pub words: BTreeMap<String, String>,
    /// Rows for names that no rule reads.
    pub rows: Vec<PrecinctRow>,
    /// The file, and its areas with their names, for comparison with the Census names.
    pub labels: (String, Vec<Label>),
}

/// Precincts of a county whose names begin with the same words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrecinctRow {
    /// GEOID of the county.
    pub county: Geoid,
    /// The words as the election office wrote them; for a voting district, the start of its number. Empty for
    /// all precincts of the county that are not named after a city or village.
    pub written: String,
    /// GEOID of the town; `None` if it cannot be decided.
    pub town: Option<Geoid>,
    /// The part of these precincts that the row is about.
    pub part: Part,
    /// The reason, in a sentence.
    pub why: String,
}

/// The part of a precinct that a row is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The whole precinct, not only a part.
    All,
    /// The separate part of the precinct around this point.
    Around(LonLat),
    /// The part within this closed ring: the boundary of a town that the precincts do not follow.
    Within(Vec<LonLat>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsFile {
    parts: Vec<Text>,
    short: BTreeMap<String, Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateFile {
    state: Text,
    /// How cities and villages lie in towns or beside them, for readers.
    nesting: Text,
    source: Text,
    #[serde(default)]
    always_towns: bool,
    #[serde(default)]
    compass: bool,
    words: BTreeMap<String, Text>,
    #[serde(default)]
    row: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    county: Text,
    written: Option<Text>,
    is: Option<Text>,
    around: Option<Text>,
    within: Option<Spanned<Vec<Text>>>,
    source: Option<Text>,
    why: Text,
}

/// Reads every file of the folder: the valid rules, then all faults.
pub(super) fn read_precincts(folder: &Path) -> (PrecinctRules, Vec<Fault>) {
    let (files, faults) = read_folder(folder, parse_precincts);
    let mut rules = PrecinctRules::default();
    for mut file in files {
        rules.short.append(&mut file.short);
        rules.parts.append(&mut file.parts);
        rules.states.append(&mut file.states);
    }
    (rules, faults)
}

fn plain(words: BTreeMap<String, Text>) -> BTreeMap<String, String> {
    words.into_iter().map(|(short, long)| (short, long.into_inner())).collect()
}

/// Reads one file: the file of a state, whose name is the state's, or the file with the words for all states.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_precincts(file: &str, text: &str) -> Result<PrecinctRules, Vec<Fault>> {
    let mut checker = Checker::new(file, text, None);
    let mut rules = PrecinctRules::default();
    if Path::new(file).file_stem().is_some_and(|stem| stem == WORDS) {
        let words: WordsFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
        checker.types(&words.parts, "parts");
        rules.parts = words.parts.into_iter().map(Text::into_inner).collect();
        rules.short = plain(words.short);
        return checker.finish().map(|()| rules);
    }
    let table: StateFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    if let Some(code) = checker.state(&table.state) {
        rules.states.insert(code.fips(), state(&mut checker, code, table));
    }
    checker.finish().map(|()| rules)
}

fn state(checker: &mut Checker<'_>, code: StateCode, table: StateFile) -> StatePrecincts {
    checker.sentence(&table.nesting, "nesting");
    checker.url(&table.source, "source");
    table.words.values().for_each(|word| _ = checker.types(std::slice::from_ref(word), "words"));
    let rows = table.row.iter().enumerate().filter_map(|(at, raw)| row(checker, code, at + 1, raw)).collect();
    let labels = (checker.file.to_owned(), std::mem::take(&mut checker.labels));
    let (always_towns, compass) = (table.always_towns, table.compass);
    StatePrecincts { always_towns, compass, words: plain(table.words), rows, labels }
}

fn row(checker: &mut Checker<'_>, state: StateCode, number: usize, raw: &Row) -> Option<PrecinctRow> {
    let key = |name: &str| format!("row[{number}].{name}");
    let written = raw.written.as_ref().map(|written| checker.words(written, &key("written")));
    let why = checker.sentence(&raw.why, &key("why"));
    let county = checker.area(&raw.county, Layer::County, &key("county"))?;
    if county.state_fips() != state.fips() {
        checker.at(&raw.county, &key("county"), format!("expected a county of {state}, got {county}"));
    }
    let town = raw.is.as_ref().and_then(|is| checker.area(is, Layer::Cousub, &key("is")));
    if let (Some(is), Some(town)) = (&raw.is, town.filter(|town| town.county() != Some(county))) {
        checker.at(is, &key("is"), format!("expected a subdivision of {county}, got {town}"));
    }
    let part = part(checker, raw, &key);
    if written.is_none() && raw.within.is_none() {
        checker.at(&raw.county, &key("county"), "expected `written` beside it, or `within`");
    }
    Some(PrecinctRow { county, written: written.unwrap_or_default(), town, part, why })
}

fn part(checker: &mut Checker<'_>, raw: &Row, key: &impl Fn(&str) -> String) -> Part {
    if let Some(text) = &raw.around {
        let point = point(checker, text, &key("around"));
        if raw.is.is_none() {
            checker.at(text, &key("around"), "expected `is` beside it: the town of this part");
        }
        return point.map_or(Part::All, Part::Around);
    }
    let Some(corners) = &raw.within else { return Part::All };
    match (&raw.is, &raw.source) {
        (Some(_), Some(source)) => _ = checker.url(source, &key("source")),
        _ => checker.at(
            corners,
            &key("within"),
            "expected `is` and `source` beside it: the town, and the source of its line",
        ),
    }
    let texts = corners.get_ref();
    if !CORNERS.contains(&texts.len()) {
        let (least, most) = (CORNERS.start(), CORNERS.end());
        checker.at(
            corners,
            &key("within"),
            format!("expected {least} to {most} corners, got {}", texts.len()),
        );
    }
    let mut ring: Vec<LonLat> =
        texts.iter().filter_map(|text| point(checker, text, &key("within"))).collect();
    ring.extend(ring.first().copied());
    Part::Within(ring)
}

fn point(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<LonLat> {
    let degrees: Vec<f64> = text.get_ref().split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let point = match degrees[..] {
        [lat, lon] => LonLat::from_lat_lon(lat, lon).ok(),
        _ => None,
    };
    if point.is_none() {
        checker.at(text, key, "expected a latitude, a comma and a longitude, in degrees");
    }
    point
}

impl PrecinctRules {
    /// The word that a short form means; any other word is returned unchanged.
    pub fn long<'a>(&'a self, word: &'a str) -> &'a str {
        self.short.get(word).map_or(word, String::as_str)
    }

    /// Whether a word after the name of a town only names or numbers a part of the town. Such a word is a number, a
    /// single or doubled letter, a Roman numeral, or a word of the table.
    pub fn is_part(&self, word: &str) -> bool {
        let bytes = word.as_bytes();
        let letter = bytes.len() <= 2 && bytes.first() == bytes.last();
        letter
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || word.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x'))
            || self.parts.iter().any(|known| known == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = "state = \"PA\"\nnesting = \"Boroughs lie in no township.\"\nsource = \"https://example.org\"\nwords = { twp = \"township\" }\n[[row]]\ncounty = \"42125 Washington\"\nwritten = \"MONON\"\nis = \"4212550408 Monongahela\"\naround = \"40.2, -79.9\"\nwhy = \"A short form.\"\n";

    /// A line with a corner that is not a point.
    const LINE: &str = "source = \"https://example.org\"\nwithin = [\"40.2, -79.9\", \"40.2\"]";

    #[test]
    fn a_state_reads() {
        let rules = parse_precincts("PA.toml", STATE).unwrap();
        let state = &rules.states[&42];
        assert_eq!((state.words["twp"].as_str(), state.compass), ("township", false));
        assert_eq!(state.rows[0].town.unwrap().digits(), "4212550408");
        assert_eq!(state.rows[0].part, Part::Around(LonLat::from_lat_lon(40.2, -79.9).unwrap()));
        assert_eq!(state.labels.1.len(), 2);
    }

    #[test]
    fn broken_tables_name_their_line() {
        for (from, to, expected) in [
            ("\"PA\"", "\"XX\"", "PA.toml:1: state: expected the postal code of a state"),
            ("\"PA\"", "\"OH\"", "PA.toml:1: state: "),
            ("township.\"", "township\"", "PA.toml:2: nesting: "),
            ("https", "ftp", "PA.toml:3: source: "),
            ("\"township\"", "\"Twp\"", "PA.toml:4: words: "),
            ("42125 W", "55125 W", "PA.toml:6: row[1].county: expected a county of PA"),
            ("\"MONON\"", "\"\"", "PA.toml:7: row[1].written: is empty"),
            ("4212550408", "4200550408", "PA.toml:8: row[1].is: expected a subdivision of county:42125"),
            ("4212550408", "42125", "PA.toml:8: row[1].is: "),
            ("40.2, ", "", "PA.toml:9: row[1].around: expected a latitude"),
            ("is = \"4212550408 Monongahela\"", "", "PA.toml:9: row[1].around: expected `is`"),
            ("written = \"MONON\"\n", "", "PA.toml:6: row[1].county: expected `written`"),
            (
                "around = \"40.2, -79.9\"",
                "within = []",
                "PA.toml:9: row[1].within: expected `is` and `source`",
            ),
            ("around = \"40.2, -79.9\"", LINE, "PA.toml:10: row[1].within: expected 3 to 12 corners, got 2"),
            ("around = \"40.2, -79.9\"", LINE, "PA.toml:10: row[1].within: expected a latitude"),
            ("why", "because", "PA.toml:10: unknown field `because`"),
        ] {
            let faults = parse_precincts("PA.toml", &STATE.replace(from, to)).err().unwrap_or_default();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.starts_with(expected)), "{expected}: {all:?}");
        }
    }

    #[test]
    fn parts_of_towns_differ_from_names() {
        let rules = PrecinctRules { parts: vec!["ward".to_owned()], ..PrecinctRules::default() };
        for (word, part) in [
            ("4", true),
            ("12a", true),
            ("b", true),
            ("bb", true),
            ("sq", false),
            ("viii", true),
            ("ward", true),
            ("park", false),
        ] {
            assert_eq!(rules.is_part(word), part, "{word}");
        }
    }
}
