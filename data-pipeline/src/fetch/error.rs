//! Why a download failed.

use std::path::PathBuf;

use super::IntegrityError;

/// Every message names the address or file, what was expected, what came and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The base address is none.
    #[error("--base-url: expected http:// or https:// and a host, got {got:?}")]
    BaseUrl {
        /// What came.
        got: String,
    },
    /// The server does not have the file.
    #[error(
        "{url}: not found (status {status}); is there a TIGER/Line of that year, and does it have this file?"
    )]
    NotFound {
        /// The address.
        url: String,
        /// 404 or 410.
        status: u16,
    },
    /// An answer that no new attempt will change.
    #[error("{url}: expected status 200 or 206, got {status}")]
    Status {
        /// The address.
        url: String,
        /// What came.
        status: u16,
    },
    /// The server points elsewhere.
    #[error(
        "{url}: redirected to {location}, which is not on the same host; give that host with --base-url if you trust it"
    )]
    Redirect {
        /// The address.
        url: String,
        /// Where it points.
        location: String,
    },
    /// The file is larger than any published one.
    #[error("{url}: expected at most {limit} bytes, got {got}; check --base-url")]
    TooLarge {
        /// The address.
        url: String,
        /// Largest size that is taken.
        limit: u64,
        /// What the server announces or has sent.
        got: u64,
    },
    /// Every attempt failed.
    #[error(
        "{url}: not had in {attempts} attempts, at last because {reason}; run the command again to go on from here"
    )]
    GaveUp {
        /// The address.
        url: String,
        /// How often it was tried.
        attempts: u32,
        /// Why the last attempt failed.
        reason: String,
    },
    /// A downloaded file is damaged.
    #[error("{path}: {source}", path = path.display())]
    Integrity {
        /// The file.
        path: PathBuf,
        /// How.
        source: IntegrityError,
    },
    /// The disk failed.
    #[error("{path}: {source}; is there space, and may this directory be written to?", path = path.display())]
    Disk {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
