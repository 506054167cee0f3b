//! Prepared texts of the added columns.
//!
//! Most cells are the same for all points of a chain, which is the governments that cover a point. The text of such
//! cells is written once and then copied.

use std::sync::Arc;

use super::formats::RowWriter;
use platbook::columns::{Cell, ChainCells, Column, Location, Outcome, PointCells, Resolver, Table};

/// Maximum size of the prepared texts of a thread, in bytes: with all functions, the chains of the whole country take
/// some 60 MB.
const READY_BYTES_MAX: usize = 96 << 20;

/// Size of the number that holds the length of a part, in bytes.
const LENGTH_BYTES: usize = size_of::<u32>();

/// Resolves the rows of one thread and writes the added columns.
pub(super) struct Ready<'a> {
    resolver: Resolver,
    writer: &'a RowWriter<'a>,
    texts: Texts,
}

/// Prepared texts of chains. The columns that depend on the point divide a text into parts. The lengths of the parts
/// stand before the text, four bytes each, so that one memory access fetches all lengths.
#[derive(Default)]
struct Texts {
    /// The columns that depend on the point itself, by number.
    of_point: Vec<(usize, Column)>,
    /// The index of each chain's text in `bytes`.
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

impl<'a> Ready<'a> {
    pub(super) fn new(table: &Arc<Table>, writer: &'a RowWriter<'a>) -> Ready<'a> {
        let of_point =
            table.columns().iter().copied().enumerate().filter(|(_, column)| column.depends_on_point());
        let texts = Texts { of_point: of_point.collect(), ..Texts::default() };
        Ready { resolver: table.resolver(), writer, texts }
    }

    /// Returns the writer of rows.
    pub(super) fn writer(&self) -> &'a RowWriter<'a> {
        self.writer
    }

    /// Resolves some rows and writes the missing texts of their chains.
    pub(super) fn resolve(&mut self, locations: impl Iterator<Item = Location>) {
        if self.texts.bytes.len() > READY_BYTES_MAX {
            self.resolver.forget_chains();
            self.texts.starts.clear();
            self.texts.bytes = Vec::new();
        }
        let (texts, writer) = (&mut self.texts, self.writer);
        self.resolver.resolve(locations, |cells| texts.add(writer, cells));
    }

    /// Returns the outcomes of the rows of the last call of `resolve`.
    pub(super) fn outcomes(&self) -> &[Outcome] {
        self.resolver.outcomes()
    }

    /// Returns the total size of the prepared texts of these rows, in bytes. Reading all lengths first starts the
    /// cache misses of distant texts early, so that they overlap.
    pub(super) fn bytes(&self) -> usize {
        self.outcomes().iter().filter_map(Outcome::chain_number).map(|number| self.texts.length(number)).sum()
    }

    /// Writes all added columns of a row.
    pub(super) fn write(&self, out: &mut Vec<u8>, outcome: &Outcome) {
        let table = self.resolver.table();
        let cells = PointCells::new(table.directory(), outcome);
        let Some(number) = outcome.chain_number() else {
            for (at, column) in table.columns().iter().enumerate() {
                self.writer.value(out, at, cells.cell(*column));
            }
            return;
        };
        let mut parts = self.texts.parts(number);
        out.extend_from_slice(parts.next().unwrap_or_default());
        for (at, column) in &self.texts.of_point {
            self.writer.value(out, *at, cells.cell(*column));
            out.extend_from_slice(parts.next().unwrap_or_default());
        }
    }
}

impl Texts {
    fn add(&mut self, writer: &RowWriter<'_>, cells: &ChainCells<'_>) {
        let mut text = NewText::begin(&mut self.bytes, self.of_point.len() + 1);
        for (at, column) in cells.columns().iter().enumerate() {
            if column.depends_on_point() {
                text.end_part();
            } else {
                writer.value(text.all, at, cells.text(*column).as_deref().map_or(Cell::Null, Cell::Text));
            }
        }
        text.end_part();
        let start = text.start;
        self.starts.push(start);
    }

    /// Returns the length of a part.
    fn part_length(&self, start: usize, part: usize) -> usize {
        let at = start + LENGTH_BYTES * part;
        let bytes = self.bytes[at..at + LENGTH_BYTES].try_into().expect("four bytes for a length");
        u32::from_le_bytes(bytes) as usize
    }

    fn length(&self, number: usize) -> usize {
        let start = self.starts[number];
        (0..=self.of_point.len()).map(|part| self.part_length(start, part)).sum()
    }

    /// Returns the parts of a chain's text.
    fn parts(&self, number: usize) -> impl Iterator<Item = &[u8]> {
        let start = self.starts[number];
        let mut at = start + LENGTH_BYTES * (self.of_point.len() + 1);
        (0..=self.of_point.len()).map(move |part| {
            let text = &self.bytes[at..][..self.part_length(start, part)];
            at += text.len();
            text
        })
    }
}

/// The text of a chain, under construction.
struct NewText<'t> {
    all: &'t mut Vec<u8>,
    start: usize,
    /// The current part: its number, and the index of its first byte.
    part: (usize, usize),
}

impl<'t> NewText<'t> {
    fn begin(all: &'t mut Vec<u8>, parts: usize) -> NewText<'t> {
        let start = all.len();
        all.resize(start + LENGTH_BYTES * parts, 0);
        let part = (0, all.len());
        NewText { all, start, part }
    }

    fn end_part(&mut self) {
        let (number, part_start) = self.part;
        let end = self.all.len();
        let length = u32::try_from(end - part_start).expect("a part is shorter than 4 GB");
        let at = self.start + LENGTH_BYTES * number;
        self.all[at..at + LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
        self.part = (number + 1, end);
    }
}
