use std::sync::Mutex;

use platbook::answers::{Answers, Plan, Refusal, Request};
use platbook_service::{
    http::{
        Capacity,
        limits::{Proxies, RateLimiter, Table},
    },
    operations::{COMMON_PROBLEMS, OPERATIONS, PREFIX},
    wire::help_with,
};
use serde_json::json;

use crate::harness::{Client, Server, service};

/// The refusal that answers every request.
static REFUSAL: Mutex<Option<Refusal>> = Mutex::new(None);

fn refuse<'a>(_: &'a Answers, _: &Request) -> Plan<'a> {
    Plan::Done(Err(REFUSAL.lock().unwrap().clone().unwrap()))
}

/// Tests each problem of each operation, even problems that are hard to provoke. The client checks each response
/// against the document.
#[test]
fn every_operation_answers_with_each_of_its_problems() {
    let trusted = vec!["127.0.0.0/8".parse().unwrap()];
    let limiter = RateLimiter::limited(Table::new(), None, Proxies::new(trusted));
    let server = Server::start(service().with_planner(refuse).with_limiter(limiter), Capacity::default());
    let mut client = Client::connect(server.address);
    for (at, operation) in OPERATIONS.iter().enumerate() {
        for kind in COMMON_PROBLEMS.iter().chain(operation.problems) {
            let refusal = Refusal { retry_after_s: Some(7), ..Refusal::new(*kind, help_with(*kind).detail) };
            *REFUSAL.lock().unwrap() = Some(refusal);
            let lines = format!("X-Forwarded-For: 198.51.100.{at}\r\n");
            let response = client.ask("GET", &format!("{PREFIX}{}", operation.example), &lines);
            let asked = format!("{} of {}", kind.slug(), operation.id);
            assert_eq!(response.status, operation.status_of(*kind), "{asked}");
            assert_eq!(response.header("cache-control"), "no-store", "{asked}");
            let problem = response.json();
            assert_eq!(problem["type"], format!("/problems/{}", kind.slug()));
            assert_eq!(
                (&problem["title"], &problem["detail"]),
                (&json!(kind.title()), &json!(help_with(*kind).detail))
            );
            let wait = response.headers.get("retry-after").map(String::as_str);
            // A 429 may state the waiting time of the limiter instead; any other refusal states its own 7 s.
            let expected = if response.status == 429 { wait.is_some() } else { wait == Some("7") };
            assert!(expected, "{asked}: {wait:?}");
        }
    }
    drop(client);
    server.stop();
}
