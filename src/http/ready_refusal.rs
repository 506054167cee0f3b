//! Refusals that are ready to be sent but for the id of the request: who is turned away costs as little as may be.

use hyper::{HeaderMap, Response, StatusCode, header};

use super::{door::Body, headers, request_id::RequestId, respond::response};
use crate::encode::BodyParts;

/// A response that differs only by the id of its request.
#[derive(Debug)]
pub(super) struct ReadyRefusal {
    status: StatusCode,
    headers: HeaderMap,
    body: BodyParts,
}

impl ReadyRefusal {
    /// The response with this status, these headers and this body.
    pub(super) fn new(status: StatusCode, headers: &HeaderMap, body: BodyParts) -> ReadyRefusal {
        ReadyRefusal { status, headers: headers.clone(), body }
    }

    /// For a request on a connection that goes on, without the headers that all answers have.
    pub(super) fn to_response(&self, request_id: &RequestId) -> Response<Body> {
        response(self.status, self.headers.clone(), self.body.with_id(request_id.as_str()))
    }

    /// All that is sent on a connection that ends.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let request_id = RequestId::generated();
        let body = self.body.with_id(request_id.as_str());
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
