//! Closed rings of integer points: orientation, area, and tests whether they contain a point.

use super::LonLat;

/// Twice the signed area of the triangle `a b p`; positive if `p` lies left of `a -> b`.
///
/// The result is exact in an i128 for any three points. Edges of real data would fit in an i64, but this function also
/// checks rings with unknown edges.
pub fn side(a: LonLat, b: LonLat, p: LonLat) -> i128 {
    let (dx, dy) = (i128::from(b.lon()) - i128::from(a.lon()), i128::from(b.lat()) - i128::from(a.lat()));
    dx * (i128::from(p.lat()) - i128::from(a.lat())) - dy * (i128::from(p.lon()) - i128::from(a.lon()))
}

/// Whether the edge crosses the ray that begins just north-east of `p` and runs due west. By the border rule, a point
/// on the edge counts as east of it. A vertex at the latitude of `p` counts as south of `p`.
pub fn crosses_west_ray(a: LonLat, b: LonLat, p: LonLat) -> bool {
    if (a.lat() <= p.lat()) == (b.lat() <= p.lat()) {
        return false;
    }
    let (south, north) = if a.lat() < b.lat() { (a, b) } else { (b, a) };
    side(south, north, p) <= 0
}

/// Twice the signed area of a closed ring, whose last point repeats the first. Positive if the ring runs
/// counter-clockwise.
pub fn signed_area_doubled(ring: &[LonLat]) -> i128 {
    ring.windows(2)
        .map(|edge| {
            i128::from(edge[0].lon()) * i128::from(edge[1].lat())
                - i128::from(edge[1].lon()) * i128::from(edge[0].lat())
        })
        .sum()
}

/// Whether the closed ring contains the point, by the border rule. The orientation of the ring does not matter.
pub fn contains(ring: &[LonLat], p: LonLat) -> bool {
    ring.windows(2).filter(|edge| crosses_west_ray(edge[0], edge[1], p)).count() % 2 == 1
}

/// Whether an area contains the point: an odd number of its closed rings contain it.
pub fn area_contains<'a>(rings: impl IntoIterator<Item = &'a Vec<LonLat>>, p: LonLat) -> bool {
    rings.into_iter().filter(|ring| contains(ring, p)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lon: i32, lat: i32) -> LonLat {
        LonLat::from_units(lat, lon)
    }

    fn square(west: i32, south: i32) -> Vec<LonLat> {
        vec![
            at(west, south),
            at(west + 10, south),
            at(west + 10, south + 10),
            at(west, south + 10),
            at(west, south),
        ]
    }

    /// The tiles are four squares that meet in one point. Every point of the four lies in exactly one of them, even on
    /// inner borders and corners.
    #[test]
    fn a_tiling_owns_each_point_once() {
        let tiles = [square(0, 0), square(10, 0), square(0, 10), square(10, 10)];
        for lon in 0..20 {
            for lat in 0..20 {
                let owners: Vec<_> = (0..4).filter(|tile| contains(&tiles[*tile], at(lon, lat))).collect();
                assert_eq!(owners, [usize::from(lon >= 10) + 2 * usize::from(lat >= 10)], "{lon},{lat}");
            }
        }
    }

    #[test]
    fn orientation_gives_the_sign_of_the_area() {
        let mut ring = square(5, 5);
        assert_eq!(signed_area_doubled(&ring), 200);
        ring.reverse();
        assert_eq!(signed_area_doubled(&ring), -200);
    }
}
