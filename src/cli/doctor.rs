//! `platbook doctor`: checks all that `platbook serve` needs with the same settings, and says how to correct faults.
//!
//! Writes nothing and calls nothing outside of this machine. Asks a service that already runs for its state.

use std::{
    fmt, fs, io,
    net::{IpAddr, Ipv4Addr, TcpListener},
    process::ExitCode,
};

use anyhow::{Error, Result};
use url::Url;

#[cfg(feature = "tls")]
use super::tls::faults;
use super::{
    first_run::{age_days, contents},
    listen::{ListenAddress, reachable},
    print,
    serve::{ServeArgs, Settings, Switch, key_ring},
    status, variables,
};
use crate::{
    http::{Capacity, limits::Network},
    shipping::Clock,
    system::SocketFile,
};
use platbook::{directory::Directory, vocabulary::with_causes};

/// Age in days from which a snapshot is noticeably out of date. Chosen, not measured.
const OLD_DAYS: i64 = 90;

/// Open files besides connections: libraries, the snapshot, logs, lookups. Chosen, not measured.
const OTHER_FILES: u64 = 200;

/// Memory besides the caches, in MiB. Measured: 9,900 connections with a request each, see `Capacity`.
const CONNECTIONS_MIB: u64 = 203;

/// Addresses of no host (RFC 5737). Trusted proxies that include both addresses include the whole internet.
const STRANGERS: [Ipv4Addr; 2] = [Ipv4Addr::new(192, 0, 2, 1), Ipv4Addr::new(203, 0, 113, 1)];

/// Prints the result of each check. The exit code is 1 if a check found a fault.
pub(super) fn doctor(args: ServeArgs) -> Result<ExitCode> {
    variables::warn_of_unknown();
    let settings = args.settings()?;
    let checks = checks(&settings, &Machine::this());
    let count = |verdict: Verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let (faults, notes) = (count(Verdict::Fault), count(Verdict::Note));
    let mut text: String = checks.iter().map(Check::to_string).collect();
    text += &format!("{faults} faults, {notes} notes\n");
    print(&text)?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How much a result matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Fine,
    /// The service runs, but probably not as the operator intends.
    Note,
    /// The service does not start, or is not safe to run.
    Fault,
}

/// The result of one check, with advice.
#[derive(Debug)]
struct Check {
    verdict: Verdict,
    subject: &'static str,
    says: String,
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Fine => "ok",
            Verdict::Note => "note",
            Verdict::Fault => "FAULT",
        };
        writeln!(out, "{verdict:<6} {:<9} {}", self.subject, self.says)
    }
}

/// Limits and memory of this machine; `None` if the system does not report them.
#[derive(Debug, Default)]
struct Machine {
    /// Maximum number of open files of a process.
    files_max: Option<u64>,
    /// Available memory in MiB, within the limit of the container.
    memory_mib: Option<u64>,
}

impl Machine {
    /// Reads the limits of this process, from Linux's `/proc` and `/sys`.
    fn this() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Machine {
            files_max: files_max(&read("/proc/self/limits")),
            memory_mib: memory_mib(&read("/proc/meminfo"), &read("/sys/fs/cgroup/memory.max")),
        }
    }
}

