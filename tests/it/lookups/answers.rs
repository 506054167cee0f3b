use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    answers::{Finder as _, Spot},
    facts::{Fact, FactKey},
    geometry::LonLat,
    map_files::MapFiles,
    snapshot::{
        LayerFile,
        write::{LayerContents, NewPolygon, Polygons},
    },
    words::{English, FactText, Words as _},
};
use platbook_service::encode::fact_value;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Outcome, SERVICES, answers, city_hall, lookups, outcome,
    outside::{Act, Outside},
};

/// The table of `tests/upstream/answers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    case: Vec<Case>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    service: String,
    http: Option<u16>,
    #[serde(default)]
    control: ControlReply,
    replies: BTreeMap<String, String>,
    expect: Expected,
}

/// The reply to the control question.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ControlReply {
    /// The reply of a service that has its data.
    #[default]
    Right,
    /// The same reply as to all other questions.
    Same,
    /// A reply with status 500.
    Down,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    status: String,
    said: Option<String>,
    as_of: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, Value>,
    #[serde(default)]
    absent: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_of_services_are_read() {
    let table: Table = toml::from_str(include_str!("../../upstream/answers.toml")).unwrap();
    let of = |service: &&str| table.case.iter().filter(|case| case.service == **service).count();
    assert!(SERVICES.iter().map(of).all(|count| count > 4), "each service has its cases");
    let mut compared = BTreeMap::<_, usize>::new();
    for case in table.case {
        let (service, replies) = (case.service.clone(), case.replies.clone());
        let outcome = check(case).await;
        let features = features(&service, &replies);
        if features.is_empty() || outcome.json["values"] == json!({}) {
            continue;
        }
        if let Some(fact) = in_a_file(&service, &features) {
            agree(&fact, &outcome);
            *compared.entry(service).or_default() += 1;
        }
    }
    let compared: Vec<(&str, usize)> = compared.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(compared, [("flood", 18), ("shoreland", 1), ("soils", 3), ("wetlands", 2)]);
}

/// The attributes in a reply about the point, with the field names that downloads of the map have.
fn features(service: &str, replies: &BTreeMap<String, String>) -> Vec<BTreeMap<String, String>> {
    let path = match service {
        "flood" => "/28/query",
        "wetlands" => "/Wetlands/MapServer/0/query",
        "soils" => "/Tabular/post.rest",
        "shoreland" => "/1/query",
        _ => return Vec::new(),
    };
    let reply: Value = replies.get(path).and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let name = |name: &str| match name.rsplit('.').next().unwrap().to_lowercase().as_str() {
        "drainagecl" => "drclassdcd".to_owned(),
        "hydgrp" => "hydgrpdcd".to_owned(),
        "pw_basin_name" => "pw_basin_n".to_owned(),
        other => other.to_owned(),
    };
    let stated = |pair: &(String, String)| pair.1 != "null";
    let of_fields = |fields: &Value| {
        let pairs = fields.as_object().into_iter().flatten().map(|(field, value)| (name(field), text(value)));
        pairs.filter(stated).collect()
    };
    let of_row = |names: &[Value], row: &Value| {
        let pairs = names.iter().zip(row.as_array().unwrap());
        pairs.map(|(field, cell)| (name(field.as_str().unwrap()), text(cell))).filter(stated).collect()
    };
    match (reply["features"].as_array(), reply["Table"].as_array().map(Vec::as_slice)) {
        (Some(features), _) => features
            .iter()
            .map(|feature| of_fields(feature.get("attributes").unwrap_or(&feature["properties"])))
            .collect(),
        // A download has one row for each unit.
        (None, Some([names, row])) => {
            row.as_array().map_or_else(Vec::new, |_| vec![of_row(names.as_array().unwrap(), row)])
        }
        _ => Vec::new(),
    }
}

/// The result of a file whose polygons have these attributes, all of them around City Hall.
fn in_a_file(service: &str, features: &[BTreeMap<String, String>]) -> Option<Fact> {
    let corner = |lat, lon| LonLat::from_lat_lon(lat, lon).unwrap();
    let ring = [(44.9, -93.3), (44.9, -93.2), (45.0, -93.2), (45.0, -93.3), (44.9, -93.3)];
    let ring: Vec<LonLat> = ring.iter().map(|(lat, lon)| corner(*lat, *lon)).collect();
    let fields: BTreeSet<&str> = features.iter().flatten().map(|(name, _)| name.as_str()).collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    let polygons: Vec<NewPolygon> = features
        .iter()
        .map(|feature| NewPolygon {
            values: Some(
                fields.iter().map(|field| feature.get(*field).cloned().unwrap_or_default()).collect(),
            ),
            rings: vec![ring.clone()],
        })
        .collect();
    let polygons = Some(Polygons::pack(service.parse().unwrap(), &fields, &polygons).unwrap());
    let contents = LayerContents { polygons, ..LayerContents::default() };
    let files = MapFiles::new(vec![LayerFile::copy(&contents.to_bytes().unwrap()).unwrap()]);
    let spot = Spot { point: city_hall(), county: "county:27053".parse().unwrap() };
    let facts = files.facts(answers(), &spot, FactKey::ALL.into_iter().collect());
    facts.iter().find(|fact| fact.key.as_str() == service).cloned()
}

/// Both readers of a map give the same result, except distances, which only a file has.
fn agree(fact: &Fact, outcome: &Outcome) {
    let FactText { summary, detail } = English.fact(fact);
    assert_eq!(format!("{summary} {}", detail.unwrap_or_default()), outcome.said);
    assert_eq!(fact.status().as_str(), outcome.word);
    for (name, value) in fact.values().iter().filter(|(name, _)| *name != "distance_ft") {
        assert_eq!(fact_value(value), outcome.json["values"][name], "{name}: {outcome:?}");
    }
}

async fn check(case: Case) -> Outcome {
    let replies = case.replies.clone();
    let (http, control) = (case.http.unwrap_or(200), case.control);
    let outside = Outside::start(move |call| {
        match control {
            ControlReply::Right if call.is_control() => return Act::right(call),
            ControlReply::Down if call.is_control() => {
                return Act::answer(500, "text/html", "<html>down</html>");
            }
            _ => {}
        }
        let path = call.target().split('?').next().unwrap();
        let near = call.pairs().iter().any(|(name, _)| name == "distance");
        let key = format!("{path}?distance");
        let reply = if near { replies.get(&key).or(replies.get(path)) } else { replies.get(path) };
        match reply {
            Some(body) => Act::answer(http, "application/json", body),
            None => Act::answer(404, "text/html", "<html>not here</html>"),
        }
    })
    .await;
    let outcome = outcome(&lookups(&case.service, &outside.url()), &case.service).await;
    let Expected { status, said, as_of, values, absent } = case.expect;
    let name = format!("{}, {}", case.service, case.name);
    assert_eq!(outcome.word, status, "{name}: {outcome:?}");
    assert!(said.is_none_or(|said| outcome.said.contains(&said)), "{name}: {outcome:?}");
    if let Some(as_of) = as_of {
        assert_eq!(outcome.json["as_of"], as_of, "{name}");
    }
    for (key, value) in values {
        assert_eq!(outcome.json["values"][&key], value, "{name}: {key}");
    }
    for key in absent {
        assert_eq!(outcome.json["values"].get(&key), None, "{name}: {key}");
    }
    outcome
}
