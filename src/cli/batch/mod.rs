//! `platbook resolve --in`: reads a file of points, addresses or places and writes its rows with their governments.
//!
//! No row is lost: each row of the input is a row of the output, with all its fields. A row that cannot be resolved
//! has the reason in its `error` column. All processors resolve pieces of the file at once; the output keeps the
//! order of the pieces.

#[cfg(feature = "parquet")]
mod columnar;
mod fields;
mod formats;
mod input;
mod json_lines;
mod layout;
mod locate;
mod output;
mod point;
mod ready;
mod records;
mod rows;

use std::{
    collections::VecDeque,
    fmt,
    io::{self, IsTerminal, Read, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread::{self, available_parallelism},
};

use anyhow::Result;
use clap::{Arg, Args as _, Command};
use indicatif::{ProgressBar, ProgressStyle};

use self::{
    formats::{Compression, Format, Names, RowWriter, Target},
    layout::{Form, Kind, Layout, LayoutArgs},
    locate::Locator,
    output::Output,
    ready::Ready,
    records::{PIECE_BYTES, Piece, Pieces},
    rows::{Counts, Done, REPORTS_MAX},
};
#[cfg(feature = "parquet")]
pub(super) use columnar::TableWriter;

use super::{UsageError, number, tell};
use platbook::{
    answers::Answers,
    columns::{Column, Table},
    map_files::MapFiles,
    vocabulary::Date,
};

/// Number of pieces to read ahead for each thread. Chosen, not measured.
const PIECES_PER_THREAD: usize = 4;

/// Number of bytes to read ahead for each thread: a piece with one long row may be as large as many others.
const READ_AHEAD_BYTES: usize = PIECES_PER_THREAD * PIECE_BYTES;

/// Arguments of a single request, which cannot be combined with a file of points.
const SINGLE: [&str; 6] = ["lat", "lon", "address", "place", "state", "format"];

/// Whether this build reads and writes Parquet and Arrow. The help of other builds does not mention these formats.
const HAS_COLUMNS: bool = cfg!(feature = "parquet");

const INPUT_HELP: &str = if HAS_COLUMNS {
    "File of points, addresses or places (- for stdin), as CSV or JSON lines, also packed with gzip or zstd. Points may be Parquet \
     or Arrow, too. Each row is written to stdout with its governments"
} else {
    "File of points, addresses or places (- for stdin), as CSV or JSON lines, also packed with gzip or zstd. Each row is written to \
     stdout with its governments"
};

const TO_NAMES: &str = if HAS_COLUMNS { "csv|jsonl|geojson|parquet|arrow" } else { "csv|jsonl|geojson" };

const TO_HELP: &str = if HAS_COLUMNS {
    "Format of the output. Parquet and Arrow need an input of either [default: by the name of the file, else csv, or the \
     format of such an input]"
} else {
    "Format of the output [default: by the name of the file, else csv]"
};

/// Options of `platbook resolve` for a file of points.
#[derive(Debug, clap::Args)]
pub(super) struct BatchArgs {
    /// File of points, addresses or places; `-` is stdin.
    #[arg(long = "in", visible_alias = "csv", value_name = "FILE", help = INPUT_HELP)]
    input: Option<PathBuf>,
    #[command(flatten)]
    layout: LayoutArgs,
    /// Columns to add: `all`, or names separated by commas, such as county,county_name,place_line_m
    #[arg(long, value_name = "NAMES", requires = "input", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Functions to add, each with its body, office, page and telephone: `all`, or names such as assessment,recording
    #[arg(long, value_name = "NAMES", requires = "input", value_delimiter = ',')]
    functions: Option<Vec<String>>,
    /// File to write to instead of stdout; packed if its name ends in .gz or .zst
    #[arg(long = "out", visible_alias = "output", value_name = "FILE", requires = "input")]
    output: Option<PathBuf>,
    /// Format of the output.
    #[arg(
        long,
        value_enum,
        value_name = TO_NAMES,
        hide_possible_values = true,
        requires = "input",
        help = TO_HELP
    )]
    to: Option<Target>,
    /// Compression of Parquet and Arrow [default: zstd]
    #[arg(
        long,
        value_enum,
        value_name = "zstd|snappy|none",
        hide_possible_values = true,
        hide = !HAS_COLUMNS,
        requires = "input"
    )]
    compression: Option<Compression>,
    /// Threads to resolve with [default: one per processor]
    #[arg(long, value_name = "N", requires = "input", value_parser = number::from_one::<NonZero<usize>>)]
    threads: Option<NonZero<usize>>,
    /// Print at the end how many rows were resolved, how many lie outside of the covered states, and how many could not
    /// be read
    #[arg(long, requires = "input")]
    summary: bool,
    /// Exit with 1 if a row could not be resolved
    #[arg(long, requires = "input")]
    strict: bool,
}

