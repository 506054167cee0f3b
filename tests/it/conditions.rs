use crate::harness::{COVERED, Client, Response, Server};

const QUARTER_HOUR: &str = "public, max-age=900";
const HOUR: &str = "public, max-age=3600";
const DAY: &str = "public, max-age=86400";

/// Requests of every operation, and pages with and without a next one.
const ANSWERS: &[(&str, &str)] = &[
    (COVERED, QUARTER_HOUR),
    ("/v1/resources?jurisdiction_id=state:27", QUARTER_HOUR),
    ("/v1/resources?jurisdiction_id=state:27&limit=2", QUARTER_HOUR),
    ("/v1/places/county:27053", QUARTER_HOUR),
    ("/v1/places/state:06?limit=1", QUARTER_HOUR),
    ("/v1/jurisdictions/resolve?place=Plano&state=TX", QUARTER_HOUR),
    ("/v1/search?q=hennepin", QUARTER_HOUR),
    ("/v1/screening?lat=44.9773&lon=-93.2655", HOUR),
    ("/v1/topics", DAY),
    ("/v1/guides/zoning", DAY),
    ("/v1/guides/floodplain?state=mn", DAY),
];

/// Header lines and the status. `{tag}` is the answer's tag, `{quoted}` the tag without `W/`, `{bare}` also without
/// quotation marks. `{other}` is the tag of another answer.
const CONDITIONS: &[(&str, u16)] = &[
    ("", 200),
    ("If-None-Match: {tag}", 304),
    ("If-None-Match: {quoted}", 304),
    ("if-none-match:{tag}", 304),
    ("IF-NONE-MATCH: \t {tag} \t", 304),
    ("If-None-Match: *", 304),
    ("If-None-Match:  * ", 304),
    // Lists of tags
    ("If-None-Match: \"a\", {tag}", 304),
    ("If-None-Match: {tag}, \"a\"", 304),
    ("If-None-Match: \"a\",{quoted},W/\"b\"", 304),
    ("If-None-Match: \"a\"\t,\t{tag}", 304),
    ("If-None-Match: , ,{tag},,", 304),
    ("If-None-Match: \"a,b\", {tag}", 304),
    ("If-None-Match: \"\", {tag}", 304),
    ("If-None-Match: \"\u{e9}\", {tag}", 304),
    ("If-None-Match: {other}, {tag}", 304),
    ("If-None-Match: \"a\", W/\"b\"", 200),
    ("If-None-Match: {other}", 200),
    // Several header lines
    ("If-None-Match: \"a\"|If-None-Match: {tag}", 304),
    ("If-None-Match: {tag}|If-None-Match: \"a\"", 304),
    ("If-None-Match: |If-None-Match: {quoted}", 304),
    ("If-None-Match: \"a\"|If-None-Match: \"b\"", 200),
    // Lists with malformed members
    ("If-None-Match: junk, {tag}", 304),
    ("If-None-Match: \"open, {tag}", 304),
    ("If-None-Match: \"a\"b, {quoted}", 304),
    ("If-None-Match: junk", 200),
    ("If-None-Match: {bare}", 200),
    ("If-None-Match: \"{bare}", 200),
    ("If-None-Match: {bare}\"", 200),
    ("If-None-Match: w/{quoted}", 200),
    ("If-None-Match: W/ {quoted}", 200),
    ("If-None-Match: W/{tag}", 200),
    ("If-None-Match: {quoted}x", 200),
    ("If-None-Match: \"{bare}0\"", 200),
    ("If-None-Match: \"a,{bare},b\"", 200),
    ("If-None-Match: \"*\"", 200),
    ("If-None-Match: **", 200),
    ("If-None-Match:", 200),
    // Conditions with further headers
    ("If-None-Match: {tag}|Accept-Encoding: gzip", 304),
    ("If-None-Match: {tag}|Accept-Encoding: zstd, identity;q=0", 304),
    ("If-None-Match: {tag}|X-Request-Id: another-request", 304),
    ("If-None-Match: {tag}|Cache-Control: no-cache", 304),
    ("If-None-Match: {tag}|Origin: https://a.example", 304),
    ("If-None-Match: {tag}|Range: bytes=0-9", 304),
    ("If-None-Match: {tag}|If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", 304),
    ("If-None-Match: \"a\"|If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT", 200),
    ("If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT", 200),
    ("Range: bytes=0-9", 200),
];

