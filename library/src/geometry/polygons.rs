//! Nests the rings of an outline: finds which rings are holes, and the outer ring around each hole.

use std::cell::OnceCell;

use super::{Bbox, LonLat, ring};

/// Approximate number of edges of a ring in one band of latitudes. A test of a point compares it with all edges of its
/// band. Chosen, not measured.
const BAND_EDGES: usize = 8;

/// Maximum number of bands of a ring. Each band stores all edges that cross it, so the limit bounds the memory. Chosen,
/// not measured.
const BANDS_MAX: usize = 1_024;

/// A ring with its bounding box.
struct Ring {
    points: Vec<LonLat>,
    bbox: Bbox,
    /// Computed only when another ring first lies in this ring's box.
    bands: OnceCell<Bands>,
}

/// The edges of a ring, grouped by bands of latitude. There are 2,000 islands in the box of Alaska's mainland. Testing
/// each of them against all edges of the mainland would take 40 ms in total.
struct Bands {
    south: i32,
    height: u32,
    /// For each band, the index of the first vertex of each edge that crosses it.
    edges: Vec<Vec<u32>>,
}

impl Ring {
    fn of(points: Vec<LonLat>) -> Option<Ring> {
        let bbox = Bbox::around(points.iter().copied())?;
        (points.len() > 3).then_some(Ring { points, bbox, bands: OnceCell::new() })
    }

    /// Returns whether this ring encloses another. Rings of one area may touch, but do not cross. The first vertex of
    /// the other ring that is not on this one therefore decides.
    fn is_around(&self, other: &Ring) -> bool {
        if !(self.bbox.contains(other.bbox.min) && self.bbox.contains(other.bbox.max)) {
            return false;
        }
        let bands = self.bands.get_or_init(|| Bands::of(self));
        let is_vertex =
            |point: LonLat| bands.edges_at(self, point).any(|edge| edge[0] == point || edge[1] == point);
        let free = other.points.iter().find(|point| !is_vertex(**point));
        let contains = |point: LonLat| {
            let crossed =
                bands.edges_at(self, point).filter(|edge| ring::crosses_west_ray(edge[0], edge[1], point));
            crossed.count() % 2 == 1
        };
        free.is_some_and(|point| contains(*point))
    }

    /// Returns the ring in this orientation; reverses it if necessary.
    fn turned(mut self, counter_clockwise: bool) -> Ring {
        if (ring::signed_area_doubled(&self.points) > 0) != counter_clockwise {
            self.points.reverse();
        }
        self
    }
}

impl Bands {
    fn of(ring: &Ring) -> Bands {
        let south = ring.bbox.min.lat();
        let count = ring.points.len().div_ceil(BAND_EDGES).min(BANDS_MAX) as u32;
        let height = ring.bbox.max.lat().abs_diff(south) / count + 1;
        let mut bands = Bands { south, height, edges: vec![Vec::new(); count as usize] };
        for (at, edge) in ring.points.windows(2).enumerate() {
            let [one, other] = [bands.band(edge[0]), bands.band(edge[1])];
            for band in one.min(other)..=one.max(other) {
                bands.edges[band].push(at as u32);
            }
        }
        bands
    }

    /// Returns the index of the band that contains a point. The point must lie in the ring's box.
    fn band(&self, point: LonLat) -> usize {
        (point.lat().abs_diff(self.south) / self.height) as usize
    }

    /// Returns the edges that cross the band of a point. The point must lie in the ring's box.
    fn edges_at<'r>(&'r self, ring: &'r Ring, point: LonLat) -> impl Iterator<Item = &'r [LonLat]> {
        let edges = self.edges.get(self.band(point)).map_or(&[][..], Vec::as_slice);
        edges.iter().filter_map(|at| ring.points.get(*at as usize..*at as usize + 2))
    }
}

/// Nests closed rings that do not cross. Returns one polygon for each outer ring: the outer ring and then its holes.
/// Outer rings run counter-clockwise and holes clockwise. Rings of fewer than four points are left out.
pub fn polygons(rings: Vec<Vec<LonLat>>) -> Vec<Vec<Vec<LonLat>>> {
    let polygons = nested(rings.into_iter().filter_map(Ring::of).collect());
    polygons.into_iter().map(|rings| rings.into_iter().map(|ring| ring.points).collect()).collect()
}

