//! What the added columns say of a point.
//!
//! Most of it is the same for all points of a chain that are asked of in one territory. It is written once, and copied.

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

/// Bytes of texts that a thread keeps ready: with all functions the chains of the whole country take some 60 MB.
const READY_BYTES_MAX: usize = 96 << 20;

/// Bytes of the length of a part of a text.
const LENGTH_BYTES: usize = size_of::<u32>();

/// All that ready text depends on: the jurisdictions of a chain, and where functions are asked for, the ground, which is not
/// the same for all points of a chain.
type Key = (Row, Option<Row>, Option<Row>, Ground);

/// Answers for the points of one thread.
pub(super) struct Values<'a> {
    answers: &'a Answers,
    columns: &'a [Column],
    writer: &'a RowWriter<'a>,
    has_functions: bool,
    /// The columns that hang on the point itself, by number.
    of_point: Vec<(usize, Column)>,
    ready: Ready,
}

/// What has been written of chains. The parts of a text stand between columns that hang on the point, and their lengths, four
/// bytes each, before them: so all of a text is fetched from memory at once.
#[derive(Default)]
struct Ready {
    /// Where the text of a key begins.
    starts: FxHashMap<Key, usize>,
    texts: Vec<u8>,
}

impl<'a> Values<'a> {
    pub(super) fn new(answers: &'a Answers, columns: &'a [Column], writer: &'a RowWriter<'a>) -> Values<'a> {
        let has_functions = columns.iter().any(|column| matches!(column, Column::Function(..)));
        let of_point =
            columns.iter().copied().enumerate().filter(|(_, column)| hangs_on_point(*column)).collect();
        Values { answers, columns, writer, has_functions, of_point, ready: Ready::default() }
    }

    /// The columns.
    pub(super) fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// Writes rows.
    pub(super) fn writer(&self) -> &'a RowWriter<'a> {
        self.writer
    }

    /// The directory that is asked.
    pub(super) fn directory(&self) -> &'a Directory {
        self.answers.directory()
    }

    /// Makes sure that the text of each of these chains is there; puts where it begins into `starts`, which
    /// [`Values::write`] takes.
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

    /// Bytes of the text that begins at `start`.
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

    /// Where the ready text begins.
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
            if hangs_on_point(*column) {
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

/// A text that is being written behind all others.
struct NewText<'t> {
    all: &'t mut Vec<u8>,
    start: usize,
    /// The part that is being written: its number, and where it begins.
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
    /// Bytes of a part of the text that begins at `start`.
    #[inline]
    fn length(&self, start: usize, part: usize) -> usize {
        let length = self.texts[start + LENGTH_BYTES * part..].first_chunk();
        length.map_or(0, |length| u32::from_le_bytes(*length) as usize)
    }
}

/// Whether what a column says is not the same for all points of a chain and territory.
fn hangs_on_point(column: Column) -> bool {
    match column {
        Column::Quality | Column::Line(..) | Column::Uncertain => true,
        // A point that is in a chain has no error.
        Column::Area(..) | Column::Usps | Column::UnknownLayers | Column::Function(..) | Column::Error => {
            false
        }
    }
}

/// A chain, asked column by column.
struct OfChain<'v> {
    directory: &'v Directory,
    chain: &'v Chain,
    assignments: Option<&'v Assignments>,
}

impl<'v> OfChain<'v> {
    /// The text of a column; `None` where there is none.
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

/// A point, asked for what is its own.
struct AtPoint<'v> {
    directory: &'v Directory,
    point: LonLat,
    chain: &'v Chain,
    /// Sought when first needed.
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
            LinePart::Distance => Value::Metres(distance_m),
            LinePart::Error => Value::Metres(uncertainty_m),
        })
    }
}
