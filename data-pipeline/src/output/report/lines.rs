//! Measures the quality of lines by state and layer: points that find their own unit, overlaps and holes.

use std::collections::BTreeMap;

use platbook::{
    directory::Directory,
    geometry::{Bbox, LonLat, UNITS_PER_DEGREE, ring},
    snapshot::CoverageFigures,
    vocabulary::{Coverage, Layer, StateCode},
};

use super::table::Rows;
use crate::boundaries::divide::union;

/// The layers that are measured.
pub(super) const LAYERS: [Layer; 3] = [Layer::County, Layer::Cousub, Layer::Place];
/// Length of a degree of latitude in kilometers, on a sphere with the mean radius of the Earth.
const KM_PER_DEGREE: f64 = 111.2;

/// The measurements of one layer in a state.
#[derive(Default)]
struct Measure {
    /// Number of areas with a point inside, and of those whose point resolves to the area itself.
    points: [u32; 2],
    /// Number of areas that are larger than their legal area, if that is known.
    too_large: u32,
    /// Number of areas that are smaller than their legal area.
    too_small: u32,
    /// Closed rings of all areas.
    rings: Vec<Vec<LonLat>>,
}

/// Returns a line for each layer, and one for each state that has polygons of that layer. The line of all counties
/// includes overlaps and holes between states. `figures` are those of the directory.
pub(super) fn lines(directory: &Directory, figures: &CoverageFigures) -> Rows {
    let heading = [
        "state",
        "layer",
        "points",
        "own",
        "share %",
        "overlaps km2",
        "holes km2",
        "too large",
        "too small",
        "vintage",
    ];
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    for layer in LAYERS {
        let states = measures(directory, figures, layer);
        let mut all = Measure::default();
        states.values().for_each(|state| all.count(state));
        let (mut of_states, mut joined) = (Vec::new(), Vec::new());
        for (state, measure) in states {
            let (tiles, vintage) = covered(directory, layer, state);
            let (gaps, whole) = overlaps_and_holes(&measure.rings, tiles);
            joined.extend(whole);
            of_states.push(row(state.usps(), layer, &measure, gaps, &vintage));
        }
        let (gaps, _) = overlaps_and_holes(&joined, layer == Layer::County);
        table.push(row("all", layer, &all, gaps, ""));
        table.extend(of_states);
    }
    table
}

impl Measure {
    fn count(&mut self, other: &Measure) {
        self.points = std::array::from_fn(|at| self.points[at] + other.points[at]);
        self.too_large += other.too_large;
        self.too_small += other.too_small;
    }
}

fn row(
    name: &str,
    layer: Layer,
    measure: &Measure,
    [overlaps, holes]: [String; 2],
    vintage: &str,
) -> Vec<String> {
    let Measure { points: [points, own], too_large, too_small, .. } = measure;
    let share = 100.0 * f64::from(*own) / f64::from((*points).max(1));
    vec![
        name.to_owned(),
        layer.prefix().to_owned(),
        points.to_string(),
        own.to_string(),
        format!("{share:.2}"),
        overlaps,
        holes,
        too_large.to_string(),
        too_small.to_string(),
        vintage.to_owned(),
    ]
}

fn measures(directory: &Directory, figures: &CoverageFigures, layer: Layer) -> BTreeMap<StateCode, Measure> {
    let mut states: BTreeMap<StateCode, Measure> = BTreeMap::new();
    for row in figures.lines.iter().filter(|row| row.layer == layer as u8) {
        let Some(state) = StateCode::from_fips(row.state) else { continue };
        states.entry(state).or_default().points = [row.points, row.own];
    }
    for row in directory.rows_of(layer) {
        let view = directory.jurisdiction(row);
        let Some(measure) =
            view.state.filter(|_| view.point.is_some()).and_then(|state| states.get_mut(&state))
        else {
            continue;
        };
        let off_percent = directory.area_off_percent(row);
        measure.too_large += u32::from(off_percent > 0);
        measure.too_small += u32::from(off_percent < 0);
        let boundaries = directory.snapshot().boundaries();
        measure.rings.extend(directory.areas_of(row).flat_map(|area| boundaries.rings(area)));
    }
    states
}

/// Whether the areas of a state's layer cover all its land, and the year of most lines. Places never cover
/// all land.
fn covered(directory: &Directory, layer: Layer, state: StateCode) -> (bool, String) {
    let meta = directory.snapshot().meta();
    let of_layer = meta.coverage.iter().find(|row| row.layer() == Some(layer) && row.state() == Some(state));
    let tiles = layer != Layer::Place && of_layer.is_some_and(|row| row.coverage() == Coverage::Complete);
    let source = of_layer.and_then(|row| directory.source_row(row.source()?));
    (tiles, source.map_or("-".to_owned(), |source| directory.source(source).vintage.to_string()))
}

/// Returns three figures in square kilometers: land in several areas, holes that areas enclose, and the union of the
/// areas.
///
/// All areas are measured with the length of a degree at the middle latitude. The strips are small, and the figures
/// serve only to compare snapshots.
fn overlaps_and_holes(rings: &[Vec<LonLat>], tiles: bool) -> ([String; 2], Vec<Vec<LonLat>>) {
    let whole = union(rings);
    let doubled = |ring: &Vec<LonLat>| ring::signed_area_doubled(ring);
    let overlaps = rings.iter().map(doubled).sum::<i128>() - whole.iter().map(doubled).sum::<i128>();
    let holes: i128 = -whole.iter().map(doubled).filter(|area| *area < 0).sum::<i128>();
    let bbox = Bbox::around(rings.iter().flatten().copied());
    let middle = bbox.map_or(0.0, |bbox| (bbox.min.lat_degrees() + bbox.max.lat_degrees()) / 2.0);
    let square_km = |doubled: i128| {
        let side = KM_PER_DEGREE / f64::from(UNITS_PER_DEGREE);
        format!("{:.2}", doubled.max(0) as f64 / 2.0 * side * side * middle.to_radians().cos())
    };
    let holes = if tiles { square_km(holes) } else { "-".to_owned() };
    ([square_km(overlaps), holes], whole)
}
