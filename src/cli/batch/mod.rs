//! `platbook resolve --csv`: a file of points in, a file with their governments out.
//!
//! No row is lost: each row of the input is a row of the output, with all its fields, and one that cannot be
//! resolved says why in its `error` column. Pieces of the file go to all processors, and come back in their order.

mod columns;
mod formats;
mod input;
mod layout;
mod output;
mod records;
mod rows;
mod show;
mod values;

use std::{
    io::{self, IsTerminal, Read},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread::{self, available_parallelism},
};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use self::{
    columns::Column,
    formats::{Format, Names, RowWriter},
    layout::{Layout, LayoutArgs},
    output::Output,
    records::{Piece, Pieces},
    rows::{Counts, Done, REPORTS_MAX, Shared},
    values::Values,
};
use super::{UsageError, tell};
use crate::answers::Answers;

/// Pieces that each thread gets at a time.
const PIECES_PER_THREAD: usize = 4;

/// Options of `platbook resolve` for a file of points.
#[derive(Debug, clap::Args)]
pub(super) struct BatchArgs {
    /// File of points, a row each (- is stdin): CSV, also packed with gzip or zstd, or in UTF-16; writes each row
    /// with its governments to stdout
    #[arg(long, value_name = "IN", conflicts_with_all = ["lat", "lon", "address", "place", "state", "format"])]
    csv: Option<PathBuf>,
    #[command(flatten)]
    layout: LayoutArgs,
    /// Columns to add: `all`, or names with commas between, such as county,county_name,place_line_m
    #[arg(long, value_name = "NAMES", requires = "csv")]
    columns: Option<String>,
    /// Add who does a job, with office and page: `all`, or assessment,tax_collection and so on
    #[arg(long, value_name = "NAMES", requires = "csv")]
    functions: Option<String>,
    /// File to write to instead of stdout; packed where it ends in .gz or .zst
    #[arg(long, value_name = "FILE", requires = "csv")]
    output: Option<PathBuf>,
    /// Format of the output [default: by the name of the file to write to, else csv]
    #[arg(long, value_enum, value_name = "csv|jsonl|geojson", hide_possible_values = true, requires = "csv")]
    to: Option<Format>,
    /// Threads to resolve with [default: one per processor]
    #[arg(long, value_name = "N", requires = "csv")]
    threads: Option<NonZero<usize>>,
    /// Say at the end how many rows were resolved, outside and bad
    #[arg(long, requires = "csv")]
    summary: bool,
    /// Exit with 1 when a row could not be resolved
    #[arg(long, requires = "csv")]
    strict: bool,
}

impl BatchArgs {
    /// The file of points, where one is given.
    pub(super) fn input(&self) -> Option<&Path> {
        self.csv.as_deref()
    }

    fn format(&self) -> Format {
        let of_name = || Format::of_name(self.output.as_ref()?.to_str()?);
        self.to.or_else(of_name).unwrap_or(Format::Csv)
    }
}

