//! Sketches of planned front ends, written only against public interfaces. They are districts beside the chain,
//! checked links, and a snapshot chosen by date. (`platbook::testing::Spanish` sketches a second language.)

use std::sync::Arc;

use hyper::{Method, Response};
use platbook::{
    answers::{Answers, Data, Found, Request, parse_point},
    snapshot::{
        LayerFile,
        write::{LayerContents, LinkCheck, LinkChecks, NewLinkCheck, NewPolygon, Polygons},
    },
    testing::{directory, directory_with, point},
    vocabulary::{MapKind, VerificationMethod, VerifiedStatus},
};
use platbook_service::{
    edition::Edition,
    encode::BodyParts,
    http::{Call, Capacity, Door, Drained, Responding, Takes, whole},
};
use serde_json::{Value, json};

use crate::harness::{Client, SITE, Server, edition, service};

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
    // Files of maps have a kind for each fact. Districts are not a fact, so an existing kind stands in.
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
    const DAY: &str = "2026-11-01T00:00:00Z";
    /// Finds the check of a URL.
    type Lookup<'a> = &'a dyn Fn(&str) -> NewLinkCheck<'static>;
    let of_adams = |found: Lookup<'_>| -> Value {
        let known = directory();
        let records = known.snapshot().records();
        let websites: Vec<_> =
            records.websites().iter().map(|site| site.url(records).and_then(found)).collect();
        let resources: Vec<_> = records.resources().iter().map(|page| found(page.url(records))).collect();
        let sources: Vec<_> =
            known.snapshot().meta().sources.iter().map(|source| found(&source.url)).collect();
        let checks = LinkChecks::pack(&websites, &resources, &sources);
        let checked = directory_with(|contents| contents.pages.link_checks = Some(checks));
        let edition = Edition::new(checked, SITE);
        let request = Request::Resolve { point: point(2.0, 7.5) };
        let answer = edition.answers().finish(&request, Found::default()).unwrap();
        serde_json::from_slice(&edition.encode(&answer).fill("a-request").into_contiguous()).unwrap()
    };
    let unchecked = of_adams(&|_| None);
    let office = |answer: &Value| answer["data"]["functions"]["assessment"]["office"].clone();
    let page = |answer: &Value| answer["data"]["functions"]["gis"]["resources"][0].clone();
    let url = |of: &Value| of["url"].as_str().unwrap().to_owned();
    assert_eq!(office(&unchecked)["verified_at"], Value::Null);
    let [site, map, source] =
        [office(&unchecked), page(&unchecked), unchecked["sources"][0].clone()].map(|of| url(&of));
    let checked = of_adams(&|url| {
        let (status, http_status) = match url {
            url if url == site || url == source => (VerifiedStatus::Verified, Some(200)),
            url if url == map => (VerifiedStatus::PossiblyBroken, None),
            _ => return None,
        };
        Some(LinkCheck { status, at: DAY, method: VerificationMethod::Automated, http_status })
    });
    for of in [office(&checked), checked["sources"][0].clone()] {
        assert_eq!((&of["verified_status"], &of["verified_at"]), (&json!("verified"), &json!(DAY)), "{of}");
    }
    let fields = ["verified_status", "verified_at", "verification_method", "last_http_status"];
    let of_map = page(&checked);
    let expected = json!(["possibly_broken", DAY, "automated", null]);
    assert_eq!(Value::from_iter(fields.map(|field| of_map[field].clone())), expected);
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
            call.admission.admit().await?;
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
