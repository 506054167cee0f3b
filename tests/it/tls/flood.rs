//! Tests that other clients are still answered beside connections and streams that only occupy slots.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use platbook::answers::Lookup;
use platbook_service::{
    http::Capacity,
    upstream::{FoundFuture, Lookups, Upstream},
};
use socket2::{Domain, Socket, Type};
use tokio_rustls::rustls::version::TLS13;

use super::{
    Secure,
    client::{self, Http2, runtime},
};
use crate::harness::{COVERED, Client, PATIENCE, comes_true, service};

/// A thousand half handshakes of one address take all slots. Another address is served at once, each time.
#[test]
fn half_handshakes_do_not_take_the_slots_of_others() {
    const HALF: usize = 1_000;
    let capacity =
        Capacity { connections_max: HALF as u32, idle_timeout: 2 * PATIENCE, ..Capacity::default() };
    let secure = Secure::start_with(service(), capacity);
    let half = || {
        let mut client = Client::connect(secure.server.address);
        client.send_bytes(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03");
        client
    };
    let _half: Vec<Client> = (0..HALF).map(|_| half()).collect();
    let counts = &secure.service.metrics().connections;
    assert!(comes_true(|| counts.open.get() == HALF as u64));
    let config = secure.trust.config(&[&TLS13], &["http/1.1"]);
    for _ in 0..20 {
        let (answered, _) = ask_from([127, 0, 0, 2], secure.server.address, &config);
        assert_eq!(answered, 1);
    }
    assert!(counts.evicted.get() >= 1 && counts.full.get() == 0, "{counts:?}");
}

/// Sends one request from this address; the connection stays open.
fn ask_from(
    from: [u8; 4],
    address: SocketAddr,
    config: &Arc<tokio_rustls::rustls::ClientConfig>,
) -> (usize, bool) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((Ipv4Addr::from(from), 0)).into()).unwrap();
    socket.connect(&address.into()).unwrap();
    client::ask_over(socket.into(), config, COVERED, 1).unwrap()
}

/// A lookup that never ends.
#[derive(Debug)]
struct Never;

impl Upstream for Never {
    fn find(&self, _: Lookup) -> FoundFuture<'_> {
        Box::pin(std::future::pending())
    }
}

/// A client that opens streams only to cancel them is cut, and another is answered.
#[test]
fn a_flood_of_canceled_streams_is_cut() {
    let service = service().with_lookups(Lookups::of(Arc::new(Never)));
    let secure = Secure::start_with(service, Capacity::default());
    let config = secure.trust.config(&[&TLS13], &["h2"]);
    let canceled = runtime().block_on(async {
        let client = Http2::connect(secure.server.address, &config).await;
        let begun = Instant::now();
        let mut canceled = 0;
        while !client.sender.is_closed() {
            assert!(begun.elapsed() < PATIENCE, "{canceled} streams were canceled");
            let target = format!("/v1/screening?lat=44.97&lon=-93.{canceled:03}");
            let _ = tokio::time::timeout(Duration::from_millis(5), client.get(&target)).await;
            canceled += 1;
        }
        canceled
    });
    assert!((200..400).contains(&canceled), "{canceled}");
    assert_eq!(client::ask_times(secure.server.address, &config, COVERED, 3), 3);
}