/// Reads the soft limit of open files. `None` if the line is missing or sets no limit.
fn files_max(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Reads the available memory in MiB: that of the machine or of the container, whichever is smaller.
fn memory_mib(meminfo: &str, cgroup_max: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let machine =
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map(|kib| kib >> 10);
    let container = cgroup_max.trim().parse::<u64>().ok().map(|bytes| bytes >> 20);
    machine.into_iter().chain(container).min()
}

fn checks(settings: &Settings, machine: &Machine) -> Vec<Check> {
    let mut found =
        vec![snapshot(settings), clock(), port("port", &settings.listen.clone().unwrap_or_default())];
    found.extend(settings.metrics_listen.as_ref().map(|at| port("metrics", at)));
    #[cfg(feature = "tls")]
    found.extend(tls(settings));
    found.extend([
        address(settings),
        proxies(settings),
        limits(settings),
        files(machine),
        memory(settings, machine),
    ]);
    found
}

fn fine(subject: &'static str, says: impl Into<String>) -> Check {
    Check { verdict: Verdict::Fine, subject, says: says.into() }
}

fn note(subject: &'static str, says: impl Into<String>) -> Check {
    Check { verdict: Verdict::Note, subject, says: says.into() }
}

fn fault(subject: &'static str, says: impl Into<String>) -> Check {
    Check { verdict: Verdict::Fault, subject, says: says.into() }
}

/// Returns all messages of an error and its causes.
fn text_of(error: &Error) -> String {
    with_causes(error.as_ref()).to_string()
}

fn snapshot(settings: &Settings) -> Check {
    const SUBJECT: &str = "snapshot";
    if let Some((url, folder)) = settings.fresh.remote() {
        return match fs::metadata(&folder) {
            Ok(found) if found.is_dir() => {
                fine(SUBJECT, format!("fetched from {url} into {}", folder.display()))
            }
            _ => fault(
                SUBJECT,
                format!("{} is not a folder; make it, for the user of the service alone", folder.display()),
            ),
        };
    }
    match settings.fresh.open() {
        Ok(start) => start.first().map_or_else(
            || fault(SUBJECT, "no snapshot is built in or named; name a file with --snapshot"),
            aged,
        ),
        Err(error) => fault(SUBJECT, format!("{}; name a file with --snapshot", text_of(&error))),
    }
}

fn aged(directory: &Directory) -> Check {
    let says = contents(directory);
    match age_days(directory.as_of()) {
        Some(days) if days > OLD_DAYS => {
            note("snapshot", format!("{says}; take a newer release, or follow one with --snapshot-url"))
        }
        _ => fine("snapshot", says),
    }
}

fn clock() -> Check {
    match Clock::default().fault() {
        Some(says) => fault("clock", format!("{says}; set it, or start the time service")),
        None => fine("clock", format!("{:.0}", jiff::Timestamp::now())),
    }
}

fn port(subject: &'static str, at: &ListenAddress) -> Check {
    let (address, problem) = match at {
        ListenAddress::Network(address) => (*address, TcpListener::bind(address).err()),
        ListenAddress::File(path) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let bound = runtime.map_err(Error::from).and_then(|runtime| {
                let _inside = runtime.enter();
                SocketFile::bind(path).map(drop).map_err(Error::from)
            });
            return match bound {
                Ok(()) => fine(subject, format!("{at} can be made")),
                Err(error) => fault(subject, text_of(&error)),
            };
        }
    };
    let Some(problem) = problem else { return fine(subject, format!("{at} is free")) };
    let running =
        || Url::parse(&format!("http://{}", reachable(address))).ok().and_then(|url| status::ready(&url));
    match problem.kind() {
        io::ErrorKind::AddrInUse => match running() {
            Some(ready) => fine(subject, format!("a platbook listens on {at} already; it is {ready}")),
            None => {
                fault(subject, format!("{at} is in use; stop the program that uses it, or give another port"))
            }
        },
        io::ErrorKind::PermissionDenied => fault(
            subject,
            format!("{at} is not permitted; give a port above 1023, or the right to use this one"),
        ),
        _ => fault(subject, format!("{at}: {problem}; give an address of this machine")),
    }
}

fn address(settings: &Settings) -> Check {
    match (&settings.site_url, settings.listen.clone().unwrap_or_default()) {
        (Some(site), _) => fine("address", format!("answers link to {site}; other host names are refused")),
        (None, ListenAddress::File(_)) => {
            fault("address", "a socket file has no address that answers could link to; give --site-url")
        }
        (None, ListenAddress::Network(at)) if at.ip().is_loopback() => {
            fine("address", "for this machine alone; give --site-url for others")
        }
        (None, ListenAddress::Network(at)) => note(
            "address",
            format!("answers link to http://{}; give the public address with --site-url", reachable(at)),
        ),
    }
}

