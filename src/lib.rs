//! platbook: which US governments cover a point, and which office does each property job there.
//!
//! One way for the data: a `snapshot` (one immutable, checked, memory-mapped file) is asked through
//! `directory` (pure questions); `answers` turns outcomes into `wire` shapes; `http` and `cli` are doors to
//! the same answers. ARCHITECTURE.md is the map.

pub mod answers;
pub mod cli;
pub mod directory;
pub mod edition;
pub mod encode;
pub mod geometry;
pub mod http;
pub mod keys;
pub mod openapi;
pub mod operations;
pub mod reference;
pub mod rules;
pub mod snapshot;
pub mod text;
pub mod upstream;
pub mod vocabulary;
pub mod wire;
