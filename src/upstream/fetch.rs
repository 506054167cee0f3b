//! One call at a time: fixed hosts, https, no redirects, bounded in bytes and time.

use std::{collections::HashSet, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::{
    Method, Request,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderValue, USER_AGENT},
};
use url::form_urlencoded;

use super::base::Base;
use platbook::facts::Fault;
use platbook_https::{self as https, Client, Hosts};

/// Most bytes of an answer. The longest that is expected has some 20,000.
const BODY_BYTES_MAX: usize = 1 << 20;

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// What a service is asked, below its base address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Query {
    /// The path.
    pub(super) path: &'static str,
    /// Parameters, not yet encoded.
    pub(super) pairs: Vec<(&'static str, String)>,
    /// Whether they are sent as a form, and not in the address.
    pub(super) is_posted: bool,
}

impl Query {
    /// A query in the address.
    pub(super) fn get(path: &'static str, pairs: Vec<(&'static str, String)>) -> Query {
        Query { path, pairs, is_posted: false }
    }
}

/// What a service answered.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    /// Status of HTTP.
    pub status: u16,
    /// The body, whole.
    pub body: Bytes,
}

/// Makes calls.
#[derive(Debug)]
pub(super) struct Fetcher {
    client: Client,
    user_agent: HeaderValue,
}

impl Fetcher {
    /// Makes calls under this name. The `own` hosts may be at private addresses: whoever runs this service chose them.
    pub(super) fn new(user_agent: HeaderValue, own: HashSet<String>) -> Fetcher {
        let client = https::client(CONNECT_TIMEOUT, Hosts::Public(Arc::new(own)));
        Fetcher { client, user_agent }
    }

    /// Makes a call and waits for the whole answer, however long that takes.
    pub(super) async fn call(&self, base: &Base, query: &Query) -> Result<Reply, Fault> {
        let request = self.request(base, query)?;
        let answer = self.client.request(request).await.map_err(|_| Fault::Unreachable)?;
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), BODY_BYTES_MAX).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() { Fault::TooLong } else { Fault::Unreachable }
        })?;
        Ok(Reply { status, body: body.to_bytes() })
    }

    fn request(&self, base: &Base, query: &Query) -> Result<Request<Full<Bytes>>, Fault> {
        // Whatever a caller has written is the value of one parameter here, and nothing else.
        let pairs = form_urlencoded::Serializer::new(String::new()).extend_pairs(&query.pairs).finish();
        let url = base.below(query.path);
        let request = Request::builder()
            .header(USER_AGENT, &self.user_agent)
            .header(ACCEPT, "application/json")
            .header(ACCEPT_ENCODING, "identity");
        let request = if query.is_posted {
            let form = "application/x-www-form-urlencoded";
            request.method(Method::POST).uri(url).header(CONTENT_TYPE, form).body(Full::from(pairs))
        } else {
            request.uri(format!("{url}?{pairs}")).body(Full::default())
        };
        request.map_err(|_| Fault::Unreachable)
    }
}
