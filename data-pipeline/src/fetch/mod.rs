//! Downloads the full TIGER/Line boundary files of a year, and writes the manifest that builds from them.
//!
//! A file gets its final name only once it is complete and the CRC of every member of the zip matches. An interrupted
//! download stays beside it as `.part`, and the next run continues it unless the server has a newer file.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use platbook::vocabulary::{Layer, StateCode};

mod client;
mod download;
mod error;
mod integrity;
mod manifest;
mod plan;
mod renew;

pub use error::FetchError;
pub use integrity::{IntegrityError, check_zip};
pub use plan::{Item, plan};
pub use renew::{News, Renewals};

/// The Census Bureau's address of TIGER/Line.
pub const OFFICIAL_BASE_URL: &str = "https://www2.census.gov/geo/tiger";

/// The files to download, their source and their target.
#[derive(Clone, Debug)]
pub struct Order {
    /// Year of the TIGER/Line files.
    pub vintage: u16,
    /// Layers to download; order and repetition do not matter.
    pub layers: Vec<Layer>,
    /// States whose files are downloaded, for layers with one file per state. States and counties come in one file for
    /// the nation.
    pub states: Vec<StateCode>,
    /// Address before `/TIGER{year}/`, with `http://` or `https://`.
    pub base_url: String,
    /// Directory for the files.
    pub data_dir: PathBuf,
    /// Limits of time, attempts and size.
    pub limits: Limits,
}

/// Limits of time, attempts and size.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest wait for a connection.
    pub connect: Duration,
    /// Longest wait for the head of a response, and between two pieces of its body.
    pub idle: Duration,
    /// Number of attempts after the first one.
    pub retries: u32,
    /// Pause before the second attempt.
    pub backoff: Duration,
    /// Maximum size of a file, in bytes.
    pub bytes_max: u64,
}

/// Chosen, not measured, except for the size.
impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(15),
            idle: Duration::from_secs(60),
            retries: 5,
            backoff: Duration::from_secs(1),
            // The largest TIGER/Line file of these layers has 80 MB; 2 GiB leaves room for growth.
            bytes_max: 2 << 30,
        }
    }
}

/// Longest pause between two attempts. Chosen, not measured.
const BACKOFF_MAX: Duration = Duration::from_secs(30);

impl Limits {
    /// The pause after this number of failed attempts: doubled each time, at most 30 s.
    fn pause_after(&self, attempts: u32) -> Duration {
        self.backoff.saturating_mul(1 << attempts.saturating_sub(1).min(16)).min(BACKOFF_MAX)
    }
}

/// Progress of one file.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Path of the file, relative to the data directory.
    pub file: &'a str,
    /// Position of the file in the plan, from 0.
    pub index: usize,
    /// Number of files in the plan.
    pub files: usize,
    /// Bytes of the file on disk.
    pub bytes: u64,
    /// Size of the file in bytes; `None` until the server reports it.
    pub total: Option<u64>,
    /// The reason why an attempt failed, if another attempt follows.
    pub trouble: Option<&'a str>,
}

/// Counts of a finished download.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of files downloaded.
    pub downloaded: usize,
    /// Number of files that were already complete.
    pub present: usize,
    /// Number of bytes received.
    pub received: u64,
}

/// Downloads every file of the order that is not already complete, one after the other.
///
/// # Errors
/// When a file cannot be downloaded after all attempts, does not exist, or the disk fails. Complete files
/// stay.
pub fn fetch(order: &Order, mut progress: impl FnMut(Progress)) -> Result<Report, FetchError> {
    let base = client::Base::parse(&order.base_url)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| FetchError::Disk { path: order.data_dir.clone(), source })?;
    runtime.block_on(async {
        let items = plan(order);
        let mut report = Report::default();
        let downloader = download::Downloader::new(&base, order.limits);
        for (index, item) in items.iter().enumerate() {
            let show = |bytes, total, trouble: Option<&str>| {
                progress(Progress { file: &item.path, index, files: items.len(), bytes, total, trouble });
            };
            downloader.file(item, &order.data_dir, &mut report, show).await?;
        }
        Ok(report)
    })
}

/// Writes the manifest of a finished order to `path`, with the digest of each file.
///
/// # Errors
/// When a file of the order is missing or the manifest cannot be written.
pub fn write_manifest(order: &Order, path: &Path, date: &str) -> Result<(), FetchError> {
    manifest::write(order, path, date)
}

#[cfg(test)]
mod tests;
