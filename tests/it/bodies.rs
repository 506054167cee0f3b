//! Tests that the cost of callers' bodies, messages and words stays within its limits.

use platbook_service::{
    http::{
        Capacity,
        limits::{Proxies, RateLimiter, Table},
    },
    mcp::McpDoor,
};
use serde_json::{Value, json};

use crate::{
    harness::{Client, Server, service},
    mcp::{legacy, modern, post, shared},
};

const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

fn limited() -> Server {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    Server::start(service().with_limiter(limiter).with_door(Box::new(McpDoor)), Capacity::default())
}

#[test]
fn each_message_counts_and_so_do_documents() {
    let server = limited();
    let mut client = Client::connect(server.address);
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let messages = [
        legacy("initialize", json!({})).to_string(),
        ready.to_owned(),
        legacy("tools/list", json!({})).to_string(),
        legacy("ping", json!({})).to_string(),
        legacy("nothing", json!({})).to_string(),
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(),
        "{".to_owned(),
    ];
    for number in 0..297 {
        let answered = post(&mut client, "", &messages[number % messages.len()]);
        assert!(answered.status < 429, "{number}: {}", answered.body);
        assert!(answered.header("ratelimit").starts_with("\"minute\";r=30;"), "calls of tools count apart");
    }
    for path in ["/openapi.json", "/v1/openapi.json", "/mcp/server-card"] {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    for path in ["/openapi.json", "/mcp/server-card"] {
        let refused = client.get(path);
        assert_eq!((refused.status, refused.header("cache-control")), (429, "no-store"), "{path}");
        assert!(refused.header("ratelimit-policy").starts_with("\"minute\";q=300;w=60"), "{path}");
        assert!((1..=60).contains(&refused.header("retry-after").parse::<u32>().unwrap()));
    }
    let refused = post(&mut client, "", &messages[3]);
    assert_eq!(refused.status, 429);
    assert!(refused.json()["detail"].as_str().unwrap().contains("messages and documents of this minute"));
    let mut client = Client::connect(server.address);
    // The server does not wait for a body that it will not read.
    client.send(&format!("{HEAD}Content-Length: 65000\r\n\r\n{{"));
    let refused = client.receive(false);
    assert_eq!((refused.status, refused.header("connection")), (429, "close"));
    assert_eq!(client.rest(), "");
    let asked = Client::connect(server.address).get("/v1/topics");
    assert_eq!(asked.status, 200, "requests have limits of their own");
    assert!(asked.header("ratelimit").starts_with("\"minute\";r=29;"));
}

/// One address fills its share with long bodies that do not end. Its next long body gets `busy`, and a short body
/// gets an answer.
#[test]
fn long_bodies_of_one_address_have_a_part_of_the_memory_and_short_ones_always_have_room() {
    let address = shared().address;
    let long = |came: usize| {
        let mut client = Client::connect(address);
        // The server may close the connection before all is sent, because the share of the address is used up.
        let _ = client.try_send(&format!("{HEAD}Content-Length: 40000\r\n\r\n{}", " ".repeat(came)));
        client
    };
    // Bodies that wait are cut after some seconds, which a busy machine may need to send the next one.
    let got_busy = (0..10).any(|_| {
        let waiting: Vec<Client> = (0..80).map(|_| long(39_000)).collect();
        let answer = long(40_000).receive(false);
        drop(waiting);
        answer.status == 503 && !answer.header("retry-after").is_empty()
    });
    assert!(got_busy);
    let ping = legacy("ping", json!({})).to_string();
    assert_eq!(post(&mut Client::connect(address), "", &ping).status, 200);
}

#[test]
fn what_a_caller_sends_is_repeated_short_and_readable() {
    const LONG: usize = 60_000;
    let word = "\u{202e}\u{1b}[31m".to_owned() + &"x".repeat(LONG);
    let mut cases: Vec<(String, String)> = vec![
        (String::new(), legacy(&word, json!({})).to_string()),
        (String::new(), legacy("tools/call", json!({ "name": word })).to_string()),
        (String::new(), legacy("prompts/get", json!({ "name": word })).to_string()),
        (String::new(), legacy("resources/read", json!({ "uri": word })).to_string()),
        (String::new(), json!({ "jsonrpc": "2.0", "id": word, "method": "ping" }).to_string()),
        (modern("tools/list", json!({})).0, modern(&word, json!({})).1.to_string()),
    ];
    for arguments in [
        json!({ word.clone(): 1 }),
        json!({ "detail": word }),
        json!({ "place": word }),
        json!({ "lat": word }),
    ] {
        let call = json!({ "name": "resolve_jurisdiction", "arguments": arguments });
        cases.push((String::new(), legacy("tools/call", call).to_string()));
    }
    let prompt = json!({ "name": "who_to_ask", "arguments": { "question": word, "place": word } });
    cases.push((String::new(), legacy("prompts/get", prompt).to_string()));
    let meta = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": word,
        "io.modelcontextprotocol/clientCapabilities": {} } });
    cases.push((String::new(), legacy("ping", meta).to_string()));
    for (lines, message) in cases {
        let reply = post(&mut Client::connect(shared().address), &lines, &message).body;
        let shown = &message[..120];
        assert!(reply.len() < 3_000, "{shown}: {} bytes", reply.len());
        assert!(!reply.contains('\u{202e}') && !reply.contains("u001b"), "{shown}: {reply}");
    }
}

#[test]
fn a_key_comes_back_in_no_answer() {
    let key = "pbk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA76e1c6b1";
    let mut client = Client::connect(shared().address);
    for target in [
        format!("/v1/nope/{key}"),
        format!("/nope/{key}/x"),
        format!("/v1/%70bk%5F{}", &key[4..]),
        format!("/v1/nope/%2570bk_{}", &key[4..]),
        format!("/v1/places/{key}"),
        format!("/v1/guides/{key}"),
        format!("/v1/guides/zoning?state={key}"),
        format!("/v1/resources?lat={key}&lon=1&topic=zoning"),
        format!("/v1/resources?jurisdiction_id=county:27053&cursor={key}"),
        format!("/places/{key}"),
        format!("/guides/{key}"),
    ] {
        for lines in ["", "Accept: text/html\r\n"] {
            let answer = client.ask("GET", &target, lines);
            assert!((400..=404).contains(&answer.status), "{target}: {}", answer.status);
            assert!(!answer.body.contains(&key[4..40]), "{target}: {}", answer.body);
        }
    }
    let call =
        |arguments: Value| legacy("tools/call", json!({ "name": "get_guide", "arguments": arguments }));
    for message in [
        legacy(key, json!({})),
        legacy("tools/call", json!({ "name": key })),
        call(json!({ "topic": key })),
        call(json!({ key: 1 })),
    ] {
        let reply = post(&mut client, "", &message.to_string());
        assert!(!reply.body.contains(&key[4..40]), "{}", reply.body);
    }
}
