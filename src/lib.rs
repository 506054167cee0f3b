//! The service: the answers of the library `platbook` over HTTP, as pages, to language models and on the command line.
//!
//! [`encode`] writes an answer as the JSON of the contract, and [`text`] as plain text. [`http`], [`pages`], [`mcp`]
//! and [`cli`] are the interfaces, called doors. They serve an [`edition`]. [`upstream`] makes outside lookups, and
//! [`shipping`] fetches fresh snapshots. Modules are listed in reading order. ARCHITECTURE.md is the map.

use platbook::{Directory, SnapshotError};

mod system;

pub mod wire;

pub mod counts;

pub mod encode;

pub mod text;

pub mod edition;

pub mod shipping;

pub mod upstream;

pub mod operations;

pub mod openapi;

pub mod keys;

#[cfg(feature = "tls")]
pub mod tls;

pub mod http;

pub mod observe;

pub mod mcp;

pub mod maps;

pub mod pages;

pub mod cli;

/// Opens the built-in snapshot (feature `embed`).
///
/// # Errors
/// [`SnapshotError::NotEmbedded`] without the feature.
pub fn embedded() -> Result<Directory, SnapshotError> {
    shipping::built_in().map(Directory::new)
}

/// The examples of docs/library.md, compiled and run.
#[cfg(all(doctest, feature = "embed"))]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryGuide;
