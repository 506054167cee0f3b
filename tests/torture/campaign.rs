use std::{
    error::Error,
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Duration,
};

use platbook::snapshot::{Snapshot, reseal, section_ranges};
use platbook_service::operations::{OPERATIONS, PREFIX};
use tokio::{
    join,
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::spawn_blocking,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    attack::{Attack, Attackers, What},
    client::{Make, get, message, once},
    faults::wrong_key,
    load::{Load, load_of_new, statuses_text},
    loopback::{Act, Outside},
    machine::Span,
    outside::online,
    overload::lat_lon,
    row::{Outcome, Row, Setting, Tried, Verdict, needs},
    server::{Server, snapshot},
    sieges::{
        half_message, half_request, lookup, many_documents, many_keys, outline, state_page, tools_list,
    },
};

/// Minimum duration of a campaign: caches are full after some 100 s, and memory is judged in the second half.
const SHORTEST: Duration = Duration::from_secs(300);

/// The first part, without attackers, as a fraction of the campaign: one in five.
const CALM_PART: u32 = 5;

const BETWEEN_SWAPS: Duration = Duration::from_secs(10);
const BETWEEN_EDITS: Duration = Duration::from_secs(1);

/// Maximum growth of memory in the second half, in MiB a minute. A leak of this size grows by 480 MiB in eight hours;
/// a service without a leak varies by some 0.2.
const SLOPE_MAX: f64 = 1.0;

pub fn row() -> Row {
    Row {
        name: "campaign: all doors, swaps, key edits, lookups that hang, one attacker of each kind",
        aim: format!(
            "others: 0 x 5xx and all answered; each swap and key taken; memory within {SLOPE_MAX} MiB a minute"
        ),
        how: Box::new(|setting| Box::pin(campaign(setting))),
        only_when_named: true,
    }
}

/// A front end, and the requests a second that good clients send there.
struct Door {
    name: &'static str,
    rate: f64,
    make: Make,
    is_figures: bool,
}

const fn door(name: &'static str, rate: f64, make: Make) -> Door {
    Door { name, rate, make, is_figures: false }
}

/// Some 240 requests a second, a fifth of what one thread can answer.
static DOORS: &[Door] = &[
    // The requests come from the table of operations, so that a new operation is included.
    door("each operation", 10.0, |number| {
        get(&format!("{PREFIX}{}", OPERATIONS[number % OPERATIONS.len()].example))
    }),
    door("resolve", 50.0, |number| {
        let (lat, lon) = lat_lon(number);
        get(&format!("/v1/jurisdictions/resolve?lat={lat:.4}&lon={lon:.4}"))
    }),
    door("resolve by name", 5.0, |number| {
        get(&format!(
            "/v1/jurisdictions/resolve?place={}&state=MN",
            ["Duluth", "Ely", "St.+Paul"][number % 3]
        ))
    }),
    door("search", 20.0, |number| {
        get(&format!(
            "/v1/search?q={}+{}",
            ["Spring", "Clinton", "Frankln", "Union"][number % 4],
            number % 997
        ))
    }),
    door("places", 15.0, |number| get(&format!("/v1/places/county:27{:03}", 1 + number % 85 * 2))),
    door("resources", 15.0, |number| {
        let (lat, lon) = lat_lon(number);
        get(&format!("/v1/resources?lat={lat:.4}&lon={lon:.4}&topic=zoning"))
    }),
    door("topics and guides", 5.0, |number| get(["/v1/topics", "/v1/guides/zoning?state=MN"][number % 2])),
    door("screening", 5.0, |number| {
        let (lat, lon) = lat_lon(number);
        get(&format!("/v1/screening?lat={lat:.4}&lon={lon:.4}"))
    }),
    door("with a key", 1.0, |_| {
        let key = KEY.get().map_or("", String::as_str);
        format!("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n").into()
    }),
    door("pages of points", 20.0, |number| {
        let (lat, lon) = lat_lon(number);
        get(&format!("/at/{lat:.3},{lon:.3}"))
    }),
    door("pages of places", 10.0, |number| get(&format!("/places/county:27{:03}", 1 + number % 85 * 2))),
    door("other pages", 10.0, |number| {
        get(["/", "/states", "/states/VT", "/guides/zoning", "/topics/deeds", "/data", "/about", "/docs"]
            [number % 8])
    }),
    door("outlines", 5.0, |number| get(&format!("/boundaries/county:27{:03}.geojson", 1 + number % 85 * 2))),
    door("suggestions", 20.0, |number| {
        get(&format!("/suggest?q={}", ["min", "st", "spr", "new+y"][number % 4]))
    }),
    door("MCP tools", 20.0, tool),
    door("MCP protocol", 5.0, |number| match number % 2 {
        0 => tools_list(),
        _ => message(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#,
        ),
    }),
    door("documents", 5.0, |number| {
        get(["/openapi.json", "/robots.txt", "/sitemap.xml", "/problems/busy"][number % 4])
    }),
    door("probes", 5.0, |number| get(["/healthz", "/readyz"][number % 2])),
    Door { name: "figures", rate: 1.0, make: |_| get("/metrics"), is_figures: true },
];

