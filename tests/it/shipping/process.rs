use std::{
    fs,
    io::{BufRead as _, BufReader, Seek as _, Write as _},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    time::Duration,
};

use super::{
    mirror::{Mirror, Shown},
    worlds::{PAIR, as_of, sign, world},
};
use crate::harness::{Client, signal};

/// A request about a point in the town of Elm, in Adams County.
const POINT: &str = "/v1/jurisdictions/resolve?lat=45.025&lon=-93.95";

/// Arguments of a service in a process of its own.
pub const SERVE: &[&str] = &["serve", "--listen", "127.0.0.1:0", "--limits", "off", "--threads", "2"];

fn platbook(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    command.args(args).env_clear().stdin(Stdio::null());
    command
}

/// A server in its own process, and its output.
pub struct Process {
    child: Child,
    pub address: SocketAddr,
    pub said: mpsc::Receiver<String>,
}

impl Process {
    pub fn serve(args: &[&str]) -> Process {
        Process::start(platbook(&[SERVE, args].concat()))
    }

    /// Starts a command that serves.
    pub fn start(mut command: Command) -> Process {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let (teller, said) = mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| teller.send(line)));
        let line = wait_for(&said, "listening on http://");
        let (_, address) = line.rsplit_once("http://").unwrap();
        Process { address: address.parse().unwrap(), child, said }
    }

    /// Sends requests until the answer is of this world; each answer on the way is complete.
    pub fn ask_until(&self, number: u32) {
        for _ in 0..600 {
            let answer = Client::connect(self.address).get(POINT);
            assert_eq!(answer.status, 200, "{}", answer.body);
            if answer.json()["as_of"] == as_of(number) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the world {number} is not served");
    }

    fn signal(&self, name: &str) {
        signal(&self.child, name);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Waits for a line that holds these words.
pub fn wait_for(said: &mpsc::Receiver<String>, words: &str) -> String {
    let mut heard = Vec::new();
    while let Ok(line) = said.recv_timeout(Duration::from_secs(60)) {
        if line.contains(words) {
            return line;
        }
        heard.push(line);
    }
    panic!("expected {words:?}, heard {heard:?}");
}

/// Replaces a file safely, by renaming another one.
pub fn replace(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension("new");
    fs::write(&beside, bytes).unwrap();
    fs::rename(beside, path).unwrap();
}

/// Overwrites the existing file in place, as `cp` does.
fn overwrite(path: &Path, bytes: &[u8]) {
    let mut file = fs::File::options().write(true).truncate(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

/// Words that the reason must contain, and a function that damages the file.
type Spoiling = (&'static str, fn(&Path));

#[test]
fn a_file_may_be_written_over_cut_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("us.platbook");
    fs::write(&path, world(1)).unwrap();
    let server = Process::serve(&["--snapshot", path.to_str().unwrap()]);
    server.ask_until(1);
    let spoil: [Spoiling; 4] = [
        ("expected a snapshot of", |path| overwrite(path, b"")),
        ("expected a platbook snapshot", |path| overwrite(path, &[0xa5; 20_000])),
        ("is damaged", |path| {
            overwrite(path, &world(2));
            let mut file = fs::File::options().write(true).open(path).unwrap();
            file.seek(std::io::SeekFrom::Start(9_000)).unwrap();
            file.write_all(&[0xa5; 500]).unwrap();
        }),
        ("cut short", |path| {
            overwrite(path, &world(2));
            fs::File::options().write(true).open(path).unwrap().set_len(4_000).unwrap();
        }),
    ];
    for (words, spoil) in spoil {
        spoil(&path);
        let line = wait_for(&server.said, words);
        assert!(line.contains("the snapshot that is served stays"), "{line}");
        server.ask_until(1);
    }
    overwrite(&path, &world(3));
    server.ask_until(3);
    replace(&path, &world(4));
    server.ask_until(4);
    replace(&path, &world(2));
    wait_for(&server.said, "older than the one served");
    server.signal("HUP");
    server.ask_until(2);
    server.signal("USR1");
    server.ask_until(4);
    server.signal("USR1");
    server.ask_until(2);
}

#[test]
fn a_file_waits_for_its_signature() {
    let folder = tempfile::tempdir().unwrap();
    let (path, signature) = (folder.path().join("us.platbook"), folder.path().join("us.platbook.minisig"));
    fs::write(&path, world(1)).unwrap();
    let (path_text, key) = (path.to_str().unwrap(), PAIR.pk.to_base64());
    let args = ["--snapshot", path_text, "--snapshot-key", &key];
    let Output { status, stderr, .. } = platbook(&[&["serve"][..], &args].concat()).output().unwrap();
    let message = String::from_utf8(stderr).unwrap();
    assert!(status.code() == Some(1) && message.contains("expected a signature at"), "{message}");
    fs::write(&signature, sign(&PAIR, &world(1))).unwrap();
    let server = Process::serve(&args);
    replace(&path, &world(2));
    wait_for(&server.said, "the signature is not that of this snapshot");
    server.ask_until(1);
    replace(&signature, sign(&PAIR, &world(2)).as_bytes());
    server.ask_until(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_dead_leaves_what_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::packed(&world(1), "")).await;
    let url = mirror.url();
    let key = PAIR.pk.to_base64();
    let args =
        ["--snapshot-url", &url, "--snapshot-dir", folder.path().to_str().unwrap(), "--snapshot-key", &key];
    tokio::task::block_in_place(|| {
        let server = Process::serve(&[&args[..], &["--snapshot-every", "1s"]].concat());
        server.ask_until(1);
        mirror.show(Shown::packed(&world(2), ""));
        server.ask_until(2);
        server.signal("USR1");
        server.ask_until(1);
        mirror.show(Shown::packed(&world(3), ""));
        server.ask_until(3);
        drop(server);
        mirror.show(Shown::raw(""));
        let server = Process::serve(&[&args[..], &["--snapshot-every", "1s"]].concat());
        server.ask_until(3);
        wait_for(&server.said, "cannot be reached");
        server.signal("USR1");
        server.ask_until(1);
    });
}

/// Updates by hand: the first snapshot, none, a newer one, an older one, one without a signature, and a service that uses
/// the folder.
#[tokio::test(flavor = "multi_thread")]
async fn an_update_by_hand_is_for_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::packed(&world(2), "")).await;
    let (url, key) = (mirror.url(), PAIR.pk.to_base64());
    let args =
        ["--snapshot-url", &url, "--snapshot-dir", folder.path().to_str().unwrap(), "--snapshot-key", &key];
    let update = || {
        let Output { status, stdout, stderr } =
            platbook(&[&["update"][..], &args].concat()).output().unwrap();
        (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
    };
    let unsigned = Shown { signature: None, ..Shown::file(&world(5)) };
    tokio::task::block_in_place(|| {
        for (shown, code, words) in [
            (Shown::packed(&world(2), ""), 0, format!("of {};", as_of(2))),
            (Shown::packed(&world(2), ""), 0, "has no snapshot newer than".to_owned()),
            (Shown::file(&world(3)), 0, format!("of {};", as_of(3))),
            (Shown::file(&world(1)), 1, "older than the one served".to_owned()),
            (unsigned, 1, "signature".to_owned()),
            (Shown::raw(""), 1, "cannot be reached".to_owned()),
        ] {
            mirror.show(shown);
            let (status, said) = update();
            assert!(status == Some(code) && said.contains(&words), "{status:?}, {said}, expected {words}");
        }
        let server = Process::serve(&args);
        server.ask_until(3);
        let (status, said) = update();
        assert!(status == Some(1) && said.contains("on SIGHUP"), "{said}");
    });
    let Output { status, stderr, .. } = platbook(&["update"]).output().unwrap();
    let message = String::from_utf8(stderr).unwrap();
    assert!(status.code() == Some(2) && message.contains("expected --snapshot-url"), "{message}");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let (url, key) = ("https://mirror.example/us.platbook", PAIR.pk.to_base64());
    for (args, words) in [
        (vec!["--snapshot", "a", "--snapshot-url", url], "cannot be used with"),
        (vec!["--snapshot-url", "http://mirror.example/us.platbook"], "expected an https address"),
        (
            vec!["--snapshot-url", "http://10.0.0.1/us.platbook", "--snapshot-dir", "DIR"],
            "with --snapshot-key also",
        ),
        (vec!["--snapshot-url", url, "--snapshot-every", "0s"], "expected a time from 1s to 7d"),
        (vec!["--snapshot-url", url, "--snapshot-every", "often"], "expected a time from 1s to 7d"),
        (vec!["--snapshot-url", url, "--snapshot-key", "none"], "expected a public key of minisign"),
        (vec!["--snapshot-key", &key], "--snapshot-key needs --snapshot or --snapshot-url"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let args: Vec<&str> = args
            .into_iter()
            .map(|word| if word == "DIR" { folder.path().to_str().unwrap() } else { word })
            .collect();
        let Output { status, stderr, .. } = platbook(&[&["serve"][..], &args].concat()).output().unwrap();
        let message = String::from_utf8(stderr).unwrap();
        assert!(status.code() == Some(2) && message.contains(words), "{args:?}: {status} {message}");
    }
}
