//! Cities that began or ended after the year of their lines: `curated/city_changes.toml`.

use platbook::{geometry::LonLat, vocabulary::Layer};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    CuratedSource, Fault, Label,
    checker::Checker,
    file::{SourceTable, Text},
    files::toml_fault,
    lists::sources,
};

/// How far the land of a city may reach from its middle, kilometres.
const REACH_KM_MAX: f64 = 60.0;
const METRES_PER_KM: f64 = 1_000.0;

/// A city that began or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityChange {
    /// What it is called.
    pub name: String,
    /// Its code in the Census Bureau's lists, 7 digits, where it has one.
    pub place: Option<u32>,
    /// Whether it began; else it ended.
    pub began: bool,
    /// Day of the change: year, month and day as 20230103.
    pub day: u32,
    /// Its middle.
    pub middle: LonLat,
    /// How far from there its land may reach, metres.
    pub reach_m: u32,
    /// Number of the source that says so.
    pub source: usize,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CityChanges {
    /// Sources; rows refer to them by number.
    pub sources: Vec<CuratedSource>,
    /// The changes, in the order of the file.
    pub changes: Vec<CityChange>,
    /// Counties with the name beside them.
    pub labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    checked: Spanned<Datetime>,
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    change: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    city: Text,
    /// `began` or `ended`.
    what: Text,
    /// The county of most of its land, for readers.
    county: Text,
    place: Option<Text>,
    day: Spanned<Datetime>,
    /// Latitude and longitude.
    middle: Spanned<[f64; 2]>,
    reach_km: Spanned<f64>,
    source: Text,
}

/// Reads the table. `file` is the name that faults carry.
///
/// # Errors
/// Every fault found, in the order of lines.
pub fn parse_city_changes(file: &str, text: &str) -> Result<CityChanges, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    checker.date(&table.checked, "checked");
    let sources = sources(&mut checker, &table.source);
    let changes =
        table.change.iter().enumerate().filter_map(|(at, row)| change(&mut checker, at + 1, row)).collect();
    checker.every_source_is_used(&table.source);
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(CityChanges { sources, changes, labels })
}

fn change(checker: &mut Checker<'_>, number: usize, row: &Row) -> Option<CityChange> {
    let key = |name: &str| format!("change[{number}].{name}");
    let name = checker.words(&row.city, &key("city"));
    let began = checker.known_word(&row.what, &key("what"), &[("began", true), ("ended", false)]);
    checker.area(&row.county, Layer::County, &key("county"));
    let place = row.place.as_ref().map(|text| {
        let code = text.get_ref().parse().ok().filter(|_| text.get_ref().len() == 7);
        if code.is_none() {
            checker.at(text, &key("place"), format!("expected seven digits, got {:?}", text.get_ref()));
        }
        code
    });
    if began == Some(false) && row.place.is_none() {
        checker.at(&row.what, &key("what"), "expected the code of the place that ended under `place`");
    }
    let day = day(checker, &row.day, &key("day"));
    let [lat, lon] = *row.middle.get_ref();
    let middle = LonLat::from_lat_lon(lat, lon);
    if let Err(error) = &middle {
        checker.at(&row.middle, &key("middle"), error.to_string());
    }
    let reach_km = *row.reach_km.get_ref();
    if !(0.1..=REACH_KM_MAX).contains(&reach_km) {
        let what = format!("expected kilometres from 0.1 to {REACH_KM_MAX}, got {reach_km}");
        checker.at(&row.reach_km, &key("reach_km"), what);
    }
    let source = checker.source(&row.source, &key("source"));
    Some(CityChange {
        name,
        place: place.flatten(),
        began: began?,
        day: day?,
        middle: middle.ok()?,
        reach_m: (reach_km * METRES_PER_KM).round() as u32,
        source,
    })
}

/// Year, month and day as one number.
fn day(checker: &mut Checker<'_>, day: &Spanned<Datetime>, key: &str) -> Option<u32> {
    let date = day.get_ref().date;
    if date.is_none() {
        checker.at(day, key, format!("expected a day such as 2023-05-01, got {}", day.get_ref()));
    }
    date.map(|date| u32::from(date.year) * 10_000 + u32::from(date.month) * 100 + u32::from(date.day))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"checked = 2026-11-22
[[source]]
id = "law"
name = "A law"
url = "https://example.gov/law"
publisher = "P"

[[change]]
city = "Mableton"
what = "began"
county = "13067 Cobb County"
day = 2022-11-09
middle = [33.8187, -84.5824]
reach_km = 7.5
source = "law"

[[change]]
city = "Gone"
what = "ended"
county = "13067 Cobb County"
place = "1300001"
day = 2019-07-01
middle = [33.8187, -84.5824]
reach_km = 2
source = "law"
"#;

    #[test]
    fn a_change_is_read_or_refused_with_its_line() {
        let table = parse_city_changes("c.toml", GOOD).unwrap();
        let told: Vec<_> = table
            .changes
            .iter()
            .map(|change| (change.name.as_str(), change.began, change.day, change.reach_m, change.place))
            .collect();
        assert_eq!(
            told,
            [
                ("Mableton", true, 20_221_109, 7_500, None),
                ("Gone", false, 20_190_701, 2_000, Some(1_300_001))
            ]
        );
        for (old, new, expected) in [
            ("\"began\"", "\"born\"", "c.toml:10: change[1].what:"),
            ("2022-11-09", "08:00:00", "c.toml:12: change[1].day:"),
            (
                "33.8187, -84.5824]\nreach_km = 7.5",
                "133.8, -84.5]\nreach_km = 7.5",
                "c.toml:13: change[1].middle:",
            ),
            ("7.5", "750.0", "c.toml:14: change[1].reach_km:"),
            ("\"1300001\"", "\"13001\"", "c.toml:21: change[2].place:"),
            ("place = \"1300001\"\n", "", "c.toml:19: change[2].what:"),
            (
                "reach_km = 7.5\nsource = \"law\"",
                "reach_km = 7.5\nsource = \"lost\"",
                "c.toml:15: change[1].source:",
            ),
        ] {
            let text = GOOD.replacen(old, new, 1);
            assert_ne!(text, GOOD, "{old}");
            let faults = parse_city_changes("c.toml", &text).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
    }
}
