//! The value of each column for a chain and for a point.

use std::{borrow::Cow, cell::OnceCell};

use super::{
    column::{AreaPart, Column, FunctionPart, LinePart},
    outcome::Outcome,
};
use crate::{
    answers::Assignments,
    directory::{BorderLine, Borders, Chain, Directory, Quality, Row},
    vocabulary::{Function, JurisdictionId, Layer, StateCode},
    words::{English, Words as _},
};

/// A cell of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// The value is missing or unknown.
    Null,
    /// A text, not yet quoted or escaped.
    Text(&'a str),
    /// A length in meters.
    Meters(f64),
    /// A truth value, true or false.
    Truth(bool),
}

/// The cells that all points of a chain and ground share.
pub struct ChainCells<'a> {
    pub(super) directory: &'a Directory,
    pub(super) columns: &'a [Column],
    pub(super) chain: &'a Chain,
    /// `None` unless a column of a function was chosen.
    pub(super) performers: Option<Assignments>,
}

impl<'a> ChainCells<'a> {
    /// The columns of the table.
    pub fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// The text of a column; `None` if the chain has no such text, and for columns that depend on the point.
    pub fn text(&self, column: Column) -> Option<Cow<'_, str>> {
        match column {
            Column::Area(layer, part) => self.area(layer, part),
            Column::Usps => Some(self.state()?.usps().into()),
            Column::UnknownLayers => self.unknown_layers().map(Cow::from),
            Column::Function(function, part) => self.of_function(function, part),
            Column::Quality
            | Column::NearestM
            | Column::BorderM
            | Column::Line(..)
            | Column::Uncertain
            | Column::TribalLand
            | Column::Error => None,
        }
    }

    fn state(&self) -> Option<StateCode> {
        self.directory.state_of(self.chain.state)
    }

    fn area(&self, layer: Layer, part: AreaPart) -> Option<Cow<'a, str>> {
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
            AreaPart::LegalType => self.directory.jurisdiction(row).legal_type?.into(),
            AreaPart::SameAs => self.same_as(row)?.into(),
        })
    }

    fn same_as(&self, row: Row) -> Option<String> {
        let id = |other: Row| self.directory.id_of(other).to_string();
        let ids: Vec<String> = self.directory.same_as(row).map(id).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    fn unknown_layers(&self) -> Option<&'static str> {
        let is_unknown = self.chain.cousub.is_none() && self.directory.lacks_towns_at(self.chain.county);
        is_unknown.then(|| Layer::Cousub.prefix())
    }

    fn of_function(&self, function: Function, part: FunctionPart) -> Option<Cow<'_, str>> {
        let entry = self.performers.as_ref()?.get(function)?;
        let (outcome, office) = (&entry.outcome, entry.office.as_ref());
        let site = || office?.shown_site(self.directory);
        match part {
            FunctionPart::BodyId => outcome.body.as_ref().map(|body| body.to_string().into()),
            FunctionPart::Body => office.map(|office| self.directory.name_of(office.body).into()),
            FunctionPart::Office => outcome.office.as_deref().map(Cow::from),
            FunctionPart::Url => site()?.url.map(Cow::from),
            FunctionPart::Phone => site()?.phone.map(Cow::from),
            FunctionPart::Confidence => Some(outcome.confidence.as_str().into()),
            FunctionPart::Basis => Some(English.reason(outcome).into()),
        }
    }
}

/// The cells of a row that depend on its point, and the reason of an unresolved row.
pub struct PointCells<'a> {
    directory: &'a Directory,
    outcome: &'a Outcome,
    /// The nearest boundaries, computed when first needed.
    borders: OnceCell<Borders>,
}

impl<'a> PointCells<'a> {
    /// The cells of a row with this outcome, which a resolver of the same directory returned.
    pub fn new(directory: &'a Directory, outcome: &'a Outcome) -> PointCells<'a> {
        PointCells { directory, outcome, borders: OnceCell::new() }
    }

    /// The cell of a column; null for columns that do not depend on the point, because [`ChainCells::text`] has
    /// those.
    pub fn cell(&self, column: Column) -> Cell<'a> {
        // Rounds to tenths, so that text files and arrays have the same number.
        let tenths = |meters: f64| Cell::Meters((meters * 10.0).round() / 10.0);
        let meters = |meters: Option<f64>| meters.map_or(Cell::Null, tenths);
        match column {
            Column::Quality => Cell::Text(self.outcome.quality()),
            Column::Error => self.outcome.error().map_or(Cell::Null, Cell::Text),
            Column::NearestM => meters(self.nearest_m()),
            Column::BorderM => meters(self.border_m()),
            Column::Line(layer, part) => meters(self.line(layer, part)),
            Column::Uncertain => self.is_uncertain().map_or(Cell::Null, Cell::Truth),
            Column::TribalLand => self.tribal_land().map_or(Cell::Null, Cell::Text),
            Column::Area(..) | Column::Usps | Column::UnknownLayers | Column::Function(..) => Cell::Null,
        }
    }

    fn nearest_m(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Resolved(resolved) => match resolved.chain.quality {
                Quality::Nearest { meters } if resolved.point.is_some() => Some(meters),
                _ => None,
            },
            _ => None,
        }
    }

    fn borders(&self) -> Option<&Borders> {
        let Outcome::Resolved(resolved) = self.outcome else { return None };
        let point = resolved.point?;
        Some(self.borders.get_or_init(|| self.directory.borders(point, &resolved.chain)))
    }

    fn border_m(&self) -> Option<f64> {
        let borders = self.borders()?;
        let distances = [borders.county, borders.place].into_iter().flatten().map(|line| line.distance_m);
        distances.reduce(f64::min)
    }

    fn line(&self, layer: Layer, part: LinePart) -> Option<f64> {
        let borders = self.borders()?;
        let line = if layer == Layer::County { borders.county } else { borders.place };
        line.map(|BorderLine { distance_m, uncertainty_m, .. }| match part {
            LinePart::Distance => distance_m,
            LinePart::Error => uncertainty_m,
        })
    }

    fn is_uncertain(&self) -> Option<bool> {
        let Outcome::Resolved(resolved) = self.outcome else { return None };
        Some(self.directory.is_uncertain(resolved.point?, &resolved.chain))
    }

    fn tribal_land(&self) -> Option<&'a str> {
        let Outcome::Resolved(resolved) = self.outcome else { return None };
        let land = self.directory.tribal_land_at(resolved.point?)?;
        Some(self.directory.tribal_land(land).name)
    }
}
