//! The reference engine, against which the snapshot's trie is checked. An R-tree of boxes finds candidates, and exact
//! predicates decide.
//!
//! The engine shares no point-in-polygon code with the trie. The polygons are from the section `boundaries`, and the
//! predicates are from the crate `geo`.

use fastrand::Rng;
use rstar::{
    RTree,
    primitives::{GeomWithData, Rectangle},
};

use geo::{Coord, CoordinatePosition, LineString, MultiPolygon, Polygon, coordinate_position::CoordPos};

use crate::{
    directory::Directory,
    geometry::{Bbox, LonLat, ring},
    snapshot::Snapshot,
};

/// The polygons of all areas. Coordinates are integers of 1e-7 degree, which are exact as f64.
#[derive(Debug)]
pub struct Reference<'a> {
    directory: &'a Directory,
    boxes: RTree<GeomWithData<Rectangle<[i32; 2]>, u32>>,
    shapes: Vec<MultiPolygon<f64>>,
}

/// The areas at a point, as the reference engine finds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The numbers of the areas that contain the point, ascending.
    pub inside: Vec<u32>,
    /// The numbers of the areas that have the point exactly on their border.
    pub on_border: Vec<u32>,
}

impl<'a> Reference<'a> {
    /// Reads all polygons and builds the R-tree of their boxes.
    pub fn of(directory: &'a Directory) -> Reference<'a> {
        let boundaries = directory.snapshot().boundaries();
        let shapes =
            (0..boundaries.area_count() as u32).map(|area| multi_polygon(boundaries.rings(area).collect()));
        let boxed = |(area, bbox): (u32, Bbox)| {
            let corners = [bbox.min, bbox.max].map(|corner| [corner.lon(), corner.lat()]);
            GeomWithData::new(Rectangle::from_corners(corners[0], corners[1]), area)
        };
        let boxes = RTree::bulk_load(directory.area_boxes().iter().map(boxed).collect());
        Reference { directory, boxes, shapes: shapes.collect() }
    }

    /// Finds the areas of the trie's layers that contain the point or have it on their border.
    pub fn locate(&self, point: LonLat) -> Verdict {
        let coordinate = coord(point);
        let mut verdict = Verdict { inside: Vec::new(), on_border: Vec::new() };
        let in_trie = |area: &u32| self.directory.snapshot().areas().code(*area).is_some();
        let around = self.boxes.locate_all_at_point(&[point.lon(), point.lat()]).map(|boxed| boxed.data);
        let mut around: Vec<u32> = around.filter(in_trie).collect();
        around.sort_unstable();
        for area in around {
            match self.shapes[area as usize].coordinate_position(&coordinate) {
                CoordPos::Inside => verdict.inside.push(area),
                CoordPos::OnBoundary => verdict.on_border.push(area),
                CoordPos::Outside => {}
            }
        }
        verdict
    }

    /// The polygons of an area, by its number.
    pub fn shape(&self, area: u32) -> &MultiPolygon<f64> {
        &self.shapes[area as usize]
    }
}

fn coord(point: LonLat) -> Coord<f64> {
    Coord { x: f64::from(point.lon()), y: f64::from(point.lat()) }
}

/// Nests rings into polygons. A ring inside an even number of others is an outer ring. A ring inside an odd number is a
/// hole of the smallest outer ring around it.
pub fn multi_polygon(rings: Vec<Vec<LonLat>>) -> MultiPolygon<f64> {
    let boxes: Vec<Option<Bbox>> = rings.iter().map(|ring| Bbox::around(ring.iter().copied())).collect();
    let around = |inner: usize| -> Vec<usize> {
        let encloses = |outer: &usize| {
            *outer != inner
                && boxes[*outer]
                    .zip(boxes[inner])
                    .is_some_and(|(outer, inner)| outer.contains(inner.min) && outer.contains(inner.max))
                && lies_in(&rings[inner], &rings[*outer])
        };
        (0..rings.len()).filter(encloses).collect()
    };
    let parents: Vec<Vec<usize>> = (0..rings.len()).map(around).collect();
    let line = |ring: &Vec<LonLat>| LineString::from_iter(ring.iter().map(|point| coord(*point)));
    let polygon = |outer: usize| {
        let is_hole =
            |at: &usize| parents[*at].len() == parents[outer].len() + 1 && parents[*at].contains(&outer);
        let holes = (0..rings.len()).filter(is_hole).map(|at| line(&rings[at])).collect();
        Polygon::new(line(&rings[outer]), holes)
    };
    (0..rings.len()).filter(|at| parents[*at].len().is_multiple_of(2)).map(polygon).collect::<Vec<_>>().into()
}

/// Whether `inner` lies in `outer`. The two rings must not cross. The first vertex of `inner` that is not on `outer`
/// decides.
fn lies_in(inner: &[LonLat], outer: &[LonLat]) -> bool {
    let on_outer = |point: LonLat| outer.windows(2).any(|edge| on_edge(edge[0], edge[1], point));
    inner.iter().find(|point| !on_outer(**point)).is_some_and(|point| ring::contains(outer, *point))
}

fn on_edge(a: LonLat, b: LonLat, p: LonLat) -> bool {
    let between = |a: i32, b: i32, p: i32| a.min(b) <= p && p <= a.max(b);
    between(a.lon(), b.lon(), p.lon()) && between(a.lat(), b.lat(), p.lat()) && ring::side(a, b, p) == 0
}

/// The result of comparing the trie with the reference engine.
#[derive(Clone, Debug, Default)]
pub struct CrossCheck {
    /// Number of points that were compared.
    pub points: u64,
    /// Number of points exactly on a border. They are not compared, because the engines have different rules for them.
    pub on_border: u64,
    /// Number of compared points that lie in at least one area.
    pub covered: u64,
    /// Points for which the engines differ, with the areas from the trie and those from the reference engine. Only the
    /// first [`DIFFERENCES_MAX`] are kept.
    pub differences: Vec<(LonLat, Vec<u32>, Vec<u32>)>,
    /// Number of points for which the engines differ.
    pub difference_count: u64,
}

impl CrossCheck {
    fn differ(&mut self, point: LonLat, trie: Vec<u32>, reference: Vec<u32>) {
        self.difference_count += 1;
        if self.differences.len() < DIFFERENCES_MAX {
            self.differences.push((point, trie, reference));
        }
    }
}

/// Maximum number of differences to keep for the report. Chosen, not measured.
pub const DIFFERENCES_MAX: usize = 20;

/// Compares the trie with the reference engine at `count` points, and calls `tick` for each. A third of the points are
/// uniform in the boxes of random jurisdictions. A third lie within about 100 m of a random vertex, and a third within
/// 2 cm of the middle of a random edge.
pub fn cross_check(directory: &Directory, count: u64, seed: u64, mut tick: impl FnMut()) -> CrossCheck {
    let reference = Reference::of(directory);
    let mut points = RandomPoints::new(directory.snapshot(), seed);
    let mut check = CrossCheck::default();
    for number in 0..count {
        let point = points.next(number);
        let verdict = reference.locate(point);
        tick();
        if !verdict.on_border.is_empty() {
            check.on_border += 1;
            continue;
        }
        check.points += 1;
        check.covered += u64::from(!verdict.inside.is_empty());
        let mut found = directory.covering_areas(point);
        found.sort_unstable();
        if found != verdict.inside {
            check.differ(point, found, verdict.inside);
        }
    }
    check
}

/// A source of random points that are likely to reveal differences. The same seed gives the same points.
#[derive(Debug)]
pub struct RandomPoints<'a> {
    snapshot: &'a Snapshot,
    rng: Rng,
}

