//! A certificate authority for tests: orders by ACME (RFC 8555), checks of names in handshakes (RFC 8737), and
//! renewal under load.

use std::{
    collections::{BTreeSet, HashMap},
    convert::Infallible,
    net::SocketAddr,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, Response,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use platbook::vocabulary::with_causes;
use platbook_https::Hosts;
use platbook_service::{
    http::{Capacity, Listener},
    tls::{Tls, acme::Authority},
};
use rcgen::{BasicConstraints, CertificateParams, CertificateSigningRequestParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
        client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        crypto::ring,
        pki_types::{CertificateDer, ServerName, UnixTime},
    },
};

use super::client::{self, Trust, pem};
use crate::harness::{COVERED, Server, comes_true, service};

const NAME: &str = "localhost";
const TOKEN: &str = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA";

/// The state of the authority.
struct State {
    url: String,
    /// The address at which the authority checks names, in place of port 443.
    checks_at: SocketAddr,
    root: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
    /// Time for which the authority's certificates are valid.
    lasts: Duration,
    nonces: Mutex<BTreeSet<String>>,
    /// The thumbprint of the account's key, and below, the status of its only order.
    account: Mutex<Option<String>>,
    status: Mutex<&'static str>,
    chain: Mutex<String>,
    is_refusing: AtomicBool,
    accounts: AtomicUsize,
    orders: AtomicUsize,
}

