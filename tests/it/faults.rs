use std::{
    fs,
    io::{Read as _, Write as _},
    os::unix::net::UnixStream,
    process::{Command, Stdio},
};

use crate::harness::{comes_true, signal};

/// The binary with a limit on file size, in blocks of 512 or 1,024 bytes. A write beyond the limit succeeds in part and
/// then fails, as on a disk that becomes full.
pub fn on_a_full_disk(blocks: u32, args: &[&str]) -> Command {
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_platbook")]).args(args).env_clear().stdin(Stdio::null());
    command
}

fn with_output(to: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook"));
    let output = fs::File::options().write(true).open(to).unwrap();
    command.args(args).env_clear().stdin(Stdio::null()).stdout(output);
    command
}

/// Checks the exit code, and words of the reason.
fn check(mut command: Command, code: i32, words: &str) {
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(code) && said.contains(words),
        "{command:?}: {} {said}",
        output.status
    );
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (keys, points, out) = (path("keys"), path("points.csv"), path("out.csv"));
    let add = ["keys", "add", "--class", "standard", "--note", "", "--keys", &keys];
    check(with_output("/dev/null", &add), 0, "it cannot be shown again");
    let before = fs::read(&keys).unwrap();
    check(on_a_full_disk(0, &add), 1, "cannot write");
    assert_eq!(fs::read(&keys).unwrap(), before, "the keys of before");
    let rows: String = (0..2_000).map(|row| format!("44.{row:04},-93.3\n")).collect();
    fs::write(&points, format!("lat,lon\n{rows}")).unwrap();
    check(on_a_full_disk(20, &["resolve", "--csv", &points, "--output", &out]), 1, "File too large");
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["keys", "keys.lock", "points.csv"], "nothing half done is left");
}

/// No command waits for a pipe, or reads a device to its end, if an option names it as a file.
#[test]
fn pipes_devices_and_folders_are_refused_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.to_str().unwrap(), "/dev/zero", folder.path().to_str().unwrap()] {
        for (args, code) in [
            (&["serve", "--config"][..], 1),
            (&["serve", "--keys"], 1),
            (&["serve", "--snapshot"], 2),
            (&["serve", "--layer"], 2),
            (&["inspect"], 1),
            (&["verify"], 1),
            (&["resolve", "44.9773", "-93.2655", "--snapshot"], 1),
            (&["resolve", "--address", "1 Main St, Minneapolis, MN", "--layer"], 1),
            (&["keys", "list", "--keys"], 1),
        ] {
            check(with_output("/dev/null", &[args, &[path]].concat()), code, "a folder, a pipe or a device");
        }
    }
}

/// Whether a process ignores SIGINT, which is the second bit of `SigIgn`.
#[cfg(target_os = "linux")]
fn ignores_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
}

/// A signal leaves no partial file: a file has no name until it is complete.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_leaves_no_half_of_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    for name in ["TERM", "INT", "KILL"] {
        let args = ["resolve", "--csv", "-", "--output", out.to_str().unwrap()];
        let mut child = with_output("/dev/null", &args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(format!("lat,lon\n{}", "44.9773,-93.2655\n".repeat(100_000)).as_bytes()).unwrap();
        let is_open = || {
            let open = fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
            open.flatten()
                .any(|open| fs::read_link(open.path()).is_ok_and(|to| to.starts_with(folder.path())))
        };
        assert!(comes_true(is_open), "the output is being written");
        // A shell starts background jobs with SIGINT ignored, and children inherit that.
        let signal_name = if name == "INT" && ignores_interrupts(child.id()) { "KILL" } else { name };
        signal(&child, signal_name);
        child.wait().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn an_output_that_nobody_takes_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    let keys = keys.to_str().unwrap();
    check(with_output("/dev/full", &["resolve", "44.9773", "-93.2655"]), 1, "No space left");
    let add = ["keys", "add", "--class", "standard", "--note", "", "--keys", keys];
    check(with_output("/dev/full", &add), 1, "could not be shown and is revoked");
    let listed = with_output("/dev/null", &["keys", "list", "--keys", keys]).stdout(Stdio::piped()).output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    assert_eq!(listed.matches('Z').count(), 2, "made and revoked: {listed}");
}

/// Exit codes stay the same if stderr is full, and a service still serves.
#[test]
fn a_full_stderr_stops_no_service() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let refused = with_output("/dev/null", &["resolve", "91", "0"]).stderr(full()).status().unwrap();
    assert_eq!(refused.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let listen = format!("unix:{}", socket.display());
    let serve = ["serve", "--offline", "--access-log", "full", "--site-url", "http://x", "--listen", &listen];
    let mut child = with_output("/dev/null", &serve).stderr(full()).spawn().unwrap();
    let asked = || {
        let mut stream = None;
        comes_true(|| {
            stream = UnixStream::connect(&socket).ok();
            stream.is_some()
        });
        let mut stream = stream?;
        stream.write_all(b"GET /v1/topics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    };
    let answers = [asked(), asked()];
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answers.iter().flatten().all(|answer| answer.starts_with("HTTP/1.1 200")), "{answers:?}");
    assert_eq!(answers.iter().flatten().count(), 2);
}
