use std::{error::Error, net::SocketAddr, time::Duration};

use tokio::time::Instant;

use crate::{
    client::{get, message, once},
    loopback::{Act, Call, Outside},
    row,
    row::{Outcome, Row, Setting, Tried, Verdict},
    server::Server,
};

pub fn rows() -> Vec<Row> {
    let start = |name, act: fn(&Call) -> Act| row!(name, "listens and answers within 1 s", first_start, act);
    vec![
        start("a first start: the mirror sends a byte at a time", |_| {
            Act::Drip(b"HTTP/1.1 200 OK\r\nContent-Length: 59444872\r\n\r\nplatbook".repeat(100))
        }),
        start("a first start: the mirror says nothing", |_| Act::Hang),
        start("a first start: the mirror leads in a circle", |call| {
            let target = call.target().split('?').next().unwrap_or_default();
            let line = format!("Location: {target}?{}", call.head.len());
            Act::Send(
                format!("HTTP/1.1 302 X\r\n{line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into(),
            )
        }),
        row!(
            "text of a hostile geocoder",
            "at most 16 KiB more than of a good one, no control or direction characters",
            hostile_texts
        ),
    ]
}

/// Options of a service that looks up addresses here, and nothing elsewhere.
pub fn online(url: &str) -> Vec<String> {
    let off = ["flood", "wetlands", "soils", "elevation", "shoreland"].map(|name| format!("{name}=off"));
    let services = std::iter::once(format!("geocoder={url}")).chain(off);
    services.flat_map(|service| ["--service".to_owned(), service]).collect()
}

/// A server with an empty folder listens at once, whatever its mirror does.
async fn first_start(setting: &Setting, act: fn(&Call) -> Act) -> Outcome {
    const AIM: Duration = Duration::from_secs(1);
    let mirror = Outside::start(act).await;
    let folder = tempfile::tempdir()?;
    let folder = folder.path().to_str().ok_or("a path in UTF-8")?;
    let url = format!("{}/us.platbook", mirror.url());
    let begin = Instant::now();
    let args = ["--offline", "--limits", "off", "--snapshot-url", &url, "--snapshot-dir", folder];
    let server = match Server::listening(setting, &args).await {
        Ok(server) => server,
        Err(error) => return Ok(Tried::new(error.to_string(), false)),
    };
    let status = once(server.address, &get("/v1/topics")).await?.status;
    let took = begin.elapsed();
    let result = format!("{status} after {:.2} s", took.as_secs_f64());
    let is_in_time = took <= AIM;
    let verdict = Verdict::of(is_in_time && status == 200);
    Ok(Tried { result, verdict, again: status == 200 })
}

/// The geocoder's reply, chosen by a word in the street.
fn geocoder(call: &Call) -> Act {
    const ODD: &str = "</title><b>\\r\\nX-Evil: 1\\u0000\\u001b[31m\\u202e\\u2028\\u0085";
    let place = |text: &str, number: usize| {
        let lon = -93.2655 + number as f64 / 10.0;
        format!(r#"{{"matchedAddress":"{text}","coordinates":{{"x":{lon},"y":44.9773}}}}"#)
    };
    let choices = |count: usize, text: fn(usize) -> String| {
        let choices: Vec<String> = (0..count).map(|number| place(&text(number), number % 12)).collect();
        choices.join(",")
    };
    let target = call.target();
    let matches = match HOSTILE.into_iter().find(|word| target.contains(word)) {
        Some("LONG") => place(&"A".repeat(900_000), 0),
        Some("ODD") => place(ODD, 0),
        Some("CHOICES") => choices(12, |number| format!("{number} {}", "B".repeat(60_000))),
        Some("ODDER") => choices(12, |number| format!("{number} {ODD}")),
        Some("MANY") => choices(13_000, |number| number.to_string()),
        _ => place("350 S 5TH ST, MINNEAPOLIS, MN, 55415", 0),
    };
    Act::json(&format!(r#"{{"result":{{"addressMatches":[{matches}]}}}}"#))
}

/// The order matters: `ODDER` must be found before `ODD`.
const HOSTILE: [&str; 5] = ["LONG", "CHOICES", "ODDER", "ODD", "MANY"];

/// Maximum number of bytes by which a text may exceed that of a good geocoder: ten choices of some hundred
/// characters, twice.
const LONGER_MAX: usize = 16 << 10;

/// Maximum processor time of one lookup, in seconds: reading 1 MB of JSON takes some 10 ms.
const LOOKUP_MAX_S: f64 = 0.1;

async fn hostile_texts(setting: &Setting) -> Outcome {
    let service = Outside::start(geocoder).await;
    let options = online(&service.url());
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let server = Server::start_online(setting, &[&options, &["--limits", "off"][..]].concat()).await?;
    let good = texts(server.address, "GOOD").await?;
    let mut faults = Vec::new();
    for word in HOSTILE {
        let before = server.processor_s();
        let texts = texts(server.address, word).await?;
        let took_s = server.processor_s() - before;
        for ((door, text), (_, good)) in texts.iter().zip(&good) {
            if text.len() > good.len() + LONGER_MAX {
                faults.push(format!("{word}, {door}: {} KB", text.len() / 1_000));
            }
            if let Some(odd) = odd_character(text) {
                faults.push(format!("{word}, {door}: {odd}"));
            }
        }
        if took_s > LOOKUP_MAX_S {
            faults.push(format!("{word}: {took_s:.2} s of a processor"));
        }
    }
    let count = faults.len();
    let result = if count == 0 { "all bounded and clean".to_owned() } else { faults.join("; ") };
    Ok(Tried::new(result, count == 0))
}

/// The answers of all front ends for an address with this word.
async fn texts(to: SocketAddr, word: &str) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let address = format!("1 {word} ST, MINNEAPOLIS, MN");
    let query = address.replace(' ', "+");
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"resolve_jurisdiction","arguments":{{"address":"{address}"}}}}}}"#
    );
    let requests = [
        ("REST", get(&format!("/v1/jurisdictions/resolve?address={query}"))),
        ("page", get(&format!("/?address={query}"))),
        ("MCP", message(&call)),
    ];
    let mut texts = Vec::new();
    for (door, request) in requests {
        let answer = once(to, &request).await?;
        texts.push((door, String::from_utf8_lossy(&answer.body).into_owned()));
    }
    Ok(texts)
}

/// A control or direction character in a text, or its escape in JSON; `None` in a clean text.
fn odd_character(text: &str) -> Option<String> {
    let is_odd = |char: char| {
        char.is_control() && !"\n\r\t".contains(char)
            || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(odd) = text.chars().find(|char| is_odd(*char)) {
        return Some(format!("{odd:?}"));
    }
    let escapes = ["\\u0000", "\\u001b", "\\u202e", "\\u0085", "\\r\\nX-Evil"];
    escapes.into_iter().find(|escape| text.contains(escape)).map(str::to_owned)
}