/// Resolves each row of a file.
///
/// # Errors
/// When the file cannot be read or has no columns for coordinates, or the output cannot be written.
pub(super) fn run(input: &Path, args: &BatchArgs, answers: &Answers) -> Result<ExitCode> {
    let columns = columns::chosen(args.columns.as_deref(), args.functions.as_deref()).map_err(UsageError)?;
    let progress = progress();
    let mut pieces = Pieces::new(input::open(input, &progress)?)?;
    let layout = Layout::find(pieces.head(), &args.layout)?;
    let mut output = Output::open(args.output.as_deref())?;
    let names = Names::new(&layout, &columns);
    let shared = Shared { layout: &layout, names: &names, format: args.format() };
    if pieces.header(layout.delimiter)?.is_some_and(|header| header.is_open) {
        return Err(UsageError("line 1: a quote opens in the header and is never closed".to_owned()).into());
    }
    let threads = args.threads.or(available_parallelism().ok()).map_or(1, NonZero::get);
    let counts = resolve_all(&mut pieces, &shared, answers, &columns, threads, &mut output, &progress)?;
    output.finish()?;
    progress.finish_and_clear();
    report(counts, args.summary);
    let is_failure = counts.open > 0 || args.strict && counts.unresolved() > 0;
    Ok(if is_failure { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn report(counts: Counts, summary: bool) {
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
        let Counts { resolved, outside, bad, longer, .. } = counts;
        let longer =
            if longer > 0 { format!("; {longer} with more fields than the header") } else { String::new() };
        let rows = counts.rows();
        tell(format_args!("{rows} rows: {resolved} resolved, {outside} outside, {bad} bad{longer}"));
    }
}

/// Resolves batch after batch, each on all threads, while the next one is read.
fn resolve_all(
    pieces: &mut Pieces<impl Read>,
    shared: &Shared<'_>,
    answers: &Answers,
    columns: &[Column],
    threads: usize,
    output: &mut Output,
    progress: &ProgressBar,
) -> Result<Counts> {
    let mut workers: Vec<Values<'_>> = (0..threads).map(|_| Values::new(answers, columns)).collect();
    let mut joined = Joined { output, progress, counts: Counts::default(), reports: 0, is_first: true };
    let mut header = RowWriter::new(shared.format, shared.names);
    header.header(shared.names)?;
    joined.output.write(&header.finish())?;
    let mut batch = read_batch(pieces, 1)?;
    while !batch.is_empty() {
        let next_size = (batch.len() * 2).min(threads * PIECES_PER_THREAD);
        let (done, next) = resolve_batch(&batch, shared, &mut workers, || read_batch(pieces, next_size))?;
        done.into_iter().try_for_each(|done| joined.add(done, shared.format))?;
        batch = next;
    }
    joined.output.write(formats::footer(shared.format))?;
    Ok(joined.counts)
}

fn read_batch(pieces: &mut Pieces<impl Read>, size: usize) -> io::Result<Vec<Piece>> {
    let mut batch = Vec::with_capacity(size);
    while batch.len() < size
        && let Some(piece) = pieces.piece()?
    {
        batch.push(piece);
    }
    Ok(batch)
}

/// Resolves the pieces of a batch on the workers, and does something else in the meantime.
fn resolve_batch<T>(
    batch: &[Piece],
    shared: &Shared<'_>,
    workers: &mut [Values<'_>],
    meanwhile: impl FnOnce() -> io::Result<T>,
) -> Result<(Vec<Done>, T)> {
    let next = AtomicUsize::new(0);
    let work = |values: &mut Values<'_>| -> csv::Result<Vec<(usize, Done)>> {
        let mut done = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(piece) = batch.get(at)
        {
            done.push((at, rows::resolve(piece, shared, values)?));
        }
        Ok(done)
    };
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> =
            workers.iter_mut().take(batch.len()).map(|values| scope.spawn(move || work(values))).collect();
        let other = meanwhile();
        let mut all = Vec::with_capacity(batch.len());
        for worker in running {
            all.extend(worker.join().expect("resolving a row does not panic")?);
        }
        all.sort_unstable_by_key(|(at, _)| *at);
        Ok((all.into_iter().map(|(_, done)| done).collect(), other?))
    })
}

/// The output, and what is told of the rows in it.
struct Joined<'a> {
    output: &'a mut Output,
    progress: &'a ProgressBar,
    counts: Counts,
    reports: usize,
    /// Whether no row has been written yet.
    is_first: bool,
}

impl Joined<'_> {
    fn add(&mut self, done: Done, format: Format) -> Result<()> {
        // Each feature brings the comma before it; the first has none.
        let skip = usize::from(self.is_first && format == Format::Geojson).min(done.bytes.len());
        self.output.write(&done.bytes[skip..])?;
        self.is_first &= done.bytes.is_empty();
        self.counts.add(done.counts);
        for (line, reason) in done.reports.into_iter().take(REPORTS_MAX - self.reports) {
            self.progress.suspend(|| tell(format_args!("line {line}: {reason}")));
            self.reports += 1;
        }
        Ok(())
    }
}

/// A bar where a person watches.
fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left");
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
