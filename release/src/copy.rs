//! Copies unpacked bytes to a file.

use std::io::{self, Read, Write};

/// The side on which a copy failed.
#[derive(Debug)]
pub enum CopyFault {
    /// The source is damaged or cut short.
    Read(io::Error),
    /// The target could not be written.
    Write(io::Error),
}

/// Copies all bytes. Unlike `io::copy`, it distinguishes a failing disk from a damaged source.
///
/// # Errors
/// If the source or the target fails.
pub fn copy(from: &mut impl Read, to: &mut impl Write) -> Result<(), CopyFault> {
    let mut piece = vec![0; 1 << 16];
    loop {
        let length = from.read(&mut piece).map_err(CopyFault::Read)?;
        if length == 0 {
            return Ok(());
        }
        to.write_all(&piece[..length]).map_err(CopyFault::Write)?;
    }
}
