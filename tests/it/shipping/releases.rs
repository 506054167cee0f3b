//! Tests services that follow the statement on a release: by a delta, by the whole file, or not at all.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use jiff::{SignedDuration, Timestamp};
use minisign::KeyPair;
use platbook::snapshot::Snapshot;
use platbook_release::{Delta, FORMAT, Release, ReleasedFile, Sha256, SnapshotOfRelease, make};

use super::{
    Following, remote,
    worlds::{OTHER_PAIR, PAIR, as_of, sign, world},
};
use crate::lookups::outside::{Act, Outside};

/// A file server: names and contents.
type Files = BTreeMap<String, Vec<u8>>;

fn snapshot(number: u32) -> SnapshotOfRelease {
    let bytes = world(number);
    SnapshotOfRelease {
        id: Snapshot::copy(&bytes).unwrap().id().to_owned(),
        as_of: as_of(number),
        bytes: bytes.len() as u64,
        sha256: Sha256::of(&bytes),
    }
}

/// The release of a world with deltas from other worlds, and its files.
fn release(number: u32, from: &[u32]) -> (Release, Files) {
    let mut files = Files::new();
    let mut put = |name: String, bytes: Vec<u8>| {
        let file = ReleasedFile { name: name.clone(), bytes: bytes.len() as u64 };
        files.insert(name, bytes);
        file
    };
    let deltas = from.iter().map(|old| {
        let mut delta = Vec::new();
        make(&world(*old), &world(number), &mut delta).unwrap();
        Delta { from: snapshot(*old), file: put(format!("{old}-{number}.dcz"), delta) }
    });
    let deltas = deltas.collect();
    let release = Release {
        format: FORMAT,
        expires: (Timestamp::now() + SignedDuration::from_hours(72)).to_string(),
        snapshot: snapshot(number),
        file: put(format!("{number}.zst"), zstd::encode_all(world(number).as_slice(), 3).unwrap()),
        signature: put(format!("{number}.minisig"), sign(&PAIR, &world(number)).into_bytes()).name,
        deltas,
    };
    (release, files)
}

/// Adds the signed statement to the files of a release.
fn stated((release, mut files): (Release, Files), pair: &KeyPair) -> Files {
    let text = release.to_text();
    files.insert("release.json.minisig".to_owned(), sign(pair, text.as_bytes()).into_bytes());
    files.insert("release.json".to_owned(), text.into_bytes());
    files
}

/// A server of files, and the names that were requested.
struct Server {
    outside: Outside,
    files: Arc<Mutex<Files>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(files: Files) -> Server {
        let (files, asked) = (Arc::new(Mutex::new(files)), Arc::<Mutex<Vec<String>>>::default());
        let (of_server, names) = (Arc::clone(&files), Arc::clone(&asked));
        let outside = Outside::start(move |call| {
            let name = call.target().trim_start_matches("/mirror/").to_owned();
            names.lock().unwrap().push(name.clone());
            match of_server.lock().unwrap().get(&name) {
                Some(bytes) => {
                    let head = format!(
                        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                        bytes.len()
                    );
                    Act::Send([head.as_bytes(), bytes].concat())
                }
                None => Act::answer(404, "text/plain", "none"),
            }
        });
        Server { outside: outside.await, files, asked }
    }

    fn url(&self) -> String {
        format!("http://{}/mirror/release.json", self.outside.address)
    }

    fn show(&self, files: Files) {
        *self.files.lock().unwrap() = files;
        self.asked.lock().unwrap().clear();
    }

    fn was_asked_for(&self, name: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|asked| asked == name)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_takes_the_smallest_way_to_a_release() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(stated(release(1, &[]), &PAIR)).await;
    let mut following = Following::start(remote(&server.url(), folder.path())).await;
    assert!(server.was_asked_for("1.zst"));
    // The release has a delta from the stored snapshot.
    server.show(stated(release(2, &[1]), &PAIR));
    assert_eq!(following.serving().await, (as_of(2), false));
    assert!(server.was_asked_for("1-2.dcz") && !server.was_asked_for("2.zst"));
    // The release has no delta from the stored snapshot.
    server.show(stated(release(3, &[1]), &PAIR));
    assert_eq!(following.serving().await, (as_of(3), false));
    assert!(!server.was_asked_for("1-3.dcz") && server.was_asked_for("3.zst"));
    // The service takes the whole file if the delta is damaged or missing, or starts or ends at another snapshot.
    for (number, spoil) in [(4, "damaged"), (5, "missing"), (6, "start"), (7, "end")] {
        let (release, mut files) = release(number, &[number - 1]);
        let name = release.deltas[0].file.name.clone();
        let other = |old: u32, new: u32| {
            let mut delta = Vec::new();
            make(&world(old), &world(new), &mut delta).unwrap();
            delta
        };
        match spoil {
            "damaged" => files.get_mut(&name).unwrap()[60] ^= 0x55,
            "missing" => drop(files.remove(&name)),
            "start" => drop(files.insert(name.clone(), other(1, number))),
            _ => drop(files.insert(name.clone(), other(number - 1, 1))),
        }
        server.show(stated((release, files), &PAIR));
        assert_eq!(following.serving().await, (as_of(number), false), "{spoil}");
        assert!(server.was_asked_for(&name) && server.was_asked_for(&format!("{number}.zst")), "{spoil}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_release_is_taken_that_is_forged_expired_or_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(stated(release(5, &[]), &PAIR)).await;
    let mut following = Following::start(remote(&server.url(), folder.path())).await;
    let expired = || {
        let (mut release, files) = release(6, &[5]);
        release.expires = (Timestamp::now() - SignedDuration::from_secs(60)).to_string();
        stated((release, files), &PAIR)
    };
    let mixed = || {
        let (release, mut files) = release(6, &[]);
        files.insert("6.zst".to_owned(), zstd::encode_all(world(5).as_slice(), 3).unwrap());
        stated((release, files), &PAIR)
    };
    let unsigned = || {
        let mut files = stated(release(6, &[5]), &PAIR);
        files.remove("release.json.minisig");
        files
    };
    let changed = || {
        let mut files = stated(release(6, &[5]), &PAIR);
        let text = String::from_utf8(files["release.json"].clone()).unwrap();
        files.insert("release.json".to_owned(), text.replace("6.zst", "5.zst").into_bytes());
        files
    };
    for (files, words) in [
        (stated(release(6, &[5]), &OTHER_PAIR), "signed with another key"),
        (unsigned(), "expected a signature"),
        (changed(), "the signature is not that of"),
        (expired(), "the mirror is not updated"),
        (mixed(), "expected the snapshot with SHA-256"),
        (stated(release(4, &[5]), &PAIR), "older"),
        (Files::new(), "got 404"),
    ] {
        server.show(files);
        loop {
            let event = following.event().await.to_string();
            assert!(event.contains("the snapshot that is served stays"), "{event}");
            if event.contains(words) {
                break;
            }
        }
    }
    // A good release afterwards is taken.
    server.show(stated(release(7, &[5]), &PAIR));
    assert_eq!(following.serving().await, (as_of(7), false));
    assert!(server.was_asked_for("5-7.dcz"));
}