impl<'a> RandomPoints<'a> {
    /// Creates a source of points in and near the areas of a snapshot.
    pub fn new(snapshot: &'a Snapshot, seed: u64) -> RandomPoints<'a> {
        RandomPoints { snapshot, rng: Rng::with_seed(seed) }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.rng.u64(..limit.max(1))
    }

    fn within(&mut self, reach: i32) -> i32 {
        self.below(2 * reach as u64 + 1) as i32 - reach
    }

    fn next(&mut self, number: u64) -> LonLat {
        match number % 3 {
            0 => self.in_a_box(),
            1 => self.near_a_vertex(10_000),
            _ => self.near_a_middle(2),
        }
    }

    /// A random point between these edges, in 1e-7 degree. All areas of equal size are equally likely.
    pub fn uniform(&mut self, [west, south, east, north]: [i32; 4]) -> LonLat {
        let sine = |lat: i32| LonLat::from_units(lat, 0).lat_degrees().to_radians().sin();
        let share = self.below(1 << 52) as f64 / (1u64 << 52) as f64;
        let lat = (sine(south) + share * (sine(north) - sine(south))).asin().to_degrees() * 1e7;
        LonLat::from_units(lat as i32, west + self.below((i64::from(east) - i64::from(west)) as u64) as i32)
    }

    /// A random point in the box of a random jurisdiction.
    pub fn in_a_box(&mut self) -> LonLat {
        let jurisdictions = self.snapshot.jurisdictions();
        loop {
            let row = self.below(jurisdictions.len() as u64) as u32;
            if let Some([west, south, east, north]) = jurisdictions.get(row).and_then(|(_, row)| row.bbox()) {
                let mut between = |low: i32, high: i32| {
                    let width = i64::from(high) - i64::from(low);
                    (i64::from(low) + self.below(width as u64 + 1) as i64) as i32
                };
                let lon = between(west, east);
                return LonLat::from_units(between(south, north), lon);
            }
        }
    }

    fn an_arc(&mut self) -> Vec<LonLat> {
        let boundaries = self.snapshot.boundaries();
        boundaries.arc(self.below(boundaries.arc_count() as u64) as u32)
    }

    /// A point within `reach` units of 1e-7 degree of a random vertex, in each direction.
    pub fn near_a_vertex(&mut self, reach: i32) -> LonLat {
        let arc = self.an_arc();
        let vertex = arc[self.below(arc.len() as u64) as usize];
        self.moved(vertex, reach)
    }

    fn near_a_middle(&mut self, reach: i32) -> LonLat {
        let arc = self.an_arc();
        let at = self.below(arc.len() as u64 - 1) as usize;
        let middle = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 2) as i32;
        self.moved(
            LonLat::from_units(
                middle(arc[at].lat(), arc[at + 1].lat()),
                middle(arc[at].lon(), arc[at + 1].lon()),
            ),
            reach,
        )
    }

