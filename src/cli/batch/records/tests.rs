use proptest::{collection::vec, prelude::*};

use super::*;

/// A reader that returns its bytes in parts of odd sizes, as a pipe does.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.0.len().min(out.len()).min(self.1);
        let (now, later) = self.0.split_at(count);
        out[..count].copy_from_slice(now);
        self.0 = later;
        Ok(count)
    }
}

fn cut(text: &[u8], part: usize) -> Vec<(String, u64, bool)> {
    let mut pieces = Pieces::new(Drip(text, part)).unwrap();
    let mut all = Vec::new();
    while let Some(piece) = pieces.header(b',').unwrap() {
        all.push((String::from_utf8(piece.bytes).unwrap(), piece.first_line, piece.is_open));
    }
    all
}

#[test]
fn records_end_where_they_do() {
    let long = format!("\"{}\n", "x\n".repeat(LINES_MAX + 1));
    for (text, expected) in [
        ("", &[][..]),
        ("\n \r\n", &[]),
        // Blank lines before the header are not rows, but count as lines.
        ("\n\na\n\nb\n", &[("a\n", 3, false), ("\nb\n", 4, false)]),
        ("\r\n \t\r\n a\r\n", &[(" a\r\n", 3, false)]),
        ("\r\ra\r", &[("a\r", 3, false)]),
        ("a\nb", &[("a\n", 1, false), ("b", 2, false)]),
        ("a\r\nb\r\n", &[("a\r\n", 1, false), ("b\r\n", 2, false)]),
        ("a\rb\r", &[("a\r", 1, false), ("b\r", 2, false)]),
        ("1,\"a\nb\",2\nc\n", &[("1,\"a\nb\",2\n", 1, false), ("c\n", 3, false)]),
        ("\"a\"\"\n\"\nb", &[("\"a\"\"\n\"\n", 1, false), ("b", 3, false)]),
        // A quote within a field, and text after a closing quote.
        ("5\" pipe\nb\n", &[("5\" pipe\n", 1, false), ("b\n", 2, false)]),
        ("\"a\"b\nc\n", &[("\"a\"b\n", 1, false), ("c\n", 2, false)]),
        ("1,\"open\n2\n", &[("1,\"open\n", 1, true), ("2\n", 2, false)]),
        ("1,\"open\n2,\"whole\"\n", &[("1,\"open\n", 1, true), ("2,\"whole\"\n", 2, false)]),
        ("a,\"", &[("a,\"", 1, true)]),
        ("\"\"\"", &[("\"\"\"", 1, true)]),
    ] {
        for part in [1, 3, 1000] {
            let got = cut(text.as_bytes(), part);
            let got: Vec<_> = got.iter().map(|(text, line, open)| (text.as_str(), *line, *open)).collect();
            assert_eq!(got, expected, "{text:?}");
        }
    }
    let cut = cut(long.as_bytes(), 1 << 20);
    assert!(cut[0].2 && cut.len() == LINES_MAX + 2, "a field of more lines than people write");
}

/// Inputs without end: a beginning, then one byte repeated forever. The error names the line that is too long.
#[test]
fn lines_without_end_are_refused() {
    for (before, again, line, bytes_max) in [
        ("", b'x', 1, HEADER_BYTES_MAX),
        ("\n\n", b' ', 3, HEADER_BYTES_MAX),
        ("a,\"b\n", b'x', 1, HEADER_BYTES_MAX),
        ("a\nb\n\"c\nd\",", b'x', 3, RECORD_BYTES_MAX),
        ("a\nb\n", b'"', 3, RECORD_BYTES_MAX),
        ("a\n\"", b'x', 2, RECORD_BYTES_MAX),
        ("a\n", 0, 2, RECORD_BYTES_MAX),
    ] {
        let input = before.as_bytes().chain(io::repeat(again));
        let read = || -> io::Result<()> {
            let mut pieces = Pieces::new(input)?;
            pieces.header(b',')?;
            while pieces.piece()?.is_some() {
                assert!(pieces.held.len() <= 3 * RECORD_BYTES_MAX);
            }
            Ok(())
        };
        let error = read().unwrap_err().to_string();
        let expected = format!("line {line}: expected a row of at most {bytes_max} bytes, got ");
        assert!(error.starts_with(&expected), "{before:?}, {again}: {error}");
    }
}

/// Reads a header and a record of exactly the maximum length, and refuses them with one byte more.
#[test]
fn records_of_the_greatest_length_are_read() {
    for (header, row, is_read) in [
        (HEADER_BYTES_MAX, RECORD_BYTES_MAX, true),
        (HEADER_BYTES_MAX + 1, 1, false),
        (1, RECORD_BYTES_MAX + 1, false),
    ] {
        for end in ["\n", ""] {
            let text = format!("{}\n{}{end}", "h".repeat(header - 1), "r".repeat(row - end.len()));
            let mut pieces = Pieces::new(text.as_bytes());
            let read = pieces.as_mut().map_err(|_| ()).and_then(|pieces| {
                pieces.header(b',').map_err(|_| ())?;
                while pieces.piece().map_err(|_| ())?.is_some() {}
                Ok(())
            });
            assert_eq!(read.is_ok(), is_read, "{header}, {row}, {end:?}");
        }
    }
}

fn line() -> impl Strategy<Value = String> {
    vec(prop_oneof![Just(','), Just('"'), Just('a'), Just('\n'), Just(' '), Just('\r')], 0..12)
        .prop_map(|letters| letters.into_iter().collect())
}

proptest! {
    /// All pieces together are the file, without its leading blank lines. This holds for any content, and for any size
    /// of reads.
    #[test]
    fn nothing_is_lost(lines in vec(line(), 0..12), part in 1..40usize) {
        let text = lines.join("\n");
        let whole: String = cut(text.as_bytes(), part).into_iter().map(|(text, ..)| text).collect();
        let before = text.len() - text.trim_ascii_start().len();
        let first = text[..before].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        prop_assert_eq!(whole, &text[first..]);
    }

    /// Cuts the output of a CSV writer into the records that it wrote, except for blank lines before the header.
    #[test]
    fn written_records_come_back(rows in vec(vec(line(), 1..4), 1..10)) {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        rows.iter().for_each(|row| writer.write_record(row).unwrap());
        let text = writer.into_inner().unwrap();
        let cut = cut(&text, 7);
        prop_assert!(cut.iter().all(|(_, _, open)| !open));
        let is_blank = |row: &&Vec<String>| matches!(&row[..], [one] if !one.is_empty() && one.trim_matches(' ').is_empty());
        prop_assert_eq!(cut.len(), rows.iter().skip_while(is_blank).count());
    }
}
