//! Where rows go: stdout, or a file that is there only when it is whole.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use flate2::{Compression, write::GzEncoder};
use tempfile::NamedTempFile;

/// Bytes written at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// A place for rows.
pub(super) enum Output {
    /// Stdout, where nothing may reach a terminal that it obeys.
    Stdout(Box<dyn Write>),
    /// A file beside the one that is asked for, which it replaces at the end.
    File(Box<Packed>, PathBuf),
}

/// A file, packed as its name says.
pub(super) enum Packed {
    /// As it is.
    Plain(BufWriter<NamedTempFile>),
    /// `.gz`
    Gzip(GzEncoder<BufWriter<NamedTempFile>>),
    /// `.zst`
    Zstd(zstd::Encoder<'static, BufWriter<NamedTempFile>>),
}

impl Output {
    /// Opens a file, or stdout for none.
    ///
    /// # Errors
    /// When the folder cannot be written to: said before anything is read.
    pub(super) fn open(path: Option<&Path>) -> Result<Output> {
        let Some(path) = path else {
            let stdout = io::stdout();
            let is_terminal = stdout.is_terminal();
            let buffered = BufWriter::with_capacity(BUFFER_BYTES, stdout);
            return Ok(Output::Stdout(if is_terminal {
                Box::new(Harmless(buffered))
            } else {
                Box::new(buffered)
            }));
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file =
            NamedTempFile::new_in(folder).with_context(|| format!("cannot write {}", path.display()))?;
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let packed = match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Packed::Gzip(GzEncoder::new(file, Compression::default())),
            Some("zst") => Packed::Zstd(zstd::Encoder::new(file, 0)?),
            _ => Packed::Plain(file),
        };
        Ok(Output::File(Box::new(packed), path.to_owned()))
    }

    /// Adds bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.write_all(bytes),
            Output::File(packed, _) => match &mut **packed {
                Packed::Plain(file) => file.write_all(bytes),
                Packed::Gzip(file) => file.write_all(bytes),
                Packed::Zstd(file) => file.write_all(bytes),
            },
        }
    }

    /// Ends the output; a file takes its place.
    ///
    /// # Errors
    /// When the last bytes cannot be written, or the file cannot be put in its place.
    pub(super) fn finish(self) -> Result<()> {
        let (packed, path) = match self {
            Output::Stdout(mut stdout) => return Ok(stdout.flush()?),
            Output::File(packed, path) => (packed, path),
        };
        let cannot = || format!("cannot write {}", path.display());
        let file = match *packed {
            Packed::Plain(file) => file,
            Packed::Gzip(file) => file.finish().with_context(cannot)?,
            Packed::Zstd(file) => file.finish().with_context(cannot)?,
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)?;
        readable_as_others(&file).with_context(cannot)?;
        file.persist(&path).with_context(cannot)?;
        Ok(())
    }
}

/// A temporary file is for its owner alone; a result is a file like any other.
fn readable_as_others(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// Takes out of a text what a terminal obeys.
struct Harmless<W>(W);

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_obeyed = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t');
        for part in bytes.split_inclusive(is_obeyed) {
            match part.split_last() {
                Some((last, before)) if is_obeyed(last) => {
                    self.0.write_all(before)?;
                    write!(self.0, "\\x{last:02x}")?;
                }
                _ => self.0.write_all(part)?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_nothing_to_obey() {
        let mut harmless = Harmless(Vec::new());
        harmless.write_all(b"a\x1b[2J,b\x07\r\n\tc\x7f").unwrap();
        assert_eq!(harmless.0, b"a\\x1b[2J,b\\x07\r\n\tc\\x7f");
    }
}
