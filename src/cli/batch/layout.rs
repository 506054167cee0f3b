//! Finds the form of a file, its delimiter, and the columns that locate each row.

use csv::{ByteRecord, ReaderBuilder};

use super::{
    super::{UsageError, show::shown},
    json_lines,
};

/// Maximum number of fields in a row, and of columns in a header: an Excel sheet has as many columns.
pub(super) const FIELDS_MAX: usize = 1 << 14;

const LAT: Wanted = Wanted { option: "--lat-column", usual: &["lat", "latitude", "y"] };
const LON: Wanted = Wanted { option: "--lon-column", usual: &["lon", "lng", "long", "longitude", "x"] };
const ADDRESS: Wanted = Wanted { option: "--address-column", usual: &["address", "full_address"] };
const PLACE: Wanted = Wanted { option: "--place-column", usual: &["place", "city", "town", "county"] };
const STATE: Wanted = Wanted { option: "--state-column", usual: &["state", "usps", "state_usps"] };

/// Delimiters to try, the most common first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Options for the layout of the input.
#[derive(Debug, Default, clap::Args)]
pub(super) struct LayoutArgs {
    /// Column of the latitude [default: lat, latitude or y]
    #[arg(long, value_name = "NAME", requires = "input")]
    lat_column: Option<String>,
    /// Column of the longitude [default: lon, lng, long, longitude or x]
    #[arg(long, value_name = "NAME", requires = "input")]
    lon_column: Option<String>,
    /// Column of points as WKB, longitudes first, in Parquet and Arrow [default: the geometry of GeoParquet]
    #[arg(long, value_name = "NAME", requires = "input", conflicts_with_all = ["lat_column", "lon_column"],
          hide = !super::HAS_COLUMNS)]
    geometry_column: Option<String>,
    /// Column of the address, which layer files locate, see --layer [default: address, where there are no coordinates]
    #[arg(long, value_name = "NAME", requires = "input", conflicts_with_all = ["lat_column", "lon_column"])]
    address_column: Option<String>,
    /// Column of a county, city, town or township [default: place, city, town or county, where there is no address]
    #[arg(long, value_name = "NAME", requires = "input",
          conflicts_with_all = ["lat_column", "lon_column", "address_column"])]
    place_column: Option<String>,
    /// Column of the state of a place, a name or two letters [default: state or usps]
    #[arg(long, value_name = "NAME", requires = "input",
          conflicts_with_all = ["lat_column", "lon_column", "address_column"])]
    state_column: Option<String>,
    /// Delimiter of fields: a character or `tab` [default: found in the first line, one of `,` tab `;` `|`]
    #[arg(long, value_name = "CHAR", requires = "input", value_parser = delimiter)]
    delimiter: Option<u8>,
}

impl LayoutArgs {
    /// Returns the name of the column with points as WKB, if the option is set.
    pub(super) fn geometry_column(&self) -> Option<&str> {
        self.geometry_column.as_deref()
    }
}

#[cfg(feature = "parquet")]
impl LayoutArgs {
    /// Returns whether an option names a column of coordinates.
    pub(super) fn names_coordinates(&self) -> bool {
        self.lat_column.is_some() || self.lon_column.is_some()
    }

    /// Returns the numbers of the columns of latitude and longitude among these names.
    ///
    /// # Errors
    /// If a column is missing or occurs twice, or both are the same column.
    pub(super) fn point_columns(&self, names: &ByteRecord) -> Result<[usize; 2], UsageError> {
        let lat = position(names, self.lat_column.as_deref(), LAT);
        let lon = position(names, self.lon_column.as_deref(), LON);
        let (Some(lat), Some(lon)) = (lat, lon) else {
            let got: Vec<_> = names.iter().map(shown).collect();
            return Err(UsageError(format!(
                "expected columns {} and {}, or points as WKB, got {}; name them with --lat-column and --lon-column, or \
                 --geometry-column",
                self.lat_column.as_deref().unwrap_or("lat"),
                self.lon_column.as_deref().unwrap_or("lon"),
                shown(got.join(",").as_bytes())
            )));
        };
        Kind::Point { lat, lon }.check(names)?;
        Ok([lat, lon])
    }

    /// Returns the first option in use that does not apply to Parquet and Arrow.
    pub(super) fn of_text_only(&self) -> Option<&'static str> {
        [
            ("--address-column", self.address_column.is_some()),
            ("--place-column", self.place_column.is_some()),
            ("--state-column", self.state_column.is_some()),
            ("--delimiter", self.delimiter.is_some()),
        ]
        .into_iter()
        .find_map(|(option, is_given)| is_given.then_some(option))
    }
}

/// The form of a file of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// CSV, with its delimiter, one ASCII byte.
    Csv(u8),
    /// A JSON object on each line.
    JsonLines,
}

/// The columns that locate a row, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Latitude and longitude, in degrees.
    Point { lat: usize, lon: usize },
    /// An address in one text.
    Address(usize),
    /// The name of a place and its state.
    Place { place: usize, state: usize },
}

/// The layout of a file of rows.
#[derive(Debug)]
pub(super) struct Layout {
    /// The form of its rows.
    pub(super) form: Form,
    /// The columns that locate a row.
    pub(super) kind: Kind,
    /// The names of the columns.
    pub(super) header: ByteRecord,
}

/// A column to find in the header.
#[derive(Clone, Copy)]
struct Wanted {
    /// The option that names the column.
    option: &'static str,
    /// The names to try without the option, the most common first.
    usual: &'static [&'static str],
}

