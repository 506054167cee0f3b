//! The bytes of a response.

use bytes::{BufMut as _, Bytes, BytesMut};
use hyper::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{fault::Fault, protocol::Era};
use crate::encode::BodyParts;

/// Room for a result beside the JSON of its answer.
const BESIDE_BYTES: usize = 8 << 10;

/// Room for what stands around a result and an id: braces, names, and a number of 20 digits.
const AROUND_BYTES: usize = 64;

/// Milliseconds for which clients may keep what cannot change while a snapshot is served: lists, guides.
const TTL_MS: u32 = 15 * 60 * 1000;

/// What a message is answered with.
#[derive(Debug)]
pub(super) struct Reply {
    /// Status over HTTP.
    pub(super) status: StatusCode,
    /// One message of JSON-RPC; none for what nobody answers.
    pub(super) body: Option<Bytes>,
}

/// What a method gives.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A result.
    Result(Map<String, Value>),
    /// One that clients may keep.
    Cacheable(Map<String, Value>),
    /// What came of a tool.
    Tool(ToolResult),
    /// One that is ready, as JSON.
    Ready(&'static str),
}

/// What came of a tool.
#[derive(Debug)]
pub(super) struct ToolResult {
    /// For the model to read.
    pub(super) text: String,
    /// For programs, as JSON; none where the tool says why it has no answer.
    pub(super) structured: Option<BodyParts>,
}

/// Who answers, as each result of the modern era and `initialize` say.
pub(super) fn server_info() -> Value {
    json!({
        "name": "platbook",
        "title": "Property and Land Directory",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

impl Reply {
    /// To what nobody answers.
    pub(super) fn accepted() -> Reply {
        Reply { status: StatusCode::ACCEPTED, body: None }
    }

    /// To a request.
    pub(super) fn of(id: &Value, era: Era, outcome: Outcome) -> Reply {
        let body = match outcome {
            Outcome::Result(result) => whole(id, &Value::Object(marked(result, era)).to_string()),
            Outcome::Cacheable(result) => whole(id, &Value::Object(cacheable(result, era)).to_string()),
            Outcome::Tool(result) => of_tool(id, era, result),
            Outcome::Ready(result) => whole(id, result),
        };
        Reply { status: StatusCode::OK, body: Some(body) }
    }

    /// An error. An id that could not be read is left out in the modern era's way; older clients do not miss it.
    pub(super) fn fault(id: &Value, fault: Fault) -> Reply {
        let mut error = json!({ "code": fault.code, "message": fault.message });
        if !fault.data.is_null() {
            error["data"] = fault.data;
        }
        let mut message = json!({ "jsonrpc": "2.0" });
        if !id.is_null() {
            message["id"] = id.clone();
        }
        message["error"] = error;
        Reply { status: fault.status, body: Some(message.to_string().into()) }
    }
}

/// A result that clients may keep, with what its era adds to those.
pub(super) fn cacheable(mut result: Map<String, Value>, era: Era) -> Map<String, Value> {
    if era == Era::Modern {
        result.insert("ttlMs".to_owned(), TTL_MS.into());
        result.insert("cacheScope".to_owned(), "public".into());
    }
    marked(result, era)
}

/// A result with what its era adds to each.
pub(super) fn marked(mut result: Map<String, Value>, era: Era) -> Map<String, Value> {
    if era == Era::Modern {
        result.insert("resultType".to_owned(), "complete".into());
        result.insert("_meta".to_owned(), json!({ "io.modelcontextprotocol/serverInfo": server_info() }));
    }
    result
}

/// A message with this result, which is JSON.
fn whole(id: &Value, result: &str) -> Bytes {
    let mut out = begun(id, result.len());
    out.put_slice(result.as_bytes());
    out.put_slice(b"}");
    out.freeze()
}

/// The start of a message, with room for a result of `bytes`.
fn begun(id: &Value, bytes: usize) -> BytesMut {
    let mut out = BytesMut::with_capacity(bytes + id.as_str().map_or(0, str::len) + AROUND_BYTES);
    out.put_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    put(&mut out, id);
    out.put_slice(b",\"result\":");
    out
}

/// Writes the JSON of the answer through as it is: to read it again would cost more than the answer.
fn of_tool(id: &Value, era: Era, result: ToolResult) -> Bytes {
    let bytes = result.structured.as_ref().map_or(0, BodyParts::len);
    let mut out = begun(id, bytes + result.text.len() + BESIDE_BYTES);
    out.put_slice(b"{\"content\":[{\"type\":\"text\",\"text\":");
    put(&mut out, &result.text);
    out.put_slice(b"}]");
    match &result.structured {
        Some(parts) => {
            out.put_slice(b",\"structuredContent\":");
            parts.parts().into_iter().for_each(|part| out.put_slice(part));
            out.put_slice(b",\"isError\":false");
        }
        None => out.put_slice(b",\"isError\":true"),
    }
    if era == Era::Modern {
        for (name, value) in &marked(Map::new(), era) {
            out.put_u8(b',');
            put(&mut out, name);
            out.put_u8(b':');
            put(&mut out, value);
        }
    }
    out.put_slice(b"}}");
    out.freeze()
}

fn put(out: &mut BytesMut, value: &impl Serialize) {
    serde_json::to_writer(out.writer(), value).expect("texts and JSON values can be written");
}
