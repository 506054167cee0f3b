//! Fits counties of a coarser file to those of a finer one, along the border between them.
//!
//! The coarser file drew both sides of each border with the same vertices. The other side's part of a border is
//! replaced by the finer line, if one side now comes from the finer file. The replacement begins and ends at the
//! finer vertices that are nearest to the ends of that part. The two sides then share each vertex again, without hole
//! or overlap. Everything else stays.

use std::collections::HashSet;

use platbook::geometry::{LonLat, distance_m};
use rstar::{RTree, primitives::GeomWithData};
use rustc_hash::FxHashSet;

use super::clean::{clean, dissolve};

/// Maximum distance in meters between the end of a coarse border and the end of its finer line. Lines of 1:500,000
/// may be off by half of that. Chosen, not measured.
const END_M_MAX: f64 = 600.0;
/// A finer line has more bends and so is longer. A line longer than this many times the coarse one, plus
/// [`LONGER_M`], leads elsewhere. Chosen, not measured.
const LONGER_MAX: f64 = 4.0;
/// Meters by which a finer line may be longer in any case, for short borders. Chosen, not measured.
const LONGER_M: f64 = 1_000.0;

/// An edge, its smaller end first, so that both directions are equal.
type Edge = (LonLat, LonLat);
/// A vertex of the finer outline, with its ring and its position in that ring.
type Vertex = GeomWithData<[f64; 2], (usize, usize)>;

/// The border where coarser areas were replaced by finer ones.
pub struct Seam {
    /// Edges of the replaced areas, as the coarser file drew them.
    given_way: FxHashSet<Edge>,
    ends: HashSet<LonLat>,
    /// The outline of the finer areas, ring by ring, without repeated last vertices.
    outline: Vec<Vec<LonLat>>,
    vertices: RTree<Vertex>,
}

