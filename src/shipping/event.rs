//! What happens to the snapshot that is served, in words for the log.

use std::{fmt, path::PathBuf};

use platbook::directory::Directory;

use super::Refusal;

/// What has happened to the snapshot that is served, for the log.
#[derive(Debug)]
pub enum Event {
    /// Another snapshot is served.
    Serving {
        /// The date of the snapshot, RFC 3339.
        as_of: String,
        /// The id of the snapshot.
        id: String,
        /// Whether someone went back to it.
        is_back: bool,
    },
    /// The one that is served stays.
    Stays(Refusal),
    /// There is still none to serve.
    Waits(Refusal),
    /// The one before is served again, but its folder does not say so: the next process may begin with the other.
    NotNoted(Refusal),
    /// It was looked for, and there is none other.
    NothingNew {
        /// Whether someone asked.
        is_asked: bool,
        /// Why the file that is there was refused in an earlier look; `None` where it is the one that is served.
        refused: Option<&'static str>,
    },
    /// A snapshot that was kept cannot be served and is put aside.
    SetAside(Refusal),
    /// Where a kept snapshot came from could not be read, and is written anew.
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
            Event::NotNoted(refusal) => write!(f, "the way back was not noted for the next start: {refusal}"),
            Event::NothingNew { refused: None, .. } => {
                f.write_str("there is no other snapshot than the one that is served")
            }
            Event::NothingNew { refused: Some(why), .. } => {
                write!(f, "the snapshot that is served stays, as before: {why}")
            }
            Event::SetAside(refusal) => write!(f, "a snapshot that was kept is not served: {refusal}"),
            Event::OriginRestored { path } => write!(
                f,
                "{}: origin.json was missing or damaged, as a power cut may leave it, and is written anew",
                path.display()
            ),
        }
    }
}
