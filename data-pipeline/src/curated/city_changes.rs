//! Reads cities that began or ended, with the day or the span of each change: `curated/city_changes.toml`.

use platbook::{
    geometry::LonLat,
    snapshot::write::{NewCityFate, NewCityLand},
    vocabulary::{Date, Layer},
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

/// Maximum distance of a city's land from its middle, in kilometers. Chosen, not measured; it catches mistyped
/// values.
const REACH_KM_MAX: f64 = 60.0;
/// Meters in a kilometer.
const METERS_PER_KM: f64 = 1_000.0;

/// A city that began or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityChange {
    /// Name of the city.
    pub name: String,
    /// Whether the city began, ended, or joined another city.
    pub what: NewCityFate,
    /// Year of the change; `None` if it is not known.
    pub year: Option<u16>,
    /// The first and the last day on which the change may have happened.
    pub days: (Date, Date),
    /// Position of the change's source in [`CityChanges::sources`].
    pub source: usize,
}

impl CityChange {
    /// Whether the change happened after the city limits in use were drawn, so that answers about today need it.
    pub fn is_later(&self) -> bool {
        !matches!(self.what, NewCityFate::BeganMapped(..) | NewCityFate::Left(..))
    }
}

/// The changes of `city_changes.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CityChanges {
    /// The day from which all changes are known; `None` in a table without changes.
    pub known_since: Option<Date>,
    /// Sources, in the order of the file; rows refer to them by position.
    pub sources: Vec<CuratedSource>,
    /// The changes, in the order of the file.
    pub changes: Vec<CityChange>,
    /// Counties with the names that the file gives them.
    pub labels: Vec<Label>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    checked: Spanned<Datetime>,
    /// Day of the older of the lists that were compared.
    known_since: Text,
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
    /// County that has most of the city's land, for readers.
    county: Text,
    /// Code of the place in the Census Bureau's lists.
    place: Option<Text>,
    /// City that this city became part of.
    into: Option<Text>,
    /// Year, year and month, or day of the change.
    since: Option<Text>,
    /// Days of two lists: the change happened after the first and up to the second.
    between: Option<[Text; 2]>,
    /// Whether the city limits in use show the change, because they were drawn later.
    mapped: Option<bool>,
    /// Government that had the land before the city began.
    was: Option<Text>,
    /// County subdivision that became the city.
    town: Option<Text>,
    /// Latitude and longitude of the city's middle, in degrees.
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
    let known_since = day(&mut checker, &table.known_since, "known_since");
    let changes =
        table.change.iter().enumerate().filter_map(|(at, row)| change(&mut checker, at + 1, row)).collect();
    checker.every_source_is_used(&table.source);
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(CityChanges { known_since, sources, changes, labels })
}

fn change(checker: &mut Checker<'_>, number: usize, row: &Row) -> Option<CityChange> {
    let key = |name: &str| format!("change[{number}].{name}");
    let name = checker.words(&row.city, &key("city"));
    let words = [("began", Word::Began), ("ended", Word::Ended), ("joined", Word::Joined)];
    let word = checker.known_word(&row.what, &key("what"), &words);
    checker.area(&row.county, Layer::County, &key("county"));
    let place = row.place.as_ref().and_then(|text| place_code(checker, text, &key("place")));
    let into = checker.opt_words(row.into.as_ref(), &key("into"));
    let was = checker.opt_words(row.was.as_ref(), &key("was")).unwrap_or_default();
    let days = days(checker, row, &key);
    let source = checker.source(&row.source, &key("source"));
    let has_land = row.middle.is_some();
    let what = match (word?, place, into, row.mapped.unwrap_or_default()) {
        (Word::Began, Some(place), None, true) if !has_land => Some(NewCityFate::BeganMapped(place, was)),
        (Word::Began, _, None, false) if was.is_empty() => land(checker, row, &key).map(NewCityFate::Began),
        (Word::Ended, Some(_), None, false) if has_land => {
            land(checker, row, &key).map(|land| NewCityFate::Left(land, String::new()))
        }
        (Word::Joined, Some(_), Some(into), false) if has_land => {
            land(checker, row, &key).map(|land| NewCityFate::Left(land, into))
        }
        (Word::Ended, Some(place), None, false) => Some(NewCityFate::Ended(place)),
        (Word::Joined, Some(place), Some(into), false) => Some(NewCityFate::Joined(place, into)),
        _ => {
            let what = "one that ended needs `place`, one that joined another `place` and `into`, others no `into`; only \
                        one that began may have `mapped` with its `place`, and then `was`";
            checker.at(&row.what, &key("what"), what);
            None
        }
    };
    let year = row.since.as_ref().zip(days).map(|(_, (first, _))| first.parts().0);
    Some(CityChange { name, what: what?, year, days: days?, source })
}

