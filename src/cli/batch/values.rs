//! Values of the added columns for a point.
//!
//! Most values are the same for all points of a chain in one territory. Their text is written once and then copied.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::{
    columns::{AreaPart, Column, FunctionPart, LinePart, Value},
    formats::RowWriter,
};
use crate::encode::match_quality;
use platbook::{
    answers::{Answers, Assignments, Ground},
    directory::{BorderLine, Borders, Chain, Directory, Row},
    geometry::LonLat,
    vocabulary::{Coverage, Function, JurisdictionId, Layer, StateCode},
};

/// Most bytes of ready texts per thread: with all functions, the chains of the whole country take some 60 MB.
const READY_BYTES_MAX: usize = 96 << 20;

/// Bytes of the number that holds the length of a part.
const LENGTH_BYTES: usize = size_of::<u32>();

/// The key of a ready text: the jurisdictions of a chain and, for functions, the ground, which varies within a chain.
type Key = (Row, Option<Row>, Option<Row>, Ground);

/// Writes the added columns for the points of one thread.
pub(super) struct Values<'a> {
    answers: &'a Answers,
    columns: &'a [Column],
    writer: &'a RowWriter<'a>,
    has_functions: bool,
    /// The columns that depend on the point itself, by number.
    of_point: Vec<(usize, Column)>,
    ready: Ready,
}

/// Ready texts of chains. The columns that depend on the point divide a text into parts. The lengths of its parts, four
/// bytes each, stand before it, so that one memory access fetches all.
#[derive(Default)]
struct Ready {
    /// The index of each key's text in `texts`.
    starts: FxHashMap<Key, usize>,
    texts: Vec<u8>,
}

impl<'a> Values<'a> {
    pub(super) fn new(answers: &'a Answers, columns: &'a [Column], writer: &'a RowWriter<'a>) -> Values<'a> {
        let has_functions = columns.iter().any(|column| matches!(column, Column::Function(..)));
        let of_point =
            columns.iter().copied().enumerate().filter(|(_, column)| depends_on_point(*column)).collect();
        Values { answers, columns, writer, has_functions, of_point, ready: Ready::default() }
    }

    /// Returns all added columns.
    pub(super) fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// Returns the writer of rows.
    pub(super) fn writer(&self) -> &'a RowWriter<'a> {
        self.writer
    }

    /// Returns the directory that resolves points.
    pub(super) fn directory(&self) -> &'a Directory {
        self.answers.directory()
    }

    /// Writes the missing texts of these chains. Sets `starts` to the index of each text, for [`Values::write`].
    pub(super) fn make_ready<'c>(
        &mut self,
        chains: impl Iterator<Item = &'c (LonLat, Chain)>,
        starts: &mut Vec<usize>,
    ) {
        if self.ready.texts.len() > READY_BYTES_MAX {
            self.ready = Ready::default();
        }
        starts.clear();
        starts.extend(chains.map(|(point, chain)| self.ready(*point, chain)));
    }

    /// Returns the bytes of the text that begins at `start`.
    pub(super) fn bytes(&self, start: usize) -> usize {
        (0..=self.of_point.len()).map(|part| self.ready.length(start, part)).sum()
    }

    /// Writes all added columns of a point, whose ready text begins at `start`.
    pub(super) fn write(&self, out: &mut Vec<u8>, point: LonLat, chain: &Chain, start: usize) {
        let mut at = start + LENGTH_BYTES * (self.of_point.len() + 1);
        let mut part = |number: usize| {
            let text = &self.ready.texts[at..][..self.ready.length(start, number)];
            at += text.len();
            text
        };
        out.extend_from_slice(part(0));
        let mut at_point = AtPoint { directory: self.directory(), point, chain, borders: None };
        for (number, (at, column)) in self.of_point.iter().enumerate() {
            self.writer.value(out, *at, &at_point.value(*column));
            out.extend_from_slice(part(number + 1));
        }
    }

    /// Returns the index of the ready text.
    fn ready(&mut self, point: LonLat, chain: &Chain) -> usize {
        let ground =
            if self.has_functions { Ground::at(self.directory(), point, chain) } else { Ground::default() };
        let key = (chain.county, chain.cousub, chain.place, ground);
        let known = self.ready.starts.get(&key).copied();
        known.unwrap_or_else(|| self.write_ready(key, chain))
    }

    #[cold]
    fn write_ready(&mut self, key: Key, chain: &Chain) -> usize {
        let territory = || key.3.territory(self.directory(), chain);
        let assignments = self.has_functions.then(|| self.answers.assignments(territory()));
        let of_chain = OfChain { directory: self.directory(), chain, assignments: assignments.as_ref() };
        let mut text = NewText::begin(&mut self.ready.texts, self.of_point.len() + 1);
        for (at, column) in self.columns.iter().enumerate() {
            if depends_on_point(*column) {
                text.end_part();
            } else {
                let value = of_chain.text(*column);
                self.writer.value(text.all, at, &value.as_deref().map_or(Value::Null, Value::Text));
            }
        }
        text.end_part();
        let start = text.start;
        self.ready.starts.insert(key, start);
        start
    }
}

