//! Part 1 of 4 of the packed default snapshot: a registry takes crates of at most 10 MiB.

/// Bytes of a zstd frame that goes on in the next part.
pub static BYTES: &[u8] = include_bytes!("part.zst");
