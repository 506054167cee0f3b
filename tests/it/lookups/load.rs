use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use platbook::{
    answers::{AddressAnswer, Lookup, Spot},
    geometry::LonLat,
    upstream::Desk,
    vocabulary::FactKey,
};

use super::{
    answers, desk,
    outside::{Act, Outside},
};

const FOUND: &str = r#"{"result":{"addressMatches":[{"coordinates":{"x":-93.2655,"y":44.9773},"matchedAddress":"1 MAIN ST"}]}}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_equal_lookups_are_one_call() {
    let outside = Outside::start(|_| Act::json(FOUND)).await;
    let (desk, counted) = (desk("geocoder", &outside.url()), AtomicU32::new(0));
    let admit = || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let lookups = (0..1_000).map(|_| desk.ask(answers(), Lookup::Address("1 Main St".to_owned()), admit));
    for found in join_all(lookups).await {
        assert!(matches!(found.unwrap().address, AddressAnswer::One(_)));
    }
    assert_eq!((outside.calls().len(), counted.load(Ordering::Relaxed)), (1, 1));
}

/// A service that is asked by many at once has a few calls at one time, and when it fails time after time, none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_is_asked_politely() {
    let hanging = Outside::start(|_| Act::Hang).await;
    ask_about_many(&desk("elevation", &hanging.url())).await;
    let at_once = hanging.calls().len();
    assert!((1..=16).contains(&at_once), "{at_once} calls at one time");
    let failing = Outside::start(|_| Act::answer(404, "text/plain", "gone")).await;
    ask_about_many(&desk("elevation", &failing.url())).await;
    let asked = failing.calls().len();
    assert!((5..=21).contains(&asked), "{asked} calls before it is left alone");
}

async fn ask_about_many(desk: &Desk) {
    let lookups = (0..200).map(|at| {
        let point = LonLat::from_lat_lon(44.0 + f64::from(at) / 1_000.0, -93.2655).unwrap();
        let spot = Spot { point, county: "county:27053".parse().unwrap() };
        desk.ask(answers(), Lookup::Facts { spot, keys: [FactKey::Elevation].into_iter().collect() }, || {
            Ok(())
        })
    });
    for found in join_all(lookups).await {
        assert!(found.unwrap().facts.elevation.unwrap().retry_after_s.is_some());
    }
}

/// What a service says too late for who asked is there for the next.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_answer_is_kept() {
    let outside = Outside::start(|_| {
        // For less than anyone is patient. Who waits on the same thread goes to another, else their time does not pass.
        tokio::task::block_in_place(|| std::thread::sleep(Duration::from_millis(1_200)));
        Act::json(FOUND)
    })
    .await;
    let desk = Arc::new(desk("geocoder", &outside.url()).with_deadline(Duration::from_millis(300)));
    let ask = || desk.ask(answers(), Lookup::Address("1 Main St".to_owned()), || Ok(()));
    assert!(matches!(ask().await.unwrap().address, AddressAnswer::Unavailable(_)));
    let found = loop {
        match ask().await {
            Ok(found) => break found,
            Err(refusal) => assert_eq!(refusal.kind.slug(), "busy"),
        }
    };
    assert!(matches!(found.address, AddressAnswer::One(_)));
    assert_eq!(outside.calls().len(), 1);
}
