//! What lies near a point, and the exact but slow way to ask what contains it.

use rstar::{AABB, RTree, RTreeObject};

use super::Directory;
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::{ArchivedAreaRow, Snapshot, line_kind},
    vocabulary::Layer,
};

/// Search radii in metres, each tried when the one before found nothing.
const RADII_M: [f64; 4] = [300.0, 1_500.0, 8_000.0, 40_000.0];

impl Directory {
    /// The nearest area, by number, that `wanted` accepts, with its distance in metres; none farther than
    /// `limit_m`. Among equally near ones the first in the snapshot's order.
    pub(super) fn nearest_area(
        &self,
        point: LonLat,
        limit_m: f64,
        wanted: impl Fn(&ArchivedAreaRow) -> bool,
    ) -> Option<(u32, f64)> {
        let trie = self.snapshot.trie();
        let mut best: Option<(f64, u32)> = None;
        for radius_m in RADII_M {
            trie.near(point, f64::min(radius_m, limit_m), line_kind::ANY, |edge| {
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

/// The boxes of all areas in an R-tree.
#[derive(Debug)]
pub struct AreaBoxes {
    tree: RTree<AreaBox>,
}

#[derive(Debug)]
struct AreaBox {
    area: u32,
    bbox: Bbox,
}

impl RTreeObject for AreaBox {
    type Envelope = AABB<[i32; 2]>;

    fn envelope(&self) -> AABB<[i32; 2]> {
        AABB::from_corners(
            [self.bbox.min.lon(), self.bbox.min.lat()],
            [self.bbox.max.lon(), self.bbox.max.lat()],
        )
    }
}

impl AreaBoxes {
    pub(super) fn of(snapshot: &Snapshot) -> AreaBoxes {
        let boundaries = snapshot.boundaries();
        let boxes = (0..boundaries.area_count() as u32)
            .filter_map(|area| Some(AreaBox { area, bbox: Bbox::around(boundaries.rings(area).flatten())? }));
        AreaBoxes { tree: RTree::bulk_load(boxes.collect()) }
    }

    /// Areas whose box contains the point, ascending.
    pub fn boxes_around(&self, point: LonLat) -> Vec<u32> {
        self.within(Bbox { min: point, max: point })
    }

    /// Areas whose box meets this one, ascending.
    pub fn within(&self, bbox: Bbox) -> Vec<u32> {
        let envelope = AABB::from_corners([bbox.min.lon(), bbox.min.lat()], [bbox.max.lon(), bbox.max.lat()]);
        let mut areas: Vec<u32> =
            self.tree.locate_in_envelope_intersecting(&envelope).map(|found| found.area).collect();
        areas.sort_unstable();
        areas
    }

    /// Areas of a layer that contain the point, ascending.
    pub fn containing(&self, snapshot: &Snapshot, layer: Layer, point: LonLat) -> Vec<u32> {
        let mut areas = self.boxes_around(point);
        areas.retain(|area| {
            let of_layer = snapshot.areas().area(*area).is_some_and(|row| row.layer() == Some(layer));
            of_layer && snapshot.boundaries().contains(*area, point)
        });
        areas
    }
}
