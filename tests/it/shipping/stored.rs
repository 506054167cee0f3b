use std::{fs, path::Path};

use platbook::snapshot::write::DroppedCount;
use platbook_service::shipping::{Event, Limits, Order};

use super::{
    Following, LIMITS, SOON, bounded,
    mirror::{Mirror, Shown},
    remote,
    worlds::{as_of, changed, world},
};
use crate::lookups::outside::Act;

/// Good files are taken: packed by ending or as a coding, or from another address. A known file is not fetched again.
#[tokio::test(flavor = "multi_thread")]
async fn good_files_are_taken_however_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let other = Mirror::start(Shown::packed(&world(5), "")).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    let led = format!("HTTP/1.1 307 X\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", other.url());
    let signature = other_signature(&world(5));
    for (number, shown) in [
        (2, Shown::packed(&world(2), "")),
        (3, Shown::packed(&world(3), "Content-Encoding: zstd\r\n")),
        (4, Shown { etag: None, ..Shown::file(&world(4)) }),
        (5, Shown { signature, ..Shown::raw(led) }),
    ] {
        mirror.show(shown);
        assert_eq!(following.serving().await, (as_of(number), false));
    }
}

fn other_signature(bytes: &[u8]) -> Option<String> {
    Shown::file(bytes).signature
}

/// A refused file is not fetched at each poll; nor is the one that is served.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_is_not_fetched_again() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(10))).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    mirror.show(Shown::file(&world(5)));
    assert!(matches!(following.event().await, Event::Stays(_)));
    mirror.is_asked_again(5).await;
    assert!(following.events.try_recv().is_err(), "it is known to be refused");
    // On request, the refused file is fetched and served although it is older.
    following.orders.send(Order::Take).await.unwrap();
    assert_eq!(following.serving().await, (as_of(5), false));
}

/// An order during a poll still applies to the file that this poll refuses.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_ordered_during_a_look_is_done_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(10))).await;
    let mut following = Following::start(bounded(&mirror.url(), folder.path(), SOON)).await;
    mirror.show(Shown::act(Act::Hang));
    mirror.is_asked_again(1).await;
    following.orders.send(Order::Take).await.unwrap();
    mirror.show(Shown::file(&world(5)));
    assert_eq!(following.serving().await, (as_of(5), false));
}

/// After a rollback the same file is not taken again, also not by a new process; the next one is taken.
#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_holds_until_there_is_a_newer_one() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    following.orders.send(Order::Back).await.unwrap();
    let Event::Stays(refusal) = following.event().await else { panic!("there is none before") };
    assert!(refusal.to_string().contains("no earlier snapshot"), "{refusal}");
    mirror.show(Shown::file(&world(2)));
    assert_eq!(following.serving().await, (as_of(2), false));
    following.orders.send(Order::Back).await.unwrap();
    assert_eq!(following.serving().await, (as_of(1), true));
    mirror.is_asked_again(3).await;
    assert_eq!(following.as_of(), as_of(1));
    // On request, the withdrawn file is served again, and no longer counts as withdrawn.
    following.orders.send(Order::Take).await.unwrap();
    assert_eq!(following.serving().await, (as_of(2), false));
    following.orders.send(Order::Back).await.unwrap();
    assert_eq!(following.serving().await, (as_of(1), true));
    following.end().await;
    let mut again = remote(&mirror.url(), folder.path());
    let kept = again.stored(|refusal| panic!("{refusal}")).unwrap().unwrap();
    assert_eq!(kept.as_of(), as_of(1));
    // The same file with another entity tag.
    mirror.show(Shown { etag: None, ..Shown::file(&world(2)) });
    let message = again.look(None, false).await.unwrap_err().to_string();
    assert!(message.contains("was rolled back by an operator"), "{message}");
    mirror.show(Shown::file(&world(3)));
    assert_eq!(again.look(None, false).await.unwrap().unwrap().as_of(), as_of(3));
}

/// A snapshot many times larger than the served one is taken only if an operator orders it.
#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_does_not_grow_without_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let limits = Limits { bytes_max: 64 << 20, bytes_usual: 1_000, ..LIMITS };
    let mut following = Following::start(bounded(&mirror.url(), folder.path(), limits)).await;
    let padded = |number| {
        changed(number, |contents| {
            let reason = "x".repeat(13 * world(1).len());
            contents.ruled.meta.dropped.push(DroppedCount { reason, count: 1 });
        })
    };
    mirror.show(Shown::packed(&padded(2), ""));
    let Event::Stays(refusal) = following.event().await else { panic!("it was taken") };
    assert!(refusal.to_string().contains("what is packed: expected at most"), "{refusal}");
    following.orders.send(Order::Take).await.unwrap();
    assert_eq!(following.serving().await, (as_of(2), false));
    // The large snapshot is now the served one, so a file of the same size is not too large.
    mirror.show(Shown::file(&padded(3)));
    assert_eq!(following.serving().await, (as_of(3), false));
}

/// The name of a kind of damage, and a function that does it to the folder of a snapshot.
type Damage = (&'static str, fn(&Path));

/// A damaged snapshot on disk is put aside; the previous one is served.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_shelf_falls_back() {
    let damage: [Damage; 4] = [
        ("cut", |folder| {
            fs::File::options()
                .write(true)
                .open(folder.join("snapshot.platbook"))
                .unwrap()
                .set_len(99)
                .unwrap()
        }),
        ("noise", |folder| fs::write(folder.join("snapshot.platbook"), b"noise").unwrap()),
        ("unsigned", |folder| fs::remove_file(folder.join("snapshot.platbook.minisig")).unwrap()),
        ("gone", |folder| fs::remove_dir_all(folder).unwrap()),
    ];
    for (name, damage) in damage {
        let folder = tempfile::tempdir().unwrap();
        let mirror = Mirror::start(Shown::file(&world(1))).await;
        let mut first = remote(&mirror.url(), folder.path());
        first.look(None, false).await.unwrap().unwrap();
        mirror.show(Shown::file(&changed(2, |_| {})));
        first.look(None, false).await.unwrap().unwrap();
        drop(first);
        damage(&folder.path().join("current"));
        let mut again = remote(&mirror.url(), folder.path());
        let kept = again.stored(|_| {}).unwrap().unwrap();
        assert_eq!(kept.as_of(), as_of(1), "{name}");
    }
}
