//! Measures the time that the limiter adds to a request: to find the caller, to count once, and to write two header
//! fields.
//!
//! Each reading moves the clock on, so that no limit is used up. Two cases are measured: a window that continues, and
//! one that begins.

use std::{
    cell::Cell,
    hint::black_box,
    net::{IpAddr, Ipv4Addr},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Instant,
};

use hyper::{
    HeaderMap, Response,
    header::{AUTHORIZATION, HeaderName, HeaderValue},
};
use platbook_service::{
    http::limits::{Clock, Monotonic, Permit, Proxies, RateLimiter, Table},
    keys::{KeyClass, KeyRing, KeysFile},
};

const REQUESTS: u32 = 500_000;
const ROUNDS: usize = 9;

thread_local!(static AHEAD_MS: Cell<u64> = const { Cell::new(0) });

/// A clock that moves on by this many milliseconds at each reading.
#[derive(Debug)]
struct Moving {
    clock: Monotonic,
    step_ms: u64,
}

impl Clock for Moving {
    fn now_ms(&self) -> u64 {
        let ahead_ms = AHEAD_MS.get() + self.step_ms;
        AHEAD_MS.set(ahead_ms);
        self.clock.now_ms() + ahead_ms
    }
}

fn main() {
    let plain = HeaderMap::new();
    let (ring, with_key) = key();
    let mut proxied = HeaderMap::new();
    let forwarded = HeaderName::from_static("x-forwarded-for");
    proxied.insert(forwarded, HeaderValue::from_static("203.0.113.9, 198.51.100.7"));
    println!("{:32} {:>10} {:>12}", "callers", "1 thread", "2 threads");
    for (name, callers, request, limiter) in [
        ("one address", 1, &plain, limited(1, None, &[])),
        ("10,000 addresses", 10_000, &plain, limited(10_000, None, &[])),
        ("1,000,000 addresses", 1_000_000, &plain, limited(1_000_000, None, &[])),
        ("one address behind a proxy", 1, &proxied, limited(1, None, &["10.0.0.0/8"])),
        ("one key", 1, &with_key, limited(1, Some(ring), &[])),
        ("limits off", 1, &plain, RateLimiter::unlimited(None)),
    ] {
        let one = median(|| per_request(&limiter, request, callers, 0));
        let two = median(|| two_threads(&limiter, request, callers));
        println!("{name:32} {one:>7.0} ns {two:>9.0} ns");
    }
}

fn limited(callers: u32, keys: Option<KeyRing>, trusted: &[&str]) -> RateLimiter {
    let clock = Moving { clock: Monotonic::new(), step_ms: 90_000 / u64::from(callers) + 1 };
    let trusted = trusted.iter().map(|text| text.parse().expect("a range")).collect();
    RateLimiter::limited(Table::new(), keys, Proxies::new(trusted)).with_clock(Box::new(clock))
}

/// A key ring with one key, and the headers of a request with that key.
fn key() -> (KeyRing, HeaderMap) {
    let folder = tempfile::tempdir().expect("a folder for the keys file");
    let file = KeysFile::at(folder.keep().join("keys.json"));
    let (_, key) = file.add(KeyClass::Partner, "", String::new()).expect("a key");
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::try_from(format!("Bearer {key}")).expect("plain ASCII"));
    (KeyRing::open(file).expect("a keys file"), headers)
}

/// The output of a future that is ready at its first poll. The futures of a limiter with its table in this process
/// always are.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("no store is shared"),
    }
}

/// Returns the mean time of a request, in nanoseconds, with `callers` callers in turn.
fn per_request(limiter: &RateLimiter, request: &HeaderMap, callers: u32, from: u32) -> f64 {
    let mut response = Response::new(());
    response.headers_mut().reserve(14);
    let start = Instant::now();
    for number in 0..REQUESTS {
        let peer = IpAddr::V4(Ipv4Addr::from(0x0A00_0000 + (from + number) % callers));
        let mut permit = Permit::default();
        black_box(at_once(limiter.admit(request, black_box(peer), &mut permit)).is_ok());
        limiter.finish(permit, request, peer, black_box(&mut response));
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(REQUESTS)
}

/// Nanoseconds per request on each of two threads that count at the same time.
fn two_threads(limiter: &RateLimiter, request: &HeaderMap, callers: u32) -> f64 {
    let times = std::thread::scope(|scope| {
        let started =
            [0, callers / 2].map(|from| scope.spawn(move || per_request(limiter, request, callers, from)));
        started.map(|thread| thread.join().expect("a measurement does not panic"))
    });
    times.iter().sum::<f64>() / 2.0
}

fn median(measure: impl Fn() -> f64) -> f64 {
    let mut figures: Vec<f64> = (0..ROUNDS).map(|_| measure()).collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
