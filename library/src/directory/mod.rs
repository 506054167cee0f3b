//! Answers questions from a snapshot: points, ids, names, offices and pages.
//!
//! Every function is pure, so the same question has the same answer; "not found" is an outcome and not an error. This
//! module must not know of JSON, HTTP, the network or the clock.

mod borders;
mod bulk;
mod catalogue;
mod city_changes;
mod communities;
mod contacts;
mod dates;
mod doers;
mod federal;
mod listing;
mod nearest;
mod offices;
mod on_day;
mod outlines;
mod reconcile;
mod resources;
mod rows;
mod search;
mod tribal;
mod view;
mod water;

use std::{collections::BTreeSet, sync::OnceLock};

use smallvec::SmallVec;

use crate::{
    geometry::LonLat,
    rules::{Guide, Job, StateDates},
    snapshot::{CellKinds, Covering, FIELD_LAYERS, Snapshot},
    vocabulary::{Coverage, Geoid, JurisdictionId, Layer, PerState, Scale, StateCode},
};

use borders::LineError;
use catalogue::Catalogue;

pub use crate::snapshot::{ArcRef, History, HistoryChange, HistoryEntry};
pub use bulk::{BLOCK_POINTS, along_curve};
use city_changes::YoungName;
pub use city_changes::{CityChangeRow, CityChangeView, YoungCity};
pub use communities::{CommunityRow, CommunityView};
pub use contacts::{ContactOrigin, ContactRef};
pub use dates::{DateRef, DateView};
pub use federal::{FederalLandRow, FederalLandView};
pub use listing::{Order, Selection, Within};
pub use nearest::AreaBoxes;
use offices::ListedPlaces;
pub use offices::{NamedOffice, RuledState, Scope};
pub use on_day::{DatedChangeRow, DatedChangeView, OnDay, PlaceOnDay, When};
pub use resources::{CheckedLink, OfficeSite, ResourceView, ShownSite, SiteRef};
pub use rows::{Row, SourceRow};
pub use search::{
    FEW_PLACES_MAX, Match, MatchedBy, Matches, OtherPlace, PlaceInSentence, Tasks, Unlisted, state_in_name,
    state_in_sentence,
};
pub use tribal::{TribalLandRow, TribalLandView};
pub use view::{JurisdictionView, POPULATION_YEAR, SourceView};
use water::WaterCounties;

/// The governments that cover a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    /// The point is in no covered state or territory.
    Outside,
    /// The governments as a chain, largest first.
    Inside(Chain),
}

/// State, county, county subdivision and place of a point, always consistent with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// The state or territory.
    pub state: Row,
    /// The county or equivalent.
    pub county: Row,
    /// The town or township, if the snapshot has one for the point.
    pub cousub: Option<Row>,
    /// The incorporated place, if the point lies in one.
    pub place: Option<Row>,
    /// The relation of the point to the areas of the chain.
    pub quality: Quality,
}

impl Chain {
    /// The jurisdictions of the chain, largest first. Reversed, they are nearest first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Row> + use<> {
        [Some(self.state), Some(self.county), self.cousub, self.place].into_iter().flatten()
    }
}

/// The relation of a point to the areas of its chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quality {
    /// Inside each area of the chain.
    Inside,
    /// In a sliver where layers of different scale or vintage disagree; settled by the reconciliation rule.
    Sliver,
    /// Beyond the mapped shore, in water that is part of the county's legal area.
    Water,
    /// Just outside the mapped shore or border; the nearest county, `meters` away, is given.
    Nearest {
        /// Meters from the point to that county.
        meters: f64,
    },
}

/// The nearest border lines of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Borders {
    /// The nearest line between two counties, or between a county and land that is not covered.
    pub county: Option<BorderLine>,
    /// The nearest line of an incorporated place.
    pub place: Option<BorderLine>,
    /// Search radius in meters; `None` in the other fields means that no line is within it.
    pub searched_m: f64,
}

/// One border line near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderLine {
    /// Distance from the point in meters.
    pub distance_m: f64,
    /// Map scale of the line.
    pub scale: Scale,
    /// Meters by which the line may be off.
    pub uncertainty_m: f64,
    /// The jurisdiction on the other side; `None` if it is not covered.
    pub neighbor: Option<Row>,
}

impl BorderLine {
    /// Whether the true line may lie on the other side of the point.
    pub fn is_doubtful(&self) -> bool {
        self.distance_m < self.uncertainty_m
    }
}

