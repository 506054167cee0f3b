//! Decides to which era of the protocol a request belongs, and whether it follows the rules of that era.
//!
//! Only the request's own metadata decide, as revision 2026-07-28 requires. In earlier revisions, `initialize`
//! negotiates nothing that changes an answer, so these need no session either.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hyper::{
    HeaderMap, StatusCode,
    header::{HeaderName, HeaderValue},
};
use serde_json::{Value, json};

use super::{
    envelope::{CAPABILITIES_KEY, VERSION_KEY},
    fault::{Fault, word},
    message::Request,
};

/// The revision whose requests carry all metadata themselves.
pub(super) const MODERN: &str = "2026-07-28";

/// The newest revision that begins with `initialize`.
pub(super) const NEWEST_LEGACY: &str = "2025-11-25";

/// All revisions in which a client begins with `initialize`.
pub(super) const LEGACY: [&str; 4] = [NEWEST_LEGACY, "2025-06-18", "2025-03-26", "2024-11-05"];

const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The era of a request, whose rules the request must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Revisions 2024-11-05 to 2025-11-25.
    Legacy,
    /// Only revision 2026-07-28, whose requests carry all metadata themselves.
    Modern,
}

impl Era {
    /// Returns the HTTP status for an unknown method.
    pub(super) fn status_of_unknown_method(self) -> StatusCode {
        match self {
            Era::Legacy => StatusCode::OK,
            Era::Modern => StatusCode::NOT_FOUND,
        }
    }
}

/// Lists all supported revisions, the newest first.
pub(super) fn supported() -> Value {
    std::iter::once(MODERN).chain(LEGACY).collect()
}

/// Chooses the revision for `initialize`: the one that the client requests if it is supported, or else the newest of
/// its era.
pub(super) fn agreed(asked: Option<&str>) -> &'static str {
    LEGACY.into_iter().find(|known| Some(*known) == asked).unwrap_or(NEWEST_LEGACY)
}

/// Returns whether a notification or response comes from a client of the modern era.
pub(super) fn is_modern(headers: &HeaderMap) -> bool {
    headers.get(PROTOCOL_VERSION).is_some_and(|version| version == MODERN)
}

/// Returns whether a client may send batches. The revision after 2025-03-26 removed batches, and requires that
/// requests name their revision. A client may therefore send batches if it names an earlier revision, or none.
pub(super) fn has_batches(headers: &HeaderMap) -> bool {
    headers.get(PROTOCOL_VERSION).is_none_or(|version| version == "2025-03-26" || version == "2024-11-05")
}

/// Returns the era of a request. `headers` are the HTTP headers; other transports have none.
///
/// # Errors
/// Fails if the request breaks the rules of its era, or belongs to no era.
pub(super) fn era(request: &Request, headers: Option<&HeaderMap>) -> Result<Era, Fault> {
    let meta = request.params.get("_meta");
    let in_body = meta.and_then(|meta| meta.get(VERSION_KEY));
    let header = headers.and_then(|headers| headers.get(PROTOCOL_VERSION));
    let in_header = header.map(|version| version.to_str().unwrap_or("?"));
    let in_body = match (in_body, in_header) {
        (Some(Value::String(version)), _) => version,
        // A client without `_meta` begins with `initialize`, even if its header names another revision.
        (None, Some(version)) if request.method != "initialize" && !LEGACY.contains(&version) => {
            return Err(if version == MODERN { missing(VERSION_KEY) } else { unsupported(version) });
        }
        (None, _) if meta.is_none_or(|meta| meta.get(CAPABILITIES_KEY).is_none()) => return Ok(Era::Legacy),
        _ => return Err(missing(VERSION_KEY)),
    };
    if LEGACY.contains(&&**in_body) && in_header.is_none_or(|version| version == in_body) {
        return Ok(Era::Legacy);
    }
    if !meta.and_then(|meta| meta.get(CAPABILITIES_KEY)).is_some_and(Value::is_object) {
        return Err(missing(CAPABILITIES_KEY));
    }
    if let Some(headers) = headers {
        compare(headers, &PROTOCOL_VERSION, in_body)?;
    }
    if in_body != MODERN {
        return Err(unsupported(in_body));
    }
    headers.map_or(Ok(()), |headers| compare_rest(headers, request))?;
    Ok(Era::Modern)
}

