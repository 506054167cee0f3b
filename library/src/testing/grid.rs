//! Packs rectangles of grid cells into areas, a trie and polygons, as the pipeline does with real lines.

use std::collections::BTreeMap;

use super::point;
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::{
        FIELD_LAYERS, area_flag,
        write::{
            ArcRef, AreaRow, Areas, Boundaries, FederalLands, Field, LabelSet, Line, NationSites,
            NewFederalLand, NewShore, NewTribalLand, Shore, TribalLands, Trie, TrieBuilder, WriteError,
            line_kinds,
        },
    },
    vocabulary::{FederalKind, Geoid, Layer},
};

/// West, south, east and north of a rectangle of cells.
pub(super) type Cells = (i32, i32, i32, i32);
/// A corner of a cell: the numbers of cells east and north of the grid's corner.
type Corner = (i32, i32);
/// A side of a cell, from its lower to its higher end.
type Side = (Corner, Corner);

/// Number of bits of an area's index within its color.
const INDEX_BITS: u32 = 4;
/// Number of colors of each field: one for each of the two sources.
const COLORS: u32 = 2;
/// Stands for a missing row, in the columns `jurisdiction` and `county`.
const NONE: u32 = u32::MAX;

/// An area, as rectangles of cells that do not overlap.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) geoid: Geoid,
    /// Row of the shape's source. It is also the shape's color, because shapes of one source do not overlap.
    pub(super) source: u16,
    pub(super) scale: u32,
    /// Whether subdivisions cover the shape's state without gaps.
    pub(super) tiled: bool,
    pub(super) cells: Vec<Cells>,
}

impl Shape {
    /// West, south, east and north of the shape, in 1e-7 degree.
    pub(super) fn bbox(&self) -> [i32; 4] {
        let corners =
            self.cells.iter().flat_map(|(west, south, east, north)| [(*west, *south), (*east, *north)]);
        let bbox = Bbox::around(corners.map(place)).expect("a shape has cells");
        [bbox.min.lon(), bbox.min.lat(), bbox.max.lon(), bbox.max.lat()]
    }

    /// The sides of cells on the outline of the shape, where its own cells are on only one side.
    fn outline(&self) -> Vec<Side> {
        let mut sides: BTreeMap<Side, u32> = BTreeMap::new();
        for (west, south, east, north) in &self.cells {
            for (x, y) in (*west..*east).flat_map(|x| (*south..*north).map(move |y| (x, y))) {
                let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
                for (from, to) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
                    *sides.entry((corners[from], corners[to])).or_default() += 1;
                }
            }
        }
        sides.into_iter().filter(|(_, count)| *count == 1).map(|(side, _)| side).collect()
    }
}

fn place((x, y): Corner) -> LonLat {
    point(f64::from(x), f64::from(y))
}

/// The land of a nation, which is one cell of Oak town, and the nation's site.
pub(super) fn tribal() -> Result<(TribalLands, NationSites), WriteError> {
    let land = NewTribalLand {
        name: "Heron Reservation".to_owned(),
        nation: Some("Heron Nation".to_owned()),
        words: "The nation zones it.".to_owned(),
        site: Some("https://heron.example/".to_owned()),
        sources: vec![0],
    };
    let corners = [(8, 9), (9, 9), (9, 10), (8, 10), (8, 9)].map(place);
    let sites = NationSites::pack(std::slice::from_ref(&land))?;
    Ok((TribalLands::pack(&[land], &[(&corners, vec![0])], 32, vec![0])?, sites))
}

/// A national park, which is one cell of Elm town.
pub(super) fn federal() -> Result<FederalLands, WriteError> {
    let land = NewFederalLand {
        name: "Elk National Park".to_owned(),
        kind: FederalKind::Park,
        in_cities: false,
        outline: [(4, 1), (5, 1), (5, 2), (4, 2), (4, 1)].map(place).to_vec(),
        source: 0,
    };
    FederalLands::pack(vec![land])
}

/// The shore of a county with a lake between 1, 1 and 3, 2. The uncertainty of the shore is 100 m.
pub(super) fn shore(county: u32) -> Result<Shore, WriteError> {
    let ring = |(west, south, east, north): Cells| {
        [(west, south), (east, south), (east, north), (west, north), (west, south)].map(place).to_vec()
    };
    let outline = vec![ring((0, 0, 10, 10)), ring((1, 1, 3, 2))];
    let new =
        NewShore { counties: vec![county], with_water: vec![0], sources: vec![1], error_m: 100, outline };
    Shore::pack(new, 4)
}

