use serde_json::Value;

use crate::harness::{COVERED, Client, Response, SITE, Server};

const RESOLVE: &str = "/v1/jurisdictions/resolve";
const HOST: &str = "Host: x\r\n";

fn ask(method: &str, target: &str, headers: &str) -> Response {
    let mut client = Client::connect(Server::shared().address);
    client.send(&format!("{method} {target} HTTP/1.1\r\n{headers}\r\n"));
    client.receive(method == "HEAD")
}

/// Checks that hold for every response, whatever its status.
fn check_common(response: &Response) {
    assert_eq!(response.header("access-control-allow-origin"), "*");
    assert!(response.header("access-control-expose-headers").contains("X-Request-Id"));
    assert!((8..=64).contains(&response.header("x-request-id").len()));
    // A path without an operation may be a page, whose form depends on `Accept`.
    assert!(["Accept-Encoding", "Accept, Accept-Encoding"].contains(&response.header("vary")));
}

/// Checks a problem against RFC 9457 and the contract; returns its detail.
fn check_problem(response: &Response, status: u16, slug: &str) -> String {
    check_common(response);
    assert_eq!(response.status, status, "{response:?}");
    assert_eq!(response.header("content-type"), "application/problem+json");
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("etag"), "");
    let problem = response.json();
    assert_eq!(problem["type"], format!("/problems/{slug}"));
    assert_eq!(problem["status"], status);
    assert_eq!(problem["request_id"], response.header("x-request-id"));
    assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()));
    problem["detail"].as_str().unwrap().to_owned()
}

#[test]
fn spoilt_requests_are_problems_that_say_why() {
    for (method, target, headers, status, slug, said) in [
        // Which input mode
        ("GET", "", HOST, 400, "bad-parameter", "lat and lon, address, place and state, or jurisdiction_id"),
        ("GET", "?", HOST, 400, "bad-parameter", "lat and lon, address, place and state, or jurisdiction_id"),
        ("GET", "?LAT=1&Lon=2", HOST, 400, "bad-parameter", "no location was given"),
        ("GET", "?lat=44.9&lon=-93.2&address=x", HOST, 400, "bad-parameter", "several inputs"),
        ("GET", "?address=x&place=y&state=MN", HOST, 400, "bad-parameter", "several inputs"),
        ("GET", "?place=Austin", HOST, 400, "bad-parameter", "state is missing"),
        ("GET", "?address=", HOST, 400, "bad-parameter", "address is empty"),
        ("GET", "?address=1+Main+St", HOST, 503, "upstream-unavailable", "switched off"),
        // Points
        ("GET", "?lat=44.9", HOST, 400, "bad-point", "lon is missing"),
        ("GET", "?lon=-93.2", HOST, 400, "bad-point", "lat is missing"),
        ("GET", "?lat=&lon=-93.2", HOST, 400, "bad-point", "expected lat as decimal degrees"),
        ("GET", "?lat=north&lon=-93.2", HOST, 400, "bad-point", "got \"north\""),
        ("GET", "?lat=44.9&lon=NaN", HOST, 400, "bad-point", "got \"NaN\""),
        ("GET", "?lat=inf&lon=1", HOST, 400, "bad-point", "got \"inf\""),
        ("GET", "?lat=1e999&lon=1", HOST, 400, "bad-point", "got \"1e999\""),
        ("GET", "?lat=0x2C&lon=1", HOST, 400, "bad-point", "got \"0x2C\""),
        ("GET", "?lat=44,9&lon=1", HOST, 400, "bad-point", "got \"44,9\""),
        ("GET", "?lat=+44.9&lon=1", HOST, 400, "bad-point", "plus sign"),
        ("GET", "?lat=44.9%20&lon=1", HOST, 400, "bad-point", "got \"44.9 \""),
        ("GET", "?lat=90.1&lon=0", HOST, 400, "bad-point", "from -90 to 90, got 90.1"),
        ("GET", "?lat=0&lon=-180.0001", HOST, 400, "bad-point", "from -180 to 180, got -180.0001"),
        ("GET", "?lat=999&lon=999", HOST, 400, "bad-point", "got 999"),
        ("GET", "?lat=-93.26&lon=44.97", HOST, 400, "bad-point", "look swapped"),
        ("GET", "?lat=0&lon=0", HOST, 404, "outside-coverage", "lat 0, lon 0 is in no covered state"),
        (
            "GET",
            "?lat=44.9773&lon=93.2655",
            HOST,
            404,
            "outside-coverage",
            "lon -93.2655 (with a minus sign)",
        ),
        ("GET", "?lat=-90&lon=180", HOST, 404, "outside-coverage", "lat -90, lon 180"),
        // Encoding
        ("GET", "?lat=1&lat=1&lon=2", HOST, 400, "bad-parameter", "lat is given more than once"),
        ("GET", "?lat=%4&lon=2", HOST, 400, "bad-parameter", "lat is not percent-encoded UTF-8"),
        ("GET", "?address=%FF", HOST, 400, "bad-parameter", "address is not percent-encoded UTF-8"),
        ("GET", "?address=a%0Ab", HOST, 400, "bad-parameter", "control character"),
        // Paths and methods
        ("GET", "/../resolve", HOST, 404, "not-found", "no endpoint"),
        ("OPTIONS", "/other", HOST, 404, "not-found", "no endpoint"),
        ("POST", "", HOST, 405, "method-not-allowed", "POST is not answered"),
        ("TRACE", "/other", HOST, 405, "method-not-allowed", "TRACE is not answered"),
        ("get", "", HOST, 405, "method-not-allowed", "get is not answered"),
        // Host
        ("GET", "?lat=0&lon=0", "", 400, "bad-parameter", "Host header is missing"),
        ("GET", "", "Host: x\r\nHost: x\r\n", 400, "bad-parameter", "Host header is given more than once"),
        ("GET", "", "Host: a b\r\n", 400, "bad-parameter", "Host header is not"),
        ("POST", "", "Host: a/b\r\n", 400, "bad-parameter", "Host header is not"),
        // A precondition never hides a problem
        ("GET", "?lat=1", "Host: x\r\nIf-None-Match: *\r\n", 400, "bad-point", "lon is missing"),
    ] {
        let response = ask(method, &format!("{RESOLVE}{target}"), headers);
        let detail = check_problem(&response, status, slug);
        assert!(detail.contains(said), "{method} {target}: {detail}");
    }
}

