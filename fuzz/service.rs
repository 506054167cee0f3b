//! Fuzz targets for the readers of the service. Each accepts any bytes, and panics if an invariant is violated.

use std::{
    io::Cursor,
    net::IpAddr,
    sync::{Arc, LazyLock},
};

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use platbook::{
    answers::{Answers, Found, Plan, RawParameters, Reading, Subject},
    directory::Directory,
    geocoder,
    snapshot::{Snapshot, reseal, section_ranges},
    testing,
    words::English,
};
use platbook_service::{
    cli::BatchInMemory,
    edition::Edition,
    http::limits::Proxies,
    mcp,
    operations::OPERATIONS,
    text,
    upstream::{self, Lookups},
};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

static EDITION: LazyLock<Edition> =
    LazyLock::new(|| Edition::new(testing::directory(), "https://platbook.example"));

static ANSWERS: LazyLock<Arc<Answers>> = LazyLock::new(|| Arc::new(Answers::new(testing::directory())));

/// Opens a snapshot file: it must be refused, or answer every question.
pub fn snapshot(bytes: &[u8]) {
    let Ok(snapshot) = Snapshot::copy(bytes) else { return };
    let directory = Directory::new(snapshot);
    for (x, y) in [(0.0, 0.0), (0.5, 0.5), (2.0, 2.0), (8.5, 9.5), (19.5, 2.0), (20.5, 7.0), (31.0, 7.0)] {
        let _ = directory.resolve(testing::point(x, y));
    }
    directory.rows().for_each(|row| drop(directory.jurisdiction(row)));
    let edition = Edition::new(directory, "https://platbook.example");
    QUESTIONS.iter().for_each(|question| ask(&edition, question));
}

/// Questions: the number of an operation, then its path segment and query.
pub const QUESTIONS: [&[u8]; 11] = [
    b"\0?lat=45.025&lon=-93.95",
    b"\0?place=Adams+County&state=MN",
    b"\0?address=350+S+5th+St,+Minneapolis",
    b"\x01?jurisdiction_id=county:27001&topic=zoning&limit=2&cursor=AAAA",
    b"\x02county:27001?limit=2&cursor=eyJhIjoxfQ",
    b"\x04zoning?state=MN",
    b"\x05?lat=45.025&lon=-93.95",
    b"\x06?q=adms+conty&state=MN&limit=3",
    b"\x07?q=zoning+45.025+N,+93.95+W",
    b"\x07?q=https://maps.example/place/@45.025,-93.95,17z/data=!3d45.025!4d-93.95",
    b"\x07?q=parcel+map+1+Main+St,+Rivertown+MN+55415",
];

static WORLD: LazyLock<Vec<u8>> = LazyLock::new(testing::snapshot);

/// Changes bytes of a valid snapshot. Each change takes five bytes: the section, three for the position, and the new
/// value. Checksums are recomputed, so a fault shows only in the contents.
pub fn crafted(slips: &[u8]) {
    let mut file = WORLD.clone();
    let sections = section_ranges(&file);
    for slip in slips.chunks_exact(5) {
        let section = sections[usize::from(slip[0]) % sections.len()].clone();
        let at = u32::from_le_bytes([slip[1], slip[2], slip[3], 0]) as usize % section.len();
        file[section][at] = slip[4];
    }
    reseal(&mut file);
    snapshot(&file);
}

/// Sends a question to an operation: its number, then path segment and query. A success must be JSON, and have a text.
pub fn request(bytes: &[u8]) {
    ask(&EDITION, bytes);
}

fn ask(edition: &Edition, bytes: &[u8]) {
    let Some((number, rest)) = bytes.split_first() else { return };
    let operation = &OPERATIONS[usize::from(*number) % OPERATIONS.len()];
    let Ok(asked) = std::str::from_utf8(rest) else { return };
    let (segment, query) = asked.split_once('?').unwrap_or(("", asked));
    let raw = RawParameters::from_query(operation.parameters, query);
    let Ok(raw) = raw.and_then(|raw| if segment.is_empty() { Ok(raw) } else { raw.with_segment(segment) })
    else {
        return;
    };
    let Ok(request) = (operation.parse)(&raw) else { return };
    let answers = edition.answers();
    let answer = match answers.plan(&request) {
        Plan::Done(answer) => answer,
        Plan::Needs(_) => answers.finish(&request, Found::default()),
    };
    if let Ok(answer) = answer {
        let body = edition.encode(&answer).fill("an-id-of-it").into_contiguous();
        let body: Value = serde_json::from_slice(&body).expect("an answer is JSON");
        assert_eq!(body["request_id"], "an-id-of-it");
        assert!(!text::render(answers, &English, &answer).is_empty());
    }
}

