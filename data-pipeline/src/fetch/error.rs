//! Errors of downloads, with what to do about each.

use std::path::PathBuf;

use super::IntegrityError;

/// The reason why a download failed. Each message names the address or file, the expected and the actual
/// value, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// `--base-url` is not an address with scheme and host.
    #[error("--base-url: expected http:// or https:// and a host, got {got:?}")]
    BaseUrl {
        /// The text as given.
        got: String,
    },
    /// The server does not have the file.
    #[error(
        "{url}: not found (status {status}); is there a TIGER/Line of that year, and does it have this file?"
    )]
    NotFound {
        /// Address of the file.
        url: String,
        /// Status, 404 or 410.
        status: u16,
    },
    /// A response with a status that no new attempt will change.
    #[error("{url}: expected status 200 or 206, got {status}")]
    Status {
        /// Address of the file.
        url: String,
        /// Status of the response.
        status: u16,
    },
    /// The server redirects to another host.
    #[error(
        "{url}: redirected to {location}, which is not on the same host; give that host with --base-url if you trust it"
    )]
    Redirect {
        /// Address of the file.
        url: String,
        /// Target of the redirect, at most 200 characters.
        location: String,
    },
    /// The file is larger than any published one.
    #[error("{url}: expected at most {limit} bytes, got {got}; check --base-url")]
    TooLarge {
        /// Address of the file.
        url: String,
        /// Maximum size of a file, in bytes.
        limit: u64,
        /// Size that the server announces or has sent, in bytes.
        got: u64,
    },
    /// Every attempt failed for a temporary reason.
    #[error(
        "{url}: not downloaded in {attempts} attempts, the last time because {reason}; run the command again to resume"
    )]
    GaveUp {
        /// Address of the file.
        url: String,
        /// Number of attempts, including the first.
        attempts: u32,
        /// The reason why the last attempt failed.
        reason: String,
    },
    /// A downloaded file is damaged.
    #[error("{path}: {source}", path = path.display())]
    Integrity {
        /// Path of the file.
        path: PathBuf,
        /// Kind of the damage.
        source: IntegrityError,
    },
    /// The shape of a list differs from that of its previous version.
    #[error("{url}: {fault}; the version before stays")]
    List {
        /// Address of the list.
        url: String,
        /// The difference from the previous version.
        fault: String,
    },
    /// A file or folder cannot be written.
    #[error("{path}: {source}; check the free space and the permissions of the directory", path = path.display())]
    Disk {
        /// Path of the file or directory.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
}
