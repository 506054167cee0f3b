//! Why a snapshot or a layer file cannot be written.

use super::SnapshotError;
use crate::{
    geometry::LonLat,
    vocabulary::{JurisdictionId, StateCode},
};

/// The cause of an error that another library reports.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a snapshot cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Two records have one id.
    #[error("expected each id once, but {id} stands twice; leave one of its records out")]
    DuplicateId {
        /// The id.
        id: JurisdictionId,
    },
    /// A record points to an id that no record has.
    #[error("{of} names {id}, which is not there; add {id} or take its name out")]
    UnknownId {
        /// The record.
        of: JurisdictionId,
        /// The id that it names.
        id: JurisdictionId,
    },
    /// Two files hold rules of one state.
    #[error("expected one file of rules for a state, but {state} has two; leave one out")]
    DuplicateState {
        /// The state.
        state: StateCode,
    },
    /// A text does not fit in its heap.
    #[error("expected a text of at most {limit} bytes, got {got}; shorten {start:?}...")]
    LongText {
        /// Bytes that fit.
        limit: usize,
        /// Bytes that came.
        got: usize,
        /// The text, cut to 80 characters.
        start: String,
    },
    /// An edge that no real border has.
    #[error(
        "expected edges shorter than 26 degrees, got one from {from} to {to}; cut it, or mend its coordinates"
    )]
    LongEdge {
        /// One end.
        from: LonLat,
        /// The other end.
        to: LonLat,
    },
    /// A section cannot be encoded: it is larger than 2 GiB, or the encoder has a defect.
    #[error("the section {section} cannot be written: {cause}")]
    Section {
        /// Its name.
        section: &'static str,
        /// What the encoder says.
        cause: Cause,
    },
    /// The reader refuses what was written: a defect of the writer.
    #[error("the snapshot just built cannot be read: {0}")]
    Unreadable(#[from] SnapshotError),
}

impl WriteError {
    pub(super) fn section(section: &'static str, cause: impl Into<Cause>) -> WriteError {
        WriteError::Section { section, cause: cause.into() }
    }
}
