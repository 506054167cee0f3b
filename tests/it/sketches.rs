//! Sketches of planned front ends, written against public interfaces alone. They are a column sink, districts beside the
//! chain, checked links, and a snapshot chosen by date. (`platbook::testing::Spanish` sketches a second language.)

use std::{collections::BTreeMap, sync::Arc};

use hyper::{Method, Response};
use platbook::{
    answers::{Answers, Data, Found, Ground, Request, parse_point},
    directory::{LinkCheck, LinkChecks, Resolution},
    geometry::LonLat,
    snapshot::{
        LayerFile,
        write::{LayerContents, NewPolygon, Polygons},
    },
    testing::{directory, point},
    vocabulary::{Function, MapKind, VerificationMethod, VerifiedStatus},
};
use platbook_service::{
    edition::Edition,
    encode::BodyParts,
    http::{Call, Capacity, Door, Drained, Responding, Takes, whole},
};
use serde_json::{Value, json};

use crate::harness::{Client, SITE, Server, edition, service};

/// Columns as a data frame has them: each text once, and for each row the number of its text.
#[derive(Default)]
struct Sink {
    columns: BTreeMap<String, Column>,
}

#[derive(Default)]
struct Column {
    codes: Vec<Option<u32>>,
    texts: Vec<String>,
    numbers: BTreeMap<String, u32>,
}

impl Sink {
    fn put(&mut self, column: String, text: Option<&str>) {
        let Column { codes, texts, numbers } = self.columns.entry(column).or_default();
        codes.push(text.map(|text| match numbers.get(text) {
            Some(number) => *number,
            None => {
                let number = texts.len() as u32;
                texts.push(text.to_owned());
                numbers.insert(text.to_owned(), number);
                number
            }
        }));
    }

    fn cell(&self, column: &str, row: usize) -> Option<&str> {
        let column = self.columns.get(column)?;
        Some(&column.texts[column.codes[row]? as usize])
    }
}

/// Puts a row for each point: its county, and body, office and page of each function.
fn put_all(answers: &Answers, points: &[LonLat], sink: &mut Sink) {
    let directory = answers.directory();
    let mut resolutions = Vec::new();
    directory.resolve_each(points, |resolution| resolutions.push(resolution));
    for (point, resolution) in points.iter().zip(resolutions) {
        let chain = match resolution {
            Resolution::Inside(chain) => Some(chain),
            Resolution::Outside => None,
        };
        sink.put("county".to_owned(), chain.map(|chain| directory.name_of(chain.county)));
        let assignments = chain.map(|chain| {
            let ground = Ground::at(directory, *point, &chain);
            answers.assignments(ground.territory(directory, &chain))
        });
        for function in Function::ALL {
            let name = function.as_str();
            let entry = assignments.as_ref().and_then(|all| all.get(function));
            let office = entry.and_then(|entry| entry.office.as_ref());
            let body =
                entry.and_then(|entry| entry.body).map(|body| directory.jurisdiction(body).id.to_string());
            sink.put(format!("{name}_body"), body.as_deref());
            let title = entry.and_then(|entry| entry.outcome.office.as_deref());
            sink.put(format!("{name}_office"), title);
            let page = office.and_then(|office| office.shown_site(directory)).and_then(|site| site.url);
            sink.put(format!("{name}_page"), page);
        }
    }
}

#[test]
fn a_column_sink_holds_what_answers_say() {
    let edition = edition();
    let directory = edition.answers().directory();
    let points: Vec<LonLat> = directory
        .rows()
        .filter_map(|row| directory.jurisdiction(row).point)
        .step_by(29)
        .take(1_000)
        .collect();
    assert_eq!(points.len(), 1_000);
    let mut sink = Sink::default();
    put_all(edition.answers(), &points, &mut sink);
    assert_eq!(sink.columns.len(), 1 + 3 * Function::ALL.len());
    for (name, column) in &sink.columns {
        assert_eq!(column.codes.len(), points.len(), "{name}");
        assert!(column.texts.len() < 900, "{name}: rows share their texts");
    }
    for (row, point) in points.iter().enumerate().step_by(10) {
        let answer = edition.answers().finish(&Request::Resolve { point: *point }, Found::default());
        let Ok(answer) = answer else { continue };
        let body = edition.encode(&answer).fill("a-request").into_contiguous();
        let json: Value = serde_json::from_slice(&body).unwrap();
        for (name, entry) in json["data"]["functions"].as_object().unwrap() {
            for (part, field) in [("body", "jurisdiction_id"), ("office", "office_name")] {
                let cell = sink.cell(&format!("{name}_{part}"), row);
                assert_eq!(cell, entry[field].as_str(), "{point}: {name} {field}");
            }
            assert_eq!(
                sink.cell(&format!("{name}_page"), row),
                entry["office"]["url"].as_str(),
                "{point}: {name}"
            );
        }
    }
}

/// Districts of two kinds in a file beside the snapshot. They neither nest nor tile, so a point may lie in several or in
/// none.
fn districts() -> LayerFile {
    let polygon = |kind: &str, name: &str, [west, south, east, north]: [f64; 4]| NewPolygon {
        values: Some(vec![kind.to_owned(), name.to_owned()]),
        rings: vec![vec![
            point(west, south),
            point(east, south),
            point(east, north),
            point(west, north),
            point(west, south),
        ]],
    };
    let polygons = [
        polygon("school", "Oak schools", [0.0, 5.0, 12.0, 10.0]),
        polygon("school", "Elm schools", [0.0, 0.0, 12.0, 5.0]),
        polygon("watershed", "River watershed", [8.0, 2.0, 15.0, 7.0]),
    ];
    // Files of maps have a kind for each fact, and districts are no fact, so an existing kind stands in.
    let polygons = Polygons::pack(MapKind::Shoreland, &["kind", "name"], &polygons).unwrap();
    let contents = LayerContents { polygons: Some(polygons), ..LayerContents::default() };
    LayerFile::copy(&contents.to_bytes().unwrap()).unwrap()
}

