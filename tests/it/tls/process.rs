//! The binary with its options: certificates that are replaced, warned of or refused, and redirects to https.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::SystemTime,
};

use tokio_rustls::rustls::version::TLS13;

use super::client::{self, Made, ask};
use crate::harness::{COVERED, Client, PATIENCE, comes_true, signal};

/// The paths of a certificate and its key, in a folder of the test.
struct Files {
    _folder: tempfile::TempDir,
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn of(made: &Made) -> Files {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        let files = Files { _folder: folder, certificate, key };
        files.write(made);
        files
    }

    /// Replaces one file after the other, as an operator may.
    fn write(&self, made: &Made) {
        let (certificate, key) = made.pem();
        fs::write(&self.certificate, certificate).unwrap();
        fs::write(&self.key, key).unwrap();
    }

    fn args(&self) -> [&str; 4] {
        ["--tls-cert", self.certificate.to_str().unwrap(), "--tls-key", self.key.to_str().unwrap()]
    }
}

fn platbook(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    command.args(args).env_clear().stdin(Stdio::null());
    command
}

/// A service with TLS in its own process.
struct Running {
    child: Child,
    address: SocketAddr,
    said: mpsc::Receiver<String>,
}

impl Running {
    /// Starts the service, and returns the lines of its log until it serves.
    fn start(files: &Files, more: &[&str]) -> (Running, Vec<String>) {
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--limits", "off", "--offline"];
        let mut command = platbook(&[&fixed[..], &files.args(), more].concat());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let (teller, said) = mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| teller.send(line)));
        let mut running = Running { child, address: ([127, 0, 0, 1], 0).into(), said };
        let lines = running.lines_until("inside: ");
        let line = lines.iter().find(|line| line.contains("listening on https://")).unwrap();
        running.address = line.rsplit_once("https://").unwrap().1.parse().unwrap();
        (running, lines)
    }

    /// Waits for a line with this text; returns the lines up to it.
    fn lines_until(&self, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(
                self.said.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {text:?} in {lines:#?}")),
            );
            if lines.last().unwrap().contains(text) {
                return lines;
            }
        }
    }

    fn stop(mut self) {
        signal(&self.child, "TERM");
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// A failed test leaves no process.
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Under load, a new pair is used without a failed request. A bad pair before it leaves the old pair in use.
#[test]
fn a_changed_pair_of_files_is_used_and_loses_no_request() {
    let (old, new) = (Made::new(&["localhost"]), Made::new(&["localhost"]));
    let files = Files::of(&old);
    let (running, _) = Running::start(&files, &[]);
    let (address, is_over) = (running.address, Arc::new(AtomicBool::new(false)));
    let askers: Vec<_> = ["http/1.1", "h2"]
        .map(|offered| {
            let (config, is_over) =
                (old.trust().and(&new).config(&[&TLS13], &[offered]), Arc::clone(&is_over));
            std::thread::spawn(move || {
                let mut connections = 0;
                while !is_over.load(Ordering::Relaxed) {
                    assert_eq!(client::ask_times(address, &config, COVERED, 3), 3);
                    connections += 1;
                }
                connections
            })
        })
        .into();
    fs::write(&files.key, new.pem().1).unwrap();
    let lines = running.lines_until("the certificate stays as it is");
    assert!(lines.last().unwrap().contains("the key does not fit the certificate"), "{lines:#?}");
    let (only_old, only_new) = (old.trust().usual(), new.trust().usual());
    assert_eq!(ask(address, &only_old, COVERED).unwrap().status, 200);
    files.write(&new);
    running.lines_until("serving the certificate for localhost");
    assert!(comes_true(|| ask(address, &only_new, COVERED).is_ok_and(|answer| answer.status == 200)));
    // Uses new client settings, because those of `only_old` would resume a session that began with the old certificate.
    assert!(ask(address, &old.trust().usual(), COVERED).is_err(), "the old one is no longer served");
    is_over.store(true, Ordering::Relaxed);
    for asker in askers {
        assert!(asker.join().unwrap() > 0);
    }
    running.stop();
}

#[test]
fn an_expired_or_foreign_certificate_is_warned_of() {
    let expired = SystemTime::now() - std::time::Duration::from_secs(3_600);
    for (made, args, warning) in [
        (Made::until(&["localhost"], expired), &["--site-url", "https://localhost"][..], "expired at"),
        (Made::new(&["localhost"]), &["--site-url", "https://a.example"], "not for a.example"),
        (Made::new(&["localhost"]), &["--site-url", "http://localhost"], "takes https alone"),
    ] {
        let (running, lines) = Running::start(&Files::of(&made), args);
        assert!(lines.iter().any(|line| line.contains("warning") && line.contains(warning)), "{lines:#?}");
        running.stop();
    }
}

#[test]
fn a_bad_pair_is_refused_at_the_start() {
    let (one, other) = (Made::new(&["a.example"]), Made::new(&["b.example"]));
    let files = Files::of(&one);
    let swap = |path: &PathBuf, text: &str| fs::write(path, text).unwrap();
    for (certificate, key, said) in [
        (one.pem().0, other.pem().1, "the key does not fit the certificate"),
        (one.pem().0, String::new(), "expected a private key in PEM without a password, got none"),
        (String::new(), one.pem().1, "expected a certificate in PEM"),
        (client::pem("CERTIFICATE", b"nothing"), one.pem().1, "the certificate cannot be read"),
        (one.pem().0, client::pem("PRIVATE KEY", b"nothing"), "the key cannot be used"),
        (one.pem().0, one.pem().1.replace("-----END", "-----"), "damaged"),
    ] {
        swap(&files.certificate, &certificate);
        swap(&files.key, &key);
        let args = [&["serve", "--listen", "127.0.0.1:0"][..], &files.args()].concat();
        let output = platbook(&args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}: {stderr}");
        assert!(stderr.contains(said) && stderr.contains("--tls-cert"), "{said}: {stderr}");
        assert!(!stderr.contains("PRIVATE KEY"), "{stderr}");
    }
}

/// The second listener redirects to https, and the figures and `status` report how long the certificate is valid.
#[test]
fn callers_of_http_are_sent_to_https() {
    let args = [
        "--redirect-listen",
        "127.0.0.1:0",
        "--site-url",
        "https://localhost",
        "--metrics-listen",
        "127.0.0.1:0",
    ];
    let (running, lines) = Running::start(&Files::of(&Made::new(&["localhost"])), &args);
    let address = |before: &str| {
        let line = lines.iter().find(|line| line.contains(before)).unwrap();
        line.split_once(before).unwrap().1.split(['/', ' ']).next().unwrap().to_owned()
    };
    let mut client = Client::connect(address("sending callers of http://").parse().unwrap());
    client.send("GET /v1/topics?lang=en HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    let response = client.rest();
    assert!(response.starts_with("HTTP/1.1 308 "), "{response}");
    assert!(response.contains("\r\nlocation: https://localhost/v1/topics?lang=en\r\n"), "{response}");
    let url = format!("http://{}", address("figures at http://"));
    let output = platbook(&["status", "--url", &url]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("certificate: valid for 30 days"), "{said}");
    running.stop();
}