impl State {
    async fn start(checks_at: SocketAddr, lasts: Duration) -> Arc<State> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut wanted = CertificateParams::new(Vec::new()).unwrap();
        wanted.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let root = wanted.self_signed(&key).unwrap().der().clone();
        let state = Arc::new(State {
            url: format!("http://{}", listener.local_addr().unwrap()),
            checks_at,
            root,
            issuer: Issuer::new(wanted, key),
            lasts,
            nonces: Mutex::default(),
            account: Mutex::default(),
            status: Mutex::new("pending"),
            chain: Mutex::default(),
            is_refusing: AtomicBool::new(false),
            accounts: AtomicUsize::new(0),
            orders: AtomicUsize::new(0),
        });
        let of_server = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&of_server);
                tokio::spawn(async move {
                    let handler = service_fn(|request| {
                        let state = Arc::clone(&state);
                        async move { Ok::<_, Infallible>(state.respond(request).await) }
                    });
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), handler).await;
                });
            }
        });
        state
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let path = head.uri.path();
        let (status, body) = match head.method {
            Method::POST => {
                let jws: Value = serde_json::from_slice(&body).unwrap();
                let part = |name: &str| BASE64_URL_SAFE_NO_PAD.decode(jws[name].as_str().unwrap()).unwrap();
                let protected: Value = serde_json::from_slice(&part("protected")).unwrap();
                assert_eq!(head.headers["content-type"], "application/jose+json");
                assert_eq!(
                    (&protected["alg"], &protected["url"]),
                    (&json!("ES256"), &json!(format!("{}{path}", self.url)))
                );
                if self.nonces.lock().unwrap().remove(protected["nonce"].as_str().unwrap()) {
                    self.post(path, &protected, &part("payload")).await
                } else {
                    (400, json!({"type": "urn:ietf:params:acme:error:badNonce"}).to_string())
                }
            }
            _ if path == "/directory" => (200, self.directory()),
            _ => (200, String::new()),
        };
        // The first nonce is refused, since an authority may forget its nonces.
        let nonce = format!("nonce-{:016x}", fastrand::u64(..));
        let mut nonces = self.nonces.lock().unwrap();
        if !nonces.is_empty() || self.orders.load(Ordering::Relaxed) > 0 || status == 400 {
            nonces.insert(nonce.clone());
        }
        let location = match path {
            "/account" => format!("{}/accounts/1", self.url),
            _ => format!("{}/orders/1", self.url),
        };
        Response::builder()
            .status(status)
            .header("replay-nonce", nonce)
            .header("location", location)
            .body(Full::new(Bytes::from(body)))
            .unwrap()
    }

    fn directory(&self) -> String {
        let at = |path: &str| format!("{}/{path}", self.url);
        json!({"newNonce": at("nonce"), "newAccount": at("account"), "newOrder": at("order")}).to_string()
    }

    async fn post(&self, path: &str, protected: &Value, payload: &[u8]) -> (u16, String) {
        if path != "/account" {
            assert_eq!(protected["kid"], format!("{}/accounts/1", self.url), "known by its account");
        }
        match path {
            "/account" => {
                let payload: Value = serde_json::from_slice(payload).unwrap();
                assert_eq!(payload["termsOfServiceAgreed"], true);
                *self.account.lock().unwrap() = Some(thumbprint(&protected["jwk"]));
                self.accounts.fetch_add(1, Ordering::Relaxed);
                (201, json!({"status": "valid"}).to_string())
            }
            "/order" => {
                let payload: Value = serde_json::from_slice(payload).unwrap();
                assert_eq!(payload["identifiers"], json!([{"type": "dns", "value": NAME}]));
                self.orders.fetch_add(1, Ordering::Relaxed);
                self.set("pending");
                (201, self.order())
            }
            "/authorization" => (200, self.authorization()),
            "/challenge" => {
                let is_proved = !self.is_refusing.load(Ordering::Relaxed) && self.is_proved().await;
                let pending = self.challenge().to_string();
                self.set(if is_proved { "ready" } else { "invalid" });
                (200, pending)
            }
            "/finalize" => {
                let payload: Value = serde_json::from_slice(payload).unwrap();
                self.issue(payload["csr"].as_str().unwrap());
                (200, self.order())
            }
            "/orders/1" => (200, self.order()),
            "/certificate" => (200, self.chain.lock().unwrap().clone()),
            _ => (404, json!({"detail": path}).to_string()),
        }
    }

    fn set(&self, status: &'static str) {
        *self.status.lock().unwrap() = status;
    }

    fn order(&self) -> String {
        let at = |path: &str| format!("{}/{path}", self.url);
        json!({
            "status": *self.status.lock().unwrap(),
            "authorizations": [at("authorization")],
            "finalize": at("finalize"),
            "certificate": at("certificate"),
        })
        .to_string()
    }

    fn authorization(&self) -> String {
        let status = match *self.status.lock().unwrap() {
            "ready" | "valid" => "valid",
            other => other,
        };
        let identifier = json!({"type": "dns", "value": NAME});
        json!({"status": status, "identifier": identifier, "challenges": [self.challenge()]}).to_string()
    }

    fn challenge(&self) -> Value {
        let url = format!("{}/challenge", self.url);
        match *self.status.lock().unwrap() {
            "invalid" => json!({"type": "tls-alpn-01", "url": url, "token": TOKEN, "status": "invalid",
                "error": {"type": "urn:ietf:params:acme:error:connection", "detail": "no way to localhost"}}),
            "pending" => json!({"type": "tls-alpn-01", "url": url, "token": TOKEN, "status": "pending"}),
            _ => json!({"type": "tls-alpn-01", "url": url, "token": TOKEN, "status": "valid"}),
        }
    }

    /// Checks the name as RFC 8737 says: the certificate of a handshake has the digest of the challenge.
    async fn is_proved(&self) -> bool {
        let authorization = format!("{TOKEN}.{}", self.account.lock().unwrap().as_deref().unwrap());
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().dangerous();
        let mut config = config.with_custom_certificate_verifier(Arc::new(Anyone)).with_no_client_auth();
        config.alpn_protocols = vec![b"acme-tls/1".to_vec()];
        let stream = TcpStream::connect(self.checks_at).await.unwrap();
        let connected = TlsConnector::from(Arc::new(config)).connect(client::name(), stream).await;
        let Ok(stream) = connected else { return false };
        let session = stream.get_ref().1;
        assert_eq!(session.alpn_protocol(), Some(&b"acme-tls/1"[..]));
        // The extension acmeIdentifier, critical, with an octet string of the digest.
        let mut extension = b"\x06\x08\x2b\x06\x01\x05\x05\x07\x01\x1f\x01\x01\xff\x04\x22\x04\x20".to_vec();
        extension.extend_from_slice(&Sha256::digest(authorization.as_bytes()));
        let certificate = &session.peer_certificates().unwrap()[0];
        certificate.windows(extension.len()).any(|bytes| bytes == extension)
    }

    fn issue(&self, request: &str) {
        let request = BASE64_URL_SAFE_NO_PAD.decode(request).unwrap();
        let mut request = CertificateSigningRequestParams::from_der(&request.into()).unwrap();
        let now = SystemTime::now();
        (request.params.not_before, request.params.not_after) = (now.into(), (now + self.lasts).into());
        let certificate = request.signed_by(&self.issuer).unwrap();
        *self.chain.lock().unwrap() = pem("CERTIFICATE", certificate.der()) + &pem("CERTIFICATE", &self.root);
        self.set("valid");
    }
}

