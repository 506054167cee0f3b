//! Checks the tables in `tests/it/points/` with the office of each job at real points, from sources other than the rule
//! files. Checks `tests/it/tribal.toml` for land of American Indian nations as well.
//!
//! An answer is the id of the body, `district:*` for any district, or `-` if no body can be named. Words after ` | ` must
//! be in the office's title. A function that is left out is not checked.

use std::{collections::BTreeMap, fs, path::Path};

use platbook::{
    directory::{Directory, Row},
    rules::{Governing, Outcome, StateRules},
    vocabulary::{FuncStat, Function, Geoid, JurisdictionId, Layer},
    words::{English, Words as _},
};
use serde::Deserialize;
use serde_json::Value;

use crate::harness::{Client, Server};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    point: Vec<Point>,
}

#[derive(Debug, Deserialize)]
struct Point {
    what: String,
    lat: f64,
    lon: f64,
    /// Ids that the chain must have; more is allowed.
    chain: Vec<String>,
    /// Address of the page that has the answers.
    source: String,
    /// Answers by the function's key.
    #[serde(flatten)]
    answers: BTreeMap<String, String>,
}

fn tables() -> Vec<(String, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/points");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let state = path.file_stem().unwrap().to_string_lossy().into_owned();
        let table = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (state, table)
    };
    paths.iter().map(read).collect()
}

/// The jurisdictions of an answer, each with the ids of the same government.
struct Chain<'a>(&'a [Value]);

impl Chain<'_> {
    fn has(&self, id: &str) -> bool {
        self.0.iter().any(|area| is(area, id))
    }

    fn same(&self, one: &str, other: &str) -> bool {
        one == other || self.0.iter().any(|area| is(area, one) && is(area, other))
    }
}

fn is(area: &Value, id: &str) -> bool {
    area["jurisdiction_id"] == id
        || area["same_as"].as_array().is_some_and(|same| same.iter().any(|same| same == id))
}

/// The faults of the answer at a point of a state, one on each line.
fn faults(state: &str, point: &Point, data: &Value) -> Vec<String> {
    let chain = Chain(data["jurisdictions"].as_array().map_or(&[], Vec::as_slice));
    let mut faults = Vec::new();
    if data["jurisdictions"][0]["state"] != state {
        faults.push("it lies in another state".to_owned());
    }
    if point.source.trim().is_empty() {
        faults.push("it has no source".to_owned());
    }
    faults
        .extend(point.chain.iter().filter(|id| !chain.has(id)).map(|id| format!("{id} is not in its chain")));
    for (function, answer) in &point.answers {
        if Function::from_word(function).is_none() {
            faults.push(format!("{function:?} is not a function"));
            continue;
        }
        let entry = &data["functions"][function];
        let (body, title) =
            (entry["jurisdiction_id"].as_str().unwrap_or("-"), entry["office_name"].as_str().unwrap_or("-"));
        let (expected, words) = answer.split_once(" | ").unwrap_or((answer, ""));
        let same_body = match expected {
            "district:*" => body.starts_with("district:"),
            id => chain.same(id, body),
        };
        if !same_body || !title.to_lowercase().contains(&words.to_lowercase()) {
            let why = entry["basis"].as_str().unwrap_or("no reason");
            faults.push(format!("{function}: expected {answer}, got {body} | {title} ({why})"));
        }
    }
    faults
}

#[test]
fn offices_at_known_points_are_those_of_other_sources() {
    let mut client = Client::connect(Server::shared().address);
    let (mut points, mut wrong) = (0, Vec::new());
    for (state, table) in tables() {
        for point in &table.point {
            points += 1;
            let (lat, lon) = (point.lat, point.lon);
            let answer = client.get(&format!("/v1/jurisdictions/resolve?lat={lat}&lon={lon}")).json();
            let found = faults(&state, point, &answer["data"]);
            wrong.extend(found.into_iter().map(|fault| format!("{state} {:?} {fault}", point.what)));
        }
    }
    assert!(points > 650, "only {points} points were found");
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}

/// The points in `tests/it/tribal.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LandTable {
    point: Vec<LandPoint>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LandPoint {
    what: String,
    state: String,
    lat: f64,
    lon: f64,
    /// Ids that the chain must still have.
    chain: Vec<String>,
    /// Words that the notice on the land must have; empty if there must be no such notice.
    notice_words: Vec<String>,
    /// Address of the page that shows the expected answers.
    source: String,
}

/// The function and the confidence of each office at a point.
fn confidences(data: &Value) -> Vec<(&String, &Value)> {
    let functions = data["functions"].as_object().into_iter().flatten();
    let each = functions.flat_map(|(function, entry)| {
        let also = entry["also"].as_array().into_iter().flatten();
        std::iter::once(entry).chain(also).map(move |office| (function, &office["confidence"]))
    });
    each.collect()
}

