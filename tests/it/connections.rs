use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use platbook::answers::{Answers, Plan, Request};
use platbook_service::{
    http::{Capacity, Drained, MAX_WAIT},
    mcp::McpDoor,
};

use crate::harness::{COVERED, Client, PATIENCE, Server, comes_true, service};

const HALF: &str = "GET /v1/jurisdictions/resolve?lat=44.9 HTTP/1.1\r\nHost:";

fn short() -> Capacity {
    Capacity {
        connections_max: 8,
        idle_timeout: Duration::from_millis(500),
        drain_timeout: Duration::from_millis(500),
        ..Capacity::default()
    }
}

#[test]
fn one_connection_carries_many_requests() {
    let mut client = Client::connect(Server::shared().address);
    let request = format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\n\r\n");
    client.send(&request.repeat(20));
    for _ in 0..20 {
        assert_eq!(client.receive(false).status, 200);
    }
    client.send("GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_eq!(client.receive(false).status, 404);
    assert_eq!(client.rest(), "");
}

#[test]
fn a_request_with_a_body_is_answered_and_ends_the_connection() {
    let body = "x".repeat(10_000);
    for method in ["GET", "POST"] {
        let mut client = Client::connect(Server::shared().address);
        client
            .send(&format!("{method} {COVERED} HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n{body}"));
        let response = client.receive(false);
        assert_eq!(response.status, if method == "GET" { 200 } else { 405 });
        assert_eq!(response.header("connection"), "close");
        assert_eq!(client.rest(), "");
    }
}

#[test]
fn a_body_that_never_comes_is_not_waited_for() {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"));
    assert_eq!(client.receive(false).status, 200);
}

/// The server does not wait for a body that the client holds back until `100 Continue`.
#[test]
fn a_body_that_is_held_back_is_not_asked_for() {
    for (method, status) in [("GET", 200), ("POST", 405)] {
        let mut client = Client::connect(Server::shared().address);
        client.send(&format!(
            "{method} {COVERED} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-Continue\r\n\r\n"
        ));
        let response = client.receive(false);
        assert_eq!((response.status, response.header("connection")), (status, "close"), "{method}");
        assert_eq!(client.rest(), "");
    }
}

#[test]
fn http_1_0_needs_no_host() {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("GET {COVERED} HTTP/1.0\r\n\r\n"));
    assert_eq!(client.receive(false).status, 200);
    assert_eq!(client.rest(), "");
}

/// The server refuses a request that two programs on its way could split differently or assign to another client. Then it
/// ends the connection.
#[test]
fn doubtful_requests_are_refused_and_end_the_connection() {
    for (lines, said) in [
        (
            "Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "both Content-Length and",
        ),
        (
            "Host: x\r\nTransfer-Encoding: chunked\r\ncontent-LENGTH: 5\r\n\r\n0\r\n\r\n",
            "both Content-Length and",
        ),
        ("Host: x\n\r\n", "a line feed alone"),
        ("Host: x\r\nAccept: */*\r\n\n", "a line feed alone"),
        ("Host: a b\r\n\r\n", "the Host header is not host"),
        ("Host: x\r\nHost: y\r\n\r\n", "the Host header is given more than once"),
        ("\r\n", "the Host header is missing"),
    ] {
        let mut client = Client::connect(Server::shared().address);
        client.send(&format!("GET {COVERED} HTTP/1.1\r\n{lines}"));
        let response = client.receive(false);
        assert_eq!((response.status, response.header("connection")), (400, "close"), "{lines:?}");
        assert!(response.body.contains(said), "{lines:?}: {}", response.body);
        assert_eq!(client.rest(), "", "{lines:?}");
    }
}

/// A body in chunks without a Content-Length is unambiguous.
#[test]
fn a_body_in_chunks_is_read() {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"));
    assert_eq!(client.receive(false).status, 200);
    client.send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
    assert_eq!(client.receive(false).status, 200);
}

