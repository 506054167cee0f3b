//! Tests TLS without a proxy: handshakes and their limits, HTTP/2, and certificates that are replaced while requests
//! arrive.

mod authority; // orders by ACME, from the authority of the test
mod client; // clients, and self-signed certificates
mod flood; // connections and streams that only take room
mod process; // the binary with its options: reload, warnings, redirects
mod streams; // requests of HTTP/2

use std::{sync::Arc, time::Duration};

use platbook_service::{
    http::{Capacity, Drained, Listener, Service},
    observe,
    tls::Tls,
};
use tokio_rustls::rustls::version::{TLS12, TLS13};

use self::client::{Made, Trust, ask};
use crate::harness::{COVERED, Client, Server, service};

/// A server with TLS, and what a client needs to trust it.
struct Secure {
    server: Server,
    service: Arc<Service>,
    tls: Arc<Tls>,
    trust: Trust,
}

impl Secure {
    fn start() -> Secure {
        Secure::start_with(service(), Capacity::default())
    }

    fn start_with(service: Service, capacity: Capacity) -> Secure {
        let made = Made::new(&["localhost"]);
        let tls = Arc::new(Tls::new(Some(made.certificate())).unwrap());
        let (of_listener, service) = (Arc::clone(&tls), Arc::new(service));
        service.health().set_tls(Arc::clone(&tls));
        let server = Server::start_at(Arc::clone(&service), capacity, |listener| {
            Listener::Secure(listener, of_listener)
        });
        Secure { server, service, tls, trust: made.trust() }
    }
}

#[test]
fn both_versions_and_protocols_are_agreed_on() {
    let secure = Secure::start();
    let plain = Client::connect(Server::shared().address).get(COVERED);
    for (version, offered, expected) in [
        (&TLS13, &["h2", "http/1.1"][..], Ok(Some("h2"))),
        (&TLS12, &["h2", "http/1.1"], Ok(Some("h2"))),
        (&TLS13, &["http/1.1"], Ok(Some("http/1.1"))),
        (&TLS12, &["http/1.1", "spdy/3"], Ok(Some("http/1.1"))),
        (&TLS13, &[], Ok(None)),
        (&TLS12, &[], Ok(None)),
        (&TLS13, &["spdy/3"], Err("NoApplicationProtocol")),
    ] {
        let config = secure.trust.config(&[version], offered);
        let agreed = client::protocol(secure.server.address, &config);
        let agreed = agreed.as_ref().map(Option::as_deref).map_err(String::as_str);
        match (agreed, expected) {
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{offered:?}: {error}"),
            (agreed, expected) => assert_eq!(agreed, expected, "{version:?} {offered:?}"),
        }
    }
    for version in [&TLS12, &TLS13] {
        let config = secure.trust.config(&[version], &["http/1.1"]);
        let answer = ask(secure.server.address, &config, COVERED).unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("strict-transport-security"), "max-age=15552000");
        assert_eq!(answer.without_id(), client::without_id(&plain.body), "as without TLS");
    }
    assert_eq!(plain.header("strict-transport-security"), "", "TLS is not ours there");
    assert_eq!(secure.server.stop(), Drained::Whole);
}

#[test]
fn a_resumed_session_and_many_requests_on_one_connection_are_answered() {
    let secure = Secure::start();
    let config = secure.trust.config(&[&TLS13], &["http/1.1"]);
    let (first, _) = client::ask_on(secure.server.address, &config, COVERED, 20).unwrap();
    let (second, is_resumed) = client::ask_on(secure.server.address, &config, COVERED, 20).unwrap();
    assert_eq!((first, second, is_resumed), (20, 20, true));
}

#[test]
fn a_request_without_tls_gets_a_clear_response() {
    let secure = Secure::start();
    let mut client = Client::connect(secure.server.address);
    client.send("GET /about HTTP/1.1\r\nHost: x\r\n\r\n");
    let response = client.rest();
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    assert!(
        response.contains("expected https at this port") && response.contains("connection: close"),
        "{response}"
    );
    assert_eq!(secure.service.metrics().connections.without_tls.get(), 1);
    assert_eq!(ask(secure.server.address, &secure.trust.usual(), COVERED).unwrap().status, 200);
}

