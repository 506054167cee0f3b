//! Finds the area nearest to a point, and the areas that contain it by an exact but slow test.

use super::{AreaList, Directory};
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::{ArchivedAreaRow, Snapshot, line_kind},
    vocabulary::Layer,
};

/// Search radii in meters; each is tried if the previous one found nothing. Chosen, not measured.
const RADII_M: [f64; 4] = [300.0, 1_500.0, 8_000.0, 40_000.0];

impl Directory {
    /// The nearest area that `wanted` accepts, with its distance in meters; `None` beyond `limit_m`. Among equally
    /// near areas the first in the snapshot's order is returned.
    pub(super) fn nearest_area(
        &self,
        point: LonLat,
        limit_m: f64,
        wanted: impl Fn(&ArchivedAreaRow) -> bool,
    ) -> Option<(u32, f64)> {
        let trie = self.snapshot.trie();
        let mut best: Option<(f64, u32)> = None;
        for radius_m in RADII_M {
            trie.near(point, f64::min(radius_m, limit_m), line_kind::ANY, None, |edge| {
                for area in trie.label_areas(edge.label) {
                    let better = best.is_none_or(|known| (edge.distance_m, area) < known);
                    if better && self.snapshot.areas().area(area).is_some_and(&wanted) {
                        best = Some((edge.distance_m, area));
                    }
                }
                best.map_or(limit_m, |(distance, _)| distance)
            });
            if best.is_some() || radius_m >= limit_m {
                break;
            }
        }
        best.map(|(distance, area)| (area, distance))
    }
}

/// The boxes of all areas, by number. A list suffices, because it is needed so rarely that a search tree would not
/// pay.
#[derive(Debug)]
pub struct AreaBoxes(Box<[Option<Bbox>]>);

impl AreaBoxes {
    pub(super) fn new(snapshot: &Snapshot) -> AreaBoxes {
        AreaBoxes(snapshot.boundaries().boxes().into())
    }

    /// Each area that has an extent, by number, with its box.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Bbox)> {
        (0..).zip(&self.0).filter_map(|(area, bbox)| Some((area, (*bbox)?)))
    }

    /// The areas of a layer that contain the point, ascending.
    pub(super) fn containing(&self, snapshot: &Snapshot, layer: Layer, point: LonLat) -> AreaList {
        let of_layer = |area: u32| snapshot.areas().area(area).is_some_and(|row| row.layer() == Some(layer));
        let around = self.iter().filter(|(_, bbox)| bbox.contains(point)).map(|(area, _)| area);
        around.filter(|area| of_layer(*area) && snapshot.boundaries().contains(*area, point)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_box_is_the_smallest_around_all_rings() {
        let directory = testing::directory();
        let snapshot = directory.snapshot();
        let boundaries = snapshot.boundaries();
        let boxes = AreaBoxes::new(snapshot);
        assert!(boxes.iter().count() > 3);
        for area in 0..boundaries.area_count() as u32 {
            let around = Bbox::around(boundaries.rings(area).flatten());
            assert_eq!(boxes.0[area as usize], around, "area {area}");
        }
    }
}
