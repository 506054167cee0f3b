//! Splits a piece of a file into rows and fields.
//!
//! Most files have no quotes. In these, a row is a line and its fields lie between delimiters, so nothing is copied.

use std::ops::Range;

use memchr::{Memchr3, memchr, memchr_iter, memchr2, memchr3_iter};

use super::{
    json_lines::JsonHeader,
    layout::{FIELDS_MAX, Form, Layout},
    records::Piece,
};

/// Error for a row with more than [`FIELDS_MAX`] fields.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManyFields {
    /// Index of the row's first byte within the piece.
    pub(super) start: usize,
}

/// The fields of a row, in one slice of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    /// The end of each field, as an index into `bytes`.
    ends: &'a [usize],
    /// Number of bytes between two fields: 1 for the delimiter, 0 if quotes were removed.
    gap: usize,
}

impl<'a> Fields<'a> {
    /// Returns the number of fields.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a field without its quotes; `None` if the row has fewer fields.
    pub(super) fn get(&self, at: usize) -> Option<&'a [u8]> {
        let start = at.checked_sub(1).map_or(Some(0), |before| Some(self.ends.get(before)? + self.gap))?;
        self.bytes.get(start..*self.ends.get(at)?)
    }

    /// Returns all bytes of the row, without quotes. A line of JSON has no fields and is returned unchanged.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the fields of the row after the first `count`.
    pub(super) fn skip(self, count: usize) -> impl Iterator<Item = &'a [u8]> {
        (count..self.len()).filter_map(move |at| self.get(at))
    }

    /// Returns the row as it is in the file, split after its first `fields` fields. `None` if the piece has quotes.
    pub(super) fn as_written(&self, fields: usize) -> Option<(&'a [u8], &'a [u8])> {
        let end = self.ends.get(fields.min(self.len()).checked_sub(1)?)?;
        (self.gap > 0).then(|| self.bytes.split_at(*end))
    }
}

/// A block of rows. Its memory is reused for the next block.
#[derive(Default)]
pub(super) struct Block {
    rows: Vec<BlockRow>,
    /// The ends of the fields of all rows, in order.
    ends: Vec<usize>,
    /// The bytes of fields from which quotes were removed.
    unquoted: Vec<u8>,
    /// Number of bytes between two fields of a row, see [`Fields`].
    gap: usize,
}

/// The position of a row.
struct BlockRow {
    /// Index of the row's first byte in the piece.
    start: usize,
    /// Range of the row's fields in the piece, or in `unquoted`.
    bytes: Range<usize>,
    /// Range of the row in `Block::ends`.
    ends: Range<usize>,
}

impl Block {
    /// Returns the rows of a piece, each with the index of its first byte.
    pub(super) fn rows<'b>(&'b self, piece: &'b Piece) -> impl Iterator<Item = (usize, Fields<'b>)> {
        let bytes = if self.gap > 0 { &piece.bytes } else { &self.unquoted };
        self.rows.iter().map(move |row| {
            let (bytes, ends) = (&bytes[row.bytes.clone()], &self.ends[row.ends.clone()]);
            (row.start, Fields { bytes, ends, gap: self.gap })
        })
    }
}

/// Reads the rows of a piece, block by block.
pub(super) struct Rows<'p> {
    bytes: &'p [u8],
    /// Index of the first byte of the next row.
    at: usize,
    way: Way<'p>,
    /// The error to return for the next call, because the rows before the faulty one were returned first.
    fault: Option<TooManyFields>,
}

/// The method of splitting rows.
enum Way<'p> {
    /// Without quotes: finds line ends and delimiters, in order.
    Lines { marks: Memchr3<'p>, delimiter: u8 },
    /// With quotes: all rules of CSV. Holds the unquoted fields of a row, and their ends.
    Quoted { reader: Box<csv_core::Reader>, fields: Vec<u8>, ends: Vec<usize> },
    /// For JSON lines: an object on each line.
    Json(JsonHeader),
}

