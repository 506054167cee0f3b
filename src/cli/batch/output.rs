//! The output of rows: stdout, or a file that appears only when it is complete.
//!
//! The file has no name before that moment, if the file system allows this. Then a signal or a power cut leaves no
//! partial file behind.

use std::{
    fs::{self, File},
    io::{self, BufWriter, IsTerminal, Seek as _, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use flate2::{Compression, write::GzEncoder};

use crate::system::name_file;
use platbook::files::{
    durable::{Disk, PUBLIC, folder_of, is_device},
    system::set_mode,
};

/// Number of bytes to write at a time. Chosen, not measured.
const BUFFER_BYTES: usize = 1 << 20;

/// The destination of rows.
pub(super) enum Output {
    /// Stdout. Control characters are escaped for a terminal.
    Stdout(Box<dyn Write + Send>),
    /// A file with its path. The ending of its name decides how it is packed.
    File(Box<Packed>, PathBuf),
}

/// The place of a file's bytes until the file is complete.
pub(super) enum Place {
    /// In the folder of the output file, without a name until it replaces that file.
    Unnamed(File),
    /// The device or pipe at the path, which must not be replaced by a file.
    Itself(File),
}

impl Place {
    fn open(path: &Path) -> io::Result<Place> {
        if is_device(path) {
            return Ok(Place::Itself(File::options().write(true).open(path)?));
        }
        tempfile::tempfile_in(folder_of(path)).map(Place::Unnamed)
    }

    fn settle(self, path: &Path) -> io::Result<()> {
        let Place::Unnamed(mut file) = self else { return Ok(()) };
        let (disk, path) = (Disk::default(), fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
        // Only the owner can read a temporary file; a result should be an ordinary file.
        set_mode(&file, PUBLIC)?;
        file.sync_all()?;
        // Takes two steps, since `linkat` cannot overwrite. The file first gets a new name, and is then renamed over
        // the old file.
        let named = tempfile::Builder::new().make_in(folder_of(&path), |new| name_file(&file, new));
        match named {
            Ok(named) => disk.settle(named.path(), &path),
            // Network file systems, and systems other than Linux, cannot name an unnamed file.
            Err(_) => {
                file.rewind()?;
                disk.replace(&path, PUBLIC, |copy| io::copy(&mut file, copy).map(drop))
            }
        }
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Place::Unnamed(file) => file.write(bytes),
            Place::Itself(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Place::Unnamed(file) => file.flush(),
            Place::Itself(file) => file.flush(),
        }
    }
}

/// A file, packed as the ending of its name says.
pub(super) enum Packed {
    /// Not packed, for any other ending.
    Plain(BufWriter<Place>),
    /// Packed with gzip, for the ending `.gz`.
    Gzip(GzEncoder<BufWriter<Place>>),
    /// Packed with zstd, for the ending `.zst`.
    Zstd(zstd::Encoder<'static, BufWriter<Place>>),
}

impl Output {
    /// Opens a file, or stdout for `None`.
    ///
    /// # Errors
    /// Fails if the program cannot write to the folder. Callers open the output before they read any input.
    pub(super) fn open(path: Option<&Path>) -> Result<Output> {
        let Some(path) = path else {
            let stdout = io::stdout();
            let is_terminal = stdout.is_terminal();
            let buffered = BufWriter::with_capacity(BUFFER_BYTES, stdout);
            return Ok(Output::Stdout(if is_terminal {
                Box::new(EscapeControls(buffered))
            } else {
                Box::new(buffered)
            }));
        };
        let file = Place::open(path).with_context(|| format!("cannot write {}", path.display()))?;
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let packed = match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Packed::Gzip(GzEncoder::new(file, Compression::default())),
            Some("zst") => Packed::Zstd(zstd::Encoder::new(file, 0)?),
            _ => Packed::Plain(file),
        };
        Ok(Output::File(Box::new(packed), path.to_owned()))
    }

    /// Completes the output, and moves a file to its path.
    ///
    /// # Errors
    /// If the last bytes cannot be written, or the file cannot be moved.
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
        file.settle(&path).with_context(cannot)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::File(packed, _) => match &mut **packed {
                Packed::Plain(file) => file.write(bytes),
                Packed::Gzip(file) => file.write(bytes),
                Packed::Zstd(file) => file.write(bytes),
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::File(packed, _) => match &mut **packed {
                Packed::Plain(file) => file.flush(),
                Packed::Gzip(file) => file.flush(),
                Packed::Zstd(file) => file.flush(),
            },
        }
    }
}

/// Escapes control characters, which a terminal would obey.
struct EscapeControls<W>(W);

impl<W: Write> Write for EscapeControls<W> {
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
    fn what_is_no_file_is_written_and_never_replaced() {
        use std::{io::Read as _, os::unix::fs::symlink};
        let folder = tempfile::tempdir().unwrap();
        let (there, link) = (folder.path().join("there.csv"), folder.path().join("link.csv"));
        fs::write(&there, "old").unwrap();
        symlink(&there, &link).unwrap();
        let write = |path: &Path| {
            let mut output = Output::open(Some(path)).unwrap();
            output.write_all(b"rows").unwrap();
            output.finish().unwrap();
        };
        write(&link);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&there).unwrap(), b"rows");
        // A named pipe, as a shell's `>(...)` makes it.
        let (mut reader, writer) = io::pipe().unwrap();
        let named = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer));
        write(Path::new(&named));
        drop(writer);
        let mut rows = String::new();
        reader.read_to_string(&mut rows).unwrap();
        assert_eq!(rows, "rows");
    }

    #[test]
    fn a_terminal_gets_nothing_to_obey() {
        let mut harmless = EscapeControls(Vec::new());
        harmless.write_all(b"a\x1b[2J,b\x07\r\n\tc\x7f").unwrap();
        assert_eq!(harmless.0, b"a\\x1b[2J,b\\x07\r\n\tc\\x7f");
    }
}