/// A connection that sends nothing, half a handshake or too long a handshake ends as a silent connection does.
#[test]
fn slow_handshakes_are_cut() {
    let capacity = Capacity { idle_timeout: Duration::from_millis(500), ..Capacity::default() };
    let secure = Secure::start_with(service(), capacity);
    // Two whole TLS records, the start of a ClientHello of 64 KiB.
    let record = |begin: &[u8]| [&[0x16, 3, 1, 0x40, 0], begin, &vec![0; 0x4000 - begin.len()]].concat();
    let endless = [record(&[1, 0, 0xff, 0xff]), record(&[])].concat();
    for (sent, is_idle) in [
        (&b""[..], true),
        (b"\x16", true),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", true),
        (&endless, false),
        (b"\x16\x03\x01\x00\x04hi\x00\x00", false),
    ] {
        let idle = secure.service.metrics().connections.idle.get();
        let mut client = Client::connect(secure.server.address);
        client.send_bytes(sent);
        client.rest_bytes();
        let was_idle = secure.service.metrics().connections.idle.get() > idle;
        assert_eq!(was_idle, is_idle, "{} bytes", sent.len());
    }
    assert_eq!(secure.server.stop(), Drained::Whole);
}

#[test]
fn a_stop_answers_what_was_sent() {
    for offered in ["http/1.1", "h2"] {
        let secure = Secure::start();
        let config = secure.trust.config(&[&TLS13], &[offered]);
        let address = secure.server.address;
        let asked: Vec<_> = (0..8)
            .map(|_| {
                let config = Arc::clone(&config);
                std::thread::spawn(move || client::ask_until_closed(address, &config, COVERED))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(secure.server.stop(), Drained::Whole, "{offered}");
        for asked in asked {
            let (answered, failed) = asked.join().unwrap();
            assert!(answered > 0 && failed.is_none(), "{offered}: {answered} answered, then {failed:?}");
        }
    }
}

/// Connections go on with the certificate that they began with, and no request fails.
#[test]
fn a_new_certificate_loses_no_request() {
    let secure = Secure::start();
    let (address, other) = (secure.server.address, Made::new(&["localhost"]));
    let trust = secure.trust.and(&other);
    let askers: Vec<_> = (0..4)
        .map(|number| {
            let config =
                trust.config(&[&TLS12, &TLS13], if number % 2 == 0 { &["h2"] } else { &["http/1.1"] });
            std::thread::spawn(move || {
                (0..30).map(|_| client::ask_times(address, &config, COVERED, 4)).sum::<usize>()
            })
        })
        .collect();
    for _ in 0..50 {
        secure.tls.replace(other.certificate());
        std::thread::sleep(Duration::from_millis(5));
    }
    let answered: usize = askers.into_iter().map(|asker| asker.join().unwrap()).sum();
    assert_eq!(answered, 4 * 30 * 4);
    let only_other = other.trust().usual();
    assert_eq!(ask(address, &only_other, COVERED).unwrap().status, 200, "the new one is served");
    assert!(ask(address, &secure.trust.usual(), COVERED).is_err(), "the old one is not");
}

#[test]
fn figures_say_when_the_certificate_expires() {
    let secure = Secure::start();
    assert_eq!(ask(secure.server.address, &secure.trust.usual(), COVERED).unwrap().status, 200);
    let page = observe::figures(&secure.service).unwrap();
    for line in [
        "platbook_certificate_behind 0.0\n",
        "platbook_handshakes_total{outcome=\"done\"} 1\n",
        "platbook_handshakes_total{outcome=\"failed\"} 0\n",
        "platbook_handshakes_total{outcome=\"without_tls\"} 0\n",
    ] {
        assert!(page.contains(line), "{line} is not in\n{page}");
    }
    let left = page.lines().find_map(|line| line.strip_prefix("platbook_certificate_expires_seconds "));
    let left: f64 = left.unwrap().parse().unwrap();
    assert!((86_400.0 * 29.0..=86_400.0 * 30.0).contains(&left), "{left}");
}
