//! Resolves the rows of a piece and writes them.

use super::{
    super::show::shown,
    columns::{Column, Value},
    fields::{Block, FIELDS_MAX, Fields, Rows, TooManyFields, line_of},
    layout::Layout,
    point::point,
    records::Piece,
    values::Values,
};
use platbook::{
    directory::{BLOCK_POINTS, Chain, Directory, Resolution},
    geometry::LonLat,
};

/// Most unresolved rows of a piece whose reasons are reported. Chosen, not measured.
pub(super) const REPORTS_MAX: usize = 10;
/// Bytes of rows after which a part is handed over. Short rows below a wide header become long: 256 KB of them may
/// become gigabytes. Chosen, not measured.
const HANDED_OVER_BYTES: usize = 4 << 20;
/// The reason for a row with an open quote.
const OPEN_QUOTE: &str = "the quote that opens in this line is never closed";
const OUTSIDE: &str = "the point is in no covered state or territory";

/// Counts of rows by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Rows inside a covered state or territory.
    pub(super) resolved: u64,
    /// Rows on the globe, but in no covered state or territory.
    pub(super) outside: u64,
    /// Rows without a readable point.
    pub(super) bad: u64,
    /// Bad rows with a quote that is never closed.
    pub(super) open: u64,
    /// Rows of any outcome with more fields than the header.
    pub(super) longer: u64,
}

/// The result of a piece, or of a part of it.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Rows in the format of the output.
    pub(super) bytes: Vec<u8>,
    /// Counts of its rows by outcome.
    pub(super) counts: Counts,
    /// The first unresolved rows, each with its line and reason.
    pub(super) reports: Vec<(u64, String)>,
}

/// The reason why a row is not resolved.
enum Unresolved {
    Outside,
    Bad(String),
}

type Outcome = Result<(LonLat, Chain), Unresolved>;

/// The outcomes of the rows of a block.
#[derive(Default)]
struct Outcomes {
    /// The outcome of each row, in order.
    all: Vec<Outcome>,
    /// The readable points, in the order of their rows.
    points: Vec<LonLat>,
}

/// Resolves each row of a piece and appends its output to `bytes`. Rows are resolved in blocks, so that the memory
/// accesses of many rows overlap. Large output goes to `hand_over` in parts; it returns a buffer for the next.
///
/// # Errors
/// If a row has more than [`FIELDS_MAX`] fields: a message with its line.
pub(super) fn resolve(
    piece: &Piece,
    layout: &Layout,
    values: &mut Values<'_>,
    bytes: Vec<u8>,
    mut hand_over: impl FnMut(Done) -> Vec<u8>,
) -> Result<Done, String> {
    let (mut rows, mut block) = (Rows::new(piece, layout.delimiter), Block::default());
    let (mut done, mut outcomes) = (Done { bytes, ..Done::default() }, Outcomes::default());
    let mut ready = Vec::new();
    loop {
        match rows.fill(&mut block, BLOCK_POINTS) {
            Ok(true) => {}
            Ok(false) => return Ok(done),
            Err(fault) => {
                hand_over(done);
                return Err(too_many_fields(piece, &fault));
            }
        }
        outcomes.find(piece, &block, layout, values.directory());
        values.make_ready(outcomes.chains(), &mut ready);
        // Reading all lengths first also starts the cache misses of texts that lie far apart, so that they overlap.
        done.bytes.reserve(ready.iter().map(|start| values.bytes(*start)).sum());
        let mut ready = ready.iter();
        for ((start, row), outcome) in block.rows(piece).zip(&outcomes.all) {
            done.counts.longer += u64::from(row.len() > layout.header.len());
            done.counts.open += u64::from(piece.is_open);
            done.count(outcome, || line_of(piece, start));
            write(&mut done.bytes, row, outcome, || ready.next().copied(), values);
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

impl Outcomes {
    fn find(&mut self, piece: &Piece, block: &Block, layout: &Layout, directory: &Directory) {
        self.all.clear();
        self.points.clear();
        for (_, row) in block.rows(piece) {
            let point = if piece.is_open { Err(OPEN_QUOTE.to_owned()) } else { point_of(row, layout) };
            self.all.push(match point {
                Ok(point) => {
                    self.points.push(point);
                    Err(Unresolved::Outside)
                }
                Err(reason) => Err(Unresolved::Bad(reason)),
            });
        }
        // Each readable point has a place in `all`, which counts as outside until it is resolved.
        let places = self.all.iter_mut().filter(|outcome| matches!(outcome, Err(Unresolved::Outside)));
        let mut places = places.zip(&self.points);
        directory.resolve_each(&self.points, |resolution| {
            if let (Some((place, point)), Resolution::Inside(chain)) = (places.next(), resolution) {
                *place = Ok((*point, chain));
            }
        });
    }

    /// Returns resolved points with their chains, in the order of the rows.
    fn chains(&self) -> impl Iterator<Item = &(LonLat, Chain)> {
        self.all.iter().filter_map(|outcome| outcome.as_ref().ok())
    }
}

fn point_of(row: Fields<'_>, layout: &Layout) -> Result<LonLat, String> {
    let (expected, got) = (layout.header.len(), row.len());
    if got < expected {
        return Err(format!("expected {expected} fields as in the header, got {got}"));
    }
    let field = |at| row.get(at).unwrap_or_default();
    point(field(layout.lat), field(layout.lon))
}

fn write(
    out: &mut Vec<u8>,
    row: Fields<'_>,
    outcome: &Outcome,
    ready: impl FnOnce() -> Option<usize>,
    values: &Values<'_>,
) {
    let writer = values.writer();
    writer.begin(out, row, outcome.as_ref().ok().map(|(point, _)| *point));
    match outcome {
        Ok((point, chain)) => {
            values.write(out, *point, chain, ready().expect("each chain has been made ready"))
        }
        Err(reason) => {
            for (at, column) in values.columns().iter().enumerate() {
                let is_error = *column == Column::Error;
                writer.value(out, at, &if is_error { Value::Text(reason.text()) } else { Value::Null });
            }
        }
    }
    writer.end(out, row);
}

impl Unresolved {
    fn text(&self) -> &str {
        match self {
            Unresolved::Outside => OUTSIDE,
            Unresolved::Bad(reason) => reason,
        }
    }
}

impl Done {
    fn count(&mut self, outcome: &Outcome, line: impl FnOnce() -> u64) {
        match outcome {
            Ok(_) => self.counts.resolved += 1,
            Err(Unresolved::Outside) => self.counts.outside += 1,
            Err(Unresolved::Bad(_)) => self.counts.bad += 1,
        }
        if let Err(reason) = outcome
            && self.reports.len() < REPORTS_MAX
        {
            self.reports.push((line(), shown(reason.text().as_bytes())));
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
        self.longer += other.longer;
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
