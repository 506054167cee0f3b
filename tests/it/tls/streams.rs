//! Tests that requests of HTTP/2 get the same answers and have the same limits as those of HTTP/1.1.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use http_body_util::{BodyExt as _, Empty, Full};
use hyper::{Request, body::Bytes};
use platbook_service::{
    http::{
        Capacity,
        limits::{Proxies, RateLimiter, Table},
    },
    mcp::McpDoor,
};
use tokio_rustls::rustls::version::TLS13;

use super::{
    Secure,
    client::{Http2, runtime},
};
use crate::harness::{COVERED, PATIENCE, service};

const H2: &[&str] = &["h2"];

#[test]
fn many_streams_of_one_connection_are_answered() {
    let secure = Secure::start();
    let config = secure.trust.config(&[&TLS13], H2);
    runtime().block_on(async {
        let client = Arc::new(Http2::connect(secure.server.address, &config).await);
        let asked: Vec<_> = (0..300)
            .map(|number| {
                let client = Arc::clone(&client);
                let target = if number % 2 == 0 { COVERED } else { "/about" };
                tokio::spawn(async move { client.get(target).await.unwrap() })
            })
            .collect();
        for asked in asked {
            let (head, body) = asked.await.unwrap();
            assert_eq!((head.status.as_u16(), body.is_empty()), (200, false));
            assert_eq!(head.headers["strict-transport-security"], "max-age=15552000");
            assert!(!head.headers.contains_key("connection"));
        }
        // A long answer arrives whole: the windows are opened again as the client reads.
        let (head, body) = client.get("/openapi.json").await.unwrap();
        assert!(head.status == 200 && serde_json::from_slice::<serde_json::Value>(&body).is_ok());
        assert_eq!(secure.service.metrics().connections.http_2.get(), 1);
    });
}

/// Names of hosts, long heads and bodies are refused or read as on HTTP/1.1.
#[test]
fn requests_are_checked_as_those_of_http_1() {
    let secure = Secure::start_with(service().with_door(Box::new(McpDoor)), Capacity::default());
    let config = secure.trust.config(&[&TLS13], H2);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    let post = |body: String| {
        let request = Request::post("https://localhost/mcp").header("content-type", "application/json");
        request.header("accept", "application/json").body(Full::new(Bytes::from(body)).boxed()).unwrap()
    };
    let get = |target: &str, name: &str, value: &str| {
        let request = Request::get(format!("https://localhost{target}")).header(name, value);
        request.body(Empty::new().boxed()).unwrap()
    };
    runtime().block_on(async {
        let client = Http2::connect(secure.server.address, &config).await;
        for (request, status, said) in [
            (get(COVERED, "accept", "*/*"), 200, "\"jurisdictions\""),
            (get("/nowhere", "accept", "*/*"), 404, "no endpoint at /nowhere"),
            (get(COVERED, "host", "other.example"), 400, "the Host header is given more than once"),
            (get(COVERED, "x-long", &"x".repeat(20_000)), 431, ""),
            (post(ping.to_owned()), 200, "\"result\""),
            (post(format!("{ping}{}", " ".repeat(60_000))), 200, "\"result\""),
            (post(format!("{ping}{}", " ".repeat(70_000))), 413, ""),
        ] {
            let asked = format!("{} {}", request.method(), request.uri());
            let (head, body) = client.send(request).await.unwrap();
            let body = String::from_utf8_lossy(&body);
            assert_eq!(head.status.as_u16(), status, "{asked}: {body:.300}");
            assert!(body.contains(said), "{asked}: {body:.300}");
        }
    });
}

/// Streams of one connection count against the limit of its address.
#[test]
fn streams_count_against_limits() {
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::default());
    let secure = Secure::start_with(service().with_limiter(limiter), Capacity::default());
    let config = secure.trust.config(&[&TLS13], H2);
    runtime().block_on(async {
        let client = Http2::connect(secure.server.address, &config).await;
        let mut statuses = Vec::new();
        for _ in 0..32 {
            statuses.push(client.get(COVERED).await.unwrap().0.status.as_u16());
        }
        assert_eq!(statuses, [[200; 30].as_slice(), &[429; 2]].concat());
    });
}

/// An idle connection is asked to leave, then ends.
#[test]
fn an_idle_connection_ends() {
    let capacity = Capacity { idle_timeout: Duration::from_millis(500), ..Capacity::default() };
    let secure = Secure::start_with(service(), capacity);
    let config = secure.trust.config(&[&TLS13], H2);
    runtime().block_on(async {
        let client = Http2::connect(secure.server.address, &config).await;
        assert_eq!(client.get(COVERED).await.unwrap().0.status, 200);
        let begun = Instant::now();
        while !client.sender.is_closed() {
            assert!(begun.elapsed() < PATIENCE);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert_eq!(secure.service.metrics().connections.idle.get(), 1);
}
