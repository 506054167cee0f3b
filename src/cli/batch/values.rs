//! What the added columns say of a point.

use std::{borrow::Cow, cell::OnceCell, collections::HashMap, ops::Range, sync::Arc};

use super::columns::{AreaPart, Column, FunctionPart, LinePart};
use crate::{
    answers::{Answers, Assignments, Territory},
    directory::{BorderLine, Borders, Chain, Directory, Row},
    encode::match_quality,
    geometry::LonLat,
    vocabulary::{Coverage, Function, Layer, StateCode},
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

/// What the columns say of every point of a chain, by column: one text, and where each part of it ends. A part that is
/// not there, or hangs on the point, is `None`.
struct Ready {
    text: String,
    parts: Box<[Option<Range<u32>>]>,
}

/// The jurisdictions of a chain.
type ChainRows = (Row, Option<Row>, Option<Row>);

/// Answers for the points of one thread.
pub(super) struct Values<'a> {
    answers: &'a Answers,
    columns: &'a [Column],
    has_functions: bool,
    ready: HashMap<ChainRows, Arc<Ready>>,
    ready_bytes: usize,
}

/// A resolved point, asked column by column.
pub(super) struct Point<'v> {
    directory: &'v Directory,
    point: LonLat,
    chain: Chain,
    borders: OnceCell<Borders>,
    ready: Arc<Ready>,
    /// The column that comes next.
    next: usize,
}

impl<'a> Values<'a> {
    pub(super) fn new(answers: &'a Answers, columns: &'a [Column]) -> Values<'a> {
        let has_functions = columns.iter().any(|column| matches!(column, Column::Function(..)));
        Values { answers, columns, has_functions, ready: HashMap::new(), ready_bytes: 0 }
    }

    /// The columns, in the order in which their values are to be asked for.
    pub(super) fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// The directory that is asked.
    pub(super) fn directory(&self) -> &'a Directory {
        self.answers.directory()
    }

    /// A point in its chain.
    pub(super) fn point(&mut self, point: LonLat, chain: Chain) -> Point<'a> {
        let ready = self.ready(&chain);
        Point { directory: self.directory(), point, borders: OnceCell::new(), ready, chain, next: 0 }
    }

    fn ready(&mut self, chain: &Chain) -> Arc<Ready> {
        let rows = (chain.county, chain.cousub, chain.place);
        if let Some(known) = self.ready.get(&rows) {
            return Arc::clone(known);
        }
        let made = Arc::new(self.made(chain));
        if self.ready_bytes > READY_BYTES_MAX {
            self.ready.clear();
            self.ready_bytes = 0;
        }
        self.ready_bytes += made.bytes();
        self.ready.insert(rows, Arc::clone(&made));
        made
    }

    fn made(&self, chain: &Chain) -> Ready {
        let directory = self.directory();
        let territory = || Territory::Scope(directory.scope_of_chain(chain));
        let assignments = self.has_functions.then(|| self.answers.assignments(territory()));
        let of_chain = OfChain { directory, chain, assignments };
        let mut ready = Ready { text: String::new(), parts: Box::default() };
        ready.parts = self.columns.iter().map(|column| ready.add(of_chain.text(*column))).collect();
        ready
    }
}

impl Ready {
    fn add(&mut self, text: Option<Cow<'_, str>>) -> Option<Range<u32>> {
        let end = |text: &str| u32::try_from(text.len()).expect("a row is shorter than 4 GB");
        let start = end(&self.text);
        self.text.push_str(&text?);
        Some(start..end(&self.text))
    }

    fn get(&self, column: usize) -> Option<&str> {
        let Range { start, end } = self.parts.get(column)?.clone()?;
        self.text.get(start as usize..end as usize)
    }

    /// What it takes in memory, with its place among others.
    fn bytes(&self) -> usize {
        128 + self.text.capacity() + size_of_val(&*self.parts)
    }
}

/// A chain, asked column by column.
struct OfChain<'v> {
    directory: &'v Directory,
    chain: &'v Chain,
    assignments: Option<Arc<Assignments>>,
}

impl<'v> OfChain<'v> {
    /// The text of a column; `None` where there is none, or where it hangs on the point.
    fn text(&self, column: Column) -> Option<Cow<'v, str>> {
        match column {
            Column::Area(layer, part) => self.area(layer, part),
            Column::Usps => self.state().map(|state| Cow::from(state.usps())),
            Column::UnknownLayers => self.unknown_layers().map(Cow::from),
            Column::Function(function, part) => self.of_function(function, part).map(Cow::from),
            Column::Quality | Column::Line(..) | Column::Uncertain | Column::Error => None,
        }
    }

    fn state(&self) -> Option<StateCode> {
        self.directory.state_of(self.chain.state)
    }

    fn area(&self, layer: Layer, part: AreaPart) -> Option<Cow<'v, str>> {
        let Chain { state, county, cousub, place, .. } = *self.chain;
        let row = [Some(state), Some(county), cousub, place][layer as usize]?;
        let view = self.directory.jurisdiction(row);
        Some(match part {
            AreaPart::Id => view.id.to_string().into(),
            AreaPart::Geoid => {
                let id = view.id.to_string();
                id.rsplit_once(':').map_or(id.clone(), |(_, digits)| digits.to_owned()).into()
            }
            AreaPart::Name => view.name.into(),
            AreaPart::Type => view.legal_type?.into(),
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

    fn of_function(&self, function: Function, part: FunctionPart) -> Option<String> {
        let assignment = self.assignments.as_ref()?.get(function)?;
        let (outcome, office) = (&assignment.main.outcome, assignment.main.office.as_ref());
        match part {
            FunctionPart::BodyId => outcome.body.as_ref().map(ToString::to_string),
            FunctionPart::Body => office.map(|office| self.directory.name_of(office.body).to_owned()),
            FunctionPart::Office => outcome.office.clone(),
            FunctionPart::Page => office?.website(self.directory)?.url.map(str::to_owned),
            FunctionPart::Confidence => Some(outcome.confidence.as_str().to_owned()),
        }
    }
}

impl Point<'_> {
    /// The value of the next column: columns must be asked for in their order.
    pub(super) fn value(&mut self, column: Column) -> Value<'_> {
        let at = self.next;
        self.next += 1;
        match column {
            Column::Quality => Value::Text(match_quality(self.chain.quality).as_str()),
            Column::Line(layer, part) => self.line(layer, part),
            Column::Uncertain => Value::Truth(self.directory.is_uncertain(self.point, &self.chain)),
            Column::Error => Value::Null,
            Column::Area(..) | Column::Usps | Column::UnknownLayers | Column::Function(..) => {
                self.ready.get(at).map_or(Value::Null, Value::Text)
            }
        }
    }

    fn line(&self, layer: Layer, part: LinePart) -> Value<'_> {
        let borders = self.borders.get_or_init(|| self.directory.borders(self.point, &self.chain));
        let line = if layer == Layer::County { &borders.county } else { &borders.place };
        line.as_ref().map_or(Value::Null, |BorderLine { distance_m, uncertainty_m, .. }| match part {
            LinePart::Distance => Value::Metres(*distance_m),
            LinePart::Error => Value::Metres(*uncertainty_m),
        })
    }
}
