use std::{
    collections::HashMap,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::*;
use platbook::{
    answers::{AddressAnswer, Answers, Finder, Refusal, Spot},
    facts::{Fact, FactKey, FactKeys, Facts, Fault, Flood, FloodZone, Radon, Said},
    geometry::LonLat,
    vocabulary::ProblemKind,
};

/// A service that answers after a while, with the number of calls so far.
#[derive(Debug, Default)]
struct Slow {
    takes: Duration,
    lifetime_s: Option<u32>,
    asked: AtomicU32,
}

impl Upstream for Slow {
    fn find(&self, lookup: Lookup) -> FoundFuture<'_> {
        Box::pin(async move {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
            sleep(self.takes).await;
            let facts = match lookup {
                Lookup::Facts { keys, .. } if keys.has(FactKey::Flood) => {
                    Facts::from_iter([zone(&asked.to_string())])
                }
                _ => Facts::default(),
            };
            let address = AddressAnswer::Unavailable(asked.to_string());
            Found { address, facts, lifetime_s: self.lifetime_s, ..Found::default() }
        })
    }
}

/// Makes a fact with a flood zone of this name.
fn zone(name: &str) -> Fact {
    let zone = FloodZone::greatest(&[HashMap::from([("fld_zone", name)])]).unwrap();
    Fact::new(FactKey::Flood, Said::Flood(Flood { zone: Some(zone), is_mapped: true, firm_panel: None }))
}

/// Returns the content of the fact on floods.
fn said_of_flood(found: &Found) -> &Said {
    &found.facts.get(FactKey::Flood).unwrap().said
}

/// Returns the answers for which all lookups are made.
fn world() -> &'static Answers {
    static WORLD: LazyLock<Answers> = LazyLock::new(|| Answers::new(platbook::testing::directory()));
    &WORLD
}

fn address(text: &str) -> Lookup {
    Lookup::Address(text.to_owned())
}

fn facts(keys: &[FactKey]) -> Lookup {
    let point = LonLat::from_lat_lon(45.0, -93.0).unwrap();
    let spot = Spot { point, county: "county:27053".parse().unwrap() };
    Lookup::Facts { spot, keys: keys.iter().copied().collect() }
}

fn said(found: &Found) -> &str {
    match &found.address {
        AddressAnswer::Unavailable(text) => text,
        other => panic!("{other:?}"),
    }
}

fn slow(takes: Duration, lifetime_s: Option<u32>) -> Arc<Slow> {
    Arc::new(Slow { takes, lifetime_s, ..Slow::default() })
}

fn lookups(takes: Duration, lifetime_s: Option<u32>) -> Lookups {
    Lookups::of(slow(takes, lifetime_s))
}

fn unlimited() -> Result<Asker, Refusal> {
    Ok(Asker::Operator)
}

#[tokio::test(start_paused = true)]
async fn without_services_nothing_is_counted() {
    let counted = || panic!("nothing is counted");
    assert_eq!(Lookups::closed().run(world(), address("x"), counted).await.unwrap(), Found::default());
    let counted = || panic!("nothing is counted");
    assert_eq!(
        Lookups::closed().run(world(), facts(&FactKey::ALL), counted).await.unwrap(),
        Found::default()
    );
}

