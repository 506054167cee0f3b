use serde_json::{Value, json};

use crate::{
    harness::{Client, Server},
    mcp::{post, shared},
};

fn resolved(query: &str) -> Value {
    let mut client = Client::connect(Server::shared().address);
    client.get(&format!("/v1/jurisdictions/resolve?{query}")).json()
}

/// The id of the smallest jurisdiction of an answer, or the problem's type with the ids of its choices.
fn shown(answer: &Value) -> String {
    if let Some(problem) = answer["type"].as_str() {
        let choices = answer["choices"].as_array().into_iter().flatten();
        let ids: Vec<&str> = choices.filter_map(|choice| choice["jurisdiction_id"].as_str()).collect();
        return format!("{} {}", problem.trim_start_matches("/problems/"), ids.join(" "))
            .trim_end()
            .to_owned();
    }
    let chain = answer["data"]["jurisdictions"].as_array().unwrap();
    chain.last().unwrap()["jurisdiction_id"].as_str().unwrap().to_owned()
}

/// Each row has a query, the expected place or choices, and words that a notice or the detail must contain.
const QUERIES: &[(&str, &str, &str)] = &[
    ("address=55404", "county:27053", "A ZIP code is a mail route"),
    ("address=MN+55404", "county:27053", "A ZIP code is a mail route"),
    ("place=55404&state=MN", "county:27053", "A ZIP code is a mail route"),
    ("address=53818", "ambiguous county:55043 county:55065 county:55049", "reaches"),
    ("address=00001", "address-not-found", "no county of ZIP code 00001"),
    ("place=00001", "place-not-found", "no county of ZIP code 00001"),
    ("address=Minneapolis,+MN+55404", "place:2743000", ""),
    ("address=Minneapolis,+MN", "place:2743000", ""),
    ("address=44.9773,+-93.2655", "place:2743000", ""),
    ("address=-93.2655,+44.9773", "place:2743000", "The first number was read as the longitude"),
    ("place=Travis+County,+TX", "county:48453", ""),
    ("place=Travis+County&state=Texas", "county:48453", ""),
    ("place=Travis+County,+Texas&state=TX", "county:48453", ""),
    ("place=Rappahanock+County&state=VA", "county:51157", "spelled similarly"),
    ("place=Vermont&state=VT", "state:50", ""),
    ("place=Vermont", "state:50", ""),
    ("place=VT", "state:50", ""),
    ("place=State+of+Utah", "state:49", ""),
    ("place=Utah", "ambiguous state:49 county:49049", "ask with one of the labels"),
    ("place=New+York&state=NY", "ambiguous place:3651000 county:36061", "2 places of New York are named"),
    ("place=Washington", "ambiguous state:53 place:1150000", "other places have the name"),
    ("jurisdiction_id=county:27053", "county:27053", ""),
    ("jurisdiction_id=county:99999", "unknown-jurisdiction", "no jurisdiction has the id"),
    ("jurisdiction_id=county:27053&state=MN", "bad-parameter", "several inputs"),
    ("state=TX", "bad-parameter", "for the state itself, give place=Texas"),
    ("place=Austin", "bad-parameter", "state is missing"),
    ("address=Nowhereville,+MN", "upstream-unavailable", ""),
    ("address=Main+St+and+5th+Ave,+Minneapolis,+MN", "upstream-unavailable", ""),
];

