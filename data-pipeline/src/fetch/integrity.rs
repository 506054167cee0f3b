//! Whether a zip file is whole.

use std::{fs::File, io, path::Path};

use zip::ZipArchive;

/// Most that a file may unpack to.
const UNPACKED_BYTES_MAX: u64 = 8 << 30;

/// What is wrong with a zip file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IntegrityError {
    /// The file cannot be read.
    #[error("cannot be read ({0})")]
    Io(#[from] io::Error),
    /// The central directory is missing or damaged.
    #[error("expected a zip archive ({0}); download it again")]
    Archive(#[from] zip::result::ZipError),
    /// A member does not unpack, or not to its CRC.
    #[error("member {member} is damaged ({source}); download it again")]
    Member {
        /// The member.
        member: String,
        /// How.
        source: io::Error,
    },
    /// The archive is empty.
    #[error("expected a zip archive with members, got an empty one; download it again")]
    Empty,
    /// The archive unpacks to more than any published one.
    #[error("unpacks to more than {UNPACKED_BYTES_MAX} bytes; check where it comes from")]
    TooLarge,
}

/// Unpacks every member of a zip file into nothing, so that each CRC is checked.
///
/// # Errors
/// When the central directory or a member is damaged, or there is none.
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
