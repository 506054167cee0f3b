use std::io::Read;

use crate::harness::{COVERED, Client, Response, Server};

/// A fixed request id, so that bodies differ only in their coding.
const ID: &str = "X-Request-Id: the-same-request\r\n";

const TARGETS: &[&str] = &[
    COVERED,
    "/v1/resources?jurisdiction_id=state:27&limit=5",
    "/v1/places/county:27053",
    "/v1/topics",
    "/v1/guides/zoning?state=MN",
    "/openapi.json",
];

/// Values of `Accept-Encoding`, and the coding of a long enough body; src/http/encoding.rs has more.
const ACCEPTED: &[(&str, &str)] = &[
    ("gzip", "gzip"),
    ("x-gzip", "gzip"),
    ("gzip, deflate", "gzip"),
    ("gzip, deflate, br, zstd", "zstd"),
    ("zstd;q=0.5, gzip;q=0.7", "gzip"),
    ("br;q=1, gzip;q=0.1, *;q=0", "gzip"),
    ("*", "gzip"),
    ("gzip, identity;q=0", "gzip"),
    ("identity", ""),
    ("identity;q=1, gzip;q=0.9", ""),
    ("identity;q=0", ""),
    ("*;q=0", ""),
    ("gzip;q=0", ""),
    ("br", ""),
    ("", ""),
    ("gzip;q=high", ""),
    (";;;=,,,;q=,\u{e9}", ""),
    ("gzip\r\nAccept-Encoding: gzip;q=0", ""),
    ("br\r\nAccept-Encoding: zstd", "zstd"),
];

pub fn unpacked(response: &Response) -> String {
    let mut body = Vec::new();
    match response.header("content-encoding") {
        "" => body.clone_from(&response.bytes),
        "gzip" => {
            let read = flate2::read::GzDecoder::new(&response.bytes[..]).read_to_end(&mut body).unwrap();
            assert!(read > response.bytes.len());
        }
        "zstd" => body = zstd::decode_all(&response.bytes[..]).unwrap(),
        other => panic!("{other} is not a coding that was asked for"),
    }
    String::from_utf8(body).unwrap()
}

#[test]
fn every_coding_holds_the_plain_body() {
    let mut client = Client::connect(Server::shared().address);
    for target in TARGETS {
        let plain = client.ask("GET", target, ID);
        assert_eq!((plain.status, plain.header("content-encoding")), (200, ""), "{target}");
        for (accepted, coding) in ACCEPTED {
            let lines = format!("{ID}Accept-Encoding: {accepted}\r\n");
            let packed = client.ask("GET", target, &lines);
            assert_eq!(packed.header("content-encoding"), *coding, "{target}, {accepted}");
            assert_eq!(unpacked(&packed), plain.body, "{target}, {accepted}");
            for name in ["etag", "vary", "cache-control", "content-type", "link"] {
                assert_eq!(packed.header(name), plain.header(name), "{name} of {target}, {accepted}");
            }
            let mut head = client.ask("HEAD", target, &lines);
            head.headers.insert("date".to_owned(), packed.header("date").to_owned());
            assert_eq!((head.status, head.headers), (200, packed.headers), "{target}, {accepted}");
        }
    }
}

/// A long hostile list is read to its end or refused for its length; it never causes an internal error.
#[test]
fn no_list_is_an_error() {
    let mut client = Client::connect(Server::shared().address);
    for list in ["gzip,".repeat(2000), ",".repeat(8000), "*;q=0.".repeat(1000), "\"".repeat(4000)] {
        let response = client.ask("GET", COVERED, &format!("Accept-Encoding: {list}\r\n"));
        assert_eq!(response.status, 200);
        assert!(unpacked(&response).starts_with("{\"data\""));
    }
    for line in ["Accept-Encoding: zstd;q=0.1\r\n".repeat(90), "Accept-Encoding:\r\n".repeat(90)] {
        assert_eq!(client.ask("GET", COVERED, &line).status, 200);
    }
}

#[test]
fn problems_are_sent_as_they_are() {
    let mut client = Client::connect(Server::shared().address);
    for target in ["/v1/nothing", "/v1/places/county:99999", "/v1/jurisdictions/resolve"] {
        let response = client.ask("GET", target, "Accept-Encoding: gzip, zstd\r\n");
        assert_eq!((response.header("content-encoding"), response.header("vary")), ("", "Accept-Encoding"));
        assert_eq!(response.json()["status"], response.status);
    }
}
