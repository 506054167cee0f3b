//! Finds the county and place lines near a point, and says whether they leave doubt about the point's chain.

use super::{BorderLine, Borders, Chain, Directory, Quality, Resolution, Row, SourceView};
use crate::{
    geometry::{LonLat, Plane},
    snapshot::{ArchivedAreaRow, NearEdge, line_kind},
    vocabulary::{JurisdictionId, Layer, Scale},
};

/// Search radius for lines, in meters. A farther line leaves no doubt, unless it is a very coarse one. Chosen, not
/// measured.
const SEARCH_M: f64 = 2_000.0;
/// Distance beyond a line at which its other side is looked up, in meters, on top of the line's own uncertainty.
/// Chosen, not measured.
const BEYOND_M: f64 = 100.0;

/// How far the lines of a source may be off, in meters. Computed once for each source, because each border needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineError {
    /// Uncertainty that follows from the scale of the source's lines, in meters.
    scale_m: f64,
    /// Largest displacement by simplification, in meters.
    simplified_m: f64,
}

impl LineError {
    pub(super) fn new(source: &SourceView<'_>) -> LineError {
        LineError {
            scale_m: source.scale.map_or(0.0, Scale::uncertainty_m),
            simplified_m: f64::from(source.simplified_m),
        }
    }

    fn total_m(self) -> f64 {
        self.scale_m + self.simplified_m
    }
}

impl Directory {
    /// The nearest county and place lines of a resolved point.
    pub fn borders(&self, point: LonLat, chain: &Chain) -> Borders {
        self.borders_within(self.searched_m(chain.county), point, chain)
    }

    /// Whether a county or place line is so near that the true line may lie on the other side of the point.
    ///
    /// The search reaches only as far as lines may be off, so it takes far less time than [`Directory::borders`].
    pub fn is_uncertain(&self, point: LonLat, chain: &Chain) -> bool {
        let searched_m = self.searched_m(chain.county);
        let doubtful_m = if searched_m > SEARCH_M { searched_m } else { self.usual_error_m };
        let reach = Plane::at(point).reach(doubtful_m);
        if !self.snapshot.trie().may_be_near(point, reach, line_kind::COUNTY | line_kind::PLACE) {
            return false;
        }
        let lines = self.borders_within(doubtful_m, point, chain);
        [lines.county, lines.place].into_iter().flatten().any(|line| line.is_doubtful())
    }

    /// The nearest county and place lines within `searched_m` meters.
    fn borders_within(&self, searched_m: f64, point: LonLat, chain: &Chain) -> Borders {
        let trie = self.snapshot.trie();
        let mut nearest: [Option<NearEdge>; 2] = [None; 2];
        let kinds = line_kind::COUNTY | line_kind::PLACE;
        trie.near(point, searched_m, kinds, self.cell_kinds.get(), |edge| {
            for (slot, kind) in nearest.iter_mut().zip([line_kind::COUNTY, line_kind::PLACE]) {
                if edge.kinds & kind != 0 && slot.is_none_or(|known| edge.distance_m < known.distance_m) {
                    *slot = Some(edge);
                }
            }
            edge.distance_m
        });
        Borders {
            county: nearest[0].and_then(|edge| self.county_line(point, edge, chain)),
            place: nearest[1].and_then(|edge| self.place_line(edge, chain)),
            searched_m,
        }
    }

    /// The largest error of any source's lines, in meters, without very coarse lines.
    pub(super) fn usual_error_m(&self) -> f64 {
        let errors = self.line_errors.iter().map(|error| error.total_m());
        errors.filter(|meters| *meters <= SEARCH_M).fold(0.0, f64::max)
    }

    /// The search radius for the lines of a county, in meters: at least as far as they may be off. Reads a small
    /// table, because reading the row of the county would fetch memory for each point.
    fn searched_m(&self, county: Row) -> f64 {
        let (first, radii) = &self.county_search;
        let own = county.index().checked_sub(*first).and_then(|at| radii.get(at));
        own.map_or(SEARCH_M, |meters| f64::from(*meters))
    }

    /// The table for [`Directory::searched_m`]: the row of the first county, and the meters for each county.
    pub(super) fn county_search(&self) -> (usize, Box<[f32]>) {
        let counties = self.rows_of(Layer::County);
        let first = counties.clone().next().map_or(0, Row::index);
        // `as f32` rounds to the nearest number, so a radius may be short by less than a millimeter.
        let meters = |row: Row| self.uncertainty_m(row).max(SEARCH_M) as f32;
        (first, counties.map(meters).collect())
    }

    /// Whether a place reaches into a county other than this one, by more than the county's line may be off.
    ///
    /// Walks all lines of the place, but examines only those beyond the county. Most places take far less than a
    /// millisecond.
    pub fn reaches_beyond(&self, place: Row, county: Row) -> bool {
        let mut vertices =
            self.areas_of(place).flat_map(|area| self.snapshot.boundaries().rings(area)).flatten();
        vertices.any(|vertex| self.is_well_outside(vertex, county))
            || self.holds_another_county(place, county)
    }