/// The thumbprint of a key (RFC 7638).
fn thumbprint(key: &Value) -> String {
    let text = format!(r#"{{"crv":{},"kty":{},"x":{},"y":{}}}"#, key["crv"], key["kty"], key["x"], key["y"]);
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

/// Accepts any certificate, because those of challenges are self-signed.
#[derive(Debug)]
struct Anyone;

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}

/// Starts a server that orders its certificate from the authority.
fn start(tls: &Arc<Tls>) -> Server {
    let tls = Arc::clone(tls);
    Server::start_at(Arc::new(service()), Capacity::default(), |listener| Listener::Secure(listener, tls))
}

fn authority(state: &State, folder: &Path) -> Authority {
    Authority {
        directory: format!("{}/directory", state.url),
        names: vec![NAME.to_owned()],
        contact: Some("maps@example.gov".to_owned()),
        folder: folder.join("acme"),
        client: platbook_https::client(Duration::from_secs(5), Hosts::Any),
    }
}

/// Returns the seconds since the epoch at which the served certificate ends.
fn ends(tls: &Tls) -> Option<i64> {
    Some(tls.certificate()?.ends().as_second())
}

/// The first certificate is ordered without one, the second while requests are answered, and both are kept. A service that
/// starts again needs no order.
#[test]
fn a_certificate_is_ordered_renewed_under_load_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let tls = Arc::new(Tls::new(None).unwrap());
    let server = start(&tls);
    let state = runtime.block_on(State::start(server.address, Duration::from_secs(12)));
    let config = Trust(vec![state.root.clone()]).usual();
    assert!(client::ask(server.address, &config, COVERED).is_err(), "there is no certificate yet");
    let order = authority(&state, folder.path());
    order.prepare().unwrap();
    assert!(order.stored().unwrap().is_none());
    let keeping = runtime.spawn(order.keep(Arc::clone(&tls)));
    assert!(comes_true(|| ends(&tls).is_some()));
    let first = ends(&tls);
    let mut answered = 0;
    assert!(comes_true(|| {
        // Each round uses a new connection, so that each handshake has the certificate of its moment.
        answered += client::ask_on(server.address, &config, COVERED, 2).unwrap().0;
        ends(&tls) > first
    }));
    assert!(answered >= 20, "{answered}");
    keeping.abort();
    let (accounts, orders) = (state.accounts.load(Ordering::Relaxed), state.orders.load(Ordering::Relaxed));
    assert_eq!((accounts, orders), (1, 2), "the account of the folder is used again");
    let stored = authority(&state, folder.path()).stored().unwrap().unwrap();
    assert_eq!(Some(stored.ends().as_second()), ends(&tls));
    let modes: HashMap<String, u32> = std::fs::read_dir(folder.path().join("acme"))
        .unwrap()
        .map(|entry| {
            use std::os::unix::fs::PermissionsExt as _;
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            (entry.file_name().to_string_lossy().into_owned(), mode)
        })
        .collect();
    assert!(modes.len() == 2 && modes.values().all(|mode| *mode == 0o600), "{modes:?}");
}

/// An order that the authority refuses says why.
#[test]
fn a_refused_order_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let tls = Arc::new(Tls::new(None).unwrap());
    let server = start(&tls);
    let state = runtime.block_on(State::start(server.address, Duration::from_secs(60)));
    let order = authority(&state, folder.path());
    order.prepare().unwrap();
    let ordered = || runtime.block_on(order.order(&tls)).map_err(|fault| with_causes(&fault));
    ordered().unwrap();
    state.is_refusing.store(true, Ordering::Relaxed);
    let fault = ordered().unwrap_err();
    assert!(
        fault.contains("could not check a name: localhost: ") && fault.contains("no way to localhost"),
        "{fault}"
    );
    std::fs::remove_dir_all(folder.path().join("acme")).unwrap();
    let fault = ordered().unwrap_err();
    assert!(fault.contains("cannot use ") && fault.contains("No such file"), "{fault}");
}
