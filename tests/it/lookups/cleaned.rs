use platbook::{
    answers::{AddressAnswer, Lookup},
    vocabulary::is_unsafe_to_show,
};
use platbook_service::upstream::Asker;
use serde_json::Value;

use super::{
    answers, lookups, outcome,
    outside::{Act, Outside},
};

/// A hostile text for each field of each answer: control characters, direction marks, zero-width and tag characters,
/// HTML, and 60,000 letters.
fn evil() -> String {
    let controls =
        "\u{0}\r\n\u{1b}[2J\u{9b}31m\u{202e}\u{2028}\u{200b}\u{e0049}\u{e0047}<img src=x onerror=alert(1)>";
    format!("A{controls}{}", "B".repeat(60_000))
}

/// A string in JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// An answer of each service with this text in every field that is shown.
fn with_text(path: &str, text: &str) -> String {
    let text = &quoted(text);
    let features = |fields: String| format!("{{\"features\":[{{\"attributes\":{{{fields}}}}}]}}");
    match path {
        "/locations/onelineaddress" => {
            let one =
                |x: f64| format!("{{\"matchedAddress\":{text},\"coordinates\":{{\"x\":{x},\"y\":44.9}}}}");
            format!("{{\"result\":{{\"addressMatches\":[{},{}]}}}}", one(-93.2), one(-93.4))
        }
        "/28/query" => features(format!(
            "\"FLD_ZONE\":{text},\"ZONE_SUBTY\":{text},\"SFHA_TF\":\"T\",\"STATIC_BFE\":5,\"V_DATUM\":{text}"
        )),
        "/3/query" => features(format!("\"FIRM_PAN\":{text},\"EFF_DATE\":1478217600000")),
        "/Wetlands/MapServer/0/query" => features(format!("\"ATTRIBUTE\":{text},\"WETLAND_TYPE\":{text}")),
        "/Tabular/post.rest" => {
            let names =
                "[\"mukey\",\"musym\",\"muname\",\"areasymbol\",\"compname\",\"drainagecl\",\"hydgrp\"]";
            format!("{{\"Table\":[{names},[{}]]}}", [text.as_str(); 7].join(","))
        }
        "/1/query" => {
            features(format!("\"pwi_class\":\"P\",\"pw_basin_name\":{text},\"dnr_shoreland_class\":{text}"))
        }
        _ => "{\"features\":[]}".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_of_a_service_reaches_an_answer_as_it_came() {
    let outside =
        Outside::start(|call| Act::json(&with_text(call.target().split('?').next().unwrap(), &evil()))).await;
    for (service, word) in [
        ("geocoder", "several"),
        ("flood", "sfha"),
        ("wetlands", "yes"),
        ("soils", "ok"),
        ("shoreland", "likely"),
    ] {
        let outcome = outcome(&lookups(service, &outside.url()), service).await;
        assert_eq!(outcome.word, word, "{service}");
        let shown = format!("{} {}", outcome.said, strings(&outcome.json).join(" "));
        assert!(shown.contains("<img") && shown.contains('…'), "{service}: {shown}");
        assert!(!shown.contains(is_unsafe_to_show), "{service}: {shown:?}");
        assert!(shown.chars().count() < 6_000, "{service}: {} characters", shown.chars().count());
    }
}

/// All texts in an answer.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// Of many matches a few are offered, with advice on the rest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn few_of_many_matches_are_read() {
    for (matches, apart, choices, says_more) in [
        (2, 0.1, 2, false),
        (10, 0.1, 10, false),
        (11, 0.1, 10, true),
        (9_000, 0.001, 10, true),
        (9_000, 0.0, 1, false),
    ] {
        let outside = Outside::start(move |_| {
            let one = |at: usize| {
                let x = -100.0 + at as f64 * apart;
                format!("{{\"matchedAddress\":\"1 MAIN ST\",\"coordinates\":{{\"x\":{x},\"y\":44.9}}}}")
            };
            let list: Vec<String> = (0..matches).map(one).collect();
            Act::json(&format!("{{\"result\":{{\"addressMatches\":[{}]}}}}", list.join(",")))
        })
        .await;
        let lookups = lookups("geocoder", &outside.url());
        let lookup = Lookup::Address("1 Main St".to_owned());
        let found = lookups.run(answers(), lookup, || Ok(Asker::Operator)).await.unwrap();
        let offered = match &found.address {
            AddressAnswer::Several(list) => list.len(),
            AddressAnswer::One(_) => 1,
            other => panic!("{matches}: {other:?}"),
        };
        assert_eq!(offered, choices, "{matches} matches, {apart} apart");
        assert_eq!(found.hint.is_some_and(|hint| hint.contains("More addresses")), says_more, "{matches}");
    }
}
