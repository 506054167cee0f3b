//! Releases of the invented world, published one after the other.

use std::{fs, path::Path};

use jiff::Timestamp;
use platbook::testing;
use platbook_pipeline::{
    publish::{Published, Publisher, STATEMENT},
    signing,
};
use platbook_release::{Release, apply};

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
        // The statement and all that it names are there and right.
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
        // Two releases, the start of deltas, and no more.
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
    // The same snapshot again is stated for longer, and stays the same release otherwise.
    let renewed = publisher("2026-12-04T00:00:00Z").publish(&world(5)).unwrap();
    assert!(renewed.is_renewed);
    assert_eq!(Release { expires: first.release.expires.clone(), ..renewed.release }, first.release);
    fs::write(folder.path().join(STATEMENT), "{}").unwrap();
    let message = publisher("2026-12-04T00:00:00Z").publish(&world(6)).unwrap_err().to_string();
    assert!(message.contains("move it away to begin anew"), "{message}");
}
