use std::sync::atomic::{AtomicU64, Ordering};

use platbook::{
    answers::{Answers, Finding, Findings, Lookups, Refusal},
    directory::Directory,
    geometry::LonLat,
    http::{Drained, Limits, Service},
    snapshot::Snapshot,
    wire::{Flood, ProblemKind, Shoreland},
};
use serde_json::{Value, json};

use crate::harness::{Client, SITE, Server};

const MINNEAPOLIS: &str = "/v1/screening?lat=44.9773&lon=-93.2655";
const BOSTON: &str = "/v1/screening?lat=42.3601&lon=-71.0589";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn without_a_map_to_ask_nothing_is_claimed() {
    let mut client = Client::connect(Server::shared().address);
    let answer = client.get(MINNEAPOLIS).json();
    let facts = &answer["data"]["facts"];
    assert_eq!(keys(facts), ["flood", "wetlands", "soils", "elevation", "shoreland", "radon"]);
    for (name, fact) in facts.as_object().unwrap() {
        assert_eq!(fact["status"], "unknown", "{name}");
        assert!(fact["summary"].as_str().unwrap().contains("could not be checked"), "{name}");
        assert_eq!((&fact["values"], &fact["as_of"]), (&json!({}), &Value::Null), "{name}");
    }
    assert_eq!(facts["flood"]["decided_by"]["function"], "permits");
    assert_eq!(facts["flood"]["decided_by"]["office"]["function"], "permits");
    assert_eq!(facts["wetlands"]["decided_by"]["function"], Value::Null);
    let notices = answer["notices"].to_string();
    assert!(notices.contains("never an official determination") && notices.contains("could not be checked"));
}

#[test]
fn shoreland_is_a_matter_of_minnesota() {
    let mut client = Client::connect(Server::shared().address);
    let answer = client.get(BOSTON).json();
    assert_eq!(keys(&answer["data"]["facts"]), ["flood", "wetlands", "soils", "elevation", "radon"]);
}

/// A map whose fact is another each time that it is asked.
#[derive(Debug, Default)]
struct Restless(AtomicU64);

impl Lookups for Restless {
    fn geocode(&self, _: &str) -> Result<LonLat, Refusal> {
        let asked = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(LonLat::from_lat_lon(44.9 + asked as f64 / 1000.0, -93.2655).unwrap())
    }

    fn screen(&self, _: LonLat) -> Findings {
        let asked = self.0.fetch_add(1, Ordering::Relaxed);
        let flood = Finding {
            status: Flood::Minimal,
            summary: format!("Answer {asked}."),
            detail: None,
            values: Default::default(),
            as_of: None,
        };
        Findings { flood: Some(flood), ..Findings::default() }
    }
}

/// A tag that a client has asked about is kept only where the snapshot alone tells the answer.
#[test]
fn what_has_changed_outside_is_sent_again() {
    let answers = Answers::new(Directory::new(Snapshot::embedded().unwrap()), SITE);
    let service = Service::new(answers.with_lookups(Box::new(Restless::default())));
    let server = Server::start(service, Limits::default());
    let mut client = Client::connect(server.address);
    for target in [MINNEAPOLIS, "/v1/jurisdictions/resolve?address=350+S+5th+St"] {
        let mut tag = client.get(target).header("etag").to_owned();
        for _ in 0..3 {
            let response = client.ask("GET", target, &format!("If-None-Match: {tag}\r\n"));
            assert_eq!(response.status, 200, "{target}");
            tag = response.header("etag").to_owned();
        }
    }
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

/// A map that knows one point.
#[derive(Debug)]
struct Known;

impl Lookups for Known {
    fn geocode(&self, address: &str) -> Result<LonLat, Refusal> {
        match address {
            "350 S 5th St" => Ok(LonLat::from_lat_lon(44.9773, -93.2655).unwrap()),
            _ => Err(Refusal::new(ProblemKind::AddressNotFound, "no address matches the text")),
        }
    }

    fn screen(&self, _: LonLat) -> Findings {
        let summary = "In a special flood hazard area, zone AE.".to_owned();
        let mut values = serde_json::Map::new();
        values.insert("zone".into(), "AE".into());
        let flood = Finding {
            status: Flood::Sfha,
            summary,
            detail: None,
            values,
            as_of: Some("2016-11-04".to_owned()),
        };
        let shoreland = Finding {
            status: Shoreland::No,
            summary: "Not likely.".to_owned(),
            detail: None,
            values: Default::default(),
            as_of: None,
        };
        Findings { flood: Some(flood), shoreland: Some(shoreland), ..Findings::default() }
    }
}

#[test]
fn what_a_lookup_finds_is_answered() {
    let answers = Answers::new(Directory::new(Snapshot::embedded().unwrap()), SITE);
    let server = Server::start(Service::new(answers.with_lookups(Box::new(Known))), Limits::default());
    let mut client = Client::connect(server.address);
    let facts = client.get(MINNEAPOLIS).json()["data"]["facts"].take();
    assert_eq!(
        (&facts["flood"]["status"], &facts["flood"]["values"]["zone"]),
        (&json!("sfha"), &json!("AE"))
    );
    assert_eq!(facts["flood"]["as_of"], "2016-11-04");
    assert_eq!(facts["wetlands"]["status"], "unknown");
    let by_address = client.get("/v1/jurisdictions/resolve?address=350+S+5th+St").json();
    assert_eq!(by_address["data"]["match"]["mode"], "address");
    assert_eq!(by_address["data"]["jurisdictions"][1]["jurisdiction_id"], "county:27053");
    assert_eq!(client.get("/v1/jurisdictions/resolve?address=nowhere").status, 404);
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}
