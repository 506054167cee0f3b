//! TLS clients, and the self-signed certificates that they trust.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    time::{Duration, SystemTime},
};

use http_body_util::{BodyExt as _, Empty};
use hyper::{Request, body::Bytes, client::conn::http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use platbook_service::tls::Certificate;
use rcgen::{CertificateParams, KeyPair};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, ClientConnection, HandshakeKind, RootCertStore, StreamOwned, SupportedProtocolVersion,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, ServerName},
        version::{TLS12, TLS13},
    },
};

use crate::harness::PATIENCE;

const DAY: Duration = Duration::from_secs(86_400);

/// A self-signed certificate, with its key.
pub struct Made {
    certificate: CertificateDer<'static>,
    key: KeyPair,
}

impl Made {
    /// Makes a certificate for these names, valid for 30 days.
    pub fn new(names: &[&str]) -> Made {
        Made::until(names, SystemTime::now() + 30 * DAY)
    }

    pub fn until(names: &[&str], ends: SystemTime) -> Made {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut wanted = CertificateParams::new(names).unwrap();
        (wanted.not_before, wanted.not_after) = ((ends - 60 * DAY).into(), ends.into());
        let key = KeyPair::generate().unwrap();
        Made { certificate: wanted.self_signed(&key).unwrap().der().clone(), key }
    }

    pub fn certificate(&self) -> Certificate {
        let key = PrivateKeyDer::try_from(self.key.serialize_der()).unwrap();
        Certificate::new(vec![self.certificate.clone()], key).unwrap()
    }

    /// The certificate and the key in PEM.
    pub fn pem(&self) -> (String, String) {
        (pem("CERTIFICATE", &self.certificate), pem("PRIVATE KEY", &self.key.serialize_der()))
    }

    pub fn trust(&self) -> Trust {
        Trust(vec![self.certificate.clone()])
    }
}

/// Writes bytes as a section of PEM.
pub fn pem(label: &str, bytes: &[u8]) -> String {
    use base64::prelude::{BASE64_STANDARD, Engine as _};
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", BASE64_STANDARD.encode(bytes))
}

/// The certificates that a client trusts.
#[derive(Clone)]
pub struct Trust(pub Vec<CertificateDer<'static>>);

impl Trust {
    pub fn and(&self, other: &Made) -> Trust {
        Trust(self.0.iter().cloned().chain([other.certificate.clone()]).collect())
    }

    pub fn usual(&self) -> Arc<ClientConfig> {
        self.config(&[&TLS12, &TLS13], &["http/1.1"])
    }

    pub fn config(
        &self,
        versions: &[&'static SupportedProtocolVersion],
        offered: &[&str],
    ) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        self.0.iter().for_each(|root| roots.add(root.clone()).unwrap());
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_protocol_versions(versions).unwrap();
        let mut config = builder.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = offered.iter().map(|name| name.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}

pub fn name() -> ServerName<'static> {
    ServerName::try_from("localhost").unwrap()
}

type Stream = StreamOwned<ClientConnection, TcpStream>;

fn connect(address: SocketAddr, config: &Arc<ClientConfig>) -> io::Result<Stream> {
    handshake(TcpStream::connect(address)?, config)
}

fn handshake(stream: TcpStream, config: &Arc<ClientConfig>) -> io::Result<Stream> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let session = ClientConnection::new(Arc::clone(config), name()).map_err(io::Error::other)?;
    let mut stream = StreamOwned::new(session, stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(stream)
}

/// Returns the protocol that a handshake agrees on, or its error.
pub fn protocol(address: SocketAddr, config: &Arc<ClientConfig>) -> Result<Option<String>, String> {
    let mut stream = connect(address, config).map_err(|error| format!("{error:?}"))?;
    // With TLS 1.3, a client sees an error of the server only after the handshake, when it reads.
    if stream.conn.alpn_protocol().is_none() {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        stream.read(&mut [0; 16]).map_err(|error| format!("{error:?}"))?;
    }
    Ok(stream.conn.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned()))
}

/// A response of HTTP/1.1.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_default()
    }

    pub fn without_id(&self) -> serde_json::Value {
        without_id(&self.body)
    }
}

/// Returns a JSON body without the id of its request.
pub fn without_id(body: &str) -> serde_json::Value {
    let mut body: serde_json::Value = serde_json::from_str(body).unwrap();
    body.as_object_mut().unwrap().remove("request_id");
    body
}