/// Checks the TLS certificate; `None` without TLS.
#[cfg(feature = "tls")]
fn tls(settings: &Settings) -> Option<Check> {
    const SUBJECT: &str = "tls";
    let certificates = match settings.certificates() {
        Ok(certificates) => certificates?,
        Err(error) => return Some(fault(SUBJECT, text_of(&error))),
    };
    let Some(certificate) = certificates.tls.certificate() else {
        return Some(note(SUBJECT, "no certificate yet; serve orders it, and handshakes fail until then"));
    };
    let faults = faults(&certificate, settings.site_url.as_deref());
    Some(match faults.as_slice() {
        [] if certificate.is_rsa() => note(
            SUBJECT,
            format!(
                "{certificate}; its key is of RSA, and one of ECDSA (P-256) makes handshakes several times as fast"
            ),
        ),
        [] => fine(SUBJECT, certificate.to_string()),
        faults => fault(SUBJECT, faults.join("; ")),
    })
}

fn proxies(settings: &Settings) -> Check {
    const SUBJECT: &str = "proxy";
    let trusted: &[Network] = settings.trusted_proxy.as_deref().unwrap_or_default();
    let is_trusted = |address: &Ipv4Addr| trusted.iter().any(|range| range.contains(IpAddr::V4(*address)));
    if STRANGERS.iter().all(is_trusted) {
        return fault(
            SUBJECT,
            "everybody is trusted and can claim any address; name only the proxies with --trusted-proxy",
        );
    }
    let is_https = settings.site_url.as_deref().is_some_and(|site| site.starts_with("https://"));
    let is_behind_one = is_https && !settings.has_tls();
    let is_file = matches!(settings.listen, Some(ListenAddress::File(_)));
    match trusted {
        [] if settings.limits == Some(Switch::Off) => fine(SUBJECT, "none; limits are off"),
        [] if is_behind_one || is_file => note(
            SUBJECT,
            "all callers behind it count as one; name it with --trusted-proxy, and let it set X-Forwarded-For",
        ),
        [] => fine(SUBJECT, "none is trusted"),
        ranges => {
            let ranges: Vec<String> = ranges.iter().map(Network::to_string).collect();
            fine(
                SUBJECT,
                format!(
                    "{}; it must set X-Forwarded-For or Forwarded, and drop the other",
                    ranges.join(", ")
                ),
            )
        }
    }
}

/// Maximum time to wait for a store of limits. Chosen, not measured.
#[cfg(feature = "fleet")]
const STORE_PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

fn limits(settings: &Settings) -> Check {
    const SUBJECT: &str = "limits";
    if let Err(error) = key_ring(settings) {
        return fault(SUBJECT, text_of(&error));
    }
    #[cfg(feature = "fleet")]
    if let Ok(Some(fleet)) = settings.fleet.fleet() {
        let (store, replicas) = (&fleet.store, fleet.replicas);
        return match store.check(STORE_PATIENCE) {
            Ok(()) => fine(SUBJECT, format!("on; {replicas} servers share them through {store}")),
            Err(why) => fault(
                SUBJECT,
                format!("--limits-store: {store} does not count: {why}; start it, or correct the address"),
            ),
        };
    }
    let is_off = settings.limits == Some(Switch::Off);
    let is_open = matches!(&settings.listen, Some(ListenAddress::Network(at)) if !at.ip().is_loopback());
    let is_public = is_open || settings.site_url.is_some();
    match (is_off, is_public) {
        (true, true) => note(SUBJECT, "off, and others reach this service; leave out --limits off"),
        (true, false) => fine(SUBJECT, "off, for private use"),
        (false, _) if settings.keys.is_some() => fine(SUBJECT, "on; the file of keys can be read"),
        (false, _) => fine(SUBJECT, "on; without keys"),
    }
}

