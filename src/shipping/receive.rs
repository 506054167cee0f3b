//! Writes the body of a response to a file, and decompresses a packed file. Each result is complete, or an error.

use std::{
    fs::File,
    io::{Read as _, Seek as _, Write as _},
    path::Path,
    time::Duration,
};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use platbook_release::{CopyFault, copy};
use tokio::{
    sync::mpsc,
    task::spawn_blocking,
    time::{Instant, timeout},
};

use super::{
    Limits, Refusal,
    client::{Arriving, late},
};
use platbook::{
    files::durable::{Disk, NewFile},
    vocabulary::{OUTSIDE_CHARS_MAX, clean_text, with_causes},
};

/// Maximum number of pieces of a body that wait for the disk: chosen, not measured.
const PIECES_MAX: usize = 16;

/// The first bytes of a zstd frame (RFC 8878, section 3.1.1).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Writes a body to a file. A slow disk delays only the download.
pub(super) async fn receive(
    arriving: Arriving,
    url: &str,
    (disk, path): (&Disk, &Path),
    limits: &Limits,
) -> Result<NewFile, Refusal> {
    check_size(url, arriving.length.unwrap_or(0), limits)?;
    let failed = |source| Refusal::Disk { path: path.to_owned(), source };
    let file = disk.create(path).map_err(failed)?;
    let (sender, mut pieces) = mpsc::channel::<Bytes>(PIECES_MAX);
    let writer = spawn_blocking(move || {
        let mut file = file;
        while let Some(piece) = pieces.blocking_recv() {
            file.write_all(&piece)?;
        }
        file.file().rewind()?;
        Ok(file)
    });
    let sent = send(arriving, url, limits, sender).await;
    // A failed write drops the receiver, so sending fails as well. The error of the disk is the cause.
    let written = writer.await.map_err(|error| Refusal::Broken(error.to_string()))?;
    let file = written.map_err(failed)?;
    sent.map(|()| file)
}

async fn send(
    mut arriving: Arriving,
    url: &str,
    limits: &Limits,
    sender: mpsc::Sender<Bytes>,
) -> Result<(), Refusal> {
    let mut got = 0;
    let mut pace = Pace::new(limits, Instant::now());
    loop {
        let frame = timeout(limits.idle, arriving.body.frame()).await;
        let Some(frame) = frame.map_err(|_| late(url, "more of the file", limits.idle))? else {
            return Ok(());
        };
        let frame = frame.map_err(|error| {
            let why = clean_text(&with_causes(&error), OUTSIDE_CHARS_MAX);
            Refusal::Cut { url: url.to_owned(), got, why }
        })?;
        let Ok(piece) = frame.into_data() else { continue };
        got += piece.len() as u64;
        check_size(url, got, limits)?;
        pace.check(got, Instant::now(), url)?;
        if sender.send(piece).await.is_err() {
            return Ok(());
        }
    }
}

/// Checks that a body arrives fast enough: at least `bytes_min` in each interval.
#[derive(Debug)]
struct Pace {
    stretch: Duration,
    bytes_min: u64,
    began: Instant,
    /// Number of bytes received when the interval began.
    before: u64,
}

impl Pace {
    fn new(limits: &Limits, now: Instant) -> Pace {
        let bytes_min = limits.rate_min.saturating_mul(limits.idle.as_secs());
        Pace { stretch: limits.idle, bytes_min, began: now, before: 0 }
    }

    /// Records the number of bytes received until now. Each interval has at least one call, because a pause of a
    /// whole interval ends the download elsewhere.
    fn check(&mut self, got: u64, now: Instant, url: &str) -> Result<(), Refusal> {
        if now.duration_since(self.began) < self.stretch {
            return Ok(());
        }
        let came = got - self.before;
        if came < self.bytes_min {
            let (url, expected, after) = (url.to_owned(), self.bytes_min, self.stretch);
            return Err(Refusal::Slow { url, got: came, expected, after });
        }
        (self.began, self.before) = (now, got);
        Ok(())
    }
}

fn check_size(what: &str, got: u64, limits: &Limits) -> Result<(), Refusal> {
    let limit = limits.bytes_max;
    if got > limit { Err(Refusal::TooLarge { what: what.to_owned(), limit, got }) } else { Ok(()) }
}

/// Decompresses a zstd file once, into a file at `path`; `None` if its first bytes are not those of zstd. The first
/// bytes reveal both a content coding and a file that ends in `.zst`.
pub(super) fn unpacked(
    mut file: &File,
    (disk, path): (&Disk, &Path),
    limits: &Limits,
) -> Result<Option<NewFile>, Refusal> {
    let mut magic = [0; ZSTD_MAGIC.len()];
    let begins = file.read_exact(&mut magic);
    file.rewind().map_err(Refusal::Packed)?;
    if begins.is_err() || magic != ZSTD_MAGIC {
        return Ok(None);
    }
    let failed = |source| Refusal::Disk { path: path.to_owned(), source };
    let mut to = disk.create(path).map_err(failed)?;
    let mut from = zstd::Decoder::new(file).map_err(Refusal::Packed)?.take(limits.bytes_max + 1);
    copy(&mut from, &mut to).map_err(|fault| match fault {
        CopyFault::Read(error) => Refusal::Packed(error),
        CopyFault::Write(error) => failed(error),
    })?;
    check_size("what is packed", to.file().stream_position().map_err(failed)?, limits)?;
    to.file().rewind().map_err(failed)?;
    Ok(Some(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a body. Each step has a time in seconds and the bytes received until then. With `is_slow`, the download
    /// fails at the last step.
    fn check(steps: &[(u64, u64)], is_slow: bool) {
        let limits = Limits { idle: Duration::from_secs(30), rate_min: 100, ..Limits::default() };
        let began = Instant::now();
        let mut pace = Pace::new(&limits, began);
        let (last, first) = steps.split_last().unwrap();
        let mut at =
            |(seconds, got): &(u64, u64)| pace.check(*got, began + Duration::from_secs(*seconds), "it");
        for step in first {
            at(step).unwrap();
        }
        let said = at(last).map_err(|refusal| refusal.to_string());
        assert_eq!(said.is_err(), is_slow, "{steps:?}: {said:?}");
    }

    #[test]
    fn a_body_that_makes_no_progress_is_given_up() {
        check(&[(1, 1), (29, 29), (30, 30)], true);
        check(&[(1, 1), (29, 29), (31, 3_000)], false);
        // A fast interval does not make up for a slow one after it.
        check(&[(1, 1_000_000), (30, 1_000_001), (60, 1_000_031)], true);
        check(&[(30, 3_000), (60, 6_000), (90, 9_000)], false);
        check(&[(30, 3_000), (60, 6_000), (90, 8_999)], true);
    }
}