#[tokio::test(start_paused = true)]
async fn equal_lookups_wait_for_one_answer_and_one_is_counted() {
    let (lookups, counted) = (lookups(Duration::from_secs(3), None), AtomicU32::new(0));
    let admit = || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(Asker::Operator)
    };
    let begin = Instant::now();
    let asked = tokio::join!(
        lookups.run(world(), address("1 Main St"), admit),
        lookups.run(world(), address(" 1  main st "), admit),
        lookups.run(world(), address("y"), admit)
    );
    assert_eq!(begin.elapsed().as_secs(), 3, "they wait side by side");
    let (first, second, other) = (asked.0.unwrap(), asked.1.unwrap(), asked.2.unwrap());
    assert_eq!((said(&first), said(&second), said(&other)), ("1", "1", "2"));
    assert_eq!(said(&lookups.run(world(), address("1 MAIN ST"), admit).await.unwrap()), "1", "it is known");
    assert_eq!(counted.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn findings_are_kept_as_long_as_they_say() {
    const DAY_S: u64 = 86_400;
    for (lifetime_s, waited_s, expected) in [
        (None, DAY_S - 1, "1"),
        (None, DAY_S + 1, "2"),
        (Some(5), 4, "1"),
        (Some(5), 6, "2"),
        (Some(0), 0, "2"),
    ] {
        let lookups = lookups(Duration::ZERO, lifetime_s);
        lookups.run(world(), address("x"), unlimited).await.unwrap();
        sleep(Duration::from_secs(waited_s)).await;
        let again = lookups.run(world(), address("x"), unlimited).await.unwrap();
        assert_eq!(said(&again), expected, "{lifetime_s:?} after {waited_s} s");
    }
}

/// A caller does not wait for a slow lookup, but the next caller gets its result.
#[tokio::test(start_paused = true)]
async fn a_lookup_that_takes_too_long_is_kept_for_the_next() {
    let upstream = slow(Duration::from_secs(10), None);
    let lookups = Lookups::of(Arc::clone(&upstream) as Arc<dyn Upstream>);
    let begin = Instant::now();
    let found = lookups.run(world(), address("x"), unlimited).await.unwrap();
    assert_eq!(begin.elapsed(), DEADLINE);
    assert!(said(&found).contains("in time"));
    let joined = lookups.run(world(), address("x"), || panic!("it is under way")).await.unwrap_err();
    assert_eq!((joined.kind, joined.retry_after_s), (ProblemKind::Busy, Some(5)));
    assert_eq!(begin.elapsed(), 2 * DEADLINE);
    sleep(DEADLINE).await;
    let known = lookups.run(world(), address("x"), || panic!("it is known")).await.unwrap();
    assert_eq!((said(&known), upstream.asked.load(Ordering::Relaxed)), ("1", 1));
}

#[tokio::test(start_paused = true)]
async fn a_fact_that_takes_too_long_fails_alone() {
    let lookups = lookups(Duration::from_secs(30), None);
    let begin = Instant::now();
    let found = lookups.run(world(), facts(&[FactKey::Flood, FactKey::Soils]), unlimited).await.unwrap();
    assert_eq!(begin.elapsed(), DEADLINE, "one deadline for all");
    assert_eq!(said_of_flood(&found), &Said::NotChecked { why: Fault::Late, retry_after_s: 5 });
    assert_eq!(found.facts.get(FactKey::Wetlands), None, "it was not wanted");
    assert_eq!(found.lifetime_s, Some(5));
}

#[tokio::test(start_paused = true)]
async fn a_lookup_whose_caller_is_gone_goes_on() {
    let upstream = slow(Duration::from_secs(3), None);
    let lookups = Lookups::of(Arc::clone(&upstream) as Arc<dyn Upstream>);
    let gone =
        tokio::time::timeout(Duration::from_secs(1), lookups.run(world(), address("x"), unlimited)).await;
    assert!(gone.is_err(), "the caller gave up");
    assert_eq!(said(&lookups.run(world(), address("x"), unlimited).await.unwrap()), "1");
    assert_eq!(upstream.asked.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refused_caller_gets_the_refusal_and_others_are_served() {
    let lookups = lookups(Duration::ZERO, None);
    let refusal = || Refusal::new(ProblemKind::LookupLimit, "used up");
    let refused = lookups.run(world(), address("x"), || Err(refusal())).await.unwrap_err();
    assert_eq!(refused, refusal());
    assert_eq!(said(&lookups.run(world(), address("x"), unlimited).await.unwrap()), "1");
    let counted = AtomicU32::new(0);
    let admit = || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(Asker::Operator)
    };
    lookups.run(world(), facts(&FactKey::ALL), admit).await.unwrap();
    assert_eq!(counted.load(Ordering::Relaxed), 1, "six facts are one lookup");
    lookups.run(world(), facts(&[FactKey::Flood]), || panic!("it is known")).await.unwrap();
}

/// A service that panics.
#[derive(Debug)]
struct Broken;

impl Upstream for Broken {
    fn find(&self, _: Lookup) -> FoundFuture<'_> {
        Box::pin(async { panic!("a fault of this test") })
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_ends_one_lookup_only() {
    let lookups = Lookups::of(Arc::new(Broken));
    for _ in 0..2 {
        let begin = Instant::now();
        let found = lookups.run(world(), address("x"), unlimited).await.unwrap();
        assert!(said(&found).contains("did not answer"));
        assert_eq!(begin.elapsed(), Duration::ZERO, "nobody waits for what has ended");
    }
}

/// A finder that knows a radon zone, and addresses in Oak.
#[derive(Debug)]
struct LocalFile;

impl Finder for LocalFile {
    fn address(&self, _: &Answers, text: &str) -> Option<AddressAnswer> {
        text.contains("PO Box").then(|| AddressAnswer::Unplaceable("a post office box is nowhere".into()))
    }

    fn has_addresses(&self) -> bool {
        true
    }

    fn hint(&self, _: &Answers, text: &str) -> Option<String> {
        text.contains("Oak").then(|| "Oak is in Adams County.".to_owned())
    }

    fn facts(&self, _: &Answers, _: &Spot, keys: FactKeys) -> Facts {
        let radon = Fact::new(FactKey::Radon, Said::Radon(Radon::Zone1));
        Some(radon).filter(|_| keys.has(FactKey::Radon)).into_iter().collect()
    }
}

#[tokio::test(start_paused = true)]
async fn local_files_answer_first() {
    let lookups = lookups(Duration::from_secs(1), None).with_finder(Box::new(LocalFile));
    let found =
        lookups.run(world(), facts(&[FactKey::Radon]), || panic!("nobody outside is asked")).await.unwrap();
    let radon = Fact::new(FactKey::Radon, Said::Radon(Radon::Zone1));
    assert_eq!(found.facts, Facts::from_iter([radon.clone()]));
    let found = lookups.run(world(), facts(&[FactKey::Flood, FactKey::Radon]), unlimited).await.unwrap();
    assert_eq!(found.facts, Facts::from_iter([radon, zone("1")]));
    let boxed =
        lookups.run(world(), address("PO Box 1, Oak"), || panic!("nobody outside is asked")).await.unwrap();
    assert_eq!(boxed.address, AddressAnswer::Unplaceable("a post office box is nowhere".into()));
    let unplaced = lookups.run(world(), address("1 Elm St, Oak"), unlimited).await.unwrap();
    assert_eq!((said(&unplaced), unplaced.hint.as_deref()), ("2", Some("Oak is in Adams County.")));
}

fn caller(identity: u64, has_key: bool) -> Result<Asker, Refusal> {
    Ok(Asker::Caller { identity, has_key })
}

/// Hanging lookups use up only their own caller's share.
#[tokio::test(start_paused = true)]
async fn one_caller_takes_a_share_of_the_lookups() {
    for (has_key, share) in [(false, 4), (true, 12)] {
        let upstream = slow(Duration::from_secs(15), None);
        let lookups = Lookups::of(Arc::clone(&upstream) as Arc<dyn Upstream>);
        let text = |at: usize| address(&format!("{at} Slow St"));
        let waiting = (0..20).map(|at| lookups.run(world(), text(at), || caller(1, has_key)));
        let refused = futures_util::future::join_all(waiting).await.into_iter().filter_map(Result::err);
        let refused: Vec<Refusal> = refused.collect();
        assert_eq!(refused.len(), 20 - share, "a caller with a key: {has_key}");
        assert!(refused.iter().all(|refusal| refusal.kind == ProblemKind::Busy
            && refusal.retry_after_s.is_some()
            && refusal.detail.contains("same caller")));
        assert_eq!(lookups.figures().under_way, share as u64);
        let others = (30..50).map(|at| lookups.run(world(), text(at), move || caller(at as u64, false)));
        let others = futures_util::future::join_all(others).await;
        assert!(others.iter().all(Result::is_ok), "each has a share of their own");
        let facts = lookups.run(world(), facts(&[FactKey::Flood]), || caller(1, has_key)).await.unwrap();
        let late = Said::NotChecked { why: Fault::Late, retry_after_s: 5 };
        assert_eq!(said_of_flood(&facts), &late, "another service, another share");
        sleep(Duration::from_secs(15)).await;
        lookups.run(world(), text(100), || caller(1, has_key)).await.unwrap();
        sleep(Duration::from_secs(15)).await;
        assert_eq!(lookups.figures().under_way, 0);
        assert_eq!(lookups.shares(), 0, "nothing is left of shares");
    }
}

#[tokio::test(start_paused = true)]
async fn a_fact_over_the_share_fails_alone() {
    let lookups = lookups(Duration::from_secs(3), None);
    let at = |step: usize| {
        let point = LonLat::from_lat_lon(45.0 + step as f64 / 100.0, -93.0).unwrap();
        let keys = [FactKey::Flood].into_iter().collect();
        Lookup::Facts { spot: Spot { point, county: "county:27053".parse().unwrap() }, keys }
    };
    let waiting = (0..6).map(|step| lookups.run(world(), at(step), || caller(1, false)));
    let found = futures_util::future::join_all(waiting).await;
    let over = Said::NotChecked { why: Fault::OverShare, retry_after_s: 5 };
    let over = found.into_iter().filter(|found| said_of_flood(found.as_ref().unwrap()) == &over);
    assert_eq!(over.count(), 2);
}