    /// The areas of a jurisdiction, by number; empty for the country and for districts.
    pub fn areas_of(&self, row: Row) -> impl Iterator<Item = u32> {
        let areas = self.snapshot.areas();
        let geoid = match self.id_of(row) {
            JurisdictionId::Census(geoid) => Some(geoid),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        };
        geoid.into_iter().flat_map(|geoid| areas.areas_of(geoid)).filter(move |number| {
            areas.area(*number).is_some_and(|area| area.jurisdiction_row() == Some(row.number()))
        })
    }

    /// Whether the inner point of another county lies in a place. New York City needs this test: its limits follow
    /// county lines only.
    fn holds_another_county(&self, place: Row, county: Row) -> bool {
        let mut others = self.counties_of(self.state_of(county)).filter(|other| *other != county);
        others.any(|other| {
            let point = self.jurisdiction(other).point;
            let chain = point.and_then(|point| self.chain_at_once(self.snapshot.trie().lookup(point)));
            chain.is_some_and(|chain| chain.county == other && chain.place == Some(place))
        })
    }

    /// Whether a point lies in another county of the same state, farther from the county line than the line may be
    /// off.
    fn is_well_outside(&self, point: LonLat, county: Row) -> bool {
        // Counts only if all layers agree at the point. City limits in open water lie in no county, and in slivers an
        // old line is wrong.
        let Some(chain) = self.chain_at_once(self.snapshot.trie().lookup(point)) else { return false };
        if chain.county == county || self.state_of(chain.county) != self.state_of(county) {
            return false;
        }
        let line = self.borders(point, &chain).county;
        line.is_none_or(|line| line.distance_m > line.uncertainty_m)
    }

    /// How far the lines of a jurisdiction's source may be off, meters.
    fn uncertainty_m(&self, row: Row) -> f64 {
        self.line_errors.get(self.jurisdiction_source(row).index()).map_or(0.0, |error| error.total_m())
    }

    /// How far the lines of an area may be off, in meters: its scale's tolerance plus the displacement by
    /// simplification.
    pub(super) fn line_uncertainty_m(&self, area: &ArchivedAreaRow) -> f64 {
        let simplified_m =
            self.line_errors.get(usize::from(area.source())).map_or(0.0, |error| error.simplified_m);
        area.scale().uncertainty_m() + simplified_m
    }

    /// The county line of an edge. The county on the other side has the edge in its area, or is looked up across the
    /// edge.
    fn county_line(&self, point: LonLat, edge: NearEdge, chain: &Chain) -> Option<BorderLine> {
        let is_county = |area: &&ArchivedAreaRow| matches!(area.layer(), Some(Layer::County | Layer::Cousub));
        let sides = || self.sides(edge).filter(is_county);
        let counties = sides().filter_map(|area| area.county_row()).map(Row::new);
        let neighbor = counties.into_iter().find(|county| *county != chain.county);
        let line = self.line(edge, sides(), neighbor)?;
        Some(BorderLine {
            neighbor: line.neighbor.or_else(|| self.county_across(point, &line, edge, chain)),
            ..line
        })
    }

    /// The county beyond a line that only the area on this side has: sources of neighboring states do not share
    /// lines. Looks up a point just across the line.
    fn county_across(&self, point: LonLat, line: &BorderLine, edge: NearEdge, chain: &Chain) -> Option<Row> {
        if edge.distance_m <= 0.0 {
            return None;
        }
        let ratio = 1.0 + (line.uncertainty_m + BEYOND_M) / edge.distance_m;
        let across = Plane::at(point).moved(point, (edge.offset_m.0 * ratio, edge.offset_m.1 * ratio));
        match self.resolve(across) {
            Resolution::Inside(found) if matches!(found.quality, Quality::Inside | Quality::Water) => {
                Some(found.county)
            }
            Resolution::Inside(_) | Resolution::Outside => None,
        }
        .filter(|county| *county != chain.county)
    }

    fn place_line(&self, edge: NearEdge, chain: &Chain) -> Option<BorderLine> {
        let is_place = |area: &&ArchivedAreaRow| area.layer() == Some(Layer::Place);
        let sides = || self.sides(edge).filter(is_place);
        let places = sides().filter_map(|area| area.jurisdiction_row()).map(Row::new);
        self.line(edge, sides(), places.into_iter().find(|place| Some(*place) != chain.place))
    }

    fn sides(&self, edge: NearEdge) -> impl Iterator<Item = &ArchivedAreaRow> {
        self.snapshot.trie().label_areas(edge.label).filter_map(|area| self.snapshot.areas().area(area))
    }

    /// The border line of an edge, with the scale of its finest side: a shared line is as exact as its most exact
    /// record.
    fn line<'a>(
        &self,
        edge: NearEdge,
        sides: impl Iterator<Item = &'a ArchivedAreaRow>,
        neighbor: Option<Row>,
    ) -> Option<BorderLine> {
        let finest = sides.min_by_key(|area| (area.scale(), area.source()))?;
        let uncertainty_m = self.line_uncertainty_m(finest);
        Some(BorderLine { distance_m: edge.distance_m, scale: finest.scale(), uncertainty_m, neighbor })
    }
}
