//! Makes one HTTP call: to fixed hosts, with https, without redirects, and with bounded bytes and time to connect.
//! Works the same for all services.

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

/// Maximum length of a response in bytes. The longest expected one has some 20,000.
const BODY_BYTES_MAX: usize = 1 << 20;

/// Maximum time to connect. Chosen, not measured.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A request to a service, relative to its base address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Query {
    /// The path, which begins with a slash or is empty.
    pub(super) path: &'static str,
    /// The parameters, not yet encoded.
    pub(super) pairs: Vec<(&'static str, String)>,
    /// Whether the parameters are sent as a form in the body, instead of in the URL.
    pub(super) is_posted: bool,
}

impl Query {
    /// Makes a `GET` query with these parameters in its URL.
    pub(super) fn get(path: &'static str, pairs: Vec<(&'static str, String)>) -> Query {
        Query { path, pairs, is_posted: false }
    }
}

/// The response of a service.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    /// The HTTP status code.
    pub status: u16,
    /// The whole body, unparsed.
    pub body: Bytes,
}

/// The HTTP client for all services.
#[derive(Debug)]
pub(super) struct Fetcher {
    client: Client,
    user_agent: HeaderValue,
}

impl Fetcher {
    /// Makes a client with this `User-Agent`. The `own` hosts may have private addresses, since the operator chose
    /// them.
    pub(super) fn new(user_agent: HeaderValue, own: HashSet<String>) -> Fetcher {
        let client = https::client(CONNECT_TIMEOUT, Hosts::Public(Arc::new(own)));
        Fetcher { client, user_agent }
    }

    /// Makes a call and waits for the whole response, without a time limit.
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
        // Encoding keeps a caller's text within the value of one parameter.
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
