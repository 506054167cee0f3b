//! `platbook bench`: measures how long answers take on this machine, and prints the result in one line that can be
//! cited.

use std::{
    fmt, fs,
    num::NonZero,
    process::ExitCode,
    thread::{self, available_parallelism},
    time::{Duration, Instant},
};

use anyhow::Result;
use fastrand::Rng;

use super::{SnapshotArgs, number, open_directory, print};
use crate::edition::Edition;
use platbook::{
    answers::{Plan, Request},
    directory::BLOCK_POINTS,
    geometry::LonLat,
    words::day,
};

/// Corners of the box of random points in degrees, south-west first: the conterminous states.
const BOX: [(f64, f64); 2] = [(24.5, -124.8), (49.4, -66.9)];

/// Number of points in the first pass, which meets empty caches. Further points would find cached data.
const COLD_POINTS: usize = 5_000;

/// Seed of the random points, so that every machine resolves the same points.
const SEED: u64 = 1;

/// The site address in answers, as long as a usual one.
const SITE: &str = "https://platbook.example";

#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    snapshot: SnapshotArgs,
    /// Random points on land to answer
    #[arg(long, value_name = "N", default_value = "100000", value_parser = number::from_one::<NonZero<usize>>)]
    points: NonZero<usize>,
    /// Threads that answer at once [default: one per processor]
    #[arg(long, value_name = "N", value_parser = number::from_one::<NonZero<usize>>)]
    threads: Option<NonZero<usize>>,
}

/// Measures whole JSON answers as a server makes them, but without a network. Then measures points in bulk, as files
/// have them.
pub(super) fn bench(args: &BenchArgs) -> Result<ExitCode> {
    // Opening the snapshot verifies the file and so reads its pages into memory. The caches of the processor and of
    // answers are empty.
    let edition = Edition::new(open_directory(args.snapshot.snapshot.as_deref())?, SITE);
    let threads = args.threads.or(available_parallelism().ok()).map_or(1, NonZero::get);
    let mut candidates = random_points();
    let mut points = Vec::with_capacity(args.points.get());
    let mut cold = Latencies::default();
    while points.len() < args.points.get() {
        let Some(point) = candidates.next() else { break };
        let start = Instant::now();
        if answer(&edition, point) > 0 {
            if points.len() < COLD_POINTS {
                cold.0.push(start.elapsed());
            }
            points.push(point);
        }
    }
    let warm = Latencies(points.iter().map(|point| timed(|| answer(&edition, *point))).collect());
    let all = timed(|| {
        thread::scope(|scope| {
            for part in points.chunks(points.len().div_ceil(threads)) {
                scope.spawn(|| part.iter().map(|point| answer(&edition, *point)).sum::<usize>());
            }
        });
    });
    let directory = edition.answers().directory();
    directory.warm();
    let bulk = timed(|| points.chunks(BLOCK_POINTS).for_each(|block| directory.resolve_each(block, |_| {})));
    let per_second = |time: Duration| points.len() as f64 / time.as_secs_f64();
    let id: String = directory.snapshot_id().chars().take(12).collect();
    let (program, count) = (env!("CARGO_PKG_VERSION"), points.len());
    let built = day(directory.as_of());
    print(&format!(
        "platbook {program}, snapshot {id} of {built}, {}, {count} random points: an answer takes p50 / p99 / p99.9 {warm} \
         (cold {cold}); {threads} threads give {:.0} answers/s; one thread resolves {:.2} M points/s in bulk\n",
        processor(),
        per_second(all),
        per_second(bulk) / 1e6,
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns an endless sequence of random points in the box, the same in each run.
fn random_points() -> impl Iterator<Item = LonLat> {
    let mut random = Rng::with_seed(SEED);
    let [(south, west), (north, east)] = BOX;
    std::iter::from_fn(move || {
        let lat = south + (north - south) * random.f64();
        let lon = west + (east - west) * random.f64();
        LonLat::from_lat_lon(lat, lon).ok()
    })
}

/// Makes the answer for a point and returns its size in bytes; 0 for a point in no state.
fn answer(edition: &Edition, point: LonLat) -> usize {
    match edition.answers().plan(&Request::Resolve { point }) {
        Plan::Done(Ok(answer)) => edition.encode(&answer).fill("0123456789abcdef").len(),
        Plan::Done(Err(_)) | Plan::Needs(_) => 0,
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

/// The times that single answers took.
#[derive(Default)]
struct Latencies(Vec<Duration>);

impl fmt::Display for Latencies {
    /// Writes percentiles in microseconds.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.0.clone();
        times.sort_unstable();
        let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
        let [half, most, nearly_all] = [0.5, 0.99, 0.999].map(|share| at(share).as_secs_f64() * 1e6);
        write!(out, "{half:.1} / {most:.1} / {nearly_all:.1} µs")
    }
}

/// Returns the name of the processor.
fn processor() -> String {
    let listed = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = listed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
