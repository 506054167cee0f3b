//! Reads outlines and circles of federal land: `curated/federal/*.toml`.

use std::path::Path;

use platbook::{geometry::LonLat, vocabulary::FederalKind};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    CuratedSource, Fault,
    checker::Checker,
    file::{SourceTable, Text},
    files::{read_folder, toml_fault},
    lists::sources,
};

/// Maximum radius of a circle, in kilometers. Chosen, not measured; it catches mistyped values.
const REACH_KM_MAX: f64 = 60.0;

/// Land that may be federal.
#[derive(Clone, Debug, PartialEq)]
pub struct FederalArea {
    /// Name of the land.
    pub name: String,
    /// The kind of land, from the table's word.
    pub kind: FederalKind,
    /// Whether the land counts inside city limits.
    pub in_cities: bool,
    /// Outlines of the land, as open rings.
    pub outlines: Vec<Vec<LonLat>>,
    /// Circles of the land: each a middle and a radius in meters.
    pub circles: Vec<(LonLat, f64)>,
    /// Number of the land's source in the table.
    pub source: usize,
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FederalTable {
    /// Sources of names and lines.
    pub sources: Vec<CuratedSource>,
    /// The land, in the order of the file.
    pub areas: Vec<FederalArea>,
    /// Installations of the Census Bureau's list that count inside city limits, under the Bureau's names.
    pub installations_in_cities: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    checked: Spanned<Datetime>,
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    land: Vec<Land>,
    #[serde(default)]
    circles: Vec<Circles>,
    #[serde(default)]
    installations_in_cities: Vec<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Land {
    name: Text,
    kind: Text,
    source: Text,
    #[serde(default)]
    in_cities: bool,
    /// Each item is a ring of points `latitude,longitude`.
    #[serde(default)]
    outlines: Vec<Text>,
    /// Each item is a point and kilometers: `37.584,-112.183 6.8`.
    #[serde(default)]
    circles: Vec<Text>,
}

/// Circles of many lands of one kind and source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Circles {
    kind: Text,
    source: Text,
    /// Each item is a name and a circle: `Elk National Wildlife Refuge 37.584,-112.183 6.8`.
    list: Vec<Text>,
}

/// Reads every file of the folder, in the order of names.
pub(super) fn read_federal(folder: &Path) -> (Vec<FederalTable>, Vec<Fault>) {
    read_folder(folder, parse_federal)
}

/// Reads one file's text. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_federal(file: &str, text: &str) -> Result<FederalTable, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    checker.date(&table.checked, "checked");
    let sources = sources(&mut checker, &table.source);
    let mut areas = Vec::new();
    for (at, row) in table.land.iter().enumerate() {
        let key = |name: &str| format!("land[{}].{name}", at + 1);
        let name = checker.words(&row.name, &key("name"));
        let source = source(&mut checker, &sources, &row.source, &key("source"));
        if row.outlines.is_empty() && row.circles.is_empty() {
            checker.at(&row.name, &key("name"), "has neither `outlines` nor `circles`");
        }
        let outlines = row.outlines.iter().filter_map(|text| outline(&mut checker, text, &key("outlines")));
        let outlines = outlines.collect();
        let circles = row.circles.iter().filter_map(|text| circle(&mut checker, text, &key("circles")));
        let circles = circles.collect();
        if let Some(kind) = kind(&mut checker, &row.kind, &key("kind")) {
            areas.push(FederalArea { name, kind, in_cities: row.in_cities, outlines, circles, source });
        }
    }
    for (at, rows) in table.circles.iter().enumerate() {
        let key = |name: &str| format!("circles[{}].{name}", at + 1);
        let source = source(&mut checker, &sources, &rows.source, &key("source"));
        if let Some(kind) = kind(&mut checker, &rows.kind, &key("kind")) {
            let named = rows.list.iter().filter_map(|text| named_circle(&mut checker, text, &key("list")));
            areas.extend(named.map(|(name, circle)| FederalArea {
                name,
                kind,
                in_cities: false,
                outlines: Vec::new(),
                circles: vec![circle],
                source,
            }));
        }
    }
    let named = table.installations_in_cities.iter();
    let installations_in_cities = named.map(|name| checker.words(name, "installations_in_cities")).collect();
    checker.every_source_is_used(&table.source);
    checker.finish()?;
    Ok(FederalTable { sources, areas, installations_in_cities })
}

/// The number of a source in the table; 0 for an unknown source, which is a fault.
fn source(checker: &mut Checker<'_>, sources: &[CuratedSource], text: &Text, key: &str) -> usize {
    checker.source(text, key);
    sources.iter().position(|source| source.id == *text.get_ref()).unwrap_or_default()
}

