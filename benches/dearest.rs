//! The slowest requests for pages, to the API and to `/mcp`, answered in this process without a connection.
//!
//! Each request is answered cold (empty caches) and warm (the second answer with the default caches). A future is
//! polled by hand to measure the longest poll: for that time the request keeps an answering thread from all others.
//! Work on other threads counts in the total time only. `PLATBOOK_BENCH_SNAPSHOT` names another snapshot.

use std::{
    collections::BTreeSet,
    future::Future,
    path::Path,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request};
use platbook::{
    answers::{Budget, Form, Parameter, RawParameters},
    directory::{Directory, Row},
    snapshot::Snapshot,
    vocabulary::{Layer, ProblemKind, StateCode, Topic},
};
use platbook_service::{
    edition::Edition,
    http::Service,
    mcp::{McpDoor, TOOLS},
    operations::{OPERATIONS, Operation, PREFIX},
    pages::Pages,
};
use serde_json::{Map, Value, json};
use url::form_urlencoded;

const SITE: &str = "https://platbook.example";

/// Number of the slowest requests, which are printed.
const SLOWEST: usize = 10;

/// Step of the sample, which has every 40th town, city and resource, and all of the largest places.
const STEP: usize = 40;

/// Number of the largest cities by population; each is asked about in every way.
const LARGEST: usize = 100;

/// Maximum time for which a request should keep an answering thread.
const AIM: Duration = Duration::from_millis(5);

/// A request that takes longer than this is repeated [`AGAIN`] times, and the fastest counts. Other work of
/// the machine makes one in a thousand requests slow.
const DOUBT: Duration = Duration::from_millis(2);
const AGAIN: usize = 4;

/// A request: its kind, and its path or the body of its message to `/mcp`.
struct Ask {
    kind: &'static str,
    target: String,
    message: Option<Value>,
}

/// The cost of a request: its path, time and bytes.
struct Took {
    kind: &'static str,
    name: String,
    longest_poll: Duration,
    whole: Duration,
    bytes: usize,
    status: u16,
}

/// Measures each poll of a future.
struct Timed<F> {
    future: F,
    longest: Duration,
}

impl<F: Future + Unpin> Future for Timed<F> {
    type Output = (F::Output, Duration);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let start = Instant::now();
        let polled = Pin::new(&mut self.future).poll(context);
        self.longest = self.longest.max(start.elapsed());
        polled.map(|output| (output, self.longest))
    }
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (cold, warm) = (service(Budget::of_mib(0)), service(Budget::default()));
    let asks = asks(&opened());
    println!("{} requests", asks.len());
    let mut first: Vec<Took> = asks.iter().map(|ask| runtime.block_on(quickest(&cold, ask))).collect();
    report("cold", &mut first);
    let mut again: Vec<Took> = asks
        .iter()
        .map(|ask| {
            runtime.block_on(took(&warm, ask));
            runtime.block_on(quickest(&warm, ask))
        })
        .collect();
    report("warm, the second time", &mut again);
}

fn opened() -> Directory {
    let snapshot = match std::env::var_os("PLATBOOK_BENCH_SNAPSHOT") {
        Some(path) => Snapshot::open(Path::new(&path)),
        None => platbook_service::shipping::built_in(),
    };
    let directory = Directory::new(snapshot.expect("a snapshot to measure"));
    directory.warm();
    directory.warm_catalogue();
    directory
}

fn service(budget: Budget) -> Service {
    let edition = Edition::within(budget, opened(), SITE);
    Service::new(edition).with_door(Box::new(McpDoor)).with_door(Box::new(Pages::within(budget)))
}

async fn quickest(service: &Service, ask: &Ask) -> Took {
    let mut best = took(service, ask).await;
    for _ in 0..AGAIN {
        if best.whole < DOUBT {
            break;
        }
        let another = took(service, ask).await;
        best.longest_poll = best.longest_poll.min(another.longest_poll);
        best.whole = best.whole.min(another.whole);
    }
    best
}

async fn took(service: &Service, ask: &Ask) -> Took {
    let mut request = Request::builder().uri(&ask.target).header("host", "platbook.example");
    let mut body = Bytes::new();
    request = match &ask.message {
        Some(message) => {
            body = message.to_string().into();
            let accepted = "application/json, text/event-stream";
            request.method(Method::POST).header("content-type", "application/json").header("accept", accepted)
        }
        // Accepts gzip, to measure its cost. Browsers prefer zstd, which costs less.
        None => request.header("accept", "text/html, application/json").header("accept-encoding", "gzip"),
    };
    let request = request.body(Full::new(body)).expect("a request");
    let start = Instant::now();
    let answering = pin!(service.respond_in_process(request));
    let (response, longest_poll) = Timed { future: answering, longest: Duration::ZERO }.await;
    let whole = start.elapsed();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.map_or(0, |body| body.to_bytes().len());
    let name = ask.message.as_ref().map_or_else(|| ask.target.clone(), Value::to_string);
    Took { kind: ask.kind, name, longest_poll, whole, bytes, status }
}

