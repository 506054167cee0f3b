use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time;

use super::{
    lookups, outcome,
    outside::{Act, Outside},
};

const NO_FEATURE: &str = "{\"features\":[],\"count\":0}";
const NO_ADDRESS: &str = "{\"result\":{\"addressMatches\":[]}}";
const REFUSED: &str = "{\"errors\":[\"Address cannot be empty\"],\"status\":\"400\"}";
const ESRI_ERROR: &str = "{\"error\":{\"code\":500,\"message\":\"Error\"},\"features\":[]}";

/// A failing service, the status and body of its reply, then the expected word of the answer during the failure and
/// after it.
const TROUBLES: [(&str, u16, &str, &str, &str); 16] = [
    ("geocoder", 200, NO_ADDRESS, "unavailable", "found"),
    ("geocoder", 400, REFUSED, "unavailable", "found"),
    ("geocoder", 400, "{}", "unavailable", "found"),
    ("geocoder", 403, "<html>", "unavailable", "found"),
    ("geocoder", 404, NO_ADDRESS, "unavailable", "found"),
    ("geocoder", 429, NO_ADDRESS, "unavailable", "found"),
    ("geocoder", 500, NO_ADDRESS, "unavailable", "found"),
    ("geocoder", 200, "<html>", "unavailable", "found"),
    ("flood", 200, NO_FEATURE, "unknown", "sfha"),
    ("flood", 404, NO_FEATURE, "unknown", "sfha"),
    ("wetlands", 200, NO_FEATURE, "unknown", "yes"),
    ("wetlands", 200, ESRI_ERROR, "unknown", "yes"),
    ("soils", 200, "{}", "unknown", "ok"),
    ("soils", 400, "{}", "unknown", "ok"),
    ("shoreland", 200, NO_FEATURE, "unknown", "likely"),
    ("shoreland", 206, NO_FEATURE, "unknown", "likely"),
];

/// Moves the clock on between calls, so that cached answers age.
async fn pass(seconds: u64) {
    time::pause();
    time::advance(Duration::from_secs(seconds)).await;
    time::resume();
}

#[tokio::test]
async fn what_a_service_with_trouble_says_is_kept_half_a_minute() {
    for (service, status, body, troubled, expected) in TROUBLES {
        let is_good = Arc::new(AtomicBool::new(false));
        let mode = Arc::clone(&is_good);
        let outside = Outside::start(move |call| {
            if mode.load(Ordering::Relaxed) {
                Act::right(call)
            } else {
                Act::answer(status, "text/html", body)
            }
        })
        .await;
        let lookups = lookups(service, &outside.url());
        let name = format!("{service}, {status} {body}");
        assert_eq!(outcome(&lookups, service).await.word, troubled, "{name}");
        is_good.store(true, Ordering::Relaxed);
        let calls = outside.calls().len();
        assert_eq!(outcome(&lookups, service).await.word, troubled, "{name}: kept for a moment");
        assert_eq!(outside.calls().len(), calls, "{name}: the service is spared");
        pass(31).await;
        assert_eq!(outcome(&lookups, service).await.word, expected, "{name}: the trouble is over");
    }
}

/// Sends this reply to the control question, and an empty one to all other questions.
async fn with_nothing(service: &'static str, control: Act) -> Outside {
    let nothing = match service {
        "geocoder" => NO_ADDRESS,
        "soils" => "{}",
        _ => NO_FEATURE,
    };
    Outside::start(move |call| match (call.is_control(), &control) {
        (false, _) => Act::json(nothing),
        (true, Act::Hang) => Act::answer(503, "text/html", "<html>"),
        (true, _) => Act::right(call),
    })
    .await
}

#[tokio::test]
async fn nothing_of_a_service_that_has_its_data_is_kept_as_long_as_all() {
    for (service, word, kept_s) in [
        ("geocoder", "not_found", 86_400),
        ("flood", "unmapped", 21_600),
        ("soils", "none", 21_600),
        ("shoreland", "no", 21_600),
    ] {
        let outside = with_nothing(service, Act::Send(Vec::new())).await;
        let lookups = lookups(service, &outside.url());
        assert_eq!(outcome(&lookups, service).await.word, word, "{service}");
        let calls = outside.calls().len();
        pass(kept_s - 60).await;
        assert_eq!(outcome(&lookups, service).await.word, word, "{service}");
        assert_eq!((outside.calls().len(), outside.controls()), (calls, 1), "{service}: it is kept");
        pass(61).await;
        assert_eq!(outcome(&lookups, service).await.word, word, "{service}");
        assert_eq!((outside.calls().len(), outside.controls()), (2 * calls, 2), "{service}: asked anew");
    }
}

#[tokio::test]
async fn nothing_that_could_not_be_confirmed_is_kept_two_minutes() {
    for (service, word) in [("geocoder", "not_found"), ("soils", "none"), ("shoreland", "no")] {
        let outside = with_nothing(service, Act::Hang).await;
        let lookups = lookups(service, &outside.url());
        assert_eq!(outcome(&lookups, service).await.word, word, "{service}");
        let calls = outside.calls().len();
        pass(110).await;
        outcome(&lookups, service).await;
        assert_eq!(outside.calls().len(), calls, "{service}: it is kept");
        pass(11).await;
        outcome(&lookups, service).await;
        assert_eq!(outside.calls().len(), 2 * calls, "{service}: asked anew");
    }
}
