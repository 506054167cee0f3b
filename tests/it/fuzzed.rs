//! Runs the targets of `fuzz/` on bytes that are nearly valid.

#[path = "../../fuzz/mutate.rs"]
mod mutate;
#[path = "../../fuzz/service.rs"]
mod service;

use mutate::slips;

const PIECES: &[&str] = &["%", "%00", "%C3", "&", "=", "é", "\u{202e}", "1e999", "-", ":", "\0", "'", " "];

#[test]
fn damaged_snapshots_are_refused() {
    let whole = platbook::testing::snapshot();
    service::snapshot(&whole);
    slips(&[&whole], &["\0", "platbook"], 300, service::snapshot);
}

#[test]
fn a_file_with_wrong_contents_is_refused_or_answers() {
    // The coverage names a source that is not there.
    service::crafted(&[0, 172, 66, 166, 205, 190, 10, 156, 56, 0, 155, 60, 129, 125, 255]);
    let mut random = fastrand::Rng::with_seed(4711);
    let seeds: Vec<[u8; 8]> = (0..1_000).map(|_| random.u64(..).to_le_bytes()).collect();
    let seeds: Vec<&[u8]> = seeds.iter().map(<[u8; 8]>::as_slice).collect();
    slips(&seeds, &["\0", "\u{1}"], 3_000, service::crafted);
}

#[test]
fn every_request_is_answered_or_refused() {
    slips(&service::QUESTIONS, PIECES, 5_000, service::request);
}

#[test]
fn every_header_is_read_or_left() {
    let seeds: [&[u8]; 3] = [
        b"203.0.113.9, 10.0.0.2",
        b"\nfor=\"[2001:db8::1]:80\";proto=https, for=10.0.0.2",
        b"unknown, ::ffff:192.0.2.1\nfor=_hidden;by=x",
    ];
    slips(&seeds, &[",", ";", "\"", "for=", "[", "]", "::", "\\"], 5_000, service::headers);
}

#[test]
fn every_text_of_an_address_is_read_or_refused() {
    let seeds: [&[u8]; 4] = [
        b"350 S 5th St, Minneapolis, MN 55415",
        b"N6W23001 Bluemound Rd",
        b"12 1/2 Avenue of the Americas",
        "1 Calle Añasco".as_bytes(),
    ];
    slips(&seeds, PIECES, 10_000, service::address);
}

#[test]
fn every_free_text_has_a_reading() {
    let seeds: [&[u8]; 5] = [
        "44°58'38.28\"N 93°15'55.8\"W".as_bytes(),
        b"zoning lat 44.9773 lon -93.2655",
        b"https://maps.example/?mlat=44.9773&mlon=-93.2655#map=16/44.9773/-93.2655",
        b"geo:44.9773,-93.2655;u=35?q=350+S+5th+St",
        b"property appraiser 33139-1234",
    ];
    let pieces = ["-", ",", "~", "!3d", "!4d", "q=", "N", "′", "1e999", "%", "%C2%B0", "/", "#map="];
    slips(&seeds, &pieces, 10_000, service::free_text);
}

#[test]
fn every_message_has_a_reply_in_json_or_none() {
    let seeds: [&[u8]; 4] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
        br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"resolve_jurisdiction","arguments":{"lat":45.025,"lon":-93.95}}}"#,
        br#"{"jsonrpc":"2.0","id":"x","method":"tools/list"}"#,
        b"[1,2]\n{}\nnull\n",
    ];
    slips(&seeds, &["{", "}", "[", "\"", "null", "\\ud800", "1e999", "\n"], 1_000, service::messages);
}

#[test]
fn every_file_of_points_is_written_whole_or_refused() {
    let seeds: [&[u8]; 6] = [
        b"\0lat,lon,c,c,c_2\n45.025,-93.95,a,b\n45.025,-93.95,a,b,c,d\n",
        b"\x01lat,lon,,c,C\n45.025,-93.95,\"a \"\"b\"\",\nc\",\"open\n0,0,1,2,3\n",
        b"\x02\xef\xbb\xbfid;Latitude;LNG\r\n1;45.025;-93.95\r\n\r\n2;x;y\r\n",
        b"\x01y\tx\r45.025\t-93.95\r",
        b"\x02\xff\xfel\0a\0t\0,\0l\0o\0n\0\n\0",
        b"\0error,lat,lon,county,platbook_county\n,45.025,-93.95,,\n",
    ];
    slips(
        &seeds,
        &["\"", ",", "\n", "\r", "\"\"", ";", "\0", "c", "\x1f\u{8b}", "lat"],
        2_000,
        service::points,
    );
}

#[test]
fn every_reply_of_a_service_is_read_or_refused() {
    let table: toml::Table = toml::from_str(include_str!("../upstream/answers.toml")).unwrap();
    let cases = table["case"].as_array().unwrap();
    let bodies =
        cases.iter().filter_map(|case| case.get("replies")?.as_table()).flat_map(|replies| replies.values());
    let seeds: Vec<Vec<u8>> =
        bodies.map(|body| format!("\0{}", body.as_str().unwrap()).into_bytes()).collect();
    let seeds: Vec<&[u8]> = seeds.iter().map(Vec::as_slice).collect();
    let pieces = ["null", "[", "{", "-1e999", "\"\"", "true", "1e15", "\\u0000", "[[]]", ","];
    slips(&seeds, &pieces, 20_000, service::replies);
}

#[test]
fn every_body_of_a_message_is_read_as_a_whole_reading_finds_it() {
    let seeds: [&[u8]; 6] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[1,{"b":null}],"_meta":{"c":1}}}"#,
        br#"{"id":-2,"params":{"name":"get_guide","arguments":{"topic":"zoning"}},"method":"tools/call","jsonrpc":"2.0"}"#,
        br#"{"jsonrpc":"2.0","id":3,"m\u0065thod":"resources/read","params":{"uri":"guide://pbk_x/MN"},"x":"y"}"#,
        br#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"a":{}}}}}"#,
        br#"{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"who_to_ask","arguments":{"question":"q","place":"p"}}}"#,
        br#"{"jsonrpc":"2.0","id":6,"method":"no\u202e\u001b pbk_abc","error":{},"id":7}"#,
    ];
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        ":",
        "null",
        "\\ud800",
        "\\u0000",
        "1e999",
        "\"id\":8,",
        "\"params\":{},",
        "\u{feff}",
    ];
    slips(&seeds, &pieces, 3_000, service::message_body);
}
