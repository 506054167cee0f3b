use std::{
    io::Write,
    process::{Command, Stdio},
    sync::LazyLock,
};

use platbook_service::{
    http::{
        Capacity,
        limits::{Proxies, RateLimiter, Table},
    },
    mcp::McpDoor,
};
use serde_json::{Value, json};

use crate::harness::{COVERED, Client, Response, SITE, Server, service};

const MODERN: &str = "2026-07-28";

/// One server with this front end for all tests that only read.
pub fn shared() -> &'static Server {
    static SHARED: LazyLock<Server> =
        LazyLock::new(|| Server::start(service().with_door(Box::new(McpDoor)), Capacity::default()));
    &SHARED
}

/// Posts bytes as JSON, with further header lines.
pub fn post(client: &mut Client, lines: &str, body: &str) -> Response {
    let head = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    client.send(&format!("{head}Content-Length: {}\r\n{lines}\r\n{body}", body.len()));
    client.receive(false)
}

/// A message of the older era of the protocol.
pub fn legacy(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// A message of the newer era of the protocol, and its headers.
pub fn modern(method: &str, mut params: Value) -> (String, Value) {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let name = params["name"].as_str().or(params["uri"].as_str());
    let name = name.map_or(String::new(), |name| format!("Mcp-Name: {name}\r\n"));
    let lines = format!("MCP-Protocol-Version: {MODERN}\r\nMcp-Method: {method}\r\n{name}");
    (lines, legacy(method, params))
}

/// Sends a request in both eras; the results are equal but for the newer era's additions.
pub fn ask(method: &str, params: Value) -> Value {
    let mut client = Client::connect(shared().address);
    let old = post(&mut client, "", &legacy(method, params.clone()).to_string());
    let (lines, message) = modern(method, params);
    let new = post(&mut client, &lines, &message.to_string());
    assert_eq!((old.status, new.status), (200, 200), "{method}: {} {}", old.body, new.body);
    let (mut old, mut new) = (old.json()["result"].take(), new.json()["result"].take());
    assert_eq!(new["resultType"], "complete", "{method}");
    assert_eq!(new["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "platbook", "{method}");
    let added = ["resultType", "_meta", "ttlMs", "cacheScope"];
    added.iter().for_each(|name| drop(new.as_object_mut().unwrap().shift_remove(*name)));
    [&mut old, &mut new]
        .into_iter()
        .filter_map(|result| result.get_mut("structuredContent"))
        .for_each(without_request_id);
    assert_eq!(old, new, "{method}");
    old
}

/// Removes the id of a request, the only difference between two answers to one request. Short answers have no id.
pub fn without_request_id(answer: &mut Value) {
    if let Some(object) = answer.as_object_mut() {
        object.shift_remove("request_id");
    }
}

pub fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn sessions_of_the_older_era_begin_and_need_nothing_more() {
    let mut client = Client::connect(shared().address);
    for (asked, agreed) in
        [("2025-03-26", "2025-03-26"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")]
    {
        let hello = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
        let begun = post(&mut client, "", &legacy("initialize", hello).to_string());
        assert_eq!((begun.status, begun.header("mcp-session-id")), (200, ""));
        let result = &begun.json()["result"];
        assert_eq!(result["protocolVersion"], agreed);
        assert!(result["instructions"].as_str().unwrap().contains("resolve_jurisdiction"));
    }
    let ready = post(&mut client, "", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!((ready.status, &*ready.body, ready.header("content-type")), (202, "", ""));
    let lines = "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: of-another-server\r\n";
    assert_eq!(post(&mut client, lines, &legacy("ping", json!({})).to_string()).json()["result"], json!({}));
}

#[test]
fn the_newer_era_discovers_what_is_there() {
    let (lines, message) = modern("server/discover", json!({}));
    let found = post(&mut Client::connect(shared().address), &lines, &message.to_string()).json();
    let result = &found["result"];
    assert_eq!(result["supportedVersions"][0], MODERN);
    assert_eq!(
        result["capabilities"],
        json!({ "tools": {}, "resources": {}, "prompts": {}, "completions": {} })
    );
    assert!(result["ttlMs"].as_u64().unwrap() > 0 && result["cacheScope"] == "public");
}

#[test]
fn messages_that_are_refused_say_why_by_status_and_code() {
    let call = |name: &str| json!({ "name": name, "arguments": {} });
    let version = format!("MCP-Protocol-Version: {MODERN}\r\n");
    let cases = [
        // Header lines, body, status, error code
        (String::new(), "{".to_owned(), 400, -32_700),
        (String::new(), "[]".to_owned(), 400, -32_600),
        (String::new(), "[".repeat(60_000), 400, -32_600),
        (String::new(), " ".repeat((64 << 10) + 1), 413, -32_600),
        (
            "Origin: http://evil.example.com\r\n".to_owned(),
            legacy("ping", json!({})).to_string(),
            403,
            -32_600,
        ),
        (
            "Origin: http://localhost\r\nOrigin: http://evil.example.com\r\n".to_owned(),
            legacy("ping", json!({})).to_string(),
            403,
            -32_600,
        ),
        ("Content-Encoding: gzip\r\n".to_owned(), legacy("ping", json!({})).to_string(), 415, -32_600),
        ("MCP-Protocol-Version: 1.0\r\n".to_owned(), legacy("ping", json!({})).to_string(), 400, -32_022),
        (version.clone(), legacy("tools/list", json!({})).to_string(), 400, -32_602),
        (version.clone(), modern("tools/list", json!({})).1.to_string(), 400, -32_020),
        (version, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(), 400, -32_600),
        (modern("ping", json!({})).0, modern("ping", json!({})).1.to_string(), 404, -32_601),
        (String::new(), legacy("nothing", json!({})).to_string(), 200, -32_601),
        (String::new(), legacy("tools/call", call("nothing")).to_string(), 200, -32_602),
        (
            String::new(),
            legacy("tools/call", json!({ "name": "get_guide", "arguments": [] })).to_string(),
            200,
            -32_602,
        ),
        (String::new(), legacy("tools/list", json!({ "cursor": "x" })).to_string(), 200, -32_602),
        (
            String::new(),
            legacy("resources/read", json!({ "uri": "guide://fishing" })).to_string(),
            200,
            -32_602,
        ),
        (String::new(), legacy("prompts/get", json!({ "name": "x" })).to_string(), 200, -32_602),
    ];
    for (lines, body, status, code) in cases {
        let refused = post(&mut Client::connect(shared().address), &lines, &body);
        let shown = &body[..body.len().min(200)];
        assert_eq!(refused.status, status, "{lines} {shown}: {}", refused.body);
        let error = &refused.json()["error"];
        assert_eq!(error["code"], code, "{lines} {shown}: {error}");
        assert!(error["message"].as_str().unwrap().len() > 10, "{error}");
    }
}

#[test]
fn other_ways_to_ask_at_the_path_are_distinguished() {
    let mut client = Client::connect(shared().address);
    for method in ["GET", "DELETE"] {
        let refused = client.ask(method, "/mcp", "Accept: text/event-stream\r\n");
        assert_eq!((refused.status, refused.header("allow")), (405, "POST, OPTIONS"));
        let refused = refused.json();
        assert_eq!(refused["id"], Value::Null);
        assert!(refused["error"]["message"].as_str().unwrap().ends_with("by POST, as application/json"));
    }
    let preflight = client.ask(
        "OPTIONS",
        "/mcp",
        "Origin: http://localhost:1\r\nAccess-Control-Request-Method: POST\r\n",
    );
    assert_eq!(preflight.header("access-control-allow-methods"), "POST");
    assert!(preflight.header("access-control-allow-headers").contains("mcp-protocol-version"));
    client.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\n{}");
    assert_eq!(client.receive(false).status, 415);
    for path in ["/mcp/server-card", "/.well-known/mcp/server-card.json"] {
        let answer = client.get(path);
        assert_eq!(answer.header("content-type"), "application/mcp-server-card+json");
        let card = answer.json();
        assert_eq!(card["remotes"][0]["url"], format!("{SITE}/mcp"));
    }
    assert_eq!(client.ask("POST", "/v1/topics", "Content-Length: 0\r\n").status, 405, "here alone");
    let ping = legacy("ping", json!({})).to_string();
    let lines = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{ping}", ping.len());
    client.send(&format!("POST /mcp/ HTTP/1.1\r\nHost: x\r\n{lines}"));
    assert_eq!(client.receive(false).json()["result"], json!({}));
}

/// The service does not wait for a body that its head calls too long, and does not send `100 Continue` for it.
#[test]
fn a_message_that_says_that_it_is_too_long_is_refused_at_once() {
    let head = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    for lines in ["Content-Length: 99999999999\r\n", "Content-Length: 65537\r\nExpect: 100-continue\r\n"] {
        let mut client = Client::connect(shared().address);
        client.send(&format!("{head}{lines}\r\n"));
        let refused = client.receive(false);
        assert_eq!(refused.status, 413, "{lines}");
        assert_eq!(refused.json()["error"]["message"], "the body is longer than 65536 bytes", "{lines}");
    }
}

#[test]
fn each_tool_answers_in_both_eras() {
    let here = json!({ "lat": 44.9773, "lon": -93.2655 });
    let cases = [
        ("resolve_jurisdiction", here.clone(), "assessment: City Assessor, Minneapolis."),
        (
            "resolve_jurisdiction",
            json!({ "place": "Hennepin County", "state": "MN" }),
            "Hennepin County (county:27053)",
        ),
        (
            "find_official_resource",
            json!({ "jurisdiction_id": "county:27053", "topic": "parcel_map" }),
            "- Best: ",
        ),
        (
            "find_official_resource",
            json!({ "place": "Hennepin County", "state": "MN", "topic": "parcel_map" }),
            "- Best: ",
        ),
        (
            "find_official_resource",
            json!({ "lat": "44.9773", "lon": "-93.2655", "topic": "deeds", "address": "" }),
            "- Best: ",
        ),
        ("get_place_directory", json!({ "jurisdiction_id": "county:27053" }), "Pages by topic:"),
        (
            "get_place_directory",
            json!({ "place": "Hennepin County", "state": "mn", "limit": 1.0 }),
            "with cursor ",
        ),
        ("search_directory", json!({ "q": "st paul", "state": "MN", "limit": 3 }), "(place:2758000)"),
        (
            "find_official_resource",
            json!({ "jurisdiction_ids": ["county:27053", "county:1", "state:27"], "topic": "parcel_map" }),
            "- Hennepin County (county:27053): ",
        ),
        (
            "list_jurisdictions",
            json!({ "state": "OH", "type": "county", "order": "population", "limit": 5 }),
            "5 of 88:\n- Franklin County (county:39049), OH, ",
        ),
        (
            "list_jurisdictions",
            json!({ "within": "county:27053", "type": "place", "function": "assessment", "limit": 50 }),
            "- Minneapolis city (place:2743000), MN: City Assessor.",
        ),
        (
            "list_offices",
            json!({ "function": "assessment", "state": "WY" }),
            "- Albany County (county:56001), WY: ",
        ),
        ("get_guide", json!({ "topic": "zoning", "state": "MN" }), "In Minnesota:"),
        ("get_guide", json!({ "topic": "zoning" }), "Guide checked on"),
        ("screen_location", here.clone(), "never an official determination"),
        ("get_property_facts", here, "Do not guess them."),
    ];
    for (tool, arguments, said) in cases {
        let result = ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(text(&result).contains(said), "{tool} {arguments}: {}", text(&result));
        assert_eq!(result["isError"], false);
        assert!(result["structuredContent"].is_object());
    }
}

#[test]
fn what_a_tool_cannot_answer_is_a_result_with_advice() {
    for (tool, arguments, said) in [
        (
            "resolve_jurisdiction",
            json!({}),
            &["bad-parameter: no location was given", "Correct the arguments"][..],
        ),
        ("resolve_jurisdiction", json!({ "lat": -93.2655, "lon": 44.9773 }), &["bad-point", "look swapped"]),
        (
            "resolve_jurisdiction",
            json!({ "lat": 45.5, "lon": 93.6 }),
            &["outside-coverage", "(with a minus sign)"],
        ),
        (
            "resolve_jurisdiction",
            json!({ "latitude": 1 }),
            &["takes no \"latitude\"; give lat instead; it takes lat, lon"],
        ),
        (
            "resolve_jurisdiction",
            json!({ "place": "Springfield Township", "state": "PA" }),
            &[
                "ambiguous: ",
                "Ask the user",
                "- Springfield Township, Bucks County, Pennsylvania (jurisdiction_id cousub:42017",
            ],
        ),
        (
            "resolve_jurisdiction",
            json!({ "place": "Nowhere", "state": "MN" }),
            &["place-not-found", "search_directory"],
        ),
        (
            "resolve_jurisdiction",
            json!({ "address": "1 Main St" }),
            &["upstream-unavailable", "Give lat and lon"],
        ),
        (
            "find_official_resource",
            json!({ "topic": "fishing", "jurisdiction_id": "county:27053" }),
            &["unknown-topic", "Topics: parcel_map, "],
        ),
        (
            "find_official_resource",
            json!({ "topic": "zoning", "jurisdiction_id": "county:27053", "place": "Austin", "state": "TX" }),
            &["several places: give jurisdiction_id or place, not both"],
        ),
        ("get_place_directory", json!({}), &["bad-parameter"]),
        (
            "get_place_directory",
            json!({ "jurisdiction_id": "county:99999" }),
            &["unknown-jurisdiction", "search_directory"],
        ),
        (
            "get_place_directory",
            json!({ "jurisdiction_id": "county:27053", "cursor": "x" }),
            &["bad-cursor", "without cursor"],
        ),
        ("search_directory", json!({ "q": "" }), &["q is missing"]),
        ("ask_directory", json!({ "q": " " }), &["q is missing"]),
        ("ask_directory", json!({ "q": "99, 99" }), &["bad-point"]),
        ("search_directory", json!({ "q": "x", "limit": 51 }), &["limit from 1 to 50"]),
        ("get_guide", json!({ "topic": "zoning", "state": "ZZ" }), &["unknown-state", "two-letter"]),
        ("screen_location", json!({ "lat": 0, "lon": 0 }), &["outside-coverage"]),
        ("get_property_facts", json!({}), &["no location was given"]),
    ] {
        check_refused(tool, &arguments, said);
    }
}

fn check_refused(tool: &str, arguments: &Value, said: &[&str]) {
    let result = ask("tools/call", json!({ "name": tool, "arguments": arguments }));
    assert_eq!(result["isError"], true, "{tool} {arguments}");
    assert!(result.get("structuredContent").is_none());
    said.iter()
        .for_each(|said| assert!(text(&result).contains(said), "{tool} {arguments}: {}", text(&result)));
}

#[test]
fn lists_and_comparisons_say_what_they_expect() {
    for (tool, arguments, said) in [
        (
            "find_official_resource",
            json!({ "topic": "fishing", "jurisdiction_ids": ["county:27053"] }),
            &["unknown-topic", "Topics: parcel_map, "][..],
        ),
        (
            "find_official_resource",
            json!({ "topic": "zoning", "jurisdiction_ids": ["county:27053"], "state": "TX" }),
            &["several places: give state or jurisdiction_ids, not both"],
        ),
        (
            "find_official_resource",
            json!({ "topic": "zoning", "jurisdiction_ids": vec!["Boise, ID"; 11] }),
            &["or of 10 names such as \"Boise, ID\", got 11 names"],
        ),
        (
            "find_official_resource",
            json!({ "topic": "zoning", "county": "Ada County" }),
            &["find_official_resource takes no \"county\"; give place instead"],
        ),
        (
            "find_official_resource",
            json!({ "topic": "zoning", "jurisdiction_ids": { "id": "county:27053" } }),
            &["expected jurisdiction_ids as a list of at most 25 ids, or of 10 names"],
        ),
        ("find_official_resource", json!({ "jurisdiction_ids": ["county:27053"] }), &["topic is missing"]),
        ("list_offices", json!({ "state": "WY" }), &["function is missing; give one of assessment"]),
        ("list_jurisdictions", json!({ "within": "place:2743000" }), &["expected within as the id of"]),
    ] {
        check_refused(tool, &arguments, said);
    }
}

#[test]
fn lists_prompts_and_resources_hang_together() {
    let tools = ask("tools/list", json!({}));
    assert_eq!(tools["tools"].as_array().unwrap().len(), 10);
    // 3,900 tokens of some four bytes: the cost of each conversation before its first question.
    assert!(tools.to_string().len() < 15_600, "{} bytes", tools.to_string().len());
    let resources = ask("resources/list", json!({}));
    for resource in resources["resources"].as_array().unwrap() {
        let read = ask("resources/read", json!({ "uri": resource["uri"] }));
        assert!(read["contents"][0]["text"].as_str().unwrap().len() > 100, "{resource}");
    }
    assert_eq!(ask("resources/templates/list", json!({}))["resourceTemplates"].as_array().unwrap().len(), 2);
    let prompt = ask("prompts/list", json!({}))["prompts"][0].take();
    let arguments = json!({ "question": "Who records deeds?", "place": "Barre, VT" });
    let got = ask("prompts/get", json!({ "name": prompt["name"], "arguments": arguments }));
    assert!(got["messages"][0]["content"]["text"].as_str().unwrap().contains("Who records deeds?"));
    let reference = json!({ "type": "ref/resource", "uri": "guide://{topic}/{state}" });
    let typed = json!({ "ref": reference, "argument": { "name": "state", "value": "M" } });
    assert!(ask("completion/complete", typed)["completion"]["total"].as_u64().unwrap() > 5);
}

#[test]
fn tools_have_limits_of_their_own_by_address_alone() {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    let server =
        Server::start(service().with_limiter(limiter).with_door(Box::new(McpDoor)), Capacity::default());
    let mut client = Client::connect(server.address);
    let call =
        legacy("tools/call", json!({ "name": "get_guide", "arguments": { "topic": "zoning" } })).to_string();
    let key = "Authorization: Bearer pbk_none\r\n";
    for left in (0..30).rev() {
        let lines = if left % 2 == 0 { key } else { "" };
        let called = post(&mut client, lines, &call);
        assert_eq!((called.status, called.header("www-authenticate")), (200, ""));
        assert!(called.header("ratelimit").starts_with(&format!("\"minute\";r={left};t=")), "{left}");
        assert_eq!(called.header("ratelimit-policy"), "\"minute\";q=30;w=60, \"day\";q=1000;w=86400");
    }
    for message in [&call, &legacy("resources/read", json!({ "uri": "topics://all" })).to_string()] {
        let refused = post(&mut client, key, message);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (429, &json!(429)));
        let wait_s: u32 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait_s));
        assert!(
            refused.json()["error"]["message"].as_str().unwrap().contains("the tool calls of this minute")
        );
    }
    let list = post(&mut client, "", &legacy("tools/list", json!({})).to_string());
    assert!(
        list.status == 200 && list.header("ratelimit").starts_with("\"minute\";r=0;"),
        "a list is no call of a tool"
    );
    let asked = client.get(COVERED);
    assert!(asked.header("ratelimit").starts_with("\"minute\";r=29;"), "{}", asked.header("ratelimit"));
}

#[test]
fn a_client_may_start_the_program_instead() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_platbook"))
        .arg("mcp")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let call = json!({ "name": "resolve_jurisdiction", "arguments": { "lat": 44.9773, "lon": -93.2655 } });
    let lines = [
        legacy("initialize", json!({ "protocolVersion": "2025-06-18" })).to_string(),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        String::new(),
        legacy("tools/call", call.clone()).to_string(),
        modern("tools/call", call).1.to_string(),
        "{".to_owned(),
        format!("\"{}\"", "x".repeat(2 << 20)),
        modern("server/discover", json!({})).1.to_string(),
    ];
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(lines.join("\n").as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let replies: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(replies.len(), 6);
    assert_eq!(replies[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(replies[1]["result"]["structuredContent"], replies[2]["result"]["structuredContent"]);
    assert_eq!(
        replies[1]["result"]["structuredContent"]["data"]["jurisdictions"][1]["name"],
        "Hennepin County"
    );
    assert_eq!(
        (&replies[3]["error"]["code"], &replies[4]["error"]["code"]),
        (&json!(-32_700), &json!(-32_600))
    );
    assert_eq!(replies[5]["result"]["resultType"], "complete");
}
