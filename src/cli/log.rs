//! Writes the log of a service to stderr, as text or JSON lines.
//!
//! By default, no line contains a caller's network address, a point, a query or a key.

use std::{
    borrow::Cow,
    fmt,
    io::{self, Write},
    panic,
    sync::mpsc::{self, SyncSender},
    thread,
};

use serde::Deserialize;
use tracing::{Event, Level, Metadata, Subscriber, field::Visit, level_filters::LevelFilter, subscriber};
use tracing_subscriber::{
    Layer as _, Registry,
    filter::filter_fn,
    fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter, format::Writer},
    layer::SubscriberExt as _,
    registry::LookupSpan,
};

use crate::http::AccessLog;
use platbook::vocabulary::is_unsafe_to_show;

/// The `tracing` target of the access log.
const ACCESS: &str = "access";

/// Maximum number of lines of the access log that wait to be written. Chosen, not measured.
const LINES_WAITING_MAX: usize = 8_192;

/// The form of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogForm {
    /// Plain text, for people and for collectors that add the time.
    #[default]
    Text,
    /// One JSON object per line, with its time.
    Json,
}

/// The lowest level that is logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogLevel {
    /// Only errors of the service.
    Error,
    /// Errors, and warnings for the operator.
    Warn,
    /// Also the start and end of work.
    #[default]
    Info,
    /// Also details for finding faults, which may contain requests.
    Debug,
}

impl LogLevel {
    fn filter(self) -> LevelFilter {
        match self {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        }
    }
}

/// The detail of the access log, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum AccessLogOption {
    /// Do not log requests
    Off,
    /// Request id, method, operation, status, bytes, microseconds, tier of limits
    Operations,
    /// The same with the caller's network address, path and query
    Full,
}

impl From<AccessLogOption> for AccessLog {
    fn from(option: AccessLogOption) -> AccessLog {
        match option {
            AccessLogOption::Off => AccessLog::Off,
            AccessLogOption::Operations => AccessLog::Operations,
            AccessLogOption::Full => AccessLog::Full,
        }
    }
}

/// Starts the log. Panics are logged without their text, which may contain parts of a request.
pub(super) fn start(form: LogForm, level: LogLevel) {
    let of_program = filter_fn(move |metadata: &Metadata<'_>| is_logged(metadata, level.filter()));
    let layer = tracing_subscriber::fmt::layer().with_writer(Outlets::start(form));
    let started = match form {
        LogForm::Text => {
            let layer = layer.event_format(Plain).with_filter(of_program);
            subscriber::set_global_default(Registry::default().with(layer))
        }
        LogForm::Json => {
            let layer = layer.json().flatten_event(true).with_filter(of_program);
            subscriber::set_global_default(Registry::default().with(layer))
        }
    };
    // A subscriber that exists already was set by a test.
    if started.is_ok() {
        panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            tracing::error!(place, "panic");
        }));
    }
}

/// The writers of lines. Lines of the service go straight to stderr. Lines of requests go through a thread, so that
/// no request waits for a slow reader of stderr.
struct Outlets {
    requests: SyncSender<Vec<u8>>,
    form: LogForm,
}

impl Outlets {
    fn start(form: LogForm) -> Outlets {
        let (sender, lines) = mpsc::sync_channel::<Vec<u8>>(LINES_WAITING_MAX);
        // The thread ends with the process. Lines that are lost then belong to requests that were cut off.
        thread::spawn(move || {
            for line in lines {
                let _ = io::stderr().write_all(&line);
            }
        });
        Outlets { requests: sender, form }
    }
}

impl<'w> MakeWriter<'w> for Outlets {
    type Writer = Outlet<'w>;

    fn make_writer(&'w self) -> Outlet<'w> {
        Outlet { requests: None, form: self.form }
    }

    fn make_writer_for(&'w self, metadata: &Metadata<'_>) -> Outlet<'w> {
        Outlet { requests: (metadata.target() == ACCESS).then_some(&self.requests), form: self.form }
    }
}

struct Outlet<'w> {
    /// The channel for lines of requests; `None` for other lines.
    requests: Option<&'w SyncSender<Vec<u8>>>,
    form: LogForm,
}