fn nested(rings: Vec<Ring>) -> Vec<Vec<Ring>> {
    let around = around(&rings);
    let is_hole = |at: usize| around[at].len() % 2 == 1;
    // The outer ring of a hole is the innermost ring around the hole: the one that most other rings enclose.
    let outer_of = |at: usize| around[at].iter().copied().max_by_key(|other| around[*other].len());
    let mut places = vec![usize::MAX; rings.len()];
    let mut polygons: Vec<Vec<Ring>> = Vec::new();
    let (mut outer, mut holes) = (Vec::new(), Vec::new());
    for (at, ring) in rings.into_iter().enumerate() {
        if is_hole(at) { holes.push((at, ring)) } else { outer.push((at, ring)) }
    }
    for (at, ring) in outer {
        places[at] = polygons.len();
        polygons.push(vec![ring.turned(true)]);
    }
    for (at, ring) in holes {
        if let Some(polygon) = outer_of(at).and_then(|outer| polygons.get_mut(places[outer])) {
            polygon.push(ring.turned(false));
        }
    }
    polygons
}

/// Returns, for each ring, the indexes of the rings around it. Visits the rings from west to east, and compares each
/// with the earlier rings that extend to its western end or beyond.
fn around(rings: &[Ring]) -> Vec<Vec<usize>> {
    let mut around = vec![Vec::new(); rings.len()];
    let mut from_west: Vec<usize> = (0..rings.len()).collect();
    from_west.sort_by_key(|at| rings[*at].bbox.min.lon());
    let mut open: Vec<usize> = Vec::new();
    for at in from_west {
        let ring = &rings[at];
        open.retain(|other| rings[*other].bbox.max.lon() >= ring.bbox.min.lon());
        for other in &open {
            if rings[*other].is_around(ring) {
                around[at].push(*other);
            } else if ring.is_around(&rings[*other]) {
                around[*other].push(at);
            }
        }
        open.push(at);
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(low: i32, high: i32) -> Ring {
        let corners = [(low, low), (high, low), (high, high), (low, high), (low, low)];
        Ring::of(corners.map(|(lon, lat)| LonLat::from_units(lat, lon)).to_vec()).unwrap()
    }

    #[test]
    fn holes_stand_with_the_ring_around_them() {
        // A square with a hole, an island in the hole, and another square outside.
        let far = Ring::of(square(300, 400).points).unwrap();
        let found = nested(vec![square(20, 80), square(40, 60), far, square(0, 100)]);
        let shape: Vec<Vec<(i32, bool)>> = found
            .iter()
            .map(|polygon| {
                let turn = |ring: &Ring| ring::signed_area_doubled(&ring.points) > 0;
                polygon.iter().map(|ring| (ring.bbox.min.lon(), turn(ring))).collect()
            })
            .collect();
        assert_eq!(shape, [vec![(40, true)], vec![(300, true)], vec![(0, true), (20, false)]]);
    }

    /// The ring is a comb with many teeth. A small square lies in each tooth and in each gap; those in the gaps lie in
    /// the comb's box, but not in the comb.
    #[test]
    fn bands_find_what_all_edges_find() {
        let at = |lon: i32, lat: i32| LonLat::from_units(lat, lon);
        let mut comb = vec![at(0, 0)];
        for tooth in 0..40 {
            comb.extend([at(0, tooth * 20 + 10), at(90, tooth * 20 + 10), at(90, tooth * 20 + 20)]);
            comb.push(at(0, tooth * 20 + 20));
        }
        comb.extend([at(-10, 800), at(-10, 0), at(0, 0)]);
        let comb = Ring::of(comb).unwrap();
        for lat in 0..400 {
            let low = at(30, lat * 2);
            let corners = [low, at(32, lat * 2), at(32, lat * 2 + 1), at(30, lat * 2 + 1), low];
            let small = Ring::of(corners.to_vec()).unwrap();
            assert_eq!(comb.is_around(&small), ring::contains(&comb.points, low), "{lat}");
            assert!(!small.is_around(&comb));
        }
    }
}
