use std::time::Duration;

use crate::{
    attack::{Attack, What},
    client::{get, message},
    faults::wrong_key,
    loopback::Act,
    siege::{Aim, Good, Siege},
};

/// Number of connections in a wave: nearly all of the 10,000 that the service has.
const WAVE: u32 = 9_900;

/// A pause longer than a row, so each connection sends one request. Together the connections use the limit of a minute.
const ONCE: Duration = Duration::from_secs(60);

/// A pause that spreads the 30 requests of a minute evenly.
const EVENLY: Duration = Duration::from_secs(2);

/// Silent connections are closed after 10 s, and the effect shows in the 4 s after that.
const UNTIL_CUT: Duration = Duration::from_secs(14);

const SHORT: Duration = Duration::ZERO;

/// A row of one or more addresses that send expensive requests within their limits.
const fn dear(
    name: &'static str,
    addresses: u32,
    connections: u32,
    pause: Duration,
    make: fn(usize) -> Vec<u8>,
) -> Siege {
    Siege {
        name,
        options: &[],
        outside: None,
        attack: Attack { connections, addresses, what: What::Ask(make, pause) },
        good: Good::New,
        at_least: Duration::from_secs(8),
        aims: &[Aim::Served, Aim::Factor(2.0)],
    }
}

/// A row of one connection that repeats an MCP message or a document, with limits on. Earlier versions did not count
/// these. The most generous limit, that of partners, is 600 a minute. The service rejects a request in about the time
/// in which the client sends the next. So a client on one connection costs less than half of a processor.
const fn uncounted(name: &'static str, make: fn(usize) -> Vec<u8>) -> Siege {
    Siege {
        name,
        options: &[],
        outside: None,
        attack: Attack { connections: 1, addresses: 1, what: What::Ask(make, Duration::ZERO) },
        good: Good::New,
        at_least: SHORT,
        aims: &[Aim::Served, Aim::Factor(2.0), Aim::Granted(2 * 600), Aim::Share(0.5)],
    }
}

/// A row of slow connections without limits, beside clients that keep their connections.
const fn slow(name: &'static str, what: What, at_least: Duration) -> Siege {
    Siege {
        name,
        options: &["--limits", "off"],
        outside: None,
        attack: Attack { connections: WAVE, addresses: 20, what },
        good: Good::Kept,
        at_least,
        aims: &[Aim::Peak(200.0), Aim::P99(5.0)],
    }
}