fn report(title: &str, all: &mut [Took]) {
    let beyond = all.iter().filter(|took| took.longest_poll > AIM).count();
    println!("\n{title}: {beyond} keep a thread longer than {} ms", AIM.as_millis());
    println!("{:>9} {:>9} {:>10}  the slowest with jobs on other threads", "ms a poll", "ms whole", "bytes");
    all.sort_by_key(|took| std::cmp::Reverse(took.whole));
    all.iter().take(SLOWEST).for_each(line);
    println!("  the slowest on a thread that answers");
    all.sort_by_key(|took| std::cmp::Reverse(took.longest_poll));
    all.iter().take(SLOWEST).for_each(line);
    println!("  the slowest of each kind, and how many");
    let kinds: BTreeSet<&str> = all.iter().map(|took| took.kind).collect();
    for kind in kinds {
        let of_kind = || all.iter().filter(|took| took.kind == kind);
        if let Some(slowest) = of_kind().next() {
            print!("{kind:12} {:6}", of_kind().count());
            line(slowest);
        }
    }
}

fn line(took: &Took) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (poll, whole) = (ms(took.longest_poll), ms(took.whole));
    println!("{poll:9.2} {whole:9.2} {:10}  {} {:.110}", took.bytes, took.status, took.name);
}

fn get(kind: &'static str, target: impl Into<String>) -> Ask {
    Ask { kind, target: target.into(), message: None }
}

fn asks(directory: &Directory) -> Vec<Ask> {
    let mut asks = fixed();
    asks.extend(operations(directory));
    asks.extend(hostile());
    asks.extend(messages());
    for state in StateCode::all() {
        let usps = state.usps();
        asks.push(get("state", format!("/states/{usps}")));
        asks.push(get("outline", format!("/boundaries/state:{:02}.geojson", state.fips())));
        asks.push(get("place", format!("/v1/places/state:{:02}?limit=100", state.fips())));
        asks.extend(
            Topic::all().map(|topic| get("guide", format!("/guides/{}?state={usps}", topic.as_str()))),
        );
    }
    for row in directory.rows_of(Layer::County) {
        of_place(&mut asks, directory, row);
    }
    for (number, row) in some(directory).into_iter().enumerate() {
        of_place(&mut asks, directory, row);
        of_largest(&mut asks, directory, row);
        // Each place is asked about in many ways, so a sample of the places is enough.
        if number < LARGEST / 2 {
            of_every_operation(&mut asks, directory, row, number);
        }
    }
    for (number, row) in directory.rows_of(Layer::State).enumerate() {
        of_every_operation(&mut asks, directory, row, number);
    }
    for number in (0..directory.resource_count()).step_by(STEP) {
        let id = directory.resource(number).map(|view| view.id.text("res_").to_string());
        asks.extend(id.map(|id| get("resource", format!("/resources/{id}"))));
    }
    asks
}

/// The largest places, and a sample of the others.
fn some(directory: &Directory) -> Vec<Row> {
    let mut rows: Vec<Row> =
        directory.rows_of(Layer::Place).chain(directory.rows_of(Layer::Cousub)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(directory.population_of(*row)));
    let others = rows.split_off(LARGEST.min(rows.len()));
    rows.extend(others.into_iter().step_by(STEP));
    rows
}

fn of_place(asks: &mut Vec<Ask>, directory: &Directory, row: Row) {
    let id = directory.id_of(row);
    asks.push(get("page", format!("/places/{id}")));
    asks.push(get("outline", format!("/boundaries/{id}.geojson")));
    asks.push(get("place", format!("/v1/places/{id}?limit=100")));
    asks.push(get("click", format!("/at?map={id},640,400")));
    asks.push(get("guide", format!("/topics/parcel_map?place={id}")));
}

fn of_largest(asks: &mut Vec<Ask>, directory: &Directory, row: Row) {
    let Some(bbox) = directory.extent(row) else { return };
    let lat = f64::midpoint(bbox.min.lat_degrees(), bbox.max.lat_degrees());
    let lon = f64::midpoint(bbox.min.lon_degrees(), bbox.max.lon_degrees());
    asks.push(get("point", format!("/at/{lat:.5},{lon:.5}")));
    asks.push(get("resolve", format!("/v1/jurisdictions/resolve?lat={lat:.5}&lon={lon:.5}")));
}

