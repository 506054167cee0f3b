//! Tests forty changes of cities since 2016: answers for the day before and for the day itself, with the city limits
//! of the default snapshot. The days are written here as the sources publish them, and not read from the table.

use std::{fs, path::Path};

use platbook::{
    answers::{Answer, Answers, Data, Found, Notice, Request, Territory},
    directory::{Directory, Row},
    geometry::LonLat,
    rules::Part,
    snapshot::{
        Snapshot,
        write::{ChangeDays, NewCityChange, NewDatedChange, with_change_days},
    },
    vocabulary::{Date, Layer},
    words::{English, Units, Words as _},
};
use platbook_pipeline::curated::{CityChange, parse_city_changes};

/// The kind of a change, and whether the city's limits are mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The city began, and its limits are not mapped.
    Began,
    /// The city began before its limits were mapped.
    BeganMapped,
    /// The city ended after its limits were mapped.
    Ended,
    /// The city ended before limits were mapped.
    Left,
}
use Kind::{Began, BeganMapped, Ended, Left};

/// Day, city, and a point in its land.
const CHANGES: [(&str, &str, f64, f64, Kind); 40] = [
    ("2016-04-20", "Fox Crossing", 44.2232, -88.4750, BeganMapped),
    ("2016-06-20", "Westlake", 26.7547, -80.3015, BeganMapped),
    ("2016-07-01", "Columbia", 37.7533, -78.1638, Left),
    ("2016-07-01", "Strausstown", 40.4916, -76.1844, Left),
    ("2017-02-14", "Salem Lakes", 42.5365, -88.1332, BeganMapped),
    ("2017-02-14", "Silver Lake", 42.5492, -88.1670, Left),
    ("2017-05-01", "South Fulton", 33.6608, -84.5752, BeganMapped),
    ("2017-12-31", "Indiantown", 27.0401, -80.4882, BeganMapped),
    ("2017-12-31", "Mastic Beach", 40.7667, -72.8420, Left),
    ("2018-12-31", "Harrisville", 44.1534, -75.3212, Ended),
    ("2018-12-31", "Van Etten", 42.1981, -76.5545, Ended),
    ("2019-11-25", "Amelia", 39.0229, -84.2183, Ended),
    ("2019-11-25", "Newtonsville", 39.1811, -84.0896, Ended),
    ("2019-12-31", "Morristown", 44.5840, -75.6455, Ended),
    ("2020-06-09", "Weeki Wachee", 28.5165, -82.5807, Ended),
    ("2020-08-21", "Bethel Heights", 36.2212, -94.1298, Ended),
    ("2020-11-24", "Poetry", 32.8394, -96.2595, Began),
    ("2020-12-03", "Holiday Island", 36.4842, -93.7368, Began),
    ("2020-12-10", "Ellinger", 29.8375, -96.7050, Began),
    ("2021-01-12", "Greenville", 44.2841, -88.5473, BeganMapped),
    ("2021-05-06", "Alorton", 38.5858, -90.1165, Ended),
    ("2021-05-06", "Cahokia", 38.5556, -90.1803, Ended),
    ("2021-05-06", "Centreville", 38.5692, -90.1223, Ended),
    ("2021-05-11", "Credit River", 44.6708, -93.3611, Began),
    ("2021-06-06", "Gluckstadt", 32.5268, -90.0982, Began),
    ("2022-01-01", "Pine Valley", 39.7883, -74.9749, Ended),
    ("2022-01-03", "Erda", 40.6181, -112.3089, Began),
    ("2022-04-01", "South Nyack", 41.0797, -73.9171, Ended),
    ("2022-07-01", "East Laurinburg", 34.7691, -79.4450, Ended),
    ("2022-11-21", "Lake Point", 40.6834, -112.2656, Began),
    ("2022-11-28", "Hochatown", 34.1657, -94.7716, Began),
    ("2023-12-31", "Fort Johnson", 42.9580, -74.2363, Ended),
    ("2024-01-01", "Wheatland", 41.1969, -80.4958, Ended),
    ("2024-02-08", "Keystone", 39.6071, -105.9320, Began),
    ("2024-03-01", "Diamondhead", 34.4396, -92.9580, Began),
    ("2024-04-05", "Greenleaf", 44.3392, -88.0849, Began),
    ("2024-07-01", "Mountain House", 37.7797, -121.5372, Began),
    ("2025-01-01", "Mulberry", 34.0668, -83.8875, Began),
    ("2025-05-20", "Starbase", 25.9960, -97.1710, Began),
    ("2025-09-17", "San Tan Valley", 33.1786, -111.5628, Began),
];

