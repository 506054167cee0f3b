//! Finds the delimiter of a file and the columns of its coordinates.

use csv::{ByteRecord, ReaderBuilder};

use super::{
    super::{UsageError, show::shown},
    fields::FIELDS_MAX,
};

const LAT_NAMES: [&str; 3] = ["lat", "latitude", "y"];
const LON_NAMES: [&str; 5] = ["lon", "lng", "long", "longitude", "x"];

/// Delimiters that are tried, the most common first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Options for the layout of the input.
#[derive(Debug, Default, clap::Args)]
pub(super) struct LayoutArgs {
    /// Column of the latitude [default: lat, latitude or y]
    #[arg(long, value_name = "NAME", requires = "csv")]
    lat_column: Option<String>,
    /// Column of the longitude [default: lon, lng, long, longitude or x]
    #[arg(long, value_name = "NAME", requires = "csv")]
    lon_column: Option<String>,
    /// Delimiter of fields: a character or `tab` [default: found in the first line, one of `,` tab `;` `|`]
    #[arg(long, value_name = "CHAR", requires = "csv", value_parser = delimiter)]
    delimiter: Option<u8>,
}

/// The layout of a file of points.
#[derive(Debug)]
pub(super) struct Layout {
    /// The delimiter, one ASCII byte.
    pub(super) delimiter: u8,
    /// Index of the latitude's column.
    pub(super) lat: usize,
    /// Index of the longitude's column.
    pub(super) lon: usize,
    /// The names of the columns.
    pub(super) header: ByteRecord,
}

impl Layout {
    /// Finds the layout in the first bytes of a file.
    ///
    /// # Errors
    /// If no delimiter yields both columns, both are one, or there are more than [`FIELDS_MAX`].
    pub(super) fn find(head: &[u8], args: &LayoutArgs) -> Result<Layout, UsageError> {
        let candidates = args.delimiter.as_ref().map_or(&DELIMITERS[..], std::slice::from_ref);
        let mut first_fault = None;
        for delimiter in candidates {
            let header = header(head, *delimiter);
            match columns(&header, args) {
                Ok((lat, lon)) if lat == lon => {
                    let what =
                        format!("the column {} cannot be both latitude and longitude", shown(&header[lat]));
                    return Err(UsageError(what));
                }
                Ok(_) if header.len() > FIELDS_MAX => {
                    let got = header.len();
                    let what = format!("expected at most {FIELDS_MAX} columns in the first line, got {got}");
                    return Err(UsageError(what));
                }
                Ok((lat, lon)) => return Ok(Layout { delimiter: *delimiter, lat, lon, header }),
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        Err(first_fault.unwrap_or_else(|| UsageError("expected a delimiter".to_owned())))
    }
}

fn header(head: &[u8], delimiter: u8) -> ByteRecord {
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(head);
    // Reading a slice cannot fail, and any bytes are a record.
    reader.byte_records().next().and_then(Result::ok).unwrap_or_default()
}

fn columns(header: &ByteRecord, args: &LayoutArgs) -> Result<(usize, usize), UsageError> {
    let lat = column(header, args.lat_column.as_deref(), &LAT_NAMES, "--lat-column")?;
    Ok((lat, column(header, args.lon_column.as_deref(), &LON_NAMES, "--lon-column")?))
}

fn column(
    header: &ByteRecord,
    wanted: Option<&str>,
    usual: &[&str],
    option: &str,
) -> Result<usize, UsageError> {
    let position = |name: &str| {
        header.iter().position(|field| field.trim_ascii().eq_ignore_ascii_case(name.trim().as_bytes()))
    };
    let found = match wanted {
        Some(name) => position(name),
        None => usual.iter().find_map(|name| position(name)),
    };
    found.ok_or_else(|| {
        let expected = wanted.map_or_else(|| usual.join(", "), str::to_owned);
        let got: Vec<_> = header.iter().map(shown).collect();
        UsageError(format!(
            "expected a column {expected} in the first line, got {}; name it with {option}, and the delimiter \
             with --delimiter",
            shown(got.join(",").as_bytes())
        ))
    })
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text.eq_ignore_ascii_case("tab") || text == "\\t" => Ok(b'\t'),
        [b'"' | b'\n' | b'\r'] => Err("a quote or the end of a line cannot separate fields".to_owned()),
        [one] if one.is_ascii() => Ok(*one),
        _ => Err("expected one ASCII character, or tab".to_owned()),
    }
}
