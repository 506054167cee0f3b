//! Turns rings as published into closed, simple rings of the same area.
//!
//! The area of a record is the set of points in an odd number of its rings (even-odd). So a hole needs no
//! enclosing ring, and orientation has no meaning. Cleaning never moves a vertex: borders that two records
//! share stay shared vertex for vertex. For every point, even-odd containment is the same before and after.

use std::collections::{HashMap, HashSet};

use platbook::geometry::{
    Bbox, LonLat, UNITS_PER_DEGREE,
    ring::{contains, side, signed_area_doubled},
};

mod dissolve;
pub use dissolve::dissolve;

/// Maximum extent of an edge, in units of 1e-7 degree: 20 degrees. Census data is cut along the 180th meridian; a
/// longer edge has jumped across it. Chosen, not measured.
const EDGE_UNITS_MAX: i64 = 20 * UNITS_PER_DEGREE as i64;

/// Counts of what cleaning did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Rings whose last point was not their first.
    pub closed: usize,
    /// Vertices dropped because they equal the vertex before.
    pub duplicates: usize,
    /// Vertices dropped because the border runs out to them and back along the same line.
    pub spikes: usize,
    /// Rings gained by cutting rings where they touch themselves.
    pub split: usize,
    /// Rings dropped because they enclose nothing.
    pub dropped: usize,
    /// Rings whose direction was reversed.
    pub reversed: usize,
    /// Rings drawn as holes that no other ring encloses; they count as areas.
    pub orphan_holes: usize,
    /// Rings left as drawn because each of their vertices is also a vertex of another ring.
    pub undetermined: usize,
}

impl Changes {
    /// Whether vertices or rings changed; turning a ring round changes neither.
    pub fn is_repair(&self) -> bool {
        self.closed + self.duplicates + self.spikes + self.split + self.dropped > 0
    }

    /// Adds the counts of another record.
    pub fn add(&mut self, other: &Changes) {
        self.closed += other.closed;
        self.duplicates += other.duplicates;
        self.spikes += other.spikes;
        self.split += other.split;
        self.dropped += other.dropped;
        self.reversed += other.reversed;
        self.orphan_holes += other.orphan_holes;
        self.undetermined += other.undetermined;
    }
}

/// An edge that is too long to be real.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected edges of at most 20 degrees, got one from {from} to {to} (latitude,longitude); cut the area along the 180th meridian"
)]
pub struct LongEdge {
    /// One end of the edge.
    pub from: LonLat,
    /// The other end of the edge.
    pub to: LonLat,
}

/// Cleans the rings of one record.
///
/// Drops repeated vertices, spikes and rings that enclose nothing; closes rings; cuts rings that touch
/// themselves; turns outer rings counter-clockwise and holes clockwise.
///
/// # Errors
/// When an edge spans more than 20 degrees of longitude or latitude.
pub fn clean(rings: Vec<Vec<LonLat>>) -> Result<(Vec<Vec<LonLat>>, Changes), LongEdge> {
    let mut changes = Changes::default();
    let mut cleaned = Vec::with_capacity(rings.len());
    for mut ring in rings {
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        } else if !ring.is_empty() {
            changes.closed += 1;
        }
        simplify(ring, &mut cleaned, &mut changes);
    }
    cleaned.iter().try_for_each(|ring| check_edges(ring))?;
    orient(&mut cleaned, &mut changes);
    Ok((cleaned, changes))
}

fn check_edges(ring: &[LonLat]) -> Result<(), LongEdge> {
    let long = |a: LonLat, b: LonLat| {
        (i64::from(a.lon()) - i64::from(b.lon())).abs() > EDGE_UNITS_MAX
            || (i64::from(a.lat()) - i64::from(b.lat())).abs() > EDGE_UNITS_MAX
    };
    match ring.windows(2).find(|edge| long(edge[0], edge[1])) {
        Some(edge) => Err(LongEdge { from: edge[0], to: edge[1] }),
        None => Ok(()),
    }
}

/// Adds the simple closed rings of one ring, given without its closing point, to `into`.
fn simplify(ring: Vec<LonLat>, into: &mut Vec<Vec<LonLat>>, changes: &mut Changes) {
    let mut pending = vec![ring];
    while let Some(mut ring) = pending.pop() {
        drop_spikes(&mut ring, changes);
        if is_flat(&ring) {
            changes.dropped += 1;
            continue;
        }
        let mut loops = split(&ring);
        if loops.len() == 1 {
            ring.push(ring[0]);
            into.push(ring);
            continue;
        }
        changes.split += loops.len() - 1;
        // A loop that was cut off may begin with a spike that the whole ring did not have, so loops are cleaned
        // again. `pending` is emptied from its end, so loops are added in reverse to keep their order.
        loops.reverse();
        pending.append(&mut loops);
    }
}

