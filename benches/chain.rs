//! Compares three engines that resolve a point in four layers: the trie, an R-tree with geo's `Contains`, and an R-tree
//! with geo's interval trees.
//!
//! All run at once on the same points, so that the ratios do not depend on the machine. Reads the built-in
//! snapshot, or the file that PLATBOOK_BENCH_SNAPSHOT names.

use std::{hint::black_box, path::Path, time::Instant};

use geo::{BoundingRect, Contains, Point, algorithm::indexed::IntervalTreeMultiPolygon};
use platbook::{
    directory::{Directory, Resolution},
    geometry::{LonLat, METERS_PER_DEGREE, UNITS_PER_DEGREE},
    reference::{RandomPoints, Reference},
    snapshot::Snapshot,
    vocabulary::Layer,
};
use rstar::{
    RTree,
    primitives::{GeomWithData, Rectangle},
};

const POINTS: usize = 200_000;
/// Number of points for the slow engines; times are per point, so the numbers may differ.
const POINTS_SLOW: usize = 20_000;
const ROUNDS: usize = 11;

fn main() {
    let snapshot = match std::env::var_os("PLATBOOK_BENCH_SNAPSHOT") {
        Some(path) => Snapshot::open(Path::new(&path)),
        None => platbook_service::shipping::built_in(),
    };
    let directory = Directory::new(snapshot.expect("a snapshot to measure"));
    // A service also fills its caches in the background, so this time is not part of an answer.
    directory.warm();
    let reference = Reference::of(&directory);
    let areas = directory.snapshot().boundaries().area_count() as u32;
    let trees: Vec<_> = (0..areas).map(|area| IntervalTreeMultiPolygon::new(reference.shape(area))).collect();
    let layers = box_trees(&directory, &reference);
    let meta = directory.snapshot().meta();
    println!(
        "snapshot {}, {} source vertices, {} stored",
        directory.snapshot_id(),
        meta.source_vertices,
        meta.stored_vertices
    );
    println!(
        "{:30} {:>9} {:>9} {:>9} {:>9} {:>10} {:>10}",
        "points", "trie ns", "2 thr ns", "scaling", "chain+line", "x Contains", "x itrees"
    );
    for (name, points) in [
        ("uniform, on land", uniform(&directory, POINTS)),
        ("within 200 m of a border", near_border(&directory, POINTS)),
        ("inside places", in_places(&directory, POINTS)),
    ] {
        let slow = &points[..POINTS_SLOW];
        let round = || Round {
            trie: per_point(&points, |point| matches!(directory.resolve(point), Resolution::Inside(_))),
            two_threads: two_threads(&directory, &points),
            with_lines: per_point(&points, |point| with_borders(&directory, point)),
            contains: per_point(slow, |point| by_contains(&layers, &reference, point)),
            interval_trees: per_point(slow, |point| by_interval_trees(&layers, &trees, point)),
        };
        let rounds: Vec<Round> = (0..ROUNDS).map(|_| round()).collect();
        let median = |figure: fn(&Round) -> f64| median(rounds.iter().map(figure).collect());
        println!(
            "{name:30} {:9.0} {:9.0} {:9.2} {:9.0} {:10.1} {:10.1}",
            median(|round| round.trie),
            median(|round| round.two_threads),
            median(|round| round.trie / round.two_threads),
            median(|round| round.with_lines),
            median(|round| round.contains / round.trie),
            median(|round| round.interval_trees / round.trie),
        );
    }
}

/// Draws points evenly by area from a box around the contiguous states and Alaska. Points outside of every county are
/// left out.
fn uniform(directory: &Directory, count: usize) -> Vec<LonLat> {
    let mut random = RandomPoints::new(directory.snapshot(), 1);
    let on_land = |point: &LonLat| !directory.covering_areas(*point).is_empty();
    std::iter::repeat_with(|| random.uniform([-1_250_000_000, 245_000_000, -665_000_000, 495_000_000]))
        .filter(on_land)
        .take(count)
        .collect()
}

