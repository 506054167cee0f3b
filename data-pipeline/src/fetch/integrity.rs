//! Checks that a zip file is complete.

use std::{fs::File, io, path::Path};

use zip::ZipArchive;

/// Maximum unpacked size in bytes: a hundred times the largest published file. Chosen, not measured.
const UNPACKED_BYTES_MAX: u64 = 8 << 30;

/// The fault of a zip file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IntegrityError {
    /// The file cannot be read.
    #[error("cannot be read ({0})")]
    Io(#[from] io::Error),
    /// The central directory is missing or damaged.
    #[error("expected a zip archive ({0}); download it again")]
    Archive(#[from] zip::result::ZipError),
    /// A member cannot be unpacked, or its CRC differs.
    #[error("member {member} is damaged ({source}); download it again")]
    Member {
        /// Name of the member.
        member: String,
        /// Error of the unpacking.
        source: io::Error,
    },
    /// The archive is empty.
    #[error("expected a zip archive with members, got an empty one; download it again")]
    Empty,
    /// The archive unpacks to more than any published one.
    #[error("unpacks to more than {UNPACKED_BYTES_MAX} bytes; check where it comes from")]
    TooLarge,
}

/// Unpacks every member of a zip file without keeping it, so that each CRC is checked.
///
/// # Errors
/// When the file is not a zip, has no members or a damaged one, or unpacks to more than the limit.
pub fn check_zip(path: &Path) -> Result<(), IntegrityError> {
    let mut archive = ZipArchive::new(io::BufReader::new(File::open(path)?))?;
    if archive.is_empty() {
        return Err(IntegrityError::Empty);
    }
    let mut left = UNPACKED_BYTES_MAX;
    for index in 0..archive.len() {
        let member = archive.by_index(index)?;
        let name = member.name().map_or_else(|_| format!("number {index}"), |name| name.to_string());
        let unpacked = io::copy(&mut io::Read::take(member, left + 1), &mut io::sink())
            .map_err(|source| IntegrityError::Member { member: name, source })?;
        left = left.checked_sub(unpacked).ok_or(IntegrityError::TooLarge)?;
    }
    Ok(())
}
