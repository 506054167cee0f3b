//! Joins areas that share borders vertex for vertex into one outline.

use std::collections::{BTreeMap, BTreeSet};

use platbook::geometry::LonLat;

/// Joins rings into the outline of what they enclose together, by canceling every edge that two of them
/// share.
///
/// Even-odd containment stays the same for every point. The returned rings are closed and may touch
/// themselves; [`super::clean`] cuts them. Their order and start depend on coordinates only.
pub fn dissolve<'a>(rings: impl IntoIterator<Item = &'a [LonLat]>) -> Vec<Vec<LonLat>> {
    let mut edges: BTreeSet<(LonLat, LonLat)> = BTreeSet::new();
    for ring in rings {
        for edge in ring.windows(2).filter(|edge| edge[0] != edge[1]) {
            let key = (edge[0].min(edge[1]), edge[0].max(edge[1]));
            if !edges.remove(&key) {
                edges.insert(key);
            }
        }
    }
    let mut neighbors: BTreeMap<LonLat, BTreeSet<LonLat>> = BTreeMap::new();
    for (a, b) in edges {
        neighbors.entry(a).or_default().insert(b);
        neighbors.entry(b).or_default().insert(a);
    }
    std::iter::from_fn(|| next_ring(&mut neighbors)).collect()
}

/// Walks unused edges from the smallest vertex until the walk is back there; `None` when no edge is left.
///
/// Each ring passes a vertex along two edges, so every vertex has an even number of unused edges, and the walk cannot
/// end elsewhere.
fn next_ring(neighbors: &mut BTreeMap<LonLat, BTreeSet<LonLat>>) -> Option<Vec<LonLat>> {
    let start = *neighbors.first_key_value()?.0;
    let mut ring = vec![start];
    let mut here = start;
    while let Some(next) = take_edge(neighbors, here) {
        ring.push(next);
        here = next;
        if here == start {
            break;
        }
    }
    Some(ring)
}

fn take_edge(neighbors: &mut BTreeMap<LonLat, BTreeSet<LonLat>>, here: LonLat) -> Option<LonLat> {
    let next = neighbors.get(&here)?.first().copied()?;
    for (from, to) in [(here, next), (next, here)] {
        if let Some(ends) = neighbors.get_mut(&from) {
            ends.remove(&to);
            if ends.is_empty() {
                neighbors.remove(&from);
            }
        }
    }
    Some(next)
}
