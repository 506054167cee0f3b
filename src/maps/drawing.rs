//! Outlines as SVG path data, for one view.

use std::{collections::HashMap, rc::Rc};

use super::{
    clip::{Dot, clipped},
    path::{push_line, push_ring},
    simplify::simplified,
    view::{UNITS_PER_PIXEL, View},
};
use crate::{
    directory::{ArcRef, Directory, Row},
    geometry::LonLat,
};

/// How far a simplified line may lie from the true one, in units: less than a pixel.
const TOLERANCE: f64 = 0.6 * UNITS_PER_PIXEL as f64;

/// Outlines for one view. Each line is made simple once, whoever shares it.
#[derive(Debug)]
pub struct Drawing<'d> {
    directory: &'d Directory,
    view: View,
    tolerance: f64,
    lines: HashMap<u32, Rc<[Dot]>>,
}

impl<'d> Drawing<'d> {
    /// An empty drawing.
    pub fn new(directory: &'d Directory, view: View) -> Drawing<'d> {
        Drawing { directory, view, tolerance: TOLERANCE, lines: HashMap::new() }
    }

    /// An empty drawing whose lines may be off by so many times more than nobody would see, where there are too many.
    pub fn coarser(self, times: f64) -> Drawing<'d> {
        Drawing { tolerance: TOLERANCE * times, ..Drawing::new(self.directory, self.view) }
    }

    /// The view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The outline of a jurisdiction as path data, to be filled by even-odd; empty where nothing of it is seen.
    pub fn outline(&mut self, row: Row) -> String {
        let mut data = String::new();
        for ring in self.directory.outline(row) {
            let dots = clipped(self.ring(&ring), self.view.width, self.view.height);
            push_ring(&mut data, &dots);
        }
        data
    }

    /// A line as path data.
    pub fn line(&self, points: &[LonLat]) -> String {
        let dots: Vec<Dot> = points.iter().map(|point| self.dot(*point)).collect();
        let mut data = String::new();
        push_line(&mut data, &dots);
        data
    }

    /// Where a point lies, in whole units.
    pub fn dot(&self, point: LonLat) -> Dot {
        whole(self.view.place(point))
    }

    /// The dots of a ring, the first not repeated.
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
        let (directory, view, tolerance) = (self.directory, self.view, self.tolerance);
        let line = self.lines.entry(number).or_insert_with(|| {
            let places: Vec<_> =
                directory.vertices_of_line(number).into_iter().map(|point| view.place(point)).collect();
            simplified(&places, tolerance).into_iter().map(whole).collect()
        });
        Rc::clone(line)
    }
}

fn whole((x, y): (f64, f64)) -> Dot {
    (x.round() as i32, y.round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{maps::Extent, testing};

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
}