fn missing(key: &str) -> Fault {
    Fault::invalid_params(format!("_meta of the request lacks {key}, or it has another type"))
        .with_status(StatusCode::BAD_REQUEST)
}

fn unsupported(version: &str) -> Fault {
    Fault::unsupported_version(json!({ "supported": supported(), "requested": word(version) }))
}

/// Compares the headers that repeat parts of the body, for intermediaries that do not read bodies.
fn compare_rest(headers: &HeaderMap, request: &Request) -> Result<(), Fault> {
    compare(headers, &METHOD, &request.method)?;
    let named_by = match &*request.method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    match request.params.get(named_by).and_then(Value::as_str) {
        Some(name) => compare(headers, &NAME, name),
        // The method itself reports that the name is missing.
        None => Ok(()),
    }
}

/// Checks that a header repeats a value of the body.
fn compare(headers: &HeaderMap, header: &HeaderName, in_body: &str) -> Result<(), Fault> {
    let mut given = headers.get_all(header).iter();
    match (given.next(), given.next()) {
        (Some(value), None) if says(value, in_body) => Ok(()),
        (Some(value), None) => Err(Fault::header_mismatch(format!(
            "Header mismatch: {header} is {:?}, and the body says {:?}",
            word(&String::from_utf8_lossy(value.as_bytes())),
            word(in_body)
        ))),
        (None, _) => Err(Fault::header_mismatch(format!(
            "Header mismatch: {header} is missing; send {:?}, as in the body",
            word(in_body)
        ))),
        (Some(_), Some(_)) => Err(Fault::header_mismatch(format!(
            "Header mismatch: {header} is given more than once; send one"
        ))),
    }
}

