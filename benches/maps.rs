//! Time of a county's outline, and of the whole drawing of a county with its neighbors, towns and cities.
//!
//! Reads the built-in snapshot, or the file that PLATBOOK_BENCH_SNAPSHOT names.

use std::{hint::black_box, path::Path, time::Instant};

use platbook::{
    directory::{Directory, Row},
    maps::{Drawing, Extent, View},
    snapshot::Snapshot,
    vocabulary::Layer,
};

/// Units that a map of a page is wide.
const WIDTH: i32 = 1440;
const ROUNDS: usize = 5;

fn main() {
    let snapshot = match std::env::var_os("PLATBOOK_BENCH_SNAPSHOT") {
        Some(path) => Snapshot::open(Path::new(&path)),
        None => Snapshot::embedded(),
    };
    let directory = Directory::new(snapshot.expect("a snapshot to measure"));
    directory.warm_catalogue();
    println!("{:30} {:>8} {:>8} {:>8} {:>8}", "every county", "median", "99 of 100", "worst", "ms");
    measure("its outline", &directory, |county| vec![county]);
    measure("with what lies in it", &directory, |county| {
        let mut rows = directory.subdivisions_in(county);
        rows.extend(directory.places_in(county));
        rows.push(county);
        rows
    });
    measure("with its neighbors, too", &directory, |county| {
        let mut rows = directory.subdivisions_in(county);
        rows.extend(directory.places_in(county));
        rows.extend(
            directory
                .extent(county)
                .map(|bbox| directory.rows_meeting(Layer::County, bbox))
                .unwrap_or_default(),
        );
        rows
    });
}

/// The best of some rounds for each county.
fn measure(name: &str, directory: &Directory, rows: impl Fn(Row) -> Vec<Row>) {
    let counties = directory.rows_of(Layer::County);
    let mut times: Vec<f64> = counties.filter_map(|county| best_ms(directory, county, &rows)).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{name:30} {:8.3} {:8.3} {:8.3}", at(0.5), at(0.99), at(1.0));
}

fn best_ms(directory: &Directory, county: Row, rows: &impl Fn(Row) -> Vec<Row>) -> Option<f64> {
    let extent = Extent::of(directory.extent(county)?, directory.rings(county).into_iter().flatten());
    let round = |_| {
        let start = Instant::now();
        let mut drawing = Drawing::new(directory, View::of(&extent, WIDTH));
        for row in rows(county) {
            black_box(drawing.outline(row));
        }
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..ROUNDS).map(round).min_by(f64::total_cmp)
}