#[test]
fn places_are_found_as_people_write_them() {
    let mut wrong = Vec::new();
    for (query, expected, said) in QUERIES {
        let answer = resolved(query);
        let text = if answer["detail"].is_string() { &answer["detail"] } else { &answer["notices"] };
        if shown(&answer) != *expected || !text.to_string().contains(said) {
            wrong.push(format!("{query}: {} {text}", shown(&answer)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each choice leads to its own place by its label and by its id.
#[test]
fn each_choice_can_be_used() {
    for query in ["place=Utah", "place=Washington", "place=New+York&state=NY", "address=53818"] {
        let answer = resolved(query);
        for choice in answer["choices"].as_array().unwrap() {
            let label = choice["label"].as_str().unwrap().replace(' ', "+");
            let id = choice["jurisdiction_id"].as_str().unwrap();
            for again in [format!("place={label}"), format!("jurisdiction_id={id}")] {
                assert_eq!(shown(&resolved(&again)), id, "{query}: {again}");
            }
        }
    }
}

#[test]
fn a_place_is_screened_for_the_facts_of_its_county() {
    let mut client = Client::connect(Server::shared().address);
    for query in ["jurisdiction_id=county:19103", "place=Johnson+County&state=IA", "place=Iowa+City,+IA"] {
        let answer = client.get(&format!("/v1/screening?{query}")).json();
        let data = &answer["data"];
        let ids = data["jurisdictions"].to_string();
        assert!(ids.contains("county:19103"), "{query}: {ids}");
        assert!(data["point"]["coordinates"].is_array(), "{query}");
        let summary = |key: &str| data["facts"][key]["summary"].as_str().unwrap().to_owned();
        assert!(summary("flood").contains("needs a point"), "{query}: {}", summary("flood"));
        assert!(!summary("radon").contains("needs a point"), "{query}: {}", summary("radon"));
        assert!(answer["notices"].to_string().contains("Only facts of Johnson County"), "{query}");
    }
    for (query, status, said) in [
        ("", 400, "lat is missing"),
        ("lat=44.9&lon=-93.2&state=MN", 400, "several inputs"),
        ("jurisdiction_id=state:19", 400, "lies in no single county"),
        ("jurisdiction_id=county:99999", 404, "no jurisdiction has the id"),
        ("place=Springfield&state=IA", 404, "is named"),
    ] {
        let response = client.get(&format!("/v1/screening?{query}"));
        assert_eq!(response.status, status, "{query}: {}", response.body);
        assert!(response.json()["detail"].as_str().unwrap().contains(said), "{query}: {}", response.body);
    }
}

#[test]
fn a_trailing_slash_and_capitals_lead_to_the_usual_path() {
    let mut client = Client::connect(Server::shared().address);
    for (path, location) in [
        ("/v1/topics/", "/v1/topics"),
        ("/v1/search/?q=a%20b", "/v1/search?q=a%20b"),
        ("/v1/places/COUNTY:27053?limit=2", "/v1/places/county:27053?limit=2"),
        ("/v1/openapi.json/", "/v1/openapi.json"),
    ] {
        let response = client.get(path);
        assert_eq!((response.status, response.header("location")), (308, location), "{path}");
        assert_eq!(client.get(location).status, 200, "{location}");
    }
    assert_eq!(client.ask("POST", "/v1/topics/", "Content-Length: 0\r\n").status, 405);
}

/// Every tool says how a name was read.
#[test]
fn tools_say_that_a_name_was_respelled() {
    let place = json!({ "place": "Rappahanock County", "state": "VA" });
    for tool in [
        "resolve_jurisdiction",
        "find_official_resource",
        "get_place_directory",
        "screen_location",
        "get_property_facts",
    ] {
        let mut arguments = place.clone();
        if tool == "find_official_resource" {
            arguments["topic"] = "parcel_map".into();
        }
        let text = called(tool, &arguments);
        assert!(text.contains("spelled similarly"), "{tool}: {text}");
    }
    for (tool, arguments, said) in [
        ("resolve_jurisdiction", json!({ "address": "55404" }), "mail route"),
        ("resolve_jurisdiction", json!({ "jurisdiction_id": "county:27053" }), "Hennepin County"),
        ("get_place_directory", json!({ "place": "Vermont", "state": "VT" }), "Vermont"),
        ("get_place_directory", json!({ "place": "VT" }), "Vermont"),
        ("find_official_resource", json!({ "address": "55404", "topic": "zoning" }), "mail route"),
    ] {
        let text = called(tool, &arguments);
        assert!(text.contains(said), "{tool} {arguments}: {text}");
    }
}

fn called(tool: &str, arguments: &Value) -> String {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
    });
    let answer = post(&mut Client::connect(shared().address), "", &call.to_string()).json();
    let result = &answer["result"];
    result["content"][0]["text"].as_str().unwrap().to_owned()
}