impl BatchArgs {
    /// Adds the options to a command, and makes each conflict with [`SINGLE`]. A conflict of `input` only is not
    /// enough: with `--lat`, clap would then accept options that require `input`, without `input`.
    pub(super) fn add_to(command: Command) -> Command {
        let alone = BatchArgs::augment_args(Command::new("batch"));
        alone.get_arguments().map(Arg::get_id).fold(BatchArgs::augment_args(command), |command, id| {
            command.mut_arg(id, |argument| argument.conflicts_with_all(SINGLE))
        })
    }

    /// Returns the file of rows; `None` for a single request.
    pub(super) fn input(&self) -> Option<&Path> {
        self.input.as_deref()
    }

    /// Returns the format of the output; `None` if no option sets it.
    fn target(&self) -> Result<Option<Target>, UsageError> {
        self.to.map_or_else(|| Target::of_output(self.output.as_deref()), |target| Ok(Some(target)))
    }

    /// Returns the text format of the output.
    fn format(&self) -> Result<Format, UsageError> {
        for (option, is_given) in [
            ("--geometry-column", self.layout.geometry_column().is_some()),
            ("--compression", self.compression.is_some()),
        ] {
            if is_given {
                let what = format!("{option} is for Parquet and Arrow, and this is a file of text");
                return Err(UsageError(what));
            }
        }
        match self.target()? {
            None => Ok(Format::Csv),
            Some(Target::Text(format)) => Ok(format),
            Some(Target::Table(_)) => {
                let what = "expected csv, jsonl or geojson for an input of text; Parquet and Arrow need an input of either";
                Err(UsageError(what.to_owned()))
            }
        }
    }

    fn threads(&self) -> usize {
        self.threads.or(available_parallelism().ok()).map_or(1, NonZero::get)
    }

    fn columns(&self) -> Result<Vec<Column>, UsageError> {
        let [columns, functions] = [&self.columns, &self.functions]
            .map(|names| names.as_ref().map(|names| names.iter().map(String::as_str).collect::<Vec<_>>()));
        Column::chosen(columns.as_deref(), functions.as_deref())
            .map_err(|what| UsageError(format!("--{what}")))
    }
}

