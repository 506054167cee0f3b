//! What the added columns say of a point.
//!
//! Most of it is the same for all points of a chain that are asked of in one territory. It is written once, and copied.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::{
    columns::{AreaPart, Column, FunctionPart, LinePart},
    formats::RowWriter,
};
use crate::{
    answers::{Answers, Assignments, Ground},
    directory::{BorderLine, Borders, Chain, Directory, Row},
    encode::match_quality,
    geometry::LonLat,
    vocabulary::{Coverage, Function, JurisdictionId, Layer, StateCode},
};

/// Bytes of texts that a thread keeps ready: with all functions the chains of the whole country take some 60 MB.
const READY_BYTES_MAX: usize = 96 << 20;

/// A value of a column.
pub(super) enum Value<'a> {
    /// There is none, or it is not known.
    Null,
    /// Text.
    Text(&'a str),
    /// Metres.
    Metres(f64),
    /// Yes or no.
    Truth(bool),
}

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

/// What has been written of chains.
#[derive(Default)]
struct Ready {
    /// Where the parts of a key begin in `bounds`.
    keys: FxHashMap<Key, u32>,
    /// Of each key: where its text begins, where it is cut by a column that hangs on the point, and where it ends.
    bounds: Vec<u32>,
    text: Vec<u8>,
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

    /// Writes all added columns of a point.
    pub(super) fn write(&mut self, out: &mut Vec<u8>, point: LonLat, chain: &Chain) {
        let start = self.ready(point, chain);
        let bounds = &self.ready.bounds[start..][..self.of_point.len() + 2];
        let mut parts = bounds.windows(2).map(|part| &self.ready.text[part[0] as usize..part[1] as usize]);
        out.extend_from_slice(parts.next().unwrap_or_default());
        let mut at_point = AtPoint { directory: self.directory(), point, chain, borders: None };
        for ((at, column), after) in self.of_point.iter().zip(parts) {
            self.writer.value(out, *at, &at_point.value(*column));
            out.extend_from_slice(after);
        }
    }

    /// Where the bounds of the ready text begin.
    fn ready(&mut self, point: LonLat, chain: &Chain) -> usize {
        let ground =
            if self.has_functions { Ground::at(self.directory(), point, chain) } else { Ground::default() };
        let key = (chain.county, chain.cousub, chain.place, ground);
        let known = self.ready.keys.get(&key).copied();
        known.unwrap_or_else(|| self.make_ready(key, chain)) as usize
    }

    #[cold]
    fn make_ready(&mut self, key: Key, chain: &Chain) -> u32 {
        let territory = || key.3.territory(self.directory(), chain);
        let assignments = self.has_functions.then(|| self.answers.assignments(territory()));
        let of_chain = OfChain { directory: self.directory(), chain, assignments: assignments.as_deref() };
        let Ready { keys, bounds, text } = &mut self.ready;
        if text.len() > READY_BYTES_MAX {
            keys.clear();
            bounds.clear();
            text.clear();
        }
        let count = |bytes: usize| u32::try_from(bytes).expect("what is kept is shorter than 4 GB");
        let (start, end) = (count(bounds.len()), |text: &[u8]| count(text.len()));
        bounds.push(end(text));
        for (at, column) in self.columns.iter().enumerate() {
            if hangs_on_point(*column) {
                bounds.push(end(text));
            } else {
                let value = of_chain.text(*column);
                self.writer.value(text, at, &value.as_deref().map_or(Value::Null, Value::Text));
            }
        }
        bounds.push(end(text));
        keys.insert(key, start);
        start
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
        let assignment = self.assignments?.get(function)?;
        let (outcome, office) = (&assignment.main.outcome, assignment.main.office.as_ref());
        match part {
            FunctionPart::BodyId => outcome.body.as_ref().map(|body| body.to_string().into()),
            FunctionPart::Body => office.map(|office| self.directory.name_of(office.body).into()),
            FunctionPart::Office => outcome.office.as_deref().map(Cow::from),
            FunctionPart::Page => office?.website(self.directory)?.url.map(Cow::from),
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
