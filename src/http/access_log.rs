//! Writes a line for each request, if the operator turned the log on. Only the detail `Full` identifies callers and
//! queries.

use std::{net::IpAddr, time::Duration};

use hyper::{Response, body::Body as _, http::request::Parts};

use super::{limits::Tier, respond::Body};
use platbook::vocabulary::{echoed, holds_key};

/// Maximum number of characters of a request target that are written. Chosen, not measured.
const TARGET_CHARS_MAX: usize = 2_000;

/// The detail of the access log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessLog {
    /// No lines are written.
    Off,
    /// The endpoint, status, bytes of the body, microseconds, and the caller's tier. Nothing identifies the caller or
    /// the query.
    Operations,
    /// Also the caller's network address, and path and query, which may contain addresses and coordinates.
    Full,
}

/// The parts of a line that come from neither the request nor its response.
pub(super) struct Line<'l> {
    pub(super) request_id: &'l str,
    pub(super) asked: &'static str,
    pub(super) took: Duration,
    pub(super) tier: Option<Tier>,
    pub(super) address: IpAddr,
}

impl Line<'_> {
    /// Writes the line. The line never contains a key: headers are not written, and a target that seems to hold a key
    /// is withheld.
    pub(super) fn write(&self, what: AccessLog, head: &Parts, response: &Response<Body>) {
        let Line { request_id, asked, tier, .. } = *self;
        let (method, status) = (method(head), response.status().as_u16());
        let bytes = response.body().size_hint().exact().unwrap_or_default();
        let took_us = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        let tier = tier.map_or("", Tier::as_str);
        if what == AccessLog::Full {
            let (address, target) = (self.address.to_canonical(), target(head));
            let target = target.as_str();
            tracing::info!(
                target: "access", request_id, method, asked, status, bytes, took_us, tier, %address, target, "request"
            );
        } else {
            tracing::info!(target: "access", request_id, method, asked, status, bytes, took_us, tier, "request");
        }
    }
}

/// Returns the method, or `other` if it is longer than any known one: clients can send any text.
fn method(head: &Parts) -> &str {
    let method = head.method.as_str();
    if method.len() <= 10 { method } else { "other" }
}

fn target(head: &Parts) -> String {
    let target = head.uri.path_and_query().map_or("*", |target| target.as_str());
    if holds_key(target) {
        return "withheld: it holds a key".to_owned();
    }
    echoed(target, TARGET_CHARS_MAX).into_owned()
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    #[test]
    fn targets_with_keys_are_withheld() {
        for (asked, written) in [
            ("/v1/topics", "/v1/topics"),
            ("/v1/search?q=St%20Paul", "/v1/search?q=St%20Paul"),
            ("/v1/search?q=pbk_abc", "withheld: it holds a key"),
            ("/v1/search?q=PBK_abc", "withheld: it holds a key"),
            ("/%70bk%5Fabc", "withheld: it holds a key"),
            ("/%2570bk_abc", "withheld: it holds a key"),
        ] {
            let (head, ()) = Request::get(asked).body(()).unwrap().into_parts();
            assert_eq!(target(&head), written, "{asked}");
        }
    }
}