#[test]
fn paths_outside_the_prefix_are_not_found() {
    for target in ["/v1", "/jurisdictions/resolve?lat=44.9773&lon=-93.2655", "/v2/x", "*"] {
        check_problem(&ask("GET", target, HOST), 404, "not-found");
    }
}

#[test]
fn a_405_says_what_is_allowed() {
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
        let response = ask(method, COVERED, "Host: x\r\nContent-Length: 0\r\n");
        check_problem(&response, 405, "method-not-allowed");
        assert_eq!(response.header("allow"), "GET, HEAD, OPTIONS");
    }
}

/// Without services outside, a later retry would fail as well, so the answer does not advise one.
#[test]
fn a_503_does_not_promise_what_cannot_be() {
    let response = ask("GET", &format!("{RESOLVE}?address=x"), HOST);
    assert_eq!((response.status, response.header("retry-after")), (503, ""));
}

#[test]
fn covered_points_are_answered_however_they_are_written() {
    let expected = chain(&ask("GET", COVERED, HOST));
    for (target, headers) in [
        (format!("{RESOLVE}?lon=-93.2655&lat=44.9773&unknown=1&unknown=%FF&&="), HOST),
        (format!("{RESOLVE}?l%61t=%34%34.9773&lon=-932655e-4"), HOST),
        (format!("{RESOLVE}?lat=%2B44.97730&lon=-93.26550"), "Host: [::1]:8080\r\n"),
        (format!("http://elsewhere.example{COVERED}"), HOST),
        (COVERED.to_owned(), "Host:\r\n"),
        (COVERED.to_owned(), "Host: x\r\nContent-Length: 3\r\n\r\nabc"),
    ] {
        assert_eq!(chain(&ask("GET", &target, headers)), expected, "{target}");
    }
    assert_eq!(expected[0], "state:27");
    assert_eq!(expected[1], "county:27053");
}

