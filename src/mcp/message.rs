//! Reads one message of JSON-RPC 2.0 from its bytes.

use std::borrow::Cow;

use serde_json::{Map, Value, value::RawValue};

use super::{
    envelope::{Envelope, ITEMS_MAX, Text, members},
    fault::Fault,
};

/// Maximum nesting depth of a message. Arguments of tools are flat; metadata of clients is at most some ten deep.
const DEPTH_MAX: usize = 32;

/// Maximum length of an id in bytes; the id is sent back. Known clients send numbers or UUIDs of 36 characters.
const ID_BYTES_MAX: usize = 1024;

/// The mark that some Windows programs write at the beginning of a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A message, by its kind.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// A message with an id, which expects an answer.
    Request(Request),
    /// A message without an id. The protocol forbids an answer, whatever the method is.
    Notification,
    /// Messages of a batch, each read separately. Revision 2025-03-26 has batches, and later revisions do not.
    Batch(Vec<Result<Message, Unread>>),
    /// An answer to a request. The service sends no requests, so only an era that allows stray answers accepts this
    /// kind.
    Response,
}

/// A message that expects an answer.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    /// Text or a whole number, to be sent back.
    pub(super) id: Value,
    /// Name of the method.
    pub(super) method: String,
    /// The parameters that the method reads; empty if none were given.
    pub(super) params: Map<String, Value>,
}

/// The error for bytes that are not a message, with the id if it could be read.
pub(super) type Unread = (Fault, Value);

/// Reads the bytes of one message.
///
/// # Errors
/// Fails if the bytes are not JSON, are nested too deeply, or are not a message.
#[expect(
    clippy::result_large_err,
    reason = "made once for a message that is refused, and taken apart at once"
)]
pub(super) fn read(bytes: &[u8]) -> Result<Message, Unread> {
    let unread = |fault: Fault| (fault, Value::Null);
    if is_too_deep(bytes) {
        let fault = Fault::invalid_request(format!("the message is nested deeper than {DEPTH_MAX} levels"));
        return Err(unread(fault));
    }
    let not_json = |error: &dyn std::fmt::Display| Fault::parse(format!("the message is not JSON: {error}"));
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| unread(not_json(&error)))?;
    match Text::read(text).map_err(|error| unread(not_json(&error)))? {
        Text::Object(envelope) => of_object(envelope),
        Text::List(items) => of_list(&items),
        Text::Other => Err(unread(Fault::invalid_request("a message is a JSON object"))),
    }
}

/// Reads the items of a batch. A list within the batch is not a message.
#[expect(clippy::result_large_err, reason = "as for `read`")]
fn of_list(items: &[&RawValue]) -> Result<Message, Unread> {
    let unread = |words: String| (Fault::invalid_request(words), Value::Null);
    if items.is_empty() {
        return Err(unread("a batch has at least one message".to_owned()));
    }
    if items.len() > ITEMS_MAX {
        return Err(unread(format!("a batch has at most {ITEMS_MAX} messages; send more of them apart")));
    }
    let read = |item: &&RawValue| match Text::read(item.get()) {
        Ok(Text::Object(envelope)) => match of_object(envelope)? {
            Message::Request(request) if request.method == "initialize" => {
                Err((Fault::invalid_request("initialize is not part of a batch; send it first"), request.id))
            }
            message => Ok(message),
        },
        _ => Err(unread("a message is a JSON object".to_owned())),
    };
    Ok(Message::Batch(items.iter().map(read).collect()))
}

#[expect(clippy::result_large_err, reason = "as for `read`")]
fn of_object(message: Envelope<'_>) -> Result<Message, Unread> {
    let id = message.id;
    let known = id.as_ref().filter(|id| is_id(id)).cloned().unwrap_or_default();
    let invalid = |words: Cow<'static, str>| (Fault::invalid_request(words), known.clone());
    if message.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("jsonrpc must be \"2.0\"".into()));
    }
    let method = match message.method {
        Some(Value::String(method)) => method,
        Some(_) => return Err(invalid("method must be a text".into())),
        None if message.is_answer => return Ok(Message::Response),
        None => return Err(invalid("method is missing".into())),
    };
    if message.params.is_some_and(|params| !params.get().starts_with('{')) {
        return Err(invalid("params must be an object".into()));
    }
    match id {
        None => return Ok(Message::Notification),
        Some(id) if !is_id(&id) => {
            return Err(invalid(
                format!(
                    "id must be a text of at most {ID_BYTES_MAX} bytes, or a whole number of at most 64 bits"
                )
                .into(),
            ));
        }
        Some(_) => {}
    }
    let params = match message.params.map(|params| members(params, PARAMS, read_whole(&method))) {
        None => Map::new(),
        Some(Ok(params)) => params.unwrap_or_default(),
        Some(Err(error)) => return Err((Fault::parse(format!("params cannot be read: {error}")), known)),
    };
    Ok(Message::Request(Request { id: known, method, params }))
}

