use std::{
    fs,
    time::{Duration, SystemTime},
};

use platbook_service::shipping::Event;
use tokio::task::block_in_place;

use super::{
    Following,
    mirror::{Mirror, Shown},
    process::{Process, SERVE, replace, wait_for},
    remote,
    worlds::{PAIR, as_of, world},
};
use crate::{faults::on_a_full_disk, harness::Client};

/// A limit on file size, in blocks: a little less than the file of a world.
const BLOCKS: u32 = 8;

/// The service keeps the served file in memory if the disk is full.
#[test]
fn a_file_is_served_though_the_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("us.platbook");
    fs::write(&path, world(1)).unwrap();
    let args = [SERVE, &["--offline", "--snapshot", path.to_str().unwrap()]].concat();
    let server = Process::start(on_a_full_disk(BLOCKS, &args));
    server.ask_until(1);
    fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    wait_for(&server.said, "the snapshot that is served stays");
    server.ask_until(1);
    replace(&path, &world(2));
    server.ask_until(2);
}

/// A fetched snapshot must be stored; until it can be, the previous one is served.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_not_followed_while_the_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::packed(&world(1), "")).await;
    let (url, key, store) = (mirror.url(), PAIR.pk.to_base64(), folder.path().to_str().unwrap());
    let options = ["--offline", "--snapshot-every", "1s", "--snapshot-dir", store];
    let args = [SERVE, &options, &["--snapshot-url", &url, "--snapshot-key", &key]].concat();
    block_in_place(|| {
        let server = Process::start(on_a_full_disk(BLOCKS, &args));
        assert_eq!(Client::connect(server.address).get("/v1/topics").status, 200);
        let line = wait_for(&server.said, "is there space");
        assert!(line.contains("stays"), "{line}");
        assert_eq!(Client::connect(server.address).get("/v1/topics").status, 200);
    });
    let names: Vec<_> = fs::read_dir(store).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["lock"], "nothing half done is left");
}

/// A removed folder is reported, and used again when it is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_gone_changes_nothing_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(1))).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    fs::remove_dir_all(folder.path()).unwrap();
    mirror.show(Shown::file(&world(2)));
    let Event::Stays(refusal) = following.event().await else { panic!("it cannot be kept") };
    assert!(refusal.to_string().contains("is there space"), "{refusal}");
    assert_eq!(following.as_of(), as_of(1));
    fs::create_dir(folder.path()).unwrap();
    assert_eq!(following.serving().await, (as_of(2), false));
    following.end().await;
}

/// Files made under a wrong clock are still found.
#[test]
fn files_of_any_time_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("us.platbook");
    fs::write(&path, world(1)).unwrap();
    let server =
        Process::start(on_a_full_disk(1 << 20, &[SERVE, &["--snapshot", path.to_str().unwrap()]].concat()));
    let century = Duration::from_secs(100 * 365 * 86_400);
    for (number, modified) in [(2, SystemTime::UNIX_EPOCH), (3, SystemTime::now() + century)] {
        let beside = path.with_extension("beside");
        fs::write(&beside, world(number)).unwrap();
        fs::File::options().write(true).open(&beside).unwrap().set_modified(modified).unwrap();
        fs::rename(&beside, &path).unwrap();
        server.ask_until(number);
    }
}
