//! Distances on the ground, accurate to about 0.5 % within a few hundred kilometers.
//!
//! Degrees are converted to meters on a plane that touches the Earth at one of the points.

use super::{LonLat, UNITS_PER_DEGREE};

/// Meters per degree of latitude on a sphere with the mean radius of the Earth (6,371,008.8 m, IUGG).
pub const METERS_PER_DEGREE: f64 = 111_195.08;

/// Meters per international foot: exact by the International Yard and Pound Agreement of 1959.
pub const METERS_PER_FOOT: f64 = 0.3048;

/// Feet per mile, by definition.
pub const FEET_PER_MILE: f64 = 5_280.0;

const METERS_PER_UNIT: f64 = METERS_PER_DEGREE / UNITS_PER_DEGREE as f64;

/// The distance between two points in meters, on a plane that touches the Earth at `p`.
pub fn distance_m(p: LonLat, q: LonLat) -> f64 {
    distance_to_segment_m(p, q, q)
}

/// The distance in meters from `p` to the nearest point of the segment `a b`, on a plane that touches the Earth at
/// `p`.
pub fn distance_to_segment_m(p: LonLat, a: LonLat, b: LonLat) -> f64 {
    let plane = Plane::at(p);
    let from = |q: LonLat| (i64::from(q.lon()) - i64::from(p.lon()), i64::from(q.lat()) - i64::from(p.lat()));
    let (east, north) = plane.to_segment(from(a), from(b));
    // Squares of these distances cannot overflow. This is therefore as exact as `hypot`, which takes many times as
    // long.
    (east * east + north * north).sqrt()
}

/// A plane that touches the Earth at one point, for many distances from this point.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    meters_per_lon: f64,
}

impl Plane {
    /// The plane that touches the Earth at `p`.
    pub fn at(p: LonLat) -> Plane {
        Plane { meters_per_lon: METERS_PER_UNIT * p.lat_degrees().to_radians().cos() }
    }

    /// Half-widths, east and north, of a box that contains all points within `meters`. They are in 1e-7 degree, rounded
    /// up.
    #[inline]
    pub fn reach(&self, meters: f64) -> (i64, i64) {
        // A degree of longitude near a pole has almost no length. The lower bound avoids a division by zero.
        let units = |meters_per_unit: f64| (meters / meters_per_unit.max(1e-9)) as i64 + 1;
        (units(self.meters_per_lon), units(METERS_PER_UNIT))
    }

    /// Meters east and north from the plane's point to the nearest point of a segment. `a` and `b` are the ends of the
    /// segment, in 1e-7 degree east and north of the plane's point.
    #[inline]
    pub fn to_segment(&self, a: (i64, i64), b: (i64, i64)) -> (f64, f64) {
        let plane = |q: (i64, i64)| (q.0 as f64 * self.meters_per_lon, q.1 as f64 * METERS_PER_UNIT);
        let ((ax, ay), (bx, by)) = (plane(a), plane(b));
        let (dx, dy) = (bx - ax, by - ay);
        let length_squared = dx * dx + dy * dy;
        let along =
            if length_squared > 0.0 { (-(ax * dx + ay * dy) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
        (ax + along * dx, ay + along * dy)
    }

    /// The point that lies `east` and `north` meters from `p`, clamped to the globe. The plane must touch the Earth at
    /// `p`.
    pub fn moved(&self, p: LonLat, (east, north): (f64, f64)) -> LonLat {
        let add = |at: i32, meters: f64, meters_per_unit: f64| {
            at.saturating_add((meters / meters_per_unit.max(1e-9)) as i32)
        };
        LonLat::from_units(add(p.lat(), north, METERS_PER_UNIT), add(p.lon(), east, self.meters_per_lon))
    }

    /// The square of the distance from the plane's point to the nearest point of a box, in square meters. `min` and
    /// `max` are the south-west and north-east corners, in 1e-7 degree east and north of the plane's point.
    #[inline]
    pub fn squared_to_box(&self, min: (i64, i64), max: (i64, i64)) -> f64 {
        let gap = |min: i64, max: i64| min.max(0).max(-max) as f64;
        let (x, y) = (gap(min.0, max.0) * self.meters_per_lon, gap(min.1, max.1) * METERS_PER_UNIT);
        x * x + y * y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_distances() {
        let point = |lat, lon| LonLat::from_lat_lon(lat, lon).unwrap();
        // A degree of latitude, and a degree of longitude at 60 degrees north, which is half as long.
        assert!((distance_m(point(45.0, -93.0), point(46.0, -93.0)) - METERS_PER_DEGREE).abs() < 1.0);
        assert!((distance_m(point(60.0, 10.0), point(60.0, 11.0)) - METERS_PER_DEGREE / 2.0).abs() < 1.0);
        // The nearest point is inside the segment, not at one of its ends.
        let meters = distance_to_segment_m(point(0.0, 0.0), point(0.01, -1.0), point(0.01, 1.0));
        assert!((meters - METERS_PER_DEGREE * 0.01).abs() < 0.1);
    }
}
