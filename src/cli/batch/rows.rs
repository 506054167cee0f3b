//! The rows of a piece, resolved.

use csv::{ByteRecord, ReaderBuilder};

use super::{
    columns::Column,
    formats::{Format, Names, RowWriter},
    layout::Layout,
    records::Piece,
    show::shown,
    values::{Value, Values},
};
use crate::{
    answers::parse_point,
    directory::{Chain, Resolution},
    geometry::LonLat,
};

/// Unresolved rows of a piece whose reasons are kept.
pub(super) const REPORTS_MAX: usize = 10;
/// Why a row with an open quote is not resolved.
const OPEN_QUOTE: &str = "the quote that opens in this line is never closed";
const OUTSIDE: &str = "the point is in no covered state or territory";

/// How many rows came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// In a chain.
    pub(super) resolved: u64,
    /// On the globe, but in no covered state or territory.
    pub(super) outside: u64,
    /// Without a point that can be read.
    pub(super) bad: u64,
    /// Of the bad ones, those with a quote that is never closed.
    pub(super) open: u64,
    /// With more fields than the header, whatever came of them.
    pub(super) longer: u64,
}

/// What became of a piece.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Its rows in the format of the output.
    pub(super) bytes: Vec<u8>,
    /// How many came to what.
    pub(super) counts: Counts,
    /// The first that were not resolved: line, and why.
    pub(super) reports: Vec<(u64, String)>,
}

/// Why a row is not resolved.
enum Unresolved {
    Outside,
    Bad(String),
}

/// What all pieces of a file share.
pub(super) struct Shared<'a> {
    /// Where a row has what.
    pub(super) layout: &'a Layout,
    /// The columns of the output.
    pub(super) names: &'a Names,
    /// Its format.
    pub(super) format: Format,
}

/// Resolves each row of a piece.
pub(super) fn resolve(piece: &Piece, shared: &Shared<'_>, values: &mut Values<'_>) -> csv::Result<Done> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(shared.layout.delimiter)
        .from_reader(&piece.bytes[..]);
    let mut writer = RowWriter::new(shared.format, shared.names);
    let (mut done, mut record) = (Done::default(), ByteRecord::new());
    while reader.read_byte_record(&mut record)? {
        let outcome = if piece.is_open {
            done.counts.open += 1;
            Err(Unresolved::Bad(OPEN_QUOTE.to_owned()))
        } else {
            chain(&record, shared.layout, values)
        };
        let line = piece.first_line + record.position().map_or(1, csv::Position::line) - 1;
        done.count(&record, shared.layout, line, &outcome);
        write(&mut writer, &record, &outcome, values)?;
    }
    done.bytes = writer.finish();
    Ok(done)
}

fn chain(record: &ByteRecord, layout: &Layout, values: &Values<'_>) -> Result<(LonLat, Chain), Unresolved> {
    if record.len() < layout.header.len() {
        let (expected, got) = (layout.header.len(), record.len());
        return Err(Unresolved::Bad(format!("expected {expected} fields as in the header, got {got}")));
    }
    let text = |at: usize| std::str::from_utf8(&record[at]).map_or("\u{fffd}", str::trim);
    let (lat, lon) = (text(layout.lat), text(layout.lon));
    let point =
        parse_point(Some(lat), Some(lon)).map_err(|refusal| Unresolved::Bad(short(refusal.detail)))?;
    match values.directory().resolve(point) {
        Resolution::Inside(chain) => Ok((point, chain)),
        Resolution::Outside => Err(Unresolved::Outside),
    }
}

/// A reason repeats what it could not read, however long that is.
fn short(reason: String) -> String {
    const REASON_MAX: usize = 200;
    if reason.len() <= REASON_MAX { reason } else { shown(reason.as_bytes()) }
}

fn write(
    writer: &mut RowWriter<'_>,
    record: &ByteRecord,
    outcome: &Result<(LonLat, Chain), Unresolved>,
    values: &mut Values<'_>,
) -> csv::Result<()> {
    let columns = values.columns();
    writer.begin(record, outcome.as_ref().ok().map(|(point, _)| *point))?;
    match outcome {
        Ok((point, chain)) => {
            let mut point = values.point(*point, *chain);
            columns.iter().try_for_each(|column| writer.add(&point.value(*column)))?;
        }
        Err(reason) => {
            for column in columns {
                let is_error = *column == Column::Error;
                writer.add(&if is_error { Value::Text(reason.text()) } else { Value::Null })?;
            }
        }
    }
    writer.end(record)
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
    fn count(
        &mut self,
        record: &ByteRecord,
        layout: &Layout,
        line: u64,
        outcome: &Result<(LonLat, Chain), Unresolved>,
    ) {
        self.counts.longer += u64::from(record.len() > layout.header.len());
        match outcome {
            Ok(_) => self.counts.resolved += 1,
            Err(Unresolved::Outside) => self.counts.outside += 1,
            Err(Unresolved::Bad(_)) => self.counts.bad += 1,
        }
        if let Err(reason) = outcome
            && self.reports.len() < REPORTS_MAX
        {
            self.reports.push((line, shown(reason.text().as_bytes())));
        }
    }
}

impl Counts {
    /// Adds those of another piece.
    pub(super) fn add(&mut self, other: Counts) {
        self.resolved += other.resolved;
        self.outside += other.outside;
        self.bad += other.bad;
        self.open += other.open;
        self.longer += other.longer;
    }

    /// Rows that were not resolved.
    pub(super) fn unresolved(self) -> u64 {
        self.outside + self.bad
    }

    /// All rows.
    pub(super) fn rows(self) -> u64 {
        self.resolved + self.unresolved()
    }
}
