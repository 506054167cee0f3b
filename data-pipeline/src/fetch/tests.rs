//! Tests downloads from a loopback server that misbehaves on purpose.

mod server;

use server::{Act, Server};

use super::*;
use crate::{
    boundaries::load::load_all,
    curated::AreaTables,
    input::{made::parts, manifest::Manifest},
};

/// A zip that the pipeline can load: a place of Minnesota.
fn file() -> Vec<u8> {
    parts(&[("2743000", "Minneapolis", "25", "A", (-93.375, 44.875))], 7).zip()
}

fn head(length: usize) -> String {
    format!("Content-Length: {length}\r\nETag: \"v1\"\r\n")
}

fn whole(body: Vec<u8>) -> Act {
    Act::Send { status: 200, head: head(body.len()), body }
}

/// Announces the whole file and sends only its first `length` bytes.
fn cut(length: usize) -> Act {
    Act::Send { status: 200, head: head(file().len()), body: file()[..length].to_vec() }
}

fn rest(from: usize) -> Act {
    let (body, total) = (file()[from..].to_vec(), file().len());
    let head = format!("{}Content-Range: bytes {from}-{}/{total}\r\n", head(body.len()), total - 1);
    Act::Send { status: 206, head, body }
}

fn status(status: u16, head: &str) -> Act {
    Act::Send { status, head: format!("Content-Length: 0\r\n{head}"), body: Vec::new() }
}

struct Trial {
    dir: tempfile::TempDir,
    order: Order,
}

impl Trial {
    fn new(server: &Server) -> Trial {
        let dir = tempfile::tempdir().unwrap();
        let limits = Limits {
            connect: Duration::from_millis(100),
            idle: Duration::from_millis(150),
            retries: 2,
            backoff: Duration::from_millis(1),
            bytes_max: 1 << 20,
        };
        let order = Order {
            vintage: 2024,
            layers: vec![Layer::Place],
            states: vec!["MN".parse().unwrap()],
            base_url: server.base.clone(),
            data_dir: dir.path().to_owned(),
            limits,
        };
        Trial { dir, order }
    }

    fn fetch(&self) -> Result<Report, FetchError> {
        fetch(&self.order, |_| {})
    }

    fn refusal(&self) -> String {
        let message = self.fetch().unwrap_err().to_string();
        assert!(!self.done().exists(), "a failed download must leave nothing under the final name");
        message
    }

    fn done(&self) -> PathBuf {
        self.dir.path().join("TIGER2024/PLACE/tl_2024_27_place.zip")
    }

    fn assert_done(&self) {
        assert_eq!(std::fs::read(self.done()).unwrap(), file());
        let left = std::fs::read_dir(self.done().parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "no part may be left behind");
    }
}

#[test]
fn a_file_is_downloaded_once_and_can_be_loaded() {
    let server = Server::start(vec![whole(file())]);
    let trial = Trial::new(&server);
    let mut seen = 0;
    let report = fetch(&trial.order, |progress| seen = progress.bytes).unwrap();
    assert_eq!((report.downloaded, report.present, seen), (1, 0, file().len() as u64));
    trial.assert_done();
    assert!(server.requests()[0].starts_with("GET /geo/tiger/TIGER2024/PLACE/tl_2024_27_place.zip HTTP/1.1"));
    assert_eq!(trial.fetch().unwrap(), Report { downloaded: 0, present: 1, received: 0 });
    assert_eq!(server.requests().len(), 1);

    let path = trial.dir.path().join("sources.toml");
    write_manifest(&trial.order, &path, "2026-11-20").unwrap();
    let manifest = Manifest::load(&path).unwrap();
    assert!(manifest.replaced.len() > 15, "the hand-kept rows come along");
    let tables = AreaTables::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated"))).unwrap();
    let loaded = load_all(&manifest, trial.dir.path(), &tables, |_| {}).unwrap();
    assert_eq!((loaded.kept[0].name.as_str(), loaded.replaced.len()), ("Minneapolis", 0));
}

#[test]
fn a_cut_connection_is_continued() {
    let server = Server::start(vec![cut(200), rest(200)]);
    let (trial, mut troubles) = (Trial::new(&server), Vec::new());
    let report = fetch(&trial.order, |progress| troubles.extend(progress.trouble.map(str::to_owned)));
    assert_eq!(report.unwrap().received, file().len() as u64);
    assert!(troubles.len() == 1 && troubles[0].contains("; again in "), "{troubles:?}");
    trial.assert_done();
    let second = server.requests()[1].to_lowercase();
    assert!(second.contains("range: bytes=200-") && second.contains("if-range: \"v1\""), "{second}");
}

#[test]
fn a_later_run_continues_where_an_earlier_one_gave_up() {
    let server = Server::start(vec![cut(100)]);
    let mut trial = Trial::new(&server);
    trial.order.limits.retries = 0;
    let message = trial.refusal();
    assert!(message.contains("in 1 attempts") && message.contains("run the command again"), "{message}");
    let server = Server::start(vec![rest(100)]);
    trial.order.base_url = server.base.clone();
    trial.fetch().unwrap();
    trial.assert_done();
}

#[test]
fn a_server_that_ignores_ranges_starts_the_file_over() {
    let server = Server::start(vec![cut(200), whole(file())]);
    let trial = Trial::new(&server);
    trial.fetch().unwrap();
    trial.assert_done();
}

