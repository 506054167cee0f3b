//! Settings from a configuration file.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use serde::de::DeserializeOwned;

use super::UsageError;

/// Reads a TOML file; without one, every setting is unset.
pub(super) fn from_file<T: DeserializeOwned + Default>(path: Option<&Path>) -> Result<T> {
    let Some(path) = path else { return Ok(T::default()) };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parsed = toml::from_str(&text);
    parsed.map_err(|error| UsageError(format!("{}: {error}", path.display())).into())
}
