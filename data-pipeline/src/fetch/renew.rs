//! Fetches the newest version of lists whose address the manifest has, and keeps the versions of the last good night.
//!
//! A new version is only a proposal at first. [`Renewals::keep`] adopts it once a snapshot was published with it.

use std::{
    collections::BTreeMap,
    fs,
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use hyper::{
    StatusCode,
    header::{ETAG, HeaderValue},
};
use platbook::files::durable::{Disk, PUBLIC};
use platbook_release::Sha256;
use serde::{Deserialize, Serialize};

use super::{
    FetchError, Limits,
    client::{Base, Failure, Http, Known},
    download::{check_size, disk, next_piece, refused},
};
use crate::input::{
    manifest::{Manifest, SourceFile},
    shape::Shape,
};

/// Name of the table of versions in the folder.
const TABLE: &str = "lists.json";

/// Minimum number of rows of a new version, in percent of the rows of the previous version. Lists of domains lose a
/// few percent of their rows in a year. Chosen, not measured.
const ROWS_PERCENT_MIN: usize = 90;

/// Lists that are renewed, in a folder.
#[derive(Debug)]
pub struct Renewals {
    folder: PathBuf,
    /// Versions of the last good night, by the path in the manifest.
    versions: BTreeMap<String, Version>,
}

/// A version of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Digest of the file, and its name in the folder.
    sha256: Sha256,
    /// Entity tag that the server gave; `None` without one.
    etag: Option<String>,
    /// Day of retrieval, `YYYY-MM-DD`.
    day: String,
}

/// The result for one list.
#[derive(Debug)]
pub struct News {
    /// Path of the list in the manifest.
    pub path: String,
    /// A new version; `None` if the list is unchanged.
    ///
    /// # Errors
    /// If the list could not be fetched, or has another shape.
    pub version: Result<Option<Version>, FetchError>,
}

impl Renewals {
    /// Opens the folder, and creates it if necessary.
    ///
    /// # Errors
    /// If the folder or its table cannot be read.
    pub fn open(folder: &Path) -> Result<Renewals, FetchError> {
        Disk::default().create_folder(folder).map_err(|source| disk(folder, source))?;
        let path = folder.join(TABLE);
        let versions = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|fault| disk(&path, fault.into()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => BTreeMap::new(),
            Err(source) => return Err(disk(&path, source)),
        };
        Ok(Renewals { folder: folder.to_owned(), versions })
    }

    /// Returns the manifest with the versions of the last good night.
    #[must_use]
    pub fn kept(&self, manifest: &Manifest) -> Manifest {
        self.renewed(manifest, &self.versions)
    }

    /// Returns the manifest with the versions of the last good night and the news.
    #[must_use]
    pub fn with(&self, manifest: &Manifest, news: &[News]) -> Manifest {
        let mut versions = self.versions.clone();
        versions.extend(new_versions(news));
        self.renewed(manifest, &versions)
    }

    /// Returns the manifest with these versions. A version that is older than the manifest's is left out.
    fn renewed(&self, manifest: &Manifest, versions: &BTreeMap<String, Version>) -> Manifest {
        let mut renewed = manifest.clone();
        for source in &manifest.sources {
            for file in &source.files {
                let version = versions.get(&file.path).filter(|version| version.day >= source.retrieved_at);
                if let Some(version) = version {
                    let at = self.path(version).display().to_string();
                    renewed.renew(&file.path, &at, &version.sha256.to_string(), &version.day);
                }
            }
        }
        renewed
    }

    /// Fetches each list that has an address. `data` is the folder of the files in the manifest.
    ///
    /// # Errors
    /// If the folder cannot be written. Faults of single lists are in their results.
    pub fn fetch(
        &self,
        manifest: &Manifest,
        data: &Path,
        day: &str,
        limits: &Limits,
    ) -> Result<Vec<News>, FetchError> {
        let failed = |source| disk(&self.folder, source);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let kept = self.kept(manifest);
        let files = manifest.sources.iter().zip(&kept.sources).flat_map(|(source, kept)| {
            source.files.iter().zip(&kept.files).filter(|(file, _)| file.fetch.is_some())
        });
        let mut news: Vec<News> = Vec::new();
        for (file, kept) in files {
            if news.iter().all(|known| known.path != file.path) {
                let version = runtime.block_on(self.version(file, &data.join(&kept.path), day, limits));
                news.push(News { path: file.path.clone(), version });
            }
        }
        Ok(news)
    }

