//! The HTTP client for lookups, snapshots and the pipeline's downloads: http or https, with the certificates of
//! public authorities.
//!
//! It is a package of its own, because service and pipeline depend only on the library, and the library has no
//! network. Callers decide on redirects and deadlines, because these differ: a lookup follows no redirect, and a
//! download follows a few on one host.

mod public_address;

use std::{
    collections::HashSet,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, builderstates::WantsSchemes};
use hyper_util::{
    client::legacy::{
        Client as Http,
        connect::{
            HttpConnector,
            dns::{GaiResolver, Name},
        },
    },
    rt::{TokioExecutor, TokioTimer},
};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::{CryptoProvider, ring},
    pki_types::CertificateDer,
};

use public_address::is_public;

/// Time for which idle connections are kept, and below, their maximum number per host. Chosen, not measured.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
const IDLE_MAX: usize = 4;

/// Sends requests and reuses connections.
pub type Client = Http<HttpsConnector<HttpConnector<Hosts>>, Full<Bytes>>;

/// Returns the implementation of ciphers that all TLS connections share.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Makes a client that waits at most `connect` for a connection.
pub fn client(connect: Duration, hosts: Hosts) -> Client {
    finish(HttpsConnectorBuilder::new().with_webpki_roots(), connect, hosts)
}

/// Makes a client that trusts only these authorities, such as that of a private network.
///
/// # Errors
/// If one of them is not a certificate.
pub fn client_trusting(
    authorities: Vec<CertificateDer<'static>>,
    connect: Duration,
    hosts: Hosts,
) -> Result<Client, rustls::Error> {
    let mut roots = RootCertStore::empty();
    for authority in authorities {
        roots.add(authority)?;
    }
    let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    Ok(finish(HttpsConnectorBuilder::new().with_tls_config(config), connect, hosts))
}

fn finish(builder: HttpsConnectorBuilder<WantsSchemes>, connect: Duration, hosts: Hosts) -> Client {
    let mut connector = HttpConnector::new_with_resolver(hosts);
    connector.enforce_http(false);
    connector.set_connect_timeout(Some(connect));
    connector.set_nodelay(true);
    let https = builder.https_or_http().enable_http1();
    Http::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_max_idle_per_host(IDLE_MAX)
        .pool_timer(TokioTimer::new())
        .build(https.wrap_connector(connector))
}

/// The hosts that may be reached. As a resolver, it refuses names that lead to other hosts.
#[derive(Clone, Debug)]
pub enum Hosts {
    /// All hosts, at public and private addresses.
    Any,
    /// Hosts at public addresses, and hosts with these names, which the operator chose.
    Public(Arc<HashSet<String>>),
}

impl Hosts {
    /// Whether a host in a URL may be reached. This function checks network addresses, which need no resolver; the
    /// resolver checks names.
    pub fn may_reach(&self, host: &str) -> bool {
        let address = host.trim_start_matches('[').trim_end_matches(']').parse();
        match (self, address) {
            (Hosts::Public(own), Ok(address)) => is_public(address) || own.contains(host),
            _ => true,
        }
    }
}

/// Error for the name of a public service that resolves to a private network.
#[derive(Debug, thiserror::Error)]
#[error("{0} leads to {1}, which is not on the public internet")]
struct NotPublic(String, SocketAddr);

type Resolving = Pin<
    Box<
        dyn Future<Output = Result<std::vec::IntoIter<SocketAddr>, Box<dyn std::error::Error + Send + Sync>>>
            + Send,
    >,
>;

impl tower_service::Service<Name> for Hosts {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Resolving;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Resolving {
        let hosts = self.clone();
        Box::pin(async move {
            let host = name.to_string();
            let addresses: Vec<SocketAddr> = GaiResolver::new().call(name).await?.collect();
            let private = addresses.iter().find(|address| !is_public(address.ip()));
            match (private, hosts) {
                (Some(address), Hosts::Public(own)) if !own.contains(&host.to_lowercase()) => {
                    Err(NotPublic(host, *address).into())
                }
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
            Hosts::Public(own).call("localhost".parse().unwrap())
        };
        let refused = resolve(&["maps.example"]).await.unwrap_err().to_string();
        assert!(refused.contains("localhost leads to") && refused.contains("not on the public internet"));
        assert!(resolve(&["localhost"]).await.unwrap().count() > 0, "whoever runs the server chose it");
        for (host, expected) in [
            ("127.0.0.1", false),
            ("[::1]", false),
            ("10.0.0.7", true),
            ("1.1.1.1", true),
            ("a.example", true),
        ] {
            let hosts = Hosts::Public(Arc::new(HashSet::from(["10.0.0.7".to_owned()])));
            assert_eq!(hosts.may_reach(host), expected, "{host}");
            assert!(Hosts::Any.may_reach(host));
        }
    }
}