/// A text that is being appended.
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

impl Ready {
    /// Returns the bytes of a part of the text that begins at `start`.
    #[inline]
    fn length(&self, start: usize, part: usize) -> usize {
        let length = self.texts[start + LENGTH_BYTES * part..].first_chunk();
        length.map_or(0, |length| u32::from_le_bytes(*length) as usize)
    }
}

/// Returns whether the values of a column vary within a chain and territory.
fn depends_on_point(column: Column) -> bool {
    match column {
        Column::Quality | Column::Line(..) | Column::Uncertain => true,
        // A resolved point has no error.
        Column::Area(..) | Column::Usps | Column::UnknownLayers | Column::Function(..) | Column::Error => {
            false
        }
    }
}

/// The values of a chain by column.
struct OfChain<'v> {
    directory: &'v Directory,
    chain: &'v Chain,
    assignments: Option<&'v Assignments>,
}

impl<'v> OfChain<'v> {
    /// Returns the text of a column; `None` if it is empty or depends on the point.
    fn text(&self, column: Column) -> Option<Cow<'v, str>> {
        match column {
            Column::Area(layer, part) => self.area(layer, part),
            Column::Usps => self.state().map(|state| Cow::from(state.usps())),
            Column::UnknownLayers => self.unknown_layers().map(Cow::from),
            Column::Function(function, part) => self.of_function(function, part),
            Column::Quality | Column::Line(..) | Column::Uncertain | Column::Error => None,
        }
    }

    fn state(&self) -> Option<StateCode> {
        self.directory.state_of(self.chain.state)
    }

    fn area(&self, layer: Layer, part: AreaPart) -> Option<Cow<'v, str>> {
        let Chain { state, county, cousub, place, .. } = *self.chain;
        let row = [Some(state), Some(county), cousub, place][layer as usize]?;
        Some(match part {
            AreaPart::Id => self.directory.id_of(row).to_string().into(),
            AreaPart::Geoid => match self.directory.id_of(row) {
                JurisdictionId::Census(geoid) => {
                    format!("{:0width$}", geoid.code(), width = geoid.layer().geoid_digits()).into()
                }
                other => other.to_string().into(),
            },
            AreaPart::Name => self.directory.name_of(row).into(),
            AreaPart::Type => self.directory.jurisdiction(row).legal_type?.into(),
            AreaPart::SameAs => self.same_as(row)?.into(),
        })
    }

    fn same_as(&self, row: Row) -> Option<String> {
        let id = |other: Row| self.directory.id_of(other).to_string();
        let ids: Vec<String> = self.directory.same_as(row).map(id).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    fn unknown_layers(&self) -> Option<&'static str> {
        let is_unknown = match self.directory.cousub_coverage(self.state()?) {
            Coverage::Missing => true,
            Coverage::Partial => self.chain.cousub.is_none(),
            Coverage::Complete | Coverage::NotApplicable => false,
        };
        is_unknown.then(|| Layer::Cousub.prefix())
    }

    fn of_function(&self, function: Function, part: FunctionPart) -> Option<Cow<'v, str>> {
        let entry = self.assignments?.get(function)?;
        let (outcome, office) = (&entry.outcome, entry.office.as_ref());
        match part {
            FunctionPart::BodyId => outcome.body.as_ref().map(|body| body.to_string().into()),
            FunctionPart::Body => office.map(|office| self.directory.name_of(office.body).into()),
            FunctionPart::Office => outcome.office.as_deref().map(Cow::from),
            FunctionPart::Page => office?.shown_site(self.directory)?.url.map(Cow::from),
            FunctionPart::Confidence => Some(outcome.confidence.as_str().into()),
        }
    }
}

/// The values that depend on the point itself.
struct AtPoint<'v> {
    directory: &'v Directory,
    point: LonLat,
    chain: &'v Chain,
    /// The nearest boundaries, computed when first needed.
    borders: Option<Borders>,
}

impl AtPoint<'_> {
    fn value(&mut self, column: Column) -> Value<'static> {
        match column {
            Column::Quality => Value::Text(match_quality(self.chain.quality).as_str()),
            Column::Line(layer, part) => self.line(layer, part),
            Column::Uncertain => Value::Truth(self.directory.is_uncertain(self.point, self.chain)),
            Column::Area(..)
            | Column::Usps
            | Column::UnknownLayers
            | Column::Function(..)
            | Column::Error => Value::Null,
        }
    }

    fn line(&mut self, layer: Layer, part: LinePart) -> Value<'static> {
        let borders = *self.borders.get_or_insert_with(|| self.directory.borders(self.point, self.chain));
        let line = if layer == Layer::County { borders.county } else { borders.place };
        line.map_or(Value::Null, |BorderLine { distance_m, uncertainty_m, .. }| match part {
            LinePart::Distance => Value::Meters(distance_m),
            LinePart::Error => Value::Meters(uncertainty_m),
        })
    }
}