/// Sends one request on a new connection.
pub fn ask(address: SocketAddr, config: &Arc<ClientConfig>, target: &str) -> io::Result<Answer> {
    let mut stream = connect(address, config)?;
    let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok(Answer {
        status: status.ok_or(io::ErrorKind::InvalidData)?,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// Sends a request on an open connection. Returns whether it is answered with 200, and whether the connection goes on.
fn ask_again(stream: &mut BufReader<Stream>, target: &str) -> io::Result<(bool, bool)> {
    let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.get_mut().write_all(request.as_bytes())?;
    let (mut first, mut length, mut goes_on) = (String::new(), 0, true);
    if stream.read_line(&mut first)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if line == "\r\n" {
            break;
        }
        goes_on &= line != "connection: close\r\n";
        if let Some(text) = line.strip_prefix("content-length: ") {
            length = text.trim().parse().unwrap();
        }
    }
    stream.read_exact(&mut vec![0; length])?;
    Ok((first.starts_with("HTTP/1.1 200 "), goes_on))
}

/// Sends a request several times on a new connection. Returns the number of answers, and whether the connection
/// resumed an earlier session.
pub fn ask_on(
    address: SocketAddr,
    config: &Arc<ClientConfig>,
    target: &str,
    times: usize,
) -> io::Result<(usize, bool)> {
    ask_over(TcpStream::connect(address)?, config, target, times)
}

/// Sends a request several times over an open connection, after its handshake.
pub fn ask_over(
    stream: TcpStream,
    config: &Arc<ClientConfig>,
    target: &str,
    times: usize,
) -> io::Result<(usize, bool)> {
    let mut stream = BufReader::new(handshake(stream, config)?);
    let mut answered = 0;
    for _ in 0..times {
        answered += usize::from(ask_again(&mut stream, target)?.0);
    }
    Ok((answered, stream.get_ref().conn.handshake_kind() == Some(HandshakeKind::Resumed)))
}

/// A connection of HTTP/2 in a runtime of its own.
pub struct Http2 {
    pub sender: http2::SendRequest<BoxedBody>,
}

pub type BoxedBody = http_body_util::combinators::BoxBody<Bytes, std::convert::Infallible>;

impl Http2 {
    pub async fn connect(address: SocketAddr, config: &Arc<ClientConfig>) -> Http2 {
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let stream = TlsConnector::from(Arc::clone(config)).connect(name(), stream).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let (sender, connection) =
            http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Http2 { sender }
    }

    /// Sends one request; returns the head and the body.
    pub async fn get(&self, target: &str) -> hyper::Result<(hyper::http::response::Parts, Bytes)> {
        let request = Request::get(format!("https://localhost{target}"));
        self.send(request.body(Empty::new().boxed()).unwrap()).await
    }

    pub async fn send(
        &self,
        request: Request<BoxedBody>,
    ) -> hyper::Result<(hyper::http::response::Parts, Bytes)> {
        let mut sender = self.sender.clone();
        sender.ready().await?;
        let (head, body) = sender.send_request(request).await?.into_parts();
        Ok((head, body.collect().await?.to_bytes()))
    }
}

fn is_http_2(config: &ClientConfig) -> bool {
    config.alpn_protocols.first().is_some_and(|name| name == b"h2")
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Sends a request several times on a new connection, by the protocol that the settings prefer. Returns the number of
/// answers.
pub fn ask_times(address: SocketAddr, config: &Arc<ClientConfig>, target: &str, times: usize) -> usize {
    if !is_http_2(config) {
        return ask_on(address, config, target, times).unwrap().0;
    }
    runtime().block_on(async {
        let client = Http2::connect(address, config).await;
        let mut answered = 0;
        for _ in 0..times {
            answered += usize::from(client.get(target).await.unwrap().0.status == 200);
        }
        answered
    })
}

/// Sends requests until the server closes the connection. Returns the number of answers, and the error of a request
/// that was sent and not answered.
pub fn ask_until_closed(
    address: SocketAddr,
    config: &Arc<ClientConfig>,
    target: &str,
) -> (usize, Option<String>) {
    let mut answered = 0;
    if is_http_2(config) {
        return runtime().block_on(async {
            let client = Http2::connect(address, config).await;
            loop {
                match client.get(target).await {
                    Ok((head, _)) => answered += usize::from(head.status == 200),
                    // The server said that it did not take the request, or the connection was closed before that.
                    Err(error) if error.is_canceled() || error.is_closed() || is_not_taken(&error) => {
                        return (answered, None);
                    }
                    Err(error) => return (answered, Some(format!("{error:?}"))),
                }
            }
        });
    }
    let mut stream = BufReader::new(connect(address, config).unwrap());
    loop {
        match ask_again(&mut stream, target) {
            Ok((is_answered, goes_on)) => {
                answered += usize::from(is_answered);
                if !goes_on {
                    return (answered, None);
                }
            }
            Err(error) => return (answered, Some(format!("{error:?}"))),
        }
    }
}

fn is_not_taken(error: &hyper::Error) -> bool {
    let text = format!("{error:?}");
    text.contains("REFUSED_STREAM") || text.contains("GoAway") && text.contains("NO_ERROR")
}
