use serde_json::{Value, json};

use crate::{
    harness::Client,
    mcp::{legacy, post, shared},
};

/// Revision 2025-03-26 has batches; clients of that time send no header.
#[test]
fn batches_are_answered_in_their_revision() {
    let ping = |id: u32| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch = json!([ping(1), note, 5, legacy("initialize", json!({})), ping(2)]).to_string();
    for lines in ["", "MCP-Protocol-Version: 2025-03-26\r\n"] {
        let answer = post(&mut Client::connect(shared().address), lines, &batch);
        assert_eq!(answer.status, 200, "{lines}");
        let replies = answer.json();
        let shown: Vec<String> = replies
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{} {}", one["id"], one["error"]["code"]))
            .collect();
        assert_eq!(shown, ["1 null", "null -32600", "1 -32600", "2 null"], "{lines}");
    }
    let notes = post(&mut Client::connect(shared().address), "", &json!([note, note]).to_string());
    assert_eq!((notes.status, &*notes.body), (202, ""));
    let newer = post(&mut Client::connect(shared().address), "MCP-Protocol-Version: 2025-06-18\r\n", &batch);
    assert_eq!((newer.status, &newer.json()["id"]), (400, &Value::Null));
}

/// Pages of other sites may neither send messages nor read answers.
#[test]
fn only_pages_that_may_ask_may_read() {
    let ping = legacy("ping", json!({})).to_string();
    for (origin, status, readers) in [
        ("https://stranger.example", 403, ""),
        ("http://localhost:1234", 200, "http://localhost:1234"),
        ("", 200, ""),
    ] {
        let line = if origin.is_empty() { String::new() } else { format!("Origin: {origin}\r\n") };
        let answer = post(&mut Client::connect(shared().address), &line, &ping);
        assert_eq!(
            (answer.status, answer.header("access-control-allow-origin")),
            (status, readers),
            "{origin}"
        );
        let asked = format!("{line}Access-Control-Request-Method: POST\r\n");
        let preflight = Client::connect(shared().address).ask("OPTIONS", "/mcp", &asked);
        assert_eq!(preflight.header("access-control-allow-origin"), readers, "preflight of {origin}");
    }
    let card = Client::connect(shared().address).get("/mcp/server-card");
    assert_eq!(card.header("access-control-allow-origin"), "*");
}
