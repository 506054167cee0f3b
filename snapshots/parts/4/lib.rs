//! Part 4 of 4 of the packed default snapshot: a registry takes crates of at most 10 MiB.

/// The last bytes of the zstd frame that begins in part 1.
pub static BYTES: &[u8] = include_bytes!("part.zst");