/// Responses without a tag, whatever the condition: method, target, status.
const OTHERS: &[(&str, &str, u16)] = &[
    ("GET", "/v1/jurisdictions/resolve", 400),
    ("HEAD", "/v1/jurisdictions/resolve?lat=91&lon=0", 400),
    ("GET", "/v1/resources?jurisdiction_id=state:27&cursor=x", 400),
    ("GET", "/v1/places/county", 400),
    ("GET", "/v1/guides/zoning?state=zz", 400),
    ("GET", "/v1/jurisdictions/resolve?lat=0&lon=0", 404),
    ("GET", "/v1/places/county:99999", 404),
    ("HEAD", "/v1/guides/weather", 404),
    ("GET", "/v1/nothing", 404),
    ("POST", COVERED, 405),
    ("DELETE", "/v1/topics", 405),
    ("OPTIONS", COVERED, 204),
    ("GET", "/v1/jurisdictions/resolve?address=1+Main+St", 503),
];

#[test]
fn every_condition_has_its_outcome_on_every_answer() {
    let mut client = Client::connect(Server::shared().address);
    for (target, lifetime) in ANSWERS {
        let plain = client.ask("GET", target, "");
        assert_eq!((plain.status, plain.header("cache-control")), (200, *lifetime), "{target}");
        for (lines, status) in CONDITIONS {
            for method in ["GET", "HEAD"] {
                let response = client.ask(method, target, &with_tags(lines, plain.header("etag")));
                assert_eq!(response.status, *status, "{method} {target}, {lines}");
                check_headers(&response, &plain, &format!("{method} {target}, {lines}"));
            }
        }
    }
}

fn with_tags(lines: &str, tag: &str) -> String {
    let quoted = tag.strip_prefix("W/").expect("tags are weak");
    let lines = lines
        .replace("{tag}", tag)
        .replace("{quoted}", quoted)
        .replace("{bare}", quoted.trim_matches('"'))
        .replace("{other}", "W/\"0000000000000000\"");
    lines.split('|').filter(|line| !line.is_empty()).map(|line| format!("{line}\r\n")).collect()
}

/// A 304 has the fields that caches keep, and no field that describes a body. The other fields are those of a plain answer.
fn check_headers(response: &Response, plain: &Response, context: &str) {
    for name in [
        "etag",
        "cache-control",
        "vary",
        "link",
        "access-control-allow-origin",
        "access-control-expose-headers",
    ] {
        assert_eq!(response.header(name), plain.header(name), "{name} of {context}");
    }
    assert!((8..=64).contains(&response.header("x-request-id").len()), "{context}");
    assert_ne!(response.header("date"), "", "{context}");
    let of_body = ["content-type", "content-length", "content-encoding"].map(|name| response.header(name));
    if response.status == 304 {
        assert_eq!((of_body, response.bytes.len()), (["", "", ""], 0), "{context}");
    } else {
        assert_eq!(of_body[0], "application/json", "{context}");
        assert_ne!(of_body[1], "", "{context}");
    }
}

#[test]
fn conditions_turn_nothing_but_a_200_into_a_304() {
    let mut client = Client::connect(Server::shared().address);
    let tag = client.get(COVERED).header("etag").to_owned();
    for (method, target, status) in OTHERS {
        for condition in ["*", &tag, "\"a\"", "junk"] {
            let lines = format!("If-None-Match: {condition}\r\n");
            let response = client.ask(method, target, &lines);
            let headers = ["cache-control", "etag", "vary"].map(|name| response.header(name));
            let expected = ["no-store", "", "Accept-Encoding"];
            assert_eq!((response.status, headers), (*status, expected), "{method} {target}, {condition}");
        }
    }
}

#[test]
fn a_tag_is_of_one_answer() {
    let mut client = Client::connect(Server::shared().address);
    let mut tags: Vec<String> =
        ANSWERS.iter().map(|(target, _)| client.get(target).header("etag").to_owned()).collect();
    for (target, tag) in ANSWERS.iter().map(|(target, _)| target).zip(&tags) {
        for lines in ["X-Request-Id: request-one\r\n", "Host: y\r\n", "Accept-Encoding: zstd\r\n"] {
            let host = if lines.starts_with("Host") { "" } else { "Host: x\r\n" };
            client.send(&format!("GET {target} HTTP/1.1\r\n{host}{lines}\r\n"));
            assert_eq!(client.receive(false).header("etag"), tag, "{target}, {lines}");
        }
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), ANSWERS.len());
}