/// The first and the last day on which a change may have happened, from its day, month or year, or from two lists.
fn days(checker: &mut Checker<'_>, row: &Row, key: &impl Fn(&str) -> String) -> Option<(Date, Date)> {
    match (&row.since, &row.between) {
        (Some(since), None) => span(checker, since, &key("since")),
        (None, Some([first, last])) => {
            let (from, to) = (day(checker, first, &key("between"))?, day(checker, last, &key("between"))?);
            if from >= to {
                checker.at(first, &key("between"), format!("expected an earlier day than {to}, got {from}"));
            }
            Some((from, to))
        }
        _ => {
            checker.at(
                &row.city,
                &key("city"),
                "needs `since`, or else `between` with the days of two lists",
            );
            None
        }
    }
}

fn day(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<Date> {
    let date = text.get_ref().parse();
    if let Err(error) = &date {
        checker.at(text, key, format!("{error}, got {:?}", text.get_ref()));
    }
    date.ok()
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

/// The first and the last day of "2023", "2023-05" or "2023-05-01"; anything else is a fault.
fn span(checker: &mut Checker<'_>, since: &Text, key: &str) -> Option<(Date, Date)> {
    let text = since.get_ref();
    let (first, last) = match text.len() {
        4 => (format!("{text}-01-01"), format!("{text}-12-31")),
        7 => (format!("{text}-01"), last_of_month(text)),
        _ => (text.clone(), text.clone()),
    };
    let days = first.parse().ok().zip(last.parse().ok());
    if days.is_none() {
        checker.at(since, key, format!("expected a date such as 2023-05 or 2023-05-01, got {text:?}"));
    }
    days
}

/// The last day of a month such as "2023-05".
fn last_of_month(month: &str) -> String {
    let days = (28..=31).rev().map(|day| format!("{month}-{day}"));
    days.into_iter().find(|day| day.parse::<Date>().is_ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"checked = 2026-11-22
known_since = "2015-01-01"
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
between = ["2019-01-01", "2022-01-01"]
source = "law"

[[change]]
city = "Small"
what = "joined"
county = "13067 Cobb County"
place = "1300001"
into = "Large"
since = "2019"
source = "law"

[[change]]
city = "Crossing"
what = "began"
county = "13067 Cobb County"
place = "1300003"
mapped = true
was = "the Town of Fox"
since = "2016-04-20"
source = "law"

[[change]]
city = "Lake"
what = "ended"
county = "13067 Cobb County"
place = "1300004"
middle = [33.8187, -84.5824]
reach_km = 2.0
since = "2017-02"
source = "law"
"#;

    #[test]
    fn a_change_is_read_or_refused_with_its_line() {
        let table = parse_city_changes("c.toml", GOOD).unwrap();
        let middle = LonLat::from_lat_lon(33.8187, -84.5824).unwrap();
        let day = |text: &str| text.parse::<Date>().unwrap();
        let round = |reach_m| NewCityLand::Round { middle, reach_m };
        let crossing = NewCityFate::BeganMapped(1_300_003, "the Town of Fox".to_owned());
        let expected = [
            ("Mableton", NewCityFate::Began(round(7_500)), Some(2022), ["2022-11-09", "2022-11-09"]),
            (
                "Empire",
                NewCityFate::Began(NewCityLand::Town(2_703_719_376)),
                None,
                ["2019-01-01", "2022-01-01"],
            ),
            (
                "Small",
                NewCityFate::Joined(1_300_001, "Large".to_owned()),
                Some(2019),
                ["2019-01-01", "2019-12-31"],
            ),
            ("Crossing", crossing, Some(2016), ["2016-04-20", "2016-04-20"]),
            (
                "Lake",
                NewCityFate::Left(round(2_000), String::new()),
                Some(2017),
                ["2017-02-01", "2017-02-28"],
            ),
        ];
        let expected = expected.map(|(name, what, year, [first, last])| {
            let days = (day(first), day(last));
            CityChange { name: name.to_owned(), what, year, days, source: 0 }
        });
        assert_eq!((table.changes, table.known_since), (expected.to_vec(), Some(day("2015-01-01"))));
        for (old, new, expected) in [
            ("\"began\"", "\"born\"", "c.toml:11: change[1].what:"),
            ("2022-11-09", "May", "c.toml:13: change[1].since:"),
            ("33.8187, ", "133.8, ", "c.toml:14: change[1].middle:"),
            ("7.5", "750.0", "c.toml:15: change[1].reach_km:"),
            ("reach_km = 7.5\n", "", "c.toml:10: change[1].city:"),
            ("\"1300001\"", "\"13001\"", "c.toml:30: change[3].place:"),
            ("into = \"Large\"\n", "", "c.toml:28: change[3].what:"),
            ("2019-01-01", "2023-01-01", "c.toml:23: change[2].between:"),
            ("between = [\"2019-01-01\", \"2022-01-01\"]\n", "", "c.toml:19: change[2].city:"),
            ("mapped = true\n", "", "change[4]."),
            ("2016-04-20", "2016-04-31", "change[4].since:"),
            ("known_since = \"2015-01-01\"", "known_since = \"2015\"", "c.toml:2: known_since:"),
            (
                "reach_km = 7.5\nsource = \"law\"",
                "reach_km = 7.5\nsource = \"lost\"",
                "c.toml:16: change[1].source:",
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
