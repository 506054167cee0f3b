//! Cuts a CSV file into pieces of whole records, so that several threads can read them.
//!
//! A quote that opens a field and is never closed would make the rest of the file one field. Here it spoils only its
//! own line: that line becomes a marked piece, and reading continues with the next. A quote counts as never closed if
//! the file ends first, or if text follows the closing quote in a later line. A field longer than [`LINES_MAX`] or
//! [`FIELD_BYTES_MAX`] counts as never closed, too.
//!
//! A record longer than [`RECORD_BYTES_MAX`] ends the run with an error. This bounds the memory for a file without
//! line ends.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// Size of a piece in bytes, unless a single record is longer. Chosen, not measured.
pub(super) const PIECE_BYTES: usize = 256 << 10;
/// Maximum length of a header in bytes: 16 for each of the [`FIELDS_MAX`](super::layout::FIELDS_MAX) columns. The
/// whole header is in memory while the delimiter is found.
const HEADER_BYTES_MAX: usize = 256 << 10;
/// Maximum length of any other record in bytes: ten times the outline of Alaska as GeoJSON (1.4 MB), which a cell may
/// hold.
const RECORD_BYTES_MAX: usize = 16 << 20;
/// Maximum number of lines and bytes of a quoted field. Chosen, not measured; the outline of Alaska has 1.4 MB.
const LINES_MAX: usize = 1_000;
const FIELD_BYTES_MAX: usize = 4 << 20;

/// A run of whole records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// The bytes of the records, with line ends.
    pub(super) bytes: Vec<u8>,
    /// The line number of the first record, from 1.
    pub(super) first_line: u64,
    /// The byte that ends a line.
    pub(super) line_end: u8,
    /// Whether the piece is a single line with a quote that is never closed.
    pub(super) is_open: bool,
}

/// Reads a file piece by piece.
pub(super) struct Pieces<R> {
    input: R,
    /// Bytes that were read from the file. Those before `start` were returned already.
    held: Vec<u8>,
    start: usize,
    is_at_end: bool,
    line: u64,
    delimiter: u8,
    /// The byte that ends a line: `\n`, or `\r` in files of old Macs.
    end: u8,
    /// Whether each line is a record even if it contains quotes, as in JSON lines.
    has_lines_only: bool,
}

/// The end of a record.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The index after the last byte of the record.
    At(usize),
    /// The end has not been read yet.
    Beyond,
    /// The record has a quote that is never closed. Holds the end of the line with the quote.
    Open(usize),
}

impl<R: Read> Pieces<R> {
    /// Reads the start of the file, including the header. The delimiter is set later, once it is known.
    ///
    /// # Errors
    /// If the input cannot be read, or its first line is longer than [`HEADER_BYTES_MAX`].
    pub(super) fn new(input: R) -> io::Result<Pieces<R>> {
        let mut pieces = Pieces {
            input,
            held: Vec::new(),
            start: 0,
            is_at_end: false,
            line: 1,
            delimiter: b',',
            end: b'\n',
            has_lines_only: false,
        };
        pieces.read_more()?;
        let is_old_mac = memchr(b'\n', &pieces.held).is_none();
        pieces.end = if is_old_mac { b'\r' } else { b'\n' };
        pieces.skip_blank_lines()?;
        pieces.read_header()?;
        Ok(pieces)
    }

    /// Skips blank lines before the header, which spreadsheets and mails leave.
    fn skip_blank_lines(&mut self) -> io::Result<()> {
        loop {
            let rest = self.rest();
            let white = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let end = rest[..white].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
            let blank = end.map_or(0, |end| end + 1);
            let is_all = white == rest.len();
            self.line += self.lines(&rest[..blank]) as u64;
            self.start += blank;
            if !is_all || self.is_at_end {
                return Ok(());
            }
            self.check_length(0, white - blank, false, HEADER_BYTES_MAX)?;
            self.read_more()?;
        }
    }

    /// Reads up to [`HEADER_BYTES_MAX`], so that [`Pieces::head`] contains the whole header.
    fn read_header(&mut self) -> io::Result<()> {
        while self.rest().len() <= HEADER_BYTES_MAX && !self.is_at_end {
            self.read_more()?;
        }
        let head = &self.rest()[..self.rest().len().min(HEADER_BYTES_MAX)];
        let has_end = head.len() == self.rest().len() || memchr(self.end, head).is_some();
        if has_end { Ok(()) } else { self.check_length(0, self.rest().len(), false, HEADER_BYTES_MAX) }
    }

    /// Returns the first bytes of the file, with the whole header.
    pub(super) fn head(&self) -> &[u8] {
        self.rest()
    }

    /// Sets the delimiter and returns the first record.
    pub(super) fn header(&mut self, delimiter: u8) -> io::Result<Option<Piece>> {
        self.delimiter = delimiter;
        self.up_to(1, HEADER_BYTES_MAX)
    }

    /// From now on, treats each line as a record, for files without a header.
    pub(super) fn read_lines_only(&mut self) {
        self.has_lines_only = true;
    }

    /// Returns the next records, about [`PIECE_BYTES`]; `None` at the end of the file.
    ///
    /// # Errors
    /// If the input cannot be read, or a record is longer than [`RECORD_BYTES_MAX`].
    pub(super) fn piece(&mut self) -> io::Result<Option<Piece>> {
        self.up_to(PIECE_BYTES, RECORD_BYTES_MAX)
    }

