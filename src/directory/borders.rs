//! How near the county and place lines are.

use super::{BorderLine, Borders, Chain, Directory, Row};
use crate::{
    geometry::LonLat,
    snapshot::{ArchivedAreaRow, NearEdge, line_kind},
    vocabulary::Layer,
};

/// Search radii in metres. Near most points that people ask for, the first finds both lines; the last bounds
/// the cost of the others, and no line that far leaves a doubt.
const RADII_M: [f64; 2] = [600.0, 5_000.0];

const KINDS: [u8; 2] = [line_kind::COUNTY, line_kind::PLACE];

impl Directory {
    /// The nearest county and place lines of a resolved point.
    pub fn borders(&self, point: LonLat, chain: &Chain) -> Borders {
        let mut nearest: [Option<NearEdge>; 2] = [None; 2];
        let mut searched_m = 0.0;
        for radius_m in RADII_M {
            // An edge found beyond the radius of an earlier search may not be the nearest one.
            let missing = nearest.map(|edge| edge.is_none_or(|edge| edge.distance_m > searched_m));
            let kinds = KINDS
                .iter()
                .zip(missing)
                .filter(|(_, missing)| *missing)
                .fold(0, |kinds, (kind, _)| kinds | kind);
            if kinds == 0 {
                break;
            }
            self.nearest_lines(point, radius_m, kinds, &mut nearest);
            searched_m = radius_m;
        }
        let [county, place] = nearest.map(|edge| edge.filter(|edge| edge.distance_m <= RADII_M[1]));
        Borders {
            county: county.and_then(|edge| self.county_line(edge, chain)),
            place: place.and_then(|edge| self.place_line(edge, chain)),
            searched_m: RADII_M[1],
        }
    }

    fn nearest_lines(&self, point: LonLat, radius_m: f64, kinds: u8, nearest: &mut [Option<NearEdge>; 2]) {
        let trie = self.snapshot.trie();
        trie.near(point, radius_m, kinds, |edge| {
            let kinds = trie.label_kinds(edge.label);
            for (slot, kind) in nearest.iter_mut().zip(KINDS) {
                if kinds & kind != 0 && slot.is_none_or(|known| edge.distance_m < known.distance_m) {
                    *slot = Some(edge);
                }
            }
        });
    }

    fn county_line(&self, edge: NearEdge, chain: &Chain) -> Option<BorderLine> {
        let is_county = |area: &&ArchivedAreaRow| area.layer() != Some(Layer::Place);
        let sides = || self.sides(edge).filter(is_county);
        let counties = sides().filter_map(|area| area.county_row()).map(Row);
        self.line(edge, sides(), counties.into_iter().find(|county| *county != chain.county))
    }

    fn place_line(&self, edge: NearEdge, chain: &Chain) -> Option<BorderLine> {
        let is_place = |area: &&ArchivedAreaRow| area.layer() == Some(Layer::Place);
        let sides = || self.sides(edge).filter(is_place);
        let places = sides().filter_map(|area| area.jurisdiction_row()).map(Row);
        self.line(edge, sides(), places.into_iter().find(|place| Some(*place) != chain.place))
    }

    fn sides(&self, edge: NearEdge) -> impl Iterator<Item = &ArchivedAreaRow> {
        self.snapshot.trie().label_areas(edge.label).filter_map(|area| self.snapshot.areas().area(area))
    }

    /// The finest side gives the scale: a shared line is as good as the better of its records.
    fn line<'a>(
        &self,
        edge: NearEdge,
        sides: impl Iterator<Item = &'a ArchivedAreaRow>,
        neighbour: Option<Row>,
    ) -> Option<BorderLine> {
        let (scale, source) = sides.map(|area| (area.scale(), area.source.to_native())).min()?;
        let simplified_m = self
            .snapshot
            .meta()
            .sources
            .get(usize::from(source))
            .map_or(0, |source| source.simplified_m.to_native());
        let uncertainty_m = scale.uncertainty_m() + f64::from(simplified_m);
        Some(BorderLine { distance_m: edge.distance_m, scale, uncertainty_m, neighbour })
    }
}
