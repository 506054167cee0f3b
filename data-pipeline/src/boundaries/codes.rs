//! Assigns colors, numbers and codes to areas; `platbook::snapshot::write::Areas` describes them.
//!
//! A code is the XOR of fields, one per layer: an index, and one bit for the color. Areas of one color never overlap,
//! so the code at a point identifies all areas there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use platbook::{
    geometry::Bbox,
    snapshot::{
        FIELD_LAYERS,
        write::{AreaRow, Areas, Field},
    },
    vocabulary::{Geoid, Layer},
};

/// A set of areas of one layer that tile the plane together: same publisher, vintage and scale.
pub type Series = usize;

/// The data that coloring needs about an area.
#[derive(Clone, Copy, Debug)]
pub struct AreaToColor {
    /// GEOID of the area.
    pub geoid: Geoid,
    /// Series of the area.
    pub series: Series,
    /// Bounding box of the area.
    pub bbox: Bbox,
}

/// Returns each area's color. Areas of one series share a color unless they overlap; series whose boxes meet have
/// different colors. `overlaps` are pairs of areas of one series, by position, whose borders cross.
///
/// Series are colored in order, each with the lowest color that is free.
pub fn color_areas(areas: &[AreaToColor], overlaps: &[(usize, usize)]) -> Vec<u32> {
    let parts = apart(areas, overlaps);
    let key = |at: usize| (areas[at].geoid.layer(), areas[at].series, parts[at]);
    let mut by_series: BTreeMap<(Layer, Series, u32), Vec<Bbox>> = BTreeMap::new();
    for (at, area) in areas.iter().enumerate() {
        by_series.entry(key(at)).or_default().push(area.bbox);
    }
    let mut chosen: BTreeMap<(Layer, Series, u32), u32> = BTreeMap::new();
    for (key, boxes) in &by_series {
        let taken: BTreeSet<u32> = chosen
            .iter()
            .filter(|(other, _)| other.0 == key.0 && any_meet(boxes, &by_series[*other]))
            .map(|(_, color)| *color)
            .collect();
        let free = (0..).find(|color| !taken.contains(color)).unwrap_or_default();
        chosen.insert(*key, free);
    }
    (0..areas.len()).map(|at| chosen[&key(at)]).collect()
}

/// Divides each series into parts without overlaps, and returns the part of each area: 0 for nearly all. An area that
/// overlaps earlier areas of its series gets the lowest part that none of them has.
fn apart(areas: &[AreaToColor], overlaps: &[(usize, usize)]) -> Vec<u32> {
    let mut partners: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (a, b) in overlaps.iter().filter(|(a, b)| areas[*a].series == areas[*b].series) {
        partners.entry(*a.max(b)).or_default().push(*a.min(b));
    }
    let mut parts = vec![0; areas.len()];
    for (at, earlier) in partners {
        let taken: BTreeSet<u32> = earlier.into_iter().map(|other| parts[other]).collect();
        parts[at] = (0..).find(|part| !taken.contains(part)).unwrap_or_default();
    }
    parts
}

fn any_meet(some: &[Bbox], others: &[Bbox]) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.intersects(other)))
}

/// There are more areas, or more overlaps among them, than a code can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected codes of at most 64 bits, but with the {} layer they take {bits}; leave out areas or overlapping sources",
    layer.prefix()
)]
pub struct CodesTooLong {
    /// The first layer that does not fit into a code.
    pub layer: Layer,
    /// Bits that the codes take up to this layer.
    pub bits: u32,
}

/// Builds the tables for areas sorted by (layer, color, GEOID), and each area's code.
///
/// # Errors
/// When the layers need more than the 64 bits of a code.
pub fn encode(rows: Vec<AreaRow>, colors: &[u32]) -> Result<(Areas, Vec<u64>), CodesTooLong> {
    let mut areas = Areas { rows, ..Areas::default() };
    let mut codes = vec![0; areas.rows.len()];
    let mut shift = 0;
    // States come first and have no field: each county implies its state.
    let mut start = areas.rows.iter().take_while(|row| layer_of(row) == Some(Layer::State)).count();
    for layer in FIELD_LAYERS {
        let count = areas.rows[start..].iter().take_while(|row| layer_of(row) == Some(layer)).count();
        let of_layer = start..start + count;
        let groups: Vec<&[u32]> = colors[of_layer.clone()].chunk_by(|a, b| a == b).collect();
        let largest = groups.iter().map(|group| group.len()).max().unwrap_or(0);
        let field = Field { shift, index_bits: bits(largest), color_bits: groups.len() as u32 };
        shift += field.index_bits + field.color_bits;
        if shift > 64 {
            return Err(CodesTooLong { layer, bits: shift });
        }
        let mut first = start;
        for (color, group) in groups.iter().enumerate() {
            areas.color_starts.push(first as u32);
            for (index, code) in codes[first..first + group.len()].iter_mut().enumerate() {
                *code = (1 << (field.index_bits + color as u32) | index as u64) << field.shift;
            }
            first += group.len();
        }
        areas.fields.push(field);
        start += count;
    }
    Ok((areas, codes))
}