    /// Fetches one list, and compares it with the file at `before`.
    async fn version(
        &self,
        file: &SourceFile,
        before: &Path,
        day: &str,
        limits: &Limits,
    ) -> Result<Option<Version>, FetchError> {
        let url = file.fetch.as_deref().unwrap_or_default();
        let tag = self.versions.get(&file.path).and_then(|version| version.etag.as_deref());
        let Some((bytes, etag)) = fetched(url, tag, limits).await? else { return Ok(None) };
        let old = fs::read(before).map_err(|source| disk(before, source))?;
        if old == bytes {
            return Ok(None);
        }
        let fault = |fault: String| FetchError::List { url: url.to_owned(), fault };
        let shape = |bytes: &[u8]| Shape::of(&file.path, bytes).map_err(|error| fault(error.to_string()));
        let (was, is) = (shape(&old)?, shape(&bytes)?);
        if is.header != was.header {
            return Err(fault("expected the header of the version before, got another".to_owned()));
        }
        if is.rows * 100 < was.rows * ROWS_PERCENT_MIN {
            let expected = was.rows * ROWS_PERCENT_MIN / 100;
            return Err(fault(format!("expected {expected} rows or more, got {}", is.rows)));
        }
        let version = Version { sha256: Sha256::of(&bytes), etag, day: day.to_owned() };
        let path = self.path(&version);
        let written = Disk::default().replace(&path, PUBLIC, |file| file.write_all(&bytes));
        written.map_err(|source| disk(&path, source))?;
        Ok(Some(version))
    }

    /// Adopts the new versions, and removes files that no list needs.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn keep(&mut self, news: &[News]) -> Result<(), FetchError> {
        self.versions.extend(new_versions(news));
        let path = self.folder.join(TABLE);
        let text = serde_json::to_string_pretty(&self.versions).expect("texts can be written") + "\n";
        let written = Disk::default().replace(&path, PUBLIC, |file| file.write_all(text.as_bytes()));
        written.map_err(|source| disk(&path, source))?;
        let needed: Vec<PathBuf> = self.versions.values().map(|version| self.path(version)).collect();
        let failed = |source| disk(&self.folder, source);
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|ending| ending == "csv") && !needed.contains(&path) {
                fs::remove_file(&path).map_err(|source| disk(&path, source))?;
            }
        }
        Ok(())
    }

    fn path(&self, version: &Version) -> PathBuf {
        self.folder.join(format!("{}.csv", version.sha256))
    }
}

fn new_versions(news: &[News]) -> impl Iterator<Item = (String, Version)> {
    news.iter().filter_map(|news| Some((news.path.clone(), news.version.as_ref().ok()?.clone()?)))
}

/// Fetches a list with its entity tag; `None` if the server says that the list is still the version with this tag.
async fn fetched(
    url: &str,
    tag: Option<&str>,
    limits: &Limits,
) -> Result<Option<(Vec<u8>, Option<String>)>, FetchError> {
    let base = Base::parse(url)?;
    let http = Http::new(&base, limits);
    let mut attempts = 0;
    loop {
        attempts += 1;
        let reason = match attempt(&http, url, tag, limits).await {
            Ok(answer) => return Ok(answer),
            Err(Failure::Final(error)) => return Err(error),
            Err(Failure::Again(reason)) => reason,
        };
        if attempts > limits.retries {
            return Err(FetchError::GaveUp { url: url.to_owned(), attempts, reason });
        }
        tokio::time::sleep(limits.pause_after(attempts)).await;
    }
}

async fn attempt(
    http: &Http<'_>,
    url: &str,
    tag: Option<&str>,
    limits: &Limits,
) -> Result<Option<(Vec<u8>, Option<String>)>, Failure> {
    let answer = http.get(url, &tag.map_or(Known::Nothing, Known::Version)).await?;
    match answer.status() {
        StatusCode::OK => {}
        StatusCode::NOT_MODIFIED if tag.is_some() => return Ok(None),
        status => return Err(refused(url, status)),
    }
    let etag = answer.headers().get(ETAG).map(HeaderValue::to_str).and_then(Result::ok).map(str::to_owned);
    let (mut body, mut bytes) = (answer.into_body(), Vec::new());
    while let Some(piece) = next_piece(&mut body, limits).await? {
        bytes.extend(piece);
        check_size(url, bytes.len() as u64, limits)?;
    }
    Ok(Some((bytes, etag)))
}
