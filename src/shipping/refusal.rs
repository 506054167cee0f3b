//! Reasons why a new snapshot is not served.

use std::{io, path::PathBuf, time::Duration};

use super::SignatureFault;
use platbook::{acceptance::Rejection, snapshot::SnapshotError};
use platbook_release::{DeltaFault, ReleaseFault, Sha256};

/// The reason why a snapshot was refused. Each text says what was expected or what failed, and many texts give
/// advice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The connection failed, or broke before the response.
    #[error("{url} cannot be reached: {why}")]
    Unreachable {
        /// The address, without its query.
        url: String,
        /// The error of the connection.
        why: String,
    },
    /// The server did not respond in time.
    #[error("{url}: expected {what} within {} s, nothing came; is the server overloaded?", after.as_secs_f32())]
    Late {
        /// The address, without its query.
        url: String,
        /// The part of the response that was expected.
        what: &'static str,
        /// Time for which the service waited.
        after: Duration,
    },
    /// The server sends too slowly.
    #[error(
        "{url}: expected {expected} bytes or more within {} s, got {got}; is the server overloaded?",
        after.as_secs_f32()
    )]
    Slow {
        /// The address, without its query.
        url: String,
        /// Number of bytes received in this time.
        got: u64,
        /// Minimum number of bytes in this time.
        expected: u64,
        /// Time for which the service waited.
        after: Duration,
    },
    /// The body ended early.
    #[error("{url}: the connection ended after {got} bytes, before the file did: {why}")]
    Cut {
        /// The address, without its query.
        url: String,
        /// Number of bytes received before the end.
        got: u64,
        /// The error of the connection.
        why: String,
    },
    /// The server's status is neither 200 nor 304.
    #[error("{url}: expected status 200 or 304, got {status}")]
    Status {
        /// The address, without its query.
        url: String,
        /// The status of the response.
        status: u16,
    },
    /// The server replied "not modified", but the folder has no snapshot.
    #[error("{url}: the server says that the file has not changed (status 304), but none is stored here")]
    NothingBefore {
        /// The address, without its query.
        url: String,
    },
    /// The redirect is not safe to follow.
    #[error("{url}: redirected to {to:?}; expected a public https address, or one within the same network")]
    Redirect {
        /// The address, without its query.
        url: String,
        /// The target of the redirect, cleaned.
        to: String,
    },
    /// The server redirects too often.
    #[error("{url}: redirected more than {max} times")]
    Redirects {
        /// The first address, without its query.
        url: String,
        /// Maximum number of redirects to follow.
        max: usize,
    },
    /// The response has a content coding that was not requested.
    #[error("{url}: expected a file as it is or packed with zstd, got the coding {coding:?}")]
    Coding {
        /// The address, without its query.
        url: String,
        /// The coding of the response, cleaned.
        coding: String,
    },
    /// The file is larger than the limit.
    #[error("{what}: expected at most {limit} bytes, got {got} or more")]
    TooLarge {
        /// The address, or a name for the unpacked file.
        what: String,
        /// Maximum size in bytes.
        limit: u64,
        /// Size in bytes that was announced or received.
        got: u64,
    },
    /// The compressed file cannot be decompressed.
    #[error("the packed file is damaged or cut short: {0}")]
    Packed(io::Error),
    /// The signature is missing, or does not match.
    #[error(transparent)]
    Signature(#[from] SignatureFault),
    /// The file is not a whole snapshot.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The acceptance checks rejected the snapshot, by itself or in comparison with the served one.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The snapshot is dated ahead of this machine's clock, or has no date.
    #[error(
        "it is dated {as_of}, and the clock of this machine says {now}: correct the one that is wrong, or send \
         SIGHUP to serve it anyway"
    )]
    Ahead {
        /// The date of the snapshot, RFC 3339.
        as_of: String,
        /// The time of the clock, RFC 3339.
        now: String,
    },
    /// An operator rolled back from this snapshot.
    #[error("snapshot {id} was rolled back by an operator; send SIGHUP to serve it anyway")]
    TakenBack {
        /// The id of the snapshot.
        id: String,
    },
    /// There is no earlier snapshot to go back to.
    #[error("there is no earlier snapshot to go back to")]
    NoEarlier,
    /// The path is not a regular file.
    #[error("expected a file at {}, found a folder, a pipe or a device", path.display())]
    NotAFile {
        /// The path that was opened.
        path: PathBuf,
    },
    /// Another service uses the folder.
    #[error("{} is used by another service; give each its own --snapshot-dir", path.display())]
    FolderInUse {
        /// The folder for snapshots.
        path: PathBuf,
    },
    /// The path is missing or unreadable.
    #[error("cannot read {}: {source}; name a file that exists and may be read", path.display())]
    Unread {
        /// The path that was opened.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A release is signed, but the operator gave no key for the check.
    #[error("{url} names a release, which is signed: expected its public key in --snapshot-key")]
    Keyless {
        /// The address, without its query.
        url: String,
    },
    /// The text is not a statement about a release.
    #[error("{url}: {fault}")]
    Statement {
        /// The address, without its query.
        url: String,
        /// The fault of the text.
        fault: ReleaseFault,
    },
    /// The statement about the release has expired, so the mirror may withhold newer ones.
    #[error(
        "{url}: the statement expired at {expires}, and the clock of this machine says {now}: the mirror is not updated, or \
         the clock is wrong"
    )]
    Expired {
        /// The address, without its query.
        url: String,
        /// The time until which the statement is valid, RFC 3339.
        expires: String,
        /// The time of the clock, RFC 3339.
        now: String,
    },
    /// The delta does not produce the snapshot of the release.
    #[error("{url}: {fault}")]
    Delta {
        /// The address, without its query.
        url: String,
        /// The fault of the delta.
        fault: DeltaFault,
    },
    /// The file is not the snapshot of the release.
    #[error(
        "{url}: expected the snapshot with SHA-256 {expected}, got {got}; is the release being replaced?"
    )]
    OtherFile {
        /// The address of the statement, without its query.
        url: String,
        /// The digest in the statement.
        expected: Sha256,
        /// The digest of the file.
        got: Sha256,
    },
    /// The disk could not be written.
    #[error("{}: {source}; is there space, and may this service write there?", path.display())]
    Disk {
        /// The file or folder that failed.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The background work panicked or was canceled.
    #[error("reading the snapshot failed: {0}")]
    Broken(String),
}

impl Refusal {
    /// Returns whether the same bytes would be refused again. A bad signature does not count, since the right one may
    /// arrive later than its file.
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

    /// Returns the reason without addresses and paths, for `/readyz`, which anyone may read.
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
            Refusal::Keyless { .. } => "no key is given to check the release with",
            Refusal::Statement { .. } => "the address has no statement on a release",
            Refusal::Expired { .. } => "the mirror is not updated: its statement has expired",
            Refusal::Delta { .. } | Refusal::OtherFile { .. } => "the file is not that of the release",
            Refusal::Ahead { .. } => "the file is dated ahead of the clock of this machine",
            Refusal::TakenBack { .. } => "an operator rolled back from the file",
            Refusal::NoEarlier => "there is no earlier snapshot",
            Refusal::NotAFile { .. } | Refusal::Unread { .. } => "the file cannot be read",
            Refusal::FolderInUse { .. } | Refusal::Disk { .. } => "the folder of snapshots cannot be used",
            Refusal::Broken(_) => "reading the file failed",
        }
    }
}
