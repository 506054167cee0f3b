//! The second listener: `/metrics` and the probes, independent of limits and load.

use std::{convert::Infallible, sync::Arc, time::Duration};

use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{self, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};

use super::page::figures;
use crate::http::{Body, Service, whole};

/// Maximum number of concurrent connections: monitoring needs few. Chosen, not measured.
const CONNECTIONS_MAX: usize = 16;

/// Maximum duration of a connection. Chosen, not measured.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(30);

/// Pause after a failed accept. Chosen, not measured.
const PAUSE: Duration = Duration::from_millis(500);

const OPEN_METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Serves metrics and probes forever.
pub async fn serve(listener: TcpListener, service: Arc<Service>) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // The slot is acquired before a connection is accepted, so that further connections wait in the kernel.
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            let _ = timeout(CONNECTION_TIMEOUT, serve_connection(stream, service)).await;
            drop(slot);
        });
    }
}

async fn serve_connection(stream: TcpStream, service: Arc<Service>) -> Result<(), hyper::Error> {
    let handler = service_fn(move |request: Request<Incoming>| {
        let response = respond(&service, request);
        async move { Ok::<_, Infallible>(response) }
    });
    http1::Builder::new().header_read_timeout(None).serve_connection(TokioIo::new(stream), handler).await
}

fn respond(service: &Arc<Service>, request: Request<Incoming>) -> Response<Body> {
    let (head, _) = request.into_parts();
    if let Some(response) = service.probed(&head) {
        return response;
    }
    let is_read = head.method == Method::GET || head.method == Method::HEAD;
    if head.uri.path() != "/metrics" || !is_read {
        return response(
            StatusCode::NOT_FOUND,
            PLAIN,
            "here are /metrics, /readyz and /healthz\n".to_owned(),
        );
    }
    match figures(service) {
        Ok(text) => response(StatusCode::OK, OPEN_METRICS, text),
        Err(error) => response(StatusCode::INTERNAL_SERVER_ERROR, PLAIN, format!("{error}\n")),
    }
}

fn response(status: StatusCode, media_type: HeaderValue, text: String) -> Response<Body> {
    let mut response = Response::new(whole(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
