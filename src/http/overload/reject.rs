//! Rejects connections and requests with prerendered responses: a costly rejection would slow the admitted requests. A
//! rejected connection takes some 40 us, most of it in the kernel. Parsing its request would take another 30 to 45 us
//! of a worker thread (`make torture`, 2026-11-24).

use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
};

use hyper::{Response, header};
use rustix::net::{RecvFlags, recv};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::health::Probe;
use crate::{
    encode::Encoded,
    http::{
        headers,
        request_id::RequestId,
        respond::{Body, busy, problem, whole},
    },
    operations,
    system::AsSocket,
};
use platbook::answers::Refusal;

/// Maximum number of bytes of a request that are read before it is rejected at once: browsers send heads of about 2
/// KiB.
const HEAD_BYTES_USUAL: usize = 4 * 1024;

/// Seconds after which a client may try again if all connection slots were taken: half of the default idle timeout.
const FULL_RETRY_S: u32 = 5;

/// Seconds after which a client that was rejected in overload may try again. One is chosen at random, so that retries
/// spread. The shortest is well above the recovery time of a service (0.1 s on `make torture`).
const OVERLOADED_RETRY_S: [u32; 3] = [1, 2, 3];

/// The prerendered responses of rejections.
#[derive(Debug)]
pub(in crate::http) struct Rejections {
    /// The response if all connection slots are taken.
    pub(in crate::http) full: PrerenderedResponse,
    /// The response to a request without TLS at an address that requires it.
    #[cfg(feature = "tls")]
    pub(in crate::http) without_tls: PrerenderedResponse,
    overloaded: [PrerenderedResponse; OVERLOADED_RETRY_S.len()],
}

impl Rejections {
    /// Renders the responses. `site` is the public address of the service, to which problems link.
    pub(in crate::http) fn new(site: &str) -> Rejections {
        let full = busy(FULL_RETRY_S, "all connections are taken; ask again in a moment");
        Rejections {
            full: PrerenderedResponse::new(site, &full),
            #[cfg(feature = "tls")]
            without_tls: PrerenderedResponse::new(
                site,
                &Refusal::bad_parameter(format!(
                    "expected https at this port, got a request without TLS; ask at {site}"
                )),
            ),
            overloaded: OVERLOADED_RETRY_S
                .map(|retry_s| PrerenderedResponse::new(site, &overloaded_for(retry_s))),
        }
    }

    /// Returns a response for overload, with a random retry time.
    pub(in crate::http) fn overloaded(&self) -> &PrerenderedResponse {
        &self.overloaded[fastrand::usize(..self.overloaded.len())]
    }
}

/// Returns the refusal of a request in overload, for doors that render problems themselves.
pub(in crate::http) fn overloaded() -> Refusal {
    overloaded_for(OVERLOADED_RETRY_S[fastrand::usize(..OVERLOADED_RETRY_S.len())])
}

fn overloaded_for(retry_s: u32) -> Refusal {
    busy(retry_s, format!("more is asked than can be answered in time; ask again in {retry_s} s"))
}

/// A complete response except for the id of its request.
#[derive(Debug)]
pub(in crate::http) struct PrerenderedResponse(Response<Encoded>);

impl PrerenderedResponse {
    /// Renders the problem of a refusal. `site` is the public address of the service.
    pub(in crate::http) fn new(site: &str, refusal: &Refusal) -> PrerenderedResponse {
        PrerenderedResponse(problem(site, refusal, operations::status_of(refusal.kind)))
    }

    /// Returns the response for a connection that stays open. Headers that every response has are added later.
    pub(in crate::http) fn to_response(&self, request_id: &RequestId) -> Response<Body> {
        self.0.clone().map(|body| whole(body.fill(request_id.as_str())))
    }

    /// Returns the bytes of a whole response for a connection that ends.
    pub(in crate::http) fn to_bytes(&self) -> Vec<u8> {
        let request_id = RequestId::generated();
        let body = self.0.body().clone().fill(request_id.as_str());
        let mut headers = self.0.headers().clone();
        headers.insert(header::CONNECTION, headers::CLOSE);
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        headers::add_common(&mut headers, request_id, Some(headers::ANY));
        let mut text = format!("HTTP/1.1 {}\r\n", self.0.status()).into_bytes();
        for (name, value) in &headers {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                text.extend_from_slice(part);
            }
        }
        text.extend_from_slice(b"\r\n");
        for part in body.parts() {
            text.extend_from_slice(part);
        }
        text
    }
}

/// The kind of a new connection's first bytes, which remain unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Sent {
    Nothing,
    /// A request for `/healthz` or `/readyz`, which is always answered.
    Probe,
    Request,
}

impl Sent {
    pub(in crate::http) fn on(stream: &impl AsSocket) -> Sent {
        let mut begin = [0; 32];
        match peek(stream, &mut begin) {
            0 => Sent::Nothing,
            bytes if Probe::begins(&begin[..bytes]) => Sent::Probe,
            _ => Sent::Request,
        }
    }
}

/// Copies waiting bytes of a stream without removing them, and returns their number. Returns 0 if no bytes wait or the
/// stream is broken.
pub(in crate::http) fn peek(stream: &impl AsSocket, into: &mut [u8]) -> usize {
    recv(stream, into, RecvFlags::PEEK).map_or(0, |(bytes, _)| bytes)
}

/// Responds without waiting and without the runtime, which is busy. Reads and drops the request first. Otherwise, the
/// kernel would reset the connection, and the client might not see the response.
pub(in crate::http) fn at_once(stream: &impl AsSocket, response: &[u8]) {
    let socket = SockRef::from(stream);
    let _ = (&*socket).read(&mut [0; HEAD_BYTES_USUAL]);
    // A new connection has buffer space for a response. A connection without such space is dropped.
    let _ = (&*socket).write_all(response);
    // The client sees a clean end before the kernel resets the connection for unread bytes.
    let _ = socket.shutdown(Shutdown::Both);
}

/// Responds, then reads until the client has seen the response and closes the connection.
pub(in crate::http) async fn in_time(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    response: &[u8],
) -> io::Result<()> {
    stream.write_all(response).await?;
    stream.shutdown().await?;
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// Returns a client and the server's side of its connection.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = listener.accept().unwrap().0;
        stream.set_nonblocking(true).unwrap();
        (client, stream)
    }

    #[test]
    fn a_rejected_client_reads_the_response_to_its_end_however_much_it_sent() {
        for bytes in [16, HEAD_BYTES_USUAL, HEAD_BYTES_USUAL + 2_000] {
            let (mut client, stream) = pair();
            client.write_all(&vec![b'x'; bytes]).unwrap();
            at_once(&stream, b"busy");
            drop(stream);
            let mut answer = String::new();
            let end = client.read_to_string(&mut answer);
            assert_eq!((end.ok(), answer.as_str()), (Some(4), "busy"), "{bytes} bytes sent");
        }
    }

    #[test]
    fn the_first_bytes_are_seen_and_left_to_be_read() {
        for (bytes, sent) in [
            ("", Sent::Nothing),
            ("G", Sent::Request),
            ("GET /v1/topics HTTP/1.1\r\n", Sent::Request),
            ("GET /healthz HTTP/1.1\r\n", Sent::Probe),
        ] {
            let (mut client, stream) = pair();
            client.write_all(bytes.as_bytes()).unwrap();
            assert_eq!([Sent::on(&stream), Sent::on(&stream)], [sent; 2], "{bytes:?}");
        }
    }
}
