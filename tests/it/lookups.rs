//! Tests addresses and facts that are looked up outside: the meaning of answers, and the effects of services that
//! misbehave.

mod answers; // how answers of services are read
mod cleaned; // no text of a service reaches an answer uncleaned
mod commands; // lookups on the command line, and a server's load while services hang
mod forgery; // callers cannot forge requests to services
mod load; // many lookups at one time
pub mod misbehaviour; // a service that misbehaves causes no more than a missing answer
mod negatives; // an empty reply of a service that has lost its data is not cached
pub mod outside; // a service on loopback that follows a script
mod over_http; // from a request to an answer, with limits and problems
mod parcels; // a provider of parcel data, cleared for some places

use std::sync::{Arc, LazyLock};

use platbook::{
    answers::{Answers, Found, Plan, Refusal, Request},
    geometry::LonLat,
};
use platbook_service::{
    edition::Edition,
    upstream::{Asker, Lookups, Services},
};
use serde_json::Value;

use crate::harness::edition;

/// The services, in the order in which these tests use them.
const SERVICES: [&str; 6] = ["geocoder", "flood", "wetlands", "soils", "elevation", "shoreland"];

/// Minneapolis City Hall. It lies in Minnesota, so shoreland is also looked up.
fn city_hall() -> LonLat {
    LonLat::from_lat_lon(44.9773, -93.2655).unwrap()
}

fn shared_edition() -> &'static Edition {
    static SHARED: LazyLock<Edition> = LazyLock::new(edition);
    &SHARED
}

/// The [`Answers`] of the edition that all tests of lookups share.
fn answers() -> &'static Answers {
    shared_edition().answers()
}

/// Uses one service at this address, and no other service.
fn services(service: &str, url: &str) -> Services {
    let at = |name: &str| if name == service { format!("{name}={url}") } else { format!("{name}=off") };
    let addresses: Vec<_> = SERVICES.iter().map(|name| at(name).parse().unwrap()).collect();
    Services::new(&addresses, None, None).unwrap()
}

fn lookups(service: &str, url: &str) -> Lookups {
    Lookups::of(Arc::new(services(service, url)))
}

/// The outcome of an address or a fact, as a client sees it: a word, its text, and the whole answer.
#[derive(Debug)]
struct Outcome {
    word: String,
    said: String,
    json: Value,
}

/// Looks up what the service is for.
async fn outcome(lookups: &Lookups, service: &str) -> Outcome {
    let request = match service {
        "geocoder" => Request::ResolveAddress { address: "1 Main St, Oak, MN".to_owned() },
        _ => Request::Screening { point: city_hall() },
    };
    let Plan::Needs(lookup) = shared_edition().answers().plan(&request) else { panic!("it is looked up") };
    let found = lookups.run(answers(), lookup, || Ok(Asker::Operator)).await;
    match found.and_then(|found| answered(&request, found)) {
        Ok(json) if service == "geocoder" => {
            let said = json["data"]["match"]["matched_address"].as_str().unwrap().to_owned();
            Outcome { word: "found".to_owned(), said, json }
        }
        Ok(mut json) => {
            let fact = json["data"]["facts"][service].take();
            let text = |name: &str| fact[name].as_str().unwrap_or_default().to_owned();
            Outcome {
                word: text("status"),
                said: format!("{} {}", text("summary"), text("detail")),
                json: fact,
            }
        }
        Err(refusal) => refused(&refusal),
    }
}

/// The answer as JSON.
fn answered(request: &Request, found: Found) -> Result<Value, Refusal> {
    let edition = shared_edition();
    let answer = edition.answers().finish(request, found)?;
    let body = edition.encode(&answer).fill("a-request").into_contiguous();
    Ok(serde_json::from_slice(&body).unwrap())
}

fn refused(refusal: &Refusal) -> Outcome {
    let labels: Vec<&str> = refusal.choices.iter().map(|choice| choice.label.as_str()).collect();
    let (word, said) = match refusal.kind.slug() {
        "address-not-found" => ("not_found", refusal.detail.clone()),
        "ambiguous" => ("several", labels.join(" | ")),
        "upstream-unavailable" => ("unavailable", refusal.detail.clone()),
        other => (other, refusal.detail.clone()),
    };
    let json = serde_json::json!({ "retry_after_s": refusal.retry_after_s });
    Outcome { word: word.to_owned(), said, json }
}
