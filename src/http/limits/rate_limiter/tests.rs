use futures_util::FutureExt as _;
use hyper::header::HeaderName;

use super::*;
use crate::{
    http::limits::{ManualClock, Table},
    keys::{KeyClass, KeysFile},
    operations::status_of,
};

struct Answered {
    status: u16,
    headers: HeaderMap,
    detail: String,
}

impl Answered {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

fn limiter(clock: &ManualClock, keys: Option<KeyRing>, trusted: &[&str]) -> RateLimiter {
    let trusted = trusted.iter().map(|text| text.parse().unwrap()).collect();
    RateLimiter::limited(Table::new(), keys, Proxies::new(trusted)).with_clock(Box::new(clock.clone()))
}

/// Makes a request for an operation, with a lookup if `lookup` is set. An admitted request gets the status 200.
fn ask(limiter: &RateLimiter, peer: &str, given: &[(&str, &str)], lookup: bool) -> Answered {
    let peer = peer.parse().unwrap();
    let mut request = HeaderMap::new();
    for (name, value) in given {
        request
            .append(HeaderName::try_from(*name).unwrap(), HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    let mut permit = Permit::default();
    let admitted = limiter.admit(&request, peer, &mut permit).now_or_never();
    let admitted = admitted.expect("a table of this process decides at once");
    let outcome =
        admitted.and_then(|()| if lookup { limiter.admit_lookup(&mut permit).map(|_| ()) } else { Ok(()) });
    let mut response = Response::new(());
    let detail = outcome.map_or_else(
        |refusal| {
            *response.status_mut() = StatusCode::from_u16(status_of(refusal.kind)).unwrap();
            format!("{}: {}", refusal.kind.slug(), refusal.detail)
        },
        |()| String::new(),
    );
    limiter.finish(permit, &request, peer, &mut response);
    Answered { status: response.status().as_u16(), headers: response.headers().clone(), detail }
}

/// Makes a key ring with two keys: standard and partner.
fn keys() -> (KeyRing, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = KeysFile::at(folder.path().join("keys.json"));
    let (_, standard) = file.add(KeyClass::Standard, "", String::new()).unwrap();
    let (_, partner) = file.add(KeyClass::Partner, "", String::new()).unwrap();
    (KeyRing::open(file).unwrap(), standard, partner)
}

#[test]
fn every_way_to_spoil_a_key_is_invalid_key() {
    let (ring, standard, partner) = keys();
    let clock = ManualClock::default();
    let limiter = limiter(&clock, Some(ring), &[]);
    let bearer = |text: &str| format!("Bearer {text}");
    let last = if standard.ends_with('0') { '1' } else { '0' };
    let unknown = "pbk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA76e1c6b1";
    let spoiled = [
        &[String::new()][..],
        &["Bearer".to_owned()],
        &["Bearer ".to_owned()],
        &[format!("Basic {standard}")],
        std::slice::from_ref(&standard),
        &[format!("Bearer{standard}")],
        &[format!("Bearer\t{standard}")],
        &[bearer(&standard[..54])],
        &[bearer(&format!("{}{last}", &standard[..54]))],
        &[bearer(&standard.to_lowercase())],
        &[bearer(&format!("{standard}, Bearer {standard}"))],
        &[bearer(&format!("\"{standard}\""))],
        &[bearer(&"x".repeat(8000))],
        &[bearer("ü")],
        &[bearer(unknown)],
        &[bearer(&standard), bearer(&standard)],
        &[bearer(&standard), bearer(&partner)],
    ];
    for given in spoiled {
        let lines: Vec<(&str, &str)> = given.iter().map(|value| ("authorization", value.as_str())).collect();
        let answered = ask(&limiter, "192.0.2.1", &lines, false);
        assert_eq!(answered.status, 401, "{given:?}");
        assert!(answered.detail.starts_with("invalid-key: "), "{given:?}: {}", answered.detail);
        assert!(!answered.detail.contains("pbk_"), "{}", answered.detail);
        assert_eq!(
            answered.header("www-authenticate"),
            "Bearer realm=\"platbook\", error=\"invalid_token\", \
             error_description=\"The key is malformed, unknown or revoked\""
        );
        let left = "\"minute\";r=30;t=60, \"day\";r=1000;t=86400";
        assert_eq!(answered.header("ratelimit"), left, "the address pays nothing");
    }
    // A revoked key must yield "invalid key", even if the address has no uses left.
    for _ in 0..31 {
        ask(&limiter, "192.0.2.1", &[], false);
    }
    assert_eq!(ask(&limiter, "192.0.2.1", &[], false).status, 429);
    assert_eq!(ask(&limiter, "192.0.2.1", &[("authorization", "Bearer nope")], false).status, 401);
}

#[test]
fn a_key_has_its_own_limits_from_any_address() {
    let (ring, standard, partner) = keys();
    let clock = ManualClock::default();
    let limiter = limiter(&clock, Some(ring), &[]);
    for (scheme, key, peer, policy, state) in [
        ("Bearer ", &standard, "192.0.2.1", "\"minute\";q=120;w=60, \"day\";q=20000;w=86400", "r=119"),
        ("bearer ", &standard, "192.0.2.2", "\"minute\";q=120;w=60, \"day\";q=20000;w=86400", "r=118"),
        ("BEARER   ", &standard, "2001:db8::1", "\"minute\";q=120;w=60, \"day\";q=20000;w=86400", "r=117"),
        ("Bearer ", &partner, "192.0.2.1", "\"minute\";q=600;w=60, \"day\";q=200000;w=86400", "r=599"),
    ] {
        let answered = ask(&limiter, peer, &[("authorization", &format!("{scheme}{key}"))], false);
        assert_eq!((answered.status, answered.header("ratelimit-policy")), (200, policy));
        assert!(answered.header("ratelimit").starts_with(&format!("\"minute\";{state};t=60")));
    }
    assert!(ask(&limiter, "192.0.2.1", &[], false).header("ratelimit").starts_with("\"minute\";r=29;"));
}

#[test]
fn without_a_keys_file_every_key_is_unknown() {
    let (_, standard, _) = keys();
    for limiter in [limiter(&ManualClock::default(), None, &[]), RateLimiter::unlimited(None)] {
        let answered = ask(&limiter, "192.0.2.1", &[("authorization", &format!("Bearer {standard}"))], false);
        assert_eq!(answered.status, 401);
    }
    let (ring, standard, _) = keys();
    let open = ask(
        &RateLimiter::unlimited(Some(ring)),
        "192.0.2.1",
        &[("authorization", &format!("Bearer {standard}"))],
        false,
    );
    assert_eq!((open.status, open.headers.len()), (200, 0), "no limits, no fields");
}

#[test]
fn who_shares_a_limit() {
    const XFF: &str = "x-forwarded-for";
    for (one, two, shared) in [
        // Two addresses in one /64 are one caller.
        (("2001:db8:0:1::1", ""), ("2001:db8:0:1:ffff::2", ""), true),
        (("2001:db8:0:1::1", ""), ("2001:db8:0:2::1", ""), false),
        (("192.0.2.1", ""), ("::ffff:192.0.2.1", ""), true),
        (("192.0.2.1", ""), ("192.0.2.2", ""), false),
        // A field that no trusted proxy wrote has no effect.
        (("192.0.2.1", "198.51.100.1"), ("192.0.2.1", "198.51.100.2"), true),
        (("192.0.2.1", "198.51.100.1"), ("192.0.2.2", "198.51.100.1"), false),
        // A field that a trusted proxy wrote names the caller: the rightmost untrusted address in it.
        (("10.0.0.1", "198.51.100.1"), ("10.0.0.1", "198.51.100.2"), false),
        (("10.0.0.1", "198.51.100.1"), ("10.0.0.2", "198.51.100.1"), true),
        (("10.0.0.1", "203.0.113.1, 198.51.100.1"), ("10.0.0.1", "203.0.113.2, 198.51.100.1"), true),
        (("10.0.0.1", "2001:db8:0:1::1"), ("10.0.0.1", "[2001:db8:0:1::2]:443"), true),
        (("10.0.0.1", "198.51.100.1"), ("198.51.100.1", ""), true),
    ] {
        let limiter = limiter(&ManualClock::default(), None, &["10.0.0.0/8"]);
        let left = |(peer, forwarded): (&str, &str)| {
            let given: &[(&str, &str)] = if forwarded.is_empty() { &[] } else { &[(XFF, forwarded)] };
            let answered = ask(&limiter, peer, given, false);
            answered.header("ratelimit").to_owned()
        };
        assert!(left(one).starts_with("\"minute\";r=29;"));
        let expected = if shared { "\"minute\";r=28;" } else { "\"minute\";r=29;" };
        assert!(left(two).starts_with(expected), "{one:?} {two:?}");
    }
}

#[test]
fn a_429_says_when_and_is_right() {
    let clock = ManualClock::default();
    let limiter = limiter(&clock, None, &[]);
    for _ in 0..30 {
        assert_eq!(ask(&limiter, "192.0.2.1", &[], false).status, 200);
    }
    clock.set(14_500);
    let answered = ask(&limiter, "192.0.2.1", &[], false);
    assert_eq!((answered.status, answered.header("retry-after")), (429, "46"));
    assert_eq!(answered.header("ratelimit"), "\"minute\";r=0;t=46, \"day\";r=970;t=86386");
    assert_eq!(answered.detail, "rate-limited: the requests of this minute are used up; ask again in 46 s");
    clock.set(59_999);
    assert_eq!(ask(&limiter, "192.0.2.1", &[], false).status, 429);
    clock.set(60_500);
    assert_eq!(ask(&limiter, "192.0.2.1", &[], false).status, 200);
}

/// After a machine slept or moved to another host, old uses no longer count.
#[test]
fn a_clock_that_jumps_locks_nobody_out() {
    const YEAR_MS: u64 = 365 * 86_400_000;
    let clock = ManualClock::default();
    let limiter = limiter(&clock, None, &[]);
    for now_ms in [0, 61_000, 3_600_000, YEAR_MS, 10 * YEAR_MS] {
        clock.set(now_ms);
        let statuses = (0..31).map(|_| ask(&limiter, "192.0.2.1", &[], false).status);
        assert_eq!(statuses.filter(|status| *status == 200).count(), 30, "after {now_ms} ms");
    }
}

#[test]
fn lookups_have_a_limit_of_their_own() {
    let clock = ManualClock::default();
    let limiter = limiter(&clock, None, &[]);
    for left in (0..10).rev() {
        let answered = ask(&limiter, "192.0.2.1", &[], true);
        assert_eq!(answered.status, 200);
        assert!(answered.header("ratelimit").contains(&format!("\"lookup-minute\";r={left};t=60")));
    }
    clock.set(30_000);
    let answered = ask(&limiter, "192.0.2.1", &[], true);
    assert_eq!((answered.status, answered.header("retry-after")), (429, "30"));
    assert_eq!(
        answered.detail,
        "lookup-limit: the new outside lookups of this minute are used up; ask again in 30 s"
    );
    assert_eq!(
        answered.header("ratelimit"),
        "\"minute\";r=19;t=30, \"day\";r=989;t=86370, \"lookup-minute\";r=0;t=30, \"lookup-day\";r=190;t=86370"
    );
    let plain = ask(&limiter, "192.0.2.1", &[], false);
    assert_eq!((plain.status, plain.header("retry-after")), (200, ""), "other requests go on");
    assert!(!plain.header("ratelimit").contains("lookup"));
}

#[test]
fn what_was_not_counted_shows_how_the_address_stands() {
    let limiter = limiter(&ManualClock::default(), None, &[]);
    ask(&limiter, "192.0.2.1", &[], false);
    for _ in 0..2 {
        let mut response = Response::new(());
        limiter.finish(Permit::default(), &HeaderMap::new(), "192.0.2.1".parse().unwrap(), &mut response);
        assert_eq!(response.headers()["ratelimit"], "\"minute\";r=29;t=60, \"day\";r=999;t=86400");
    }
}
