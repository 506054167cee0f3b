//! Downloads the full TIGER/Line boundary files of a year, and writes the manifest that builds from them.
//!
//! A file appears under its final name only once it is complete and every member of the zip has its CRC. What
//! is cut off stays beside it as `.part` and is continued the next time, unless the server has a newer file.

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

pub use error::FetchError;
pub use integrity::{IntegrityError, check_zip};
pub use plan::{Item, plan};

/// Where the Census Bureau publishes TIGER/Line.
pub const OFFICIAL_BASE_URL: &str = "https://www2.census.gov/geo/tiger";

/// What to download, from where, to where.
#[derive(Clone, Debug)]
pub struct Order {
    /// TIGER/Line year.
    pub vintage: u16,
    /// Layers wanted.
    pub layers: Vec<Layer>,
    /// States wanted of the layers that come in one file per state; states and counties come for the nation.
    pub states: Vec<StateCode>,
    /// Everything before `/TIGER{year}/`.
    pub base_url: String,
    /// Directory that the files are put under.
    pub data_dir: PathBuf,
    /// Bounds of patience and size.
    pub limits: Limits,
}

/// Bounds of patience and size.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until a connection stands.
    pub connect: Duration,
    /// Between two pieces of an answer, and until its head has come.
    pub idle: Duration,
    /// Attempts after the first one.
    pub retries: u32,
    /// Pause before the first new attempt; doubled each time, at most 30 s.
    pub backoff: Duration,
    /// Largest file that is taken.
    pub bytes_max: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(15),
            idle: Duration::from_secs(60),
            retries: 5,
            backoff: Duration::from_secs(1),
            // The largest TIGER/Line file of these layers has 80 MB.
            bytes_max: 2 << 30,
        }
    }
}

/// How far a download has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The file, relative to the data directory.
    pub file: &'a str,
    /// Its place in the plan, counted from 0.
    pub index: usize,
    /// Files in the plan.
    pub files: usize,
    /// Bytes at hand.
    pub bytes: u64,
    /// Bytes in all, once known.
    pub total: Option<u64>,
    /// Why an attempt failed, where another follows.
    pub trouble: Option<&'a str>,
}

/// What a download did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that came new.
    pub downloaded: usize,
    /// Files that were complete already.
    pub present: usize,
    /// Bytes received.
    pub received: u64,
}

/// Downloads every file of the order that is not complete already, one after the other.
///
/// # Errors
/// When a file cannot be had after all attempts, is not there, or the disk fails. Files that are complete stay.
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
