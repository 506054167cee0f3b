//! Tests the app of an answer, which a chat shows in its window. `tests/pages/app.mjs` runs it in the reference host.

use serde_json::{Value, json};

use crate::{
    harness::{Client, SITE},
    mcp::{legacy, post, shared},
};

fn read(uri: &str) -> Value {
    let mut client = Client::connect(shared().address);
    post(&mut client, "", &legacy("resources/read", json!({ "uri": uri })).to_string()).json()
}

#[test]
fn a_tool_names_its_app_and_the_app_is_small() {
    let mut client = Client::connect(shared().address);
    let tools = post(&mut client, "", &legacy("tools/list", json!({})).to_string()).json();
    let with_app =
        tools["result"]["tools"].as_array().unwrap().iter().filter(|tool| !tool["_meta"].is_null());
    let named: Vec<(&Value, &Value)> =
        with_app.map(|tool| (&tool["name"], &tool["_meta"]["ui"]["resourceUri"])).collect();
    let uri = "ui://platbook/answer";
    assert_eq!(named, [(&json!("resolve_jurisdiction"), &json!(uri))]);
    let contents = read(uri)["result"]["contents"][0].take();
    assert_eq!(contents["mimeType"], "text/html;profile=mcp-app");
    let text = contents["text"].as_str().unwrap();
    assert!(text.len() <= 60_000, "{} bytes", text.len());
    for said in ["Pay a property tax bill", &format!("const SITE = \"{SITE}\"")] {
        assert!(text.contains(said), "{said}");
    }
}

#[test]
fn the_app_reads_its_map() {
    for (uri, said) in [
        ("map://44.4654,-72.6874", &["<svg", ">Stowe</text>", "miles"][..]),
        ("map://44.9773,-93.2655", &["<svg", ">Minneapolis</text>"]),
    ] {
        let contents = read(uri)["result"]["contents"][0].take();
        assert_eq!(contents["mimeType"], "image/svg+xml", "{uri}");
        let text = contents["text"].as_str().unwrap();
        said.iter().for_each(|said| assert!(text.contains(said), "{uri} lacks {said}: {text:.300}"));
        assert!(text.len() < 40_000, "{uri}: {} bytes", text.len());
    }
    for uri in
        ["map://0,0", "map://91,0", "map://44.9", "map://", "ui://platbook/other", "map://44.9773,-93.2655,1"]
    {
        assert_eq!(read(uri)["error"]["code"], -32_602, "{uri}");
    }
}