/// Resolves each row of a file, as of `day` if one is given.
///
/// # Errors
/// If the file cannot be read or has no columns for coordinates, or the output cannot be written.
pub(super) fn run(
    input: &Path,
    args: &BatchArgs,
    answers: Answers,
    map_files: &MapFiles,
    date: Option<Date>,
) -> Result<ExitCode> {
    let table = Table::new(Arc::new(answers), args.columns()?);
    let table = Arc::new(match date {
        Some(date) => table.on_day(date).map_err(|refusal| UsageError(format!("--{}", refusal.detail)))?,
        None => table,
    });
    let progress = progress();
    let mut report_row = |row: fmt::Arguments<'_>| progress.suspend(|| tell(row));
    let mut report = Report::new(&mut report_row);
    #[cfg(feature = "parquet")]
    let is_of_columns = columnar::resolve_file(input, args, &table, &progress, &mut report)?;
    #[cfg(not(feature = "parquet"))]
    let is_of_columns = false;
    if !is_of_columns {
        let job = Job { args, format: args.format()?, table, map_files };
        let file = input::open(input, &progress)?;
        let mut output = Output::open(args.output.as_deref())?;
        resolve_file(file, &job, &mut output, &mut report)?;
        output.finish()?;
    }
    let counts = report.counts;
    progress.finish_and_clear();
    say(counts, args.summary);
    let is_failure = counts.open > 0 || args.strict && counts.unresolved() > 0;
    Ok(if is_failure { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Resolves files in memory, with options as on the command line.
pub struct BatchInMemory {
    args: BatchArgs,
    format: Format,
    table: Arc<Table>,
    map_files: MapFiles,
}

impl BatchInMemory {
    /// Reads the options.
    ///
    /// # Errors
    /// The same as those of the command.
    pub fn new(options: &[&str], answers: &Arc<Answers>) -> Result<BatchInMemory> {
        use clap::FromArgMatches as _;
        let command = BatchArgs::augment_args(Command::new("batch"));
        let matches = command.try_get_matches_from(["batch", "--in", "-"].iter().chain(options))?;
        let args = BatchArgs::from_arg_matches(&matches)?;
        let table = Arc::new(Table::new(answers.clone(), args.columns()?));
        Ok(BatchInMemory { format: args.format()?, args, table, map_files: MapFiles::new(Vec::new()) })
    }

    /// Resolves the rows of a file. Returns the bytes of the output.
    ///
    /// # Errors
    /// The same as those of the command.
    pub fn resolve(&self, file: &[u8]) -> Result<Vec<u8>> {
        let BatchInMemory { args, format, table, map_files } = self;
        let job = Job { args, format: *format, table: Arc::clone(table), map_files };
        let file = input::unpacked(Box::new(io::Cursor::new(file.to_vec())), "the file")?;
        let mut written = Vec::new();
        resolve_file(file, &job, &mut written, &mut Report::new(&mut |_| {}))?;
        Ok(written)
    }
}

/// How to resolve a file.
struct Job<'a> {
    args: &'a BatchArgs,
    format: Format,
    table: Arc<Table>,
    /// Files that locate addresses.
    map_files: &'a MapFiles,
}

/// Resolves each row of a file and writes the results.
fn resolve_file(
    file: Box<dyn Read + Send>,
    job: &Job<'_>,
    output: &mut dyn Write,
    report: &mut Report<'_>,
) -> Result<()> {
    let mut pieces = Pieces::new(file)?;
    let layout = Layout::find(pieces.head(), &job.args.layout)?;
    if matches!(layout.kind, Kind::Address(_)) && job.map_files.is_empty() {
        let what = "expected --layer FILE: addresses of a file are located by layer files, and by no service";
        return Err(UsageError(what.to_owned()).into());
    }
    let is_tabbed = job.args.output.as_deref().is_some_and(|path| formats::ending(path) == "tsv");
    let delimiter = if is_tabbed { b'\t' } else { layout.delimiter() };
    let names = Names::new(&layout, job.table.columns(), pieces.head(), delimiter);
    match layout.form {
        Form::JsonLines => pieces.read_lines_only(),
        Form::Csv(delimiter) => {
            if let Some(header) = pieces.header(delimiter)?.filter(|header| header.is_open) {
                let line = header.first_line;
                let what = format!("line {line}: a quote opens in the header and is never closed");
                return Err(UsageError(what).into());
            }
        }
    }
    let writer = RowWriter::new(job.format, &names);
    let (send, tasks) = mpsc::channel();
    let (tasks, spare) = (Mutex::new(tasks), Mutex::default());
    let shared = Shared { job, layout: &layout, writer: &writer, tasks, spare };
    let mut joined = Joined { output, report, is_first: true };
    joined.output.write_all(&writer.header())?;
    resolve_all(&mut pieces, &shared, send, job.args.threads(), &mut joined)?;
    joined.output.write_all(formats::footer(writer.format()))?;
    Ok(())
}

fn say(counts: Counts, summary: bool) {
    if counts.unresolved() > REPORTS_MAX as u64 {
        tell(format_args!("{} rows in all were not resolved", counts.unresolved()));
    }
    if counts.open > 0 {
        tell(format_args!(
            "quotes in {} lines open and are never closed; each spoiled its own line",
            counts.open
        ));
    }
    if summary {
        let Counts { resolved, outside, bad, .. } = counts;
        let rows = counts.rows();
        tell(format_args!("{rows} rows: {resolved} resolved, {outside} outside, {bad} bad"));
    }
}

/// Maximum number of finished parts of a piece that wait to be written. These parts and the part in progress hold 20
/// MB together. A piece with all functions has this size, so its thread does not wait.
const PARTS_MAX: usize = 4;

/// Maximum size of a row buffer that is reused, in bytes: the buffer of a single long row is freed. Chosen, not
/// measured.
const SPARE_BYTES_MAX: usize = 8 << 20;

/// Some rows of a piece, or the reason why the piece cannot be read.
type Part = Result<Done, String>;

/// A piece for a thread, with the channel for its results, part by part.
type Task = (Piece, SyncSender<Part>);

/// The channel for a piece's results, and the size of the piece in bytes.
type Running = (Receiver<Part>, usize);

/// The data that all threads share.
struct Shared<'a> {
    job: &'a Job<'a>,
    layout: &'a Layout,
    writer: &'a RowWriter<'a>,
    /// Pieces that no thread has taken yet.
    tasks: Mutex<Receiver<Task>>,
    /// Buffers of rows that were written, for reuse.
    spare: Mutex<Vec<Vec<u8>>>,
}

/// Resolves pieces on all threads, reads ahead, and writes the rows in order.
fn resolve_all(
    pieces: &mut Pieces<impl Read>,
    shared: &Shared<'_>,
    tasks: Sender<Task>,
    threads: usize,
    joined: &mut Joined<'_, '_>,
) -> Result<()> {
    thread::scope(|scope| {
        // An early return drops the sender, which ends the threads.
        let tasks = tasks;
        (0..threads).for_each(|_| drop(scope.spawn(|| work(shared))));
        let (mut running, mut bytes): (VecDeque<Running>, _) = (VecDeque::new(), 0);
        let end = loop {
            let piece = match pieces.piece() {
                Ok(Some(piece)) => piece,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let (done, parts) = mpsc::sync_channel(PARTS_MAX);
            bytes += piece.bytes.len();
            running.push_back((parts, piece.bytes.len()));
            tasks.send((piece, done)).expect("threads wait for pieces until there are no more");
            // Bytes count as well: a piece with one long row may be as large as many others.
            while running.len() > threads * PIECES_PER_THREAD || bytes > threads * READ_AHEAD_BYTES {
                let Some((parts, piece_bytes)) = running.pop_front() else { break };
                joined.add(parts, shared)?;
                bytes -= piece_bytes;
            }
        };
        // The rows before an unreadable row are still written.
        running.into_iter().try_for_each(|(parts, _)| joined.add(parts, shared))?;
        Ok(end?)
    })
}

/// Resolves one piece after another, until the sender is dropped.
fn work(shared: &Shared<'_>) {
    let mut locator = Locator::new(shared.job.table.answers(), shared.job.map_files, shared.layout);
    let mut ready = Ready::new(&shared.job.table, shared.writer);
    let next = || shared.tasks.lock().expect("no thread panics while it takes a piece").recv();
    let spare = || shared.spare.lock().expect("no thread panics while it takes memory").pop();
    while let Ok((piece, parts)) = next() {
        let hand_over = |part| {
            parts.send(Ok(part)).ok();
            spare().unwrap_or_default()
        };
        let bytes = spare().unwrap_or_default();
        let last = rows::resolve(&piece, shared.layout, &mut locator, &mut ready, bytes, hand_over);
        // Fails if the output could not be written, because then no receiver is left.
        parts.send(last).ok();
    }
}

/// Counts rows and reports the first ones that were not resolved.
struct Report<'a> {
    report_row: &'a mut dyn FnMut(fmt::Arguments<'_>),
    counts: Counts,
    reports: usize,
}