/// The values that requests about a place contain.
struct About {
    /// The number of the place in the sample, which chooses the topic and the words, so that each of them is used.
    number: usize,
    lat: f64,
    lon: f64,
    id: String,
    state: &'static str,
    topic: &'static str,
    text: String,
}

impl About {
    /// Returns a value for a parameter; `None` if only the service can make such a value.
    fn value(&self, parameter: &Parameter) -> Option<Value> {
        Some(match parameter.form {
            Form::Degrees { max } => (if max > 90.0 { self.lon } else { self.lat }).into(),
            Form::Whole { max, .. } => max.into(),
            Form::Id => self.id.as_str().into(),
            Form::State => self.state.into(),
            Form::Topic => self.topic.into(),
            Form::Text => self.text.as_str().into(),
            Form::Day => "2019-05-01".into(),
            Form::Word(words) => words[self.number % words.len()].into(),
            Form::Opaque => return None,
        })
    }
}

/// Adds requests about a place: each operation and each tool, in each way that its parser accepts. The parameters
/// come from the tables of operations and tools, so new ones need no change here.
fn of_every_operation(asks: &mut Vec<Ask>, directory: &Directory, row: Row, number: usize) {
    let (Some(bbox), place) = (directory.extent(row), directory.jurisdiction(row)) else { return };
    let state = place.state.map_or("DC", StateCode::usps);
    let address = format!("100 Main St, {}, {state}", place.name);
    for text in [place.name.to_owned(), address] {
        let about = About {
            number,
            lat: f64::midpoint(bbox.min.lat_degrees(), bbox.max.lat_degrees()),
            lon: f64::midpoint(bbox.min.lon_degrees(), bbox.max.lon_degrees()),
            id: directory.id_of(row).to_string(),
            state,
            topic: Topic::all().nth(number % Topic::all().count()).expect("a topic").as_str(),
            text,
        };
        for operation in OPERATIONS {
            let parameters: Vec<&Parameter> = operation.parameters.iter().collect();
            let given = choices(&parameters, &about);
            asks.extend(given.iter().filter_map(|given| accepted(operation, given)));
        }
        for tool in &TOOLS {
            let parameters: Vec<&Parameter> = tool.parameters().collect();
            asks.extend(choices(&parameters, &about).into_iter().map(|given| {
                let arguments: Map<String, Value> =
                    given.into_iter().map(|(parameter, value)| (parameter.name.to_owned(), value)).collect();
                call(tool.name, &arguments.into())
            }));
        }
    }
}

type Given<'p> = Vec<(&'p Parameter, Value)>;

/// Lists each selection of the parameters, with their values. Numbers, such as the length of a list, are always
/// given, and a latitude only with a longitude.
fn choices<'p>(parameters: &[&'p Parameter], about: &About) -> Vec<Given<'p>> {
    let values: Given<'_> =
        parameters.iter().filter_map(|parameter| Some((*parameter, about.value(parameter)?))).collect();
    let chosen = |mask: usize| -> Given<'p> {
        let is_chosen = |at: usize| mask >> at & 1 == 1;
        values.iter().enumerate().filter(|(at, _)| is_chosen(*at)).map(|(_, one)| one.clone()).collect()
    };
    let is_sensible = |given: &Given<'_>| {
        let count = |is: fn(Form) -> bool, all: &Given<'_>| all.iter().filter(|one| is(one.0.form)).count();
        let numbers: fn(Form) -> bool = |form| matches!(form, Form::Whole { .. });
        let degrees: fn(Form) -> bool = |form| matches!(form, Form::Degrees { .. });
        count(numbers, given) == count(numbers, &values) && count(degrees, given) != 1
    };
    (0..1 << values.len()).map(chosen).filter(is_sensible).collect()
}

/// Returns a request for an operation; `None` if the operation's parser rejects these parameters.
fn accepted(operation: &'static Operation, given: &Given<'_>) -> Option<Ask> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut query = form_urlencoded::Serializer::new(String::new());
    let mut path = operation.path.to_owned();
    for (parameter, value) in given {
        if parameter.in_path {
            path = path.replace(&format!("{{{}}}", parameter.name), &text(value));
        } else {
            query.append_pair(parameter.name, &text(value));
        }
    }
    let query = query.finish();
    let mut raw = RawParameters::from_query(operation.parameters, &query).ok()?;
    if let Some((_, value)) = given.iter().find(|(parameter, _)| parameter.in_path) {
        raw = raw.with_segment(value.as_str()?).ok()?;
    }
    (operation.parse)(&raw).ok()?;
    Some(get("operation", format!("{PREFIX}{path}?{query}")))
}

