use platbook::{
    directory::{Directory, Row},
    vocabulary::{JurisdictionType, Layer, StateCode, Topic},
};
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use crate::{
    harness::Client,
    mcp::{legacy, modern, post, shared, without_request_id},
    sweep::steps,
};

/// A tool with arguments, and the same request in REST.
pub type Question = (&'static str, Value, String);

/// Makes some 2,400 requests over the whole country.
pub fn questions(directory: &Directory) -> Vec<Question> {
    let mut questions = Vec::new();
    let rows: Vec<Row> = directory.rows().collect();
    for (at, row) in rows.iter().step_by(rows.len() / 330).enumerate() {
        let view = directory.jurisdiction(*row);
        let topic = Topic::all().nth(at % Topic::all().len()).unwrap().as_str();
        if let Some(point) = view.point {
            let (lat, lon) = (point.lat_degrees(), point.lon_degrees());
            let here = json!({ "lat": lat, "lon": lon });
            let on = json!({ "lat": lat, "lon": lon, "topic": topic, "limit": 50 });
            questions.push((
                "resolve_jurisdiction",
                here.clone(),
                format!("/v1/jurisdictions/resolve?lat={lat}&lon={lon}"),
            ));
            questions.push(("screen_location", here, format!("/v1/screening?lat={lat}&lon={lon}")));
            let target = format!("/v1/resources?lat={lat}&lon={lon}&topic={topic}&limit=50");
            questions.push(("find_official_resource", on, target));
        }
        let id = view.id.to_string();
        let arguments = json!({ "jurisdiction_id": id });
        questions.push(("get_place_directory", arguments, format!("/v1/places/{id}?limit=5")));
        let arguments = json!({ "jurisdiction_id": id, "topic": topic, "limit": 5 });
        questions.push((
            "find_official_resource",
            arguments,
            format!("/v1/resources?jurisdiction_id={id}&topic={topic}&limit=5"),
        ));
        let name = || byte_serialize(view.name.as_bytes()).collect::<String>();
        questions.push(("search_directory", json!({ "q": view.name }), format!("/v1/search?q={}", name())));
        if let Some(state) = view.state.map(StateCode::usps) {
            let arguments = json!({ "place": view.name, "state": state });
            let target = format!("/v1/jurisdictions/resolve?place={}&state={state}", name());
            questions.push(("resolve_jurisdiction", arguments, target));
            let arguments = json!({ "topic": topic, "state": state });
            questions.push(("get_guide", arguments, format!("/v1/guides/{topic}?state={state}")));
        }
    }
    questions
}

/// Whether `value` equals `whole` without some of its members and items, and without nulls.
fn is_part(value: &Value, whole: &Value) -> bool {
    match (value, whole) {
        (Value::Object(some), Value::Object(all)) => {
            some.iter().all(|(name, inner)| all.get(name).is_some_and(|other| is_part(inner, other)))
        }
        (Value::Array(some), Value::Array(all)) => {
            let mut rest = all.iter();
            some.iter().all(|one| rest.any(|other| is_part(one, other)))
        }
        _ => value == whole && !value.is_null(),
    }
}

/// Counts the offices whose contact data a short answer has more than once.
fn repeated_offices(value: &Value) -> usize {
    fn collect<'v>(value: &'v Value, offices: &mut Vec<[&'v Value; 2]>) {
        match value {
            Value::Object(members) => {
                let names = [&value["jurisdiction_id"], &value["office_name"]];
                let has_contact = value["office"].is_object() && value["office_name"].is_string();
                offices.extend(has_contact.then_some(names));
                members.values().for_each(|inner| collect(inner, offices));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, offices)),
            _ => {}
        }
    }
    let mut offices = Vec::new();
    collect(value, &mut offices);
    let all = offices.len();
    offices.sort_by_key(|[body, name]| format!("{body} {name}"));
    offices.dedup();
    all - offices.len()
}

/// Limit for the median size of the structured content, in bytes: 1,500 tokens of four bytes.
const STRUCTURED_BYTES_MEDIAN: usize = 6_000;

