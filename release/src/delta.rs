//! Deltas between two snapshots: zstd with the old snapshot as dictionary, as RFC 9842 defines the content coding `dcz`.
//!
//! Between snapshots of two days, such a delta has a tenth of the bytes of the packed snapshot.

use std::io::{self, BufReader, Read, Write};

use super::{
    copy::{CopyFault, copy},
    digest::{Digesting, Sha256},
};

/// The first bytes of a delta: the head of a zstd frame that decoders skip. The frame has the 32 bytes of the
/// dictionary's digest (RFC 9842, section 5).
const MAGIC: [u8; 8] = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0];

/// Level of zstd. For two snapshots half a day apart, level 19 leaves 2.8 MB and level 3 leaves 14 MB.
const LEVEL: i32 = 19;

/// Bounds of the window, as powers of two. zstd has no smaller window; decoders of RFC 9842 accept no larger one.
const WINDOW_LOG: std::ops::RangeInclusive<u32> = 10..=27;

/// The reason why a delta was not applied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeltaFault {
    /// The file does not begin as a delta does.
    #[error("expected a delta of the form dcz, got something else")]
    NotADelta,
    /// The delta starts from another snapshot.
    #[error("expected a delta from the snapshot with SHA-256 {got}, got one from {expected}")]
    OtherBase {
        /// The digest in the delta.
        expected: Sha256,
        /// The digest of the snapshot that was given.
        got: Sha256,
    },
    /// The delta is damaged or cut short.
    #[error("the delta is damaged or cut short: {0}")]
    Damaged(io::Error),
    /// The result is longer than the release states.
    #[error("expected a result of {expected} bytes, got more")]
    TooLong {
        /// The length that the release states.
        expected: u64,
    },
    /// The result is another file than the release states.
    #[error("expected a result with SHA-256 {expected}, got {got}")]
    OtherResult {
        /// The digest that the release states.
        expected: Sha256,
        /// The digest of the result.
        got: Sha256,
    },
    /// The result could not be written.
    #[error("cannot write the result: {0}")]
    Write(io::Error),
}

/// Writes the delta that leads from `old` to `new`.
///
/// # Errors
/// If `out` fails.
pub fn make(old: &[u8], new: &[u8], mut out: impl Write) -> io::Result<()> {
    out.write_all(&MAGIC)?;
    out.write_all(Sha256::of(old).as_bytes())?;
    let mut encoder = zstd::Encoder::with_ref_prefix(out, LEVEL, old)?;
    // A window that spans both files reaches each byte of the old file from each byte of the new one.
    let longer = old.len().max(new.len()) as u64;
    encoder.window_log((u64::BITS - longer.leading_zeros()).clamp(*WINDOW_LOG.start(), *WINDOW_LOG.end()))?;
    encoder.long_distance_matching(true)?;
    encoder.set_pledged_src_size(Some(new.len() as u64))?;
    encoder.write_all(new)?;
    encoder.finish()?.flush()
}

/// Writes the snapshot to which a delta leads from `old`. It must have `bytes` bytes and the digest `expected`.
///
/// # Errors
/// If the delta is damaged, starts or ends at another snapshot, or `out` fails. `out` then has a part of the result.
pub fn apply(
    old: &[u8],
    mut delta: impl Read,
    (bytes, expected): (u64, Sha256),
    out: impl Write,
) -> Result<(), DeltaFault> {
    let mut head = [0; MAGIC.len() + 32];
    delta.read_exact(&mut head).map_err(|_| DeltaFault::NotADelta)?;
    let (magic, base) = head.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(DeltaFault::NotADelta);
    }
    let (base, got) = (Sha256::from_bytes(base.try_into().expect("32 bytes are left")), Sha256::of(old));
    if base != got {
        return Err(DeltaFault::OtherBase { expected: base, got });
    }
    let mut decoder =
        zstd::Decoder::with_ref_prefix(BufReader::new(delta), old).map_err(DeltaFault::Damaged)?;
    decoder.window_log_max(*WINDOW_LOG.end()).map_err(DeltaFault::Damaged)?;
    let mut out = Digesting::new(out);
    copy(&mut decoder.take(bytes + 1), &mut out).map_err(|fault| match fault {
        CopyFault::Read(error) => DeltaFault::Damaged(error),
        CopyFault::Write(error) => DeltaFault::Write(error),
    })?;
    if out.bytes > bytes {
        return Err(DeltaFault::TooLong { expected: bytes });
    }
    let got = out.finish();
    if got == expected { Ok(()) } else { Err(DeltaFault::OtherResult { expected, got }) }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn made(old: &[u8], new: &[u8]) -> Vec<u8> {
        let mut delta = Vec::new();
        make(old, new, &mut delta).unwrap();
        delta
    }

    fn applied(old: &[u8], delta: &[u8], new: &[u8]) -> Result<Vec<u8>, DeltaFault> {
        let mut result = Vec::new();
        apply(old, delta, (new.len() as u64, Sha256::of(new)), &mut result).map(|()| result)
    }

    /// Random bytes, which do not shrink, and a copy with a few bytes changed.
    fn pair() -> (Vec<u8>, Vec<u8>) {
        let mut random = fastrand::Rng::with_seed(38);
        let old: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(200_000).collect();
        let mut new = old.clone();
        new.rotate_left(70_000);
        new.splice(1_000..1_010, [0; 500]);
        (old, new)
    }

    #[test]
    fn a_delta_holds_only_what_is_new() {
        let (old, new) = pair();
        let delta = made(&old, &new);
        assert!(delta.len() < 1_000, "{} bytes", delta.len());
        assert_eq!(applied(&old, &delta, &new).unwrap(), new);
    }

    #[test]
    fn no_damaged_or_foreign_delta_is_taken() {
        let (old, new) = pair();
        let delta = made(&old, &new);
        let mut random = fastrand::Rng::with_seed(9842);
        for round in 0..1_000 {
            let mut damaged = delta.clone();
            let at = random.usize(..damaged.len());
            match round % 3 {
                0 => damaged[at] ^= random.u8(1..),
                1 => damaged.truncate(at),
                _ => damaged.splice(at..at, [random.u8(..)]).for_each(drop),
            }
            let result = applied(&old, &damaged, &new);
            // Decoders ignore some bits, such as reserved ones. So a damaged delta may still give a result, but then
            // it is the right file.
            assert!(result.as_ref().map_or(true, |result| *result == new), "round {round}");
        }
        for (old, delta, new, expected) in [
            (&new, &delta, &new, "expected a delta from the snapshot with SHA-256"),
            (&old, &delta, &old, "expected a result of 200000 bytes, got more"),
            (&old, &made(&old, &old), &new, "expected a result with SHA-256"),
            (&old, &new, &new, "expected a delta of the form dcz"),
            (&old, &Vec::new(), &new, "expected a delta of the form dcz"),
        ] {
            let said = applied(old, delta, new).unwrap_err().to_string();
            assert!(said.starts_with(expected), "expected {expected:?}, got {said:?}");
        }
    }

    proptest! {
        #[test]
        fn a_delta_leads_from_each_file_to_each_other(
            old in vec(any::<u8>(), 0..3_000),
            new in vec(any::<u8>(), 0..3_000),
        ) {
            prop_assert_eq!(applied(&old, &made(&old, &new), &new).unwrap(), new);
        }
    }
}
