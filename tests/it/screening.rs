use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use platbook::{
    answers::{AddressAnswer, Choice, Found, FoundAddress, Lookup},
    facts::{Fact, FactKey, Facts, Flood, FloodZone, Said, Shoreland},
    geometry::LonLat,
    vocabulary::{LicenseClass, OutsideSource},
};
use platbook_service::{
    http::{Capacity, Drained},
    upstream::{FoundFuture, Lookups, Upstream},
};
use serde_json::{Value, json};

use crate::harness::{Client, Server, service};

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
        assert!(fact["summary"].as_str().is_some_and(|summary| summary.len() > 20), "{name}: {fact}");
        assert_eq!((&fact["values"], &fact["as_of"]), (&json!({}), &Value::Null), "{name}");
    }
    assert_eq!(facts["flood"]["decided_by"]["function"], "permits");
    assert_eq!(facts["flood"]["decided_by"]["office"]["function"], "permits");
    assert_eq!(facts["wetlands"]["decided_by"]["function"], Value::Null);
    let notices = answer["notices"].to_string();
    assert!(notices.contains("never an official determination"), "{notices}");
}

#[test]
fn shoreland_is_a_matter_of_minnesota() {
    let mut client = Client::connect(Server::shared().address);
    let answer = client.get(BOSTON).json();
    assert_eq!(keys(&answer["data"]["facts"]), ["flood", "wetlands", "soils", "elevation", "radon"]);
}

/// A map whose fact changes with each lookup, and may not be cached at all.
#[derive(Debug, Default)]
struct Restless(AtomicU64);

impl Upstream for Restless {
    fn find(&self, lookup: Lookup) -> FoundFuture<'_> {
        let asked = self.0.fetch_add(1, Ordering::Relaxed);
        let point = LonLat::from_lat_lon(44.9 + asked as f64 / 1000.0, -93.2655).unwrap();
        let flood = zone(&[("fld_zone", &asked.to_string())]);
        Box::pin(async move {
            let found = Found { lifetime_s: Some(0), ..Found::default() };
            match lookup {
                Lookup::Address(text) => {
                    Found { address: AddressAnswer::One(address(&text, point)), ..found }
                }
                Lookup::Facts { .. } | Lookup::Parcel { .. } => {
                    Found { facts: Facts::from_iter([flood]), ..found }
                }
            }
        })
    }
}

fn zone(attributes: &[(&str, &str)]) -> Fact {
    let zone = FloodZone::greatest(&[attributes.iter().copied().collect::<HashMap<_, _>>()]).unwrap();
    Fact::new(FactKey::Flood, Said::Flood(Flood { zone: Some(zone), is_mapped: true, firm_panel: None }))
}

fn address(text: &str, point: LonLat) -> FoundAddress {
    FoundAddress {
        point,
        matched_address: text.to_uppercase(),
        geocoder: "A geocoder of this test".to_owned(),
        method: "as this test has it".into(),
        source: Arc::new(OutsideSource {
            name: "Addresses".into(),
            url: "https://addresses.example/".into(),
            publisher: "A publisher".into(),
            official: false,
            license_class: LicenseClass::Open,
        }),
        looked_up_at: Some("2026-11-22T03:04:05Z".to_owned()),
    }
}

fn server(upstream: impl Upstream + 'static) -> Server {
    Server::start(service().with_lookups(Lookups::of(Arc::new(upstream))), Capacity::default())
}

/// The server remembers a client's tag only if the answer depends on nothing but the snapshot. It does not cache an
/// answer without a lifetime.
#[test]
fn what_has_changed_outside_is_sent_again() {
    let server = server(Restless::default());
    let mut client = Client::connect(server.address);
    for target in [MINNEAPOLIS, "/v1/jurisdictions/resolve?address=350+S+5th+St"] {
        let mut tag = client.get(target).header("etag").to_owned();
        for _ in 0..3 {
            let response = client.ask("GET", target, &format!("If-None-Match: {tag}\r\n"));
            assert_eq!(
                (response.status, response.header("cache-control")),
                (200, "public, max-age=0"),
                "{target}"
            );
            tag = response.header("etag").to_owned();
        }
    }
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

/// A map that knows one point.
#[derive(Debug)]
struct Known;

impl Upstream for Known {
    fn find(&self, lookup: Lookup) -> FoundFuture<'_> {
        let point = LonLat::from_lat_lon(44.9773, -93.2655).unwrap();
        let flood = zone(&[("fld_zone", "AE"), ("sfha_tf", "T")]);
        let flood = Fact { as_of: Some("2016-11-04".to_owned()), ..flood };
        let shoreland = Shoreland::judge::<HashMap<&str, &str>>(&[], Some(&[])).unwrap();
        let shoreland = Fact::new(FactKey::Shoreland, Said::Shoreland(shoreland));
        let facts = Facts::from_iter([flood, shoreland]);
        let address = match lookup {
            Lookup::Address(text) if text == "350 S 5TH ST" => AddressAnswer::One(address(&text, point)),
            Lookup::Address(text) if text == "MAIN ST" => AddressAnswer::Several(vec![Choice {
                label: "1 Main St".to_owned(),
                point: Some(point),
                jurisdiction: None,
            }]),
            _ => AddressAnswer::NotFound,
        };
        Box::pin(async { Found { address, facts, ..Found::default() } })
    }
}

#[test]
fn what_a_lookup_finds_is_answered() {
    let server = server(Known);
    let mut client = Client::connect(server.address);
    let facts = client.get(MINNEAPOLIS).json()["data"]["facts"].take();
    assert_eq!(
        (&facts["flood"]["status"], &facts["flood"]["values"]["zone"]),
        (&json!("sfha"), &json!("AE"))
    );
    assert_eq!(facts["flood"]["as_of"], "2016-11-04");
    assert_eq!(facts["wetlands"]["status"], "unknown");
    let by_address = client.get("/v1/jurisdictions/resolve?address=350+S+5th+St").json();
    let matched = &by_address["data"]["match"];
    assert_eq!(
        (&matched["mode"], &matched["matched_address"], &matched["geocoder"]),
        (&json!("address"), &json!("350 S 5TH ST"), &json!("A geocoder of this test"))
    );
    assert_eq!(by_address["data"]["jurisdictions"][1]["jurisdiction_id"], "county:27053");
    assert_eq!(by_address["sources"][0]["name"], "Addresses");
    assert_eq!(by_address["as_of"], "2026-11-22T03:04:05Z");
    assert_eq!(client.get("/v1/jurisdictions/resolve?address=nowhere").status, 404);
    let several = client.get("/v1/jurisdictions/resolve?address=Main+St");
    assert_eq!((several.status, &several.json()["choices"][0]["lat"]), (409, &json!(44.9773)));
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}
