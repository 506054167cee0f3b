//! Makes lines of one file equal, vertex for vertex, to the lines of another file that show the same border.
//!
//! Two files draw one border with nearly the same vertices: one rounds differently, leaves some out or has a few
//! more. Without a fit, the border is stored twice, leaves slivers, and is cut into arcs of one edge that cannot be
//! simplified.
//!
//! So vertices are first moved to those of the reference nearby ([`Snap`]). Between two such vertices the line then
//! takes the reference's way, where the two ways differ by some meters at most.

use platbook::geometry::{LonLat, distance_m, distance_to_segment_m};

use super::{snap::Snap, topology::Junctions};

/// Maximum number of edges of the reference between two neighboring anchors. Chosen, not measured; it bounds the
/// work.
const STEPS_MAX: usize = 64;
/// Maximum distance between the two ways, in meters. Chosen, not measured.
const APART_M_MAX: f64 = 10.0;
/// Maximum difference between the lengths of two ways, as a share of the length; [`LONGER_M`] is added. Chosen, not
/// measured.
const LONGER_SHARE: f64 = 0.02;
/// Meters added to that difference, because rounding makes the lengths of short pieces differ. Chosen, not measured.
const LONGER_M: f64 = 10.0;

/// Lines that others are fitted to, with an index of their vertices.
pub struct Reference {
    /// Rings without their repeated last vertices.
    rings: Vec<Vec<LonLat>>,
    /// Every vertex with its ring and its position in that ring, sorted by vertex.
    places: Vec<(LonLat, u32, u32)>,
    snap: Snap,
}

impl Reference {
    /// Indexes closed rings by their vertices.
    pub fn of<'a>(rings: impl Iterator<Item = &'a Vec<LonLat>>) -> Reference {
        let open = |ring: &Vec<LonLat>| ring[..ring.len().saturating_sub(1)].to_vec();
        let rings: Vec<Vec<LonLat>> = rings.map(open).collect();
        let mut places: Vec<(LonLat, u32, u32)> = Vec::with_capacity(rings.iter().map(Vec::len).sum());
        for (number, ring) in (0..).zip(&rings) {
            places.extend((0..).zip(ring).map(|(at, vertex)| (*vertex, number, at)));
        }
        places.sort_unstable();
        let snap = Snap::of(places.iter().map(|(vertex, ..)| vertex));
        Reference { rings, places, snap }
    }

    /// Makes the closed rings of a group follow the reference. Borders that two rings of the group share stay
    /// shared.
    pub fn conform(&self, rings: &mut [&mut Vec<LonLat>]) {
        for ring in rings.iter_mut() {
            ring.iter_mut().for_each(|vertex| *vertex = self.snap.to(*vertex));
            ring.dedup();
        }
        // Vertices where rings of the group part must stay. Each ring is fitted separately, and both must keep these
        // vertices.
        let junctions = Junctions::of(rings.iter().map(|ring| &**ring));
        for ring in rings.iter_mut() {
            if let Some(followed) = self.followed(ring, &junctions) {
                **ring = followed;
            }
        }
    }

    /// The ring with the reference's ways between its anchors; `None` without an anchor. Anchors are vertices
    /// of the reference, and vertices where rings of the group part.
    fn followed(&self, ring: &[LonLat], junctions: &Junctions) -> Option<Vec<LonLat>> {
        let open = ring.get(..ring.len().checked_sub(1)?)?;
        let is_anchor = |at: &usize| self.has(open[*at]) || junctions.has(open[*at]);
        let anchors: Vec<usize> = (0..open.len()).filter(is_anchor).collect();
        let mut followed = Vec::with_capacity(ring.len());
        for (at, from) in anchors.iter().enumerate() {
            let to = anchors[(at + 1) % anchors.len()];
            let steps = (to + open.len() - from - 1) % open.len() + 1;
            let piece: Vec<LonLat> = (0..=steps).map(|step| open[(from + step) % open.len()]).collect();
            let way = self.way(&piece).unwrap_or(piece);
            followed.extend_from_slice(&way[..way.len() - 1]);
        }
        followed.push(*followed.first()?);
        Some(followed)
    }

    fn has(&self, vertex: LonLat) -> bool {
        !self.places_of(vertex).is_empty()
    }

    fn places_of(&self, vertex: LonLat) -> &[(LonLat, u32, u32)] {
        let from = self.places.partition_point(|place| place.0 < vertex);
        let to = from + self.places[from..].partition_point(|place| place.0 == vertex);
        &self.places[from..to]
    }

    /// The way with the fewest edges along the reference between the ends of a piece; `None` if it leaves the piece's
    /// neighborhood.
    fn way(&self, piece: &[LonLat]) -> Option<Vec<LonLat>> {
        let (from, to) = (*piece.first()?, *piece.last()?);
        let mut best: Option<(usize, u32, usize, bool)> = None;
        for (_, ring, start) in self.places_of(from) {
            for (_, _, end) in self.places_of(to).iter().filter(|(_, other, _)| other == ring) {
                let (start, end, count) = (*start as usize, *end as usize, self.rings[*ring as usize].len());
                // A reference ring leads from one vertex to the other in both directions; the way with fewer edges is
                // the border.
                let ahead = (end + count - start) % count;
                let back = count - ahead;
                let (steps, reversed) = if ahead <= back { (ahead, false) } else { (back, true) };
                let found = (steps, *ring, start, reversed);
                if steps > 0 && best.is_none_or(|known| found < known) {
                    best = Some(found);
                }
            }
        }
        let (steps, ring, start, reversed) = best.filter(|(steps, ..)| *steps <= STEPS_MAX)?;
        let ring = &self.rings[ring as usize];
        let step = |step: usize| if reversed { ring.len() - step } else { step };
        let way: Vec<LonLat> = (0..=steps).map(|at| ring[(start + step(at)) % ring.len()]).collect();
        is_near(&way, piece).then_some(way)
    }
}

