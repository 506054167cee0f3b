//! Resolves Parquet and Arrow files. Rows are read and written as arrays, never as text.
//!
//! Each thread takes the next group of rows of the input, resolves it and encodes it. Groups are written in their
//! order, so memory holds a few groups, whatever the size of the file. Columns of the input are not changed.

mod input;
mod output;
mod table;

use std::{
    any::Any,
    io::{self, IsTerminal as _},
    panic,
    path::Path,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use anyhow::{Result, anyhow};
use arrow_array::{Array as _, RecordBatch, RecordBatchReader, cast::AsArray as _};
use arrow_schema::ArrowError;
use indicatif::ProgressBar;

use super::{
    super::UsageError,
    BatchArgs, Report,
    formats::{Compression, TableFormat, Target},
    output::Output,
    rows::{Counts, REPORTS_MAX},
};
pub(in crate::cli) use table::TableWriter;

use input::Input;
use output::{Encoder, Group};
use platbook::columns::{
    OUTSIDE, Table,
    arrow::{Appender, Encoding},
};

/// Number of rows in a batch. Chosen, not measured: with all functions, a batch takes some 50 MB as plain text.
const BATCH_ROWS: usize = 1 << 14;

/// Number of rows in a group, which is a row group of Parquet. Chosen, not measured; row groups of DuckDB are about
/// as large.
const GROUP_ROWS: usize = 1 << 17;

/// A resolved group with its counts and the first unresolved rows, each with its number in the file, from 1.
struct Done {
    group: Group,
    rows: u64,
    counts: Counts,
    reports: Vec<(u64, String)>,
}

/// The data that all threads share.
struct Shared {
    /// `None` after the last group.
    input: Mutex<Option<Reading>>,
    encoder: Encoder,
}

/// The open input, with the channel that passes on the results in the order of groups.
struct Reading {
    reader: Box<dyn RecordBatchReader + Send>,
    /// The number of rows that were read.
    rows: u64,
    /// Blocks while too many groups wait to be written.
    results: SyncSender<Receiver<Result<Done>>>,
}

/// A group that was read: the number of rows before it, its batches, and the channel for its result.
struct Task {
    rows_before: u64,
    batches: Vec<RecordBatch>,
    result: SyncSender<Result<Done>>,
}

/// Resolves a Parquet or Arrow file into another; returns `false` for a file of another kind.
///
/// # Errors
/// If the file cannot be read or has no columns of points, or the output cannot be written.
pub(super) fn resolve_file(
    path: &Path,
    args: &BatchArgs,
    table: &Arc<Table>,
    progress: &ProgressBar,
    report: &mut Report<'_>,
) -> Result<bool> {
    let Some(input) = Input::open(path)? else { return Ok(false) };
    let format = match args.target()? {
        Some(Target::Table(format)) => format,
        Some(Target::Text(_)) => {
            let what =
                "expected parquet or arrow as the output of a Parquet or Arrow file, got a text format";
            return Err(UsageError(what.to_owned()).into());
        }
        None => input.format,
    };
    if args.output.is_none() && io::stdout().is_terminal() {
        return Err(
            UsageError("expected --out FILE: columns cannot be shown on a terminal".to_owned()).into()
        );
    }
    let mut output = Output::open(args.output.as_deref())?;
    resolve(input, args, format, table, &mut output, progress, report)?;
    output.finish()?;
    Ok(true)
}

fn resolve(
    input: Input,
    args: &BatchArgs,
    format: TableFormat,
    table: &Arc<Table>,
    output: &mut Output,
    progress: &ProgressBar,
    report: &mut Report<'_>,
) -> Result<()> {
    let names = input.points(&args.layout)?;
    let appender = || {
        Appender::new(&input.schema(), table, Encoding::Plain, &names).map_err(|error| match error {
            ArrowError::SchemaError(what) => UsageError(what),
            other => UsageError(other.to_string()),
        })
    };
    let appenders = (0..args.threads()).map(|_| appender()).collect::<Result<Vec<_>, _>>()?;
    let schema = appender()?.schema();
    let (mut writer, encoder) =
        output::begin(output, &schema, format, args.compression.unwrap_or(Compression::Zstd))?;
    progress.set_length(input.rows.unwrap_or_default());
    let (results, groups) = mpsc::sync_channel(appenders.len());
    let reading = Reading { reader: input.reader, rows: 0, results };
    let shared = Shared { input: Mutex::new(Some(reading)), encoder };
    // Parquet decoders panic at some damaged files. The panic message goes into the error instead of stderr.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let done = thread::scope(|scope| {
        // An early return drops this channel, which ends the threads.
        let groups = groups;
        let running = appenders.into_iter().map(|appender| scope.spawn(|| work(&shared, appender)));
        let running: Vec<_> = running.collect();
        for group in groups {
            // A thread that panicked sends no result. Joining it below gives the reason.
            let Ok(done) = group.recv() else { break };
            let Done { group, rows, counts, reports } = done?;
            writer.write(group)?;
            report.add(counts, reports, "row");
            progress.inc(rows);
        }
        running.into_iter().try_for_each(|thread| thread.join().map_err(|words| damaged(&words)))
    });
    panic::set_hook(hook);
    done?;
    writer.finish()
}

