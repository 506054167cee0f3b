//! What the added columns say of a point.

use std::{cell::OnceCell, collections::HashMap, sync::Arc};

use super::columns::{AreaPart, Column, FunctionPart, LinePart};
use crate::{
    answers::{Answers, Territory},
    directory::{BorderLine, Borders, Chain, Directory, JurisdictionView, Row},
    encode::match_quality,
    geometry::LonLat,
    vocabulary::{Coverage, Layer, StateCode},
    wire::IdText,
};

/// Territories whose offices a thread keeps ready.
const TERRITORIES_MAX: usize = 16 << 10;

/// A value of a column.
pub(super) enum Value<'a> {
    /// There is none, or it is not known.
    Null,
    /// Text.
    Text(&'a str),
    /// A text that was put together.
    Made(String),
    /// The id of a jurisdiction, or its GEOID.
    Id(IdText, AreaPart),
    /// Metres.
    Metres(f64),
    /// Yes or no.
    Truth(bool),
}

/// The offices of a territory: the texts of the function columns, in their order.
type Offices = Arc<[Option<Box<str>>]>;

/// Answers for the points of one thread.
pub(super) struct Values<'a> {
    answers: &'a Answers,
    columns: &'a [Column],
    offices: HashMap<Territory, Offices>,
}

/// A resolved point, asked column by column.
pub(super) struct Point<'v> {
    directory: &'v Directory,
    point: LonLat,
    chain: Chain,
    views: [Option<JurisdictionView<'v>>; 4],
    borders: OnceCell<Borders>,
    offices: Option<Offices>,
    /// The function column that comes next.
    next_office: usize,
}

impl<'a> Values<'a> {
    pub(super) fn new(answers: &'a Answers, columns: &'a [Column]) -> Values<'a> {
        Values { answers, columns, offices: HashMap::new() }
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
        let directory = self.answers.directory();
        let rows = [Some(chain.state), Some(chain.county), chain.cousub, chain.place];
        let offices = self.columns.iter().any(|column| matches!(column, Column::Function(..)));
        Point {
            directory,
            point,
            views: rows.map(|row| row.map(|row| directory.jurisdiction(row))),
            borders: OnceCell::new(),
            offices: offices.then(|| self.offices_of(&chain)),
            chain,
            next_office: 0,
        }
    }

    fn offices_of(&mut self, chain: &Chain) -> Offices {
        let territory = Territory::Scope(self.directory().scope_of_chain(chain));
        if let Some(known) = self.offices.get(&territory) {
            return Arc::clone(known);
        }
        if self.offices.len() == TERRITORIES_MAX {
            self.offices.clear();
        }
        let made: Offices = self.texts_of_offices(territory).into();
        self.offices.insert(territory, Arc::clone(&made));
        made
    }

    fn texts_of_offices(&self, territory: Territory) -> Vec<Option<Box<str>>> {
        let (directory, assignments) = (self.directory(), self.answers.assignments(territory));
        let text = |column: &Column| {
            let Column::Function(function, part) = column else { return None };
            let Some(assignment) = assignments.get(*function) else { return Some(None) };
            let (outcome, office) = (&assignment.main.outcome, assignment.main.office.as_ref());
            let text = match part {
                FunctionPart::BodyId => outcome.body.as_ref().map(ToString::to_string),
                FunctionPart::Body => office.map(|office| directory.name_of(office.body).to_owned()),
                FunctionPart::Office => outcome.office.clone(),
                FunctionPart::Page => {
                    let website = office.and_then(|office| office.website(directory));
                    website.and_then(|website| website.url).map(str::to_owned)
                }
                FunctionPart::Confidence => Some(outcome.confidence.as_str().to_owned()),
            };
            Some(text.map(String::into_boxed_str))
        };
        self.columns.iter().filter_map(text).collect()
    }
}

impl<'v> Point<'v> {
    /// The value of the next column. Function columns must be asked for in their order.
    pub(super) fn value(&mut self, column: Column) -> Value<'_> {
        match column {
            Column::Area(layer, part) => self.area(layer, part),
            Column::Usps => self.state().map_or(Value::Null, |state| Value::Text(state.usps())),
            Column::Quality => Value::Text(match_quality(self.chain.quality).as_str()),
            Column::Line(layer, part) => self.line(layer, part),
            Column::Uncertain => Value::Truth(self.directory.is_uncertain(self.point, &self.chain)),
            Column::UnknownLayers => self.unknown_layers(),
            Column::Function(..) => self.office(),
            Column::Error => Value::Null,
        }
    }

    fn state(&self) -> Option<StateCode> {
        self.views[0].as_ref().and_then(|view| view.state)
    }

    fn area(&self, layer: Layer, part: AreaPart) -> Value<'_> {
        let Some(view) = &self.views[layer as usize] else { return Value::Null };
        match part {
            AreaPart::Geoid | AreaPart::Id => Value::Id(IdText::of(&view.id), part),
            AreaPart::Name => Value::Text(view.name),
            AreaPart::Type => view.legal_type.map_or(Value::Null, Value::Text),
            AreaPart::SameAs => self.same_as(view.row),
        }
    }

    fn same_as(&self, row: Row) -> Value<'_> {
        let ids: Vec<String> =
            self.directory.same_as(row).map(|other| self.directory.id_of(other).to_string()).collect();
        if ids.is_empty() { Value::Null } else { Value::Made(ids.join(" ")) }
    }

    fn line(&self, layer: Layer, part: LinePart) -> Value<'_> {
        let borders = self.borders.get_or_init(|| self.directory.borders(self.point, &self.chain));
        let line = if layer == Layer::County { &borders.county } else { &borders.place };
        line.as_ref().map_or(Value::Null, |BorderLine { distance_m, uncertainty_m, .. }| match part {
            LinePart::Distance => Value::Metres(*distance_m),
            LinePart::Error => Value::Metres(*uncertainty_m),
        })
    }

    fn unknown_layers(&self) -> Value<'_> {
        let coverage = self.state().map(|state| self.directory.cousub_coverage(state));
        let is_unknown = match coverage {
            Some(Coverage::Missing) => true,
            Some(Coverage::Partial) => self.chain.cousub.is_none(),
            Some(Coverage::Complete | Coverage::NotApplicable) | None => false,
        };
        if is_unknown { Value::Text(Layer::Cousub.prefix()) } else { Value::Null }
    }

    fn office(&mut self) -> Value<'_> {
        let at = self.next_office;
        self.next_office += 1;
        let text = self.offices.as_ref().and_then(|offices| offices.get(at)?.as_deref());
        text.map_or(Value::Null, Value::Text)
    }
}