/// Sends each request as a tool call and over REST. Refusals are equal, and answers are equal or a shortened part of
/// the whole.
#[test]
fn tools_say_what_rest_says() {
    let directory = platbook_service::embedded().unwrap();
    let questions = questions(&directory);
    let mut client = Client::connect(shared().address);
    let (mut sizes, mut refused) = (Vec::new(), 0);
    // Tools and REST list pages in different orders, so those lists have a test of their own.
    let questions: Vec<&Question> =
        questions.iter().filter(|(tool, ..)| *tool != "find_official_resource").collect();
    // Each place has six such requests, and the stride has no factor of six. So each kind of request occurs.
    let stride = questions.len() / steps(questions.len()) / 6 * 6 + 1;
    for (tool, arguments, target) in questions.into_iter().step_by(stride) {
        let rest = client.get(target);
        let mut expected = rest.json();
        let mut call = |arguments: &Value| {
            let asked = legacy("tools/call", json!({ "name": tool, "arguments": arguments }));
            post(&mut client, "", &asked.to_string()).json()["result"].take()
        };
        let short = call(arguments);
        if rest.status == 200 {
            without_request_id(&mut expected);
            let brief = &short["structuredContent"];
            assert!(is_part(brief, &expected), "{tool} {arguments}: {brief}");
            assert_eq!(repeated_offices(brief), 0, "{tool} {arguments}: {brief}");
            sizes.push(brief.to_string().len());
            let mut arguments = arguments.clone();
            arguments["detail"] = "full".into();
            let mut full = call(&arguments);
            without_request_id(&mut full["structuredContent"]);
            assert_eq!(full["structuredContent"], expected, "{tool} {arguments}");
            let length = |result: &Value| result["content"][0]["text"].as_str().unwrap().len();
            assert!(length(&full) >= length(&short), "{tool} {arguments}: a full text is shorter");
        } else {
            let text = short["content"][0]["text"].as_str().unwrap();
            let slug = expected["type"].as_str().unwrap().rsplit('/').next().unwrap();
            // A tool answers for the city and names the others, if a name belongs to a city and to a county or
            // township.
            let is_for_city = slug == "ambiguous" && text.starts_with("This answer is for ");
            let is_refused = text.starts_with(&format!("{slug}: "));
            assert!(is_refused || is_for_city, "{tool} {arguments}: {text}");
            for choice in expected["choices"].as_array().into_iter().flatten() {
                assert!(text.contains(choice["label"].as_str().unwrap()), "{choice}: {text}");
            }
            refused += 1;
        }
    }
    sizes.sort_unstable();
    let answered = sizes.len();
    assert!(answered > refused * 9 && refused > 0, "{answered} answered, {refused} refused");
    let median = sizes[answered / 2];
    println!("structured content: median {median} bytes, longest {}", sizes[answered - 1]);
    assert!(median < STRUCTURED_BYTES_MEDIAN, "{median} bytes");
}

/// A longer list of pages begins with the shorter one. The longer list has all pages of REST, and pages on other
/// topics only among its first three.
#[test]
fn a_longer_list_of_pages_begins_with_the_shorter() {
    const FEW: usize = 3;
    let directory = platbook_service::embedded().unwrap();
    let mut client = Client::connect(shared().address);
    let urls = |data: &Value| -> Vec<String> {
        let pages = data["resources"].as_array().into_iter().flatten();
        pages.map(|page| page["url"].as_str().unwrap().to_owned()).collect()
    };
    let rows: Vec<Row> = directory.rows().collect();
    let (mut lists, mut longest) = (0, 0);
    for (at, row) in rows.iter().step_by(rows.len() / steps(3_000)).enumerate() {
        let view = directory.jurisdiction(*row);
        let topic = Topic::all().nth(at % Topic::all().len()).unwrap().as_str();
        let (mut arguments, place) = match view.point.filter(|_| at % 2 == 0) {
            Some(point) => {
                let (lat, lon) = (point.lat_degrees(), point.lon_degrees());
                (json!({ "lat": lat, "lon": lon, "topic": topic }), format!("lat={lat}&lon={lon}"))
            }
            None => {
                let id = view.id.to_string();
                (json!({ "jurisdiction_id": id, "topic": topic }), format!("jurisdiction_id={id}"))
            }
        };
        let rest = client.get(&format!("/v1/resources?{place}&topic={topic}&limit=100"));
        let of_rest = urls(&rest.json()["data"]);
        let mut list = |limit: usize| {
            arguments["limit"] = limit.into();
            let call =
                legacy("tools/call", json!({ "name": "find_official_resource", "arguments": arguments }));
            urls(&post(&mut client, "", &call.to_string()).json()["result"]["structuredContent"]["data"])
        };
        let all = list(100);
        assert!(of_rest.iter().all(|url| all.contains(url)), "{place} {topic}: {all:?} without {of_rest:?}");
        let added = all.iter().skip(FEW).find(|url| !of_rest.contains(url));
        assert_eq!(added, None, "{place} {topic}: a page on another topic");
        for limit in [1, 2, FEW, 10, 50] {
            let shown = list(limit);
            // A short list may leave out the pages that come last: those of the nation, and of a county that leaves the job to others.
            let is_whole = shown.len() == limit.min(all.len()) || limit <= FEW;
            assert!(is_whole && all.starts_with(&shown), "{place} {topic} {limit}: {shown:?} of {all:?}");
        }
        (lists, longest) = (lists + 1, longest.max(all.len()));
    }
    assert!(lists > 290 && longest > 10, "{lists} lists, the longest of {longest}");
}

/// A place's text has at most 1,300 tokens, also on land of a nation, whose site it gives. Other texts may have some 6,000.
const RESOLVE_TEXT_BYTES_MAX: usize = 5_000;
const TEXT_BYTES_MAX: usize = 20_000;
/// Limit for the text and the JSON for programs together, in bytes: 8,000 tokens. A token of OpenAI's `o200k_base`
/// has 3.5 to 3.9 bytes of such answers.
const RESULT_BYTES_MAX: usize = 28_000;