/// Returns the error for a file at which a decoder panicked with this message.
fn damaged(words: &(dyn Any + Send)) -> anyhow::Error {
    let text =
        words.downcast_ref::<String>().map(String::as_str).or_else(|| words.downcast_ref::<&str>().copied());
    anyhow!("the file is damaged, so that it cannot be read: {}", text.unwrap_or("no reason given"))
}

/// Resolves one group after another, until the last group, or until no thread writes them anymore.
fn work(shared: &Shared, mut appender: Appender) {
    while let Some(Task { rows_before, batches, result }) = shared.next() {
        let (mut counts, mut reports, mut rows) = (Counts::default(), Vec::new(), 0);
        let resolved = batches.into_iter().map(|batch| -> Result<RecordBatch> {
            let batch = appender.append(&batch)?;
            count(&batch, rows_before + rows, &mut counts, &mut reports);
            rows += batch.num_rows() as u64;
            Ok(batch)
        });
        let group = shared.encoder.encode(resolved);
        if result.send(group.map(|group| Done { group, rows, counts, reports })).is_err() {
            return;
        }
    }
}

impl Shared {
    /// Reads the next group; `None` after the last group, or if no thread writes groups anymore.
    fn next(&self) -> Option<Task> {
        // A panic in another thread means a damaged file, which is not read further. Taking the reader out makes a
        // panic here drop the channel of results. Otherwise the writing thread would wait forever.
        let mut input = self.input.lock().ok()?;
        let mut reading = input.take()?;
        let rows_before = reading.rows;
        let (mut batches, mut rows, mut fault) = (Vec::new(), 0, None);
        while rows < GROUP_ROWS && fault.is_none() {
            match reading.reader.next() {
                Some(Ok(batch)) => {
                    rows += batch.num_rows();
                    batches.push(batch);
                }
                Some(Err(error)) => fault = Some(error),
                None => break,
            }
        }
        let is_last = rows < GROUP_ROWS;
        reading.rows += rows as u64;
        let (result, waiting) = mpsc::sync_channel(1);
        let is_written = (rows > 0 || fault.is_some()) && reading.results.send(waiting).is_ok();
        if is_written && !is_last {
            *input = Some(reading);
        }
        match fault {
            _ if !is_written => None,
            Some(error) => {
                result.send(Err(error.into())).ok();
                None
            }
            None => Some(Task { rows_before, batches, result }),
        }
    }
}

/// Counts the rows of a batch by outcome, read from its last column, which holds the errors.
fn count(batch: &RecordBatch, rows_before: u64, counts: &mut Counts, reports: &mut Vec<(u64, String)>) {
    let Some(errors) = batch.columns().last().and_then(|column| column.as_string_opt::<i32>()) else {
        return;
    };
    counts.resolved += errors.null_count() as u64;
    if errors.null_count() == errors.len() {
        return;
    }
    for (row, error) in errors.iter().enumerate().filter_map(|(row, error)| Some((row, error?))) {
        if error == OUTSIDE {
            counts.outside += 1;
        } else {
            counts.bad += 1;
        }
        if reports.len() < REPORTS_MAX {
            reports.push((rows_before + row as u64 + 1, error.to_owned()));
        }
    }
}