/// The result of looking up an id.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// A jurisdiction of this snapshot.
    Found(Row),
    /// An id of an older vintage, with the rows that replaced it.
    Replaced(Vec<Row>),
    /// The snapshot has no such jurisdiction.
    Unknown,
}

/// Numbers of areas that cover a point; eight or fewer need no allocation.
type AreaList = SmallVec<[u32; 8]>;

/// Answers questions from one snapshot.
#[derive(Debug)]
pub struct Directory {
    snapshot: Snapshot,
    state_rows: PerState<Option<Row>>,
    /// The share of subdivisions with polygons, by state.
    cousub_coverage: PerState<Coverage>,
    /// The year of most city limits, by state.
    place_lines_year: PerState<Option<u16>>,
    /// Cities that ended but are still mapped, sorted by row.
    ended_cities: Box<[(Row, CityChangeRow)]>,
    /// Changes of mapped cities that have a known day, sorted by row.
    dated_cities: Box<[(Row, DatedChangeRow)]>,
    /// Rows of counties with a subdivision that has no polygon. Made when first needed.
    counties_lacking_towns: OnceLock<BTreeSet<u32>>,
    /// Rows of counties with any subdivision. Made when first needed.
    counties_with_towns: OnceLock<BTreeSet<u32>>,
    /// Names of cities that began after their limits were drawn. Made when first needed.
    young_names: OnceLock<Box<[YoungName]>>,
    /// Line errors by row of the source.
    line_errors: Box<[LineError]>,
    /// The largest error of any source's lines, in meters, without very coarse lines.
    usual_error_m: f64,
    /// Row of the first county, and the search radius of each county's lines in meters.
    county_search: (usize, Box<[f32]>),
    water_counties: WaterCounties,
    /// Kinds of lines in each cell of the trie; made by [`Directory::warm`].
    cell_kinds: OnceLock<CellKinds>,
    /// Boxes of all areas; made when first needed.
    area_boxes: OnceLock<AreaBoxes>,
    /// Rules of each state, decoded when first needed.
    ruled_states: PerState<OnceLock<Option<Box<RuledState>>>>,
    /// For each state, the places that its rules list, by the county that they lie in. Made when first needed.
    listed_places: PerState<OnceLock<ListedPlaces>>,
    guides: OnceLock<Vec<Guide>>,
    /// Dates and amounts of each state, decoded when first needed.
    state_dates: PerState<OnceLock<Option<Box<StateDates>>>>,
    /// Jobs that each state does itself. Finding them takes a walk through the state's counties, so it is done once.
    state_jobs: PerState<OnceLock<Vec<Job<'static>>>>,
    catalogue: Catalogue,
}

impl Directory {
    /// A directory of this snapshot; computes the small tables that each point needs.
    pub fn new(snapshot: Snapshot) -> Directory {
        let mut cousub_coverage = PerState::from_fn(|_| Coverage::Missing);
        for row in snapshot.meta().coverage.iter() {
            if let (Some(Layer::Cousub), Some(state)) = (row.layer(), row.state()) {
                *cousub_coverage.get_mut(state) = row.coverage();
            }
        }
        let mut directory = Directory {
            snapshot,
            state_rows: PerState::default(),
            cousub_coverage,
            place_lines_year: PerState::default(),
            ended_cities: Box::default(),
            dated_cities: Box::default(),
            counties_lacking_towns: OnceLock::new(),
            counties_with_towns: OnceLock::new(),
            young_names: OnceLock::new(),
            line_errors: Box::default(),
            usual_error_m: 0.0,
            county_search: (0, Box::default()),
            water_counties: WaterCounties::default(),
            cell_kinds: OnceLock::new(),
            area_boxes: OnceLock::new(),
            ruled_states: PerState::default(),
            listed_places: PerState::default(),
            guides: OnceLock::new(),
            state_dates: PerState::default(),
            state_jobs: PerState::default(),
            catalogue: Catalogue::default(),
        };
        directory.place_lines_year = directory.place_lines_years();
        directory.ended_cities = directory.ended_cities();
        directory.dated_cities = directory.dated_cities();
        let sources = 0..directory.source_count() as u16;
        directory.line_errors =
            sources.map(|number| LineError::new(&directory.source(SourceRow::new(number)))).collect();
        directory.usual_error_m = directory.usual_error_m();
        directory.county_search = directory.county_search();
        directory.water_counties = WaterCounties::new(&directory.snapshot);
        for state in StateCode::all() {
            let row = directory.row_of(Geoid::of_state(state));
            *directory.state_rows.get_mut(state) = row;
        }
        directory
    }

