//! Draws outlines as SVG path data for one view.

use std::{collections::HashMap, rc::Rc};

use super::{
    clip::{Dot, clipped},
    path::{push_line, push_ring},
    simplify::simplified,
    view::{UNITS_PER_PIXEL, View},
};
use platbook::{
    directory::{ArcRef, Directory, Row},
    geometry::{Bbox, LonLat, METERS_PER_DEGREE, UNITS_PER_DEGREE},
    vocabulary::Layer,
};

/// Maximum distance of a simplified line from the projected one, in units: 0.6 pixels.
const TOLERANCE: f64 = 0.6 * UNITS_PER_PIXEL as f64;

/// Part of the tolerance: vertices nearer than this to the previous one are dropped before projection. Both steps
/// together move a line by less than a pixel.
const NEAR: f64 = 1.0 / 3.0;

/// Returns the jurisdictions of a layer that may be visible.
pub fn rows_seen(directory: &Directory, layer: Layer, view: &View) -> Vec<Row> {
    let boxes: Vec<Bbox> = view.seen().boxes();
    let mut rows: Vec<Row> = boxes.into_iter().flat_map(|bbox| directory.rows_meeting(layer, bbox)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Draws outlines for one view. Each line is simplified once and shared by its neighbors.
#[derive(Debug)]
pub struct Drawing<'d> {
    directory: &'d Directory,
    view: View,
    tolerance: f64,
    near: Near,
    lines: HashMap<u32, Rc<[Dot]>>,
}

impl<'d> Drawing<'d> {
    /// Makes an empty drawing.
    pub fn new(directory: &'d Directory, view: View) -> Drawing<'d> {
        let near = Near::within(TOLERANCE * NEAR, &view);
        Drawing { directory, view, tolerance: TOLERANCE, near, lines: HashMap::new() }
    }

    /// Returns an empty drawing with a tolerance that is `times` larger, for views with too many lines.
    pub fn coarser(self, times: f64) -> Drawing<'d> {
        let near = Near::within(TOLERANCE * times * NEAR, &self.view);
        Drawing { tolerance: TOLERANCE * times, near, ..Drawing::new(self.directory, self.view) }
    }

    /// Returns the view of the drawing.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Returns the outline of a jurisdiction as path data, to be filled by the even-odd rule. Empty if the outline
    /// lies outside of the view.
    pub fn outline(&mut self, row: Row) -> String {
        let mut data = String::new();
        for ring in self.directory.outline(row) {
            let dots = clipped(self.ring(&ring), self.view.width, self.view.height);
            push_ring(&mut data, &dots);
        }
        data
    }

    /// Returns a line as path data.
    pub fn line(&self, points: &[LonLat]) -> String {
        let dots: Vec<Dot> = points.iter().map(|point| self.dot(*point)).collect();
        let mut data = String::new();
        push_line(&mut data, &dots);
        data
    }

    /// Returns the position of a point, in whole units.
    pub fn dot(&self, point: LonLat) -> Dot {
        whole(self.view.place(point))
    }

    /// Returns the dots of a ring; the first is not repeated.
    fn ring(&mut self, arcs: &[ArcRef]) -> Vec<Dot> {
        let mut dots: Vec<Dot> = Vec::new();
        for arc in arcs {
            let line = self.simple_line(arc.arc);
            if arc.reversed {
                dots.extend(line.iter().rev().skip(1));
            } else {
                dots.extend(line.iter().skip(1));
            }
        }
        dots
    }

    fn simple_line(&mut self, number: u32) -> Rc<[Dot]> {
        let (directory, view, tolerance, near) = (self.directory, self.view, self.tolerance, self.near);
        let line = self.lines.entry(number).or_insert_with(|| {
            let vertices = near.sparse(directory.vertices_of_line(number));
            let places: Vec<_> = vertices.into_iter().map(|point| view.place(point)).collect();
            simplified(&places, tolerance).into_iter().map(whole).collect()
        });
        Rc::clone(line)
    }
}

/// The distance below which two vertices look the same, in units of longitude and latitude.
#[derive(Clone, Copy, Debug)]
struct Near {
    lon: u32,
    lat: u32,
}

impl Near {
    /// Converts a distance in units of the drawing. The result applies to the middle of the view.
    fn within(units: f64, view: &View) -> Near {
        let middle = (f64::from(view.width) / 2.0, f64::from(view.height) / 2.0);
        let shrunk = view.point_at(middle).map_or(1.0, |point| point.lat_degrees().to_radians().cos());
        let lat = units * view.meters_per_unit() / METERS_PER_DEGREE * f64::from(UNITS_PER_DEGREE);
        Near { lon: (lat / shrunk.max(0.1)) as u32, lat: lat as u32 }
    }

    /// Drops vertices that are this near to the last kept one. Keeps the ends of the line.
    fn sparse(self, mut line: Vec<LonLat>) -> Vec<LonLat> {
        let [first, .., last] = line[..] else { return line };
        line.pop();
        let mut before = first;
        line.retain(|vertex| {
            let is_far = vertex.lon().abs_diff(before.lon()) > self.lon
                || vertex.lat().abs_diff(before.lat()) > self.lat;
            if is_far {
                before = *vertex;
            }
            is_far
        });
        line.insert(0, first);
        line.push(last);
        line
    }
}

fn whole((x, y): (f64, f64)) -> Dot {
    (x.round() as i32, y.round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Extent;
    use platbook::testing;

    fn row(directory: &Directory, id: &str) -> Row {
        directory.found(&id.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_county_of_the_grid_is_a_rectangle() {
        let directory = testing::directory();
        let adams = row(&directory, "county:27001");
        let extent = Extent::of(directory.extent(adams).unwrap(), []);
        let mut drawing = Drawing::new(&directory, View::of(&extent, 1440));
        let data = drawing.outline(adams);
        assert!(data.starts_with('M') && data.ends_with('z') && data.matches('z').count() == 1, "{data}");
        let numbers = data.split(|c: char| !c.is_ascii_digit()).filter(|text| !text.is_empty()).count();
        assert!((8..=20).contains(&numbers), "four corners and the bend of parallels: {data}");
    }

    #[test]
    fn what_is_far_away_is_not_drawn() {
        let directory = testing::directory();
        let extent = Extent::around(testing::point(2.0, 2.0), 300.0);
        let mut drawing = Drawing::new(&directory, View::of(&extent, 1440));
        assert_eq!(drawing.outline(row(&directory, "county:55019")), "");
        assert_ne!(drawing.outline(row(&directory, "county:27001")), "");
    }

    #[test]
    fn vertices_near_the_one_before_are_left_out_but_never_the_ends() {
        let near = Near { lon: 10, lat: 5 };
        for (line, expected) in [
            (&[(0, 0), (10, 5), (11, 0), (20, 5), (30, 6)][..], &[(0, 0), (11, 0), (30, 6)][..]),
            (&[(0, 0), (4, 4), (8, 0), (0, 0)], &[(0, 0), (0, 0)]),
            (&[(0, 0), (1, 1)], &[(0, 0), (1, 1)]),
            (&[(7, 7)], &[(7, 7)]),
            (&[], &[]),
        ] {
            let line = line.iter().map(|(lon, lat)| LonLat::from_units(*lat, *lon)).collect();
            let kept: Vec<_> = near.sparse(line).iter().map(|vertex| (vertex.lon(), vertex.lat())).collect();
            assert_eq!(kept, expected);
        }
    }
}