/// Names of all parameters that any method reads.
const PARAMS: &[&str] =
    &["_meta", "argument", "arguments", "cursor", "level", "name", "protocolVersion", "ref", "uri"];

/// Returns the parameters of a method that are kept with all their content.
fn read_whole(method: &str) -> &'static [&'static str] {
    match method {
        "tools/call" | "prompts/get" => &["arguments"],
        "completion/complete" => &["argument", "ref"],
        _ => &[],
    }
}

fn is_id(id: &Value) -> bool {
    id.as_str().is_some_and(|id| id.len() <= ID_BYTES_MAX) || id.is_i64() || id.is_u64()
}

/// Returns whether brackets are nested too deeply. Runs before the parser, which recurses. Brackets inside strings do
/// not count.
fn is_too_deep(bytes: &[u8]) -> bool {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    #[expect(clippy::result_large_err, reason = "as for `read`")]
    fn messages_are_distinguished() {
        let request = |id: Value, params: Value| {
            let Value::Object(params) = params else { panic!("an object") };
            Ok(Message::Request(Request { id, method: "ping".to_owned(), params }))
        };
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, request(json!(1), json!({}))),
            (
                r#"{"jsonrpc":"2.0","id":"é","method":"ping","params":{"name":1,"a":1}}"#,
                request(json!("é"), json!({"name": 1})),
            ),
            (
                r#"{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}"#,
                request(json!(-9_007_199_254_740_991_i64), json!({})),
            ),
            (r#"{"jsonrpc":"2.0","method":"notifications/x"}"#, Ok(Message::Notification)),
            ("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", request(json!(1), json!({}))),
            (
                r#"{"jsonrpc":"2.0","id":1,"\u006dethod":"nothing","method":"ping","params":{"b":[{}],"uri":{"a":1}},"x":[1e999]}"#,
                request(json!(1), json!({"uri": {}})),
            ),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Ok(Message::Response)),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#, Ok(Message::Response)),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},[],{"jsonrpc":"2.0","id":2,"method":"initialize"}]"#,
                Ok(Message::Batch(vec![
                    request(json!(1), json!({})),
                    Ok(Message::Notification),
                    Err((Fault::invalid_request("a message is a JSON object"), json!(null))),
                    Err((
                        Fault::invalid_request("initialize is not part of a batch; send it first"),
                        json!(2),
                    )),
                ])),
            ),
        ] {
            assert_eq!(read(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn other_bytes_are_refused_with_the_reason() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}}}}}"#, "[".repeat(31));
        for (text, code, id, said) in [
            ("", -32_700, json!(null), "not JSON"),
            ("{", -32_700, json!(null), "not JSON"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}"#, -32_700, json!(null), "not JSON"),
            ("[]", -32_600, json!(null), "at least one message"),
            ("[1", -32_700, json!(null), "not JSON"),
            (&format!("[{}1]", "1,".repeat(16)), -32_600, json!(null), "at most 16"),
            ("1", -32_600, json!(null), "a JSON object"),
            (r#"{"id":1,"method":"ping"}"#, -32_600, json!(1), "jsonrpc"),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600, json!(1), "jsonrpc"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, json!(null), "id must be"),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, json!(null), "id must be"),
            (
                r#"{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}"#,
                -32_600,
                json!(null),
                "at most 64 bits",
            ),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32_600, json!(null), "id must be"),
            (r#"{"jsonrpc":"2.0","id":1}"#, -32_600, json!(1), "method is missing"),
            (r#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32_600, json!(1), "method must be"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_600, json!(1), "params must be"),
            (&deep, -32_600, json!(null), "nested deeper than 32"),
        ] {
            let (fault, known) = read(text.as_bytes()).unwrap_err();
            assert_eq!((fault.code, known), (code, id), "{text}");
            assert!(fault.message.contains(said), "{text}: {}", fault.message);
        }
    }

    #[test]
    fn brackets_in_texts_are_no_nesting() {
        let text = format!(r#"{{"a":"\"{}"}}"#, "[".repeat(100));
        assert!(!is_too_deep(text.as_bytes()));
        assert!(is_too_deep("[".repeat(33).as_bytes()) && !is_too_deep("[".repeat(32).as_bytes()));
    }
}
