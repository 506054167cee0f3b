//! Reads the Census Gazetteer of places, and the list of the counties that each place reaches.

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer, StateCode},
};

use super::{
    ReadError,
    table::{self, Row},
    zipped::Archive,
};

/// Legal words after the names of places that the Census drew for statistics, by LSAD code.
const STATISTICAL_WORDS: [(&str, &str); 3] = [("57", " CDP"), ("55", " comunidad"), ("62", " zona urbana")];

/// A place that the Census drew for statistics: it has no government.
#[derive(Clone, Debug, PartialEq)]
pub struct Designated {
    /// The state that contains it.
    pub state: StateCode,
    /// Name without its legal word.
    pub name: String,
    /// A point inside, as the Census gives it.
    pub point: LonLat,
}

/// Reads the places without a government from a zipped gazetteer with columns between bars.
///
/// # Errors
/// When the archive or the table is damaged, or a row has no state or no point.
pub fn designated(file: &str, bytes: &[u8]) -> Result<Vec<Designated>, ReadError> {
    let table = Archive::open(file, bytes)?.part("txt")?;
    table::rows_between(b'|', file, &table, |row| {
        let lsad = row.need("LSAD")?;
        let word = STATISTICAL_WORDS.iter().find(|(code, _)| *code == lsad).map(|(_, word)| *word);
        let Some(word) = word.filter(|_| row.get("FUNCSTAT") == Some("S")) else { return Ok(None) };
        let usps = row.need("USPS")?;
        let state = usps.parse().map_err(|_| row.wrong("USPS", "the postal code of a state", usps))?;
        let name = row.need("NAME")?;
        let name = name.strip_suffix(word).unwrap_or(name).to_owned();
        let (lat, lon) = (degrees(row, "INTPTLAT")?, degrees(row, "INTPTLONG")?);
        let point = LonLat::from_lat_lon(lat, lon);
        let point = point.map_err(|error| row.wrong("INTPTLAT", "a point", &error.to_string()))?;
        Ok(Some(Designated { state, name, point }))
    })
}

fn degrees(row: &Row<'_>, column: &'static str) -> Result<f64, ReadError> {
    let text = row.need(column)?;
    text.parse().map_err(|_| row.wrong(column, "degrees", text))
}

/// Reads the pairs of a place and a county that it reaches, from a zipped table.
///
/// # Errors
/// When the archive or the table is damaged, or a code is not a GEOID.
pub fn place_counties(file: &str, bytes: &[u8]) -> Result<Vec<(Geoid, Geoid)>, ReadError> {
    let table = Archive::open(file, bytes)?.part("csv")?;
    table::rows(file, &table, None, |row| {
        let geoid = |column: &'static str, layer: Layer, digits: &str| {
            let text = row.need(column)?;
            Geoid::parse(layer, text).map_err(|_| row.wrong(column, digits, text))
        };
        let place = geoid("Place GEOID", Layer::Place, "7 digits")?;
        Ok(Some((place, geoid("County GEOID", Layer::County, "5 digits")?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::made::zip;

    #[test]
    fn places_for_statistics_are_read_without_their_word() {
        let head = "USPS|GEOID|NAME|LSAD|FUNCSTAT|INTPTLAT|INTPTLONG\n";
        let rows =
            "CT|0973980|Storrs CDP|57|S|41.8083|-72.2524\nCT|0952070|New Haven city|25|F|41.31|-72.92\n";
        let read = |rows: &str| designated("g.zip", &zip(&[("g.txt", format!("{head}{rows}").as_bytes())]));
        let found = read(rows).unwrap();
        let shown: Vec<_> = found.iter().map(|one| (one.state.usps(), one.name.as_str())).collect();
        assert_eq!(shown, [("CT", "Storrs")]);
        for (is, broken, said) in [("CT|09", "XX|09", "USPS"), ("41.8083", "north", "INTPTLAT")] {
            let error = read(&rows.replacen(is, broken, 1)).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn pairs_of_places_and_counties_are_read() {
        let read = |text: &str| {
            let table = format!("Place GEOID,County GEOID\n{text}\n");
            place_counties("p.zip", &zip(&[("p.csv", table.as_bytes())]))
        };
        let found = read("4835000,48201").unwrap();
        let shown: Vec<_> = found.iter().map(|(place, county)| (place.digits(), county.digits())).collect();
        assert_eq!(shown, [("4835000".to_owned(), "48201".to_owned())]);
        assert!(read("4835,48201").unwrap_err().to_string().contains("7 digits"));
    }
}
