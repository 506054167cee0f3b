//! The polygons of all areas. Arcs hold each shared border once, and the rings of the areas consist of arcs.
//!
//! A lookup reads polygons only for points in unlisted overlaps. Other readers are the reference engine and the
//! outlines in answers.

use rkyv::{Archive, Serialize};

use super::steps::Packing;
use crate::geometry::{Bbox, LonLat, ring};

/// Highest bit of an arc reference: the arc runs from its last vertex to its first.
const REVERSED: u32 = 1 << 31;

/// The polygons as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Boundaries {
    /// First vertex of each arc: longitude, latitude.
    arc_firsts: Vec<(i32, i32)>,
    /// First word of each arc in `steps`, and at the end the number of all words.
    arc_starts: Vec<u32>,
    /// [`Packing`] of the steps of each arc.
    arc_packings: Vec<u8>,
    /// The steps from vertex to vertex of all arcs, packed.
    steps: Vec<u16>,
    /// Arc references, ring after ring. References to reversed arcs have the bit [`REVERSED`].
    ring_arcs: Vec<u32>,
    /// First entry of each ring in `ring_arcs`, and at the end the number of all entries.
    ring_starts: Vec<u32>,
    /// First ring of each area, and at the end the number of all rings.
    area_starts: Vec<u32>,
}

/// An arc and its direction in a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArcRef {
    /// Number of the arc, below 2^31.
    pub arc: u32,
    /// Whether the arc runs from its last vertex to its first.
    pub reversed: bool,
}

impl Boundaries {
    /// Packs arcs, and the rings of each area. The index of an area here is its number.
    pub fn pack(arcs: &[Vec<LonLat>], areas: &[Vec<Vec<ArcRef>>]) -> Boundaries {
        let mut packed = Boundaries {
            arc_starts: vec![0],
            ring_starts: vec![0],
            area_starts: vec![0],
            ..Default::default()
        };
        for arc in arcs {
            packed.arc_firsts.push(arc.first().map_or((0, 0), |first| (first.lon(), first.lat())));
            let steps =
                arc.windows(2).map(|edge| (edge[1].lon() - edge[0].lon(), edge[1].lat() - edge[0].lat()));
            let packing = Packing::shortest(steps.clone());
            packed.arc_packings.push(packing.bits() as u8);
            steps.for_each(|step| packing.push(&mut packed.steps, step));
            packed.arc_starts.push(packed.steps.len() as u32);
        }
        for rings in areas {
            for ring in rings {
                packed
                    .ring_arcs
                    .extend(ring.iter().map(|arc| arc.arc | if arc.reversed { REVERSED } else { 0 }));
                packed.ring_starts.push(packed.ring_arcs.len() as u32);
            }
            packed.area_starts.push(packed.ring_starts.len() as u32 - 1);
        }
        packed
    }
}

impl ArchivedBoundaries {
    /// The closed rings of an area, by its number. A point inside an odd number of rings is inside the area.
    pub fn rings(&self, area: u32) -> impl Iterator<Item = Vec<LonLat>> {
        let rings = bounds(&self.area_starts, area as usize, self.ring_starts.len());
        rings.map(|ring| self.ring(ring))
    }

    /// The arcs of each ring of an area, by its number. Adjacent areas share arcs.
    pub fn ring_arcs(&self, area: u32) -> impl Iterator<Item = Vec<ArcRef>> {
        let rings = bounds(&self.area_starts, area as usize, self.ring_starts.len());
        rings.map(|ring| self.arcs_of(ring).collect())
    }

    /// The bounding box of each area, by its number; `None` for an area without rings. Reads each arc once, although
    /// adjacent areas share arcs.
    pub fn boxes(&self) -> Vec<Option<Bbox>> {
        let arcs = (0..self.arc_count() as u32).map(|arc| Bbox::around(self.arc(arc)));
        let arcs: Vec<Option<Bbox>> = arcs.collect();
        let of_area = |area: usize| {
            let rings = bounds(&self.area_starts, area, self.ring_starts.len());
            let references = rings.flat_map(|ring| self.arcs_of(ring));
            let boxes = references.filter_map(|reference| *arcs.get(reference.arc as usize)?);
            boxes.reduce(Bbox::union)
        };
        (0..self.area_count()).map(of_area).collect()
    }

    /// Whether the area contains the point, by the border rule of [`crate::geometry`].
    pub fn contains(&self, area: u32, point: LonLat) -> bool {
        ring::area_contains(&self.rings(area).collect::<Vec<_>>(), point)
    }

    fn ring(&self, number: usize) -> Vec<LonLat> {
        let mut points: Vec<LonLat> = Vec::new();
        for reference in self.arcs_of(number) {
            let mut arc = self.arc(reference.arc);
            if reference.reversed {
                arc.reverse();
            }
            // Consecutive arcs share a vertex, so all arcs but the first leave out their first vertex.
            let skip = usize::from(!points.is_empty());
            points.extend(arc.into_iter().skip(skip));
        }
        points
    }

    fn arcs_of(&self, ring: usize) -> impl Iterator<Item = ArcRef> {
        bounds(&self.ring_starts, ring, self.ring_arcs.len()).map(|at| {
            let reference = self.ring_arcs.get(at).map_or(0, |arc| arc.to_native());
            ArcRef { arc: reference & !REVERSED, reversed: reference & REVERSED != 0 }
        })
    }

    /// The vertices of an arc; empty for an unknown number.
    pub fn arc(&self, arc: u32) -> Vec<LonLat> {
        let Some(first) = self.arc_firsts.get(arc as usize) else { return Vec::new() };
        let (mut x, mut y) = (first.0.to_native(), first.1.to_native());
        let words =
            self.steps.get(bounds(&self.arc_starts, arc as usize, self.steps.len())).unwrap_or_default();
        let mut points = Vec::with_capacity(words.len() / 2 + 1);
        points.push(LonLat::from_units(y, x));
        let packing = self.arc_packings.get(arc as usize).map_or(0, |bits| u16::from(*bits));
        Packing::from_bits(packing).for_each(words, |step| {
            (x, y) = (x.wrapping_add(step.0), y.wrapping_add(step.1));
            points.push(LonLat::from_units(y, x));
        });
        points
    }

    /// Number of arcs in the snapshot.
    pub fn arc_count(&self) -> usize {
        self.arc_firsts.len()
    }

    /// Number of areas, including those without rings.
    pub fn area_count(&self) -> usize {
        self.area_starts.len().saturating_sub(1)
    }
}

/// The range of entries that belong to item `at`. It ends at `limit` at the latest, so a malformed file cannot cause a
/// loop of 2^32 steps.
fn bounds(
    starts: &rkyv::vec::ArchivedVec<rkyv::rend::u32_le>,
    at: usize,
    limit: usize,
) -> std::ops::Range<usize> {
    let start = |at: usize| starts.get(at).map_or(0, |start| start.to_native() as usize).min(limit);
    start(at)..start(at + 1)
}
