mod model; // the states that a power cut may leave a disk in

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use platbook::files::durable::Disk;
use platbook_service::shipping::{Remote, SnapshotStore};

use self::model::{Left, Model, Step, Survival};
use super::{
    LIMITS,
    mirror::{Mirror, Shown},
    worlds::{self, as_of, number_of, world},
};

/// Number of random states that are tried for each moment, besides the two extremes.
const RANDOM: u64 = 3;

/// Minimum number of moments at which the power is cut.
const CUTS_MIN: usize = 200;

/// The operations of a service on its folder, in order, and its promises between them.
#[derive(Clone, Default)]
struct Journal(Arc<Mutex<Vec<Step>>>);

impl Journal {
    fn disk(&self) -> Disk {
        let journal = self.clone();
        Disk::watched(move |operation| journal.0.lock().unwrap().push(Step::of(operation)))
    }

    /// From here on, this world must be found again.
    fn promise(&self, number: u32) {
        self.0.lock().unwrap().push(Step::Promise(number));
    }

    fn steps(self) -> Vec<Step> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn open(disk: Disk, folder: &Path, url: &str) -> Remote {
    let store = SnapshotStore::open_on(disk, folder).unwrap();
    Remote::new(url.parse().unwrap(), Some(worlds::key()), store, Duration::from_secs(1), LIMITS).unwrap()
}

/// Fetches, swaps, rolls back, takes older snapshots, and starts again.
async fn record(folder: &Path) -> Vec<Step> {
    let journal = Journal::default();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let url = mirror.url();
    let mut remote = open(journal.disk(), folder, &url);
    for round in [10, 20] {
        for (number, shown) in [
            (round + 1, Shown::file(&world(round + 1))),
            (round + 2, Shown::packed(&world(round + 2), "")),
            // The same file with another entity tag.
            (round + 2, Shown { etag: None, ..Shown::file(&world(round + 2)) }),
            (round + 3, Shown::file(&world(round + 3))),
        ] {
            mirror.show(shown);
            remote.look(None, false).await.unwrap();
            journal.promise(number);
        }
        assert_eq!(remote.back().await.unwrap().as_of(), as_of(round + 2));
        journal.promise(round + 2);
        // On request, the withdrawn snapshot is taken again.
        remote.look(None, true).await.unwrap();
        journal.promise(round + 3);
        assert_eq!(remote.back().await.unwrap().as_of(), as_of(round + 2));
        journal.promise(round + 2);
        drop(remote);
        remote = open(journal.disk(), folder, &url);
        let kept = remote.stored(|event| panic!("{event}")).unwrap().unwrap();
        assert_eq!(kept.as_of(), as_of(round + 2));
    }
    drop(remote);
    journal.steps()
}

/// Remembers the world that a service would start with, by the state of its folder. Most cuts leave a state that was
/// seen before.
#[derive(Default)]
struct Starts(BTreeMap<Left, Option<u32>>);

impl Starts {
    fn found(&mut self, left: Left) -> Option<u32> {
        *self.0.entry(left.kept()).or_insert_with(|| {
            let folder = tempfile::tempdir().unwrap();
            left.write_to(folder.path());
            let mut remote = open(Disk::default(), folder.path(), "http://127.0.0.1:9/us.platbook");
            let kept = remote.stored(|_| {}).unwrap();
            kept.map(|directory| number_of(directory.as_of()))
        })
    }
}

/// Cuts the power after each step, with each kind of survival. Returns the first cut after which the service starts
/// with neither the promised world nor the next one.
fn first_loss(steps: &[Step], starts: &mut Starts) -> Option<String> {
    let (mut model, mut promised) = (Model::default(), None);
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Promise(number) => promised = Some(*number),
            step => model.apply(step),
        }
        let next = steps[at + 1..].iter().find_map(|step| match step {
            Step::Promise(number) => Some(*number),
            _ => None,
        });
        let allowed: BTreeSet<Option<u32>> = [promised, next.or(promised)].into();
        let random = (0..RANDOM).map(|number| Survival::random(at as u64 * RANDOM + number));
        for survival in [Survival::Nothing, Survival::Everything].into_iter().chain(random) {
            let how = format!("cut {at} after {step}, {survival:?}");
            let found = starts.found(model.left(survival));
            if !allowed.contains(&found) {
                return Some(format!("{how}: expected one of {allowed:?}, found {found:?}"));
            }
        }
    }
    None
}

/// The newest accepted snapshot is found again, no matter which part of the unsynced work survives.
#[tokio::test(flavor = "multi_thread")]
async fn no_power_cut_loses_the_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let (steps, mut starts) = (record(folder.path()).await, Starts::default());
    assert!(steps.len() >= CUTS_MIN, "{} cuts are few", steps.len());
    assert_eq!(first_loss(&steps, &mut starts), None);
    // Proves that the model loses unsynced data: without syncs of files or of folders, the promise breaks.
    for (what, is_kept) in [
        ("files", (|step| !matches!(step, Step::Sync(_))) as fn(&Step) -> bool),
        ("folders", |step| !matches!(step, Step::SyncFolder(_))),
    ] {
        let forgetful: Vec<Step> = steps.iter().filter(|step| is_kept(step)).cloned().collect();
        assert!(first_loss(&forgetful, &mut starts).is_some(), "without syncs of {what} nothing is lost");
    }
}

/// States that an interrupted write of `origin.json` leaves.
#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_is_served_without_its_origin() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let mut remote = open(Disk::default(), folder.path(), &mirror.url());
    for number in [1, 2, 3] {
        mirror.show(Shown::file(&world(number)));
        remote.look(None, false).await.unwrap().unwrap();
    }
    remote.back().await.unwrap();
    mirror.show(Shown::file(&world(2)));
    for bytes in [None, Some(""), Some("{"), Some("{\"url\":")] {
        drop(remote);
        for name in ["current", "withdrawn"] {
            let path = folder.path().join(name).join("origin.json");
            match bytes {
                None => fs::remove_file(path).unwrap(),
                Some(bytes) => fs::write(path, bytes).unwrap(),
            }
        }
        remote = open(Disk::default(), folder.path(), &mirror.url());
        let events = Mutex::new(Vec::new());
        let kept = remote.stored(|event| events.lock().unwrap().push(event.to_string())).unwrap().unwrap();
        assert_eq!(kept.as_of(), as_of(2), "{bytes:?}");
        let events = events.into_inner().unwrap();
        assert!(
            events.len() == 2 && events.iter().all(|event| event.contains("is written anew")),
            "{events:?}"
        );
        // The file is fetched once more and recognized, and its tag is stored again.
        assert!(remote.look(None, false).await.unwrap().is_none(), "{bytes:?}");
        // The withdrawn snapshot is still not taken.
        mirror.show(Shown::file(&world(3)));
        let message = remote.look(None, false).await.unwrap_err().to_string();
        assert!(message.contains("was rolled back by an operator"), "{bytes:?}: {message}");
        mirror.show(Shown::file(&world(2)));
    }
}
