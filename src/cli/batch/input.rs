//! Opens a file of points as UTF-8. Its first bytes decide how it is unpacked and decoded.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
};

use anyhow::{Context as _, Result};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;

use super::{super::UsageError, HAS_COLUMNS};

/// Number of bytes at the start of a file that decide its kind. Chosen, not measured.
const HEAD_BYTES: usize = 4 << 10;

/// The advice for a Parquet or Arrow file that is read as text.
const COLUMNS: &str = if HAS_COLUMNS {
    "a Parquet or Arrow file, which is read by its path and not packed"
} else {
    "a Parquet or Arrow file, which this build does not read: build it with --features parquet"
};

/// First bytes of files that cannot be read as rows, each with the advice for the user.
const OTHER_KINDS: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a zip archive or a spreadsheet; unpack it, or save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet; save it as CSV"),
    (b"BZh", "packed with bzip2; unpack it first"),
    (b"\xfd7zXZ\x00", "packed with xz; unpack it first"),
    (b"PAR1", COLUMNS),
    (b"ARROW1", COLUMNS),
    (b"%PDF", "a PDF"),
];

/// Opens a file, or stdin for `-`. The progress bar counts its packed bytes.
///
/// # Errors
/// If the file cannot be read, or is of a kind without rows.
pub(super) fn open(path: &Path, progress: &ProgressBar) -> Result<Box<dyn Read + Send>> {
    let (raw, name): (Box<dyn Read + Send>, String) = if path == Path::new("-") {
        (Box::new(io::stdin()), "stdin".to_owned())
    } else {
        let cannot = || format!("--in: cannot read {}", path.display());
        let file = File::open(path).with_context(cannot)?;
        let metadata = file.metadata().with_context(cannot)?;
        if metadata.is_dir() {
            return Err(UsageError(format!("{} is a folder; expected a CSV file", path.display())).into());
        }
        progress.set_length(metadata.len());
        (Box::new(file), path.display().to_string())
    };
    unpacked(Box::new(progress.wrap_read(raw)), &name).with_context(|| format!("cannot read {name}"))
}

/// Unpacks gzip and zstd; other files stay as they are.
pub(super) fn unpacked(mut raw: Box<dyn Read + Send>, name: &str) -> Result<Box<dyn Read + Send>> {
    let head = head(&mut raw)?;
    let whole = |head: Vec<u8>, raw| Cursor::new(head).chain(raw);
    if head.starts_with(&[0x1f, 0x8b]) {
        return decoded(Box::new(MultiGzDecoder::new(whole(head, raw))), name);
    }
    if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return decoded(Box::new(zstd::Decoder::new(whole(head, raw))?), name);
    }
    decoded(Box::new(whole(head, raw)), name)
}

/// Removes a byte order mark and converts UTF-16 to UTF-8. Leaves other bytes unchanged, even if they are not UTF-8.
fn decoded(mut raw: Box<dyn Read + Send>, name: &str) -> Result<Box<dyn Read + Send>> {
    let head = head(&mut raw)?;
    if let Some((_, what)) = OTHER_KINDS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(UsageError(format!("expected a CSV file; {name} is {what}")).into());
    }
    let reader = DecodeReaderBytesBuilder::new()
        .encoding(utf16_without_mark(&head))
        .utf8_passthru(true)
        .strip_bom(true)
        .bom_override(true)
        .build(Cursor::new(head).chain(raw));
    Ok(Box::new(reader))
}

/// Recognizes UTF-16 without a byte order mark: in Latin text, every second byte is zero. At least four pairs are
/// needed, and seven of eight must agree.
fn utf16_without_mark(head: &[u8]) -> Option<&'static Encoding> {
    let pairs = head.chunks_exact(2).take(32);
    let (mut little, mut big, mut all) = (0, 0, 0);
    for pair in pairs {
        all += 1;
        little += u32::from(pair[0] != 0 && pair[1] == 0);
        big += u32::from(pair[0] == 0 && pair[1] != 0);
    }
    match all {
        4.. if little * 8 >= all * 7 => Some(UTF_16LE),
        4.. if big * 8 >= all * 7 => Some(UTF_16BE),
        _ => None,
    }
}

fn head(raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    raw.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}