/// Reads lines of the headers that proxies write.
pub fn headers(bytes: &[u8]) {
    let mut headers = HeaderMap::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let name = ["x-forwarded-for", "forwarded"][number % 2];
        if let Ok(value) = HeaderValue::from_bytes(line) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
    let trusted = ["10.0.0.0/8", "::1/128"].map(|range| range.parse().expect("a range"));
    let peer: IpAddr = [10, 0, 0, 1].into();
    Proxies::new(trusted.into()).caller_address(peer, &headers);
}

/// Parses the text of an address.
pub fn address(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = geocoder::parse(text);
    }
}

/// Reads a free text, which may contain a point.
pub fn free_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Subject::Point(found) = Reading::new(text).subject {
        assert!(found.lat.is_finite() && found.lon.is_finite(), "{found:?}");
    }
}

/// Batches of points, one for each format. Their options are read once, because reading them takes longer than most
/// files.
static BATCHES: LazyLock<[(&str, BatchInMemory); 3]> = LazyLock::new(|| {
    ["csv", "jsonl", "geojson"].map(|format| {
        let options = ["--to", format, "--columns", "all", "--threads", "1"];
        (format, BatchInMemory::new(&options, &ANSWERS).expect("the options are right"))
    })
});

/// Resolves a file of points; the first byte chooses the format. The output must be complete in each format.
pub fn points(bytes: &[u8]) {
    let Some((number, file)) = bytes.split_first() else { return };
    let (format, batch) = &BATCHES[usize::from(*number) % BATCHES.len()];
    let Ok(written) = batch.resolve(file) else { return };
    match *format {
        "jsonl" => written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).for_each(|line| {
            let row: Value = serde_json::from_slice(line).expect("a row is JSON");
            assert!(row.is_object());
        }),
        "geojson" => {
            let collection: Value = serde_json::from_slice(&written).expect("a collection is JSON");
            assert!(collection["features"].is_array());
        }
        _ => assert!(written.ends_with(b"\n"), "the last row has its end"),
    }
}

/// Reads the response of an outside service; the first byte chooses its status.
pub fn replies(bytes: &[u8]) {
    let Some((number, body)) = bytes.split_first() else { return };
    upstream::read_reply([200, 200, 200, 204, 400, 500][usize::from(*number) % 6], body);
}

thread_local! {
    /// Made once, because making one for each execution takes longer than most messages.
    static RUNTIME: Runtime = Builder::new_current_thread().build().expect("a runtime");
}

/// Serves messages of language models, one per line, and returns the replies.
fn served(messages: &[u8]) -> Vec<u8> {
    let (mut input, mut output) = (Cursor::new(messages), Vec::new());
    let lookups = Lookups::closed();
    let served = mcp::serve_lines(&EDITION, &lookups, &mut input, &mut output);
    RUNTIME.with(|runtime| runtime.block_on(served)).expect("texts in memory can be read and written");
    output
}

/// Sends messages of language models, one per line: every reply must be JSON on its own line.
pub fn messages(bytes: &[u8]) {
    for line in served(bytes).split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let reply: Value = serde_json::from_slice(line).expect("a reply is JSON");
        assert!(reply.is_object() || reply.is_array());
    }
}

/// Sends one message. The reader must find the same id as a full parser. Quotes of the caller's words must be short and
/// readable.
pub fn message_body(bytes: &[u8]) {
    let line: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }).collect();
    let output = served(&line);
    let reply: Option<Value> =
        (!output.is_empty()).then(|| serde_json::from_slice(&output).expect("one reply, in JSON"));
    let error = reply.as_ref().map_or(&Value::Null, |reply| &reply["error"]);
    let message = error["message"].as_str().unwrap_or_default();
    let is_readable = |letter: char| !letter.is_control() && !('\u{202a}'..='\u{202e}').contains(&letter);
    assert!(message.chars().count() <= 1_001 && message.chars().all(is_readable), "{message}");
    assert!(error["data"].to_string().len() <= 2_000 && !error.to_string().contains("pbk_"), "{error}");
    let Ok(whole) = serde_json::from_slice::<Value>(&line) else { return };
    let is_request = whole["jsonrpc"] == "2.0" && whole["method"].is_string() && whole["id"].is_i64();
    if is_request && whole.get("params").is_none_or(Value::is_object) {
        let id = reply.as_ref().map(|reply| &reply["id"]);
        // Only messages that are nested too deeply are refused before their id is known.
        assert!(id == Some(&whole["id"]) || message.contains("nested deeper"), "{reply:?}");
    }
}
