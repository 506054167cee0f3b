//! Tests places, resources, topics and guides over a socket, on the built-in snapshot.

use std::collections::BTreeSet;

use platbook::vocabulary::is_no_page;
use serde_json::Value;

use crate::harness::{Client, Response, SITE, Server};

fn get(target: &str) -> Response {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("GET /v1{target} HTTP/1.1\r\nHost: x\r\n\r\n"));
    client.receive(false)
}

fn data(target: &str) -> Value {
    let response = get(target);
    assert_eq!(response.status, 200, "{target}: {}", response.body);
    response.json()["data"].clone()
}

fn texts(list: &Value, key: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

/// The office of a job at a place: its body, and a part of its title.
#[test]
fn hard_cases_name_the_right_body() {
    for (place, function, body, title) in [
        ("county:27053", "recording", Some("county:27053"), "Recorder"),
        ("place:4805000", "assessment", Some("district:tx-cad-453"), "ppraisal"),
        ("place:3651000", "assessment", Some("place:3651000"), ""),
        ("place:5010675", "recording", Some("place:5010675"), "Clerk"),
        ("county:15003", "recording", Some("state:15"), "Conveyances"),
        ("county:30049", "assessment", Some("state:30"), ""),
        ("place:2404000", "assessment", Some("state:24"), "Assessments"),
        ("county:02290", "assessment", None, ""),
        ("county:09110", "recording", None, "Town Clerk"),
        ("state:15", "recording", Some("state:15"), "Conveyances"),
        ("district:tx-cad-453", "assessment", Some("district:tx-cad-453"), ""),
        // The rule is unsettled: two departments may do the job.
        ("state:69", "gis", None, "Public Lands"),
        ("state:11", "gis", Some("state:11"), ""),
        ("country:us", "assessment", None, ""),
    ] {
        let page = data(&format!("/places/{place}"));
        let entry = &page["functions"][function];
        assert_eq!(entry["jurisdiction_id"].as_str(), body, "{place} {entry}");
        assert!(entry["office_name"].as_str().unwrap_or_default().contains(title), "{place} {entry}");
        assert!(entry.is_null() || entry["basis"].as_str().is_some_and(|basis| basis.len() > 10), "{entry}");
    }
}

/// A contact of a job is that of the county's only office for it, though a case names another for a city elsewhere.
#[test]
fn a_further_office_has_its_own_telephone() {
    for (town, phone) in
        [("3610361984", "631-852-3000"), ("3607178366", "845-291-2480"), ("3606720478", "315-435-2426")]
    {
        let page = data(&format!("/places/cousub:{town}"));
        let also = page["functions"]["tax_collection"]["also"].as_array().unwrap();
        assert!(also.iter().any(|entry| entry["office"]["phone"] == phone), "{town} {also:?}");
    }
}

/// In most townships another source says that they collect, but one township has a page of its own.
#[test]
fn a_county_does_not_take_the_source_of_its_first_town() {
    let entry = &data("/places/county:42011")["functions"]["tax_collection"];
    assert!(entry["jurisdiction_id"].is_null() && entry["confidence"] != "high", "{entry}");
    assert!(!entry["evidence_url"].as_str().unwrap().contains("muhlenberg"), "{entry}");
}

#[test]
fn a_place_page_has_all_of_the_place() {
    let page = data("/places/county:27053");
    assert_eq!(texts(&page["chain"], "jurisdiction_id"), ["state:27", "county:27053"]);
    assert!(texts(&page["offices"], "office_id").iter().all(|id| id.starts_with("off_") && id.len() == 20));
    let kinds = texts(&page["offices"], "kind").join(" ");
    assert!(["tax_collection", "recording", "gis"].iter().all(|kind| kinds.contains(kind)), "{kinds}");
    for resource in page["resources"].as_array().unwrap() {
        assert_eq!(resource["jurisdiction_id"], "county:27053");
        assert_eq!(resource["verified_status"], "not_yet_verified");
        assert_eq!(resource["license_class"], "open");
        let id = resource["resource_id"].as_str().unwrap();
        assert_eq!(resource["page_url"], format!("{SITE}/resources/{id}"));
    }
    assert_eq!(texts(&data("/places/cousub:2705343000")["chain"], "type"), ["state", "county", "cousub"]);
    assert_eq!(texts(&data("/places/country:us")["chain"], "type"), ["country"]);
}

#[test]
fn an_office_says_whose_page_it_links() {
    let mut scopes = BTreeSet::new();
    for place in ["county:27053", "county:06037", "county:46003", "place:2743000", "state:15"] {
        for office in data(&format!("/places/{place}"))["offices"].as_array().unwrap() {
            assert!(office["person"].is_null());
            assert_eq!(office["url"].is_null(), office["url_scope"].is_null(), "{office}");
            scopes.insert(office["url_scope"].as_str().unwrap_or("none").to_owned());
        }
    }
    assert!(scopes.contains("office") && scopes.contains("government"), "{scopes:?}");
}

#[test]
fn resources_go_from_the_place_to_the_nation() {
    for (target, first) in [
        ("jurisdiction_id=county:27053&topic=property_tax_payment", "county:27053"),
        ("jurisdiction_id=place:4805000&topic=assessor", "district:tx-cad-453"),
        ("lat=30.2747&lon=-97.7404&topic=assessor", "district:tx-cad-453"),
        ("jurisdiction_id=place:2743000&topic=parcel_map", "county:27053"),
        ("jurisdiction_id=state:50&topic=wetlands", "state:50"),
        ("jurisdiction_id=country:us&topic=soils", "country:us"),
        ("jurisdiction_id=county:27053&topic=gis", "county:27053"),
        // The county's own page comes before that of its appraisal district.
        ("jurisdiction_id=county:48201&topic=property_records_general", "county:48201"),
    ] {
        let page = data(&format!("/resources?{target}"));
        let resources = page["resources"].as_array().unwrap();
        assert_eq!(resources[0]["jurisdiction_id"], first, "{target}");
        // Map services for software come after all pages.
        let is_data = |resource: &Value| {
            resource["source_kind"] == "map_data" || is_no_page(resource["url"].as_str().unwrap())
        };
        assert!(resources.is_sorted_by_key(is_data), "{target}");
        let last = resources.iter().rfind(|resource| !is_data(resource));
        assert_eq!(last.unwrap()["jurisdiction_id"], "country:us", "{target}");
        let topic = page["topic"].as_str().unwrap();
        for resource in resources {
            assert!(resource["topics"].as_array().unwrap().iter().any(|own| own == topic), "{resource}");
        }
    }
    let own = data("/resources?jurisdiction_id=state:27");
    assert!(own["topic"].is_null() && own["resources"].as_array().unwrap().len() >= 10);
    assert!(texts(&own["resources"], "jurisdiction_id").iter().all(|id| id == "state:27"));
}

/// The order within one level and topic: resources with fewer topics come first, and texts of law last.
#[test]
fn payment_pages_come_first_for_tax_collection() {
    for place in ["county:27053", "county:06037", "county:17031", "county:53033", "county:12086"] {
        let page = data(&format!("/places/{place}"));
        let resources = page["functions"]["tax_collection"]["resources"].as_array().unwrap().clone();
        let pays = |resource: &Value| {
            resource["topics"].as_array().unwrap().iter().any(|topic| topic == "property_tax_payment")
        };
        let first_other = resources.iter().position(|resource| !pays(resource)).unwrap_or(resources.len());
        assert!(!resources[first_other..].iter().any(pays), "{place}");
    }
}

#[test]
fn sources_are_those_shown_each_once() {
    for target in
        ["/places/county:27053", "/jurisdictions/resolve?lat=44.9773&lon=-93.2655", "/guides/zoning?state=VT"]
    {
        let envelope = get(target).json();
        let urls: Vec<String> =
            envelope["sources"].as_array().unwrap().iter().map(Value::to_string).collect();
        let distinct: BTreeSet<&String> = urls.iter().collect();
        assert_eq!(distinct.len(), urls.len(), "{target}");
        assert!(urls.len() > 1, "{target}");
        for entry in envelope["data"]["functions"].as_object().into_iter().flat_map(|map| map.values()) {
            let Some(evidence) = entry["evidence_url"].as_str() else { continue };
            let cited = envelope["sources"].as_array().unwrap();
            assert!(cited.iter().any(|source| source["url"] == evidence), "{target} {evidence}");
        }
    }
}

/// A guide shows all rules of a state, so it cites the sources of all these rules.
#[test]
fn a_guide_cites_the_rules_that_it_shows() {
    let sources = |target: &str| texts(&get(target).json()["sources"], "url");
    for state in ["AL", "MN", "VT"] {
        let all: BTreeSet<String> = sources(&format!("/guides/wetlands?state={state}")).into_iter().collect();
        assert!(all.len() > 2, "{state}");
        for topic in ["floodplain", "soils", "elevation", "roads_right_of_way", "public_land", "zoning"] {
            let cited = sources(&format!("/guides/{topic}?state={state}"));
            assert_eq!(cited.into_iter().collect::<BTreeSet<_>>(), all, "{topic} {state}");
        }
    }
}

#[test]
fn places_say_only_what_is_true_of_them() {
    const COUNTY: &str = "for land outside cities and villages";
    const SEVERAL: &str = "The offices shown are for the part in";
    for (place, said, is_said) in [
        ("county:27053", COUNTY, true),
        ("county:48201", COUNTY, true),
        // Cities that are also counties
        ("county:51760", COUNTY, false),
        ("county:06075", COUNTY, false),
        ("county:24510", COUNTY, false),
        ("county:42101", COUNTY, false),
        ("county:11001", COUNTY, false),
        ("county:29510", COUNTY, false),
        // Counties within New York City.
        ("county:36005", COUNTY, false),
        ("county:36085", COUNTY, false),
        // Counties without a government.
        ("county:09110", COUNTY, false),
        ("county:44009", COUNTY, false),
        ("county:25017", COUNTY, false),
        // Cities in several counties, and in one.
        ("place:4835000", SEVERAL, true),
        ("place:4819000", SEVERAL, true),
        ("place:2938000", SEVERAL, true),
        ("place:3651000", SEVERAL, true),
        ("place:4260000", SEVERAL, false),
        ("place:2743000", SEVERAL, false),
        ("place:0644000", SEVERAL, false),
        ("place:5363000", SEVERAL, false),
        // The precincts of Greenup lack a part of the township. The outline of Avena follows the public land survey.
        ("cousub:1703531537", "% less area than the Census counts", true),
        ("cousub:1705103155", "the Census counts", false),
    ] {
        let notices = get(&format!("/places/{place}")).json()["notices"].to_string();
        assert_eq!(notices.contains(said), is_said, "{place}: {notices}");
    }
}

#[test]
fn every_topic_has_a_guide_and_national_resources() {
    let list = data("/topics");
    let topics = texts(&list["topics"], "topic");
    assert!(!topics.is_empty() && !list["functions"].as_object().unwrap().is_empty());
    for (alias, topic) in list["aliases"].as_object().unwrap() {
        assert_eq!(data(&format!("/guides/{alias}"))["topic"], *topic);
    }
    for topic in &topics {
        let guide = data(&format!("/guides/{topic}?state=vt"));
        assert_eq!(
            (guide["state"].as_str(), guide["state_rules"]["name"].as_str()),
            (Some("VT"), Some("Vermont"))
        );
        assert_eq!(guide["sections"].as_array().unwrap().len(), 6, "{topic}");
        assert!(guide["state_summary"].as_str().is_none_or(|text| text.ends_with('.')), "{topic}");
        assert!(data(&format!("/guides/{topic}"))["state_rules"].is_null());
        let national = data(&format!("/resources?jurisdiction_id=country:us&topic={topic}"));
        assert!(!national["resources"].as_array().unwrap().is_empty(), "{topic}");
    }
}

#[test]
fn what_is_not_there_is_a_problem() {
    for (target, status, slug, said) in [
        ("/places/county:99999", 404, "unknown-jurisdiction", "no jurisdiction has the id"),
        ("/places/county:09001", 404, "unknown-jurisdiction", "its area is now county:09"),
        ("/places/zip:55401", 400, "bad-parameter", "expected state:NN"),
        ("/places/county:27053?limit=0", 400, "bad-parameter", "from 1 to 100"),
        ("/places/county:27053?limit=101", 400, "bad-parameter", "got \"101\""),
        ("/places/county:27053?limit=+5", 400, "bad-parameter", "from 1 to 100"),
        ("/places/county:27053?cursor=x", 400, "bad-cursor", "not a cursor of this service"),
        ("/places/", 404, "not-found", "no endpoint"),
        ("/places/county:27053/x", 404, "not-found", "no endpoint"),
        ("/resources", 400, "bad-parameter", "give jurisdiction_id"),
        ("/resources?jurisdiction_id=county:27053&lat=1&lon=1&topic=soils", 400, "bad-parameter", "not both"),
        ("/resources?lat=44.9&lon=-93.2", 400, "bad-parameter", "topic is missing"),
        ("/resources?lat=44.9&topic=soils", 400, "bad-point", "lon is missing"),
        ("/resources?lat=1&lon=1&topic=soils", 404, "outside-coverage", ""),
        ("/resources?jurisdiction_id=county:27053&topic=fish", 400, "unknown-topic", "/v1/topics"),
        ("/guides/fish", 404, "unknown-topic", "/v1/topics"),
        ("/guides/zoning?state=ZZ", 400, "unknown-state", "ZZ"),
        ("/guides/zoning?state=Vermontt", 400, "bad-parameter", "two-letter"),
        ("/places/state:00", 404, "unknown-jurisdiction", "no jurisdiction has the id state:00"),
        ("/resources?jurisdiction_id=state:00", 404, "unknown-jurisdiction", "state:00"),
    ] {
        let response = get(target);
        let problem = response.json();
        assert_eq!(
            (response.status, problem["type"].as_str()),
            (status, Some(&*format!("/problems/{slug}"))),
            "{target}"
        );
        assert!(problem["detail"].as_str().unwrap().contains(said), "{target}: {problem}");
        assert_eq!(problem["status"], status);
    }
}

#[test]
fn pages_follow_their_links_to_the_end() {
    let (mut target, mut all) = ("/places/state:27?limit=4".to_owned(), Vec::new());
    for _ in 0..20 {
        let response = get(&target);
        let page = response.json()["data"].clone();
        all.extend(texts(&page["resources"], "resource_id"));
        let link = response.header("link").to_owned();
        let Some(cursor) = page["next_cursor"].as_str() else {
            assert_eq!(link, "");
            break;
        };
        assert_eq!(link, format!("<{SITE}/v1/places/state:27?limit=4&cursor={cursor}>; rel=\"next\""));
        target = format!("/places/state:27?limit=4&cursor={cursor}");
    }
    assert_eq!(all, texts(&data("/places/state:27")["resources"], "resource_id"));
}
