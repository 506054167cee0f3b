//! The share of a long test's steps that runs: a tenth by default, all with `PLATBOOK_SWEEP=1` (`make sweep`), a
//! multiple with a larger number.

/// Minimum number of steps, whatever the share. Chosen, not measured.
const STEPS_MIN: usize = 300;

/// Returns the number of steps to run of a sweep with `whole` steps.
pub(crate) fn steps(whole: usize) -> usize {
    let times = std::env::var("PLATBOOK_SWEEP").map_or(0.1, |times| {
        times.parse::<f64>().unwrap_or_else(|_| panic!("PLATBOOK_SWEEP is a number, not {times:?}"))
    });
    ((whole as f64 * times) as usize).max(whole.min(STEPS_MIN))
}
