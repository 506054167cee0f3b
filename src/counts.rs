//! Counters for metrics: cheap to increment from many threads, summed when they are read.
//!
//! All counters are relaxed atomics. A value may be a moment old, and values that are read together may disagree.

use std::{
    array,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::Duration,
};

/// Number of copies of the counters that every request increments, so that threads seldom contend for a cache line.
/// Chosen, not measured.
const SHARDS: usize = 8;

/// Upper bounds of histogram buckets in nanoseconds. Answers from the snapshot take some ten microseconds, and
/// lookups take seconds. A last bucket holds longer times.
const BOUNDS_NS: [u64; 18] = {
    const US: u64 = 1_000;
    const MS: u64 = 1_000_000;
    [
        10 * US,
        25 * US,
        50 * US,
        100 * US,
        250 * US,
        500 * US,
        MS,
        5 * MS / 2,
        5 * MS,
        10 * MS,
        25 * MS,
        50 * MS,
        100 * MS,
        250 * MS,
        500 * MS,
        1_000 * MS,
        5_000 * MS,
        10_000 * MS,
    ]
};

const CLASSES: usize = BOUNDS_NS.len() + 1;

/// A counter or gauge.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// Adds one to the count.
    pub fn one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Subtracts one from a gauge.
    pub fn one_less(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the value, for a gauge that is measured repeatedly.
    pub fn set(&self, figure: u64) {
        self.0.store(figure, Ordering::Relaxed);
    }
}

/// Counts durations by histogram bucket.
#[derive(Debug, Default)]
pub struct Durations {
    classes: [Count; CLASSES],
    sum_ns: AtomicU64,
}

/// The counts of [`Durations`] at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// The upper bound of each bucket in seconds, with the bucket's count. The last bucket has no bound.
    pub classes: Vec<(f64, u64)>,
    /// Sum of all durations in seconds.
    pub sum_s: f64,
    /// Number of all durations.
    pub count: u64,
}

impl Durations {
    /// Adds one duration to its bucket.
    pub fn add(&self, took: Duration) {
        let took_ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let class = BOUNDS_NS.iter().position(|bound| took_ns <= *bound).unwrap_or(CLASSES - 1);
        self.classes[class].one();
        self.sum_ns.fetch_add(took_ns, Ordering::Relaxed);
    }

    /// Returns the current counts.
    pub fn read(&self) -> Histogram {
        Durations::sum([self])
    }

    /// Returns the sums of the counts of several histograms.
    pub fn sum<'a>(all: impl IntoIterator<Item = &'a Durations> + Clone) -> Histogram {
        let count_of = |class: usize| all.clone().into_iter().map(|one| one.classes[class].get()).sum();
        let bounds = BOUNDS_NS.iter().map(|bound| *bound as f64 / 1e9).chain([f64::INFINITY]);
        let classes: Vec<(f64, u64)> =
            bounds.enumerate().map(|(class, bound)| (bound, count_of(class))).collect();
        let sum_ns: u64 = all.into_iter().map(|one| one.sum_ns.load(Ordering::Relaxed)).sum();
        let count = classes.iter().map(|(_, count)| count).sum();
        Histogram { classes, sum_s: sum_ns as f64 / 1e9, count }
    }
}

/// Several copies of the same counters, one for each group of threads.
#[derive(Debug)]
pub struct Sharded<T>([Shard<T>; SHARDS]);

/// A copy of the counters that shares no cache line with another.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Shard<T>(T);

impl<T: Default> Default for Sharded<T> {
    fn default() -> Sharded<T> {
        Sharded(array::from_fn(|_| Shard::default()))
    }
}

impl<T> Sharded<T> {
    /// Returns the copy that this thread increments.
    pub fn own(&self) -> &T {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static SHARD: usize = THREADS.fetch_add(1, Ordering::Relaxed) % SHARDS);
        &self.0[SHARD.with(|shard| *shard)].0
    }

    /// Returns all copies, to sum them.
    pub fn all(&self) -> impl Iterator<Item = &T> + Clone {
        self.0.iter().map(|shard| &shard.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_fall_into_their_classes() {
        for (took_us, class) in
            [(0, 0), (10, 0), (11, 1), (25, 1), (1_000, 6), (2_500, 7), (10_000_000, 17), (10_000_001, 18)]
        {
            let durations = Durations::default();
            durations.add(Duration::from_micros(took_us));
            let read = durations.read();
            let found = read.classes.iter().position(|(_, count)| *count == 1);
            assert_eq!((found, read.count), (Some(class), 1), "{took_us} us");
            assert!((read.sum_s - took_us as f64 / 1e6).abs() < 1e-9, "{took_us} us");
        }
    }

    #[test]
    fn what_threads_add_is_summed() {
        let counts: Sharded<Count> = Sharded::default();
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| (0..1000).for_each(|_| counts.own().one()));
            }
        });
        assert_eq!(counts.all().map(Count::get).sum::<u64>(), 20_000);
    }
}