#[test]
fn districts_stand_beside_the_chain() {
    let (answers, file) = (Answers::new(directory()), districts());
    let polygons = file.polygons().unwrap();
    for (x, y, county, expected) in [
        (2.0, 7.5, "Adams County", &["Oak schools"][..]),
        (11.0, 6.0, "Baker County", &["Oak schools", "River watershed"]),
        (9.0, 3.0, "Adams County", &["Elm schools", "River watershed"]),
        (14.0, 3.0, "Baker County", &["River watershed"]),
        (17.0, 9.0, "Baker County", &[]),
    ] {
        let answer = answers.finish(&Request::Resolve { point: point(x, y) }, Found::default()).unwrap();
        let Data::Resolve(resolved) = &answer.data else { panic!("a point was resolved") };
        assert_eq!(answers.directory().name_of(resolved.lineage[1]), county, "{x} {y}");
        let mut names: Vec<&str> =
            polygons.at(point(x, y)).into_iter().map(|polygon| polygons.value(polygon, "name")).collect();
        names.sort_unstable();
        assert_eq!(names, expected, "{x} {y}");
    }
}

#[test]
fn checks_of_links_reach_answers() {
    let of_adams = |checks: LinkChecks| -> Value {
        let edition = Edition::new(directory().with_link_checks(checks), SITE);
        let request = Request::Resolve { point: point(2.0, 7.5) };
        let answer = edition.answers().finish(&request, Found::default()).unwrap();
        serde_json::from_slice(&edition.encode(&answer).fill("a-request").into_contiguous()).unwrap()
    };
    let unchecked = of_adams(LinkChecks::default());
    let office = |answer: &Value| answer["data"]["functions"]["assessment"]["office"].clone();
    let page = |answer: &Value| answer["data"]["functions"]["gis"]["resources"][0].clone();
    let url = |of: &Value| of["url"].as_str().unwrap().to_owned();
    assert_eq!(office(&unchecked)["verified_at"], Value::Null);
    let check = |status, http_status| LinkCheck {
        status,
        at: "2026-11-01T06:00:00Z".to_owned(),
        method: VerificationMethod::Automated,
        http_status,
    };
    let checks = LinkChecks::from_iter([
        (url(&office(&unchecked)), check(VerifiedStatus::Verified, Some(200))),
        (url(&page(&unchecked)), check(VerifiedStatus::PossiblyBroken, None)),
        (url(&unchecked["sources"][0]), check(VerifiedStatus::Verified, Some(200))),
    ]);
    let checked = of_adams(checks);
    for (of, status) in [(office(&checked), "verified"), (checked["sources"][0].clone(), "verified")] {
        assert_eq!(of["verified_status"], status, "{of}");
        assert_eq!(of["verified_at"], "2026-11-01T06:00:00Z", "{of}");
    }
    let expected = json!(["possibly_broken", "2026-11-01T06:00:00Z", "automated", null]);
    let page = page(&checked);
    let fields = ["verified_status", "verified_at", "verification_method", "last_http_status"];
    assert_eq!(Value::from_iter(fields.map(|field| page[field].clone())), expected);
}

/// Editions by the date of their snapshot, the oldest first: `/on/{date}/{lat},{lon}` answers from the last that is not later.
#[derive(Debug)]
struct Dated(Vec<Edition>);

impl Dated {
    fn on(&self, date: &str) -> Option<&Edition> {
        self.0.iter().rev().find(|edition| &edition.answers().directory().as_of()[..date.len()] <= date)
    }
}

impl Door for Dated {
    fn takes(&self, path: &str) -> Option<Takes> {
        let takes = Takes { methods: &[Method::GET], request_headers: "", body_bytes_max: 0 };
        path.starts_with("/on/").then_some(takes)
    }

    fn respond<'a>(&'a self, mut call: Call<'a>) -> Responding<'a> {
        Box::pin(async move {
            call.admission.admit()?;
            let (_, asked) = call.head.uri.path().split_at("/on/".len());
            let (date, point) = asked.split_once('/').unwrap_or_default();
            let (lat, lon) = point.split_once(',').unzip();
            let request = Request::Resolve { point: parse_point(lat, lon)? };
            let body = match self.on(date) {
                None => BodyParts::from(format!("no snapshot is as old as {date}")),
                Some(edition) => {
                    let answer = edition.answers().finish(&request, Found::default())?;
                    edition.encode(&answer).fill(call.request_id)
                }
            };
            Ok(Response::new(whole(body)))
        })
    }
}

#[test]
fn a_snapshot_is_chosen_by_date() {
    let dated = Dated(vec![Edition::new(directory(), SITE), edition()]);
    let [old, new] = [0, 1].map(|at| dated.0[at].answers().directory().as_of().to_owned());
    assert!(old < new, "{old} {new}");
    let service = Arc::new(service().with_door(Box::new(dated)));
    let server = Server::start_shared(service, Capacity::default());
    let mut client = Client::connect(server.address);
    for (date, expected) in
        [(&old[..10], &old), ("2026-03-01", &old), (&new[..10], &new), ("2099-01-01", &new)]
    {
        let answer = client.get(&format!("/on/{date}/45.08,-93.95")).json();
        assert_eq!(answer["as_of"].as_str(), Some(expected.as_str()), "{date}");
    }
    assert_eq!(client.get("/on/1999-12-31/45.08,-93.95").body, "no snapshot is as old as 1999-12-31");
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}
