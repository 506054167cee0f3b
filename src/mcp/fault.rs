//! The protocol's errors, for messages that get no result, with their HTTP status.

use std::borrow::Cow;

use hyper::StatusCode;
use serde_json::Value;

use platbook::vocabulary::echoed;

/// Maximum number of characters in the message of an error. Chosen, not measured: programs read the code, and a
/// person needs no more.
const MESSAGE_CHARS_MAX: usize = 1_000;
const WORD_CHARS_MAX: usize = 100;

/// Shortens a caller's text that an error repeats, and removes unsafe characters and keys.
pub(super) fn word(text: &str) -> Cow<'_, str> {
    echoed(text, WORD_CHARS_MAX)
}

/// An error of the protocol. A refusal by a tool is not such an error: it is a result that explains itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// The code of JSON-RPC or of the protocol. The service's own errors use an HTTP status.
    pub(super) code: i64,
    /// Status of the HTTP response.
    pub(super) status: StatusCode,
    /// A text for people: the value received, the value expected, and what to do.
    pub(super) message: String,
    /// More data for programs; null without more data.
    pub(super) data: Value,
}

/// The bytes are not JSON (JSON-RPC 2.0, section 5.1).
const PARSE: i64 = -32_700;
/// The JSON is not a message that this service accepts.
const INVALID_REQUEST: i64 = -32_600;
/// The service has no such method.
const METHOD_NOT_FOUND: i64 = -32_601;
/// The parameters do not fit the method.
const INVALID_PARAMS: i64 = -32_602;
/// A header differs from the body.
const HEADER_MISMATCH: i64 = -32_020;
/// The service does not speak this version of the protocol.
const UNSUPPORTED_VERSION: i64 = -32_022;
/// The caller has no tool calls left. This code is the service's own, outside the range that the protocol reserves.
const TOO_MANY: i64 = 429;

impl Fault {
    fn new(code: i64, status: StatusCode, message: impl Into<String>) -> Fault {
        let message = echoed(&message.into(), MESSAGE_CHARS_MAX).into_owned();
        Fault { code, status, message, data: Value::Null }
    }

    pub(super) fn parse(message: impl Into<String>) -> Fault {
        Fault::new(PARSE, StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn invalid_request(message: impl Into<String>) -> Fault {
        Fault::new(INVALID_REQUEST, StatusCode::BAD_REQUEST, message)
    }

    /// Returns the error with another HTTP status, for transports that require one.
    pub(super) fn with_status(self, status: StatusCode) -> Fault {
        Fault { status, ..self }
    }

    pub(super) fn with_data(self, data: Value) -> Fault {
        Fault { data, ..self }
    }

    /// Makes the error for an unknown method. `status` is the one that the era of the request requires.
    pub(super) fn no_such_method(method: &str, status: StatusCode) -> Fault {
        Fault::new(METHOD_NOT_FOUND, status, format!("no method {}", word(method)))
    }

    pub(super) fn invalid_params(message: impl Into<String>) -> Fault {
        Fault::new(INVALID_PARAMS, StatusCode::OK, message)
    }

    pub(super) fn header_mismatch(message: impl Into<String>) -> Fault {
        Fault::new(HEADER_MISMATCH, StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn unsupported_version(data: Value) -> Fault {
        Fault::new(UNSUPPORTED_VERSION, StatusCode::BAD_REQUEST, "Unsupported protocol version")
            .with_data(data)
    }

    pub(super) fn too_many(message: impl Into<String>) -> Fault {
        Fault::new(TOO_MANY, StatusCode::TOO_MANY_REQUESTS, message)
    }
}
