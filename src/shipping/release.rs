//! Reads the signed statement about a release. Makes the snapshot of the release from an older local one and a delta.

use std::{
    borrow::Cow,
    fs::File,
    io::{Read as _, Seek as _},
};

use platbook_release::{Delta, Release, Sha256, SnapshotOfRelease, apply};
use tempfile::TempDir;

use super::{Clock, Refusal, SnapshotKey, SnapshotUrl, built_in, client::Client};
use platbook::files::durable::{Disk, NewFile};

/// Maximum length of a statement, in bytes. A statement with the maximum number of deltas has some 60,000.
const STATEMENT_BYTES_MAX: usize = 256 << 10;

/// Fetches the statement at the address of a release. Checks its signature and that it has not expired.
///
/// # Errors
/// Fails if the statement is missing, is not signed with the key, or has expired.
pub(super) async fn statement(
    client: &Client,
    url: &SnapshotUrl,
    key: Option<&SnapshotKey>,
    clock: &Clock,
) -> Result<Release, Refusal> {
    let key = key.ok_or_else(|| Refusal::Keyless { url: url.to_string() })?;
    let text = client.text(url, "the statement", STATEMENT_BYTES_MAX).await?;
    let at = url.signature();
    let signature = client.signature(&at).await?;
    key.check(text.as_slice(), &signature, &at.to_string())?;
    let release = Release::read(&text).map_err(|fault| Refusal::Statement { url: url.to_string(), fault })?;
    match clock.later_than(&release.expires) {
        Some(now) => {
            let (url, expires, now) = (url.to_string(), release.expires, now.to_string());
            Err(Refusal::Expired { url, expires, now })
        }
        None => Ok(release),
    }
}

/// The bytes of a snapshot to which a delta applies.
pub(super) type Base = Cow<'static, [u8]>;

/// Returns a local snapshot from which a delta leads to the release: the stored one, or the built-in one. `None` if
/// there is no such delta.
pub(super) fn base(release: &Release, stored: Option<File>) -> Option<(Base, Delta)> {
    let is_known = |bytes: u64| release.deltas.iter().any(|delta| delta.from.bytes == bytes);
    let read = |mut file: File| {
        let mut bytes = Vec::new();
        let is_known = file.metadata().is_ok_and(|found| is_known(found.len()));
        (is_known && file.read_to_end(&mut bytes).is_ok()).then_some(Cow::Owned(bytes))
    };
    let built_in = || built_in::bytes().filter(|bytes| is_known(bytes.len() as u64)).map(Cow::Borrowed);
    let with_delta = |bytes: Base| {
        let delta = release.delta_from(Sha256::of(&bytes))?.clone();
        Some((bytes, delta))
    };
    stored.and_then(read).and_then(with_delta).or_else(|| built_in().and_then(with_delta))
}

/// Makes a snapshot from `base` and a delta, in the folder with the downloaded delta.
///
/// # Errors
/// Fails if the delta does not produce this snapshot, or the disk fails.
pub(super) fn applied(
    base: &[u8],
    (folder, mut delta): (TempDir, NewFile),
    to: &SnapshotOfRelease,
    disk: &Disk,
    url: String,
) -> Result<(TempDir, NewFile), Refusal> {
    let path = folder.path().join("made");
    let failed = |source| Refusal::Disk { path: path.clone(), source };
    let mut made = disk.create(&path).map_err(failed)?;
    apply(base, delta.file(), (to.bytes, to.sha256), &mut made)
        .map_err(|fault| Refusal::Delta { url, fault })?;
    made.file().rewind().map_err(failed)?;
    delta.remove().map_err(failed)?;
    Ok((folder, made))
}

/// Checks that an uncompressed file is the snapshot of the release.
///
/// # Errors
/// Fails if the file is another one, or cannot be read.
pub(super) fn check_digest(file: &mut File, expected: Sha256, url: &SnapshotUrl) -> Result<(), Refusal> {
    let read = file.rewind().and_then(|()| Sha256::of_reader(&*file));
    let got = read.and_then(|got| file.rewind().map(|()| got));
    let got = got.map_err(|source| Refusal::Broken(source.to_string()))?;
    if got == expected { Ok(()) } else { Err(Refusal::OtherFile { url: url.to_string(), expected, got }) }
}