/// Pages and documents that are not about a place.
fn fixed() -> Vec<Ask> {
    let alone =
        ["/", "/states", "/topics", "/guides", "/problems", "/data", "/docs", "/about", "/robots.txt"];
    let mut asks: Vec<Ask> = alone.into_iter().map(|path| get("alone", path)).collect();
    asks.extend(["/openapi.json", "/v1/openapi.json"].map(|path| get("document", path)));
    asks.push(get("sitemap", "/sitemap.xml"));
    asks.extend((0..20).map(|part| get("sitemap", format!("/sitemaps/{part}.xml"))));
    asks.extend((1..12).map(|part| get("sources", format!("/data/{part}"))));
    asks.extend(ProblemKind::all().map(|kind| get("alone", format!("/problems/{}", kind.slug()))));
    for topic in Topic::all().map(Topic::as_str) {
        asks.push(get("guide", format!("/topics/{topic}")));
        asks.push(get("guide", format!("/guides/{topic}")));
    }
    asks
}

fn operations(directory: &Directory) -> Vec<Ask> {
    let mut asks: Vec<Ask> =
        OPERATIONS.iter().map(|operation| get("operation", format!("/v1{}", operation.example))).collect();
    for topic in Topic::all().map(Topic::as_str) {
        asks.push(get(
            "resources",
            format!("/v1/resources?jurisdiction_id=country:us&topic={topic}&limit=100"),
        ));
        for row in directory.rows_of(Layer::State) {
            let id = directory.id_of(row);
            asks.push(get(
                "resources",
                format!("/v1/resources?jurisdiction_id={id}&topic={topic}&limit=100"),
            ));
        }
    }
    asks
}

/// Texts that are slow to search for: see benches/search.rs.
fn hostile() -> Vec<Ask> {
    let words = [
        "saint",
        "san",
        "new",
        "lake",
        "county",
        "wshington",
        "sprngfield",
        "mineapolis",
        "%E9%80",
        "a",
        "\u{301}",
    ];
    let mut asks = Vec::new();
    for word in words {
        for times in [1, 4, 200] {
            let text: String = std::iter::repeat_n(word, times).collect::<Vec<_>>().join("+");
            let text: String = text.chars().take(200).collect();
            let text = text.replace('\u{301}', "%CC%81");
            for path in [
                "/v1/search?limit=50&q=",
                "/suggest?q=",
                "/?q=",
                "/?address=",
                "/v1/jurisdictions/resolve?place=",
            ] {
                asks.push(get("text", format!("{path}{text}")));
            }
        }
    }
    let mixed = "sprngfield+wshingtn+mineaplis+philadelfia+jacksonvile+albuquerqe+milwakee+sacremento+cincinati+pitsburgh";
    asks.extend(["/v1/search?q=", "/suggest?q=", "/?q="].map(|path| get("text", format!("{path}{mixed}"))));
    asks
}

fn message(method: &str, params: &Value) -> Ask {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    Ask { kind: "mcp", target: "/mcp".to_owned(), message: Some(message) }
}

fn call(tool: &str, arguments: &Value) -> Ask {
    message("tools/call", &json!({ "name": tool, "arguments": arguments }))
}

fn messages() -> Vec<Ask> {
    let mut asks: Vec<Ask> =
        ["ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list"]
            .map(|method| message(method, &json!({})))
            .into();
    asks.push(get("mcp", "/mcp/server-card"));
    asks.push(message("resources/read", &json!({ "uri": "topics://all" })));
    for topic in Topic::all().map(Topic::as_str) {
        asks.push(message("resources/read", &json!({ "uri": format!("guide://{topic}/TX") })));
        asks.push(call("get_guide", &json!({ "topic": topic, "state": "NY" })));
        asks.push(call(
            "find_official_resource",
            &json!({ "topic": topic, "place": "Harris County", "state": "TX" }),
        ));
    }
    for state in StateCode::all() {
        let id = format!("state:{:02}", state.fips());
        asks.push(call("get_place_directory", &json!({ "jurisdiction_id": id, "detail": "full" })));
    }
    asks.push(call(
        "search_directory",
        &json!({ "q": "sprngfield wshingtn mineaplis philadelfia jacksonvile" }),
    ));
    asks
}