    /// Returns whole records of at least `bytes` in total, each at most `record_bytes_max`.
    fn up_to(&mut self, bytes: usize, record_bytes_max: usize) -> io::Result<Option<Piece>> {
        let mut end = self.plain_lines(bytes);
        loop {
            let found = self.end_of_record(end);
            let (to, is_whole) = match found {
                End::At(at) | End::Open(at) => (at, true),
                End::Beyond => (self.rest().len(), false),
            };
            // The records before one that is too long or open are returned first.
            let is_apart = to - end > record_bytes_max || matches!(found, End::Open(_));
            if is_apart && end > 0 {
                return Ok(Some(self.give(end, false)));
            }
            self.check_length(end, to, is_whole, record_bytes_max)?;
            match found {
                End::At(at) => end = at,
                End::Open(at) => return Ok(Some(self.give(at, true))),
                End::Beyond => {
                    self.read_more()?;
                    continue;
                }
            }
            if end >= bytes || end == self.rest().len() && self.is_at_end {
                return Ok((end > 0).then(|| self.give(end, false)));
            }
        }
    }

    /// Rejects a record from `start` to `end` that is too long. `is_whole` says that the record ends there.
    fn check_length(&self, start: usize, end: usize, is_whole: bool, bytes_max: usize) -> io::Result<()> {
        let got = end - start;
        if got <= bytes_max {
            return Ok(());
        }
        let line = self.line + self.lines(&self.rest()[..start]) as u64;
        let got = if is_whole { got.to_string() } else { format!("{got} without its end") };
        let what = format!("line {line}: expected a row of at most {bytes_max} bytes, got {got}");
        Err(io::Error::new(io::ErrorKind::InvalidData, what))
    }

    /// Returns the bytes that were read and not returned yet.
    fn rest(&self) -> &[u8] {
        &self.held[self.start..]
    }

    /// Returns the length of whole lines within the first `bytes`; 0 if a quote may span some of them. Without quotes,
    /// each line is a record.
    fn plain_lines(&self, bytes: usize) -> usize {
        let bytes = &self.rest()[..bytes.min(self.rest().len())];
        let has_quotes = || !self.has_lines_only && memchr(b'"', bytes).is_some();
        memrchr(self.end, bytes).filter(|_| !has_quotes()).map_or(0, |at| at + 1)
    }

    fn give(&mut self, end: usize, is_open: bool) -> Piece {
        let bytes = self.rest()[..end].to_vec();
        self.start += end;
        let first_line = self.line;
        self.line += memchr_iter(self.end, &bytes).count() as u64;
        Piece { bytes, first_line, line_end: self.end, is_open }
    }

    /// Doubles the number of bytes in `held`, or reads a piece if that is more. Doubling keeps the scan of a long
    /// record linear: some two passes in all.
    fn read_more(&mut self) -> io::Result<()> {
        self.held.drain(..self.start);
        self.start = 0;
        let before = self.held.len();
        let wanted = before.max(PIECE_BYTES) as u64;
        (&mut self.input).take(wanted).read_to_end(&mut self.held)?;
        self.is_at_end = self.held.len() == before;
        Ok(())
    }

    fn end_of_record(&self, start: usize) -> End {
        let bytes = self.rest();
        let mut at = start;
        loop {
            let Some(found) = memchr2(self.end, b'"', &bytes[at..]).map(|found| at + found) else {
                return if self.is_at_end { End::At(bytes.len()) } else { End::Beyond };
            };
            if bytes[found] == self.end {
                return End::At(found + 1);
            }
            if self.has_lines_only {
                at = found + 1;
                continue;
            }
            let opens = found == start || bytes[found - 1] == self.delimiter || bytes[found - 1] == b'\r';
            match if opens { self.end_of_quotes(found) } else { End::At(found + 1) } {
                End::At(next) => at = next,
                other => return other,
            }
        }
    }

    /// Returns the end of a quoted field, after its closing quote.
    fn end_of_quotes(&self, open: usize) -> End {
        let bytes = self.rest();
        let (mut at, mut lines) = (open + 1, 0);
        let is_too_long = |lines, to| lines > LINES_MAX || to - open > FIELD_BYTES_MAX;
        while let Some(quote) = memchr(b'"', &bytes[at..]).map(|found| at + found) {
            lines += self.lines(&bytes[at..quote]);
            match bytes.get(quote + 1) {
                _ if is_too_long(lines, quote) => return self.open(open),
                Some(b'"') => at = quote + 2,
                Some(next) if *next == self.delimiter || matches!(*next, b'\n' | b'\r') => {
                    return End::At(quote + 1);
                }
                // Text follows the closing quote, as in `"a"b`. Within one line, this is sloppy writing. In a later
                // line, the quote opens another field.
                Some(_) if lines == 0 => return End::At(quote + 1),
                Some(_) => return self.open(open),
                None if self.is_at_end => return End::At(quote + 1),
                None => return End::Beyond,
            }
        }
        lines += self.lines(&bytes[at..]);
        if self.is_at_end || is_too_long(lines, bytes.len()) { self.open(open) } else { End::Beyond }
    }

    fn open(&self, quote: usize) -> End {
        match memchr(self.end, &self.rest()[quote..]) {
            Some(found) => End::Open(quote + found + 1),
            None if self.is_at_end => End::Open(self.rest().len()),
            None => End::Beyond,
        }
    }

    fn lines(&self, bytes: &[u8]) -> usize {
        memchr_iter(self.end, bytes).count()
    }
}

#[cfg(test)]
mod tests;
