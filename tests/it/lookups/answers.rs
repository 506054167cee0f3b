use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{
    SERVICES, desk, outcome,
    outside::{Act, Outside},
};

/// The table of `tests/upstream/answers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    case: Vec<Case>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    service: String,
    http: Option<u16>,
    #[serde(default)]
    control: ControlReply,
    replies: BTreeMap<String, String>,
    expect: Expected,
}

/// What the control question is answered.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ControlReply {
    /// As by a service that has its data.
    #[default]
    Right,
    /// As all other questions are.
    Same,
    /// With status 500.
    Down,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    status: String,
    said: Option<String>,
    as_of: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, Value>,
    #[serde(default)]
    absent: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_of_services_are_read() {
    let table: Table = toml::from_str(include_str!("../../upstream/answers.toml")).unwrap();
    let of = |service: &&str| table.case.iter().filter(|case| case.service == **service).count();
    assert!(SERVICES.iter().map(of).all(|count| count > 4), "each service has its cases");
    for case in table.case {
        check(case).await;
    }
}

async fn check(case: Case) {
    let replies = case.replies.clone();
    let (http, control) = (case.http.unwrap_or(200), case.control);
    let outside = Outside::start(move |call| {
        match control {
            ControlReply::Right if call.is_control() => return Act::right(call),
            ControlReply::Down if call.is_control() => {
                return Act::answer(500, "text/html", "<html>down</html>");
            }
            _ => {}
        }
        let path = call.target().split('?').next().unwrap();
        let near = call.pairs().iter().any(|(name, _)| name == "distance");
        let key = format!("{path}?distance");
        let reply = if near { replies.get(&key).or(replies.get(path)) } else { replies.get(path) };
        match reply {
            Some(body) => Act::answer(http, "application/json", body),
            None => Act::answer(404, "text/html", "<html>not here</html>"),
        }
    })
    .await;
    let outcome = outcome(&desk(&case.service, &outside.url()), &case.service).await;
    let Expected { status, said, as_of, values, absent } = case.expect;
    let name = format!("{}, {}", case.service, case.name);
    assert_eq!(outcome.word, status, "{name}: {outcome:?}");
    assert!(said.is_none_or(|said| outcome.said.contains(&said)), "{name}: {outcome:?}");
    if let Some(as_of) = as_of {
        assert_eq!(outcome.json["as_of"], as_of, "{name}");
    }
    for (key, value) in values {
        assert_eq!(outcome.json["values"][&key], value, "{name}: {key}");
    }
    for key in absent {
        assert_eq!(outcome.json["values"].get(&key), None, "{name}: {key}");
    }
}