fn files(machine: &Machine) -> Check {
    let needed = u64::from(Capacity::default().connections_max) + OTHER_FILES;
    match machine.files_max {
        Some(files) if files < needed => note(
            "files",
            format!(
                "{files} open files are fewer than {needed}; raise it with LimitNOFILE= of systemd or ulimit -n"
            ),
        ),
        Some(files) => fine("files", format!("{files} may be open")),
        None => fine("files", "without a known limit"),
    }
}

fn memory(settings: &Settings, machine: &Machine) -> Check {
    let caches = settings.memory.map_or(64, |mib| u64::from(mib.get()));
    let needed = caches + CONNECTIONS_MIB;
    match machine.memory_mib {
        Some(free) if free < needed => note(
            "memory",
            format!(
                "{free} MiB are available, and {needed} are taken under full load; lower --memory, or add some"
            ),
        ),
        Some(free) => fine("memory", format!("{free} MiB are available; caches take {caches} at most")),
        None => fine("memory", format!("caches take {caches} MiB at most")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        args: ServeArgs,
    }

    fn settings(args: &[&str]) -> Settings {
        let given = Given::try_parse_from([&["doctor"][..], args].concat()).unwrap();
        given.args.settings().unwrap()
    }

    fn check_of(subject: &str, args: &[&str], machine: &Machine) -> Check {
        checks(&settings(args), machine).into_iter().find(|check| check.subject == subject).unwrap()
    }

    /// Arguments for a store of limits at a port where nothing listens.
    const AWAY: [&str; 4] = ["--limits-store", "redis://127.0.0.1:1", "--limits-replicas", "3"];

    #[test]
    fn each_fault_says_what_to_do() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = taken.local_addr().unwrap().to_string();
        let (small, large) = (
            Machine { files_max: Some(1_024), memory_mib: Some(100) },
            Machine { files_max: Some(16_384), memory_mib: Some(2_000) },
        );
        let unknown = Machine::default();
        for (subject, args, machine, verdict, says) in [
            ("snapshot", &[][..], &large, Verdict::Fine, "3235 counties"),
            (
                "snapshot",
                &["--snapshot", "Cargo.toml"],
                &large,
                Verdict::Fault,
                "expected a platbook snapshot",
            ),
            ("snapshot", &["--snapshot", "/no/file"], &large, Verdict::Fault, "cannot read /no/file"),
            (
                "snapshot",
                &["--snapshot-url", "https://a.example/us", "--snapshot-dir", "/no/folder"],
                &large,
                Verdict::Fault,
                "/no/folder is not a folder",
            ),
            (
                "snapshot",
                &["--snapshot-url", "https://a.example/us", "--snapshot-dir", "/"],
                &large,
                Verdict::Fine,
                "fetched from https://a.example/us",
            ),
            ("clock", &[], &large, Verdict::Fine, "20"),
            ("port", &["--listen", "127.0.0.1:0"], &large, Verdict::Fine, "is free"),
            ("port", &["--listen", &taken], &large, Verdict::Fault, "is in use; stop the program"),
            (
                "port",
                &["--listen", "192.0.2.1:80"],
                &large,
                Verdict::Fault,
                "give an address of this machine",
            ),
            ("port", &["--listen", "unix:/no/folder/s"], &large, Verdict::Fault, "cannot listen on unix:/no"),
            ("metrics", &["--metrics-listen", &taken], &large, Verdict::Fault, "is in use"),
            ("address", &[], &large, Verdict::Fine, "this machine alone"),
            ("address", &["--listen", ":0"], &large, Verdict::Note, "give the public address"),
            ("address", &["--listen", "unix:/no/s"], &large, Verdict::Fault, "give --site-url"),
            ("proxy", &["--site-url", "https://a.example"], &large, Verdict::Note, "count as one"),
            ("proxy", &["--trusted-proxy", "10.0.0.0/8"], &large, Verdict::Fine, "10.0.0.0/8; it must set"),
            ("proxy", &["--trusted-proxy", "0.0.0.0/0"], &large, Verdict::Fault, "everybody is trusted"),
            ("limits", &[], &large, Verdict::Fine, "on; without keys"),
            ("limits", &["--limits", "off"], &large, Verdict::Fine, "private use"),
            ("limits", &["--limits", "off", "--listen", ":0"], &large, Verdict::Note, "others reach"),
            ("limits", &["--keys", "Cargo.toml"], &large, Verdict::Fault, "--keys"),
            ("limits", &AWAY[..], &large, Verdict::Fault, "127.0.0.1:1 does not count"),
            ("files", &[], &small, Verdict::Note, "1024 open files are fewer than 10200"),
            ("files", &[], &large, Verdict::Fine, "16384"),
            ("files", &[], &unknown, Verdict::Fine, "without a known limit"),
            ("memory", &[], &small, Verdict::Note, "100 MiB are available, and 267"),
            ("memory", &["--memory", "1900"], &large, Verdict::Note, "lower --memory"),
            ("memory", &[], &large, Verdict::Fine, "2000 MiB are available"),
        ] {
            let check = check_of(subject, args, machine);
            assert_eq!(check.verdict, verdict, "{args:?}: {check}");
            assert!(check.says.contains(says), "{args:?}: {check}");
        }
    }

    /// The check opens one connection to the store, and starts no thread of a fleet.
    #[cfg(feature = "fleet")]
    #[test]
    fn a_check_of_limits_starts_nothing() {
        let store = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("redis://{}", store.local_addr().unwrap());
        let connections = std::thread::spawn(move || {
            drop(store.accept().unwrap());
            std::thread::sleep(std::time::Duration::from_millis(300));
            store.set_nonblocking(true).unwrap();
            1 + store.incoming().map_while(Result::ok).count()
        });
        let args = ["--limits-store", &url, "--limits-replicas", "3"];
        let check = check_of("limits", &args, &Machine::default());
        assert_eq!((check.verdict, connections.join().unwrap()), (Verdict::Fault, 1), "{check}");
    }

    #[cfg(feature = "tls")]
    #[test]
    fn a_service_with_tls_needs_a_certificate() {
        let files = ["--tls-cert", "/no/cert", "--tls-key", "/no/key"];
        let orders = ["--acme-domain=a.example", "--acme-dir=/no/folder", "--site-url=https://a.example"];
        for (subject, args, verdict, says) in [
            ("tls", &files[..], Verdict::Fault, "cannot read /no/cert"),
            ("tls", &orders, Verdict::Note, "no certificate yet"),
            ("proxy", &orders, Verdict::Fine, "none is trusted"),
        ] {
            let check = check_of(subject, args, &Machine::default());
            assert_eq!(check.verdict, verdict, "{args:?}: {check}");
            assert!(check.says.contains(says), "{args:?}: {check}");
        }
    }

    #[test]
    fn limits_are_read_as_linux_writes_them() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max open files            1024                 1048576              files\n";
        assert_eq!(files_max(limits), Some(1_024));
        assert_eq!(files_max("Max open files            unlimited  unlimited  files\n"), None);
        let meminfo = "MemTotal:       24000000 kB\nMemAvailable:    2097152 kB\n";
        for (meminfo, cgroup, expected) in [
            (meminfo, "max\n", Some(2_048)),
            (meminfo, "536870912\n", Some(512)),
            (meminfo, "", Some(2_048)),
            ("", "536870912\n", Some(512)),
            ("", "", None),
        ] {
            assert_eq!(memory_mib(meminfo, cgroup), expected, "{cgroup:?}");
        }
    }
}