/// In overload, a share of the requests gets 503 at once, on new and on open connections, also if the request comes
/// late. A probe never gets 503. After the overload, all requests are answered again.
#[test]
fn requests_are_rejected_in_overload_until_it_is_over() {
    fn slowly<'a>(answers: &'a Answers, request: &Request) -> Plan<'a> {
        std::thread::sleep(Duration::from_millis(5));
        answers.plan(request)
    }
    let service = service().with_planner(slowly).with_max_wait(MAX_WAIT);
    let server = Server::start(service, Capacity::default());
    let seen = Mutex::new(BTreeSet::new());
    let is_over = AtomicBool::new(false);
    let ask = |is_kept: bool, late_ms: u64| {
        let mut client = Client::connect(server.address);
        while !is_over.load(Ordering::Relaxed) {
            let response = client.get(COVERED);
            let may_retry = response.header("retry-after").parse::<u32>().is_ok_and(|wait_s| wait_s <= 3);
            assert!(response.status == 200 || response.status == 503 && may_retry, "{response:?}");
            if response.status == 503 {
                assert_eq!(response.json()["type"], "/problems/busy");
                assert_eq!(response.json()["request_id"], response.header("x-request-id"));
            }
            seen.lock().unwrap().insert((is_kept, response.status));
            if !is_kept {
                client = Client::connect(server.address);
                std::thread::sleep(Duration::from_millis(late_ms));
            }
        }
    };
    std::thread::scope(|scope| {
        for number in 0..40 {
            scope.spawn(move || ask(number % 2 == 0, [0, 0, 5, 40][number / 2 % 4]));
        }
        let begin = Instant::now();
        while seen.lock().unwrap().len() < 4 && begin.elapsed() < PATIENCE {
            assert_eq!(Client::connect(server.address).get("/healthz").status, 200);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [(false, 200), (false, 503), (true, 200), (true, 503)]);
    let is_answered = || Client::connect(server.address).get(COVERED).status == 200;
    assert!(comes_true(is_answered), "the service recovers");
}

#[test]
fn over_long_heads_are_refused() {
    let long = "x".repeat(100_000);
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"));
    assert_eq!(client.receive(false).status, 431);
}

#[test]
fn silent_and_half_sent_connections_are_closed() {
    let server = Server::start(service(), short());
    let started = Instant::now();
    let mut silent = Client::connect(server.address);
    let mut half = Client::connect(server.address);
    half.send(HALF);
    let mut idle = Client::connect(server.address);
    assert_eq!(idle.get(COVERED).status, 200);
    for client in [&mut silent, &mut half, &mut idle] {
        assert!(!client.rest().starts_with("HTTP/1.1 200"));
    }
    assert!(started.elapsed() < PATIENCE);
    assert_eq!(server.stop(), Drained::Whole);
}

/// A client that sends requests but never reads does not hold a connection for long.
#[test]
fn a_client_that_takes_no_answers_is_closed() {
    let server = Server::start(service(), short());
    let mut client = Client::connect(server.address);
    let request = format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(1000);
    let started = Instant::now();
    while client.try_send(&request).is_ok() {}
    assert!(started.elapsed() < PATIENCE);
    assert_eq!(server.stop(), Drained::Whole);
}

/// A client beyond the limit of connections gets a problem at once, if no other connection has been idle for long.
#[test]
fn further_connections_are_rejected() {
    let capacity = Capacity { connections_max: 2, evictable_after: Duration::MAX, ..Capacity::default() };
    let server = Server::start(service(), capacity);
    let mut served = [Client::connect(server.address), Client::connect(server.address)];
    assert!(served.iter_mut().all(|client| client.get(COVERED).status == 200));
    let mut further = Client::connect(server.address);
    let response = further.get(COVERED);
    let said = (response.status, response.header("retry-after"), response.header("connection"));
    assert_eq!(said, (503, "5", "close"));
    assert_eq!(response.json()["type"], "/problems/busy");
    assert_eq!(response.json()["request_id"], response.header("x-request-id"));
    assert_eq!(further.rest(), "");
    drop(served);
    let is_served = || Client::connect(server.address).get(COVERED).status == 200;
    assert!(comes_true(is_served), "a place that was given up is free again");
}

/// Silent, half-sent and idle connections lose their slots to new ones. A connection with a request does not.
#[test]
fn idle_connections_give_way_to_new_ones() {
    static MAY_ANSWER: AtomicBool = AtomicBool::new(false);
    fn when_allowed<'a>(answers: &'a Answers, request: &Request) -> Plan<'a> {
        // The thread's other tasks, such as new connections, move to another thread meanwhile.
        let is_allowed = tokio::task::block_in_place(|| comes_true(|| MAY_ANSWER.load(Ordering::Relaxed)));
        assert!(is_allowed);
        answers.plan(request)
    }
    let age = Duration::from_millis(100);
    let capacity = Capacity { connections_max: 4, evictable_after: age, ..Capacity::default() };
    let service = Arc::new(service().with_planner(when_allowed));
    let server = Server::start_shared(Arc::clone(&service), capacity);
    let mut old: Vec<Client> = (0..4).map(|_| Client::connect(server.address)).collect();
    old[1].send(HALF);
    assert_eq!(old[2].get("/healthz").status, 200);
    old[3].send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\n\r\n"));
    assert!(comes_true(|| service.admission().in_flight() == 1));
    std::thread::sleep(age);
    for client in &mut [0; 3].map(|_| Client::connect(server.address)) {
        assert_eq!(client.get("/healthz").status, 200);
    }
    for client in &mut old[..3] {
        assert_eq!(client.rest(), "");
    }
    MAY_ANSWER.store(true, Ordering::Relaxed);
    assert_eq!(old[3].receive(false).status, 200);
    let counts = &service.metrics().connections;
    assert_eq!((counts.evicted.get(), counts.full.get()), (3, 0));
}

