//! Tests what all front ends rely on: slow lookups, request bodies, pages and a swap of the edition under load. Each
//! has a small front end of its own here.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use hyper::{Method, Response, header, http::HeaderValue};
use platbook::{
    answers::{Answer, Answers, Data, Found, Lookup, Request},
    words::{English, Units, Words as _},
};
use platbook_service::{
    edition::Edition,
    encode::BodyParts,
    http::{BodyFault, Call, Capacity, Door, Drained, Responding, Takes, whole},
    upstream::{FoundFuture, Lookups, Upstream},
};
use serde_json::Value;

use crate::harness::{COVERED, Client, SITE, Server, comes_true, edition, service};

/// A slow lookup. Many of them wait side by side, and the same two threads answer others meanwhile.
#[derive(Debug)]
struct Slow;

/// Number of clients that send requests while editions are swapped.
const CLIENTS: usize = 3;

const LOOKUP_TAKES: Duration = Duration::from_secs(3);

impl Upstream for Slow {
    fn find(&self, _: Lookup) -> FoundFuture<'_> {
        Box::pin(async {
            tokio::time::sleep(LOOKUP_TAKES).await;
            Found::default()
        })
    }
}

#[test]
fn slow_lookups_hold_no_thread_and_no_other_answer() {
    // The limit for idle connections is half a second; a connection with a longer lookup is not idle.
    let capacity = Capacity { idle_timeout: Duration::from_millis(500), ..Capacity::default() };
    let server = Server::start(service().with_lookups(Lookups::of(Arc::new(Slow))), capacity);
    let started = Instant::now();
    let mut waiting: Vec<Client> = (0..40)
        .map(|at| {
            let mut client = Client::connect(server.address);
            client.send(&format!("GET /v1/screening?lat=44.97&lon=-93.2{at:02} HTTP/1.1\r\nHost: x\r\n\r\n"));
            client
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(Client::connect(server.address).get(COVERED).status, 200);
    }
    let others_answered = started.elapsed();
    for client in &mut waiting {
        assert_eq!(client.receive(false).status, 200);
    }
    let all_answered = started.elapsed();
    assert!(others_answered < LOOKUP_TAKES, "others waited {others_answered:?}");
    assert!((LOOKUP_TAKES..2 * LOOKUP_TAKES).contains(&all_answered), "all took {all_answered:?}");
    drop(waiting);
    assert_eq!(server.stop(), Drained::Whole);
}

/// A protocol by POST with its own words, which uses the same values and limits as the operations.
#[derive(Debug)]
struct Protocol;

impl Door for Protocol {
    fn takes(&self, path: &str) -> Option<Takes> {
        let takes = Takes { methods: &[Method::POST], request_headers: "Content-Type", body_bytes_max: 64 };
        (path == "/protocol").then_some(takes)
    }

    fn respond<'a>(&'a self, mut call: Call<'a>) -> Responding<'a> {
        Box::pin(async move {
            call.admission.admit().await?;
            let text = match call.body {
                Ok(body) => {
                    let text = std::str::from_utf8(&body).unwrap_or_default();
                    let (lat, lon) = text.split_once(' ').unzip();
                    let point = platbook::answers::parse_point(lat, lon)?;
                    let answers = call.edition.answers();
                    let answer = answers.finish(&Request::Resolve { point }, Found::default())?;
                    platbook_service::text::render(answers, &English, &answer)
                }
                Err(BodyFault::TooLong { max }) => format!("at most {max} bytes"),
                Err(BodyFault::Broken) => "the body broke off".to_owned(),
            };
            let mut response = Response::new(whole(BodyParts::from(text)));
            let plain = HeaderValue::from_static("text/plain; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, plain);
            Ok(response)
        })
    }
}

#[test]
fn a_door_with_request_bodies_stands_beside_the_operations() {
    let server = Server::start(service().with_door(Box::new(Protocol)), Capacity::default());
    let mut client = Client::connect(server.address);
    let mut post = |body: &str| {
        let head = format!("POST /protocol HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", body.len());
        client.send(&(head + body));
        client.receive(false)
    };
    let answer = post("44.9773 -93.2655");
    assert!(answer.status == 200 && answer.body.starts_with("Minneapolis"), "{}", answer.body);
    assert_eq!(answer.header("connection"), "", "the connection goes on");
    assert_eq!(post(&"x".repeat(65)).body, "at most 64 bytes");
    let mut client = Client::connect(server.address);
    let refused = client.ask("GET", "/protocol", "");
    assert_eq!((refused.status, refused.header("allow")), (405, "POST, OPTIONS"));
    let preflight = client.ask(
        "OPTIONS",
        "/protocol",
        "Origin: https://x.example\r\nAccess-Control-Request-Method: POST\r\n",
    );
    assert_eq!(preflight.header("access-control-allow-methods"), "POST");
    assert_eq!(client.get(COVERED).status, 200, "operations are where they were");
    drop(client);
    assert_eq!(server.stop(), Drained::Whole);
}

/// A page about a place, made only from the values of the JSON.
fn page(answers: &Answers, answer: &Answer<'_>) -> String {
    let directory = answers.directory();
    let Data::Place(place) = &answer.data else { panic!("a place was asked for") };
    let name = |row| directory.jurisdiction(row).name;
    let rows = place.assignments.iter().map(|entry| {
        let outcome = &entry.outcome;
        let body = entry.body.map(name);
        (outcome.function, outcome.office.clone().unwrap_or_default(), body.unwrap_or("?"))
    });
    let page = maud::html! {
        h1 { (name(place.place)) }
        ol { @for row in &place.lineage { li { (name(*row)) } } }
        table {
            @for (function, office, body) in rows { tr { td { (function.as_str()) } td { (office) } td { (body) } } }
        }
        ul { @for resource in &place.resources { li { a href=(resource.url) { (resource.name) } } } }
        @for notice in &answer.notices { p { (English.notice(notice, directory, Units::Feet)) } }
    };
    page.into_string()
}

#[test]
fn a_page_is_made_from_the_values_of_an_answer() {
    let edition = edition();
    let id = "county:27053".parse().unwrap();
    let paging = platbook::answers::Paging { limit: 100, cursor: None };
    let answer = edition.answers().finish(&Request::Place { id, paging }, Found::default()).unwrap();
    let page = page(edition.answers(), &answer);
    let body = edition.encode(&answer).fill("a-request").into_contiguous();
    let json: Value = serde_json::from_slice(&body).unwrap();
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let mut texts = Vec::new();
    texts.extend(
        json["data"]["resources"].as_array().unwrap().iter().flat_map(|one| [&one["name"], &one["url"]]),
    );
    texts.extend(json["data"]["functions"].as_object().unwrap().values().map(|one| &one["office_name"]));
    texts.extend(json["notices"].as_array().unwrap());
    assert!(texts.len() > 20, "{} texts", texts.len());
    for text in texts.into_iter().filter_map(Value::as_str) {
        assert!(page.contains(&escaped(text)), "{text} is not on the page");
    }
}

/// The edition of the invented world, whose Adams County lies where the nation has another county.
fn invented_edition() -> Edition {
    Edition::new(platbook::testing::directory(), SITE)
}

/// Date, county and first source of an answer: they would disagree if an answer were made from two snapshots.
fn origin(answer: &Value) -> [String; 3] {
    let texts =
        [&answer["as_of"], &answer["data"]["jurisdictions"][1]["name"], &answer["sources"][0]["name"]];
    texts.map(|text| text.as_str().unwrap().to_owned())
}

#[test]
fn editions_are_swapped_under_load_and_no_answer_is_mixed() {
    const TARGET: &str = "/v1/jurisdictions/resolve?lat=45.08&lon=-93.95";
    let service = Arc::new(service());
    let server = Server::start_shared(Arc::clone(&service), Capacity::default());
    let origin_now = || origin(&Client::connect(server.address).get(TARGET).json());
    let nation = origin_now();
    drop(service.edition().swap(invented_edition()));
    let invented = origin_now();
    assert!(nation.iter().zip(&invented).all(|(one, other)| one != other), "{nation:?} {invented:?}");
    let (stop, asked, have_both) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut client = Client::connect(server.address);
                let mut seen = BTreeSet::new();
                while !stop.load(Ordering::Relaxed) {
                    let origin = origin(&client.get(TARGET).json());
                    assert!(origin == nation || origin == invented, "{origin:?}");
                    if seen.insert(origin) && seen.len() == 2 {
                        have_both.fetch_add(1, Ordering::Relaxed);
                    }
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let is_enough =
            || have_both.load(Ordering::Relaxed) == CLIENTS && asked.load(Ordering::Relaxed) > 100;
        let mut swaps = 0;
        let were_enough = comes_true(|| {
            service.edition().swap(if swaps % 2 == 0 { edition() } else { invented_edition() });
            swaps += 1;
            swaps >= 40 && is_enough()
        });
        stop.store(true, Ordering::Relaxed);
        assert!(were_enough, "both editions were served to all");
    });
    assert_eq!(server.stop(), Drained::Whole);
}
