//! Why a message has no result: the protocol's errors, with their status over HTTP.

use std::borrow::Cow;

use hyper::StatusCode;
use serde_json::Value;

use platbook::vocabulary::echoed;

/// Most characters of a message, and of a word of the caller's in it. Both are ours to choose: a program reads the code, and a
/// person recognizes a name by less.
const MESSAGE_CHARS_MAX: usize = 1_000;
const WORD_CHARS_MAX: usize = 100;

/// A word of the caller's, as errors repeat it.
pub(super) fn word(text: &str) -> Cow<'_, str> {
    echoed(text, WORD_CHARS_MAX)
}

/// An error of the protocol. What a tool cannot answer is none: that is a result which says so.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// Code of JSON-RPC, of the protocol, or an HTTP status of our own.
    pub(super) code: i64,
    /// Status over HTTP.
    pub(super) status: StatusCode,
    /// What came, what was expected, what to do.
    pub(super) message: String,
    /// More for programs; null where there is none.
    pub(super) data: Value,
}

/// The bytes are no JSON.
const PARSE: i64 = -32_700;
/// The JSON is no message that is taken here.
const INVALID_REQUEST: i64 = -32_600;
/// No such method.
const METHOD_NOT_FOUND: i64 = -32_601;
/// The parameters do not fit the method.
const INVALID_PARAMS: i64 = -32_602;
/// Headers do not say what the body says.
const HEADER_MISMATCH: i64 = -32_020;
/// A version of the protocol that is not spoken here.
const UNSUPPORTED_VERSION: i64 = -32_022;
/// The caller's tool calls are used up. Beyond the protocol, and outside of what it reserves.
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

    /// The same error with another status: the transport's own reason.
    pub(super) fn with_status(self, status: StatusCode) -> Fault {
        Fault { status, ..self }
    }

    pub(super) fn with_data(self, data: Value) -> Fault {
        Fault { data, ..self }
    }

    /// `status` is 404 in the era that tells unknown methods by it.
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