pub static SIEGES: &[Siege] = &[
    dear("the dearest outline, 30 at once from one address", 1, 30, ONCE, |_| outline()),
    dear("the dearest outline, one each 2 s from one address", 1, 1, EVENLY, |_| outline()),
    dear("the dearest outline, 30 at once from each of ten addresses", 10, 300, ONCE, |_| outline()),
    dear("cold pages of states, 30 at once from one address", 1, 30, ONCE, state_page),
    dear("lists of addresses for crawlers, 30 at once from one address", 1, 30, ONCE, |_| {
        get("/sitemaps/1.xml")
    }),
    uncounted("MCP tools/list on and on", |_| tools_list()),
    uncounted("MCP resources/list on and on", |_| {
        message(r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#)
    }),
    uncounted("MCP pings of 60 KB on and on", |_| many_keys()),
    uncounted("MCP notifications of 60 KB on and on", |_| {
        let list = "[],".repeat(19_000);
        message(&format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"a":[{list}1]}}}}"#))
    }),
    uncounted("the OpenAPI document on and on", |_| get("/openapi.json")),
    // No limit counts wrong keys: by the contract, each request gets 401.
    Siege {
        aims: &[Aim::Served, Aim::Factor(2.0), Aim::Share(0.5)],
        ..uncounted("wrong keys on and on", |_| wrong_key())
    },
    Siege {
        at_least: Duration::from_secs(6),
        aims: &[Aim::Peak(100.0), Aim::Left(64.0), Aim::Served],
        attack: Attack { connections: 1_000, addresses: 1, what: What::hold(half_message) },
        ..half_messages("1,000 half bodies to POST /mcp of one address, two waves")
    },
    half_messages("9,900 half bodies to POST /mcp of ten addresses, two waves"),
    slow("9,900 silent connections", What::hold(Vec::new), SHORT),
    slow("9,900 half heads", What::hold(|| b"GET /v1/topics HTTP/1.1\r\nHost:".into()), SHORT),
    slow(
        "9,900 heads of 8 KB",
        What::hold(|| format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(8 << 10)).into()),
        SHORT,
    ),
    slow("9,900 half bodies, reopened when cut", What::hold_again(half_request), UNTIL_CUT),
    Siege {
        attack: Attack { connections: 12_000, addresses: 20, what: What::hold(Vec::new) },
        good: Good::New,
        aims: &[Aim::Served, Aim::P99(100.0)],
        ..slow("12,000 silent, more than the slots", What::hold(Vec::new), SHORT)
    },
    Siege {
        name: "10,200 busy connections of one address",
        options: &[],
        outside: None,
        attack: Attack {
            connections: 10_200,
            addresses: 1,
            what: What::Ask(|_| get("/v1/topics"), Duration::from_secs(4)),
        },
        good: Good::New,
        at_least: Duration::from_secs(5),
        aims: &[Aim::Served, Aim::P99(100.0)],
    },
    Siege {
        attack: Attack { connections: 1_000, addresses: 20, what: What::read_nothing(many_documents) },
        aims: &[Aim::Kernel(64.0), Aim::Answered],
        ..slow("1,000 slow readers", What::hold(Vec::new), UNTIL_CUT)
    },
    Siege {
        name: "lookups that hang, from 100 addresses",
        options: &[],
        outside: Some(|_| Act::Hang),
        // Each address sends the 10 lookups that it may send in a minute.
        attack: Attack { connections: 100, addresses: 100, what: What::Ask(lookup, Duration::from_secs(6)) },
        good: Good::New,
        at_least: Duration::from_secs(12),
        aims: &[Aim::Served, Aim::Factor(2.0)],
    },
];

/// Bodies that never end are limited like other memory for slow clients. After the attack, the process may keep about
/// as much memory as after mixed work.
const fn half_messages(name: &'static str) -> Siege {
    Siege {
        name,
        options: &[],
        outside: None,
        attack: Attack { connections: WAVE, addresses: 10, what: What::hold(half_message) },
        good: Good::New,
        at_least: Duration::from_secs(6),
        aims: &[Aim::Peak(200.0), Aim::Left(64.0), Aim::Served],
    }
}

/// The largest outline of the default snapshot: Alaska's, 1.4 MB.
pub fn outline() -> Vec<u8> {
    get("/boundaries/state:02.geojson")
}

/// Each of 30 connections requests the page of another state; the states with the most places come first.
pub fn state_page(number: usize) -> Vec<u8> {
    const STATES: [&str; 30] = [
        "TN", "GA", "OH", "PA", "NJ", "TX", "MN", "VA", "MA", "MO", "NC", "NE", "SD", "IL", "IN", "MI", "WI",
        "KS", "NY", "CA", "FL", "AL", "AK", "AZ", "AR", "CO", "CT", "ME", "NH", "VT",
    ];
    get(&format!("/states/{}", STATES[number % STATES.len()]))
}

pub fn tools_list() -> Vec<u8> {
    message(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
}

/// A ping with 59 KB of unknown parameters.
pub fn many_keys() -> Vec<u8> {
    let keys: Vec<String> = (0..6_500).map(|key| format!("\"{key:x}\":1")).collect();
    message(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{{}}}}}"#, keys.join(",")))
}

/// 63 KB of a message of 65 KB.
pub fn half_message() -> Vec<u8> {
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 65000\r\n\r\n{";
    format!("{head}{}", " ".repeat(63_000)).into_bytes()
}

pub fn half_request() -> Vec<u8> {
    b"GET /v1/topics HTTP/1.1\r\nContent-Length: 9\r\n".into()
}

/// Twenty requests at once for 190 KB each.
pub fn many_documents() -> Vec<u8> {
    get("/openapi.json").repeat(20)
}

/// A lookup of an address that no other request has.
pub fn lookup(number: usize) -> Vec<u8> {
    get(&format!("/v1/jurisdictions/resolve?address={}+Main+St,+Minneapolis,+MN", number + 1))
}