    fn moved(&mut self, point: LonLat, reach: i32) -> LonLat {
        let lon = point.lon() + self.within(reach);
        LonLat::from_units(point.lat() + self.within(reach), lon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(west: i32, south: i32, side: i32) -> Vec<LonLat> {
        let at = |x, y| LonLat::from_units(south + y, west + x);
        vec![at(0, 0), at(side, 0), at(side, side), at(0, side), at(0, 0)]
    }

    #[test]
    fn all_differences_are_counted_and_the_first_are_kept() {
        let mut check = CrossCheck::default();
        (0..25).for_each(|lon| check.differ(LonLat::from_units(0, lon), vec![1], vec![2]));
        assert_eq!((check.difference_count, check.differences.len()), (25, DIFFERENCES_MAX));
        assert_eq!(check.differences[0], (LonLat::from_units(0, 0), vec![1], vec![2]));
    }

    #[test]
    fn rings_nest_by_depth() {
        // A country with a lake, an island in the lake, and a second part of the country.
        let shape = multi_polygon(vec![square(2, 2, 2), square(0, 0, 10), square(1, 1, 5), square(20, 0, 3)]);
        let holes: Vec<usize> = shape.iter().map(|polygon| polygon.interiors().len()).collect();
        assert_eq!(holes, [0, 1, 0]);
    }
}
