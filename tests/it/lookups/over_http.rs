use std::{net::SocketAddr, sync::Arc};

use platbook_service::{
    http::{
        Capacity, Drained, Service,
        limits::{Proxies, RateLimiter, Table},
    },
    upstream::{Lookups, Services},
};
use serde_json::json;
use tokio::runtime::Runtime;

use super::outside::{Act, Call, Outside};
use crate::harness::{Client, Response, Server, service};

/// The replies of all services, each at its own path.
pub fn everything(call: &Call) -> Act {
    if call.is_control() {
        return Act::right(call);
    }
    let pairs = call.pairs();
    let address = pairs.iter().find(|(name, _)| name == "address").map(|(_, value)| value.as_str());
    match call.target().split('?').next().unwrap() {
        "/geocoder/locations/onelineaddress" => match address {
            Some("350 S 5TH ST, MINNEAPOLIS") => Act::json(ONE),
            Some("MAIN ST") => Act::json(TWO),
            Some("DOWN ST") => Act::answer(500, "text/html", "<html>"),
            _ => Act::json(r#"{"result":{"addressMatches":[]}}"#),
        },
        "/flood/28/query" => Act::json(
            r#"{"features":[{"attributes":{"FLD_ZONE":"AE","SFHA_TF":"T","STATIC_BFE":815.2,"LEN_UNIT":"Feet","V_DATUM":"NAVD88"}}]}"#,
        ),
        "/flood/3/query" => {
            Act::json(r#"{"features":[{"attributes":{"FIRM_PAN":"27053C0357F","EFF_DATE":1478217600000}}]}"#)
        }
        "/wetlands/Data_Source/MapServer/0/query" => {
            Act::json(r#"{"features":[{"attributes":{"IMAGE_YR":2013}}]}"#)
        }
        "/soils/Tabular/post.rest" => Act::answer(500, "text/html", "<html>"),
        "/elevation/json" => Act::json(r#"{"location":{"x":-93.2655,"y":44.9773},"value":"838.3"}"#),
        _ => Act::json(r#"{"features":[]}"#),
    }
}

const ONE: &str = r#"{"result":{"addressMatches":[{"coordinates":{"x":-93.2655,"y":44.9773},"matchedAddress":"350 S 5TH ST, MINNEAPOLIS, MN, 55415"}]}}"#;
const TWO: &str = r#"{"result":{"addressMatches":[{"coordinates":{"x":-93.2,"y":44.9},"matchedAddress":"1 N MAIN ST"},{"coordinates":{"x":-93.3,"y":44.8},"matchedAddress":"1 S MAIN ST"}]}}"#;

/// All services at one address.
fn lookups(address: SocketAddr) -> Lookups {
    let at = |name: &str| format!("{name}=http://{address}/{name}").parse().unwrap();
    let addresses = super::SERVICES.map(at);
    Lookups::of(Arc::new(Services::new(&addresses, Some("maps@example.gov"), None).unwrap()))
}

/// A server whose services all run on loopback, and their runtime.
fn served(make: impl FnOnce(Service) -> Service) -> (Server, Outside, Runtime) {
    let runtime = Runtime::new().unwrap();
    let outside = runtime.block_on(Outside::start(everything));
    let server = Server::start(make(service()).with_lookups(lookups(outside.address)), Capacity::default());
    (server, outside, runtime)
}

const FOUND: &str = "/v1/jurisdictions/resolve?address=350+S+5th+St%2C++Minneapolis";
const SCREENED: &str = "/v1/screening?lat=44.9773&lon=-93.2655";

#[test]
fn an_address_leads_to_its_governments_and_offices() {
    let (server, outside, _runtime) = served(|service| service);
    let mut client = Client::connect(server.address);
    let answer = client.get(FOUND).json();
    let matched = &answer["data"]["match"];
    assert_eq!(
        [&matched["mode"], &matched["matched_address"], &matched["geocoder"], &matched["quality"]],
        ["address", "350 S 5TH ST, MINNEAPOLIS, MN, 55415", "Census Geocoder", "inside"]
    );
    assert_eq!(matched["method"], "interpolated along its block from ranges of house numbers");
    assert_eq!(answer["data"]["point"]["coordinates"], json!([-93.2655, 44.9773]));
    assert_eq!(answer["data"]["jurisdictions"][1]["jurisdiction_id"], "county:27053");
    assert_eq!(answer["data"]["functions"]["recording"]["jurisdiction_id"], "county:27053");
    assert_eq!(answer["sources"][0]["publisher"], "U.S. Census Bureau");
    assert!(answer["as_of"].as_str().unwrap() > "2026-11-20T00:00:00Z", "{}", answer["as_of"]);
    assert!(answer["notices"].to_string().contains("estimated along its street"), "{}", answer["notices"]);
    assert_eq!(client.get(FOUND).json()["data"], answer["data"]);
    assert_eq!(outside.calls().len(), 1, "it is known then");
    let agent =
        outside.calls()[0].head.lines().find(|line| line.starts_with("user-agent: ")).unwrap().to_owned();
    assert!(agent.starts_with("user-agent: platbook/") && agent.contains("; maps@example.gov)"), "{agent}");
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

#[test]
fn an_address_that_is_not_found_says_why() {
    let (server, _outside, _runtime) = served(|service| service);
    let mut client = Client::connect(server.address);
    let ask = |client: &mut Client, address: &str| {
        client.get(&format!("/v1/jurisdictions/resolve?address={address}"))
    };
    let several = ask(&mut client, "Main+St");
    let choice = several.json()["choices"][1].take();
    assert_eq!(
        (several.status, &choice["label"], &choice["lat"]),
        (409, &json!("1 S MAIN ST"), &json!(44.8))
    );
    for (address, status, kind, retry_after) in [
        ("Nowhere+St", 404, "address-not-found", ""),
        ("Down+St", 503, "upstream-unavailable", "30"),
        (&"x".repeat(101), 404, "address-not-found", ""),
        (&"x".repeat(201), 400, "bad-parameter", ""),
        ("+", 400, "bad-parameter", ""),
    ] {
        let refused = ask(&mut client, address);
        let problem = refused.json();
        assert_eq!((refused.status, refused.header("retry-after")), (status, retry_after), "{address}");
        assert!(problem["type"].as_str().unwrap().ends_with(kind), "{address}: {problem}");
        assert_eq!(refused.header("cache-control"), "no-store", "{address}");
    }
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

#[test]
fn a_point_is_screened_and_a_service_that_fails_fails_alone() {
    let (server, outside, _runtime) = served(|service| service);
    let mut client = Client::connect(server.address);
    let response = client.get(SCREENED);
    assert_eq!((response.status, response.header("cache-control")), (200, "public, max-age=30"));
    let answer = response.json();
    let facts = &answer["data"]["facts"];
    for (key, status, dataset) in [
        ("flood", "sfha", "National Flood Hazard Layer"),
        ("wetlands", "no", "National Wetlands Inventory"),
        ("soils", "unknown", "Soil Survey Geographic Database (SSURGO)"),
        ("elevation", "ok", "3D Elevation Program"),
        ("shoreland", "no", "Public Waters Inventory"),
        ("radon", "unknown", "EPA Map of Radon Zones"),
    ] {
        assert_eq!(
            (&facts[key]["status"], &facts[key]["dataset"]),
            (&json!(status), &json!(dataset)),
            "{key}"
        );
    }
    assert_eq!(
        facts["flood"]["values"],
        json!({ "zone": "AE", "special_flood_hazard_area": true, "base_flood_elevation_ft": 815.2,
                "vertical_datum": "NAVD88", "firm_panel": "27053C0357F" })
    );
    assert_eq!(facts["flood"]["as_of"], "2016-11-04");
    assert_eq!(facts["flood"]["decided_by"]["office"]["jurisdiction_id"], "place:2743000");
    let summary = facts["soils"]["summary"].as_str().unwrap();
    assert!(summary.contains("status 500"), "{summary}");
    assert!(answer["notices"].to_string().contains("could not be checked just now"), "{}", answer["notices"]);
    let names: Vec<&str> =
        answer["sources"].as_array().unwrap().iter().filter_map(|source| source["name"].as_str()).collect();
    assert!(names.contains(&"National Flood Hazard Layer"), "{names:?}");
    assert!(!names.contains(&"Soil Survey Geographic Database (SSURGO)"), "not read: {names:?}");
    let calls = outside.calls().len();
    client.get(SCREENED);
    assert_eq!(outside.calls().len(), calls, "all is known, also what failed just now");
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

fn policies(response: &Response) -> Vec<&str> {
    response.header("ratelimit-policy").split(", ").map(|policy| policy.split(';').next().unwrap()).collect()
}

/// A caller without a key has ten new lookups a minute, whatever their results; cached answers do not count.
#[test]
fn only_new_lookups_count_against_their_limit() {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    let (server, outside, _runtime) = served(|service| service.with_limiter(limiter));
    let mut client = Client::connect(server.address);
    for at in 0..10 {
        let response = client.get(&format!("/v1/jurisdictions/resolve?address={at}+Nowhere+St"));
        assert_eq!(response.status, 404);
        assert_eq!(policies(&response), ["\"minute\"", "\"day\"", "\"lookup-minute\"", "\"lookup-day\""]);
    }
    let refused = client.get(SCREENED);
    assert_eq!(refused.status, 429);
    assert!(refused.json()["type"].as_str().unwrap().ends_with("/lookup-limit"), "{}", refused.body);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 60);
    assert_eq!(outside.calls().len(), 10, "a refused lookup asks nobody");
    let known = client.get("/v1/jurisdictions/resolve?address=3+nowhere+st");
    assert_eq!((known.status, policies(&known)), (404, vec!["\"minute\"", "\"day\""]));
    let pure = client.get(crate::harness::COVERED);
    assert_eq!((pure.status, policies(&pure)), (200, vec!["\"minute\"", "\"day\""]));
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

/// Without services nothing is counted, and no header promises a limit.
#[test]
fn a_server_that_asks_nobody_says_so() {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    let server =
        Server::start(service().with_limiter(limiter).with_lookups(Lookups::closed()), Capacity::default());
    let mut client = Client::connect(server.address);
    let refused = client.get(FOUND);
    assert_eq!((refused.status, refused.header("retry-after")), (503, ""));
    assert!(refused.body.contains("switched off on this server"), "{}", refused.body);
    let screened = client.get(SCREENED);
    assert_eq!((screened.status, policies(&screened)), (200, vec!["\"minute\"", "\"day\""]));
    let answer = screened.json();
    let summary = answer["data"]["facts"]["flood"]["summary"].as_str().unwrap();
    assert!(summary.contains("online lookups are off"), "{summary}");
    assert!(
        answer["notices"].to_string().contains("Some facts are not available on this server"),
        "{}",
        answer["notices"]
    );
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}
