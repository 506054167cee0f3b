//! One call at a time: fixed hosts, https, no redirects, bounded in bytes and time.

use std::{
    collections::HashSet,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::{
    Method, Request,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderValue, USER_AGENT},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{
        Client,
        connect::{
            HttpConnector,
            dns::{GaiResolver, Name},
        },
    },
    rt::{TokioExecutor, TokioTimer},
};
use url::form_urlencoded;

use super::{base::Base, public_address::is_public};
use platbook::facts::Fault;

/// Most bytes of an answer. The longest that is expected has some 20,000.
const BODY_BYTES_MAX: usize = 1 << 20;

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a connection is kept for the next call, and how many of them for one service.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
const IDLE_MAX: usize = 4;

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
    client: Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>,
    user_agent: HeaderValue,
}

impl Fetcher {
    /// Makes calls under this name. The `own` hosts may be at private addresses: whoever runs this service chose them.
    pub(super) fn new(user_agent: HeaderValue, own: HashSet<String>) -> Fetcher {
        let mut connector = HttpConnector::new_with_resolver(Resolver { own: Arc::new(own) });
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
        connector.set_nodelay(true);
        let https = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1();
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(IDLE_MAX)
            .pool_timer(TokioTimer::new())
            .build(https.wrap_connector(connector));
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

/// Resolves names to public addresses.
#[derive(Clone, Debug)]
struct Resolver {
    own: Arc<HashSet<String>>,
}

/// A name of a public service that leads to a private network.
#[derive(Debug, thiserror::Error)]
#[error("{0} leads to {1}, which is not on the public internet")]
struct NotPublic(String, SocketAddr);

type Resolving = Pin<
    Box<
        dyn Future<Output = Result<std::vec::IntoIter<SocketAddr>, Box<dyn std::error::Error + Send + Sync>>>
            + Send,
    >,
>;

impl tower_service::Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Resolving;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Resolving {
        let own = Arc::clone(&self.own);
        Box::pin(async move {
            let host = name.to_string();
            let addresses: Vec<SocketAddr> = GaiResolver::new().call(name).await?.collect();
            let private = addresses.iter().find(|address| !is_public(address.ip()));
            match private {
                Some(address) if !own.contains(&host.to_lowercase()) => Err(NotPublic(host, *address).into()),
                _ => Ok(addresses.into_iter()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use tower_service::Service as _;

    use super::*;

    #[tokio::test]
    async fn a_name_that_leads_to_a_private_network_is_not_followed() {
        let resolve = |own: &[&str]| {
            let own = Arc::new(own.iter().map(|host| (*host).to_owned()).collect());
            Resolver { own }.call("localhost".parse().unwrap())
        };
        let refused = resolve(&["maps.example"]).await.unwrap_err().to_string();
        assert!(refused.contains("localhost leads to") && refused.contains("not on the public internet"));
        assert!(resolve(&["localhost"]).await.unwrap().count() > 0, "whoever runs the server chose it");
    }
}