/// Drops vertices equal to the one before, and vertices where the border turns straight back. Repeats this, because a
/// dropped vertex may create another of these. The ring is cyclic and has no closing point.
fn drop_spikes(ring: &mut Vec<LonLat>, changes: &mut Changes) {
    loop {
        let before = ring.len();
        let mut kept: Vec<LonLat> = Vec::with_capacity(before);
        for &point in ring.iter() {
            while let [.., a, b] = kept[..]
                && turns_back(a, b, point)
            {
                kept.pop();
                changes.spikes += 1;
            }
            if kept.last() == Some(&point) {
                changes.duplicates += 1;
            } else {
                kept.push(point);
            }
        }
        trim_seam(&mut kept, changes);
        *ring = kept;
        if ring.len() == before {
            return;
        }
    }
}

/// Drops equal vertices and spikes across the ring's seam, where its last vertices meet its first.
fn trim_seam(ring: &mut Vec<LonLat>, changes: &mut Changes) {
    while let [first, .., before, last] = ring[..] {
        if last == first {
            changes.duplicates += 1;
        } else if turns_back(before, last, first) {
            changes.spikes += 1;
        } else {
            break;
        }
        ring.pop();
    }
    if let [first, second, .., last] = ring[..]
        && turns_back(last, first, second)
    {
        ring.remove(0);
        changes.spikes += 1;
    }
}

/// Whether the way `a -> b -> c` turns back at `b` along the same line.
fn turns_back(a: LonLat, b: LonLat, c: LonLat) -> bool {
    let along =
        |p: LonLat| (i128::from(p.lon()) - i128::from(b.lon()), i128::from(p.lat()) - i128::from(b.lat()));
    let ((ax, ay), (cx, cy)) = (along(a), along(c));
    a != b && b != c && side(a, b, c) == 0 && ax * cx + ay * cy > 0
}

/// Whether all vertices lie on one line, so that the ring encloses nothing.
fn is_flat(ring: &[LonLat]) -> bool {
    let Some((&first, rest)) = ring.split_first() else { return true };
    let Some(&other) = rest.iter().find(|point| **point != first) else { return true };
    rest.iter().all(|point| side(first, other, *point) == 0)
}

/// Cuts a ring at every vertex that it visits twice. The loops have no closing point.
fn split(ring: &[LonLat]) -> Vec<Vec<LonLat>> {
    let mut seen: HashMap<LonLat, usize> = HashMap::with_capacity(ring.len());
    let (mut path, mut loops): (Vec<LonLat>, Vec<Vec<LonLat>>) = (Vec::with_capacity(ring.len()), Vec::new());
    for &point in ring {
        if let Some(&at) = seen.get(&point) {
            let cut = path.split_off(at);
            for gone in &cut {
                seen.remove(gone);
            }
            loops.push(cut);
        }
        seen.insert(point, path.len());
        path.push(point);
    }
    loops.push(path);
    loops
}

/// Turns rings at an even depth counter-clockwise and the others clockwise.
fn orient(rings: &mut [Vec<LonLat>], changes: &mut Changes) {
    let boxes: Vec<Option<Bbox>> = rings.iter().map(|ring| Bbox::around(ring.iter().copied())).collect();
    let areas: Vec<i128> = rings.iter().map(|ring| signed_area_doubled(ring)).collect();
    // Files differ in whether outer rings run clockwise; the largest ring of a record is an outer one.
    let outer_sign = areas.iter().max_by_key(|area| area.abs()).map_or(1, |area| area.signum());
    let shared = shared_vertices(rings);
    let depths: Vec<Option<usize>> = (0..rings.len()).map(|at| depth(rings, &boxes, &shared, at)).collect();
    for ((ring, area), depth) in rings.iter_mut().zip(areas).zip(depths) {
        let Some(depth) = depth else {
            changes.undetermined += 1;
            continue;
        };
        if depth == 0 && area.signum() == -outer_sign {
            changes.orphan_holes += 1;
        }
        if (depth % 2 == 0) != (area > 0) && area != 0 {
            ring.reverse();
            changes.reversed += 1;
        }
    }
}

/// Vertices of more than one ring. Such vertices do not show which ring lies in which.
fn shared_vertices(rings: &[Vec<LonLat>]) -> HashSet<LonLat> {
    if rings.len() < 2 {
        return HashSet::new();
    }
    let (mut owner, mut shared) = (HashMap::new(), HashSet::new());
    for (at, ring) in rings.iter().enumerate() {
        for &point in ring {
            if *owner.entry(point).or_insert(at) != at {
                shared.insert(point);
            }
        }
    }
    shared
}

/// The number of other rings that enclose a ring; `None` if all its vertices are shared with other rings.
fn depth(
    rings: &[Vec<LonLat>],
    boxes: &[Option<Bbox>],
    shared: &HashSet<LonLat>,
    at: usize,
) -> Option<usize> {
    // The smallest vertex, so that the answer does not depend on the direction of the ring.
    let witness = *rings[at].iter().filter(|point| !shared.contains(point)).min()?;
    let encloses = |other: &usize| {
        *other != at
            && boxes[*other].is_some_and(|bbox| bbox.contains(witness))
            && contains(&rings[*other], witness)
    };
    Some((0..rings.len()).filter(encloses).count())
}

#[cfg(test)]
mod tests;
