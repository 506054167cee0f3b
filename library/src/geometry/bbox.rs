//! A bounding box of coordinates.

use super::LonLat;

/// A bounding box; its edges belong to it. A box never crosses the 180th meridian, because areas that cross it are cut
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bbox {
    /// The south-west corner of the box.
    pub min: LonLat,
    /// The north-east corner of the box.
    pub max: LonLat,
}

/// Number of grid points across a box, in each direction. Chosen, not measured.
const POINTS_ACROSS: i64 = 9;

impl Bbox {
    /// The smallest box that contains the points; `None` without points.
    pub fn around(points: impl IntoIterator<Item = LonLat>) -> Option<Bbox> {
        points.into_iter().fold(None, |bbox, point| {
            Some(bbox.map_or(Bbox { min: point, max: point }, |bbox: Bbox| {
                bbox.union(Bbox { min: point, max: point })
            }))
        })
    }

    /// The smallest box that contains both boxes.
    pub fn union(self, other: Bbox) -> Bbox {
        Bbox {
            min: LonLat::from_units(self.min.lat().min(other.min.lat()), self.min.lon().min(other.min.lon())),
            max: LonLat::from_units(self.max.lat().max(other.max.lat()), self.max.lon().max(other.max.lon())),
        }
    }

    /// Whether the point lies in the box or on its edge.
    pub fn contains(&self, point: LonLat) -> bool {
        self.min.lon() <= point.lon()
            && point.lon() <= self.max.lon()
            && self.min.lat() <= point.lat()
            && point.lat() <= self.max.lat()
    }

    /// The points of a grid over the box. Each point is the middle of a grid cell, so no point lies on the edge of the
    /// box.
    pub fn grid(self) -> impl Iterator<Item = LonLat> {
        let along = |min: i32, max: i32, step: i64| {
            let way = (i64::from(max) - i64::from(min)) * (2 * step + 1) / (2 * POINTS_ACROSS);
            (i64::from(min) + way) as i32
        };
        (0..POINTS_ACROSS * POINTS_ACROSS).map(move |number| {
            let lat = along(self.min.lat(), self.max.lat(), number / POINTS_ACROSS);
            let lon = along(self.min.lon(), self.max.lon(), number % POINTS_ACROSS);
            LonLat::from_units(lat, lon)
        })
    }

    /// The area of a grid cell, in units of (1e-7 degree)^2.
    pub fn cell_area(&self) -> u64 {
        let side =
            |min: i32, max: i32| i64::from(max).abs_diff(i64::from(min)) / POINTS_ACROSS.unsigned_abs();
        side(self.min.lat(), self.max.lat()).saturating_mul(side(self.min.lon(), self.max.lon()))
    }

    /// Whether the boxes share a point.
    pub fn intersects(&self, other: &Bbox) -> bool {
        self.min.lon() <= other.max.lon()
            && other.min.lon() <= self.max.lon()
            && self.min.lat() <= other.max.lat()
            && other.min.lat() <= self.max.lat()
    }
}