/// Whether two ways between the same ends are the same border: alike in length, and near each other
/// throughout.
fn is_near(way: &[LonLat], piece: &[LonLat]) -> bool {
    let length_m = |line: &[LonLat]| line.windows(2).map(|edge| distance_m(edge[0], edge[1])).sum::<f64>();
    let (one, other) = (length_m(way), length_m(piece));
    let off_m = |vertex: &LonLat, line: &[LonLat]| {
        let edges = line.windows(2).map(|edge| distance_to_segment_m(*vertex, edge[0], edge[1]));
        edges.fold(f64::INFINITY, f64::min)
    };
    let all_near =
        |some: &[LonLat], line: &[LonLat]| some.iter().all(|vertex| off_m(vertex, line) <= APART_M_MAX);
    (one - other).abs() <= LONGER_SHARE * other + LONGER_M && all_near(way, piece) && all_near(piece, way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries::ring_through as ring;

    fn sorted(ring: &[LonLat]) -> Vec<LonLat> {
        let mut vertices = ring[1..].to_vec();
        vertices.sort();
        vertices
    }

    #[test]
    fn a_line_takes_the_vertices_that_it_lacks_and_loses_those_that_it_has_too_many() {
        // The east side of the city has a vertex in its middle. The town draws the same corners with other rounding,
        // and has another vertex on that side. The area to the east shares the town's side.
        let city = ring(&[(0, 0), (10_000, 0), (10_030, 5_000), (10_000, 10_000), (0, 10_000)]);
        let mut town = ring(&[(3, 4), (10_002, -3), (10_010, 2_000), (10_004, 9_999), (-2, 10_003)]);
        let mut east = ring(&[(10_002, -3), (20_000, 0), (20_000, 10_000), (10_004, 9_999), (10_010, 2_000)]);
        Reference::of([&city].into_iter()).conform(&mut [&mut town, &mut east]);
        assert_eq!(sorted(&town), sorted(&city));
        assert!(east.contains(&city[2]) && !east.contains(&LonLat::from_units(2_000, 10_010)));
    }

    #[test]
    fn a_line_that_goes_elsewhere_stays() {
        let city = ring(&[(0, 0), (100_000, 0), (100_000, 100_000), (0, 100_000)]);
        let drawn = ring(&[(0, 0), (50_000, 9_000), (100_000, 0), (100_000, 100_000), (0, 100_000)]);
        let mut town = drawn.clone();
        Reference::of([&city].into_iter()).conform(&mut [&mut town]);
        assert_eq!(sorted(&town), sorted(&drawn));
    }

    #[test]
    fn a_vertex_where_towns_part_stays() {
        let city = ring(&[(0, 0), (100_000, 0), (100_000, 100_000), (0, 100_000)]);
        let mut west = ring(&[(0, 0), (50_000, 20), (50_000, -90_000), (0, -90_000)]);
        let mut east = ring(&[(50_000, 20), (100_000, 0), (100_000, -90_000), (50_000, -90_000)]);
        Reference::of([&city].into_iter()).conform(&mut [&mut west, &mut east]);
        let part = LonLat::from_units(20, 50_000);
        assert!(west.contains(&part) && east.contains(&part));
    }
}