fn chain(response: &Response) -> Vec<String> {
    check_common(response);
    assert_eq!((response.status, response.header("content-type")), (200, "application/json"));
    let answer = response.json();
    assert_eq!(answer["request_id"], response.header("x-request-id"));
    let jurisdictions = answer["data"]["jurisdictions"].as_array().unwrap();
    jurisdictions.iter().map(|each| each["jurisdiction_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_answer_has_the_fields_of_the_contract_in_their_order() {
    let response = ask("GET", COVERED, HOST);
    let order = |keys: &[&str]| {
        let mut rest = response.body.as_str();
        for key in keys {
            let at = rest
                .find(&format!("\"{key}\":"))
                .unwrap_or_else(|| panic!("{key} is missing or out of order"));
            rest = &rest[at + 1..];
        }
    };
    order(&[
        "data",
        "match",
        "point",
        "jurisdictions",
        "functions",
        "sources",
        "as_of",
        "request_id",
        "notices",
    ]);
    order(&[
        "jurisdiction_id",
        "type",
        "name",
        "legal_type",
        "state",
        "same_as",
        "ocd_id",
        "tiger_vintage",
        "page_url",
    ]);
    order(&["sources", "name", "url", "publisher", "official", "retrieved_at", "license_class"]);
    order(&["functions", "assessment", "tax_collection", "recording", "zoning", "permits", "gis"]);
    let Value::Object(data) = response.json()["data"].take() else { panic!("data is an object") };
    assert_eq!(data["point"], serde_json::json!({"type": "Point", "coordinates": [-93.2655, 44.9773]}));
    assert_eq!(data["match"]["mode"], "point");
    assert_eq!(data["jurisdictions"][1]["page_url"], format!("{SITE}/places/county:27053"));
}

#[test]
fn sources_are_named_once() {
    let answer = ask("GET", COVERED, HOST).json();
    let sources = answer["sources"].as_array().unwrap();
    assert!(!sources.is_empty());
    for (at, source) in sources.iter().enumerate() {
        assert!(!sources[..at].contains(source), "{source}");
    }
}

#[test]
fn a_head_request_gets_the_headers_of_a_get() {
    for target in [COVERED, RESOLVE, "/nowhere"] {
        let (get, mut head) = (ask("GET", target, HOST), ask("HEAD", target, HOST));
        assert_eq!((head.status, head.body.as_str()), (get.status, ""));
        for name in ["x-request-id", "date"] {
            head.headers.insert(name.to_owned(), get.header(name).to_owned());
        }
        assert_eq!(head.headers, get.headers, "{target}");
    }
}

#[test]
fn options_name_the_methods() {
    for target in [RESOLVE, COVERED, "*"] {
        let response = ask("OPTIONS", target, HOST);
        check_common(&response);
        assert_eq!((response.status, response.header("allow")), (204, "GET, HEAD, OPTIONS"), "{target}");
        assert_eq!(response.header("access-control-allow-headers"), "");
    }
}

#[test]
fn a_preflight_allows_everything_but_keys() {
    let asked = "Host: x\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n";
    let response = ask("OPTIONS", COVERED, asked);
    assert_eq!(response.status, 204);
    assert_eq!(response.header("access-control-allow-methods"), "GET, HEAD");
    assert_eq!(response.header("access-control-allow-headers"), "If-None-Match, X-Request-Id");
    assert_eq!(response.header("access-control-max-age"), "86400");
}

#[test]
fn a_known_answer_is_not_sent_again() {
    let fresh = ask("GET", COVERED, HOST);
    let etag = fresh.header("etag").to_owned();
    assert!(etag.starts_with("W/\"") && etag.ends_with('"'), "{etag}");
    assert_eq!(fresh.header("cache-control"), "public, max-age=900");
    let opaque = &etag[2..];
    for known in [
        format!("If-None-Match: {etag}"),
        format!("If-None-Match: {opaque}"),
        format!("If-None-Match: \"a,b\", junk, {etag}"),
        format!("If-None-Match: \"a\"\r\nIf-None-Match: {etag}"),
        "If-None-Match: *".to_owned(),
    ] {
        for method in ["GET", "HEAD"] {
            let response = ask(method, COVERED, &format!("{HOST}{known}\r\n"));
            check_common(&response);
            assert_eq!((response.status, response.body.as_str()), (304, ""), "{known}");
            assert_eq!(response.header("etag"), etag);
            assert_eq!(response.header("cache-control"), "public, max-age=900");
            assert_eq!(response.header("content-type"), "");
        }
    }
    for other in ["If-None-Match: \"a\"", "If-None-Match: junk", "If-None-Match:"] {
        assert_eq!(ask("GET", COVERED, &format!("{HOST}{other}\r\n")).status, 200, "{other}");
    }
}

#[test]
fn the_etag_is_of_the_answer_not_of_the_request() {
    let one = ask("GET", COVERED, "Host: x\r\nX-Request-Id: request-one\r\n");
    let two = ask("GET", COVERED, "Host: y\r\nX-Request-Id: request-two-longer\r\n");
    let other = ask("GET", &format!("{RESOLVE}?lat=44.9774&lon=-93.2655"), HOST);
    assert_eq!(one.header("etag"), two.header("etag"));
    assert_ne!(one.header("etag"), other.header("etag"));
}

#[test]
fn usable_request_ids_come_back() {
    let long = "a".repeat(64);
    for id in ["12345678", "A.b_c-d9", &long] {
        for target in [COVERED, RESOLVE] {
            let response = ask("GET", target, &format!("{HOST}X-Request-Id: {id}\r\n"));
            assert_eq!(response.header("x-request-id"), id);
            assert_eq!(response.json()["request_id"], id);
        }
    }
    for headers in [
        "X-Request-Id: short",
        "X-Request-Id: white space",
        "X-Request-Id: 12345678\r\nX-Request-Id: 12345678",
    ] {
        let response = ask("GET", COVERED, &format!("{HOST}{headers}\r\n"));
        assert!(!headers.contains(response.header("x-request-id")), "{headers}");
    }
}