/// The faults of the answer at a point on land of an American Indian nation, or beside it, one on each line.
fn land_faults(point: &LandPoint, answer: &Value) -> Vec<String> {
    let data = &answer["data"];
    let chain = Chain(data["jurisdictions"].as_array().map_or(&[], Vec::as_slice));
    let mut notices = answer["notices"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let notice = notices.find(|notice| notice.starts_with("This point lies in "));
    let mut faults = Vec::new();
    if data["jurisdictions"][0]["state"] != point.state.as_str() || point.source.trim().is_empty() {
        faults.push("it lies in another state, or has no source".to_owned());
    }
    faults
        .extend(point.chain.iter().filter(|id| !chain.has(id)).map(|id| format!("{id} is not in its chain")));
    match notice {
        None if point.notice_words.is_empty() => {}
        None => faults.push("nothing is said of a nation".to_owned()),
        Some(notice) if point.notice_words.is_empty() => {
            faults.push(format!("expected no nation, got {notice}"))
        }
        Some(notice) => {
            let missing = point.notice_words.iter().filter(|words| !notice.contains(words.as_str()));
            faults.extend(missing.map(|words| format!("expected {words:?}, got {notice}")));
            let sure = confidences(data).into_iter().filter(|(_, confidence)| *confidence == "high");
            faults.extend(sure.map(|(function, _)| format!("{function} counts as sure")));
        }
    }
    faults
}

#[test]
fn on_land_of_a_nation_it_is_named_and_no_office_counts_as_sure() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tribal.toml");
    let table: LandTable = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut client = Client::connect(Server::shared().address);
    let mut wrong = Vec::new();
    for point in &table.point {
        let (lat, lon) = (point.lat, point.lon);
        let answer = client.get(&format!("/v1/jurisdictions/resolve?lat={lat}&lon={lon}")).json();
        let found = land_faults(point, &answer);
        wrong.extend(found.into_iter().map(|fault| format!("{:?} {fault}", point.what)));
    }
    assert!(table.point.len() > 60, "only {} points were found", table.point.len());
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}

/// An inactive township or a statistical area does no job, unless the state file says that it does.
fn may_act(nation: &Directory, rules: &StateRules, row: Row) -> bool {
    let view = nation.jurisdiction(row);
    let JurisdictionId::Census(geoid) = view.id else { return true };
    let lists = of_layer(rules, geoid);
    let word_acts = || view.legal_type.is_some_and(|word| lists.types.iter().any(|known| known == word));
    if lists.never.contains(&geoid) {
        return false;
    }
    if lists.always.contains(&geoid) || view.func_stat.governs() {
        return true;
    }
    let acts_elsewhere = || nation.same_as(row).any(|same| nation.jurisdiction(same).func_stat.governs());
    match view.func_stat {
        FuncStat::Unknown => geoid.layer() == Layer::Place || word_acts(),
        FuncStat::Fictitious => word_acts() || acts_elsewhere(),
        _ => false,
    }
}

fn of_layer(rules: &StateRules, geoid: Geoid) -> &Governing {
    match geoid.layer() {
        Layer::Place => &rules.places,
        Layer::Cousub => &rules.cousubs,
        Layer::County | Layer::State => &rules.counties,
    }
}

/// Returns a flaw of an outcome that would be a flaw at any place.
fn flaw(nation: &Directory, rules: &StateRules, outcome: &Outcome) -> Option<String> {
    let Some(body) = &outcome.body else {
        return English.basis(&outcome.basis).trim().is_empty().then(|| "no body, and no reason".to_owned());
    };
    match nation.found(body) {
        None => Some(format!("{body} is not in the snapshot")),
        Some(row) if !may_act(nation, rules, row) => Some(format!("{body} does not act as a government")),
        Some(_) if outcome.office.is_none() => Some(format!("{body} has no office title")),
        Some(_) => None,
    }
}

#[test]
fn every_county_and_municipality_has_an_outcome_for_each_job() {
    let nation = platbook_service::embedded().expect("the default snapshot is built in");
    let (mut asked, mut wrong) = (0, Vec::new());
    for row in nation.rows() {
        let view = nation.jurisdiction(row);
        let JurisdictionId::Census(geoid) = view.id else { continue };
        let is_county = geoid.layer() == Layer::County;
        if geoid.layer() == Layer::State || !(is_county || view.func_stat.governs()) {
            continue;
        }
        // Without polygons, a place often has no known point inside it.
        let Some(scope) = nation.scope_of(row) else {
            assert!(!view.has_boundary || view.point.is_none(), "{geoid} cannot be asked");
            continue;
        };
        let rules = view.state.and_then(|state| nation.ruled_state(state)).map(|ruled| &ruled.file.rules);
        let Some(rules) = rules else {
            wrong.push(format!("{geoid}: its state has no rules"));
            continue;
        };
        asked += 1;
        for function in Function::ALL {
            let Some(outcome) = nation.who_does(scope, function) else {
                wrong.push(format!("{geoid} {}: no outcome", function.as_str()));
                continue;
            };
            let found =
                std::iter::once(&outcome).chain(&outcome.also).filter_map(|one| flaw(&nation, rules, one));
            wrong.extend(found.map(|flaw| format!("{geoid} {}: {flaw}", function.as_str())));
        }
    }
    assert!(asked > 35_000, "only {asked} could be asked");
    assert!(wrong.is_empty(), "{} flaws:\n{}", wrong.len(), wrong.join("\n"));
}