/// The default snapshot with the days of this repository's table.
fn answers() -> Answers {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(repository.join("curated/city_changes.toml")).unwrap();
    let table = parse_city_changes("city_changes.toml", &text).unwrap();
    let new = |change: &CityChange| {
        let CityChange { name, what, year, days, .. } = change.clone();
        NewDatedChange { change: NewCityChange { name, what, year, source: 0 }, days }
    };
    let changes: Vec<NewDatedChange> = table.changes.iter().map(new).collect();
    let days = ChangeDays::pack(&changes, table.known_since.unwrap()).unwrap();
    let file = fs::read(repository.join("../snapshots/default.platbook")).unwrap();
    Answers::new(Directory::new(Snapshot::copy(&with_change_days(&file, &days).unwrap()).unwrap()))
}

/// Returns the day before a date.
fn before(date: Date) -> Date {
    let (year, month, day) = date.parts();
    let of_month = |year, month| (28..=31).rev().find_map(|day| Date::new(year, month, day));
    match (month, day) {
        (1, 1) => Date::new(year - 1, 12, 31),
        (_, 1) => of_month(year, month - 1),
        (_, _) => Date::new(year, month, day - 1),
    }
    .unwrap()
}

/// The city of the answer, the certainty of cities for the rules, and the sentence that names the city.
fn asked(answers: &Answers, point: LonLat, date: Date, name: &str) -> (Option<String>, &'static str, String) {
    let request = Request::Resolve { point }.on_day(Some(date));
    let answer: Answer<'_> = answers.finish(&request, Found::default()).unwrap();
    let Data::Resolve(resolved) = &answer.data else { panic!("a point was resolved") };
    let directory = answers.directory();
    let is_city = |row: &&Row| directory.layer(**row) == Some(Layer::Place);
    let city = resolved.lineage.iter().find(is_city).map(|row| directory.name_of(*row).to_owned());
    let scope = match resolved.territory {
        Territory::Scope(scope) | Territory::TribalLand(scope) | Territory::FederalLand(scope) => scope,
        other => panic!("{other:?}"),
    };
    let certainty = match scope.place {
        Part::In(_) => "in",
        Part::NotAtHand => "unsure",
        Part::Nowhere | Part::Open => "none",
    };
    assert!(matches!(answer.notices[0], Notice::OnDay { .. }));
    let said = answer.notices[1..].iter().filter(|notice| matches!(notice, Notice::DatedChange { .. }));
    let said = said.map(|notice| English.notice(notice, directory, Units::Both));
    (city, certainty, said.filter(|words| words.starts_with(&format!("{name} "))).collect())
}

#[test]
fn forty_changes_are_answered_right_on_both_sides_of_their_day() {
    let answers = answers();
    let mut wrong = Vec::new();
    for (day, name, lat, lon, kind) in CHANGES {
        let (day, point): (Date, _) = (day.parse().unwrap(), LonLat::from_lat_lon(lat, lon).unwrap());
        let [earlier, later] = [before(day), day].map(|date| asked(&answers, point, date, name));
        let is_there = |city: &Option<String>| city.as_deref().is_some_and(|city| city.contains(name));
        // For the day before and for the day itself: whether the chain has the city, the certainty of the rules, and
        // words of the sentence.
        let expected = match kind {
            Began => [(false, "none", "so this answer for"), (false, "unsure", "Ask the city whether")],
            BeganMapped => [(false, "none", "so this answer for"), (true, "in", "")],
            Ended => [(true, "in", "governed here on"), (true, "unsure", "Ask who did its jobs then")],
            Left => [(false, "unsure", "governed land near this point on"), (false, "", "")],
        };
        for ((there, certainty, words), (city, sure, said)) in expected.into_iter().zip([earlier, later]) {
            let fits_words = if words.is_empty() { said.is_empty() } else { said.contains(words) };
            if is_there(&city) != there || !fits_words || !(certainty.is_empty() || certainty == sure) {
                wrong.push(format!(
                    "{day} {name}: expected {there} {certainty} {words:?}, got {city:?} {sure} {said:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} answers are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
