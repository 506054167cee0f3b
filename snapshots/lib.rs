//! The snapshot that is built into the binary, as bytes.
//!
//! A package of its own: 59 MB are compiled once, and not again with each change of the service or for each of its tests.

/// The file that `build.rs` chose, verified and aligned for every archived type. `None` with `PLATBOOK_EMBED=none`.
pub static SNAPSHOT: Option<&[u8]> = chosen::SNAPSHOT;

mod chosen {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}