#[test]
fn a_part_that_no_longer_fits_is_thrown_away() {
    for answer in [rest(100), status(416, "")] {
        let server = Server::start(vec![cut(200), answer, whole(file())]);
        let trial = Trial::new(&server);
        trial.fetch().unwrap();
        trial.assert_done();
        assert!(!server.requests()[2].to_lowercase().contains("range:"));
    }
}

#[test]
fn a_missing_file_is_not_asked_for_again() {
    let server = Server::start(vec![status(404, "")]);
    let trial = Trial::new(&server);
    let message = trial.refusal();
    assert!(message.contains("tl_2024_27_place.zip: not found (status 404)"), "{message}");
    assert_eq!(server.requests().len(), 1);
    let server = Server::start(vec![status(403, "")]);
    let message = Trial::new(&server).refusal();
    assert!(message.contains("got 403"), "{message}");
}

#[test]
fn server_errors_are_tried_again_but_not_for_ever() {
    let server = Server::start(vec![status(500, ""), status(503, ""), whole(file())]);
    let trial = Trial::new(&server);
    trial.fetch().unwrap();
    trial.assert_done();
    let server = Server::start(vec![status(500, "")]);
    let message = Trial::new(&server).refusal();
    assert!(message.contains("in 3 attempts") && message.contains("500"), "{message}");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_wrong_length_is_noticed() {
    let longer =
        Act::Send { status: 200, head: format!("Content-Length: {}\r\n", file().len() + 9), body: file() };
    let message = Trial::new(&Server::start(vec![longer])).refusal();
    assert!(message.contains("in 3 attempts"), "{message}");
    let shorter =
        Act::Send { status: 200, head: format!("Content-Length: {}\r\n", file().len() - 9), body: file() };
    let message = Trial::new(&Server::start(vec![shorter])).refusal();
    assert!(message.contains("damaged"), "{message}");
}

#[test]
fn a_damaged_zip_never_gets_the_final_name() {
    let mut damaged = file();
    damaged[60] ^= 0x40;
    let page = b"<html>Down for maintenance</html>".to_vec();
    for body in [damaged.clone(), page] {
        let message = Trial::new(&Server::start(vec![whole(body)])).refusal();
        assert!(message.contains("damaged"), "{message}");
    }
    let server = Server::start(vec![whole(damaged.clone()), whole(file())]);
    let trial = Trial::new(&server);
    // A file damaged on disk is fetched again as well.
    std::fs::create_dir_all(trial.done().parent().unwrap()).unwrap();
    std::fs::write(trial.done(), damaged).unwrap();
    trial.fetch().unwrap();
    trial.assert_done();
}

#[test]
fn a_stalled_server_is_given_up() {
    let message = Trial::new(&Server::start(vec![Act::Stall])).refusal();
    assert!(message.contains("no response within"), "{message}");
}

#[test]
fn redirects_stay_on_the_host() {
    let server = Server::start(vec![status(302, "Location: /elsewhere/file.zip\r\n"), whole(file())]);
    let trial = Trial::new(&server);
    trial.fetch().unwrap();
    trial.assert_done();
    assert!(server.requests()[1].starts_with("GET /elsewhere/file.zip "));
    for location in
        ["http://127.0.0.1:9/x.zip", "https://example.org/x.zip", "//example.org/x.zip", "file:///etc/passwd"]
    {
        let server = Server::start(vec![status(301, &format!("Location: {location}\r\n"))]);
        let message = Trial::new(&server).refusal();
        assert!(message.contains("not on the same host") && message.contains(location), "{message}");
        assert_eq!(server.requests().len(), 1);
    }
    let message = Trial::new(&Server::start(vec![status(302, "Location: /again\r\n")])).refusal();
    assert!(message.contains("redirects"), "{message}");
}

#[test]
fn too_large_a_file_is_refused() {
    let server = Server::start(vec![Act::Send {
        status: 200,
        head: "Content-Length: 9999999\r\n".to_owned(),
        body: Vec::new(),
    }]);
    let message = Trial::new(&server).refusal();
    assert!(message.contains("expected at most 1048576 bytes, got 9999999"), "{message}");
}

#[test]
fn a_wrong_base_is_refused() {
    for base in ["", "www2.census.gov", "ftp://www2.census.gov", "/geo"] {
        let mut trial = Trial::new(&Server::start(vec![status(404, "")]));
        trial.order.base_url = base.to_owned();
        assert!(trial.refusal().contains("--base-url"), "{base}");
    }
}

#[test]
fn the_plan_names_the_published_files() {
    let mut order = Trial::new(&Server::start(vec![status(404, "")])).order;
    order.layers = vec![Layer::Place, Layer::State, Layer::Cousub, Layer::County, Layer::Place];
    order.states = vec!["WI".parse().unwrap(), "AL".parse().unwrap()];
    let paths: Vec<_> = plan(&order).into_iter().map(|item| item.path).collect();
    assert_eq!(
        paths,
        [
            "TIGER2024/STATE/tl_2024_us_state.zip",
            "TIGER2024/COUNTY/tl_2024_us_county.zip",
            "TIGER2024/COUSUB/tl_2024_01_cousub.zip",
            "TIGER2024/COUSUB/tl_2024_55_cousub.zip",
            "TIGER2024/PLACE/tl_2024_01_place.zip",
            "TIGER2024/PLACE/tl_2024_55_place.zip",
        ]
    );
}

/// Downloads of files and of lists have the same pauses.
#[test]
fn pauses_double_up_to_half_a_minute() {
    let limits = Limits::default();
    let pauses = [1, 2, 3, 4, 5, 6, 7, 40].map(|attempts| limits.pause_after(attempts).as_secs());
    assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
}
