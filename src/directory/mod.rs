//! Pure questions to a snapshot: same question, same answer; outcomes, not errors.
//!
//! Knows nothing of JSON, HTTP, the network or the clock.

mod borders;
mod nearest;
mod offices;
mod pages;
mod search;
mod settle;
mod view;

use std::sync::OnceLock;

use crate::{
    geometry::LonLat,
    rules::{Guide, Outcome},
    snapshot::{Covering, FIELD_LAYERS, Snapshot},
    vocabulary::{JurisdictionId, Layer, STATES, Scale, StateCode},
};

pub use nearest::Envelopes;
pub use offices::{RuledState, Scope};
pub use pages::{ResourceView, WebsiteView};
pub use search::{Match, MatchedBy, Matches};
pub use view::{JurisdictionView, SourceView};

/// A jurisdiction, by its row in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

/// A source, by its row in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRow(pub u32);

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
    /// The nearest line between two counties, or of a county towards nothing covered.
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
    /// No polygons at hand.
    Missing,
    /// Some legal areas have their polygon.
    Partial,
    /// Every legal area has its polygon.
    Complete,
    /// The layer has no legal areas in this state.
    NotApplicable,
}

/// The questions.
#[derive(Debug)]
pub struct Directory {
    snapshot: Snapshot,
    /// Row of each state, by FIPS code.
    state_rows: [Option<u32>; 100],
    /// Whether subdivisions tile the state, by FIPS code.
    tiled: [bool; 100],
    /// Made when first needed.
    envelopes: OnceLock<Envelopes>,
    /// Rules by FIPS code of the state, decoded when first needed.
    books: [OnceLock<Option<Box<RuledState>>>; 100],
    guides: OnceLock<Vec<Guide>>,
    /// Jobs by FIPS code of the state that does them: to find them takes a walk through its counties.
    state_jobs: [OnceLock<Vec<Outcome>>; 100],
}

impl Directory {
    /// Takes the snapshot.
    pub fn new(snapshot: Snapshot) -> Directory {
        let mut directory = Directory {
            snapshot,
            state_rows: [None; 100],
            tiled: [false; 100],
            envelopes: OnceLock::new(),
            books: [const { OnceLock::new() }; 100],
            guides: OnceLock::new(),
            state_jobs: [const { OnceLock::new() }; 100],
        };
        for (fips, ..) in STATES {
            if let Some(state) = StateCode::from_fips(fips) {
                let id = format!("state:{fips:02}").parse::<JurisdictionId>();
                let row = id.ok().and_then(|id| directory.snapshot.jurisdictions().find(&id));
                directory.state_rows[usize::from(fips)] = row;
                directory.tiled[usize::from(fips)] = directory.cousub_coverage(state) == Coverage::Complete;
            }
        }
        directory
    }

    /// The snapshot asked.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Which governments cover the point.
    pub fn resolve(&self, point: LonLat) -> Resolution {
        let code = self.snapshot.trie().lookup(point);
        if let Some(chain) = self.chain_at_once(code) {
            return Resolution::Inside(chain);
        }
        self.settle(point, code).map_or(Resolution::Outside, Resolution::Inside)
    }

    /// The row of an id.
    pub fn lookup(&self, id: &JurisdictionId) -> Lookup {
        let jurisdictions = self.snapshot.jurisdictions();
        if let Some(row) = jurisdictions.find(id) {
            return Lookup::Found(Row(row));
        }
        jurisdictions.successors(id).map_or(Lookup::Unknown, |rows| Lookup::Replaced(rows.map(Row).collect()))
    }

    /// The areas of each layer of the trie whose polygons contain the point, as the trie has it: by number,
    /// before any rule is applied. For checks against the reference engine.
    pub fn covering_areas(&self, point: LonLat) -> Vec<u32> {
        let code = self.snapshot.trie().lookup(point);
        (0..FIELD_LAYERS.len()).flat_map(|field| self.areas_in_field(code, field, point)).collect()
    }

    fn areas_in_field(&self, code: u64, field: usize, point: LonLat) -> Vec<u32> {
        match self.snapshot.covering(code, field) {
            Covering::None => Vec::new(),
            Covering::One(area) => vec![area],
            Covering::Many(areas) => areas.iter().map(|area| area.to_native()).collect(),
            Covering::Unlisted => self.envelopes().containing(&self.snapshot, FIELD_LAYERS[field], point),
        }
    }

    /// The boxes of all areas, in an R-tree.
    pub fn envelopes(&self) -> &Envelopes {
        self.envelopes.get_or_init(|| Envelopes::of(&self.snapshot))
    }

    /// How far county-subdivision polygons reach in a state.
    pub fn cousub_coverage(&self, state: StateCode) -> Coverage {
        let rows = self.snapshot.meta().coverage.iter();
        let row = rows.into_iter().find(|row| row.layer == Layer::Cousub as u8 && row.state == state.fips());
        match row.map(|row| row.coverage) {
            Some(1) => Coverage::Partial,
            Some(2) => Coverage::Complete,
            Some(3) => Coverage::NotApplicable,
            _ => Coverage::Missing,
        }
    }

    /// The date of the snapshot, RFC 3339.
    pub fn as_of(&self) -> &str {
        &self.snapshot.meta().as_of
    }

    /// A digest that names this snapshot, 32 hexadecimal characters.
    pub fn snapshot_id(&self) -> &str {
        self.snapshot.id()
    }
}
