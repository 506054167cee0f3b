//! Reads the counties of each ZIP code, with the number of address ranges, from a Parquet or CSV table.

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};

use super::ReadError;

/// A county that a ZIP code reaches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ZipCounty {
    /// ZIP code as a number, without leading zeros.
    pub zip: u32,
    /// FIPS code of the county, 5 digits.
    pub county: u16,
    /// Number of address ranges of the ZIP code in the county.
    pub ranges: u32,
}

/// Columns of the table that are read.
const COLUMNS: [&str; 3] = ["ZIP", "county_fips", "n_ranges"];

/// Reads a table with the columns `ZIP`, `county_fips` and `n_ranges`.
///
/// # Errors
/// When the table is damaged, lacks a column, or has a value that is not valid.
pub fn pairs(file: &str, bytes: &[u8]) -> Result<Vec<ZipCounty>, ReadError> {
    if file.ends_with(".csv") { csv_pairs(file, bytes) } else { parquet_pairs(file, bytes) }
}

fn parquet_pairs(file: &str, bytes: &[u8]) -> Result<Vec<ZipCounty>, ReadError> {
    let damaged = |source| ReadError::Parquet { file: file.to_owned(), source };
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).map_err(damaged)?;
    let rows = reader.get_row_iter(None).map_err(damaged)?.enumerate();
    let read = rows.map(|(at, row)| {
        let row = row.map_err(damaged)?;
        let texts = COLUMNS.map(|column| {
            let value = row.get_column_iter().find(|(name, _)| *name == column).map(|(_, value)| value);
            value.map_or(String::new(), |value| match value {
                Field::Str(text) => text.clone(),
                other => other.to_string(),
            })
        });
        pair(file, at + 1, [&texts[0], &texts[1], &texts[2]])
    });
    read.collect()
}

fn csv_pairs(file: &str, bytes: &[u8]) -> Result<Vec<ZipCounty>, ReadError> {
    let damaged = |source| ReadError::Csv { file: file.to_owned(), source };
    let mut reader = csv::Reader::from_reader(bytes);
    let headers = reader.headers().map_err(damaged)?.clone();
    let places = COLUMNS.map(|column| headers.iter().position(|name| name == column));
    let rows = reader.records().enumerate();
    let read = rows.map(|(at, row)| {
        let row = row.map_err(damaged)?;
        let text = |place: Option<usize>| place.and_then(|place| row.get(place)).unwrap_or_default();
        pair(file, at + 2, places.map(text))
    });
    read.collect()
}

fn pair(file: &str, record: usize, [zip, county, ranges]: [&str; 3]) -> Result<ZipCounty, ReadError> {
    let wrong = |at: usize, expected: &str, got: &str| ReadError::Field {
        file: file.to_owned(),
        record,
        field: COLUMNS[at],
        expected: expected.to_owned(),
        got: format!("{got:?}"),
    };
    let code = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    let zip = Some(zip)
        .filter(|zip| code(zip))
        .and_then(|zip| zip.parse().ok())
        .ok_or_else(|| wrong(0, "5 digits", zip))?;
    let county = Some(county).filter(|county| code(county)).and_then(|county| county.parse().ok());
    let county = county.ok_or_else(|| wrong(1, "5 digits, a county's FIPS code", "another value"))?;
    let ranges = ranges.parse().map_err(|_| wrong(2, "a whole number", ranges))?;
    Ok(ZipCounty { zip, county, ranges })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_csv_become_pairs() {
        let pair = |zip, county, ranges| ZipCounty { zip, county, ranges };
        let table = "county_fips,ZIP,zip3,n_ranges\n25013,01001,010,1491\n37143,27944,279,2515\n";
        assert_eq!(
            pairs("a.csv", table.as_bytes()).unwrap(),
            [pair(1001, 25_013, 1491), pair(27_944, 37_143, 2515)]
        );
        for (row, said) in [
            ("25013,1001,010,5", "field ZIP"),
            ("x,01001,010,5", "field county_fips"),
            ("25013,01001,010,-", "field n_ranges"),
        ] {
            let error =
                pairs("a.csv", format!("county_fips,ZIP,zip3,n_ranges\n{row}\n").as_bytes()).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
        assert!(pairs("a.parquet", b"no table").unwrap_err().to_string().contains("download it again"));
    }
}