impl<'a> Report<'a> {
    fn new(report_row: &'a mut dyn FnMut(fmt::Arguments<'_>)) -> Report<'a> {
        Report { report_row, counts: Counts::default(), reports: 0 }
    }

    /// Adds the counts of rows, and the line or row numbers of unresolved rows with the reasons. `unit` is the word
    /// for such a number.
    fn add(&mut self, counts: Counts, reports: Vec<(u64, String)>, unit: &str) {
        self.counts.add(counts);
        for (number, reason) in reports.into_iter().take(REPORTS_MAX - self.reports) {
            (self.report_row)(format_args!("{unit} {number}: {reason}"));
            self.reports += 1;
        }
    }
}

/// The output, with the report of its rows.
struct Joined<'a, 'r> {
    output: &'a mut dyn Write,
    report: &'a mut Report<'r>,
    /// Whether no row has been written yet.
    is_first: bool,
}

impl Joined<'_, '_> {
    /// Receives the parts of the next piece and writes their rows.
    fn add(&mut self, parts: Receiver<Part>, shared: &Shared<'_>) -> Result<()> {
        for part in parts {
            let Done { mut bytes, counts, reports } = part.map_err(anyhow::Error::msg)?;
            // Each feature begins with a comma; the first one must not.
            let is_geojson = shared.writer.format() == Format::Geojson;
            let skip = usize::from(self.is_first && is_geojson).min(bytes.len());
            self.output.write_all(&bytes[skip..])?;
            self.is_first &= bytes.is_empty();
            self.report.add(counts, reports, "line");
            bytes.clear();
            if bytes.capacity() <= SPARE_BYTES_MAX {
                shared.spare.lock().expect("no thread panics while it takes memory").push(bytes);
            }
        }
        Ok(())
    }
}

/// Makes a progress bar, which is hidden unless stderr is a terminal.
fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left");
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