    /// The snapshot that answers come from.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The governments that cover the point.
    #[inline]
    pub fn resolve(&self, point: LonLat) -> Resolution {
        self.resolve_code(point, self.snapshot.trie().lookup(point))
    }

    /// The governments that cover a point whose code in the trie is known.
    #[inline]
    fn resolve_code(&self, point: LonLat, code: u64) -> Resolution {
        let chain = self.chain_at_once(code).or_else(|| self.reconcile(point, code));
        chain.map_or(Resolution::Outside, |chain| Resolution::Inside(self.with_water(point, chain)))
    }

    /// Looks up an id.
    pub fn lookup(&self, id: &JurisdictionId) -> Lookup {
        let jurisdictions = self.snapshot.jurisdictions();
        if let Some(row) = jurisdictions.find(id) {
            return Lookup::Found(Row::new(row));
        }
        jurisdictions
            .successors(id)
            .map_or(Lookup::Unknown, |rows| Lookup::Replaced(rows.map(Row::new).collect()))
    }

    /// The numbers of the areas of all layers that contain the point, as the trie has them, before any rule is
    /// applied. For checks against the reference engine.
    pub fn covering_areas(&self, point: LonLat) -> Vec<u32> {
        let code = self.snapshot.trie().lookup(point);
        (0..FIELD_LAYERS.len()).flat_map(|field| self.areas_in_field(code, field, point)).collect()
    }

    /// The numbers of the areas of one layer that contain the point. `field` is the layer's index in [`FIELD_LAYERS`],
    /// and `code` the point's value in the trie.
    fn areas_in_field(&self, code: u64, field: usize, point: LonLat) -> AreaList {
        match self.snapshot.covering(code, field) {
            Covering::None => AreaList::new(),
            Covering::One(area) => AreaList::from_slice(&[area]),
            Covering::Many(areas) => areas.iter().collect(),
            Covering::Unlisted => self.unlisted_areas(field, point),
        }
    }

    /// The areas of a point whose code has no list of areas. They follow from a path through the trie: each border
    /// that the path crosses adds an area to those at its start, or removes one. The polygons are tested if the start
    /// has no list either.
    #[cold]
    fn unlisted_areas(&self, field: usize, point: LonLat) -> AreaList {
        let (layer, trie) = (FIELD_LAYERS[field], self.snapshot.trie());
        let (start, crossed) = trie.path(point);
        let mut areas = match self.snapshot.covering(start, field) {
            Covering::None => AreaList::new(),
            Covering::One(area) => AreaList::from_slice(&[area]),
            Covering::Many(areas) => areas.iter().collect(),
            Covering::Unlisted => return self.area_boxes().containing(&self.snapshot, layer, point),
        };
        let of_layer =
            |area: &u32| self.snapshot.areas().area(*area).and_then(|row| row.layer()) == Some(layer);
        for area in crossed.into_iter().flat_map(|label| trie.label_areas(label)).filter(of_layer) {
            match areas.iter().position(|known| *known == area) {
                Some(at) => {
                    areas.swap_remove(at);
                }
                None => areas.push(area),
            }
        }
        areas.sort_unstable();
        areas
    }

    /// Prepares tables that are not in the file and take about a tenth of a second. These are the kinds of lines in
    /// each cell of the trie, which speed up [`Directory::borders`], and the boxes of all areas.
    ///
    /// A service calls this in the background once it listens, and a program before resolving many points. Answers
    /// are the same without this call.
    pub fn warm(&self) {
        self.cell_kinds.get_or_init(|| CellKinds::read(self.snapshot.trie()));
        self.area_boxes();
    }

    /// The boxes of all areas, made on first use.
    pub fn area_boxes(&self) -> &AreaBoxes {
        self.area_boxes.get_or_init(|| AreaBoxes::new(&self.snapshot))
    }

    /// The share of a state's county subdivisions that have polygons.
    pub fn cousub_coverage(&self, state: StateCode) -> Coverage {
        *self.cousub_coverage.get(state)
    }

    /// The date of the snapshot, RFC 3339.
    pub fn as_of(&self) -> &str {
        &self.snapshot.meta().as_of
    }

    /// The changes since earlier snapshots; `None` if this snapshot was not compared with another.
    pub fn history(&self) -> Option<History> {
        self.snapshot.history()
    }

    /// A digest that identifies this snapshot, 32 hexadecimal characters.
    pub fn snapshot_id(&self) -> &str {
        self.snapshot.id()
    }
}