fn near_border(directory: &Directory, count: usize) -> Vec<LonLat> {
    let reach = (200.0 / METERS_PER_DEGREE * f64::from(UNITS_PER_DEGREE)) as i32;
    let mut random = RandomPoints::new(directory.snapshot(), 2);
    std::iter::repeat_with(|| random.near_a_vertex(reach)).take(count).collect()
}

fn in_places(directory: &Directory, count: usize) -> Vec<LonLat> {
    let mut random = RandomPoints::new(directory.snapshot(), 3);
    let in_place = |point: &LonLat| matches!(directory.resolve(*point), Resolution::Inside(chain) if chain.place.is_some());
    std::iter::repeat_with(|| random.in_a_box()).filter(in_place).take(count).collect()
}

/// Nanoseconds per point of each engine; the engines take turns. Ratios within a round hold even if the speed of the
/// machine drifts.
struct Round {
    trie: f64,
    two_threads: f64,
    with_lines: f64,
    contains: f64,
    interval_trees: f64,
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Returns the mean time per point, in nanoseconds.
fn per_point(points: &[LonLat], mut ask: impl FnMut(LonLat) -> bool) -> f64 {
    let start = Instant::now();
    let found = points.iter().filter(|point| ask(black_box(**point))).count();
    black_box(found);
    start.elapsed().as_secs_f64() * 1e9 / points.len() as f64
}

fn two_threads(directory: &Directory, points: &[LonLat]) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for half in points.chunks(points.len() / 2) {
            scope.spawn(move || {
                per_point(half, |point| matches!(directory.resolve(point), Resolution::Inside(_)))
            });
        }
    });
    start.elapsed().as_secs_f64() * 1e9 / points.len() as f64
}

fn with_borders(directory: &Directory, point: LonLat) -> bool {
    match directory.resolve(point) {
        Resolution::Inside(chain) => directory.borders(point, &chain).county.is_some(),
        Resolution::Outside => false,
    }
}

/// Bounding boxes for the other engines: an R-tree for each of the four layers.
type Boxes = RTree<GeomWithData<Rectangle<[f64; 2]>, u32>>;

fn box_trees(directory: &Directory, reference: &Reference<'_>) -> Vec<Boxes> {
    let areas = directory.snapshot().areas();
    let of_layer = |layer: Layer| {
        let numbers = (0..areas.rows.len() as u32)
            .filter(move |area| areas.area(*area).and_then(|row| row.layer()) == Some(layer));
        let boxed = |area: u32| {
            let rect = reference.shape(area).bounding_rect()?;
            Some(GeomWithData::new(
                Rectangle::from_corners([rect.min().x, rect.min().y], [rect.max().x, rect.max().y]),
                area,
            ))
        };
        RTree::bulk_load(numbers.filter_map(boxed).collect())
    };
    Layer::ALL.map(of_layer).into()
}

fn by_contains(layers: &[Boxes], reference: &Reference<'_>, point: LonLat) -> bool {
    let at = Point::new(f64::from(point.lon()), f64::from(point.lat()));
    let find = |layer: &Boxes| {
        layer
            .locate_all_at_point(&[at.x(), at.y()])
            .find(|boxed| reference.shape(boxed.data).contains(&at))
            .is_some()
    };
    layers.iter().filter(|layer| find(layer)).count() > 0
}

fn by_interval_trees(layers: &[Boxes], trees: &[IntervalTreeMultiPolygon<f64>], point: LonLat) -> bool {
    let at = Point::new(f64::from(point.lon()), f64::from(point.lat()));
    let find = |layer: &Boxes| {
        layer
            .locate_all_at_point(&[at.x(), at.y()])
            .find(|boxed| trees[boxed.data as usize].contains(&at))
            .is_some()
    };
    layers.iter().filter(|layer| find(layer)).count() > 0
}