fn point(text: &str) -> Option<LonLat> {
    let (lat, lon) = text.split_once(',')?;
    LonLat::from_lat_lon(lat.parse().ok()?, lon.parse().ok()?).ok()
}

/// A ring of at least three points; anything else is a fault.
fn outline(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<Vec<LonLat>> {
    let points: Option<Vec<LonLat>> = text.get_ref().split(' ').map(point).collect();
    let ring = points.filter(|points| points.len() >= 3);
    if ring.is_none() {
        checker.at(text, key, "expected at least three points such as `44.53,-111.05`, with a space between");
    }
    ring
}

/// The kind of land that a word means; an unknown word is a fault.
fn kind(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<FederalKind> {
    let kind = FederalKind::from_word(text.get_ref());
    if kind.is_none() {
        checker.at(text, key, "expected base, park, agency or forest");
    }
    kind
}

/// The middle and the radius in meters that a text gives; `None` for any other text.
fn circle_in(text: &str) -> Option<(LonLat, f64)> {
    let (middle, km) = text.split_once(' ')?;
    let km: f64 = km.parse().ok().filter(|km| (0.1..=REACH_KM_MAX).contains(km))?;
    Some((point(middle)?, km * 1_000.0))
}

/// A name and its circle; anything else is a fault.
fn named_circle(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<(String, (LonLat, f64))> {
    let parts = text.get_ref().rsplit_once(' ').and_then(|(rest, km)| {
        let (name, middle) = rest.rsplit_once(' ')?;
        Some((name.to_owned(), circle_in(&format!("{middle} {km}"))?))
    });
    if parts.is_none() {
        checker.at(
            text,
            key,
            "expected a name, a point and kilometers, such as `Elk Refuge 37.58,-112.18 6.8`",
        );
    }
    parts
}

/// The middle and the radius in meters of a circle; anything else is a fault.
fn circle(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<(LonLat, f64)> {
    let parts = circle_in(text.get_ref());
    if parts.is_none() {
        let what =
            format!("expected a point and kilometers up to {REACH_KM_MAX}, such as `37.58,-112.18 6.8`");
        checker.at(text, key, what);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"checked = 2026-11-26
installations_in_cities = ["Ft Large"]
[[source]]
id = "list"
name = "A list"
url = "https://example.org/list"
publisher = "P"

[[land]]
name = "Elk National Park"
kind = "park"
source = "list"
outlines = ["44.5,-111.0 44.6,-111.0 44.6,-110.9"]

[[land]]
name = "Fort Small"
kind = "base"
source = "list"
in_cities = true
circles = ["37.58,-112.18 6.8"]

[[circles]]
kind = "agency"
source = "list"
list = ["Elk Refuge 41.50,-110.10 3.0"]
"#;

    #[test]
    fn land_is_read_or_refused_with_its_line() {
        let table = parse_federal("f.toml", GOOD).unwrap();
        let [park, base, refuge] = &table.areas[..] else { panic!() };
        assert_eq!((refuge.name.as_str(), refuge.kind), ("Elk Refuge", FederalKind::Agency));
        assert_eq!((refuge.circles[0].1, refuge.in_cities), (3_000.0, false));
        assert_eq!(table.installations_in_cities, ["Ft Large"]);
        assert_eq!((park.kind, park.outlines[0].len(), park.in_cities), (FederalKind::Park, 3, false));
        assert_eq!((base.kind, base.circles[0].1, base.in_cities), (FederalKind::Base, 6_800.0, true));
        for (old, new, expected) in [
            ("\"park\"", "\"lake\"", "f.toml:11: land[1].kind:"),
            (" 44.6,-110.9", "", "f.toml:13: land[1].outlines:"),
            ("44.5,-111.0 ", "144.5,-111.0 ", "f.toml:13: land[1].outlines:"),
            ("Ft Large", " Ft Large", "f.toml:2: installations_in_cities:"),
            (" 6.8", " 680", "f.toml:20: land[2].circles:"),
            ("37.58,-112.18 6.8", "6.8", "f.toml:20: land[2].circles:"),
            ("circles = [\"37.58,-112.18 6.8\"]", "", "f.toml:16: land[2].name:"),
            ("\"agency\"", "\"lake\"", "f.toml:23: circles[1].kind:"),
            ("Elk Refuge ", "", "f.toml:25: circles[1].list:"),
            ("source = \"list\"\nin", "source = \"lost\"\nin", "f.toml:18: land[2].source:"),
        ] {
            let text = GOOD.replacen(old, new, 1);
            assert_ne!(text, GOOD, "{old}");
            let faults = parse_federal("f.toml", &text).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
    }
}