impl Seam {
    /// Makes the seam from the replaced coarser areas and the finer areas in their place.
    pub fn of<'a>(
        given_way: impl Iterator<Item = &'a Vec<LonLat>>,
        finer: impl Iterator<Item = &'a Vec<LonLat>>,
    ) -> Seam {
        let given_way: FxHashSet<Edge> = given_way.flat_map(|ring| ring.windows(2)).map(edge).collect();
        let ends = given_way.iter().flat_map(|edge| [edge.0, edge.1]).collect();
        let joined = dissolve(finer.map(Vec::as_slice));
        // An overlong edge is reported when the records themselves are cleaned.
        let mut outline = clean(joined).map_or_else(|_| Vec::new(), |(rings, _)| rings);
        outline.iter_mut().for_each(|ring| _ = ring.pop());
        let vertex = |ring: usize, (at, vertex): (usize, &LonLat)| Vertex::new(flat(*vertex), (ring, at));
        let vertices = outline.iter().enumerate();
        let vertices =
            vertices.flat_map(|(ring, line)| line.iter().enumerate().map(move |found| vertex(ring, found)));
        Seam { given_way, ends, vertices: RTree::bulk_load(vertices.collect()), outline }
    }

    /// Returns the closed ring with the finer line along replaced areas; `None` if the ring does not meet such areas.
    pub fn fit(&self, ring: &[LonLat]) -> Option<Vec<LonLat>> {
        let shared: Vec<bool> = ring.windows(2).map(|pair| self.given_way.contains(&edge(pair))).collect();
        let count = shared.len();
        if count == 0 || !ring.iter().any(|vertex| self.ends.contains(vertex)) {
            return None;
        }
        // Start where a shared run begins, so that no run is split across the ring's ends. A ring without
        // such a start is shared as a whole (an enclave), or touches the border at single vertices only.
        let Some(start) = (0..count).find(|at| !shared[*at] && shared[(at + 1) % count]) else {
            let whole = shared[0].then(|| self.nearest(ring[0], None)).flatten();
            return match whole {
                Some((found, _)) => Some(closed(self.outline[found].clone())),
                None => Some(ring.iter().map(|vertex| self.moved(*vertex)).collect()),
            };
        };
        let order: Vec<usize> = (1..=count).map(|step| (start + step) % count).collect();
        let mut fitted = Vec::with_capacity(ring.len());
        for run in order.chunk_by(|a, b| shared[*a] == shared[*b]) {
            let mut line: Vec<LonLat> = run.iter().map(|at| ring[*at]).collect();
            if shared[run[0]] {
                line.push(ring[run[run.len() - 1] + 1]);
                fitted.extend(self.finer(&line).unwrap_or(line));
            } else {
                line.push(ring[run[run.len() - 1] + 1]);
                line.windows(2).for_each(|pair| fitted.extend(self.beside(pair)));
                // The run's last vertex is the first vertex of the next run.
                fitted.pop();
            }
        }
        Some(closed(fitted))
    }

    /// The part of the finer outline that replaces a line of the coarser file. `None` if no part is near and similarly
    /// long.
    fn finer(&self, line: &[LonLat]) -> Option<Vec<LonLat>> {
        let (ring, from) = self.nearest(*line.first()?, None)?;
        let (_, to) = self.nearest(*line.last()?, Some(ring))?;
        let outline = &self.outline[ring];
        let ahead = walk(outline, from, to);
        // The outline is a ring, so two ways lead from one end to the other. The way whose length is nearer to that of
        // the coarse line is taken.
        let mut back = walk(outline, to, from);
        back.reverse();
        let wanted_m = length_m(line);
        let off = |path: &Vec<LonLat>| (length_m(path) - wanted_m).abs();
        let path = if off(&ahead) <= off(&back) { ahead } else { back };
        (length_m(&path) <= LONGER_MAX * wanted_m + LONGER_M).then_some(path)
    }

    /// Returns the vertices that replace the second vertex of an edge that is not on the shared border. Mostly this
    /// is one vertex, moved to the finer line if it lies on the border. An edge with both ends on the border becomes
    /// the finer line between them: a straight edge would cut through its bends.
    fn beside(&self, pair: &[LonLat]) -> Vec<LonLat> {
        let short_cut = pair.iter().all(|vertex| self.ends.contains(vertex));
        let line = short_cut.then(|| self.finer(pair)).flatten();
        line.map_or_else(|| vec![self.moved(pair[1])], |line| line[1..].to_vec())
    }

    /// Returns the finer vertex in place of a border vertex; any other vertex stays.
    fn moved(&self, vertex: LonLat) -> LonLat {
        let found = self.ends.contains(&vertex).then(|| self.nearest(vertex, None)).flatten();
        found.map_or(vertex, |(ring, at)| self.outline[ring][at])
    }

    /// Ring and position of the nearest finer vertex within [`END_M_MAX`], in the `wanted` ring if one is
    /// given.
    fn nearest(&self, vertex: LonLat, wanted: Option<usize>) -> Option<(usize, usize)> {
        let from = flat(vertex);
        let all = self.vertices.nearest_neighbor_iter(&from).map(|found| found.data);
        let near = |(ring, at): &(usize, usize)| distance_m(vertex, self.outline[*ring][*at]) <= END_M_MAX;
        let mut near = all.take_while(near);
        near.find(|(ring, _)| wanted.is_none_or(|wanted| wanted == *ring))
    }
}

fn edge(pair: &[LonLat]) -> Edge {
    (pair[0].min(pair[1]), pair[0].max(pair[1]))
}

/// Flattens with longitude shrunk by cos 41°, so that the nearest vertex in the plane is about the nearest on
/// the ground.
fn flat(vertex: LonLat) -> [f64; 2] {
    [f64::from(vertex.lon()) * 0.75, f64::from(vertex.lat())]
}

/// The vertices of an open ring from one position to another, both included.
fn walk(ring: &[LonLat], from: usize, to: usize) -> Vec<LonLat> {
    let steps = (to + ring.len() - from) % ring.len();
    (0..=steps).map(|step| ring[(from + step) % ring.len()]).collect()
}

fn length_m(line: &[LonLat]) -> f64 {
    line.windows(2).map(|pair| distance_m(pair[0], pair[1])).sum()
}

