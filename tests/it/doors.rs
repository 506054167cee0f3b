//! A sketch of each door that is to come, so that the house has room for it: slow lookups, a protocol with request bodies,
//! pages, a swap of the edition under load, and points in bulk.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use hyper::{Method, Response, header, http::HeaderValue};
use platbook::{
    answers::{Answer, Answers, Data, Found, Lookup, Request},
    directory::Directory,
    edition::Edition,
    encode::BodyParts,
    http::{BodyFault, Call, Capacity, Door, Drained, Responding, Takes, whole},
    snapshot::Snapshot,
    upstream::{Desk, Finding, Upstream},
};
use serde_json::Value;

use crate::harness::{COVERED, Client, SITE, Server, edition, service};

/// A lookup that takes its time. Many wait side by side, and meanwhile others are answered by the same two threads.
#[derive(Debug)]
struct Slow;

const LOOKUP_TAKES: Duration = Duration::from_secs(3);

impl Upstream for Slow {
    fn find(&self, _: Lookup) -> Finding<'_> {
        Box::pin(async {
            tokio::time::sleep(LOOKUP_TAKES).await;
            Found::default()
        })
    }
}

#[test]
fn slow_lookups_hold_no_thread_and_no_other_answer() {
    // A connection may be idle for half a second: one whose lookup takes longer is not idle.
    let capacity = Capacity { idle_timeout: Duration::from_millis(500), ..Capacity::default() };
    let server = Server::start(service().with_desk(Desk::of(Arc::new(Slow))), capacity);
    let started = Instant::now();
    let mut waiting: Vec<Client> = (0..40)
        .map(|at| {
            let mut client = Client::connect(server.address);
            client.send(&format!(
                "GET /v1/screening?lat=44.97&lon=-93.2{at:02} HTTP/1.1\r\nHost: x\r\n\r\n"
            ));
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

/// A protocol that is asked by POST and answers in its own words, from the same values and limits as the operations.
#[derive(Debug)]
struct Protocol;

impl Door for Protocol {
    fn takes(&self, path: &str) -> Option<Takes> {
        let takes = Takes { methods: &[Method::POST], request_headers: "Content-Type", body_bytes_max: 64 };
        (path == "/protocol").then_some(takes)
    }

    fn respond<'a>(&'a self, mut call: Call<'a>) -> Responding<'a> {
        Box::pin(async move {
            call.admission.admit()?;
            let text = match call.body {
                Ok(body) => {
                    let point = platbook::answers::parse_point(
                        std::str::from_utf8(&body).ok().and_then(|text| text.split_once(' ')).map(|pair| pair.0),
                        std::str::from_utf8(&body).ok().and_then(|text| text.split_once(' ')).map(|pair| pair.1),
                    )?;
                    let answers = call.edition.answers();
                    let answer = answers.finish(&Request::Resolve { point }, Found::default())?;
                    platbook::text::render(answers, &answer)
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

/// A page about a place, made from the same values as the JSON and from nothing else.
fn page(answers: &Answers, answer: &Answer<'_>) -> String {
    let directory = answers.directory();
    let Data::Place(place) = &answer.data else { panic!("a place was asked for") };
    let name = |row| directory.jurisdiction(row).name;
    let rows = place.assignments.iter().map(|assignment| {
        let outcome = &assignment.main.outcome;
        let body = outcome.body.as_ref().and_then(|id| directory.found(id)).map(name);
        (assignment.function, outcome.office.clone().unwrap_or_default(), body.unwrap_or("?"))
    });
    let page = maud::html! {
        h1 { (name(place.place)) }
        ol { @for row in &place.lineage { li { (name(*row)) } } }
        table {
            @for (function, office, body) in rows { tr { td { (function.as_str()) } td { (office) } td { (body) } } }
        }
        ul { @for resource in &place.resources { li { a href=(resource.url) { (resource.name) } } } }
        @for notice in &answer.notices { p { (notice.text(directory)) } }
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
    let said = ["name", "office_name", "url", "notices"];
    let mut texts = Vec::new();
    texts.extend(json["data"]["resources"].as_array().unwrap().iter().flat_map(|one| [&one["name"], &one["url"]]));
    texts.extend(json["data"]["functions"].as_object().unwrap().values().map(|one| &one["office_name"]));
    texts.extend(json["notices"].as_array().unwrap());
    assert!(texts.len() > 20, "{said:?}: {}", texts.len());
    for text in texts.into_iter().filter_map(Value::as_str) {
        assert!(page.contains(&escaped(text)), "{text} is not on the page");
    }
}

/// The same snapshot with another date: a new edition of it.
fn other_edition() -> Edition {
    let mut bytes = std::fs::read("snapshots/default.platbook").unwrap();
    let (old, new) = (edition().answers().directory().as_of()[..10].to_owned(), "2031-01-02");
    redate(&mut bytes, &old, new);
    Edition::new(Directory::new(Snapshot::from_bytes(&bytes).unwrap()), SITE)
}

#[test]
fn editions_are_swapped_under_load_and_no_answer_is_mixed() {
    let dates = [edition().answers().directory().as_of().to_owned(), other_edition().answers().directory().as_of().to_owned()];
    assert_ne!(dates[0], dates[1]);
    let service = Arc::new(service());
    let server = Server::start_shared(Arc::clone(&service), Capacity::default());
    let (stop, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (stop, asked, dates, address) = (&stop, &asked, &dates, server.address);
            scope.spawn(move || {
                let mut client = Client::connect(address);
                let mut seen = std::collections::BTreeSet::new();
                let mut at = thread;
                while !stop.load(Ordering::Relaxed) {
                    at += 1;
                    let target = format!("/v1/jurisdictions/resolve?lat=44.97{:02}&lon=-93.26", at % 90);
                    let answer = client.get(&target).json();
                    let date = answer["as_of"].as_str().unwrap().to_owned();
                    let expected = if date == dates[0] { NAME } else { OTHER_NAME };
                    assert_eq!(answer["data"]["jurisdictions"][0]["name"], expected, "of {date}");
                    seen.insert(date);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
                assert_eq!(seen.len(), 2, "both editions were served");
            });
        }
        for swap in 0..40 {
            std::thread::sleep(Duration::from_millis(20));
            service.edition().swap(if swap % 2 == 0 { other_edition() } else { edition() });
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(asked.load(Ordering::Relaxed) > 100);
    assert_eq!(server.stop(), Drained::Whole);
}
