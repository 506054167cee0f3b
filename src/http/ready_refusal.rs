//! Refusals that are ready to be sent but for the id of the request: who is turned away costs as little as may be.

use hyper::{HeaderMap, StatusCode};

use super::request_id::RequestId;

/// A whole response, as it is sent.
#[derive(Debug)]
pub(super) struct ReadyRefusal {
    text: Vec<u8>,
    /// The id that it was made with, and where it stands.
    id: String,
    at: Vec<usize>,
}

impl ReadyRefusal {
    /// The response with this status, these headers and this body, both of which name the request.
    pub(super) fn new(status: StatusCode, headers: &HeaderMap, body: &[u8], id: &str) -> ReadyRefusal {
        let mut text = format!("HTTP/1.1 {status}\r\n").into_bytes();
        for (name, value) in headers {
            text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
        text.extend(b"\r\n");
        text.extend(body);
        let at = text.windows(id.len()).enumerate().filter(|(_, window)| *window == id.as_bytes());
        let at = at.map(|(at, _)| at).collect();
        ReadyRefusal { text, id: id.to_owned(), at }
    }

    /// Its bytes, for a request of its own.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (mut text, id) = (self.text.clone(), RequestId::generated());
        for &at in &self.at {
            text[at..at + self.id.len()].copy_from_slice(id.as_str().as_bytes());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::{self, HeaderValue};

    use super::{super::request_id::X_REQUEST_ID, *};

    #[test]
    fn each_names_a_request_of_its_own_and_differs_in_nothing_else() {
        let made_for = RequestId::generated();
        let id = made_for.as_str().to_owned();
        let body = format!(r#"{{"request_id":"{id}"}}"#);
        let mut headers = HeaderMap::new();
        headers.insert(X_REQUEST_ID, made_for.into_header());
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        let ready = ReadyRefusal::new(StatusCode::SERVICE_UNAVAILABLE, &headers, body.as_bytes(), &id);
        let [one, two] = [ready.to_bytes(), ready.to_bytes()].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_ne!(one, two);
        for text in [one, two] {
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            let named = head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap();
            let lines =
                ["HTTP/1.1 503 Service Unavailable", &format!("x-request-id: {named}"), "connection: close"];
            assert!(named != id && head == lines.join("\r\n"), "{head}");
            assert_eq!(body, format!(r#"{{"request_id":"{named}"}}"#));
        }
    }
}
