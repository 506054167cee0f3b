//! Chooses the snapshot that is built into the binary: `snapshots/default.platbook`, or the file that PLATBOOK_EMBED
//! names by its path from the root of the repository. PLATBOOK_EMBED=none builds a binary without a snapshot.
//!
//! The code that verifies mapped files verifies every byte of it here, so the binary need not do so when it starts.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use platbook_container as container;

fn main() {
    println!("cargo::rerun-if-env-changed=PLATBOOK_EMBED");
    println!("cargo::rerun-if-changed=build.rs");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("embedded.rs");
    let named = env::var("PLATBOOK_EMBED").ok().filter(|name| !name.is_empty());
    let code = match named.as_deref() {
        Some("none") => nothing(),
        Some(path) => embed(&package.join("..").join(path)),
        None => embed(&package.join("default.platbook")),
    };
    fs::write(&out, code).expect("OUT_DIR can be written");
}

/// Code of a binary without a snapshot.
fn nothing() -> String {
    "pub(super) static SNAPSHOT: Option<&[u8]> = None;\n".to_owned()
}

/// Code that includes the file, aligned for every archived type.
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