impl Write for Outlet<'_> {
    /// Writes one whole line: `tracing_subscriber` passes each line in one call.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let escaped = escaped(line, self.form);
        match self.requests {
            None => io::stderr().write_all(&escaped)?,
            // A full channel means that stderr is not read: lines are dropped and requests continue.
            Some(sender) => drop(sender.try_send(escaped.into_owned())),
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Escapes characters that control a terminal or are invisible, except for the line end. JSON requires escapes only
/// for C0 controls (RFC 8259, section 7), so `serde_json` leaves the others. The other characters occur only in
/// strings, where an escape means the same.
fn escaped(line: &[u8], form: LogForm) -> Cow<'_, [u8]> {
    let Ok(text) = str::from_utf8(line) else { return Cow::Borrowed(line) };
    let is_escaped = |letter: char| letter != '\n' && is_unsafe_to_show(letter);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(line);
    }
    let mut whole = String::with_capacity(2 * text.len());
    for letter in text.chars() {
        if !is_escaped(letter) {
            whole.push(letter);
            continue;
        }
        match form {
            LogForm::Text => whole.extend(letter.escape_unicode()),
            LogForm::Json => {
                let mut room = [0; 2];
                let units = letter.encode_utf16(&mut room).iter().map(|unit| format!("\\u{unit:04x}"));
                whole.extend(units);
            }
        }
    }
    Cow::Owned(whole.into_bytes())
}

/// Returns whether an event is logged: only events of this program are, and access lines are at any level.
fn is_logged(metadata: &Metadata<'_>, level: LevelFilter) -> bool {
    match metadata.target() {
        ACCESS => true,
        target => target.starts_with("platbook") && *metadata.level() <= level,
    }
}

/// Formats an event as `platbook: warning: message name=value`.
struct Plain;

impl<S, N> FormatEvent<S, N> for Plain
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let level = match *event.metadata().level() {
            Level::ERROR => "error: ",
            Level::WARN => "warning: ",
            _ => "",
        };
        let mut line = Line::default();
        event.record(&mut line);
        writeln!(writer, "platbook: {level}{}{}", line.message, line.fields)
    }
}

/// The text of a log line. Line ends and control characters of values are replaced.
#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_str(&mut self, field: &tracing::field::Field, value: &str) {
        let is_plain =
            !value.is_empty() && value.chars().all(|letter| letter.is_ascii_graphic() && letter != '"');
        if is_plain && field.name() != "message" {
            self.fields += &format!(" {}={value}", field.name());
        } else {
            self.record_debug(field, &value);
        }
    }

    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            let text = format!("{value:?}");
            self.message =
                text.chars().map(|letter| if is_unsafe_to_show(letter) { ' ' } else { letter }).collect();
        } else {
            let text = format!("{value:?}");
            self.fields += &format!(" {}={}", field.name(), text.replace(char::is_control, " "));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::subscriber::with_default;

    use super::*;

    /// Returns the text that the log writes for an event.
    fn written(event: impl FnOnce()) -> String {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let writer = Arc::clone(&lines);
        let layer = tracing_subscriber::fmt::layer().with_writer(move || Shared(Arc::clone(&writer)));
        with_default(Registry::default().with(layer.event_format(Plain)), event);
        let lines = lines.lock().unwrap();
        String::from_utf8(lines.clone()).unwrap()
    }

    #[test]
    fn no_line_holds_a_character_that_controls_or_hides() {
        const TEXT: &str = "a\u{9b}2J\u{202e}b\u{200b}c\u{e0041}d\u{7f} é東";
        let plain = escaped(TEXT.as_bytes(), LogForm::Text);
        let expected = "a\\u{9b}2J\\u{202e}b\\u{200b}c\\u{e0041}d\\u{7f} é東";
        assert_eq!(str::from_utf8(&plain).unwrap(), expected);
        let line = format!("{}\n", serde_json::json!({ "path": TEXT }));
        let json = escaped(line.as_bytes(), LogForm::Json);
        assert!(json.ends_with(b"}\n") && json.iter().filter(|byte| **byte == b'\n').count() == 1);
        let text = str::from_utf8(&json).unwrap();
        assert!(!text.trim_end().contains(is_unsafe_to_show), "{text:?}");
        let read: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(read["path"], TEXT, "an escape means the same");
        assert!(matches!(escaped(b"a plain line\n", LogForm::Json), Cow::Borrowed(_)));
    }

    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_event_is_one_line() {
        let file = "a\nb\u{1b}[31m";
        for (line, expected) in [
            (
                written(|| tracing::info!("listening on http://127.0.0.1:8080")),
                "platbook: listening on http://127.0.0.1:8080\n",
            ),
            (written(|| tracing::warn!("cannot read {file}")), "platbook: warning: cannot read a b [31m\n"),
            (
                written(|| tracing::error!(reason = "a b", place = "x.rs:1", "panic")),
                "platbook: error: panic reason=\"a b\" place=x.rs:1\n",
            ),
            (
                written(|| tracing::info!(file, status = 200, "request")),
                "platbook: request file=\"a\\nb\\u{1b}[31m\" status=200\n",
            ),
            (written(|| tracing::info!(tier = "", "request")), "platbook: request tier=\"\"\n"),
        ] {
            assert_eq!(line, expected);
        }
    }
}
