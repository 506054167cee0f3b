use std::sync::atomic::{AtomicU32, Ordering};

use tokio::time::sleep;

use super::*;
use crate::{geometry::LonLat, vocabulary::ProblemKind};

/// Answers after a while with how often it was asked.
#[derive(Debug, Default)]
struct Slow {
    takes: Duration,
    lifetime_s: Option<u32>,
    asked: AtomicU32,
}

impl Upstream for Slow {
    fn find(&self, _: Lookup) -> Finding<'_> {
        Box::pin(async {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
            sleep(self.takes).await;
            let address = AddressAnswer::Unavailable(asked.to_string());
            Found { address, lifetime_s: self.lifetime_s, ..Found::default() }
        })
    }
}

fn address(text: &str) -> Lookup {
    Lookup::Address(text.to_owned())
}

fn said(found: &Found) -> &str {
    match &found.address {
        AddressAnswer::Unavailable(text) => text,
        other => panic!("{other:?}"),
    }
}

fn desk(takes: Duration, lifetime_s: Option<u32>) -> Desk {
    Desk::of(Arc::new(Slow { takes, lifetime_s, ..Slow::default() }))
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_where_nobody_is_there() {
    let counted = || panic!("nothing is counted");
    assert_eq!(Desk::closed().ask(address("x"), counted).await.unwrap(), Found::default());
}

#[tokio::test(start_paused = true)]
async fn equal_lookups_wait_for_one_answer_and_one_is_counted() {
    let (desk, counted) = (desk(Duration::from_secs(3), None), AtomicU32::new(0));
    let admit = || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let begin = Instant::now();
    let asked = tokio::join!(
        desk.ask(address("x"), admit),
        desk.ask(address("x"), admit),
        desk.ask(address("y"), admit)
    );
    assert_eq!(begin.elapsed().as_secs(), 3, "they wait side by side");
    let (first, second, other) = (asked.0.unwrap(), asked.1.unwrap(), asked.2.unwrap());
    assert_eq!((said(&first), said(&second), said(&other)), ("1", "1", "2"));
    assert_eq!(said(&desk.ask(address("x"), admit).await.unwrap()), "1", "it is known");
    assert_eq!(counted.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn findings_are_kept_as_long_as_they_say() {
    for (lifetime_s, waited_s, expected) in
        [(None, 3_599, "1"), (None, 3_601, "2"), (Some(5), 4, "1"), (Some(5), 6, "2"), (Some(0), 0, "2")]
    {
        let desk = desk(Duration::ZERO, lifetime_s);
        desk.ask(address("x"), || Ok(())).await.unwrap();
        sleep(Duration::from_secs(waited_s)).await;
        let again = desk.ask(address("x"), || Ok(())).await.unwrap();
        assert_eq!(said(&again), expected, "{lifetime_s:?} after {waited_s} s");
    }
}

#[tokio::test(start_paused = true)]
async fn a_lookup_that_takes_too_long_is_cut_and_asked_anew() {
    let desk = desk(Duration::from_secs(30), None);
    let begin = Instant::now();
    let found = desk.ask(address("x"), || Ok(())).await.unwrap();
    assert_eq!(begin.elapsed(), DEADLINE);
    assert!(said(&found).contains("in time"));
    let facts = Lookup::Facts { point: LonLat::from_lat_lon(45.0, -93.0).unwrap(), shoreland: true };
    let found = desk.ask(facts, || Ok(())).await.unwrap();
    assert_eq!(found.facts, Default::default());
}

#[tokio::test(start_paused = true)]
async fn who_may_not_ask_is_told_so_and_others_may() {
    let desk = desk(Duration::ZERO, None);
    let refusal = || Refusal::new(ProblemKind::LookupLimit, "used up");
    let refused = desk.ask(address("x"), || Err(refusal())).await.unwrap_err();
    assert_eq!(refused, refusal());
    assert_eq!(said(&desk.ask(address("x"), || Ok(())).await.unwrap()), "1");
}