fn closed(mut ring: Vec<LonLat>) -> Vec<LonLat> {
    ring.extend(ring.first().copied());
    ring
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries::ring_through as ring;

    /// Two coarse squares side by side; the eastern one is replaced by a finer drawing with a bend in their border and
    /// with moved corners.
    #[test]
    fn a_border_takes_the_finer_line_and_its_ends() {
        let west = ring(&[(0, 0), (10_000, 0), (10_000, 10_000), (0, 10_000)]);
        let east = ring(&[(10_000, 0), (20_000, 0), (20_000, 10_000), (10_000, 10_000)]);
        let finer = ring(&[(10_010, 3), (20_000, 0), (20_000, 10_000), (10_020, 9_990), (9_500, 5_000)]);
        // A third area touches the border in a corner only.
        let corner = ring(&[(0, 10_000), (10_000, 10_000), (5_000, 20_000)]);
        let seam = Seam::of([&east].into_iter(), [&finer].into_iter());
        let fitted = seam.fit(&west).unwrap();
        assert_eq!(clean(vec![fitted]).unwrap().0[0].len(), 6);
        for vertex in [(10_010, 3), (9_500, 5_000), (10_020, 9_990)] {
            assert!(seam.fit(&west).unwrap().contains(&LonLat::from_units(vertex.1, vertex.0)), "{vertex:?}");
        }
        let at_corner = seam.fit(&corner).unwrap();
        assert!(at_corner.contains(&LonLat::from_units(9_990, 10_020)));
        assert_eq!(at_corner.len(), corner.len());
    }

    /// The edge of the western square across a bend, where two of its neighbors meet, takes the finer bend.
    #[test]
    fn a_short_cut_between_two_vertices_of_the_border_follows_the_finer_line() {
        let west =
            ring(&[(0, 0), (10_000, 0), (10_000, 5_000), (10_000, 6_000), (10_000, 10_000), (0, 10_000)]);
        let bend = [(10_000, 0), (20_000, 0), (20_000, 10_000), (10_000, 10_000), (10_000, 6_000)];
        let east = ring(&[&bend[..], &[(10_500, 5_500), (10_000, 5_000)]].concat());
        let finer = ring(&[&bend[..], &[(11_000, 5_400), (10_010, 5_000)]].concat());
        let fitted = Seam::of([&east].into_iter(), [&finer].into_iter()).fit(&west).unwrap();
        let expected = [(10_000, 0), (10_010, 5_000), (11_000, 5_400), (10_000, 6_000), (10_000, 10_000)];
        let at = fitted.iter().position(|vertex| *vertex == ring(&expected)[0]).unwrap();
        let found: Vec<LonLat> = (0..5).map(|step| fitted[(at + step) % (fitted.len() - 1)]).collect();
        assert_eq!(found, ring(&expected)[..5]);
    }

    #[test]
    fn an_area_that_does_not_meet_them_stays() {
        let far = ring(&[(50_000, 0), (60_000, 0), (60_000, 10_000)]);
        let east = ring(&[(10_000, 0), (20_000, 0), (20_000, 10_000), (10_000, 10_000)]);
        assert_eq!(Seam::of([&east].into_iter(), [&east].into_iter()).fit(&far), None);
    }

    /// The finer file puts the far end of the border elsewhere: then the coarse line stays as it was.
    #[test]
    fn a_line_that_leads_elsewhere_is_not_taken() {
        let west = ring(&[(0, 0), (10_000, 0), (10_000, 100_000), (0, 100_000)]);
        let east = ring(&[(10_000, 0), (20_000, 0), (20_000, 100_000), (10_000, 100_000)]);
        let finer = ring(&[(900_000, 0), (950_000, 0), (950_000, 100_000)]);
        let fitted = Seam::of([&east].into_iter(), [&finer].into_iter()).fit(&west).unwrap();
        let corners = |ring: Vec<LonLat>| -> std::collections::BTreeSet<_> {
            clean(vec![ring])
                .unwrap()
                .0
                .concat()
                .into_iter()
                .map(|corner| (corner.lon(), corner.lat()))
                .collect()
        };
        assert_eq!(corners(fitted), corners(west), "wherever the ring begins");
    }
}
