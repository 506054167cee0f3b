//! A server of bare hyper, the upper limit for the service. Answers with the same bytes, or with 304 to a request
//! with a tag.
//!
//! Usage: `bare_hyper ADDRESS:PORT BODY_FILE THREADS [SIZES_FILE]`; `benches/http.sh` compares the service with it. A
//! file of sizes has one size on each line; the server then sends a body of each size in turn. So it sends as many
//! bytes, from as much memory, as a service whose answers differ.

use std::{
    convert::Infallible,
    env,
    error::Error,
    fs,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode, body::Incoming, header, server::conn::http1, service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpListener, runtime};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [address, body, threads, sizes @ ..] = &args[..] else {
        return Err("usage: bare_hyper ADDRESS:PORT BODY_FILE THREADS [SIZES_FILE]".into());
    };
    let body = fs::read(body)?;
    let bodies = match sizes {
        [] => vec![Bytes::from(body)],
        [file, ..] => {
            let sizes = fs::read_to_string(file)?;
            sizes
                .lines()
                .map(|size| Ok(sized(&body, size.parse()?)))
                .collect::<Result<_, Box<dyn Error>>>()?
        }
    };
    let runtime =
        runtime::Builder::new_multi_thread().worker_threads(threads.parse()?).enable_all().build()?;
    runtime.block_on(serve(address.parse()?, bodies.into()))
}

/// The body repeated to `size` bytes.
fn sized(body: &[u8], size: usize) -> Bytes {
    body.iter().copied().cycle().take(size).collect()
}

async fn serve(address: SocketAddr, bodies: Arc<[Bytes]>) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await?;
    let sent = Arc::new(AtomicUsize::new(0));
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (bodies, sent) = (Arc::clone(&bodies), Arc::clone(&sent));
        let handler = service_fn(move |request: Request<Incoming>| {
            let body = bodies[sent.fetch_add(1, Ordering::Relaxed) % bodies.len()].clone();
            async move {
                if let Some(tag) = request.headers().get(header::IF_NONE_MATCH) {
                    let mut response = Response::new(Full::default());
                    *response.status_mut() = StatusCode::NOT_MODIFIED;
                    response.headers_mut().insert(header::ETAG, tag.clone());
                    return Ok(response);
                }
                let mut response = Response::new(Full::new(body));
                let json = header::HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, json);
                Ok::<_, Infallible>(response)
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), handler));
    }
}