/// The key of the front end with keys, which is never revoked.
static KEY: OnceLock<String> = OnceLock::new();

fn tool(number: usize) -> Vec<u8> {
    let (lat, lon) = lat_lon(number);
    let point = format!(r#""lat":{lat:.4},"lon":{lon:.4}"#);
    let (name, arguments) = match number % 7 {
        0 => ("resolve_jurisdiction", point),
        1 => ("find_official_resource", format!(r#"{point},"topic":"zoning""#)),
        2 => ("get_place_directory", r#""jurisdiction_id":"county:27053""#.to_owned()),
        3 => ("search_directory", format!(r#""q":"Spring {}""#, number % 997)),
        4 => ("get_guide", r#""topic":"zoning","state":"MN""#.to_owned()),
        5 => ("screen_location", point),
        _ => ("get_property_facts", point),
    };
    message(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{{{arguments}}}}}}}"#
    ))
}

/// One attacker of each kind. Attackers that no limit stops send 50 requests a second each; rows of the table have
/// attackers that send as many as they can.
fn attackers() -> Vec<Attack> {
    let asks = |make: Make, pause_ms| Attack {
        connections: 1,
        addresses: 1,
        what: What::Ask(make, Duration::from_millis(pause_ms)),
    };
    let slow = |connections, what| Attack { connections, addresses: 1, what };
    vec![
        asks(|_| outline(), 2_000),
        asks(state_page, 2_000),
        asks(|_| get("/sitemaps/1.xml"), 2_000),
        asks(|_| tools_list(), 20),
        asks(|_| many_keys(), 20),
        asks(|_| get("/openapi.json"), 20),
        asks(|_| wrong_key(), 100),
        asks(
            |_| {
                b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n".into()
            },
            100,
        ),
        asks(lookup, 6_000),
        slow(1_000, What::hold_again(Vec::new)),
        slow(1_000, What::hold_again(half_request)),
        slow(1_000, What::hold_again(half_message)),
        slow(100, What::read_nothing(many_documents)),
    ]
}

async fn campaign(setting: &Setting) -> Outcome {
    let folder = tempfile::tempdir()?;
    let files = Files::new(folder.path())?;
    let geocoder = Outside::start(|_| Act::Hang).await;
    let key = add_key(&setting.binary, &files.keys)?;
    KEY.get_or_init(|| key);
    let lookups = online(&geocoder.url());
    let mut options: Vec<&str> = lookups.iter().map(String::as_str).collect();
    let (live, keys) = (files.live.to_string_lossy(), files.keys.to_string_lossy());
    options.extend(["--snapshot", &live, "--keys", &keys, "--metrics-listen", "127.0.0.1:0"]);
    let mut server = Server::start_online(setting, &options).await?;
    let mut said = std::mem::replace(&mut server.said, unbounded_channel().1);
    let figures = server.figures.ok_or("no address of figures")?;
    let time = setting.time.max(SHORTEST);
    let (calm_time, attack_time) = (time / CALM_PART, time - time / CALM_PART);
    let span = Span::begin(server.processor_s());
    let begin = Instant::now();
    let beside = async {
        let calm = doors(server.address, figures, 0, calm_time).await;
        let attackers = Attackers::start(&attackers(), server.address, 0)?;
        let beside = doors(server.address, figures, 1_000_000, attack_time).await;
        std::io::Result::Ok((calm, beside, attackers.statuses()))
    };
    let (loads, swaps, edits, memory) = join!(
        beside,
        swaps(&server, &files, &mut said, begin + time),
        edits(&setting.binary, &files.keys, begin + time),
        memory(&server, begin + time),
    );
    let ((calm, beside, attackers), left) = (loads?, span.left(server.processor_s()));
    let (swapped, served) = swaps?;
    let last_key = last_key_works(setting, &server, &files.keys).await?;
    show(&calm, &beside);
    let (calm, beside) = (total(calm), total(beside));
    let slope = slope_a_minute(&memory[memory.len() / 2..]);
    let result = format!(
        "{} requests: {} (calm: {}); p99 {:.1} ms (calm: {:.1}); attackers: {}; {served} of {swapped} swaps served, {} key edits, the \
         last taken: {last_key}; memory {:.0} MiB, at most {:.0}, {slope:+.2} MiB a minute",
        calm.offered() + beside.offered(),
        statuses_text(&beside.statuses),
        statuses_text(&calm.statuses),
        beside.p99_ms(),
        calm.p99_ms(),
        statuses_text(&attackers),
        edits?,
        memory.last().copied().unwrap_or(f64::NAN),
        memory.iter().copied().fold(0.0, f64::max),
    );
    let part = |load: &Load| (load.not_served(), load.offered());
    let served_all = Verdict::of_refusals(part(&beside), part(&calm), left);
    let verdict = served_all.max(Verdict::of(slope <= SLOPE_MAX && served == swapped && last_key));
    let needs = if verdict == Verdict::Busy { needs(time, left) } else { String::new() };
    Ok(Tried { result: result + &needs, verdict, again: false })
}

/// Measures good clients at each front end for a time.
async fn doors(service: SocketAddr, figures: SocketAddr, from: usize, time: Duration) -> Vec<Load> {
    let loads = DOORS.iter().map(|door| {
        let to = if door.is_figures { figures } else { service };
        tokio::spawn(load_of_new(to, door.make, from, door.rate, time))
    });
    let mut done = Vec::new();
    for load in loads.collect::<Vec<_>>() {
        done.push(load.await.unwrap_or_default());
    }
    done
}

fn total(loads: Vec<Load>) -> Load {
    let mut total = Load::default();
    loads.into_iter().for_each(|load| total.append(load));
    total
}

/// Prints a table of front ends.
fn show(calm: &[Load], beside: &[Load]) {
    println!("\n| door | calm | p99 ms | beside attackers | p99 ms |\n|---|---|---|---|---|");
    for ((door, calm), beside) in DOORS.iter().zip(calm).zip(beside) {
        println!(
            "| {} | {} | {:.1} | {} | {:.1} |",
            door.name,
            statuses_text(&calm.statuses),
            calm.p99_ms(),
            statuses_text(&beside.statuses),
            beside.p99_ms()
        );
    }
    println!();
}

/// Two snapshots that differ in their date, the path of the served one, and the file of keys.
struct Files {
    two: [PathBuf; 2],
    live: PathBuf,
    keys: PathBuf,
}

impl Files {
    fn new(folder: &Path) -> Result<Files, Box<dyn Error>> {
        let two = ["a", "b"].map(|name| folder.join(name).with_extension("platbook"));
        let as_of = Snapshot::open(&snapshot())?.meta().as_of.to_string();
        let mut bytes = fs::read(snapshot())?;
        fs::write(&two[0], &bytes)?;
        let meta = section_ranges(&bytes).into_iter().next().ok_or("a snapshot without sections")?;
        let at = bytes[meta.clone()].windows(as_of.len()).position(|text| text == as_of.as_bytes());
        // The last digit of the date's seconds: "T00:00:00Z" becomes "T00:00:01Z".
        let second = meta.start + at.ok_or("a snapshot without its date")? + as_of.len() - 2;
        bytes[second] = if bytes[second] == b'0' { b'1' } else { b'0' };
        reseal(&mut bytes);
        fs::write(&two[1], &bytes)?;
        let live = folder.join("live.platbook");
        fs::copy(&two[0], &live)?;
        Ok(Files { two, live, keys: folder.join("keys.json") })
    }

    /// Replaces the served snapshot safely: the new one gets its name only when it is complete.
    fn swap(&self, number: usize) -> std::io::Result<()> {
        let beside = self.live.with_extension("new");
        fs::copy(&self.two[number % 2], &beside)?;
        fs::rename(beside, &self.live)
    }
}

/// Swaps the snapshot again and again. Returns the number of swaps, and the number of swaps whose snapshot was served
/// before the next swap.
async fn swaps(
    server: &Server,
    files: &Files,
    said: &mut UnboundedReceiver<String>,
    until: Instant,
) -> std::io::Result<(usize, usize)> {
    let (mut swapped, mut served, mut due) = (0, 0, Instant::now() + BETWEEN_SWAPS);
    while due + BETWEEN_SWAPS < until {
        sleep_until(due).await;
        while said.try_recv().is_ok() {}
        swapped += 1;
        files.swap(swapped)?;
        let _ = server.signal("HUP");
        let is_served = async {
            while let Some(line) = said.recv().await {
                if line.contains("now serving") {
                    return true;
                }
            }
            false
        };
        served += usize::from(timeout(BETWEEN_SWAPS, is_served).await == Ok(true));
        due += BETWEEN_SWAPS;
    }
    Ok((swapped, served))
}

/// Adds a key now and then; returns the number of added keys.
async fn edits(binary: &str, keys: &Path, until: Instant) -> Result<usize, String> {
    let (mut added, mut due) = (0, Instant::now());
    while due < until {
        sleep_until(due).await;
        let (binary, keys) = (binary.to_owned(), keys.to_owned());
        let add = spawn_blocking(move || add_key(&binary, &keys).map_err(|error| error.to_string()));
        add.await.map_err(|error| error.to_string())??;
        added += 1;
        due += BETWEEN_EDITS;
    }
    Ok(added)
}

fn add_key(binary: &str, keys: &Path) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new(binary);
    let output = command.args(["keys", "add", "--class", "standard", "--keys"]).arg(keys).output()?;
    let key = String::from_utf8(output.stdout)?.trim().to_owned();
    if key.is_empty() { Err(String::from_utf8_lossy(&output.stderr).into()) } else { Ok(key) }
}

/// Whether a new key works within the 2 s that the service may need to see it.
async fn last_key_works(setting: &Setting, server: &Server, keys: &Path) -> Result<bool, Box<dyn Error>> {
    let key = add_key(&setting.binary, keys)?;
    let request = format!("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n");
    sleep_until(Instant::now() + Duration::from_secs(2)).await;
    Ok(once(server.address, request.as_bytes()).await?.status == 200)
}

/// Measures the memory of the service each second, in MiB.
async fn memory(server: &Server, until: Instant) -> Vec<f64> {
    let (mut seen, mut due) = (Vec::new(), Instant::now());
    while due < until {
        sleep_until(due).await;
        seen.push(server.own_mib());
        due += Duration::from_secs(1);
    }
    seen
}

/// The slope per minute of the least-squares line through values that were measured each second.
fn slope_a_minute(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let (mean_at, mean) = ((count - 1.0) / 2.0, values.iter().sum::<f64>() / count);
    let (mut above, mut below) = (0.0, 0.0);
    for (at, value) in values.iter().enumerate() {
        let from_mean = at as f64 - mean_at;
        above += from_mean * (value - mean);
        below += from_mean * from_mean;
    }
    60.0 * above / below
}
