//! The shape of a list: its header and the number of its rows. A damaged or cut list has another shape.

use csv::ReaderBuilder;

use super::ReadError;

/// The shape of a comma-separated list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The bytes of each heading.
    pub header: Vec<Vec<u8>>,
    /// Number of rows, without the header.
    pub rows: usize,
}

impl Shape {
    /// Reads the shape of a list.
    ///
    /// # Errors
    /// When a row has another number of values than the header.
    pub fn of(file: &str, bytes: &[u8]) -> Result<Shape, ReadError> {
        let damaged = |source| ReadError::Csv { file: file.to_owned(), source };
        let mut reader = ReaderBuilder::new().from_reader(bytes);
        let header = reader.byte_headers().map_err(damaged)?.iter().map(<[u8]>::to_vec).collect();
        let rows = reader.byte_records().try_fold(0, |rows, row| row.map(|_| rows + 1)).map_err(damaged)?;
        Ok(Shape { header, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_long_as_the_header() {
        for (text, expected) in [
            ("a,b\n1,2\n\"3\n\",4\n", Some((2, 2))),
            ("", Some((0, 0))),
            ("<html>", Some((1, 0))),
            ("a,b\n1,2\n3", None),
            ("a\n1,2\n", None),
        ] {
            let got = Shape::of("x.csv", text.as_bytes()).map(|shape| (shape.header.len(), shape.rows));
            assert_eq!(got.ok(), expected, "{text:?}");
        }
    }
}
