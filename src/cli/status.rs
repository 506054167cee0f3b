//! `platbook status`: shows the state of a running service from its metrics and `/readyz`.

use std::{collections::BTreeMap, fmt::Write as _, process::ExitCode, time::Duration};

use anyhow::{Context as _, Result, bail};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::{Request, StatusCode, body::Bytes, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::{net::TcpStream, runtime::Builder, time::timeout};
use url::Url;

use super::print;

/// The usual address of a service's metrics.
const URL: &str = "http://127.0.0.1:9464";

/// Maximum time to wait for the service. Chosen, not measured.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum length of a response in bytes. Chosen, not measured.
const ANSWER_BYTES_MAX: usize = 4 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {
    /// Address of the service's metrics, as in its --metrics-listen
    #[arg(long, value_name = "URL", env = "PLATBOOK_STATUS_URL", default_value = URL, value_parser = address)]
    url: Url,
}

fn address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(Url::has_host);
    url.ok_or_else(|| format!("expected an address such as {URL}, got {text:?}"))
}

/// Prints the state of a service. The exit code is 0 if the service is ready for requests.
pub(super) fn status(args: &StatusArgs) -> Result<ExitCode> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let ask = async {
        let ready = get(&args.url, "/readyz").await?;
        anyhow::Ok((ready, get(&args.url, "/metrics").await?))
    };
    let asked = runtime.block_on(async { timeout(PATIENCE, ask).await });
    let asked = asked.with_context(|| format!("no answer within {} s", PATIENCE.as_secs()));
    let ((status, ready), (_, figures)) = asked.flatten().with_context(|| {
        format!("cannot ask {}; a service listens there when it is started with --metrics-listen", args.url)
    })?;
    let (ready, figures) = (serde_json::from_str(&ready).unwrap_or_default(), Figures::read(&figures));
    match said(&ready, &figures) {
        Some(said) => print(&said)?,
        None => bail!("{} does not answer like a platbook service", args.url),
    }
    Ok(if status == StatusCode::OK { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the state of the service at this address, such as `ready`. `None` if the response is late or is not from a
/// platbook service.
pub(super) fn ready(url: &Url) -> Option<String> {
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let (_, body) = runtime.block_on(async { timeout(PATIENCE, get(url, "/readyz")).await }).ok()?.ok()?;
    let ready: Ready = serde_json::from_str(&body).ok()?;
    Some(ready.status).filter(|status| !status.is_empty())
}

/// The body of `/readyz`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ready {
    status: String,
    /// The source of the snapshot; `None` before the service has one.
    source: Option<String>,
    /// The reason why the served snapshot differs from that of its source; `None` if they are the same.
    behind: Option<String>,
    /// `shared`, or the reason why the servers divide the limits. `None` if this server counts only its own requests.
    limits: Option<String>,
}

/// Requests a path and returns the status and text of the response.
async fn get(url: &Url, path: &str) -> Result<(StatusCode, String)> {
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
    if url.scheme() != "http" {
        bail!("expected an address with http://, since metrics are served inside of a network");
    }
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = Request::get(path).header(header::HOST, format!("{host}:{port}"));
    let response = sender.send_request(request.body(Empty::<Bytes>::new())?).await?;
    let status = response.status();
    let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
    let body = body.map_err(|error| anyhow::anyhow!(error))?.to_bytes();
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}

/// The values on a page of metrics, by name. Each value has its labels.
struct Figures(BTreeMap<String, Vec<(String, f64)>>);

impl Figures {
    fn read(text: &str) -> Figures {
        let mut figures: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
        for line in text.lines().filter(|line| line.starts_with("platbook_")) {
            let Some((name, figure)) = line.rsplit_once(' ') else { continue };
            let (name, labels) = name.split_once('{').unwrap_or((name, ""));
            if let Ok(figure) = figure.parse() {
                let name = name.trim_start_matches("platbook_").to_owned();
                figures.entry(name).or_default().push((labels.trim_end_matches('}').to_owned(), figure));
            }
        }
        Figures(figures)
    }

    /// Returns the sum of the values with this label.
    fn sum(&self, name: &str, label: &str) -> f64 {
        let rows = self.0.get(name).into_iter().flatten();
        rows.filter(|(labels, _)| labels.contains(label))
            .map(|(_, figure)| figure)
            .fold(0.0, |sum, figure| sum + figure)
    }

    fn count(&self, name: &str, label: &str) -> u64 {
        self.sum(name, label) as u64
    }

    /// Returns the value of a label in the first row; `?` if no row has it.
    fn label(&self, name: &str, label: &str) -> &str {
        let row = self.0.get(name).and_then(|rows| rows.first());
        let value = row.and_then(|(labels, _)| labels.split_once(&format!("{label}=\"")));
        value.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("?")
    }

    /// Returns the upper bound of the histogram bucket that contains this percentile, in seconds. `None` if nothing was
    /// counted.
    fn percentile(&self, name: &str, percent: f64) -> Option<f64> {
        let bucket = format!("{name}_bucket");
        let mut bounds: Vec<(f64, f64)> = Vec::new();
        for (labels, count) in self.0.get(&bucket)? {
            let bound = labels.split_once("le=\"")?.1.split('"').next()?.parse().unwrap_or(f64::INFINITY);
            match bounds.iter_mut().find(|(known, _)| *known == bound) {
                Some((_, sum)) => *sum += count,
                None => bounds.push((bound, *count)),
            }
        }
        bounds.sort_by(|one, other| one.0.total_cmp(&other.0));
        let all = bounds.last()?.1;
        let wanted = all * percent / 100.0;
        bounds.into_iter().find(|(_, count)| all > 0.0 && *count >= wanted).map(|(bound, _)| bound)
    }

    /// Returns the values that a label has in rows with a figure above 0.
    fn raised(&self, name: &str, label: &str) -> Vec<&str> {
        let rows = self.0.get(name).into_iter().flatten().filter(|(_, figure)| *figure > 0.0);
        let begin = format!("{label}=\"");
        rows.filter_map(|(labels, _)| labels.split_once(&begin)?.1.split('"').next()).collect()
    }
}

/// Describes the state of a service; `None` if the responses are not from a platbook service. A service that waits
/// for its first snapshot has no metrics.
fn said(ready: &Ready, figures: &Figures) -> Option<String> {
    if ready.status == "waiting" {
        let why = ready.behind.as_deref().unwrap_or("no snapshot yet");
        return Some(format!("waiting: no snapshot to serve; {why}\n"));
    }
    if figures.0.is_empty() {
        return None;
    }
    let mut text = String::new();
    let known = ["ready", "warming", "draining"].into_iter().find(|word| ready.status == *word);
    let days = figures.sum("snapshot_age_seconds", "") / 86_400.0;
    let _ = writeln!(
        text,
        "{}: platbook {}, running for {}; snapshot of {}, {days:.1} days old ({})",
        known.unwrap_or("not ready"),
        figures.label("build_info", "version"),
        duration(figures.sum("running_seconds", "")),
        figures.label("snapshot_info", "as_of"),
        figures.label("snapshot_info", "digest"),
    );
    if let Some(source) = &ready.source {
        let behind = ready.behind.as_deref().map(|why| format!("; behind its source: {why}"));
        let _ = writeln!(text, "snapshot: {source}{}", behind.unwrap_or_default());
    }
    match ready.limits.as_deref() {
        None => {}
        Some("shared") => text.push_str("limits: shared with the other servers\n"),
        Some(why) => {
            let _ = writeln!(text, "limits: divided among the servers, because {why}");
        }
    }
    of_certificate(&mut text, figures);
    of_requests(&mut text, figures);
    of_connections(&mut text, figures);
    of_services(&mut text, figures);
    let _ = writeln!(
        text,
        "memory: {} of its own; caches hold {} of {}",
        mebibytes(figures.sum("own_memory_bytes", "")),
        mebibytes(figures.sum("cache_bytes", "")),
        mebibytes(figures.sum("memory_budget_bytes", "")),
    );
    Some(text)
}

/// The advice for a certificate that should be replaced by now.
const NOT_NEWER: &str = "no newer one could be used, see the log";

/// Adds how long the certificate is valid; adds nothing for a service without TLS.
fn of_certificate(text: &mut String, figures: &Figures) {
    if !figures.0.contains_key("certificate_behind") {
        return;
    }
    let left_s = figures.0.contains_key("certificate_expires_seconds");
    let left_s = left_s.then(|| figures.sum("certificate_expires_seconds", ""));
    let is_behind = figures.count("certificate_behind", "") > 0;
    let (validity, after) = match left_s {
        None => ("none yet".to_owned(), "the authority has issued none, see the log"),
        Some(left_s) if left_s < 0.0 => (format!("EXPIRED {} ago", duration(-left_s)), NOT_NEWER),
        Some(left_s) => (format!("valid for {}", duration(left_s)), NOT_NEWER),
    };
    let after = if is_behind { format!("; {after}") } else { String::new() };
    let _ = writeln!(text, "certificate: {validity}{after}");
}

fn of_requests(text: &mut String, figures: &Figures) {
    let of_status = |status: &str| figures.count("requests_total", &format!("status=\"{status}"));
    let _ = writeln!(
        text,
        "requests: {} answered; {} over a limit, {} rejected as busy or for an unavailable service, {} failed",
        figures.count("requests_total", ""),
        of_status("429"),
        of_status("503"),
        of_status("500"),
    );
    let bound = |percent| match figures.percentile("request_seconds", percent) {
        Some(seconds) if seconds.is_finite() => duration(seconds),
        Some(_) => "more than 10 s".to_owned(),
        None => "-".to_owned(),
    };
    let _ = writeln!(text, "time: half within {}, 99 of 100 within {}", bound(50.0), bound(99.0));
}

fn of_connections(text: &mut String, figures: &Figures) {
    let rejected = |reason: &str| figures.count("connections_rejected_total", reason);
    let _ = writeln!(
        text,
        "connections: {} open; rejected: {} because all were taken, {} of addresses with too many, {} in overload; {} cut",
        figures.count("connections_open", ""),
        rejected("full"),
        rejected("address"),
        rejected("overload"),
        figures.count("connections_cut_total", ""),
    );
    if figures.count("shedding", "") > 0 {
        let waits = duration(figures.sum("queue_seconds", ""));
        let _ = writeln!(text, "overloaded: work waits {waits}; a share of the requests is rejected");
    }
}

fn of_services(text: &mut String, figures: &Figures) {
    let calls = |outcome: &str| figures.count("service_calls_total", &format!("outcome=\"{outcome}"));
    let resting = figures.raised("service_rests", "service");
    let rest = if resting.is_empty() {
        String::new()
    } else {
        format!("; paused after failures: {}", resting.join(", "))
    };
    let _ = writeln!(
        text,
        "outside: {} calls answered, {} failed, {} spared{rest}",
        calls("answered"),
        calls("failed"),
        calls("spared"),
    );
}

/// Formats a duration in a suitable unit.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

fn mebibytes(bytes: f64) -> String {
    format!("{:.1} MiB", bytes / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# TYPE platbook_requests counter
platbook_requests_total{operation=\"search\",status=\"200\"} 7
platbook_requests_total{operation=\"search\",status=\"429\"} 2
platbook_requests_total{operation=\"pages\",status=\"200\"} 1
platbook_request_seconds_bucket{le=\"0.00001\",operation=\"search\"} 4
platbook_request_seconds_bucket{le=\"0.5\",operation=\"search\"} 9
platbook_request_seconds_bucket{le=\"+Inf\",operation=\"search\"} 9
platbook_request_seconds_bucket{le=\"0.00001\",operation=\"pages\"} 1
platbook_request_seconds_bucket{le=\"0.5\",operation=\"pages\"} 1
platbook_request_seconds_bucket{le=\"+Inf\",operation=\"pages\"} 1
platbook_snapshot_info{digest=\"0f\",as_of=\"2026-11-20T00:00:00Z\"} 1.0
platbook_service_rests{service=\"flood\"} 1.0
platbook_service_rests{service=\"soils\"} 0.0
# EOF
";

    fn ready(json: &str) -> Ready {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_service_says_where_its_snapshot_comes_from() {
        for (json, page, expected) in [
            (r#"{"status":"ready","source":"fetched"}"#, PAGE, Some("\nsnapshot: fetched\n")),
            (
                r#"{"status":"ready","as_of":"2026-11-20T00:00:00Z","source":"built in","behind":"the address is dead"}"#,
                PAGE,
                Some("\nsnapshot: built in; behind its source: the address is dead\n"),
            ),
            (
                r#"{"status":"waiting","behind":"the address is dead"}"#,
                "{}",
                Some("waiting: no snapshot to serve; the address is dead\n"),
            ),
            (
                r#"{"status":"ready","limits":"shared"}"#,
                PAGE,
                Some("\nlimits: shared with the other servers\n"),
            ),
            (
                r#"{"status":"ready","limits":"the store is not connected"}"#,
                PAGE,
                Some("\nlimits: divided among the servers, because the store is not connected\n"),
            ),
            (r#"{"status":"ready"}"#, "# nothing\n", None),
        ] {
            let said = said(&ready(json), &Figures::read(page));
            let is_there = |expected: &str| said.as_ref().is_some_and(|said| said.contains(expected));
            assert_eq!(expected.is_some_and(is_there), expected.is_some(), "{json}: {said:?}");
            assert_eq!(said.is_some(), expected.is_some(), "{json}");
        }
    }

    #[test]
    fn a_certificate_says_how_long_it_is_valid() {
        for (expires, behind, expected) in [
            ("6000000", "0.0", "certificate: valid for 69 days\n"),
            ("-90000", "1.0", "certificate: EXPIRED 25 h ago; no newer one could be used, see the log\n"),
            ("", "1.0", "certificate: none yet; the authority has issued none, see the log\n"),
            ("", "", ""),
        ] {
            let line = |name: &str, figure: &str| match figure {
                "" => String::new(),
                figure => format!("platbook_certificate_{name} {figure}\n"),
            };
            let page = line("expires_seconds", expires) + &line("behind", behind);
            let mut text = String::new();
            of_certificate(&mut text, &Figures::read(&page));
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn figures_are_put_into_words() {
        let said = said(&ready(r#"{"status":"ready"}"#), &Figures::read(PAGE)).unwrap();
        for part in [
            "ready: platbook ?, running for 0 us; snapshot of 2026-11-20T00:00:00Z, 0.0 days old (0f)",
            "requests: 10 answered; 2 over a limit, 0 rejected as busy",
            "time: half within 10 us, 99 of 100 within 500 ms",
            "paused after failures: flood\n",
        ] {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
        assert!(Figures::read("# nothing\nfoo 1\n").0.is_empty());
    }
}
