//! Tests releases of the invented world, published one after the other.

use std::{collections::BTreeMap, fs, path::Path};

use jiff::{Timestamp, ToSpan as _, civil::date};
use platbook::{snapshot::write::with_link_checks, testing};
use platbook_pipeline::{
    links::{Part, Table, checks, links},
    publish::{Published, Publisher, STATEMENT},
    signing,
};
use platbook_release::{Release, apply, make};
use serde_json::{Value, json};

use crate::sweep;

/// The invented world with the date of a day in November.
fn world(day: u8) -> Vec<u8> {
    let mut contents = testing::contents().unwrap();
    contents.ruled.meta.as_of = as_of(day);
    contents.seal().unwrap().bytes().to_vec()
}

fn as_of(day: u8) -> String {
    format!("2026-11-{day:02}T00:00:00Z")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn each_release_has_deltas_from_those_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (public, secret) = signing::new_key().unwrap();
    let key = signing::secret_key(&secret, None).unwrap();
    let expires: Timestamp = "2026-12-24T00:00:00Z".parse().unwrap();
    let publisher = Publisher { folder: folder.path(), key: &key, expires, keep: 2 };
    let mut worlds: Vec<Vec<u8>> = Vec::new();
    for day in 1..=5 {
        let world = world(day);
        let Published { release, is_renewed, removed } = publisher.publish(&world).unwrap();
        assert!(!is_renewed);
        assert_eq!(release.snapshot.as_of, as_of(day));
        // The statement and all files that it names are there and right.
        let text = fs::read(folder.path().join(STATEMENT)).unwrap();
        assert_eq!(Release::read(&text).unwrap(), release);
        let signature = fs::read_to_string(folder.path().join("release.json.minisig")).unwrap();
        signing::verify(&text, &signature, &signing::public_key(&public).unwrap()).unwrap();
        let packed = fs::File::open(folder.path().join(&release.file.name)).unwrap();
        assert_eq!(zstd::decode_all(packed).unwrap(), world);
        let dates: Vec<&str> = release.deltas.iter().map(|delta| delta.from.as_of.as_str()).collect();
        let expected: Vec<String> = (1..day).rev().take(2).map(as_of).collect();
        assert_eq!(dates, expected);
        for (delta, old) in release.deltas.iter().zip(worlds.iter().rev()) {
            let bytes = fs::read(folder.path().join(&delta.file.name)).unwrap();
            assert_eq!(bytes.len() as u64, delta.file.bytes);
            assert!(delta.file.bytes * 4 < release.file.bytes, "{delta:?} of {:?}", release.file);
            let mut result = Vec::new();
            let to = (release.snapshot.bytes, release.snapshot.sha256);
            apply(old, bytes.as_slice(), to, &mut result).unwrap();
            assert_eq!(result, world);
        }
        // From the third day on, files are removed that neither this release, the previous one nor the next deltas
        // need.
        assert_eq!(removed.is_empty(), day < 3, "{removed:?}");
        assert!(names(folder.path()).len() <= 11, "{:?}", names(folder.path()));
        worlds.push(world);
    }
}

#[test]
fn what_services_would_not_take_is_not_published() {
    let folder = tempfile::tempdir().unwrap();
    let key = signing::secret_key(&signing::new_key().unwrap().1, None).unwrap();
    let publisher = |expires: &str| Publisher {
        folder: folder.path(),
        key: &key,
        expires: expires.parse().unwrap(),
        keep: 7,
    };
    let first = publisher("2026-12-01T00:00:00Z").publish(&world(5)).unwrap();
    let text = fs::read(folder.path().join(STATEMENT)).unwrap();
    let mut damaged = world(6);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for (bytes, expected) in
        [(world(4), "services would not take it"), (damaged, "damaged"), (Vec::new(), "expected")]
    {
        let message = publisher("2026-12-01T00:00:00Z").publish(&bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "expected {expected:?}, got {message:?}");
        assert_eq!(fs::read(folder.path().join(STATEMENT)).unwrap(), text);
    }
    // Publishing the same snapshot again only changes the time at which the statement expires.
    let renewed = publisher("2026-12-04T00:00:00Z").publish(&world(5)).unwrap();
    assert!(renewed.is_renewed);
    assert_eq!(Release { expires: first.release.expires.clone(), ..renewed.release }, first.release);
    fs::write(folder.path().join(STATEMENT), "{}").unwrap();
    let message = publisher("2026-12-04T00:00:00Z").publish(&world(6)).unwrap_err().to_string();
    assert!(message.contains("move it away to begin anew"), "{message}");
}

/// Maximum length of a delta, in bytes, after a night that looked at a seventh of the links and changed nothing else.
const NIGHT_BYTES_MAX: usize = 60_000;

/// The default snapshot on nine days in turn: each night a seventh of the hosts gets a new day, and some links another
/// result.
#[test]
fn a_night_of_link_dates_alone_is_small() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snapshots/default.platbook");
    // The deltas of two whole snapshots take a minute each: only sweeps make them.
    if sweep::steps(10_000) < 10_000 || !path.exists() {
        return;
    }
    let file = fs::read(&path).unwrap();
    let directory = platbook::open(&path).unwrap();
    let parts: Vec<Part> = (1..=7).map(|part| format!("{part}/7").parse().unwrap()).collect();
    let links = links(&directory, &Table::default());
    let (mut random, mut states) = (fastrand::Rng::with_seed(1), BTreeMap::<String, Value>::new());
    let mut before: Option<Vec<u8>> = None;
    let (mut sizes, first) = (Vec::new(), date(2026, 11, 19));
    for night in 0..9 {
        let today = first + (night as i64).days();
        for link in links.iter().filter(|link| parts[night % 7].has(link)) {
            let known = states.get(&link.url).filter(|_| random.u8(..100) >= 2).cloned();
            let (status, http) = match random.u8(..100) {
                0..3 => ("possibly_broken", json!(404)),
                3..5 => ("not_yet_verified", json!(null)),
                _ => ("verified", json!(200)),
            };
            let mut state = known.unwrap_or_else(|| json!({ "status": status, "http_status": http }));
            (state["day"], state["looked"]) = (json!(today), json!(today));
            states.insert(link.url.clone(), state);
        }
        let table: Table = serde_json::from_value(json!({ "through": "", "links": states.clone() })).unwrap();
        let after = with_link_checks(&file, &checks(&directory, &table, today)).unwrap();
        // After seven nights each link has been looked at once.
        if let (Some(before), true) = (&before, night >= 7) {
            let mut delta = Vec::new();
            make(before, &after, &mut delta).unwrap();
            sizes.push(delta.len());
        }
        before = Some(after);
    }
    println!("{} links; bytes of a night: {sizes:?}", links.len());
    assert!(sizes.iter().all(|bytes| *bytes <= NIGHT_BYTES_MAX), "{sizes:?}");
}
