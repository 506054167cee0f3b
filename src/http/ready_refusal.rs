//! Refusals that are ready to be sent but for the id of the request: who is turned away costs as little as may be.

use hyper::{HeaderMap, Response, StatusCode, header};

use super::{door::Body, headers, request_id::RequestId, respond::response};
use crate::encode::Encoded;
use platbook::{answers::Refusal, vocabulary::ProblemKind};

/// Seconds after which a client that found all connections taken may try again.
const FULL_RETRY_S: u32 = 5;

/// Seconds after which a client that is rejected, because work waits too long, may try again. Each client gets one of them,
/// so that they do not all come back at once.
pub(super) const SHED_RETRY_S: [u32; 3] = [1, 2, 3];

/// The refusal where all connections are taken.
pub(super) fn full() -> Refusal {
    let refusal = Refusal::new(ProblemKind::Busy, "all connections are taken; ask again in a moment");
    Refusal { retry_after_s: Some(FULL_RETRY_S), ..refusal }
}

/// The number of one of [`SHED_RETRY_S`].
pub(super) fn any_retry() -> usize {
    fastrand::usize(..SHED_RETRY_S.len())
}

/// The refusal where work waits too long, with the seconds after which the client may try again.
pub(super) fn overloaded(retry_s: u32) -> Refusal {
    let detail = format!("more is asked than can be answered in time; ask again in {retry_s} s");
    Refusal { retry_after_s: Some(retry_s), ..Refusal::new(ProblemKind::Busy, detail) }
}

/// A response that differs only by the id of its request.
#[derive(Debug)]
pub(super) struct ReadyRefusal {
    status: StatusCode,
    headers: HeaderMap,
    body: Encoded,
}

impl ReadyRefusal {
    /// The response with this status, these headers and this body.
    pub(super) fn new(status: StatusCode, headers: &HeaderMap, body: Encoded) -> ReadyRefusal {
        ReadyRefusal { status, headers: headers.clone(), body }
    }

    /// For a request on a connection that goes on, without the headers that all answers have.
    pub(super) fn to_response(&self, request_id: &RequestId) -> Response<Body> {
        response(self.status, self.headers.clone(), self.body.clone().fill(request_id.as_str()))
    }

    /// All that is sent on a connection that ends.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let request_id = RequestId::generated();
        let body = self.body.clone().fill(request_id.as_str());
        let mut headers = self.headers.clone();
        headers.insert(header::CONNECTION, headers::CLOSE);
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        headers::add_common(&mut headers, request_id);
        let mut text = format!("HTTP/1.1 {}\r\n", self.status).into_bytes();
        for (name, value) in &headers {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                text.extend_from_slice(part);
            }
        }
        text.extend_from_slice(b"\r\n");
        for part in body.parts() {
            text.extend_from_slice(part);
        }
        text
    }
}

/// The refusal where the budget of bodies is used up.
pub(super) fn no_room() -> Refusal {
    let detail = "there is no room for so long a message now; ask again in a moment, or with a shorter one";
    Refusal { retry_after_s: Some(FULL_RETRY_S), ..Refusal::new(ProblemKind::Busy, detail) }
}

/// The refusal after a panic.
pub(super) fn internal_error() -> Refusal {
    Refusal::new(ProblemKind::InternalError, "an error of this service, not of the request; ask again later")
}
