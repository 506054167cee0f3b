//! The certificate of a service that itself terminates TLS: read from files, or ordered by ACME (RFC 8555).
//!
//! [`Tls`] holds the data for handshakes. Certificates come from a [`Pair`] of files or from an authority ([`acme`]),
//! and are replaced while the service answers. The module `http` accepts and limits connections.

pub mod acme;
mod certificate;
mod pair;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use arc_swap::{ArcSwap, ArcSwapOption};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use jiff::Timestamp;
use tokio_rustls::rustls::{
    self, ServerConfig,
    crypto::ring::Ticketer,
    server::{ClientHello, NoServerSessionStorage, ProducesTickets, ResolvesServerCert},
    sign::CertifiedKey,
};

pub use certificate::{Certificate, CertificateFault};
pub use pair::{Pair, PairFault, WatchedPair};

/// The names of protocols in a handshake (RFC 7301), the preferred one first.
const HTTP_2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";

/// The protocol name with which an authority checks who holds a host name (RFC 8737).
pub const ACME_TLS: &[u8] = b"acme-tls/1";

/// Number of characters in a line of PEM (RFC 7468, section 2).
const PEM_LINE: usize = 64;

/// The settings of handshakes, and the current certificate.
#[derive(Debug)]
pub struct Tls {
    current: Arc<Current>,
    with_http_2: Arc<ServerConfig>,
    with_http_1: Arc<ServerConfig>,
}

/// The current certificate, and the certificates for challenges.
#[derive(Debug, Default)]
struct Current {
    certificate: ArcSwapOption<Certificate>,
    /// Certificates that prove to an authority who holds a host name, by that name.
    challenges: ArcSwap<BTreeMap<String, Arc<CertifiedKey>>>,
    /// Whether a newer certificate should be in use but cannot be used.
    is_behind: AtomicBool,
}

impl ResolvesServerCert for Current {
    /// Returns the certificate, whatever name the client requests, since the service has only one.
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_challenge = hello.alpn().is_some_and(|mut names| names.all(|name| name == ACME_TLS));
        if is_challenge {
            return self.challenges.load().get(hello.server_name()?).cloned();
        }
        self.certificate.load().as_ref().map(|certificate| certificate.key())
    }
}

impl Tls {
    /// Makes the settings. Handshakes fail before the first certificate.
    ///
    /// # Errors
    /// Fails if the system cannot provide random bytes.
    pub fn new(certificate: Option<Certificate>) -> Result<Tls, rustls::Error> {
        let current = Arc::new(Current::default());
        current.certificate.store(certificate.map(Arc::new));
        let (tickets, provider) = (Ticketer::new()?, platbook_https::provider());
        let config = |protocols: &[&[u8]]| -> Result<Arc<ServerConfig>, rustls::Error> {
            let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
            let builder = builder.with_safe_default_protocol_versions()?.with_no_client_auth();
            let resolver = Arc::clone(&current) as Arc<dyn ResolvesServerCert>;
            Ok(resumable(builder.with_cert_resolver(resolver), protocols, &tickets))
        };
        Ok(Tls {
            with_http_2: config(&[HTTP_2, HTTP_1, ACME_TLS])?,
            with_http_1: config(&[HTTP_1, ACME_TLS])?,
            current,
        })
    }

    /// Returns the settings of a handshake, with or without HTTP/2.
    pub fn config(&self, has_http_2: bool) -> &Arc<ServerConfig> {
        if has_http_2 { &self.with_http_2 } else { &self.with_http_1 }
    }

    /// Returns whether a handshake chose HTTP/2.
    pub fn is_http_2(protocol: Option<&[u8]>) -> bool {
        protocol == Some(HTTP_2)
    }

    /// Returns the certificate for new connections; `None` before the first certificate.
    pub fn certificate(&self) -> Option<Arc<Certificate>> {
        self.current.certificate.load_full()
    }

    /// Returns the seconds until the certificate expires; negative after that. `None` before the first certificate.
    pub fn expires_s(&self) -> Option<i64> {
        let certificate = self.certificate()?;
        Some(certificate.ends().duration_since(Timestamp::now()).as_secs())
    }

    /// Returns whether a newer certificate should be in use but cannot be used; the log says why.
    pub fn is_behind(&self) -> bool {
        self.current.is_behind.load(Ordering::Relaxed)
    }

    /// Uses this certificate for new connections from now on. Open connections keep the old one.
    pub fn replace(&self, certificate: Certificate) {
        tracing::info!("serving the certificate {certificate}");
        self.current.certificate.store(Some(Arc::new(certificate)));
        self.set_behind(false);
    }

    fn set_behind(&self, is_behind: bool) {
        self.current.is_behind.store(is_behind, Ordering::Relaxed);
    }

    /// Sets the certificates that prove to an authority who holds these host names.
    fn set_challenges(&self, challenges: BTreeMap<String, Arc<CertifiedKey>>) {
        self.current.challenges.store(Arc::new(challenges));
    }
}

/// Writes bytes as a section of PEM (RFC 7468) with this label.
fn pem(label: &str, bytes: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(bytes);
    let lines = text.as_bytes().chunks(PEM_LINE).map(String::from_utf8_lossy).collect::<Vec<_>>().join("\n");
    format!("-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n")
}

/// Completes the settings. Clients resume sessions with tickets, so the server stores no sessions.
fn resumable(
    mut config: ServerConfig,
    protocols: &[&[u8]],
    tickets: &Arc<dyn ProducesTickets>,
) -> Arc<ServerConfig> {
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.ticketer = Arc::clone(tickets);
    // All ciphers of the service are strong, but scanners such as testssl.sh warn of servers that let clients choose.
    config.ignore_client_order = true;
    Arc::new(config)
}
