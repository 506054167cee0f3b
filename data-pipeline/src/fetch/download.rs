//! Downloads one file: attempts, continuation, checks, and the final name.

use std::{
    fs::{File, OpenOptions},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use http_body_util::BodyExt;
use hyper::{
    HeaderMap, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, LAST_MODIFIED},
};

use platbook::{files::durable::Disk, vocabulary::with_causes};

use super::{
    FetchError, Item, Limits, Report,
    client::{Base, Failure, Http, Known},
    integrity::check_zip,
};

pub(super) struct Downloader<'a> {
    base: &'a Base,
    limits: Limits,
    http: Http<'a>,
}

/// The names of one file on disk.
struct Paths {
    done: PathBuf,
    part: PathBuf,
    /// Holds the validator of the version that the part belongs to.
    mark: PathBuf,
}

impl<'a> Downloader<'a> {
    pub(super) fn new(base: &'a Base, limits: Limits) -> Downloader<'a> {
        Downloader { base, limits, http: Http::new(base, &limits) }
    }

    /// Ensures that the file is on disk and complete. `show` receives the bytes on disk, the size, and the reason why
    /// an attempt failed, if another attempt follows.
    pub(super) async fn file(
        &self,
        item: &Item,
        dir: &Path,
        report: &mut Report,
        mut show: impl FnMut(u64, Option<u64>, Option<&str>),
    ) -> Result<(), FetchError> {
        let paths = Paths::new(dir.join(&item.path))?;
        if paths.done.exists() {
            if check_zip(&paths.done).is_ok() {
                report.present += 1;
                return Ok(());
            }
            remove(&paths.done)?;
        }
        let url = self.base.url(&item.path);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut show_bytes = |bytes, total| show(bytes, total, None);
            let reason = match self.attempt(&url, &paths, report, &mut show_bytes).await {
                Ok(()) => break,
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Again(reason)) => reason,
            };
            if attempt > self.limits.retries {
                return Err(FetchError::GaveUp { url, attempts: attempt, reason });
            }
            let pause = self.limits.pause_after(attempt);
            show(0, None, Some(&format!("{reason}; again in {pause:?}")));
            tokio::time::sleep(pause).await;
        }
        report.downloaded += 1;
        Ok(())
    }

    async fn attempt(
        &self,
        url: &str,
        paths: &Paths,
        report: &mut Report,
        show: &mut impl FnMut(u64, Option<u64>),
    ) -> Result<(), Failure> {
        let on_disk = std::fs::metadata(&paths.part).map_or(0, |meta| meta.len());
        let validator = std::fs::read_to_string(&paths.mark).unwrap_or_default();
        // Without a validator, the rest of the file could belong to another version.
        let can_resume = on_disk > 0 && !validator.is_empty();
        let known = match can_resume {
            true => Known::Part { length: on_disk, validator: &validator },
            false => Known::Nothing,
        };
        let answer = self.http.get(url, &known).await?;
        let start = match answer.status() {
            StatusCode::OK => 0,
            StatusCode::PARTIAL_CONTENT if can_resume && range_start(answer.headers()) == Some(on_disk) => {
                on_disk
            }
            // The part is longer than the file, or the server uses other ranges, so the download starts again.
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                paths.forget_part()?;
                return Err(Failure::Again("the server did not resume at the end of the part".to_owned()));
            }
            status => return Err(refused(url, status)),
        };
        let total = content_length(answer.headers()).map(|length| start + length);
        check_size(url, total.unwrap_or(0), &self.limits)?;
        let file = paths.open_part(start, &mark(answer.headers()))?;
        self.receive(url, answer, file, paths, (start, total), report, show).await?;
        paths.finish()
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a transfer touches the response, the file, the counts and the progress"
    )]
    async fn receive(
        &self,
        url: &str,
        answer: Response<Incoming>,
        mut file: File,
        paths: &Paths,
        (start, total): (u64, Option<u64>),
        report: &mut Report,
        show: &mut impl FnMut(u64, Option<u64>),
    ) -> Result<(), Failure> {
        let (mut body, mut length) = (answer.into_body(), start);
        show(length, total);
        while let Some(data) = next_piece(&mut body, &self.limits).await? {
            length += data.len() as u64;
            check_size(url, length, &self.limits)?;
            file.write_all(&data).map_err(|source| disk(&paths.part, source))?;
            report.received += data.len() as u64;
            show(length, total);
        }
        file.sync_all().map_err(|source| disk(&paths.part, source))?;
        match total {
            Some(total) if total != length => {
                Err(Failure::Again(format!("received {length} of {total} bytes")))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the next piece of a body; `None` at its end.
pub(super) async fn next_piece(body: &mut Incoming, limits: &Limits) -> Result<Option<Bytes>, Failure> {
    let frame = tokio::time::timeout(limits.idle, body.frame()).await;
    let frame = frame.map_err(|_| Failure::Again(format!("no data for {:?}", limits.idle)))?;
    let frame = frame.transpose().map_err(|error| Failure::Again(with_causes(&error)))?;
    Ok(frame.map(|frame| frame.into_data().unwrap_or_default()))
}

/// Checks that a file is not larger than the limit.
pub(super) fn check_size(url: &str, got: u64, limits: &Limits) -> Result<(), FetchError> {
    let limit = limits.bytes_max;
    if got > limit { Err(FetchError::TooLarge { url: url.to_owned(), limit, got }) } else { Ok(()) }
}

impl Paths {
    fn new(done: PathBuf) -> Result<Paths, FetchError> {
        if let Some(dir) = done.parent() {
            std::fs::create_dir_all(dir).map_err(|source| disk(dir, source))?;
        }
        let beside = |ending: &str| PathBuf::from(format!("{}{ending}", done.display()));
        Ok(Paths { part: beside(".part"), mark: beside(".part-version"), done })
    }

    fn open_part(&self, start: u64, mark: &str) -> Result<File, FetchError> {
        let mut options = OpenOptions::new();
        if start == 0 {
            std::fs::write(&self.mark, mark).map_err(|source| disk(&self.mark, source))?;
            options.write(true).create(true).truncate(true);
        } else {
            options.append(true);
        }
        options.open(&self.part).map_err(|source| disk(&self.part, source))
    }

    fn forget_part(&self) -> Result<(), FetchError> {
        remove(&self.part)?;
        remove(&self.mark)
    }

    /// Checks the downloaded part, and gives it the final name.
    fn finish(&self) -> Result<(), Failure> {
        if let Err(error) = check_zip(&self.part) {
            self.forget_part()?;
            return Err(Failure::Again(format!("the received file is damaged: {error}")));
        }
        Disk::default().settle(&self.part, &self.done).map_err(|source| disk(&self.done, source))?;
        Ok(remove(&self.mark)?)
    }
}

pub(super) fn refused(url: &str, status: StatusCode) -> Failure {
    let (url, code) = (url.to_owned(), status.as_u16());
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => FetchError::NotFound { url, status: code }.into(),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            Failure::Again(format!("the server said {code}"))
        }
        _ if status.is_server_error() => Failure::Again(format!("the server said {code}")),
        _ => FetchError::Status { url, status: code }.into(),
    }
}

/// The validator of this version of the file for If-Range: a strong ETag, else the date; empty without
/// either.
fn mark(headers: &HeaderMap) -> String {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let strong = text(ETAG).filter(|tag| tag.starts_with('"'));
    strong.or_else(|| text(LAST_MODIFIED)).unwrap_or_default().to_owned()
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The first byte of `bytes 100-199/200`.
fn range_start(headers: &HeaderMap) -> Option<u64> {
    let range = headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?;
    range.split_once('-')?.0.trim().parse().ok()
}

pub(super) fn disk(path: &Path, source: std::io::Error) -> FetchError {
    FetchError::Disk { path: path.to_owned(), source }
}

fn remove(path: &Path) -> Result<(), FetchError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(disk(path, error)),
        _ => Ok(()),
    }
}
