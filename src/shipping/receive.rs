//! A body becomes a file, and a packed file one that is not: whole, or not at all.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, Write as _},
    path::Path,
};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use tokio::{sync::mpsc, task::spawn_blocking, time::timeout};

use super::{
    Limits, Refusal,
    client::{Arriving, in_words, late},
};

/// Pieces of a body that wait for the disk.
const PIECES_MAX: usize = 16;

/// The first bytes of a file that zstd has packed.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Writes a body to a file. A disk that is slow holds up the download, and no request.
pub(super) async fn receive(
    arriving: Arriving,
    url: &str,
    path: &Path,
    limits: &Limits,
) -> Result<File, Refusal> {
    check_size(url, arriving.length.unwrap_or(0), limits)?;
    let disk = |source| Refusal::Disk { path: path.to_owned(), source };
    let file = File::options().read(true).write(true).create_new(true).open(path).map_err(disk)?;
    let (sender, mut pieces) = mpsc::channel::<Bytes>(PIECES_MAX);
    let writer = spawn_blocking(move || {
        let mut file = file;
        while let Some(piece) = pieces.blocking_recv() {
            file.write_all(&piece)?;
        }
        file.rewind()?;
        Ok(file)
    });
    let sent = send(arriving, url, limits, sender).await;
    // When the disk has failed, nobody takes pieces any more; its reason is the one to tell.
    let written = writer.await.map_err(|error| Refusal::Broken(error.to_string()))?;
    let file = written.map_err(disk)?;
    sent.map(|()| file)
}

async fn send(
    mut arriving: Arriving,
    url: &str,
    limits: &Limits,
    sender: mpsc::Sender<Bytes>,
) -> Result<(), Refusal> {
    let mut got = 0;
    loop {
        let frame = timeout(limits.idle, arriving.body.frame()).await;
        let Some(frame) = frame.map_err(|_| late(url, "more of the file", limits.idle))? else {
            return Ok(());
        };
        let frame =
            frame.map_err(|error| Refusal::Cut { url: url.to_owned(), got, why: in_words(&error) })?;
        let Ok(piece) = frame.into_data() else { continue };
        got += piece.len() as u64;
        check_size(url, got, limits)?;
        if sender.send(piece).await.is_err() {
            return Ok(());
        }
    }
}

fn check_size(what: &str, got: u64, limits: &Limits) -> Result<(), Refusal> {
    let limit = limits.bytes_max;
    if got > limit { Err(Refusal::TooLarge { what: what.to_owned(), limit, got }) } else { Ok(()) }
}

/// The file itself, or what zstd has packed in it: as a server's coding or as a file ending in `.zst`, by its first
/// bytes. It is unpacked once, into a file at `path`.
pub(super) fn unpacked(mut file: File, path: &Path, limits: &Limits) -> Result<Option<File>, Refusal> {
    let mut magic = [0; ZSTD_MAGIC.len()];
    let begins = file.read_exact(&mut magic);
    file.rewind().map_err(Refusal::Packed)?;
    if begins.is_err() || magic != ZSTD_MAGIC {
        return Ok(None);
    }
    let disk = |source| Refusal::Disk { path: path.to_owned(), source };
    let mut to = File::options().read(true).write(true).create_new(true).open(path).map_err(disk)?;
    let mut from = zstd::Decoder::new(file).map_err(Refusal::Packed)?.take(limits.bytes_max + 1);
    copy(&mut from, &mut to, path)?;
    check_size("what is packed", to.stream_position().map_err(disk)?, limits)?;
    to.rewind().map_err(disk)?;
    Ok(Some(to))
}

/// Tells a disk that fails from a file that is damaged.
fn copy(from: &mut impl io::Read, to: &mut File, path: &Path) -> Result<(), Refusal> {
    let mut piece = vec![0; 1 << 16];
    loop {
        let length = from.read(&mut piece).map_err(Refusal::Packed)?;
        if length == 0 {
            return Ok(());
        }
        let written = to.write_all(&piece[..length]);
        written.map_err(|source| Refusal::Disk { path: path.to_owned(), source })?;
    }
}
