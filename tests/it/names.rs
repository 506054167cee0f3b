//! Tests searches for places and resources by name, in the built-in snapshot.

use std::{cmp::Reverse, collections::BTreeSet};

use platbook::{
    answers::{Answers, Found, Refusal, Request},
    directory::{Directory, Row},
    vocabulary::ProblemKind,
    vocabulary::{JurisdictionType, Layer, StateCode},
};
use serde::Deserialize;
use serde_json::Value;

use crate::harness::{Client, Response, SITE, Server};

/// Searches and their results; see `names.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    one: Vec<(String, StateText, String)>,
    several: Vec<(String, StateText, usize, String)>,
    none: Vec<(String, StateText, String)>,
    first: Vec<(String, String, String)>,
    also: Vec<(String, String)>,
    page: Vec<(String, String)>,
}

type StateText = String;

fn table() -> Table {
    toml::from_str(include_str!("names.toml")).unwrap()
}

fn nation() -> Directory {
    platbook_service::embedded().expect("the default snapshot is built in")
}

/// The name with its legal word, and the county around it.
fn label(nation: &Directory, row: Row) -> String {
    let view = nation.jurisdiction(row);
    let word = view.legal_type.filter(|word| !view.name.to_lowercase().ends_with(word));
    let is_same = |county: &Row| *county == row || nation.same_as(row).any(|same| same == *county);
    let county = nation.county_around(row).filter(|county| !is_same(county));
    // New York City is in five counties, so its label names no county.
    let county = county.map(|county| nation.jurisdiction(county)).filter(|_| view.name != "New York");
    let name = [Some(view.name), word].into_iter().flatten().collect::<Vec<_>>().join(" ");
    [Some(name.as_str()), county.map(|county| county.name)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// "springs colo": the words of a name in another order, the last of them unfinished.
#[test]
fn words_find_a_name_in_any_order_before_the_last_is_typed() {
    let nation = nation();
    let (mut asked, mut lost) = (0, Vec::new());
    for row in nation.rows_of(Layer::Place).step_by(37) {
        let view = nation.jurisdiction(row);
        let words: Vec<&str> = view.name.split(' ').collect();
        let [first, .., last] = words[..] else { continue };
        // The words "City" and "Dalla" may mean a city named Dalla, so names that end in "City" are left out.
        let Some(start) = first.get(..5).filter(|_| last.len() > 3 && last != "City") else { continue };
        asked += 1;
        let text = format!("{last} {start}");
        let found = nation.search(&text, view.state, 50);
        if found.places.iter().all(|place| place.row != row) {
            lost.push(format!("{text:?} for {}", view.name));
        }
    }
    assert!(asked > 40 && lost.len() * 50 <= asked, "{} of {asked} are lost: {lost:?}", lost.len());
}

#[test]
fn names_find_the_places_that_they_are_of() {
    let (nation, table) = (nation(), table());
    let label = |row: Option<&Row>| row.map(|row| label(&nation, *row)).unwrap_or_default();
    let mut wrong = Vec::new();
    let mut check = |asked: &str, state: &str, got: String, expected: String| {
        if got != expected {
            wrong.push(format!("{asked:?} {state}: expected {expected}, got {got}"));
        }
    };
    let named = |name: &str, state: &str| nation.places_named(name, state.parse().unwrap());
    for (name, state, expected) in &table.one {
        let found: Vec<String> = named(name, state).iter().map(|row| label(Some(row))).collect();
        check(name, state, found.join(" | "), expected.clone());
    }
    for (name, state, count, first) in &table.several {
        let found = named(name, state);
        check(name, state, format!("{} {}", found.len(), label(found.first())), format!("{count} {first}"));
    }
    for (name, state, nearest) in &table.none {
        check(name, state, label(named(name, state).first()), String::new());
        check(
            name,
            state,
            label(nation.nearest_name(name, state.parse().unwrap()).as_ref()),
            nearest.clone(),
        );
    }
    for (text, state, expected) in &table.first {
        let found = nation.search(text, state.parse().ok(), 10).places;
        let shown = found.first().map(|found| {
            let code = nation.jurisdiction(found.row).state.unwrap().usps();
            format!("{}, {code}", label(Some(&found.row)))
        });
        check(text, state, shown.unwrap_or_default(), expected.clone());
    }
    for (text, expected) in &table.also {
        let second = nation.search(text, None, 10).places.get(1).map(|found| found.row);
        check(text, "second", label(second.as_ref()), expected.clone());
    }
    for (text, expected) in &table.page {
        let first =
            nation.search(text, None, 10).resources.first().and_then(|number| nation.resource(*number));
        let shown = first.map(|page| format!("{} {}", nation.id_of(page.jurisdiction), page.name));
        check(text, "page", shown.unwrap_or_default(), expected.clone());
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let count = table.one.len() + table.several.len() + table.none.len() + table.first.len();
    assert!(count >= 300, "{count} questions");
}

#[test]
fn every_place_is_found_by_its_own_name_and_state() {
    let nation = nation();
    let mut lost = Vec::new();
    for row in nation.rows() {
        let view = nation.jurisdiction(row);
        let JurisdictionType::Layer(Layer::County | Layer::Cousub | Layer::Place) = view.kind else {
            continue;
        };
        let found = nation.places_named(view.name, view.state.unwrap());
        if !found.iter().any(|other| *other == row || nation.same_as(row).any(|same| same == *other)) {
            lost.push(format!("{} {}", view.id, view.name));
        }
    }
    assert!(lost.is_empty(), "{} lost: {:?}", lost.len(), &lost[..lost.len().min(20)]);
}

#[test]
fn ids_of_one_government_count_once() {
    let nation = nation();
    for (text, state) in [("Philadelphia", "PA"), ("Boston", "MA"), ("Denver", "CO"), ("Juneau", "AK")] {
        let state: StateCode = state.parse().unwrap();
        let found = nation.search(text, Some(state), 50).places;
        for (at, place) in found.iter().enumerate() {
            let twice = |other: &Row| found[..at].iter().any(|earlier| earlier.row == *other);
            assert!(!nation.same_as(place.row).any(|same| twice(&same)) && !twice(&place.row), "{text}");
        }
        assert_eq!(nation.jurisdiction(found[0].row).kind, JurisdictionType::Layer(Layer::Place), "{text}");
    }
}

/// Population of a government: the largest among its ids.
fn people(nation: &Directory, row: Row) -> u32 {
    let rows = std::iter::once(row).chain(nation.same_as(row)).map(|row| nation.jurisdiction(row));
    let local = rows.filter(|view| view.kind != JurisdictionType::Layer(Layer::State));
    local.map(|view| view.population).max().unwrap_or(0)
}

/// Whether a county has the name of a city in its state.
fn is_county_of(nation: &Directory, county: Row, city: Row) -> bool {
    let (county, city) = (nation.jurisdiction(county), nation.jurisdiction(city));
    let kinds = (county.kind, city.kind);
    kinds == (JurisdictionType::Layer(Layer::County), JurisdictionType::Layer(Layer::Place))
        && county.state == city.state
        && county.name.strip_prefix(city.name).is_some_and(|word| word.starts_with(' '))
}

/// Matches come in the documented order: quality, population, id.
#[test]
fn the_ranking_is_kept() {
    let nation = nation();
    for text in ["springfield", "spri", "washington", "new", "lake", "mineapolis"] {
        let found = nation.search(text, None, 50).places;
        let qualities: Vec<_> = found.iter().map(|found| found.matched_by).collect();
        assert!(qualities.is_sorted(), "{text}: {qualities:?}");
        // A state comes before other places of its name, whatever their population.
        let local = found
            .iter()
            .filter(|found| nation.jurisdiction(found.row).kind != JurisdictionType::Layer(Layer::State));
        let local: Vec<_> = local.collect();
        let people = local.iter().enumerate().map(|(at, found)| {
            // A city comes before the county of its name, as if it had the same population.
            let county = local.get(at + 1).filter(|next| is_county_of(&nation, next.row, found.row));
            (found.matched_by, Reverse(people(&nation, county.map_or(found.row, |county| county.row))))
        });
        let people: Vec<_> = people.collect();
        assert!(people.is_sorted(), "{text}: {people:?}");
        let whole = nation.search(text, None, 5).places;
        assert_eq!(whole[..], found[..whole.len()], "{text}: a smaller limit cuts, and changes nothing else");
    }
}

/// A text, then the resource that must come first: its name and its government.
const RESOURCES: &[(&str, &str, &str)] = &[
    ("cook county assessor", "Cook County Assessor", "county:17031"),
    ("hennepin land title", "Land title records", "county:27053"),
    ("minneapolis main site", "Minneapolis: main site", "place:2743000"),
    ("hennepin county parcel map", "Property interactive map", "county:27053"),
    ("mpls zoning", "Community Planning and Economic Development", "place:2743000"),
    ("harris county appraisal district", "Harris Central Appraisal District", "district:tx-cad-201"),
    // An auditor values property in Ohio and records deeds in Washington.
    ("stark county auditor", "County Auditor", "county:39151"),
    ("snohomish county auditor", "Search recorded documents", "county:53061"),
];

#[test]
fn resources_are_found_by_their_names_governments_and_topics() {
    let nation = nation();
    let mut wrong = Vec::new();
    for (text, name, government) in RESOURCES {
        let found = nation.search(text, None, 10).resources;
        let first = found
            .first()
            .and_then(|number| nation.resource(*number))
            .map(|view| (view.name.to_owned(), nation.jurisdiction(view.jurisdiction).id.to_string()));
        if first != Some(((*name).to_owned(), (*government).to_owned())) {
            wrong.push(format!("{text}: {first:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_page_of_a_government_with_several_ids_is_found_once() {
    let nation = nation();
    for text in ["st cloud mn", "boston main site", "minneapolis"] {
        let found = nation.search(text, None, 50).resources;
        let mut pages: Vec<_> = found
            .iter()
            .filter_map(|number| nation.resource(*number))
            .map(|view| (view.url.to_owned(), view.name.to_owned()))
            .collect();
        let all = pages.len();
        pages.sort();
        pages.dedup();
        assert!(all > 0 && pages.len() == all, "{text}: {all} resources, {} pages", pages.len());
    }
}

#[test]
fn no_text_is_too_hard() {
    let nation = nation();
    let long = |part: &str| part.chars().cycle().take(200).collect::<String>();
    for part in [
        "a",
        "ab ",
        "a,",
        "st ",
        "e\u{301}\u{301}",
        "\u{301}",
        "\u{202e}אב",
        "🏠",
        "a\0",
        "\u{fdfa}",
        "township ",
        "city of ",
        "county, ",
        "springfield",
        "in, or, me, ",
        "ﬃ",
        "İ",
        "\u{1f3f4}\u{e0067}",
        "\u{feff}",
        "%_*\"'",
        "the elymiuth criwfoud plououth ilyoouth jeofersun ",
        "washingtonx, countyy, lakez, ",
        "ada and bannock, ",
        "zoning and ",
        "deeds boise; ",
        "homestead fence zoning counties ",
    ] {
        for limit in [1, 10, 50] {
            let found = nation.search(&long(part), None, limit);
            assert!(found.places.len() <= limit && found.resources.len() <= limit, "{part:?}");
        }
        nation.places_named(&long(part), "MN".parse().unwrap());
    }
}

/// The service does not look up persons: a person's name finds places, or nothing.
#[test]
fn people_are_not_found() {
    let nation = nation();
    for name in [
        "Taylor Swift",
        "John Q Public",
        "Jane Doe",
        "Mary Smith",
        "Joseph Lee",
        "James Brown",
        "Mary Ann Smith, Minneapolis MN",
        "George Q. Public",
    ] {
        let found = nation.search(name, None, 10);
        assert!(found.places.is_empty() && found.resources.is_empty(), "{name}: {found:?}");
    }
}

fn refusal(answers: &Answers, place: &str, state: &str) -> Refusal {
    let request = Request::named(place, state.parse().unwrap());
    answers.finish(&request, Found::default()).unwrap_err()
}

/// For every ambiguous name, each choice leads only to its own place, and no two choices look alike.
#[test]
fn each_choice_can_be_asked_for_by_its_label() {
    let (nation, answers) = (nation(), Answers::new(nation()));
    let mut asked = BTreeSet::new();
    let mut labels = BTreeSet::new();
    for row in nation.rows() {
        let view = nation.jurisdiction(row);
        let Some(state) = view.state.filter(|_| view.kind != JurisdictionType::Layer(Layer::State)) else {
            continue;
        };
        if !asked.insert((view.name, state)) || nation.places_named(view.name, state).len() < 2 {
            continue;
        }
        let refusal = refusal(&answers, view.name, state.usps());
        assert_eq!(refusal.kind, ProblemKind::Ambiguous);
        for choice in &refusal.choices {
            let meant = nation.found(choice.jurisdiction.as_ref().unwrap()).unwrap();
            let found = nation.places_named(&choice.label, state);
            let is_meant = |found: Row| found == meant || nation.same_as(meant).any(|same| same == found);
            assert!(found.len() == 1 && is_meant(found[0]), "{}: {found:?}, not {meant:?}", choice.label);
            assert!(labels.insert((view.name, choice.label.clone())), "{} twice", choice.label);
        }
    }
    assert!(
        labels.contains(&("Springfield Township", "Springfield Township, Bucks County, Pennsylvania".into()))
    );
    assert!(labels.len() > 5000, "{} labels", labels.len());
}

fn ask(target: &str) -> Response {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("GET /v1{target} HTTP/1.1\r\nHost: x\r\n\r\n"));
    client.receive(false)
}

#[test]
fn names_are_answered_over_http() {
    let found = ask("/search?q=St.+Paul&state=mn&limit=3").json();
    assert_eq!(found["data"]["places"][0]["jurisdiction_id"], "place:2758000");
    assert_eq!(found["data"]["places"].as_array().unwrap().len(), 3);
    assert!(found["data"]["resources"].is_array() && found["as_of"].is_string());
    let one = ask("/jurisdictions/resolve?place=City+of+Austin&state=TX").json();
    assert_eq!(one["data"]["point"], Value::Null);
    assert_eq!(
        one["data"]["match"],
        serde_json::json!({"mode": "place", "quality": "exact", "matched_name": "Austin"})
    );
    let chain = one["data"]["jurisdictions"].as_array().unwrap();
    let ids: Vec<&str> = chain.iter().map(|part| part["jurisdiction_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["state:48", "county:48453", "place:4805000"]);
    assert_eq!(one["data"]["functions"]["recording"]["jurisdiction_id"], "county:48453");
    let several = ask("/jurisdictions/resolve?place=Austin&state=TX");
    assert_eq!((several.status, several.header("content-type")), (409, "application/problem+json"));
    let choice = &several.json()["choices"][0];
    assert_eq!(choice["label"], "Austin city, Travis County, Texas");
    assert_eq!(choice["page_url"], format!("{SITE}/places/place:4805000"));
    assert!(choice["lat"].is_number() && choice["lon"].is_number());
}

#[test]
fn spoilt_names_are_problems_that_say_why() {
    for (target, status, slug, said) in [
        ("/search", 400, "bad-parameter", "q is missing"),
        ("/search?q=+", 400, "bad-parameter", "q is missing"),
        ("/search?q=a%00", 400, "bad-parameter", "control character"),
        ("/search?q=a&limit=0", 400, "bad-parameter", "from 1 to 50"),
        ("/search?q=a&limit=51", 400, "bad-parameter", "from 1 to 50"),
        ("/search?q=a&limit=%2B5", 400, "bad-parameter", "from 1 to 50"),
        ("/search?q=a&state=ZZ", 400, "unknown-state", "ZZ"),
        ("/search?q=a&state=Ohiio", 400, "bad-parameter", "two-letter"),
        ("/search?q=a&q=b", 400, "bad-parameter", "more than once"),
        ("/jurisdictions/resolve?place=Austin&state=ZZ", 400, "unknown-state", "ZZ"),
        ("/jurisdictions/resolve?place=Austin&state=Texas", 409, "ambiguous", "2 places of Texas"),
        ("/jurisdictions/resolve?place=Austin", 400, "bad-parameter", "state is missing"),
        (
            "/jurisdictions/resolve?place=Springfeild&state=IL",
            404,
            "place-not-found",
            "nearest name is Springfield",
        ),
        ("/jurisdictions/resolve?place=Nowhereville&state=KS", 404, "place-not-found", "of Kansas is named"),
        ("/jurisdictions/resolve?place=Austin&state=TX", 409, "ambiguous", "2 places of Texas"),
    ] {
        let response = ask(target);
        let problem = response.json();
        assert_eq!((response.status, &problem["type"]), (status, &Value::from(format!("/problems/{slug}"))));
        assert!(problem["detail"].as_str().unwrap().contains(said), "{target}: {problem}");
        assert_eq!(problem.get("choices").is_some(), status == 409, "{target}");
    }
}

/// Cities that are missing from the lines of 2019, or still on them: the name, and the words of the notice.
#[test]
fn young_and_ended_cities_are_reported_by_name() {
    let mut client = Client::connect(Server::shared().address);
    for (target, county, words) in [
        ("/v1/jurisdictions/resolve?place=Mableton&state=GA", "county:13067", "Mableton became a city"),
        (
            "/v1/jurisdictions/resolve?place=City+of+Mableton&state=GA",
            "county:13067",
            "Mableton became a city",
        ),
        ("/v1/jurisdictions/resolve?place=St.+George&state=LA", "county:22033", "St. George became a city"),
        ("/v1/search?q=mableton", "county:13067", "Mableton became a city"),
        ("/v1/search?q=saint+george+la", "county:22033", "St. George became a city"),
        ("/v1/search?q=saint+george", "county:22033", "St. George became a city"),
        ("/v1/places/place:0505740?limit=1", "county:05007", "Bethel Heights became part of Springdale"),
        ("/v1/jurisdictions/resolve?place=Jerome&state=AR", "county:05043", "Jerome left the Census"),
    ] {
        let body = client.get(target).body;
        assert!(body.contains(county) && body.contains(words), "{target}: {body}");
    }
    let stays = client.get("/v1/jurisdictions/resolve?place=Springdale&state=AR").body;
    assert!(!stays.contains("Bethel Heights"), "{stays}");
}
