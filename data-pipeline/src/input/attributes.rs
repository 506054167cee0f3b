//! Holds the Census attributes of an area as text, and makes a record of them.

use platbook::{
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, Layer, StateCode},
};

use super::{ReadError, Record};

/// Fields of Census boundary files. Each file has GEOID and NAME and some of the others. Files of 2020 add the
/// year: `GEOID20`.
const FIELDS: [&str; 10] =
    ["GEOID", "NAME", "NAMELSAD", "LSAD", "CLASSFP", "FUNCSTAT", "ALAND", "AWATER", "INTPTLAT", "INTPTLON"];
/// Fields of New Jersey's file of municipalities, with the Census field that each stands for.
const OTHER_NAMES: [(&str, &str); 2] = [("census2010", "GEOID"), ("mun_label", "NAME")];

/// Values of one record, trimmed; `None` for empty and null values.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    values: [Option<String>; FIELDS.len()],
}

/// The position of a record, for errors.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    /// Number of the record, from 1.
    pub(super) record: usize,
}

impl Attributes {
    /// Position of the field in [`FIELDS`]; `None` for a field that is not read.
    pub(super) fn index(field: &str) -> Option<usize> {
        let other = OTHER_NAMES.iter().find(|(name, _)| *name == field).map(|(_, census)| *census);
        let bare = other.unwrap_or_else(|| field.strip_suffix("20").unwrap_or(field));
        FIELDS.iter().position(|known| *known == bare)
    }

    pub(super) fn set(&mut self, index: usize, value: &str) {
        let value = value.trim();
        self.values[index] = (!value.is_empty()).then(|| value.to_owned());
    }

    pub(super) fn get(&self, field: &str) -> Option<&str> {
        self.values[Attributes::index(field)?].as_deref()
    }

    pub(super) fn record(
        &self,
        at: Place,
        layer: Layer,
        rings: Vec<Vec<LonLat>>,
    ) -> Result<Record, ReadError> {
        let owned = |field| self.get(field).map(str::to_owned);
        Ok(Record {
            geoid: self.geoid(at, layer)?,
            name: owned("NAME").ok_or_else(|| at.wrong("NAME", "a name", None))?,
            namelsad: owned("NAMELSAD"),
            lsad: owned("LSAD"),
            classfp: owned("CLASSFP"),
            func_stat: self.func_stat(at)?,
            land_m2: self.square_meters(at, "ALAND")?,
            water_m2: self.square_meters(at, "AWATER")?,
            internal_point: self.internal_point(at)?,
            rings,
        })
    }

    fn geoid(&self, at: Place, layer: Layer) -> Result<Geoid, ReadError> {
        let digits = self.get("GEOID");
        let expected = format!("{} digits, a {} GEOID", layer.geoid_digits(), layer.prefix());
        let geoid = digits.and_then(|digits| Geoid::parse(layer, digits).ok());
        let geoid = geoid.ok_or_else(|| at.wrong("GEOID", expected, digits))?;
        match StateCode::from_fips(geoid.state_fips()) {
            Some(_) => Ok(geoid),
            None => {
                Err(at.wrong("GEOID", "a state FIPS code that is in use in its first two digits", digits))
            }
        }
    }

    fn func_stat(&self, at: Place) -> Result<Option<FuncStat>, ReadError> {
        let Some(letter) = self.get("FUNCSTAT") else { return Ok(None) };
        let known = (letter.len() == 1).then(|| FuncStat::from_letter(letter.as_bytes()[0])).flatten();
        known.map(Some).ok_or_else(|| at.wrong("FUNCSTAT", "a letter of A B C F G I N S", Some(letter)))
    }

    fn square_meters(&self, at: Place, field: &'static str) -> Result<Option<u64>, ReadError> {
        let Some(text) = self.get(field) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| at.wrong(field, "a whole number of square meters", Some(text)))
    }

    fn internal_point(&self, at: Place) -> Result<Option<LonLat>, ReadError> {
        let (Some(lat), Some(lon)) = (self.get("INTPTLAT"), self.get("INTPTLON")) else { return Ok(None) };
        let degrees = |field, text: &str| {
            text.parse::<f64>().map_err(|_| at.wrong(field, "decimal degrees", Some(text)))
        };
        at.lonlat(degrees("INTPTLON", lon)?, degrees("INTPTLAT", lat)?).map(Some)
    }
}

impl Place<'_> {
    pub(super) fn no_area(self, got: &str) -> ReadError {
        ReadError::Geometry { file: self.file.to_owned(), record: self.record, got: got.to_owned() }
    }

    pub(super) fn lonlat(self, lon: f64, lat: f64) -> Result<LonLat, ReadError> {
        LonLat::from_lat_lon(lat, lon).map_err(|source| ReadError::Coordinate {
            file: self.file.to_owned(),
            record: self.record,
            source,
        })
    }

    pub(super) fn wrong(
        self,
        field: &'static str,
        expected: impl Into<String>,
        got: Option<&str>,
    ) -> ReadError {
        let got = got
            .map_or("nothing".to_owned(), |text| format!("{:?}", text.chars().take(80).collect::<String>()));
        ReadError::Field {
            file: self.file.to_owned(),
            record: self.record,
            field,
            expected: expected.into(),
            got,
        }
    }
}
