//! Reads cities that began or ended after the year of their lines: `curated/city_changes.toml`.

use platbook::{
    geometry::LonLat,
    snapshot::write::{NewCityFate, NewCityLand},
    vocabulary::Layer,
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

/// Largest distance of a city's land from its middle, in kilometers. Chosen, not measured; it catches
/// mistyped values.
const REACH_KM_MAX: f64 = 60.0;
/// Meters in a kilometer.
const METERS_PER_KM: f64 = 1_000.0;

/// A city that began or ended after its lines were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityChange {
    /// Name of the city.
    pub name: String,
    /// The change: it began, ended, or joined another city.
    pub what: NewCityFate,
    /// Year of the change; `None` if it is not known.
    pub year: Option<u16>,
    /// Position of its source in [`CityChanges::sources`].
    pub source: usize,
}

/// The changes of `city_changes.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CityChanges {
    /// Sources, in the order of the file; rows refer to them by position.
    pub sources: Vec<CuratedSource>,
    /// The changes, in the order of the file.
    pub changes: Vec<CityChange>,
    /// Counties with the names beside them.
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
    /// The change: `began`, `ended` or `joined`.
    what: Text,
    /// County of most of its land, for readers.
    county: Text,
    /// Code of the place in the Census Bureau's lists.
    place: Option<Text>,
    /// City that it became part of.
    into: Option<Text>,
    /// Year, year and month, or day of the change.
    since: Option<Text>,
    /// County subdivision that became the city.
    town: Option<Text>,
    /// Latitude and longitude of its middle, in degrees.
    middle: Option<Spanned<[f64; 2]>>,
    reach_km: Option<Spanned<f64>>,
    source: Text,
}

/// The change that a row gives.
#[derive(Clone, Copy)]
enum Word {
    Began,
    Ended,
    Joined,
}

/// Reads the table. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
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
    let words = [("began", Word::Began), ("ended", Word::Ended), ("joined", Word::Joined)];
    let word = checker.known_word(&row.what, &key("what"), &words);
    checker.area(&row.county, Layer::County, &key("county"));
    let place = row.place.as_ref().and_then(|text| place_code(checker, text, &key("place")));
    let into = checker.opt_words(row.into.as_ref(), &key("into"));
    let year = row.since.as_ref().map(|since| year(checker, since, &key("since")));
    let source = checker.source(&row.source, &key("source"));
    let what = match (word?, place, into) {
        (Word::Began, _, None) => land(checker, row, &key).map(NewCityFate::Began),
        (Word::Ended, Some(place), None) => Some(NewCityFate::Ended(place)),
        (Word::Joined, Some(place), Some(into)) => Some(NewCityFate::Joined(place, into)),
        _ => {
            let what =
                "one that ended needs `place`, one that joined another `place` and `into`, others no `into`";
            checker.at(&row.what, &key("what"), what);
            None
        }
    };
    Some(CityChange { name, what: what?, year: year.flatten(), source })
}

/// The land of a city that began: the former town, or a circle around a middle.
fn land(checker: &mut Checker<'_>, row: &Row, key: &impl Fn(&str) -> String) -> Option<NewCityLand> {
    match (&row.town, &row.middle, &row.reach_km) {
        (Some(town), None, None) => {
            checker.area(town, Layer::Cousub, &key("town")).map(|town| NewCityLand::Town(town.code()))
        }
        (None, Some(middle), Some(reach_km)) => {
            let [lat, lon] = *middle.get_ref();
            let point = LonLat::from_lat_lon(lat, lon);
            if let Err(error) = &point {
                checker.at(middle, &key("middle"), error.to_string());
            }
            let km = *reach_km.get_ref();
            if !(0.1..=REACH_KM_MAX).contains(&km) {
                let what = format!("expected kilometers from 0.1 to {REACH_KM_MAX}, got {km}");
                checker.at(reach_km, &key("reach_km"), what);
            }
            Some(NewCityLand::Round { middle: point.ok()?, reach_m: (km * METERS_PER_KM).round() as u32 })
        }
        _ => {
            checker.at(&row.city, &key("city"), "one that began needs `town`, or `middle` and `reach_km`");
            None
        }
    }
}

fn place_code(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<u32> {
    let code = text.get_ref().parse().ok().filter(|_| text.get_ref().len() == 7);
    if code.is_none() {
        checker.at(text, key, format!("expected seven digits, got {:?}", text.get_ref()));
    }
    code
}

/// The year of "2023", "2023-05" or "2023-05-01"; anything else is a fault.
fn year(checker: &mut Checker<'_>, since: &Text, key: &str) -> Option<u16> {
    let parts: Vec<&str> = since.get_ref().split('-').collect();
    let is_number = |part: &&str, digits: usize| part.len() == digits && part.parse::<u16>().is_ok();
    let is_date = parts.len() <= 3
        && parts.iter().enumerate().all(|(at, part)| is_number(part, if at == 0 { 4 } else { 2 }));
    if !is_date {
        checker.at(
            since,
            key,
            format!("expected a date such as 2023-05 or 2023-05-01, got {:?}", since.get_ref()),
        );
    }
    parts.first().filter(|_| is_date).and_then(|year| year.parse().ok())
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
since = "2022-11-09"
middle = [33.8187, -84.5824]
reach_km = 7.5
source = "law"

[[change]]
city = "Empire"
what = "began"
county = "27037 Dakota County"
town = "2703719376 Empire"
source = "law"

[[change]]
city = "Small"
what = "joined"
county = "13067 Cobb County"
place = "1300001"
into = "Large"
since = "2019"
source = "law"
"#;

    #[test]
    fn a_change_is_read_or_refused_with_its_line() {
        let table = parse_city_changes("c.toml", GOOD).unwrap();
        let middle = LonLat::from_lat_lon(33.8187, -84.5824).unwrap();
        let expected = [
            ("Mableton", NewCityFate::Began(NewCityLand::Round { middle, reach_m: 7_500 }), Some(2022)),
            ("Empire", NewCityFate::Began(NewCityLand::Town(2_703_719_376)), None),
            ("Small", NewCityFate::Joined(1_300_001, "Large".to_owned()), Some(2019)),
        ];
        let found =
            table.changes.iter().map(|change| (change.name.as_str(), change.what.clone(), change.year));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        for (old, new, expected) in [
            ("\"began\"", "\"born\"", "c.toml:10: change[1].what:"),
            ("2022-11-09", "May", "c.toml:12: change[1].since:"),
            ("33.8187, ", "133.8, ", "c.toml:13: change[1].middle:"),
            ("7.5", "750.0", "c.toml:14: change[1].reach_km:"),
            ("reach_km = 7.5\n", "", "c.toml:9: change[1].city:"),
            ("\"1300001\"", "\"13001\"", "c.toml:28: change[3].place:"),
            ("into = \"Large\"\n", "", "c.toml:26: change[3].what:"),
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
