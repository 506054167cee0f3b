//! Makes nearly valid bytes, for tests without a fuzzer.

use crate::sweep::steps;

/// Calls `run` with mutations of the seeds. Every test run makes the same mutations. A full sweep makes `count` of
/// them.
pub(crate) fn slips(seeds: &[&[u8]], pieces: &[&str], count: usize, run: impl Fn(&[u8])) {
    let mut random = fastrand::Rng::with_seed(4711);
    for number in 0..steps(count) {
        run(&mutated(seeds[number % seeds.len()], pieces, &mut random));
    }
}

fn mutated(seed: &[u8], pieces: &[&str], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(..5) {
        let at = random.usize(..=bytes.len());
        match random.u8(..6) {
            0 if at < bytes.len() => bytes[at] = random.u8(..),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => {
                let tail = bytes[at..(at + 64).min(bytes.len())].to_vec();
                bytes.splice(at..at, tail);
            }
            4 if at < bytes.len() => bytes[at] ^= 1 << random.u8(..8),
            _ => drop(bytes.splice(at..at, pieces[random.usize(..pieces.len())].bytes())),
        }
    }
    bytes
}
