//! Resolves the rows of a piece and writes them.

use super::{
    super::show::shown,
    fields::{Block, Fields, Rows, TooManyFields, line_of},
    formats::Format,
    layout::{FIELDS_MAX, Form, Layout},
    locate::Locator,
    ready::Ready,
    records::Piece,
};
use platbook::{
    columns::{Location, Outcome},
    directory::BLOCK_POINTS,
};

/// Maximum number of unresolved rows of a piece that are reported with their reasons. Chosen, not measured.
pub(super) const REPORTS_MAX: usize = 10;
/// Number of bytes of rows after which a part is handed over. Short rows below a wide header become long: 256 KB of
/// input may become gigabytes. Chosen, not measured.
const HANDED_OVER_BYTES: usize = 4 << 20;
/// The reason for a row with an open quote.
const OPEN_QUOTE: &str = "the quote that opens in this line is never closed";
/// Maximum number of a row's fields beyond the header that a reason quotes.
const SHOWN_FIELDS_MAX: usize = 8;

/// Counts of rows by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Rows inside a covered state or territory.
    pub(super) resolved: u64,
    /// Rows on the globe, but in no covered state or territory.
    pub(super) outside: u64,
    /// Rows without a readable location.
    pub(super) bad: u64,
    /// Bad rows with a quote that is never closed.
    pub(super) open: u64,
}

/// The result for a piece, or for a part of a piece.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Rows in the format of the output.
    pub(super) bytes: Vec<u8>,
    /// Counts of these rows by outcome.
    pub(super) counts: Counts,
    /// The first unresolved rows, each with its line and reason.
    pub(super) reports: Vec<(u64, String)>,
}

/// Resolves each row of a piece and appends its output to `bytes`. Rows are resolved in blocks, so that the memory
/// accesses of many rows overlap. Passes large output to `hand_over` in parts; each call returns a buffer for the
/// next part.
///
/// # Errors
/// If a row has more than [`FIELDS_MAX`] fields. The message names its line.
pub(super) fn resolve(
    piece: &Piece,
    layout: &Layout,
    locator: &mut Locator<'_>,
    ready: &mut Ready<'_>,
    bytes: Vec<u8>,
    mut hand_over: impl FnMut(Done) -> Vec<u8>,
) -> Result<Done, String> {
    let (mut rows, mut block) = (Rows::new(piece, layout), Block::default());
    let mut done = Done { bytes, ..Done::default() };
    let is_csv = ready.writer().format() == Format::Csv;
    loop {
        match rows.fill(&mut block, BLOCK_POINTS) {
            Ok(true) => {}
            Ok(false) => return Ok(done),
            Err(fault) => {
                hand_over(done);
                return Err(too_many_fields(piece, &fault));
            }
        }
        ready.resolve(block.rows(piece).map(|(_, row)| match fault(piece, row, layout, is_csv) {
            Some(reason) => Location::Invalid(reason.into()),
            None => locator.locate(row),
        }));
        done.bytes.reserve(ready.bytes());
        for ((start, row), outcome) in block.rows(piece).zip(ready.outcomes()) {
            done.counts.open += u64::from(piece.is_open);
            done.count(outcome, || line_of(piece, start));
            let point = match outcome {
                Outcome::Resolved(resolved) => resolved.point,
                _ => None,
            };
            ready.writer().begin(&mut done.bytes, row, point);
            ready.write(&mut done.bytes, outcome);
            ready.writer().end(&mut done.bytes, row);
            if done.bytes.len() > HANDED_OVER_BYTES {
                let part = std::mem::take(&mut done);
                done.bytes = hand_over(part);
            }
        }
    }
}

fn too_many_fields(piece: &Piece, fault: &TooManyFields) -> String {
    format!("line {}: expected at most {FIELDS_MAX} fields in a row, got more", line_of(piece, fault.start))
}

/// Returns the fault in the form of a row. A row with more fields than the header may have a comma too many before
/// its coordinates, so its columns cannot be trusted.
fn fault(piece: &Piece, row: Fields<'_>, layout: &Layout, is_csv: bool) -> Option<String> {
    if piece.is_open {
        return Some(OPEN_QUOTE.to_owned());
    }
    let (expected, got) = (layout.header.len(), row.len());
    match layout.form {
        Form::JsonLines if got == 0 => {
            Some(format!("expected a JSON object of different members, got {}", shown(row.bytes())))
        }
        Form::JsonLines if got > expected && is_csv => {
            let more = shown(row.get(expected).unwrap_or_default());
            Some(format!(
                "expected the members of the first line, got more, which CSV has no column for: {more}"
            ))
        }
        Form::Csv(_) if got < expected => {
            Some(format!("expected {expected} fields as in the header, got {got}"))
        }
        Form::Csv(_) if row.skip(expected).any(|field| !field.is_empty()) => {
            let more: Vec<_> = row.skip(expected).map(shown).take(SHOWN_FIELDS_MAX).collect();
            let more = shown(more.join(", ").as_bytes());
            Some(format!("expected {expected} fields as in the header, got {got}; beyond it stand: {more}"))
        }
        _ => None,
    }
}

impl Done {
    fn count(&mut self, outcome: &Outcome, line: impl FnOnce() -> u64) {
        match outcome {
            Outcome::Resolved(_) => self.counts.resolved += 1,
            Outcome::Outside => self.counts.outside += 1,
            Outcome::Invalid(_) => self.counts.bad += 1,
        }
        if let Some(reason) = outcome.error()
            && self.reports.len() < REPORTS_MAX
        {
            self.reports.push((line(), shown(reason.as_bytes())));
        }
    }
}

impl Counts {
    /// Adds the counts of another piece.
    pub(super) fn add(&mut self, other: Counts) {
        self.resolved += other.resolved;
        self.outside += other.outside;
        self.bad += other.bad;
        self.open += other.open;
    }

    /// Returns the number of rows that were not resolved.
    pub(super) fn unresolved(self) -> u64 {
        self.outside + self.bad
    }

    /// Returns the number of all rows.
    pub(super) fn rows(self) -> u64 {
        self.resolved + self.unresolved()
    }
}
