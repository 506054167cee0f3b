//! The reasons why a snapshot or a layer file cannot be written.

use super::SnapshotError;
use crate::{
    geometry::LonLat,
    vocabulary::{JurisdictionId, StateCode},
};

/// The error of another library that caused this one.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a snapshot cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Two records have the same id.
    #[error("expected each id once, but {id} occurs twice; remove one of its records")]
    DuplicateId {
        /// The id that occurs twice.
        id: JurisdictionId,
    },
    /// A record refers to an id that no record has.
    #[error("{of} names {id}, which does not exist; add {id} or remove the reference")]
    UnknownId {
        /// The record that refers to the unknown id.
        of: JurisdictionId,
        /// The id that no record has.
        id: JurisdictionId,
    },
    /// Two files hold the rules of one state.
    #[error("expected one file of rules for a state, but {state} has two; remove one")]
    DuplicateState {
        /// The state that has two files.
        state: StateCode,
    },
    /// A text does not fit in its heap.
    #[error("expected a text of at most {limit} bytes, got {got}; shorten {start:?}...")]
    LongText {
        /// Maximum length of a text in this heap, in bytes.
        limit: usize,
        /// Length of the text, in bytes.
        got: usize,
        /// The first 80 characters of the text.
        start: String,
    },
    /// An edge is longer than any real border.
    #[error(
        "expected edges shorter than 26 degrees, got one from {from} to {to}; divide it, or correct its coordinates"
    )]
    LongEdge {
        /// One end of the edge.
        from: LonLat,
        /// The other end of the edge.
        to: LonLat,
    },
    /// A section cannot be encoded: it is larger than 2 GiB, or the encoder has a defect.
    #[error("the section {section} cannot be written: {cause}")]
    Section {
        /// Name of the section.
        section: &'static str,
        /// The error that the encoder returned.
        cause: Cause,
    },
    /// The snapshot was written, but the reader rejects it. This is a defect of the writer.
    #[error("the snapshot just built cannot be read: {0}")]
    Unreadable(#[from] SnapshotError),
}

impl WriteError {
    pub(super) fn section(section: &'static str, cause: impl Into<Cause>) -> WriteError {
        WriteError::Section { section, cause: cause.into() }
    }
}
