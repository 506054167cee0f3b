//! Reads settings from a configuration file.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::de::DeserializeOwned;

use super::UsageError;
use platbook::files::regular_file;

/// Most bytes of a configuration file: a thousand times the example in docs/operate.md.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Reads a TOML file; without one, every setting is unset.
pub(super) fn from_file<T: DeserializeOwned + Default>(path: Option<&Path>) -> Result<T> {
    let Some(path) = path else { return Ok(T::default()) };
    let bytes = regular_file::read(path, FILE_BYTES_MAX);
    let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
    let parsed = toml::from_slice(&bytes);
    parsed.map_err(|error| UsageError(format!("{}: {error}", path.display())).into())
}
