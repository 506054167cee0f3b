//! The service: the answers of the library `platbook`, given out over HTTP, as pages, to language models and on a command line.
//!
//! [`encode`] writes an answer as the JSON of the contract, [`text`] as plain text; [`http`], [`pages`], [`mcp`] and [`cli`] are
//! the doors. An [`edition`] is what they serve, [`upstream`] what they look up outside, [`shipping`] where fresh snapshots come
//! from. Modules stand in the order in which they are best read. ARCHITECTURE.md is the map.

use platbook::{Directory, SnapshotError};

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

pub mod http;

pub mod observe;

pub mod mcp;

pub mod maps;

pub mod pages;

pub mod cli;

/// Opens the snapshot that is built in, with the feature `embed`.
///
/// # Errors
/// [`SnapshotError::NotEmbedded`] when none is.
pub fn embedded() -> Result<Directory, SnapshotError> {
    shipping::built_in().map(Directory::new)
}

/// The examples of docs/library.md, compiled and run.
#[cfg(all(doctest, feature = "embed"))]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryGuide;
