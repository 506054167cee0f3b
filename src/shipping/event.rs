//! Events in the life of the served snapshot, and their texts for the log.

use std::{fmt, path::PathBuf};

use platbook::directory::Directory;

use super::Refusal;

/// A change of the served snapshot, or the result of a check for a newer one.
#[derive(Debug)]
pub enum Event {
    /// Another snapshot is served.
    Serving {
        /// The date of the snapshot, RFC 3339.
        as_of: String,
        /// The id of the snapshot.
        id: String,
        /// Whether an operator rolled back to this snapshot.
        is_back: bool,
    },
    /// The served snapshot stays, for this reason.
    Stays(Refusal),
    /// There is still no snapshot to serve, for this reason.
    Waits(Refusal),
    /// The previous snapshot is served again, but the folder could not be updated: the next process may start with
    /// the other snapshot.
    NotNoted(Refusal),
    /// The source has no other snapshot.
    NothingNew {
        /// Whether an operator requested the check.
        is_asked: bool,
        /// Why an earlier check refused the source's file; `None` if that file is served.
        refused: Option<&'static str>,
    },
    /// A stored snapshot cannot be served and was put aside.
    SetAside(Refusal),
    /// The record of a stored snapshot's source was unreadable and was rewritten.
    OriginRestored {
        /// The folder of the snapshot.
        path: PathBuf,
    },
}

impl Event {
    pub(super) fn serving(directory: &Directory, is_back: bool) -> Event {
        let (as_of, id) = (directory.as_of().to_owned(), directory.snapshot_id().to_owned());
        Event::Serving { as_of, id, is_back }
    }

    pub(super) fn gone_back(event: Event) -> Event {
        match event {
            Event::Serving { as_of, id, .. } => Event::Serving { as_of, id, is_back: true },
            other => other,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Serving { as_of, id, is_back: false } => write!(f, "now serving snapshot {id} of {as_of}"),
            Event::Serving { as_of, id, is_back: true } => write!(f, "back to snapshot {id} of {as_of}"),
            Event::Stays(refusal) => write!(f, "the snapshot that is served stays: {refusal}"),
            Event::Waits(refusal) => write!(f, "there is no snapshot to serve yet: {refusal}"),
            Event::NotNoted(refusal) => {
                write!(f, "the rollback was not recorded for the next start: {refusal}")
            }
            Event::NothingNew { refused: None, .. } => {
                f.write_str("there is no other snapshot than the one that is served")
            }
            Event::NothingNew { refused: Some(why), .. } => {
                write!(f, "the snapshot that is served stays, as before: {why}")
            }
            Event::SetAside(refusal) => write!(f, "a stored snapshot is not served: {refusal}"),
            Event::OriginRestored { path } => write!(
                f,
                "{}: origin.json was missing or damaged, as a power cut may leave it, and is written anew",
                path.display()
            ),
        }
    }
}
