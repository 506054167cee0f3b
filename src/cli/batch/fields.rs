//! The rows of a piece, each with its fields.
//!
//! Most files have no quotes. There a row is a line, and its fields lie between delimiters: nothing is copied.

use memchr::{Memchr3, memchr, memchr_iter, memchr3_iter};

use super::records::Piece;

/// The fields of a row, within one run of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    /// Where each ends.
    ends: &'a [usize],
    /// Bytes between two fields: the delimiter, or none where quotes have been taken off.
    gap: usize,
}

impl<'a> Fields<'a> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field, without its quotes.
    pub(super) fn get(&self, at: usize) -> Option<&'a [u8]> {
        let start = at.checked_sub(1).map_or(Some(0), |before| Some(self.ends.get(before)? + self.gap))?;
        self.bytes.get(start..*self.ends.get(at)?)
    }

    /// From the field of this number on.
    pub(super) fn skip(self, count: usize) -> impl Iterator<Item = &'a [u8]> {
        (count..self.len()).filter_map(move |at| self.get(at))
    }

    /// The row as it is in the file, where no field has or needs quotes: its first fields, and what comes after them.
    pub(super) fn as_written(&self, fields: usize) -> Option<(&'a [u8], &'a [u8])> {
        let end = self.ends.get(fields.min(self.len()).checked_sub(1)?)?;
        (self.gap > 0).then(|| self.bytes.split_at(*end))
    }
}

/// Reads rows, one after the other.
pub(super) struct Rows<'p> {
    bytes: &'p [u8],
    /// Where the next row begins.
    at: usize,
    /// Where fields of the last row end.
    ends: Vec<usize>,
    way: Way<'p>,
}

/// How rows are told apart.
enum Way<'p> {
    /// No quotes: ends of lines and delimiters, in order.
    Lines { marks: Memchr3<'p>, delimiter: u8 },
    /// By all rules of CSV; the fields without quotes stand in `fields`.
    Quoted { reader: Box<csv_core::Reader>, fields: Vec<u8> },
}

impl<'p> Rows<'p> {
    pub(super) fn new(piece: &'p Piece, delimiter: u8) -> Rows<'p> {
        let bytes = &piece.bytes[..];
        let way = if memchr(b'"', bytes).is_none() {
            Way::Lines { marks: memchr3_iter(b'\n', b'\r', delimiter, bytes), delimiter }
        } else {
            let reader = Box::new(csv_core::ReaderBuilder::new().delimiter(delimiter).build());
            Way::Quoted { reader, fields: vec![0; 1 << 10] }
        };
        Rows { bytes, at: 0, ends: Vec::new(), way }
    }

    /// The next row, and where it begins.
    pub(super) fn next(&mut self) -> Option<(usize, Fields<'_>)> {
        match &mut self.way {
            Way::Lines { marks, delimiter } => {
                let line = next_line(self.bytes, self.at, marks, *delimiter, &mut self.ends)?;
                self.at = line.end + 1;
                Some((line.start, Fields { bytes: &self.bytes[line], ends: &self.ends, gap: 1 }))
            }
            Way::Quoted { reader, fields } => {
                let start = self.at + blank(&self.bytes[self.at..]);
                self.at = start;
                let count = next_record(self.bytes, &mut self.at, reader, fields, &mut self.ends)?;
                Some((start, Fields { bytes: fields, ends: &self.ends[..count], gap: 0 }))
            }
        }
    }
}

/// Ends of lines before the next row.
fn blank(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count()
}

/// The next line that is not empty, and where its fields end in it.
#[inline]
fn next_line(
    bytes: &[u8],
    mut start: usize,
    marks: &mut Memchr3<'_>,
    delimiter: u8,
    ends: &mut Vec<usize>,
) -> Option<std::ops::Range<usize>> {
    ends.clear();
    loop {
        let mark = marks.next().unwrap_or(bytes.len());
        if start >= bytes.len() {
            return None;
        }
        if mark == start && ends.is_empty() && bytes[mark] != delimiter {
            start += 1;
            continue;
        }
        ends.push(mark - start);
        if bytes.get(mark) != Some(&delimiter) {
            return Some(start..mark);
        }
    }
}

/// Reads a record and counts its fields.
fn next_record(
    bytes: &[u8],
    at: &mut usize,
    reader: &mut csv_core::Reader,
    fields: &mut Vec<u8>,
    ends: &mut Vec<usize>,
) -> Option<usize> {
    use csv_core::ReadRecordResult::{End, InputEmpty, OutputEndsFull, OutputFull, Record};
    let (mut written, mut count) = (0, 0);
    loop {
        let (result, read, new_bytes, new_ends) =
            reader.read_record(&bytes[*at..], &mut fields[written..], &mut ends[count..]);
        (*at, written, count) = (*at + read, written + new_bytes, count + new_ends);
        match result {
            // Asked again with nothing, it gives the last record.
            InputEmpty => {}
            OutputFull => fields.resize(fields.len() * 2, 0),
            OutputEndsFull => ends.resize(ends.len() * 2 + 16, 0),
            Record => return Some(count),
            End => return None,
        }
    }
}

/// The line of the file in which a row of a piece begins.
pub(super) fn line_of(piece: &Piece, start: usize) -> u64 {
    let ends = memchr_iter(piece.line_end, &piece.bytes[..start]).count();
    piece.first_line + ends as u64
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn rows(bytes: &[u8], delimiter: u8) -> Vec<Vec<Vec<u8>>> {
        let piece = Piece { bytes: bytes.to_vec(), ..Piece::default() };
        let mut rows = Rows::new(&piece, delimiter);
        let mut all = Vec::new();
        while let Some((start, fields)) = rows.next() {
            assert!(start < bytes.len() && fields.get(fields.len()).is_none());
            all.push(fields.skip(0).map(<[u8]>::to_vec).collect());
        }
        all
    }

    proptest! {
        /// With quotes and without, rows are those that the `csv` crate reads.
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
        let mut rows = Rows::new(&piece, b',');
        let (start, fields) = rows.next().unwrap();
        assert_eq!(line_of(&piece, start), 8);
        assert_eq!(fields.as_written(3), Some((&b"1,2,"[..], &b",x,y"[..])));
        assert_eq!(fields.as_written(9), Some((&b"1,2,,x,y"[..], &b""[..])));
        assert!(rows.next().is_none());
    }
}
