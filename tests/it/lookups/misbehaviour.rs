use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use platbook_service::upstream::{Lookups, Services};
use tokio::{io::AsyncWriteExt as _, net::TcpListener};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use super::{
    SERVICES, outcome,
    outside::{Act, Outside},
    services,
};

/// Deadline of lookups: shorter than the default, because most cases wait for it.
const DEADLINE: Duration = Duration::from_secs(2);

const JSON: &str = "application/json";
const HTML: &str = "<!DOCTYPE html><html><body>Service Unavailable</body></html>";

/// Ways in which a service may misbehave. `elsewhere` is an address to which it may redirect.
fn misbehaviours(elsewhere: &str) -> Vec<(&'static str, Act)> {
    let redirect = |status: u16, location: &str| {
        let head = format!(
            "HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        Act::Send(head.into_bytes())
    };
    let ten_megabytes = format!("{{\"features\":[],\"padding\":\"{}\"}}", "x".repeat(10 << 20));
    let half = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"features\":[{\"attr";
    let chunked =
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";
    let utf_16: Vec<u8> = "{\"features\":[]}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("hangs", Act::Hang),
        (
            "drips",
            Act::Drip(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".into(),
            ),
        ),
        ("closes without a word", Act::Send(Vec::new())),
        ("500 in HTML", Act::answer(500, "text/html", HTML)),
        ("502", Act::answer(502, "text/html", HTML)),
        ("503", Act::answer(503, JSON, "{\"features\":[]}")),
        ("429", Act::answer(429, JSON, "{}")),
        ("403", Act::answer(403, "text/html", HTML)),
        ("404", Act::answer(404, "text/plain", "not found")),
        ("301 elsewhere", redirect(301, elsewhere)),
        ("302 elsewhere", redirect(302, elsewhere)),
        ("307 elsewhere", redirect(307, elsewhere)),
        ("308 to metadata of a cloud", redirect(308, "http://169.254.169.254/latest/meta-data/")),
        ("a redirect without a place", redirect(302, "")),
        ("HTML with 200", Act::answer(200, "text/html", HTML)),
        ("nothing with 200", Act::answer(200, JSON, "")),
        ("204", Act::answer(204, JSON, "")),
        ("10 MB", Act::answer(200, JSON, ten_megabytes)),
        ("chunks without an end", Act::Endless(chunked.into(), b"4\r\n    \r\n".repeat(1_000))),
        (
            "header fields without an end",
            Act::Endless(b"HTTP/1.1 200 OK\r\n".into(), b"X-A: b\r\n".repeat(1_000)),
        ),
        ("half a body", Act::Send(half.into())),
        ("half a JSON", Act::json("{\"features\":[{\"attributes\":{\"FLD_ZONE\":\"A")),
        ("an error with 200", Act::json("{\"error\":{\"code\":500,\"message\":\"Error\"}}")),
        ("an array", Act::json("[]")),
        ("null", Act::json("null")),
        ("a deep nest", Act::json(&"[".repeat(100_000))),
        (
            "numbers of no size",
            Act::json("{\"features\":1e999,\"Table\":1e999,\"result\":1e999,\"value\":1e999}"),
        ),
        ("other types", Act::json("{\"features\":\"none\",\"Table\":\"none\",\"result\":[],\"value\":{}}")),
        ("UTF-16", Act::answer(200, "application/json;charset=utf-16", utf_16)),
        (
            "bytes of another charset",
            Act::answer(200, "application/json;charset=iso-8859-1", b"{\"features\":[\"\xe9\"]}"),
        ),
        ("no HTTP", Act::Send(b"SSH-2.0-OpenSSH_9.6\r\n".into())),
        ("a bare LF", Act::Send(b"HTTP/1.1 200 OK\n\nhello".into())),
    ]
}

/// The word of a fact or an address that was never answered.
fn unknown(service: &str) -> &'static str {
    if service == "geocoder" { "unavailable" } else { "unknown" }
}

/// Calls a service, and checks that it gave no answer and may be called again.
async fn check(service: &str, name: &str, services: Services) {
    let lookups = Lookups::of(Arc::new(services)).with_deadline(DEADLINE);
    let outcome = outcome(&lookups, service).await;
    assert_eq!(outcome.word, unknown(service), "{service}, {name}: {outcome:?}");
    let words = if service == "geocoder" { "ask" } else { "could not be checked" };
    assert!(outcome.said.contains(words), "{service}, {name}: {outcome:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_misbehaves_gives_no_answer() {
    let elsewhere = Outside::start(|_| Act::json("{\"features\":[]}")).await;
    let mut count = 0;
    for (name, act) in misbehaviours(&format!("{}/stolen", elsewhere.url())) {
        let outside = Outside::start(move |_| act.clone()).await;
        let url = outside.url();
        join_all(SERVICES.map(|service| check(service, name, services(service, &url)))).await;
        assert!(outside.calls().len() >= SERVICES.len(), "{name}: all were asked");
        count += SERVICES.len();
    }
    assert!(count > 180, "{count} cases");
    assert_eq!(elsewhere.connections(), 0, "no redirect is followed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_nobody_vouches_for_is_not_believed() {
    let plain = Outside::start(|_| Act::json("{}")).await;
    let self_signed = self_signed().await;
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for (name, url) in [
        ("no TLS", format!("https://{}", plain.address)),
        ("a certificate of its own", format!("https://{self_signed}")),
        ("a certificate of its own, by name", format!("https://localhost:{}", self_signed.port())),
        ("nobody there", format!("http://{closed}")),
        ("nobody there, with TLS", format!("https://{closed}")),
    ] {
        join_all(SERVICES.map(|service| check(service, name, services(service, &url)))).await;
    }
    assert_eq!(plain.calls().len(), 0, "nothing is asked in clear");
}

/// A TLS server whose certificate only it has signed. It would reply that there is no shoreland.
pub async fn self_signed() -> std::net::SocketAddr {
    let chain =
        vec![CertificateDer::from_pem_slice(include_bytes!("../../upstream/self-signed.cert.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../../upstream/self-signed.key.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A client that trusts the certificate gets a reply.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let Act::Send(answer) = Act::json("{\"features\":[]}") else { continue };
            let _ = stream.write_all(&answer).await;
        }
    });
    address
}
