//! Why no fresh snapshot is served.

use std::{io, path::PathBuf, time::Duration};

use super::SignatureFault;
use platbook::{fitness::Rejection, snapshot::SnapshotError};

/// Why a snapshot was not taken. Each says what was expected, what came and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No connection, or one that broke.
    #[error("{url} cannot be reached: {why}")]
    Unreachable {
        /// The address.
        url: String,
        /// What the connection says.
        why: String,
    },
    /// Nothing came in time.
    #[error("{url}: expected {what} within {} s, nothing came; is the server overloaded?", after.as_secs_f32())]
    Late {
        /// The address.
        url: String,
        /// What was waited for.
        what: &'static str,
        /// How long.
        after: Duration,
    },
    /// Too little came to ever end.
    #[error(
        "{url}: expected {expected} bytes or more within {} s, got {got}; is the server overloaded?",
        after.as_secs_f32()
    )]
    Slow {
        /// The address.
        url: String,
        /// Bytes that came.
        got: u64,
        /// Bytes that were waited for.
        expected: u64,
        /// How long.
        after: Duration,
    },
    /// The body ended early.
    #[error("{url}: the connection ended after {got} bytes, before the file did: {why}")]
    Cut {
        /// The address.
        url: String,
        /// Bytes that came.
        got: u64,
        /// What the connection says.
        why: String,
    },
    /// A status that is no success.
    #[error("{url}: expected status 200 or 304, got {status}")]
    Status {
        /// The address.
        url: String,
        /// What came.
        status: u16,
    },
    /// "Not modified", though nothing is kept.
    #[error("{url}: the server says that the file is the one before (status 304), but none is kept here")]
    NothingBefore {
        /// The address.
        url: String,
    },
    /// The server points where nobody may be led.
    #[error("{url}: redirected to {to:?}; expected an https address, or one on the same side of the network")]
    Redirect {
        /// The address.
        url: String,
        /// Where it points.
        to: String,
    },
    /// The server points from one address to the next.
    #[error("{url}: redirected more than {max} times")]
    Redirects {
        /// The first address.
        url: String,
        /// Redirects that are followed.
        max: usize,
    },
    /// A coding that was not asked for.
    #[error("{url}: expected a file as it is or packed with zstd, got the coding {coding:?}")]
    Coding {
        /// The address.
        url: String,
        /// What came.
        coding: String,
    },
    /// Larger than any snapshot.
    #[error("{what}: expected at most {limit} bytes, got {got} or more")]
    TooLarge {
        /// The address, or what was unpacked.
        what: String,
        /// Most that is taken.
        limit: u64,
        /// What came.
        got: u64,
    },
    /// It cannot be unpacked.
    #[error("the packed file is damaged or cut short: {0}")]
    Packed(io::Error),
    /// It is not signed as it should be.
    #[error(transparent)]
    Signature(#[from] SignatureFault),
    /// It is no whole snapshot.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// It must not be served, or not in place of the one that is.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// It is dated ahead of this machine's clock, or has no date.
    #[error(
        "it is dated {as_of}, and the clock of this machine says {now}: correct the one that is wrong; SIGHUP serves the \
         snapshot all the same"
    )]
    Ahead {
        /// Its date.
        as_of: String,
        /// The time of the clock.
        now: String,
    },
    /// Someone went back from it.
    #[error("snapshot {id} was served and taken back; send SIGHUP to serve it all the same")]
    TakenBack {
        /// Its id.
        id: String,
    },
    /// There is none to go back to.
    #[error("there is no earlier snapshot to go back to")]
    NoEarlier,
    /// Not a file.
    #[error("expected a file at {}, found a folder, a pipe or a device", path.display())]
    NotAFile {
        /// Its path.
        path: PathBuf,
    },
    /// Another service uses the folder.
    #[error("{} is used by another service; give each its own --snapshot-dir", path.display())]
    FolderInUse {
        /// The folder.
        path: PathBuf,
    },
    /// Nothing there that may be read.
    #[error("cannot read {}: {source}; name a file that exists and may be read", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The disk failed.
    #[error("{}: {source}; is there space, and may this service write there?", path.display())]
    Disk {
        /// File or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The work was not done.
    #[error("reading the snapshot failed: {0}")]
    Broken(String),
}

impl Refusal {
    /// Whether the same bytes would be refused again. A signature may come later than the file that it signs.
    pub(super) fn is_of_the_bytes(&self) -> bool {
        matches!(
            self,
            Refusal::Packed(_)
                | Refusal::Snapshot(_)
                | Refusal::Rejected(_)
                | Refusal::Ahead { .. }
                | Refusal::TakenBack { .. }
                | Refusal::TooLarge { .. }
        )
    }

    /// The reason in a few words, for those who may not know the address and the folders: `/readyz`.
    pub fn in_short(&self) -> &'static str {
        match self {
            Refusal::Unreachable { .. } => "the address cannot be reached",
            Refusal::Late { .. } | Refusal::Slow { .. } => "the address answers too slowly",
            Refusal::Cut { .. } => "the connection broke before the file was whole",
            Refusal::Status { .. } | Refusal::NothingBefore { .. } => {
                "the address answers that it has no file"
            }
            Refusal::Redirect { .. } | Refusal::Redirects { .. } => "the address leads elsewhere",
            Refusal::Coding { .. } | Refusal::Packed(_) => "the file cannot be unpacked",
            Refusal::TooLarge { .. } => "the file is too large",
            Refusal::Signature(_) => "the file is not signed with the key",
            Refusal::Snapshot(_) => "the file is not a whole snapshot",
            Refusal::Rejected(Rejection::Older { .. }) => "the file is older than the one served",
            Refusal::Rejected(_) => "the file is not fit to be served",
            Refusal::Ahead { .. } => "the file is dated ahead of the clock of this machine",
            Refusal::TakenBack { .. } => "the file was taken back",
            Refusal::NoEarlier => "there is no earlier snapshot",
            Refusal::NotAFile { .. } | Refusal::Unread { .. } => "the file cannot be read",
            Refusal::FolderInUse { .. } | Refusal::Disk { .. } => "the folder of snapshots cannot be used",
            Refusal::Broken(_) => "reading the file failed",
        }
    }
}
