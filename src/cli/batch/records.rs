//! Cuts a CSV file into pieces of whole records, so that several threads can read them.
//!
//! A quote that opens a field and is never closed would make the rest of the file one field. Here it spoils its own line
//! alone: that line is a piece by itself, marked, and reading goes on with the next. A quote counts as never
//! closed where the file ends before it does, where a later line goes on after the closing quote, and where its field
//! would be longer than any that people write.
//!
//! A record that is longer than any that people write ends the run with an error, so that a file without line ends takes no more
//! memory than others.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// Bytes of a piece, but for a single record that is longer.
pub(super) const PIECE_BYTES: usize = 256 << 10;
/// Bytes of a header at most: 16 for each of the [`FIELDS_MAX`](super::fields::FIELDS_MAX) columns. All of it is held while
/// the delimiter is found.
const HEADER_BYTES_MAX: usize = 256 << 10;
/// Bytes of any other record at most: ten times the outline of Alaska as GeoJSON, 1.4 MB, which a cell may hold.
const RECORD_BYTES_MAX: usize = 16 << 20;
/// The longest field in quotes: lines, and bytes.
const LINES_MAX: usize = 1_000;
const FIELD_BYTES_MAX: usize = 4 << 20;

/// Some whole records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Their bytes.
    pub(super) bytes: Vec<u8>,
    /// Line of the first, from 1.
    pub(super) first_line: u64,
    /// What ends a line.
    pub(super) line_end: u8,
    /// Whether it is one line, with a quote that is never closed.
    pub(super) is_open: bool,
}

/// Reads pieces, one after the other.
pub(super) struct Pieces<R> {
    input: R,
    /// What has been read; all before `start` has been given out.
    held: Vec<u8>,
    start: usize,
    is_at_end: bool,
    line: u64,
    delimiter: u8,
    /// What ends a line: `\n`, or `\r` in files of old Macs.
    end: u8,
}

/// Where a record ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// After its last byte.
    At(usize),
    /// Beyond what has been read.
    Beyond,
    /// Never: a quote is left open. The line it stands in ends here.
    Open(usize),
}

impl<R: Read> Pieces<R> {
    /// Begins to read, with the first line that has something; the delimiter is given when it is known.
    ///
    /// # Errors
    /// When the input cannot be read, or its first line is longer than a header may be.
    pub(super) fn new(input: R) -> io::Result<Pieces<R>> {
        let mut pieces = Pieces {
            input,
            held: Vec::new(),
            start: 0,
            is_at_end: false,
            line: 1,
            delimiter: b',',
            end: b'\n',
        };
        pieces.read_more()?;
        let is_old_mac = memchr(b'\n', &pieces.held).is_none();
        pieces.end = if is_old_mac { b'\r' } else { b'\n' };
        pieces.skip_blank_lines()?;
        pieces.read_header()?;
        Ok(pieces)
    }

    /// Lines of nothing but white space before the header are no rows: spreadsheets and mails leave them.
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

    /// Reads as many bytes as a header may have, so that [`Pieces::head`] is not cut within it.
    fn read_header(&mut self) -> io::Result<()> {
        while self.rest().len() <= HEADER_BYTES_MAX && !self.is_at_end {
            self.read_more()?;
        }
        let head = &self.rest()[..self.rest().len().min(HEADER_BYTES_MAX)];
        let has_end = head.len() == self.rest().len() || memchr(self.end, head).is_some();
        if has_end { Ok(()) } else { self.check_length(0, self.rest().len(), false, HEADER_BYTES_MAX) }
    }

    /// The first bytes of the file, for a look: the whole header is among them.
    pub(super) fn head(&self) -> &[u8] {
        self.rest()
    }

    /// The first record, by the delimiter that the file has.
    pub(super) fn header(&mut self, delimiter: u8) -> io::Result<Option<Piece>> {
        self.delimiter = delimiter;
        self.up_to(1, HEADER_BYTES_MAX)
    }

    /// The next records, about a quarter of a megabyte of them; `None` at the end of the file.
    ///
    /// # Errors
    /// When the input cannot be read, or a record is longer than [`RECORD_BYTES_MAX`].
    pub(super) fn piece(&mut self) -> io::Result<Option<Piece>> {
        self.up_to(PIECE_BYTES, RECORD_BYTES_MAX)
    }

    /// Whole records until there are so many bytes, none of them longer than `record_bytes_max`.
    fn up_to(&mut self, bytes: usize, record_bytes_max: usize) -> io::Result<Option<Piece>> {
        let mut end = self.plain_lines(bytes);
        loop {
            let found = self.end_of_record(end);
            let (to, is_whole) = match found {
                End::At(at) | End::Open(at) => (at, true),
                End::Beyond => (self.rest().len(), false),
            };
            // Records before one that is too long, or has an open quote, are given first.
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

    /// Refuses a record from `start` to `end` that is too long; `is_whole` where it ends there.
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

    /// What has been read and not given out.
    fn rest(&self) -> &[u8] {
        &self.held[self.start..]
    }

    /// Bytes of whole lines, where there is no quote: each line is a record. No more than `bytes` of them.
    fn plain_lines(&self, bytes: usize) -> usize {
        let bytes = &self.rest()[..bytes.min(self.rest().len())];
        let has_quotes = memchr(b'"', bytes).is_some();
        memrchr(self.end, bytes).filter(|_| !has_quotes).map_or(0, |at| at + 1)
    }

    fn give(&mut self, end: usize, is_open: bool) -> Piece {
        let bytes = self.rest()[..end].to_vec();
        self.start += end;
        let first_line = self.line;
        self.line += memchr_iter(self.end, &bytes).count() as u64;
        Piece { bytes, first_line, line_end: self.end, is_open }
    }

    /// Reads as much again as is held, and a piece at least: so a long record is looked through some two times in all, not once
    /// for each piece of it.
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
            let opens = found == start || bytes[found - 1] == self.delimiter || bytes[found - 1] == b'\r';
            match if opens { self.end_of_quotes(found) } else { End::At(found + 1) } {
                End::At(next) => at = next,
                other => return other,
            }
        }
    }

    /// Where the field ends whose opening quote stands here: after the closing quote.
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
                // Text after the closing quote, as in `"a"b`: sloppy within a line, another field's quote beyond it.
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