impl Layout {
    /// Finds the layout in the first bytes of a file.
    ///
    /// # Errors
    /// If no delimiter yields the columns, two of them are the same column, a name occurs twice, or the header has
    /// more than [`FIELDS_MAX`] columns.
    pub(super) fn find(head: &[u8], args: &LayoutArgs) -> Result<Layout, UsageError> {
        if json_lines::begins(head) && args.delimiter.is_none() {
            let header = json_lines::header(head).map_err(UsageError)?;
            let kind = kind(&header, args)?;
            return Layout { form: Form::JsonLines, kind, header }.checked();
        }
        let candidates = args.delimiter.as_ref().map_or(&DELIMITERS[..], std::slice::from_ref);
        let mut first_fault = None;
        for delimiter in candidates {
            let header = header(head, *delimiter);
            match kind(&header, args) {
                Ok(kind) => return Layout { form: Form::Csv(*delimiter), kind, header }.checked(),
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        Err(first_fault.unwrap_or_else(|| UsageError("expected a delimiter".to_owned())))
    }

    /// Returns the delimiter of CSV; a comma for other forms.
    pub(super) fn delimiter(&self) -> u8 {
        match self.form {
            Form::Csv(delimiter) => delimiter,
            Form::JsonLines => b',',
        }
    }

    /// Rejects a column that serves as two fields, a selected name that several columns have, and too many columns.
    fn checked(self) -> Result<Layout, UsageError> {
        self.kind.check(&self.header)?;
        if self.header.len() > FIELDS_MAX {
            let got = self.header.len();
            let what = format!("expected at most {FIELDS_MAX} columns in the first line, got {got}");
            return Err(UsageError(what));
        }
        Ok(self)
    }
}

impl Kind {
    /// Returns the numbers of the columns, in the order of the fields of [`Kind`].
    pub(super) fn columns(self) -> Vec<usize> {
        match self {
            Kind::Point { lat, lon } => vec![lat, lon],
            Kind::Address(address) => vec![address],
            Kind::Place { place, state } => vec![place, state],
        }
    }

    /// Rejects a column that serves as two fields, and a selected name that several columns have.
    fn check(self, header: &ByteRecord) -> Result<(), UsageError> {
        let columns = self.columns();
        let name = |at: usize| shown(&header[at]);
        if let [first, second] = columns[..]
            && first == second
        {
            let pair =
                if matches!(self, Kind::Point { .. }) { "latitude and longitude" } else { "place and state" };
            return Err(UsageError(format!("the column {} cannot be both {pair}", name(first))));
        }
        for at in columns {
            let same = header.iter().filter(|field| is_named(field, &header[at])).count();
            if same > 1 {
                let what = format!("expected one column {}, got {same}; rename all but one", name(at));
                return Err(UsageError(what));
            }
        }
        Ok(())
    }
}

fn header(head: &[u8], delimiter: u8) -> ByteRecord {
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(head);
    // Reading from a slice cannot fail, and any bytes form a record.
    reader.byte_records().next().and_then(Result::ok).unwrap_or_default()
}

fn kind(header: &ByteRecord, args: &LayoutArgs) -> Result<Kind, UsageError> {
    let point = || -> Result<Kind, UsageError> {
        let lat = column(header, args.lat_column.as_deref(), LAT)?;
        Ok(Kind::Point { lat, lon: column(header, args.lon_column.as_deref(), LON)? })
    };
    let address = || column(header, args.address_column.as_deref(), ADDRESS).map(Kind::Address);
    let place = || -> Result<Kind, UsageError> {
        let place = column(header, args.place_column.as_deref(), PLACE)?;
        Ok(Kind::Place { place, state: column(header, args.state_column.as_deref(), STATE)? })
    };
    // An option that names a column decides how rows are located.
    match args {
        LayoutArgs { lat_column: Some(_), .. } | LayoutArgs { lon_column: Some(_), .. } => point(),
        LayoutArgs { address_column: Some(_), .. } => address(),
        LayoutArgs { place_column: Some(_), .. } | LayoutArgs { state_column: Some(_), .. } => place(),
        _ => point().or_else(|fault| address().or_else(|_| place()).map_err(|_| fault)),
    }
}

/// Returns whether a column has this name. Case and outer spaces do not matter.
fn is_named(field: &[u8], name: &[u8]) -> bool {
    field.trim_ascii().eq_ignore_ascii_case(name.trim_ascii())
}

fn position(header: &ByteRecord, given: Option<&str>, wanted: Wanted) -> Option<usize> {
    let position = |name: &str| header.iter().position(|field| is_named(field, name.as_bytes()));
    match given {
        Some(name) => position(name),
        None => wanted.usual.iter().find_map(|name| position(name)),
    }
}

fn column(header: &ByteRecord, given: Option<&str>, wanted: Wanted) -> Result<usize, UsageError> {
    position(header, given, wanted).ok_or_else(|| {
        let others = if wanted.option == LAT.option && given.is_none() {
            ", or address, or place and state,"
        } else {
            ""
        };
        let expected = given.map_or_else(|| wanted.usual.join(", "), str::to_owned);
        let got: Vec<_> = header.iter().map(shown).collect();
        UsageError(format!(
            "expected a column {expected}{others} in the first line, got {}; name it with {}, and the delimiter \
             with --delimiter",
            shown(got.join(",").as_bytes()),
            wanted.option
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
