//! The ceiling: hyper alone, answering every request with the same bytes, or with a 304 where a tag comes along.
//!
//! `bare_hyper ADDRESS:PORT BODY_FILE THREADS`; `benches/http.sh` compares the service with it.

use std::{convert::Infallible, env, error::Error, fs, net::SocketAddr};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode, body::Incoming, header, server::conn::http1, service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpListener, runtime};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [address, body, threads] = &args[..] else {
        return Err("usage: bare_hyper ADDRESS:PORT BODY_FILE THREADS".into());
    };
    let body = Bytes::from(fs::read(body)?);
    let runtime =
        runtime::Builder::new_multi_thread().worker_threads(threads.parse()?).enable_all().build()?;
    runtime.block_on(serve(address.parse()?, body))
}

async fn serve(address: SocketAddr, body: Bytes) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let body = body.clone();
        let handler = service_fn(move |request: Request<Incoming>| {
            let body = body.clone();
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
