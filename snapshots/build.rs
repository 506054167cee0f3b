//! Chooses the snapshot that is built into the binary. By default, it is the one that the packages in `parts/` carry
//! packed. PLATBOOK_EMBED names another by its path from the root of the repository; PLATBOOK_EMBED=none builds a
//! binary without one.
//!
//! In a checkout, the default snapshot is unpacked to `snapshots/default.platbook`, where tests and tools read it. A
//! newer file there, such as one that the pipeline made, is built in as it is.
//!
//! The code that verifies mapped files verifies every byte of the snapshot here, so the binary need not do so when it
//! starts.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use platbook_container as container;
use ruzstd::decoding::StreamingDecoder;

const PARTS: [&[u8]; 4] = [
    platbook_snapshot_1::BYTES,
    platbook_snapshot_2::BYTES,
    platbook_snapshot_3::BYTES,
    platbook_snapshot_4::BYTES,
];

fn main() {
    println!("cargo::rerun-if-env-changed=PLATBOOK_EMBED");
    println!("cargo::rerun-if-changed=build.rs");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let named = env::var("PLATBOOK_EMBED").ok().filter(|name| !name.is_empty());
    let code = match named.as_deref() {
        Some("none") => nothing(),
        Some(path) => embed(&package.join("..").join(path)),
        None => embed(&default_snapshot(&package, &out)),
    };
    fs::write(out.join("embedded.rs"), code).expect("OUT_DIR can be written");
}

/// Returns the code of a binary without a snapshot.
fn nothing() -> String {
    "pub(super) static SNAPSHOT: Option<&[u8]> = None;\n".to_owned()
}

/// Unpacks the default snapshot if it is missing or older than its parts.
fn default_snapshot(package: &Path, out: &Path) -> PathBuf {
    let changed = |path: PathBuf| path.metadata().and_then(|found| found.modified()).ok();
    let packed = (1..=PARTS.len())
        .filter_map(|number| changed(package.join(format!("parts/{number}/part.zst"))))
        .max();
    // A package of a registry has its parts elsewhere, and may write only to OUT_DIR.
    let file = if packed.is_some() { package } else { out }.join("default.platbook");
    if changed(file.clone()).is_none_or(|made| Some(made) < packed) {
        unpack(&file, packed.unwrap_or(UNIX_EPOCH))
            .unwrap_or_else(|problem| panic!("cannot unpack {}: {problem}", file.display()));
    }
    file
}

/// Unpacks the parts, and replaces the file in one step, since other builds may read it. Cargo would run this script
/// again for a file newer than the script's last run, so the file has the time of its parts.
fn unpack(file: &Path, packed: SystemTime) -> io::Result<()> {
    let parts = PARTS.concat();
    let mut unpacked = StreamingDecoder::new(parts.as_slice()).map_err(io::Error::other)?;
    let new = file.with_extension(format!("{}.tmp", std::process::id()));
    let mut written = fs::File::create(&new)?;
    io::copy(&mut unpacked, &mut written)?;
    written.set_modified(packed)?;
    fs::rename(new, file)
}

/// Returns code that includes the file, aligned for every archived type.
fn embed(path: &Path) -> String {
    println!("cargo::rerun-if-changed={}", path.display());
    if let Err(problem) = check(path) {
        panic!(
            "{} cannot be built into the binary: {problem}. Name another with PLATBOOK_EMBED=FILE, build without one \
             with PLATBOOK_EMBED=none, or make one: PLATBOOK_EMBED=none cargo run --release -p platbook-pipeline -- build --data DIR.",
            path.display()
        );
    }
    format!(
        "#[repr(C, align(64))]\nstruct Aligned<T: ?Sized>(T);\n\
         static ALIGNED: &Aligned<[u8]> = &Aligned(*include_bytes!({path:?}));\n\
         pub(super) static SNAPSHOT: Option<&[u8]> = Some(&ALIGNED.0);\n"
    )
}

/// Verifies header, section table and every section.
fn check(path: &Path) -> Result<(), container::SnapshotError> {
    let file = fs::read(path).map_err(|source| container::SnapshotError::Io {
        kind: &container::SNAPSHOT,
        path: path.to_owned(),
        source,
    })?;
    container::read(&file).map(|_| ())
}