impl<'p> Rows<'p> {
    pub(super) fn new(piece: &'p Piece, layout: &Layout) -> Rows<'p> {
        let bytes = &piece.bytes[..];
        let way = match layout.form {
            Form::JsonLines => Way::Json(JsonHeader::new(&layout.header)),
            Form::Csv(delimiter) if memchr(b'"', bytes).is_none() => {
                Way::Lines { marks: memchr3_iter(b'\n', b'\r', delimiter, bytes), delimiter }
            }
            Form::Csv(delimiter) => {
                let reader = Box::new(csv_core::ReaderBuilder::new().delimiter(delimiter).build());
                Way::Quoted { reader, fields: vec![0; 1 << 10], ends: Vec::new() }
            }
        };
        Rows { bytes, at: 0, way, fault: None }
    }

    /// Fills a block with the next rows, at most `rows_max`. Returns whether there were any.
    ///
    /// # Errors
    /// If a row has more than [`FIELDS_MAX`] fields.
    pub(super) fn fill(&mut self, block: &mut Block, rows_max: usize) -> Result<bool, TooManyFields> {
        block.rows.clear();
        block.ends.clear();
        block.unquoted.clear();
        block.gap = usize::from(matches!(self.way, Way::Lines { .. }));
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        while block.rows.len() < rows_max {
            match self.add_next(block) {
                Ok(true) => {}
                Ok(false) => break,
                Err(fault) if block.rows.is_empty() => return Err(fault),
                // The rows before the faulty one are returned first.
                Err(fault) => {
                    self.fault = Some(fault);
                    break;
                }
            }
        }
        Ok(!block.rows.is_empty())
    }

    /// Adds the next row; returns `false` at the end.
    fn add_next(&mut self, block: &mut Block) -> Result<bool, TooManyFields> {
        let first_end = block.ends.len();
        let (start, bytes) = match &mut self.way {
            Way::Lines { marks, delimiter } => {
                let line = next_line(self.bytes, self.at, marks, *delimiter, &mut block.ends)?;
                let Some(line) = line else {
                    self.at = self.bytes.len();
                    return Ok(false);
                };
                self.at = line.end + 1;
                (line.start, line)
            }
            Way::Quoted { reader, fields, ends } => {
                let start = self.at + blank(&self.bytes[self.at..]);
                self.at = start;
                let count = next_record(self.bytes, &mut self.at, reader, fields, ends)?;
                let Some(count) = count else { return Ok(false) };
                let length = ends[..count].last().copied().unwrap_or_default();
                let before = block.unquoted.len();
                block.unquoted.extend_from_slice(&fields[..length]);
                block.ends.extend_from_slice(&ends[..count]);
                (start, before..before + length)
            }
            Way::Json(header) => {
                let start = self.at + blank(&self.bytes[self.at..]);
                let rest = &self.bytes[start..];
                if rest.is_empty() {
                    return Ok(false);
                }
                let line = &rest[..memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
                self.at = start + line.len();
                let before = block.unquoted.len();
                header.split(line, &mut block.unquoted, &mut block.ends);
                if block.ends.len() == first_end {
                    block.unquoted.extend_from_slice(line);
                }
                (start, before..block.unquoted.len())
            }
        };
        block.rows.push(BlockRow { start, bytes, ends: first_end..block.ends.len() });
        Ok(true)
    }
}

/// Returns the empty lines before the next row.
fn blank(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count()
}

/// Returns the next line that is not empty, and adds the ends of its fields.
#[inline]
fn next_line(
    bytes: &[u8],
    mut start: usize,
    marks: &mut Memchr3<'_>,
    delimiter: u8,
    ends: &mut Vec<usize>,
) -> Result<Option<Range<usize>>, TooManyFields> {
    let first_end = ends.len();
    loop {
        let mark = marks.next().unwrap_or(bytes.len());
        if start >= bytes.len() {
            return Ok(None);
        }
        if mark == start && ends.len() == first_end && bytes[mark] != delimiter {
            start += 1;
            continue;
        }
        ends.push(mark - start);
        if bytes.get(mark) != Some(&delimiter) {
            return Ok(Some(start..mark));
        }
        if ends.len() - first_end == FIELDS_MAX {
            return Err(TooManyFields { start });
        }
    }
}

/// Reads a record and returns the number of its fields; `None` at the end.
fn next_record(
    bytes: &[u8],
    at: &mut usize,
    reader: &mut csv_core::Reader,
    fields: &mut Vec<u8>,
    ends: &mut Vec<usize>,
) -> Result<Option<usize>, TooManyFields> {
    use csv_core::ReadRecordResult::{End, InputEmpty, OutputEndsFull, OutputFull, Record};
    let (start, mut written, mut count) = (*at, 0, 0);
    loop {
        let (result, read, new_bytes, new_ends) =
            reader.read_record(&bytes[*at..], &mut fields[written..], &mut ends[count..]);
        (*at, written, count) = (*at + read, written + new_bytes, count + new_ends);
        match result {
            // Called again with empty input, the reader returns the last record.
            InputEmpty => {}
            OutputFull => fields.resize(fields.len() * 2, 0),
            OutputEndsFull if ends.len() > FIELDS_MAX => return Err(TooManyFields { start }),
            OutputEndsFull => ends.resize(ends.len() * 2 + 16, 0),
            Record if count > FIELDS_MAX => return Err(TooManyFields { start }),
            Record => return Ok(Some(count)),
            End => return Ok(None),
        }
    }
}

/// Returns the line of the file, from 1, in which a row of a piece begins.
pub(super) fn line_of(piece: &Piece, start: usize) -> u64 {
    let ends = memchr_iter(piece.line_end, &piece.bytes[..start]).count();
    piece.first_line + ends as u64
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::{super::layout::Kind, *};

    fn layout(delimiter: u8) -> Layout {
        let kind = Kind::Point { lat: 0, lon: 1 };
        Layout { form: Form::Csv(delimiter), kind, header: csv::ByteRecord::new() }
    }

    fn rows(bytes: &[u8], delimiter: u8) -> Vec<Vec<Vec<u8>>> {
        let piece = Piece { bytes: bytes.to_vec(), ..Piece::default() };
        let (mut rows, mut block) = (Rows::new(&piece, &layout(delimiter)), Block::default());
        let mut all = Vec::new();
        while rows.fill(&mut block, 3).unwrap() {
            for (start, fields) in block.rows(&piece) {
                assert!(start < bytes.len() && fields.get(fields.len()).is_none());
                all.push(fields.skip(0).map(<[u8]>::to_vec).collect());
            }
        }
        all
    }

    proptest! {
        /// Rows, with or without quotes, equal those that the `csv` crate reads.
        #[test]
        fn rows_are_those_of_csv(parts in vec(prop_oneof![
            Just(","), Just(";"), Just("\n"), Just("\r"), Just("\r\n"), Just("a"), Just(" "), Just("\0"), Just("é"), Just("\"")
        ], 0..30), has_quotes: bool) {
            let text = if has_quotes { parts.concat() } else { parts.concat().replace('"', "") };
            for delimiter in *b",;" {
                let mut reader = csv::ReaderBuilder::new()
                    .has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
                let expected: Vec<Vec<Vec<u8>>> = reader
                    .byte_records()
                    .map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect())
                    .collect();
                prop_assert_eq!(rows(text.as_bytes(), delimiter), expected);
            }
        }
    }

    #[test]
    fn a_line_is_given_as_written() {
        let piece =
            Piece { bytes: b"\r\n1,2,,x,y\n".to_vec(), line_end: b'\n', first_line: 7, ..Piece::default() };
        let (mut rows, mut block) = (Rows::new(&piece, &layout(b',')), Block::default());
        assert!(rows.fill(&mut block, 9).unwrap());
        let [(start, fields)] = block.rows(&piece).collect::<Vec<_>>()[..] else {
            panic!("there is one row")
        };
        assert_eq!(line_of(&piece, start), 8);
        assert_eq!(fields.as_written(3), Some((&b"1,2,"[..], &b",x,y"[..])));
        assert_eq!(fields.as_written(9), Some((&b"1,2,,x,y"[..], &b""[..])));
        assert!(!rows.fill(&mut block, 9).unwrap());
    }

    #[test]
    fn a_row_has_no_more_fields_than_a_sheet_has_columns() {
        for (fields, quote, is_read) in [
            (FIELDS_MAX, "", true),
            (FIELDS_MAX + 1, "", false),
            (FIELDS_MAX, "\"", true),
            (FIELDS_MAX + 1, "\"", false),
            (40 * FIELDS_MAX, "\"", false),
        ] {
            let bytes = format!("a\n{quote}b{quote}{}\n", ",".repeat(fields - 1)).into_bytes();
            let piece = Piece { bytes, ..Piece::default() };
            let (mut rows, mut block) = (Rows::new(&piece, &layout(b',')), Block::default());
            assert!(rows.fill(&mut block, if is_read { 1 } else { 9 }).unwrap());
            let filled = rows.fill(&mut block, 9);
            assert_eq!(filled, if is_read { Ok(true) } else { Err(TooManyFields { start: 2 }) });
        }
    }
}
