use serde_json::{Value, json};

use crate::mcp::{ask, text};

/// Calls a tool, and checks that its answer has the words `said` and none of the words `unsaid`.
fn check(tool: &str, arguments: &Value, said: &[&str], unsaid: &[&str]) {
    let result = ask("tools/call", json!({ "name": tool, "arguments": arguments }));
    let text = text(&result);
    said.iter().for_each(|said| assert!(text.contains(said), "{tool} {arguments}: {said}: {text}"));
    unsaid.iter().for_each(|said| assert!(!text.contains(said), "{tool} {arguments}: {said}: {text}"));
    assert_eq!(result["isError"], false, "{tool} {arguments}");
}

type Case = (&'static str, Value, &'static [&'static str], &'static [&'static str]);

#[test]
fn a_name_of_a_city_is_answered_for_the_city() {
    let cases: [Case; 4] = [
        // A name of a city and of its county or township is answered for the city.
        (
            "resolve_jurisdiction",
            json!({ "place": "Dallas", "state": "TX" }),
            &["This answer is for Dallas city", "Dallas County, Texas (county:48113)", "(place:4819000)"],
            &["ambiguous"],
        ),
        (
            "resolve_jurisdiction",
            json!({ "address": "Naperville, IL" }),
            &["for Naperville city"],
            &["ambiguous"],
        ),
        (
            "resolve_jurisdiction",
            json!({ "place": "Bethel", "state": "AK" }),
            &["Bethel Census Area, Alaska (county:02050)"],
            &["ambiguous", "Last day to appeal"],
        ),
        (
            "find_official_resource",
            json!({ "place": "Houston", "state": "TX", "topic": "building_permits" }),
            &["This answer is for Houston city", "(place:4835000)", "- permits: "],
            &["ambiguous"],
        ),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

#[test]
fn the_office_stands_before_the_pages() {
    let cases: [Case; 4] = [
        // The office stands before the pages, and takes appeals where no page is on record.
        (
            "find_official_resource",
            json!({ "place": "Travis County", "state": "TX", "topic": "appeals" }),
            &["- assessment: ", "Travis Central Appraisal District", "Tel. 512-834-9317"],
            &[],
        ),
        ("ask_directory", json!({ "q": "property appraiser 33139" }), &["Tel. 305-375-4712"], &[]),
        (
            "ask_directory",
            json!({ "q": "tax collector Yolo County CA" }),
            &["- tax_collection: ", "Tel. "],
            &[],
        ),
        (
            "find_official_resource",
            json!({ "lat": 29.7604, "lon": -95.3698, "topic": "floodplain" }),
            &["(Federal Emergency Management Agency)"],
            &["127.0.0.1"],
        ),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

#[test]
fn only_what_was_asked_is_answered() {
    let jobs = json!(["recording", "assessment", "tax_collection"]);
    let cases: [Case; 3] = [
        // Answers with only the requested jobs, for one place, several governments or several points.
        (
            "resolve_jurisdiction",
            json!({ "jurisdiction_id": "county:27053", "functions": ["recording"] }),
            &["- recording: "],
            &["- assessment: ", "- zoning: "],
        ),
        (
            "resolve_jurisdiction",
            json!({ "jurisdiction_ids": ["county:32003", "county:53033", "county:55025"], "functions": jobs }),
            &["Clark County (county:32003)", "King County", "Dane County", "- recording: "],
            &["- zoning: "],
        ),
        (
            "resolve_jurisdiction",
            json!({ "points": ["34.0522,-118.2437", [36.1699, -115.1398], "0,0"] }),
            &["(place:0644000)", "(place:3240000)", "0,0: lat 0, lon 0 is in no covered state"],
            &["- assessment: "],
        ),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

#[test]
fn lists_say_how_much_they_show_and_why_they_are_empty() {
    let cases: [Case; 8] = [
        // Lists say how much of the whole they show, by which figures, and why they are empty.
        (
            "list_jurisdictions",
            json!({ "state": "MT", "type": "place", "order": "population", "limit": 10 }),
            &["10 of ", "Butte-Silver Bow", " people in 2019"],
            &[],
        ),
        ("list_jurisdictions", json!({ "state": "WY", "type": "county" }), &["23 of 23:"], &[]),
        (
            "list_jurisdictions",
            json!({ "state": "CO", "type": "cousub" }),
            &["Colorado has no towns or townships that govern."],
            &["Leave one out"],
        ),
        ("search_directory", json!({ "q": "Hamilton County" }), &["10 places are shown"], &[]),
        // A question about the service itself.
        (
            "ask_directory",
            json!({ "q": "Where can I download your whole dataset and under which license?" }),
            &["/v1/download", "MIT or Apache-2.0"],
            &["Nothing with this name"],
        ),
        (
            "ask_directory",
            json!({ "q": "How complete is your data, and have the links been verified?" }),
            &["United States, by GET", "/v1/coverage:", "3,235 counties with an outline"],
            &["Nothing with this name"],
        ),
        (
            "ask_directory",
            json!({ "q": "How complete is your data in Minnesota?" }),
            &["Minnesota, by GET", "/v1/coverage?state=MN:", "87 of 87 counties with an outline"],
            &[],
        ),
        // Lot coverage is a matter of zoning.
        ("ask_directory", json!({ "q": "lot coverage Austin TX" }), &["Austin"], &["/v1/coverage"]),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

#[test]
fn texts_are_read_as_people_type_them() {
    let cases: [Case; 8] = [
        ("ask_directory", json!({ "q": "albaquerque building permits phone" }), &["Albuquerque"], &[]),
        (
            "ask_directory",
            json!({ "q": "¿Dónde pago los impuestos de propiedad en Las Cruces, Nuevo México?" }),
            &["County Treasurer, Doña Ana County"],
            &[],
        ),
        (
            "ask_directory",
            json!({ "q": "44°56'38\"N 123°02'06\"W building permit office" }),
            &["Salem, Marion County, Oregon", "- permits:"],
            &["- recording:"],
        ),
        // The community in the text is not in the data, and the city of this name is in Texas.
        (
            "ask_directory",
            json!({ "q": "Kyle, South Dakota Pine Ridge Reservation building permit" }),
            &[],
            &["cityofkyle"],
        ),
        // The city of the name, with the facts that the tool is for.
        (
            "screen_location",
            json!({ "place": "Fargo", "state": "ND" }),
            &["Fargo city", "adon"],
            &["- recording:"],
        ),
        // Health districts and states permit septic systems, not building offices.
        (
            "find_official_resource",
            json!({ "place": "Flathead County", "state": "MT", "topic": "septic_well" }),
            &["In Montana: For a septic system ask the county sanitarian"],
            &["Ask the office named here"],
        ),
        // Land of the Bureau of Land Management: the answer cites only its own source.
        (
            "resolve_jurisdiction",
            json!({ "lat": 38.65, "lon": -109.75, "functions": ["zoning"] }),
            &["federal land", "ask the agency that runs it first"],
            // Sources of other jobs are left out as well.
            &["Malheur", "Okefenokee", "transfer tax"],
        ),
        (
            "list_offices",
            json!({ "function": "assessment", "state": "WV", "limit": 100 }),
            &["of these 55."],
            &[],
        ),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

/// St. Louis is a city without a county, beside a county of its name. Two cities of one name are equals as well.
#[test]
fn the_rest_of_a_text_chooses_the_place_and_no_office_hides_what_it_lacks() {
    let cases: [Case; 9] = [
        // A ZIP code settles which place is meant.
        (
            "ask_directory",
            json!({ "q": "duplex in Detroit 48205: who do I appeal the assessment to" }),
            &["Detroit city (place:2622000)"],
            &["Detroit town", "Detroit Township", "Appraisal district"],
        ),
        // Both places of a choice are answered.
        (
            "ask_directory",
            json!({ "q": "I'm in Harrisonburg - city or Rockingham County? who assess real estate" }),
            &["Real Estate Office, Harrisonburg city", "Commissioner of the Revenue, Rockingham County"],
            &["county:33015"],
        ),
        // An officer without any contact on record.
        (
            "ask_directory",
            json!({ "q": "62703 - who is my township assessor (Springfield, IL)" }),
            &["Township Assessor, Capital Township. (no telephone on record)"],
            &[],
        ),
        (
            "ask_directory",
            json!({ "q": "who assesses, who collects taxes, and record deed in Cranberry Township, Butler County, PA" }),
            &["Tax Collector, Cranberry Township. (no telephone on record)"],
            &[],
        ),
        // An office that does not do the job there is not the best page.
        (
            "find_official_resource",
            json!({ "place": "Rangeley town, Franklin County", "state": "ME", "topic": "zoning" }),
            &["Page: Land Use Planning Commission"],
            &["Best:"],
        ),
        (
            "find_official_resource",
            json!({ "place": "Pierce County", "state": "ND", "topic": "roads_right_of_way" }),
            &["Page: North Dakota Department of Transportation"],
            &["Best:"],
        ),
        // A scanned document is not an office's page, and a map service follows pages.
        (
            "ask_directory",
            json!({ "q": "zoning in Deschutes County Oregon" }),
            &["https://deschutescounty.gov/ (main site) Tel. 541-388-6575"],
            &["- zoning: Planning department, Deschutes County. https://weblink"],
        ),
        (
            "ask_directory",
            json!({ "q": "parcel map Sublette County Wyoming" }),
            &["Pages:\n- Wyoming statewide parcel viewer"],
            &[],
        ),
        ("ask_directory", json!({ "q": "town clerk hours, Brattleboro VT" }), &["Opening hours"], &[]),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

#[test]
fn equals_of_one_name_stay_choices() {
    for (place, state) in [("St. Louis", "MO"), ("Baltimore", "MD"), ("Springfield", "PA")] {
        let arguments = json!({ "place": place, "state": state });
        let result = ask("tools/call", json!({ "name": "resolve_jurisdiction", "arguments": arguments }));
        assert!(text(&result).starts_with("ambiguous: "), "{place}: {}", text(&result));
    }
}

#[test]
fn structured_content_has_the_jobs_that_were_asked() {
    let called = |arguments: Value| {
        let result = ask("tools/call", json!({ "name": "resolve_jurisdiction", "arguments": arguments }));
        let functions = &result["structuredContent"]["data"]["functions"];
        functions.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    for detail in ["short", "full"] {
        let arguments =
            json!({ "jurisdiction_id": "county:27053", "functions": ["recording", "gis"], "detail": detail });
        assert_eq!(called(arguments), "recording gis", "{detail}");
    }
}

/// Tests topics that no job covers, unknown facts, several places by name, and land that no listed government covers.
#[test]
fn who_decides_stands_first() {
    let cases: [Case; 9] = [
        (
            "find_official_resource",
            json!({ "jurisdiction_id": "county:30031", "topic": "septic_well" }),
            &[
                "In Montana: For a septic system ask the county sanitarian",
                "Montana Department of Environmental Quality, https://deq.mt.gov/",
                "No page or telephone of Gallatin County",
                "Gallatin County: https://",
            ],
            &["- permits:", "Building Codes Program"],
        ),
        (
            "ask_directory",
            json!({ "q": "59718 septic permit" }),
            &["In Montana: For a septic system ask the county sanitarian", "https://deq.mt.gov/"],
            &["Building Codes Program"],
        ),
        (
            "get_guide",
            json!({ "topic": "septic_well", "state": "MT" }),
            &["In Montana: For a septic system ask the county sanitarian", "https://deq.mt.gov/"],
            &[],
        ),
        (
            "find_official_resource",
            json!({ "lat": 46.7867, "lon": -92.1005, "topic": "wetlands" }),
            &["In Minnesota: A local government unit decides on wetlands", "https://bwsr.state.mn.us"],
            &[],
        ),
        (
            "find_official_resource",
            json!({ "jurisdiction_id": "county:05143", "topic": "roads_right_of_way" }),
            &["No page or telephone of Washington County", "Washington County: https://"],
            &[],
        ),
        // The answer leads to the map itself, because the fact is unknown.
        (
            "find_official_resource",
            json!({ "lat": 29.3013, "lon": -94.7977, "topic": "floodplain" }),
            &["FEMA Flood Map Service Center, https://msc.fema.gov/portal/home", "- Here: City building"],
            &[],
        ),
        (
            "screen_location",
            json!({ "lat": 29.3013, "lon": -94.7977 }),
            &[
                "confirm: FEMA Flood Map Service Center, https://msc.fema.gov/portal/home",
                "confirm: Wetlands Mapper, https://www.fws.gov/",
                "also: TWDB flood planning, https://www.twdb.texas.gov/flood/",
            ],
            &["map service for software"],
        ),
        (
            "resolve_jurisdiction",
            json!({ "jurisdiction_ids": ["Boise, ID", "Pocatello, ID", "county:16083"], "functions": ["recording"] }),
            &["Ada County", "Bannock County", "Twin Falls County", "of these 3", "recording: "],
            &["- assessment: "],
        ),
        (
            "list_jurisdictions",
            json!({ "within": "county:23029", "function": "assessment", "limit": 100 }),
            &["On land of Washington County that no town or city covers, this office does the job: "],
            &[],
        ),
    ];
    cases.iter().for_each(|(tool, arguments, said, unsaid)| check(tool, arguments, said, unsaid));
}

#[test]
fn several_places_have_office_and_page_in_one_call() {
    let arguments = json!({ "topic": "recorder_deeds", "jurisdiction_ids": ["Ada County", "county:16005"], "state": "ID" });
    let result = ask("tools/call", json!({ "name": "find_official_resource", "arguments": arguments }));
    let shown = text(&result);
    for said in ["- Ada County (county:16001): ", "- Bannock County (county:16005): ", "Recorder"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    let places = result["structuredContent"]["data"]["places"].as_array().unwrap();
    assert_eq!(places.len(), 2);
    assert!(places.iter().all(|place| place["offices"][0]["name"].is_string()), "{places:?}");
}
