//! Tests answers for a given day over a socket, on the invented world: what the parameter changes, and what it does
//! not.

use serde_json::Value;

use crate::harness::{Client, SITE, Server, service};
use platbook_service::{edition::Edition, http::Capacity};

/// A point in Rivertown, which began on May 1, 2017.
const POINT: &str = "lat=45.055&lon=-93.91";

fn server() -> Server {
    let service = service();
    drop(service.edition().swap(Edition::new(platbook::testing::directory(), SITE)));
    Server::start(service, Capacity::default())
}

fn ids(jurisdictions: &Value) -> Vec<&str> {
    jurisdictions.as_array().unwrap().iter().filter_map(|one| one["jurisdiction_id"].as_str()).collect()
}

#[test]
fn each_operation_answers_for_its_day_and_has_it_in_its_tag() {
    let server = server();
    let mut client = Client::connect(server.address);
    let resolve = format!("/v1/jurisdictions/resolve?{POINT}");
    let mut tags = Vec::new();
    for (date, city) in [("", true), ("&date=2017-04-30", false), ("&date=2017-05-01", true), ("", true)] {
        let response = client.get(&format!("{resolve}{date}"));
        let answer = response.json();
        let chain = ids(&answer["data"]["jurisdictions"]);
        assert_eq!(chain.contains(&"place:2740000"), city, "{date}: {chain:?}");
        let zones = answer["data"]["functions"]["zoning"]["jurisdiction_id"].as_str();
        assert_eq!(zones, Some(if city { "place:2740000" } else { "county:27001" }), "{date}");
        let deeds = &answer["data"]["functions"]["recording"];
        let keeper = if date.is_empty() { "county:27001" } else { "state:27" };
        assert_eq!(deeds["jurisdiction_id"], keeper, "{date}: {deeds}");
        let given = date.strip_prefix("&date=");
        assert_eq!(answer["data"]["date"].as_str(), given);
        assert_eq!(answer["data"].as_object().unwrap().contains_key("date"), given.is_some());
        let first = answer["notices"][0].as_str().unwrap_or_default();
        assert_eq!(first.starts_with("This answer has the cities of "), given.is_some(), "{first}");
        tags.push(response.header("etag").to_owned());
    }
    assert_eq!(tags[0], tags[3], "the tag of today's answer does not depend on other days");
    tags.truncate(3);
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3, "{tags:?}");
    let chains = |date: &str| {
        let mut client = Client::connect(server.address);
        let target = format!("/v1/jurisdictions/chains?points=45.055,-93.91{date}");
        client.get(&target).json()["data"]["rows"][0]["jurisdiction_ids"].to_string()
    };
    assert!(!chains("&date=2017-04-30").contains("place:"), "{}", chains("&date=2017-04-30"));
    assert!(chains("&date=2017-05-01") == chains("") && chains("").contains("place:2740000"));
    for (day, office) in [("2019-12-31", "State office of deeds"), ("2020-01-01", "Office of recording")] {
        let place = client.get(&format!("/v1/places/county:27001?date={day}")).json();
        let kept = &place["data"]["functions"]["recording"]["office"];
        assert_eq!(kept["name"], office, "{day}");
        let page = kept["page_url"].as_str().unwrap().strip_prefix(SITE).unwrap();
        assert!(client.get(page).status < 400, "{day}: {page}");
    }
    let place = client.get("/v1/places/place:5550000?date=2020-01-31").json();
    assert_eq!(place["data"]["date"], "2020-01-31");
    assert!(
        place["notices"].to_string().contains("Port governed here on January 31, 2020."),
        "{}",
        place["notices"]
    );
}

#[test]
fn a_bad_day_says_what_was_expected_and_given() {
    let server = server();
    let mut client = Client::connect(server.address);
    for (target, status, said) in [
        (
            format!("jurisdictions/resolve?{POINT}&date=2019-02-29"),
            400,
            "YYYY-MM-DD, such as 2019-05-01; got \"2019-02-29\"",
        ),
        (format!("jurisdictions/resolve?{POINT}&date=May+2019"), 400, "got \"May 2019\""),
        (format!("jurisdictions/resolve?{POINT}&date="), 400, "got \"\""),
        (format!("jurisdictions/resolve?{POINT}&date=2027-01-01"), 400, "from 2016-01-01 to 2026-01-01"),
        (format!("jurisdictions/resolve?{POINT}&date=2015-12-31"), 400, "got 2015-12-31"),
        ("jurisdictions/chains?points=45,-93&date=1".to_owned(), 400, "YYYY-MM-DD"),
        (
            "places/place:2740000?date=2017-04-30".to_owned(),
            404,
            "Rivertown began on 2017-05-01, after 2017-04-30",
        ),
        (
            "jurisdictions/resolve?place=Rivertown&state=MN&date=2017-04-30".to_owned(),
            404,
            "Rivertown began on",
        ),
    ] {
        let response = client.get(&format!("/v1/{target}"));
        let detail = response.json()["detail"].as_str().unwrap().to_owned();
        assert_eq!(response.status, status, "{target}: {detail}");
        assert!(detail.contains(said), "{target}: {detail}");
    }
}
