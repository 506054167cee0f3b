//! `POST /mcp`: the protocol's streamable HTTP. It needs no streams, because every answer is complete at once.

use std::sync::Arc;

use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{self, HeaderValue},
    http::request::Parts,
};
use serde_json::Value;

use super::{
    Access, Admitting, Drawing, LookingUp, Setting, app, card,
    fault::Fault,
    message::{self, Message},
    methods, origin, protocol,
    reply::Reply,
};
use crate::{
    edition::Edition,
    encode::BodyParts,
    http::{Admission, Body, BodyFault, Call, Door, Responding, Takes, limits::Bucket, whole},
};
use platbook::{
    answers::{Answers, Lookup, Refusal},
    geometry::LonLat,
    vocabulary::ProblemKind,
};

/// Paths of the door. Some clients append a slash.
const PATHS: [&str; 2] = ["/mcp", "/mcp/"];
const CARD_PATHS: [&str; 2] = ["/mcp/server-card", "/.well-known/mcp/server-card.json"];

/// Maximum length of a message in bytes: arguments take at most some 3 KB, and the clients' own metadata about as
/// much.
const MESSAGE_BYTES_MAX: usize = 64 << 10;

const REQUEST_HEADERS: &str =
    "content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-request-id";

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const CARD: HeaderValue = HeaderValue::from_static("application/mcp-server-card+json");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const CARD_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=900");

/// The HTTP interface for language models.
#[derive(Clone, Copy, Debug)]
pub struct McpDoor;

impl Door for McpDoor {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn takes(&self, path: &str) -> Option<Takes> {
        let (methods, request_headers, body_bytes_max): (&'static [Method], _, _) = match path {
            _ if PATHS.contains(&path) => (&[Method::POST], REQUEST_HEADERS, MESSAGE_BYTES_MAX),
            _ if CARD_PATHS.contains(&path) => (&[Method::GET, Method::HEAD], "x-request-id", 0),
            _ => return None,
        };
        Some(Takes { methods, request_headers, body_bytes_max })
    }

    /// Allows a web page to read the response only if it may call the service; other pages get 403.
    fn readers(&self, head: &Parts, edition: &Edition) -> Option<HeaderValue> {
        if !PATHS.contains(&head.uri.path()) {
            return Some(HeaderValue::from_static("*"));
        }
        let is_allowed = origin::fault(&head.headers, edition.encoder().site()).is_none();
        head.headers.get(header::ORIGIN).filter(|_| is_allowed).cloned()
    }

    /// Answers other methods at this path with an MCP message: a problem document would advise GET.
    fn problem(&self, head: &Parts, _edition: &Edition, refusal: &Refusal) -> Option<Response<Body>> {
        let is_here = PATHS.contains(&head.uri.path()) && refusal.kind == ProblemKind::MethodNotAllowed;
        let fault = Fault::invalid_request(format!(
            "{}: send each message by POST, as application/json",
            refusal.detail
        ));
        let reply = Reply::fault(&Value::Null, fault.with_status(StatusCode::METHOD_NOT_ALLOWED));
        is_here.then(|| response(reply.status, reply.body.map(BodyParts::from), NO_STORE))
    }

    fn respond<'a>(&'a self, mut call: Call<'a>) -> Responding<'a> {
        Box::pin(async move {
            if call.head.method != Method::POST {
                call.admission.counts_as(Bucket::Messages);
                call.admission.admit().await?;
                let card = card::card(call.edition.encoder().site()).to_string();
                let mut response = response(StatusCode::OK, Some(card.into()), CARD_CACHE);
                response.headers_mut().insert(header::CONTENT_TYPE, CARD);
                return Ok(response);
            }
            call.admission.counts_as(Bucket::ToolCalls);
            let reply = reply(call).await;
            Ok(response(reply.status, reply.body.map(BodyParts::from), NO_STORE))
        })
    }
}

/// Answers one message over HTTP.
async fn reply(call: Call<'_>) -> Reply {
    let Call { head, body, edition, request_id, admission } = call;
    let refused = |fault: Fault| Reply::fault(&Value::Null, fault);
    if let Some(why) = origin::fault(&head.headers, edition.encoder().site()) {
        return refused(Fault::invalid_request(why).with_status(StatusCode::FORBIDDEN));
    }
    if !is_json(&head.headers) {
        let fault = Fault::invalid_request("send the message as Content-Type: application/json");
        return refused(fault.with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    if is_packed(&head.headers) {
        let fault = Fault::invalid_request("send the message as it is, without Content-Encoding");
        return refused(fault.with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let bytes = match body {
        Ok(bytes) => bytes,
        Err(error @ BodyFault::TooLong { .. }) => {
            let fault = Fault::invalid_request(error.to_string());
            return refused(fault.with_status(StatusCode::PAYLOAD_TOO_LARGE));
        }
        Err(error @ BodyFault::Broken) => return refused(Fault::parse(error.to_string())),
    };
    let message = message::read(&bytes);
    // The message has copies of all data that it needs, so the bytes are freed. A lookup may take seconds, and other
    // requests need this memory.
    drop(bytes);
    match message {
        Ok(Message::Batch(_)) if !protocol::has_batches(&head.headers) => refused(Fault::invalid_request(
            "batches are of revision 2025-03-26 alone; send one message at a time",
        )),
        Ok(Message::Response) if protocol::is_modern(&head.headers) => {
            refused(Fault::invalid_request("responses are not taken; this server asks nothing"))
        }
        message => {
            let mut caller = Caller { admission, edition: Arc::clone(&edition) };
            let setting = Setting { edition: &edition, access: &mut caller, request_id };
            methods::answer_message(setting, message, Some(&head.headers)).await
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(value)) = headers.get(header::CONTENT_TYPE).map(HeaderValue::to_str) else { return false };
    let media_type = value.split(';').next().unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

fn is_packed(headers: &HeaderMap) -> bool {
    headers.get_all(header::CONTENT_ENCODING).iter().any(|coding| coding != "identity")
}

fn response(status: StatusCode, body: Option<BodyParts>, cache: HeaderValue) -> Response<Body> {
    let has_body = body.is_some();
    let mut response = Response::new(whole(body.unwrap_or_default()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    if has_body {
        response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    }
    response
}

/// The caller of a message, with the edition from which the message is answered.
struct Caller<'c> {
    admission: Admission<'c>,
    edition: Arc<Edition>,
}

impl Access for Caller<'_> {
    fn admit(&mut self) -> Admitting<'_> {
        Box::pin(self.admission.admit())
    }

    fn look_up<'a>(&'a mut self, answers: &'a Answers, lookup: Lookup) -> LookingUp<'a> {
        Box::pin(self.admission.look_up(answers, lookup))
    }

    fn draw<'a>(&'a mut self, _edition: &'a Edition, point: LonLat) -> Drawing<'a> {
        let edition = Arc::clone(&self.edition);
        Box::pin(self.admission.offload(move || app::map(&edition, point)))
    }
}
