use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::SystemTime,
};

use jiff::{SignedDuration, Timestamp};
use platbook_service::shipping::{Clock, Event, Order};

use super::{
    Following,
    mirror::{Mirror, Shown},
    remote,
    worlds::{as_of, dated, world},
};
use crate::harness::{SITE, edition};

/// A date beyond the life of these tests.
const FAR: &str = "2099-01-01T00:00:00Z";

/// A snapshot of the far future is refused, so that it cannot lock out those after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_of_the_future_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    for as_of in [FAR, "not a date", ""] {
        mirror.show(Shown::file(&dated(2, as_of)));
        let Event::Stays(refusal) = following.event().await else { panic!("{as_of}: was taken") };
        let message = refusal.to_string();
        assert!(
            message.contains(&format!("it is dated {as_of}, and the clock of this machine says 2")),
            "{message}"
        );
    }
    mirror.show(Shown::file(&world(3)));
    assert_eq!(following.serving().await, (as_of(3), false));
}

/// A snapshot of the future that is served by order does not count as newer.
#[tokio::test(flavor = "multi_thread")]
async fn a_served_snapshot_of_the_future_locks_out_none() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    mirror.show(Shown::file(&dated(2, FAR)));
    assert!(matches!(following.event().await, Event::Stays(_)));
    following.orders.send(Order::Take).await.unwrap();
    assert_eq!(following.serving().await, (FAR.to_owned(), false));
    mirror.show(Shown::file(&world(3)));
    assert_eq!(following.serving().await, (as_of(3), false));
}

/// A clock that shows a given time, in seconds.
fn clock(at: &Arc<AtomicI64>) -> Clock {
    let at = Arc::clone(at);
    Clock::new(move || SystemTime::from(Timestamp::from_second(at.load(Ordering::Relaxed)).unwrap()))
}

/// A clock that starts in 1970 refuses nothing. Once the clock is right, snapshots taken meanwhile block nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_wrong_refuses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&dated(1, FAR))).await;
    let now = Arc::new(AtomicI64::new(0));
    let mut remote = remote(&mirror.url(), folder.path()).with_clock(clock(&now));
    let first = remote.look(None, false).await.unwrap().unwrap();
    assert_eq!(first.as_of(), FAR);
    let served = Arc::new(platbook_service::edition::Edition::new(first, SITE));
    mirror.show(Shown::file(&world(2)));
    let message = remote.look(Some(Arc::clone(&served)), false).await.unwrap_err().to_string();
    assert!(message.contains("older than the one served"), "nothing is known of the future: {message}");
    now.store(Timestamp::now().as_second(), Ordering::Relaxed);
    mirror.show(Shown { etag: None, ..Shown::file(&world(2)) });
    let second = remote.look(Some(served), false).await.unwrap().unwrap();
    assert_eq!(second.as_of(), as_of(2));
}

/// A file that was refused for its date is taken at that date, even if the server reports no change.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_date_comes() {
    let folder = tempfile::tempdir().unwrap();
    let now = Arc::new(AtomicI64::new(Timestamp::now().as_second()));
    let later = Timestamp::now() + SignedDuration::from_hours(24 * 10);
    let mirror = Mirror::start(Shown::file(&dated(1, &later.to_string()))).await;
    let mut remote = remote(&mirror.url(), folder.path()).with_clock(clock(&now));
    let message = remote.look(None, false).await.unwrap_err().to_string();
    assert!(message.contains("the clock of this machine says"), "{message}");
    assert!(remote.look(None, false).await.unwrap().is_none(), "it is known");
    now.fetch_add(9 * 86_400, Ordering::Relaxed);
    assert_eq!(remote.look(None, false).await.unwrap().unwrap().as_of(), later.to_string());
}

/// A first start does not take a snapshot older than the built-in one without an order.
#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_date_counts_at_a_first_start() {
    let folder = tempfile::tempdir().unwrap();
    let built_in = Arc::new(edition());
    let dated_before: Timestamp = built_in.answers().directory().as_of().parse().unwrap();
    let before = (dated_before - SignedDuration::from_hours(24)).to_string();
    let mirror = Mirror::start(Shown::file(&dated(1, &before))).await;
    let mut remote = remote(&mirror.url(), folder.path());
    let message = remote.look(Some(Arc::clone(&built_in)), false).await.unwrap_err().to_string();
    assert!(message.contains("older than the one served"), "{message}");
    let asked = remote.look(Some(Arc::clone(&built_in)), true).await.unwrap().unwrap();
    assert_eq!(asked.as_of(), before);
}
