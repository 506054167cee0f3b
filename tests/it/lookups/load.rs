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
    facts::{FactKey, Said},
    geometry::LonLat,
};
use platbook_service::upstream::{Asker, Lookups};

use super::{
    answers, lookups,
    outside::{Act, Outside},
};

const FOUND: &str = r#"{"result":{"addressMatches":[{"coordinates":{"x":-93.2655,"y":44.9773},"matchedAddress":"1 MAIN ST"}]}}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_equal_lookups_are_one_call() {
    let outside = Outside::start(|_| Act::json(FOUND)).await;
    let (lookups, counted) = (lookups("geocoder", &outside.url()), AtomicU32::new(0));
    let admit = || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(Asker::Operator)
    };
    let lookups = (0..1_000).map(|_| lookups.run(answers(), Lookup::Address("1 Main St".to_owned()), admit));
    for found in join_all(lookups).await {
        assert!(matches!(found.unwrap().address, AddressAnswer::One(_)));
    }
    assert_eq!((outside.calls().len(), counted.load(Ordering::Relaxed)), (1, 1));
}

/// A service gets only a few concurrent calls, and no calls at all after repeated failures.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_is_asked_politely() {
    let hanging = Outside::start(|_| Act::Hang).await;
    ask_about_many(&lookups("elevation", &hanging.url())).await;
    let at_once = hanging.calls().len();
    assert!((1..=16).contains(&at_once), "{at_once} calls at one time");
    let failing = Outside::start(|_| Act::answer(404, "text/plain", "gone")).await;
    ask_about_many(&lookups("elevation", &failing.url())).await;
    let asked = failing.calls().len();
    assert!((5..=21).contains(&asked), "{asked} calls before it is left alone");
}

async fn ask_about_many(lookups: &Lookups) {
    let lookups = (0..200).map(|at| {
        let point = LonLat::from_lat_lon(44.0 + f64::from(at) / 1_000.0, -93.2655).unwrap();
        let spot = Spot { point, county: "county:27053".parse().unwrap() };
        lookups.run(
            answers(),
            Lookup::Facts { spot, keys: [FactKey::Elevation].into_iter().collect() },
            || Ok(Asker::Operator),
        )
    });
    for found in join_all(lookups).await {
        let facts = found.unwrap().facts;
        let said = &facts.get(FactKey::Elevation).unwrap().said;
        assert!(matches!(said, Said::NotChecked { .. }), "{said:?}");
    }
}

/// Questions that make a service fail, such as texts that its firewall rejects, do not affect other questions. Before the
/// service is paused, its control question is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_that_fail_do_not_shut_a_service_for_others() {
    for is_sound in [true, false] {
        let outside = Outside::start(move |call| {
            let is_refused = call.target().contains("EVIL") || (call.is_control() && !is_sound);
            if is_refused { Act::answer(403, "text/html", "<html>") } else { Act::json(FOUND) }
        })
        .await;
        let lookups = lookups("geocoder", &outside.url());
        let ask = |text: String| lookups.run(answers(), Lookup::Address(text), || Ok(Asker::Operator));
        for at in 0..20 {
            let found = ask(format!("{at} Evil St")).await.unwrap();
            assert!(matches!(found.address, AddressAnswer::Unavailable(_)), "{found:?}");
        }
        let found = ask("1 Main St".to_owned()).await.unwrap();
        assert_eq!(matches!(found.address, AddressAnswer::One(_)), is_sound, "{found:?}");
        assert_eq!(outside.controls(), 1, "asked once in a while");
    }
}

/// An answer that comes too late for its caller is cached for the next.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_answer_is_kept() {
    let outside = Outside::start(|_| {
        // The sleep is shorter than any deadline. `block_in_place` moves other tasks to another thread, so that they
        // continue meanwhile.
        tokio::task::block_in_place(|| std::thread::sleep(Duration::from_millis(1_200)));
        Act::json(FOUND)
    })
    .await;
    let lookups = Arc::new(lookups("geocoder", &outside.url()).with_deadline(Duration::from_millis(300)));
    let ask = || lookups.run(answers(), Lookup::Address("1 Main St".to_owned()), || Ok(Asker::Operator));
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