fn layer_of(row: &AreaRow) -> Option<Layer> {
    Geoid::from_u64(row.geoid).map(Geoid::layer)
}

/// The number of bits that hold the numbers below `count`.
fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// Lists the codes in `seen` that are the XOR of the codes of two areas of one layer whose boxes meet: these areas
/// overlap there. Leaves out a code that two such pairs could mean: the polygons decide at its points.
pub fn list_overlaps(areas: &mut Areas, codes: &[u64], boxes: &[Bbox], seen: impl Iterator<Item = u64>) {
    let parts =
        seen.flat_map(|code| areas.fields.iter().map(move |field| code & mask(field)).collect::<Vec<_>>());
    let single: std::collections::HashSet<u64> = codes.iter().copied().collect();
    let unexplained: BTreeSet<u64> = parts.filter(|part| *part != 0 && !single.contains(part)).collect();
    if unexplained.is_empty() {
        return;
    }
    let mut meanings: HashMap<u64, Vec<(u32, u32)>> = HashMap::new();
    for (a, b) in meeting_pairs(areas, boxes) {
        let code = codes[a as usize] ^ codes[b as usize];
        if unexplained.contains(&code) {
            meanings.entry(code).or_default().push((a, b));
        }
    }
    areas.overlap_starts.push(0);
    for code in unexplained {
        if let Some([(a, b)]) = meanings.get(&code).map(Vec::as_slice) {
            areas.overlap_codes.push(code);
            areas.overlap_areas.extend([a, b]);
            areas.overlap_starts.push(areas.overlap_areas.len() as u32);
        }
    }
}

fn mask(field: &Field) -> u64 {
    ((1 << (field.index_bits + field.color_bits)) - 1) << field.shift
}

/// Pairs of areas of one layer whose boxes meet; the smaller number first.
fn meeting_pairs(areas: &Areas, boxes: &[Bbox]) -> Vec<(u32, u32)> {
    // Sweeps from west to east: boxes that start east of a box's end cannot meet it.
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|at| boxes[*at].min.lon());
    let mut pairs = Vec::new();
    for (rank, &a) in order.iter().enumerate() {
        for &b in order[rank + 1..].iter().take_while(|b| boxes[**b].min.lon() <= boxes[a].max.lon()) {
            if boxes[a].intersects(&boxes[b]) && layer_of(&areas.rows[a]) == layer_of(&areas.rows[b]) {
                pairs.push((a.min(b) as u32, a.max(b) as u32));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use platbook::geometry::LonLat;

    fn area(digits: &str, series: Series, west: i32) -> AreaToColor {
        let geoid = Geoid::parse(Layer::County, digits).unwrap();
        let bbox = Bbox { min: LonLat::from_units(0, west), max: LonLat::from_units(10, west + 10) };
        AreaToColor { geoid, series, bbox }
    }

    #[test]
    fn series_that_meet_get_different_colors() {
        let areas = [area("01001", 0, 0), area("01003", 1, 5), area("01005", 2, 100), area("01007", 0, 40)];
        assert_eq!(color_areas(&areas, &[]), [0, 1, 0, 0]);
        // The last area overlaps the first area of its series.
        assert_eq!(color_areas(&areas, &[(0, 3)]), [0, 1, 0, 0]);
        let near = [area("01001", 0, 0), area("01003", 0, 5), area("01005", 0, 8)];
        assert_eq!(color_areas(&near, &[(0, 1), (0, 2), (1, 2)]), [0, 1, 2]);
    }

    #[test]
    fn codes_are_distinct() {
        let row = |digits: &str, layer| AreaRow {
            geoid: Geoid::parse(layer, digits).unwrap().to_u64(),
            jurisdiction: u32::MAX,
            county: u32::MAX,
            link: 0,
            scale: 1,
            source: 0,
            state: 1,
            flags: 0,
        };
        let rows = vec![
            row("01001", Layer::County),
            row("01003", Layer::County),
            row("01001", Layer::County),
            row("0100100001", Layer::Cousub),
        ];
        let (areas, codes) = encode(rows, &[0, 0, 1, 0]).unwrap();
        assert_eq!(codes, [0b010, 0b011, 0b100, 0b1 << 3]);
        assert_eq!((areas.color_starts, areas.fields.len()), (vec![0, 2, 3], 3));
    }
}
