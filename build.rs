//! Bakes a snapshot into the binary: `snapshots/default.platbook`, or the file that PLATBOOK_EMBED names.
//! PLATBOOK_EMBED=none builds a binary without one.

use std::{env, fs, path::PathBuf};

/// Must equal `FORMAT_VERSION` in `src/snapshot/container.rs`; a test compares them.
const FORMAT_VERSION: u32 = 3;

fn main() {
    println!("cargo::rerun-if-env-changed=PLATBOOK_EMBED");
    println!("cargo::rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("embedded.rs");
    let named = env::var("PLATBOOK_EMBED").ok().filter(|name| !name.is_empty());
    let code = match named.as_deref() {
        Some("none") => "pub(super) static SNAPSHOT: Option<&[u8]> = None;\n".to_owned(),
        Some(path) => embed(&root.join(path)),
        None => embed(&root.join("snapshots/default.platbook")),
    };
    fs::write(&out, code).expect("OUT_DIR can be written");
}

/// Code that includes the file at an address that suits every archived type.
fn embed(path: &PathBuf) -> String {
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

/// The cheap checks: the binary itself verifies every byte when it starts.
fn check(path: &PathBuf) -> Result<(), String> {
    let file = fs::read(path).map_err(|error| error.to_string())?;
    let header = file.get(..24).ok_or("expected a header of 24 bytes or more")?;
    if &header[..8] != b"platbook" {
        return Err("expected a platbook snapshot, got another kind of file".to_owned());
    }
    let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
    if version != FORMAT_VERSION {
        return Err(format!("expected snapshot format {FORMAT_VERSION}, got {version}"));
    }
    let length = u64::from_le_bytes(std::array::from_fn(|at| header[16 + at]));
    if length != file.len() as u64 {
        return Err(format!("expected {length} bytes as its header says, got {}", file.len()));
    }
    Ok(())
}
