//! How far tests walk: a tenth by default, all of it with `PLATBOOK_SWEEP=1` (`make sweep`), a multiple with a larger number.

/// Fewer steps than these would find too little, whatever the share.
const STEPS_MIN: usize = 300;

/// The steps to take of a walk that has this many when it is whole.
pub(crate) fn steps(whole: usize) -> usize {
    let times = std::env::var("PLATBOOK_SWEEP").map_or(0.1, |times| {
        times.parse::<f64>().unwrap_or_else(|_| panic!("PLATBOOK_SWEEP is a number, not {times:?}"))
    });
    ((whole as f64 * times) as usize).max(whole.min(STEPS_MIN))
}