#[test]
fn answers_are_small_in_every_county() {
    let directory = platbook_service::embedded().unwrap();
    let mut client = Client::connect(shared().address);
    let is_county = |row: &Row| directory.jurisdiction(*row).kind == JurisdictionType::Layer(Layer::County);
    let counties: Vec<Row> = directory.rows().filter(is_county).collect();
    assert!(counties.len() > 3_000, "{}", counties.len());
    let mut longest = std::collections::BTreeMap::new();
    for row in counties.iter().copied().step_by((counties.len() / steps(counties.len())).max(1)) {
        let view = directory.jurisdiction(row);
        let Some(point) = view.point else { continue };
        let here = json!({ "lat": point.lat_degrees(), "lon": point.lon_degrees() });
        for (tool, arguments) in [
            ("resolve_jurisdiction", here.clone()),
            ("get_place_directory", json!({ "jurisdiction_id": view.id.to_string() })),
            ("screen_location", here),
        ] {
            let call = legacy("tools/call", json!({ "name": tool, "arguments": arguments }));
            let response = post(&mut client, "", &call.to_string());
            let result = response.json()["result"].take();
            let text = result["content"][0]["text"].as_str().unwrap().len();
            let whole = response.body.len();
            assert!(
                text <= if tool == "resolve_jurisdiction" { RESOLVE_TEXT_BYTES_MAX } else { TEXT_BYTES_MAX },
                "{arguments}: {text} bytes"
            );
            assert!(whole <= RESULT_BYTES_MAX, "{tool} {arguments}: {whole} bytes");
            longest.entry(tool).and_modify(|known: &mut usize| *known = whole.max(*known)).or_insert(whole);
        }
    }
    println!("{longest:?}");
    assert_eq!(longest.len(), 3, "each tool answers");
}

/// Messages that are sent with bytes changed, cut, doubled and swapped.
fn seeds() -> Vec<(String, String)> {
    let call = json!({ "name": "resolve_jurisdiction", "arguments": { "lat": 44.9773, "lon": -93.2655 } });
    let search =
        json!({ "name": "search_directory", "arguments": { "q": "saint paul", "state": "MN", "limit": 3 } });
    let place = json!({ "name": "get_place_directory", "arguments": { "place": "Austin", "state": "TX", "cursor": null } });
    let mut seeds: Vec<(String, String)> = [
        legacy("tools/call", call.clone()),
        legacy("tools/call", search),
        legacy("tools/call", place),
        legacy("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": { "roots": {} } })),
        legacy("resources/read", json!({ "uri": "guide://zoning/MN" })),
        legacy("completion/complete", json!({ "ref": { "uri": "guide://{topic}/{state}" }, "argument": { "name": "topic", "value": "z" } })),
    ]
    .iter()
    .map(|message| (String::new(), message.to_string()))
    .collect();
    let (lines, message) = modern("tools/call", call);
    seeds.push((lines, message.to_string()));
    seeds
}

fn mutated(seed: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    const PIECES: [&str; 14] = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "null",
        "-1e999",
        "\\u0000",
        "\\ud800",
        ",",
        ":",
        "é",
        "1e308",
        "[[[[[[[[[[",
    ];
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(1..5) {
        let at = random.usize(..=bytes.len());
        match random.u8(..6) {
            0 if at < bytes.len() => bytes[at] = random.u8(..),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => {
                let tail = bytes[at..].to_vec();
                bytes.extend(tail);
            }
            4 => {
                let end = (at + random.usize(..20)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let piece = PIECES[random.usize(..PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
        }
    }
    bytes
}

#[test]
fn whatever_is_sent_is_answered_in_good_order() {
    let mut random = fastrand::Rng::with_seed(1);
    let seeds = seeds();
    let mut client = Client::connect(shared().address);
    let mut statuses = std::collections::BTreeMap::new();
    for at in 0..steps(3_000) {
        let (lines, seed) = &seeds[at % seeds.len()];
        let body = mutated(seed.as_bytes(), &mut random);
        let head = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
        client.send(&format!("{head}Content-Length: {}\r\n{lines}\r\n", body.len()));
        client.send_bytes(&body);
        let response = client.receive(false);
        let shown = String::from_utf8_lossy(&body);
        assert!([200, 202, 400, 404].contains(&response.status), "{shown}: {}", response.body);
        if response.status != 202 {
            let message = response.json();
            assert_eq!(message["jsonrpc"], "2.0", "{shown}");
            assert!(message.get("result").is_some() != message.get("error").is_some(), "{shown}");
        }
        *statuses.entry(response.status).or_insert(0_u32) += 1;
    }
    let is_seen = |status: u16| statuses.get(&status).is_some_and(|seen| *seen > 5);
    assert!(is_seen(200) && is_seen(400), "{statuses:?}");
    println!("{statuses:?}");
}
