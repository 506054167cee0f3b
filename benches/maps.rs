//! Time of a county's outline, and of the whole drawing of a county with its neighbors, towns and cities.
//!
//! Reads the built-in snapshot, or the file that PLATBOOK_BENCH_SNAPSHOT names. "First" is the first drawing of a
//! county, for which its lines are read from the snapshot. "Again" is the best of some further rounds. Prints the
//! names of the slowest counties.

use std::{hint::black_box, path::Path, time::Instant};

use platbook::{
    directory::{Directory, Row},
    snapshot::Snapshot,
    vocabulary::Layer,
};
use platbook_service::maps::{Drawing, Extent, View};

/// Width of a map on a page, in units of the drawing.
const WIDTH: i32 = 1440;
const ROUNDS: usize = 5;
const WORST: usize = 10;

fn main() {
    let snapshot = match std::env::var_os("PLATBOOK_BENCH_SNAPSHOT") {
        Some(path) => Snapshot::open(Path::new(&path)),
        None => platbook_service::shipping::built_in(),
    };
    let directory = Directory::new(snapshot.expect("a snapshot to measure"));
    println!("{:38} {:>8} {:>8} {:>8} {:>8}   ms", "every county", "mean", "median", "99 %", "worst");
    measure("its outline", &directory, |county| vec![county]);
    directory.warm_catalogue();
    measure("with what lies in it", &directory, |county| within(&directory, county));
    measure("with its neighbors, too", &directory, |county| {
        let mut rows = within(&directory, county);
        rows.extend(
            directory
                .extent(county)
                .map(|bbox| directory.rows_meeting(Layer::County, bbox))
                .unwrap_or_default(),
        );
        rows
    });
}

fn within(directory: &Directory, county: Row) -> Vec<Row> {
    let mut rows = directory.subdivisions_in(county);
    rows.extend(directory.places_in(county));
    rows.push(county);
    rows
}

fn measure(name: &str, directory: &Directory, rows: impl Fn(Row) -> Vec<Row>) {
    let mut first: Vec<(f64, Row)> = Vec::new();
    let mut again: Vec<(f64, Row)> = Vec::new();
    for county in directory.rows_of(Layer::County) {
        let Some(cold) = drawn_ms(directory, county, &rows) else { continue };
        let rounds = (0..ROUNDS).filter_map(|_| drawn_ms(directory, county, &rows));
        again.extend(rounds.min_by(f64::total_cmp).map(|best| (best, county)));
        first.push((cold, county));
    }
    report(&format!("{name}, first ({})", first.len()), directory, first);
    report(&format!("{name}, again"), directory, again);
}

/// Milliseconds from the county's number to its path data. This includes finding the extent of the map.
fn drawn_ms(directory: &Directory, county: Row, rows: &impl Fn(Row) -> Vec<Row>) -> Option<f64> {
    let start = Instant::now();
    let bbox = directory.extent(county)?;
    let is_wide = bbox.max.lon_degrees() - bbox.min.lon_degrees() > 180.0;
    let vertices = is_wide.then(|| directory.rings(county).into_iter().flatten());
    let extent = Extent::of(bbox, vertices.into_iter().flatten());
    let mut drawing = Drawing::new(directory, View::of(&extent, WIDTH));
    for row in rows(county) {
        black_box(drawing.outline(row));
    }
    Some(start.elapsed().as_secs_f64() * 1e3)
}

fn report(name: &str, directory: &Directory, mut times: Vec<(f64, Row)>) {
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    let mean = times.iter().map(|(ms, _)| ms).sum::<f64>() / times.len() as f64;
    println!("{name:38} {mean:8.3} {:8.3} {:8.3} {:8.3}", at(0.5), at(0.99), at(1.0));
    let worst = times.iter().rev().take(WORST);
    let worst: Vec<String> = worst.map(|(ms, row)| format!("{} {ms:.2}", directory.id_of(*row))).collect();
    println!("    {}", worst.join(", "));
}