/// Packs the shapes into sections. `row` returns the row of a jurisdiction.
pub(super) fn compile(
    shapes: &[Shape],
    row: impl Fn(Geoid) -> Option<u32>,
) -> Result<(Areas, Trie, Boundaries), WriteError> {
    let mut shapes = shapes.to_vec();
    shapes.sort_by_key(|shape| (shape.geoid.layer(), shape.source, shape.geoid));
    let (areas, codes) = encode(&shapes, row);
    let mut sides: BTreeMap<Side, Vec<u32>> = BTreeMap::new();
    for (number, shape) in shapes.iter().enumerate() {
        shape.outline().into_iter().for_each(|side| sides.entry(side).or_default().push(number as u32));
    }
    let arcs: Vec<Vec<LonLat>> = sides.keys().map(|(from, to)| vec![place(*from), place(*to)]).collect();
    let labels: Vec<LabelSet> = sides.values().map(|areas_of| label(areas_of, &areas, &codes)).collect();
    let lines: Vec<Line<'_>> = (0..).zip(&arcs).map(|(label, vertices)| Line { label, vertices }).collect();
    let trie = TrieBuilder::new(4).build(&labels, &lines)?;
    let arc_of: BTreeMap<Side, u32> = sides.keys().copied().zip(0..).collect();
    let rings: Vec<Vec<Vec<ArcRef>>> =
        shapes.iter().map(|shape| vec![ring(&shape.outline(), &arc_of)]).collect();
    Ok((areas, trie, Boundaries::pack(&arcs, &rings)))
}

/// Returns the label of the edges between the areas in `sides`.
fn label(sides: &[u32], areas: &Areas, codes: &[u64]) -> LabelSet {
    let rows: Vec<AreaRow> = sides.iter().map(|side| areas.rows[*side as usize]).collect();
    let code = sides.iter().fold(0, |code, side| code ^ codes[*side as usize]);
    LabelSet { code, areas: sides.to_vec(), kinds: line_kinds(&rows) }
}

/// Returns the areas of the shapes, which must be sorted, and the code of each. It lists no overlaps, so that tests
/// reach the search for unlisted overlaps.
fn encode(shapes: &[Shape], row: impl Fn(Geoid) -> Option<u32>) -> (Areas, Vec<u64>) {
    let field =
        |at: u32| Field { shift: at * (INDEX_BITS + COLORS), index_bits: INDEX_BITS, color_bits: COLORS };
    let mut areas =
        Areas { fields: (0..3).map(field).collect(), overlap_starts: vec![0], ..Areas::default() };
    let mut codes = Vec::new();
    for (field, layer) in (0u32..).zip(FIELD_LAYERS) {
        for color in 0..COLORS {
            areas.color_starts.push(areas.rows.len() as u32);
            let own = shapes
                .iter()
                .filter(|shape| shape.geoid.layer() == layer && u32::from(shape.source) == color);
            for (index, shape) in (0u64..).zip(own) {
                codes.push((1 << (INDEX_BITS + color) | index) << (field * (INDEX_BITS + COLORS)));
                areas.rows.push(area_row(shape, &row));
            }
        }
    }
    (areas, codes)
}

fn area_row(shape: &Shape, row: &impl Fn(Geoid) -> Option<u32>) -> AreaRow {
    let tiled = shape.tiled && shape.geoid.layer() != Layer::Place;
    AreaRow {
        geoid: shape.geoid.to_u64(),
        jurisdiction: row(shape.geoid).unwrap_or(NONE),
        county: shape.geoid.county().and_then(row).unwrap_or(NONE),
        link: 0,
        scale: shape.scale,
        source: shape.source,
        state: shape.geoid.state_fips(),
        flags: if tiled { area_flag::TILED } else { 0 },
    }
}

/// Joins the sides of an outline to a single ring of consecutive arcs.
fn ring(outline: &[Side], arc_of: &BTreeMap<Side, u32>) -> Vec<ArcRef> {
    let mut left: Vec<Side> = outline.to_vec();
    let mut at = left[0].0;
    let mut arcs = Vec::with_capacity(left.len());
    while let Some(next) = left.iter().position(|(from, to)| *from == at || *to == at) {
        let side = left.swap_remove(next);
        let reversed = side.1 == at;
        at = if reversed { side.0 } else { side.1 };
        arcs.push(ArcRef { arc: arc_of[&side], reversed });
    }
    arcs
}