/// One address cannot use up the connections of others.
#[test]
fn an_address_has_a_limit_of_connections() {
    let server = Server::start(service(), Capacity { connections_each_max: 2, ..Capacity::default() });
    let mut own = [Client::connect(server.address), Client::connect(server.address)];
    assert!(own.iter_mut().all(|client| client.get(COVERED).status == 200));
    let mut third = Client::connect(server.address);
    let _ = third.try_send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\n\r\n"));
    assert_eq!(third.rest(), "");
    assert_eq!(own[0].get(COVERED).status, 200);
}

/// A client that has closed its side for writing still gets the answer.
#[test]
fn a_half_closed_connection_is_answered() {
    for _ in 0..20 {
        let mut client = Client::connect(Server::shared().address);
        client.send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\n\r\n"));
        client.send_no_more();
        assert_eq!(client.receive(false).status, 200);
        assert_eq!(client.rest(), "");
    }
}

/// Requests that were sent before the service stops are answered, with `Connection: close`.
#[test]
fn a_stop_answers_what_was_sent() {
    let server = Server::start(service(), Capacity::default());
    let mut clients: Vec<Client> = (0..16).map(|_| Client::connect(server.address)).collect();
    assert!(clients.iter_mut().all(|client| client.get(COVERED).status == 200));
    let stopped = std::thread::spawn(move || server.stop());
    for client in &mut clients {
        client.send(&format!("GET {COVERED} HTTP/1.1\r\nHost: x\r\n\r\n"));
    }
    for client in &mut clients {
        assert_eq!(client.receive(false).status, 200);
    }
    assert_eq!(stopped.join().unwrap(), Drained::Whole);
}

/// The answer repeats neither a method of 10,000 letters nor unknown parameters.
#[test]
fn what_was_sent_does_not_come_back() {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("{} /v1/topics HTTP/1.1\r\nHost: x\r\n\r\n", "M".repeat(10_000)));
    assert!(client.receive(false).body.len() < 1_000);
    let mut client = Client::connect(Server::shared().address);
    let asked = "/v1/resources?access_token=SECRET&jurisdiction_id=county:27053&x={{{{&limit=1";
    let link = client.get(asked).header("link").to_owned();
    assert!(link.contains("jurisdiction_id=county:27053&limit=1&cursor="), "{link}");
    assert!(!link.contains("SECRET") && !link.contains("%7B"), "{link}");
}

#[test]
fn a_stop_ends_idle_connections_at_once() {
    let server = Server::start(service(), Capacity::default());
    let mut idle = Client::connect(server.address);
    assert_eq!(idle.get(COVERED).status, 200);
    assert_eq!(server.stop(), Drained::Whole, "nobody waited for the deadline");
    assert_eq!(idle.rest(), "");
}

/// A stop ends a half-read head at once; a half-read body may be completed until the service's own deadline.
#[test]
fn a_stop_does_not_wait_for_half_a_request() {
    let head = format!("{HALF} x\r\nX: {}", "a".repeat(3_000));
    let body =
        "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    for (sent, drained) in [(HALF, Drained::Whole), (&head, Drained::Whole), (body, Drained::Cut)] {
        let capacity = Capacity { drain_timeout: Duration::from_millis(500), ..Capacity::default() };
        let server = Server::start(service().with_door(Box::new(McpDoor)), capacity);
        let mut half = Client::connect(server.address);
        half.send(sent);
        let mut idle = Client::connect(server.address);
        assert_eq!(idle.get(COVERED).status, 200);
        let started = Instant::now();
        assert_eq!(server.stop(), drained, "{sent:.60}");
        assert!(started.elapsed() < PATIENCE);
    }
}

#[test]
fn a_panic_is_one_requests_problem() {
    let server =
        Server::start(service().with_planner(|_, _| panic!("on purpose, by a test")), Capacity::default());
    let mut client = Client::connect(server.address);
    for _ in 0..2 {
        let response = client.get(COVERED);
        assert_eq!((response.status, response.header("cache-control")), (500, "no-store"));
        assert!(response.json()["type"].as_str().unwrap().ends_with("/problems/internal-error"));
        assert_eq!(response.json()["request_id"], response.header("x-request-id"));
    }
    assert_eq!(server.stop(), Drained::Whole);
}