/// Returns whether the value of a header equals the text. A value that is not plain ASCII has the form `=?base64?…?=`.
fn says(value: &HeaderValue, in_body: &str) -> bool {
    let bytes = value.as_bytes();
    match bytes.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?=")) {
        Some(encoded) => BASE64_STANDARD.decode(encoded).is_ok_and(|decoded| decoded == in_body.as_bytes()),
        None => bytes == in_body.as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers
    }

    fn request(method: &str, params: Value) -> Request {
        let Value::Object(params) = params else { panic!("an object") };
        Request { id: json!(1), method: method.to_owned(), params }
    }

    fn meta(version: &str) -> Value {
        json!({ VERSION_KEY: version, CAPABILITIES_KEY: {} })
    }

    const VERSION: (&str, &str) = ("mcp-protocol-version", MODERN);

    #[test]
    fn a_request_is_of_one_era_or_refused() {
        let plain = |method: &str| request(method, json!({}));
        let modern = |method: &str| request(method, json!({ "_meta": meta(MODERN) }));
        let named = |key: &str, name: &str, method: &str| {
            request(method, json!({ key: name, "_meta": meta(MODERN) }))
        };
        let of = |version: &str| request("tools/list", json!({ "_meta": meta(version) }));
        let list = ("mcp-method", "tools/list");
        let call = ("mcp-method", "tools/call");
        let unset = json!({ "_meta": { VERSION_KEY: MODERN } });
        let odd = json!({ "_meta": { VERSION_KEY: 1, CAPABILITIES_KEY: {} } });
        let no_version = json!({ "_meta": { CAPABILITIES_KEY: {} } });
        type Case<'a> = (Request, &'a [(&'static str, &'static str)], Result<Era, i64>);
        let cases: &[Case<'_>] = &[
            (plain("initialize"), &[], Ok(Era::Legacy)),
            (plain("initialize"), &[VERSION], Ok(Era::Legacy)),
            (plain("tools/list"), &[], Ok(Era::Legacy)),
            (plain("tools/list"), &[("mcp-protocol-version", "2025-06-18")], Ok(Era::Legacy)),
            (request("tools/list", json!({ "_meta": { "progressToken": 1 } })), &[], Ok(Era::Legacy)),
            (of("2025-11-25"), &[("mcp-protocol-version", "2025-11-25")], Ok(Era::Legacy)),
            (plain("tools/list"), &[("mcp-protocol-version", "1900-01-01")], Err(-32_022)),
            (plain("tools/list"), &[VERSION, list], Err(-32_602)),
            (modern("tools/list"), &[VERSION, list], Ok(Era::Modern)),
            (modern("initialize"), &[VERSION, ("mcp-method", "initialize")], Ok(Era::Modern)),
            (modern("tools/list"), &[list], Err(-32_020)),
            (modern("tools/list"), &[VERSION], Err(-32_020)),
            (modern("tools/list"), &[VERSION, ("mcp-method", "Tools/list")], Err(-32_020)),
            (modern("tools/list"), &[VERSION, list, list], Err(-32_020)),
            (request("tools/list", unset), &[VERSION, list], Err(-32_602)),
            (request("tools/list", odd), &[VERSION, list], Err(-32_602)),
            (request("tools/list", no_version), &[VERSION, list], Err(-32_602)),
            (of("v999"), &[VERSION, list], Err(-32_020)),
            (of("v999"), &[("mcp-protocol-version", "v999"), list], Err(-32_022)),
            (named("name", "get_guide", "tools/call"), &[VERSION, call], Err(-32_020)),
            (
                named("name", "get_guide", "tools/call"),
                &[VERSION, call, ("mcp-name", "get_guide")],
                Ok(Era::Modern),
            ),
            (named("name", "get_guide", "tools/call"), &[VERSION, call, ("mcp-name", "x")], Err(-32_020)),
            (
                named("name", "é", "tools/call"),
                &[VERSION, call, ("mcp-name", "=?base64?w6k=?=")],
                Ok(Era::Modern),
            ),
            (named("name", "é", "tools/call"), &[VERSION, call, ("mcp-name", "=?base64?!?=")], Err(-32_020)),
            (
                named("uri", "topics://", "resources/read"),
                &[VERSION, ("mcp-method", "resources/read"), ("mcp-name", "topics://")],
                Ok(Era::Modern),
            ),
        ];
        for (request, lines, expected) in cases {
            let era = era(request, Some(&headers(lines))).map_err(|fault| fault.code);
            assert_eq!(era, *expected, "{request:?} {lines:?}");
        }
    }

    #[test]
    fn without_headers_the_body_decides() {
        for (params, expected) in [
            (json!({}), Ok(Era::Legacy)),
            (json!({ "_meta": meta(MODERN) }), Ok(Era::Modern)),
            (json!({ "_meta": meta("2025-11-25") }), Ok(Era::Legacy)),
            (json!({ "_meta": meta("2030-01-01") }), Err(-32_022)),
            (json!({ "_meta": { VERSION_KEY: MODERN } }), Err(-32_602)),
        ] {
            let era = era(&request("tools/list", params.clone()), None).map_err(|fault| fault.code);
            assert_eq!(era, expected, "{params}");
        }
    }

    #[test]
    fn initialize_agrees_on_what_both_speak() {
        for (asked, said) in [
            (Some("2025-03-26"), "2025-03-26"),
            (Some("2024-11-05"), "2024-11-05"),
            (Some(MODERN), NEWEST_LEGACY),
            (Some("1.0"), NEWEST_LEGACY),
            (None, NEWEST_LEGACY),
        ] {
            assert_eq!(agreed(asked), said);
        }
    }
}
