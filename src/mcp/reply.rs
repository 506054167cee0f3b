//! Builds the bytes of the reply to a message.

use bytes::{BufMut as _, Bytes, BytesMut};
use hyper::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{fault::Fault, protocol::Era};
use crate::encode::BodyParts;

/// Initial capacity in bytes for a result, besides the JSON of its answer.
const BESIDE_BYTES: usize = 8 << 10;

/// Initial capacity in bytes for the text around a result and an id: braces, names, and a number of 20 digits.
const AROUND_BYTES: usize = 64;

/// Time for which clients may cache lists and guides, in milliseconds: a quarter of an hour, since a new snapshot may
/// change them. Chosen, not measured.
const TTL_MS: u32 = 15 * 60 * 1000;

/// The reply to a message.
#[derive(Debug)]
pub(super) struct Reply {
    /// Status of the HTTP response.
    pub(super) status: StatusCode,
    /// One JSON-RPC message; `None` for notifications and responses.
    pub(super) body: Option<Bytes>,
}

/// The outcome of a method.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A result that clients may not cache.
    Result(Map<String, Value>),
    /// A result that clients may cache.
    Cacheable(Map<String, Value>),
    /// The result of a tool.
    Tool(ToolResult),
    /// A prepared result, as JSON text.
    Ready(&'static str),
}

/// The result of a tool.
#[derive(Debug)]
pub(super) struct ToolResult {
    /// Text for the model to read.
    pub(super) text: String,
    /// JSON for programs; `None` if the tool explains why it has no answer.
    pub(super) structured: Option<BodyParts>,
}

/// The server's name and version, which `initialize` and each result of the modern era contain.
pub(super) fn server_info() -> Value {
    json!({
        "name": "platbook",
        "title": "Property and Land Directory",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

impl Reply {
    /// Returns the reply to a notification or a response: status 202 without a body.
    pub(super) fn accepted() -> Reply {
        Reply { status: StatusCode::ACCEPTED, body: None }
    }

    /// Returns the reply to a request with this outcome.
    pub(super) fn with_outcome(id: &Value, era: Era, outcome: Outcome) -> Reply {
        let body = match outcome {
            Outcome::Result(result) => whole(id, &Value::Object(marked(result, era)).to_string()),
            Outcome::Cacheable(result) => whole(id, &Value::Object(cacheable(result, era)).to_string()),
            Outcome::Tool(result) => of_tool(id, era, result),
            Outcome::Ready(result) => whole(id, result),
        };
        Reply { status: StatusCode::OK, body: Some(body) }
    }

    /// Returns the reply with an error. The id is null if it could not be read (JSON-RPC 2.0, section 5).
    pub(super) fn fault(id: &Value, fault: Fault) -> Reply {
        let mut error = json!({ "code": fault.code, "message": fault.message });
        if !fault.data.is_null() {
            error["data"] = fault.data;
        }
        let message = json!({ "jsonrpc": "2.0", "id": id, "error": error });
        Reply { status: fault.status, body: Some(message.to_string().into()) }
    }

    /// Returns the reply to a batch: the bodies as a list, in the order of their messages. A batch without requests
    /// gets no body.
    pub(super) fn of_batch(replies: Vec<Reply>) -> Reply {
        let bodies: Vec<Bytes> = replies.into_iter().filter_map(|reply| reply.body).collect();
        if bodies.is_empty() {
            return Reply::accepted();
        }
        let mut list = BytesMut::with_capacity(bodies.iter().map(|body| body.len() + 1).sum::<usize>() + 1);
        for (at, body) in bodies.iter().enumerate() {
            list.put_u8(if at == 0 { b'[' } else { b',' });
            list.put_slice(body);
        }
        list.put_u8(b']');
        Reply { status: StatusCode::OK, body: Some(list.freeze()) }
    }
}

/// Adds the members that the era requires in a cacheable result.
pub(super) fn cacheable(mut result: Map<String, Value>, era: Era) -> Map<String, Value> {
    if era == Era::Modern {
        result.insert("ttlMs".to_owned(), TTL_MS.into());
        result.insert("cacheScope".to_owned(), "public".into());
    }
    marked(result, era)
}

/// Adds the members that the era requires in each result.
pub(super) fn marked(mut result: Map<String, Value>, era: Era) -> Map<String, Value> {
    if era == Era::Modern {
        result.insert("resultType".to_owned(), "complete".into());
        result.insert("_meta".to_owned(), json!({ "io.modelcontextprotocol/serverInfo": server_info() }));
    }
    result
}

/// Writes a message with this result, which is JSON text.
fn whole(id: &Value, result: &str) -> Bytes {
    let mut out = begun(id, result.len());
    out.put_slice(result.as_bytes());
    out.put_slice(b"}");
    out.freeze()
}

/// Starts a message, with capacity for a result of `bytes`.
fn begun(id: &Value, bytes: usize) -> BytesMut {
    let mut out = BytesMut::with_capacity(bytes + id.as_str().map_or(0, str::len) + AROUND_BYTES);
    out.put_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    put(&mut out, id);
    out.put_slice(b",\"result\":");
    out
}

/// Writes the result of a tool. Copies the JSON of the answer unchanged: parsing it again would cost more than the
/// answer.
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
