//! Pure questions to a snapshot: same question, same answer; outcomes, not errors.

use crate::{
    geometry::LonLat,
    snapshot::Snapshot,
    vocabulary::{FuncStat, JurisdictionId, JurisdictionType, LicenseClass, Scale, StateCode},
};

/// A jurisdiction, by its row in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

/// A source, by its row in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRow(pub u32);

/// The questions.
#[derive(Debug)]
pub struct Directory {
    snapshot: Snapshot,
}

/// Which governments cover a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    /// No covered state or territory.
    Outside,
    /// The chain, largest first.
    Inside(Chain),
}

/// State, county, county subdivision and place of a point: always consistent with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// The state.
    pub state: Row,
    /// The county or equivalent.
    pub county: Row,
    /// The town or township, where the snapshot has one for the point.
    pub cousub: Option<Row>,
    /// The incorporated place.
    pub place: Option<Row>,
    /// How the point met its areas.
    pub quality: Quality,
}

/// How the point met its areas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quality {
    /// Inside each area of the chain.
    Inside,
    /// In a sliver where layers of different scale or vintage disagree; settled by the written rule.
    Sliver,
    /// Just outside the mapped shore or border; the nearest county, `metres` away, answers.
    Nearest {
        /// Metres to that county.
        metres: f64,
    },
}

/// The nearest border lines of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Borders {
    /// The nearest line between two counties (or county and nothing).
    pub county: Option<BorderLine>,
    /// The nearest line of an incorporated place.
    pub place: Option<BorderLine>,
    /// How far was looked, metres: `None` above means farther than this.
    pub searched_m: f64,
}

/// One border line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderLine {
    /// Metres from the point.
    pub distance_m: f64,
    /// Scale of the line.
    pub scale: Scale,
    /// Metres by which the line may be off.
    pub uncertainty_m: f64,
    /// What lies on the other side; `None` when nothing covered does.
    pub neighbour: Option<Row>,
}

/// A jurisdiction as the snapshot has it.
#[derive(Clone, Debug, PartialEq)]
pub struct JurisdictionView<'a> {
    /// Row.
    pub row: Row,
    /// Id.
    pub id: JurisdictionId,
    /// Type.
    pub kind: JurisdictionType,
    /// Name as people write it.
    pub name: &'a str,
    /// Legal word, lower case.
    pub legal_type: Option<&'a str>,
    /// State; `None` for the country.
    pub state: Option<StateCode>,
    /// Open Civic Data id.
    pub ocd_id: Option<&'a str>,
    /// Vintage of the boundary or list that it comes from, a year.
    pub tiger_vintage: Option<&'a str>,
    /// Functional status.
    pub func_stat: FuncStat,
    /// Population, for ranking only.
    pub population: u32,
    /// A point inside, where known.
    pub point: Option<LonLat>,
    /// Whether a boundary is at hand: without one no point falls in it.
    pub has_boundary: bool,
    /// Where the record comes from.
    pub source: SourceRow,
}

/// A source as the snapshot has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceView<'a> {
    /// Name.
    pub name: &'a str,
    /// Address of the published data.
    pub url: &'a str,
    /// Publisher.
    pub publisher: &'a str,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Date of retrieval, `YYYY-MM-DD`.
    pub retrieved_at: &'a str,
    /// License class.
    pub license_class: LicenseClass,
    /// Vintage, a year.
    pub vintage: &'a str,
    /// Scale of its lines, where it has lines.
    pub scale: Option<Scale>,
}

/// What is known of an id.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// A jurisdiction of this snapshot.
    Found(Row),
    /// An id of an older vintage, with those that took its place.
    Replaced(Vec<Row>),
    /// No such jurisdiction.
    Unknown,
}

/// How far the snapshot's polygons of a layer reach in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every legal area has its polygon.
    Complete,
    /// Some have.
    Partial,
    /// The layer has no legal areas in this state.
    NotApplicable,
    /// No polygons at hand.
    Missing,
}

impl Directory {
    /// Takes the snapshot.
    pub fn new(snapshot: Snapshot) -> Directory {
        Directory { snapshot }
    }

    /// The snapshot asked.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Which governments cover the point.
    pub fn resolve(&self, _point: LonLat) -> Resolution {
        unimplemented!()
    }

    /// The nearest county and place lines.
    pub fn borders(&self, _point: LonLat, _chain: &Chain) -> Borders {
        unimplemented!()
    }

    /// The row of an id.
    pub fn lookup(&self, _id: &JurisdictionId) -> Lookup {
        unimplemented!()
    }

    /// The fields of a row.
    pub fn jurisdiction(&self, _row: Row) -> JurisdictionView<'_> {
        unimplemented!()
    }

    /// The rows that are the same government or area under another id.
    pub fn same_as(&self, _row: Row) -> impl Iterator<Item = Row> {
        std::iter::empty()
    }

    /// The fields of a source.
    pub fn source(&self, _row: SourceRow) -> SourceView<'_> {
        unimplemented!()
    }

    /// How far county-subdivision polygons reach in a state.
    pub fn cousub_coverage(&self, _state: StateCode) -> Coverage {
        unimplemented!()
    }

    /// When the snapshot was built, RFC 3339.
    pub fn as_of(&self) -> &str {
        unimplemented!()
    }

    /// A digest that names this snapshot, 32 hexadecimal characters.
    pub fn snapshot_id(&self) -> &str {
        unimplemented!()
    }
}
