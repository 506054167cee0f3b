//! Reads the Census Gazetteer, and the list of the counties that each place reaches.

use platbook::{
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, Layer, split_namelsad},
};

use super::{
    ReadError,
    table::{self, Row},
    zipped::Archive,
};

/// Legal words after the names of places that the Census drew for statistics, by LSAD code.
const STATISTICAL_WORDS: [(&str, &str); 3] = [("57", " CDP"), ("55", " comunidad"), ("62", " zona urbana")];

/// A county, subdivision or place as the Census lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// GEOID of the unit.
    pub geoid: Geoid,
    /// Name with its legal word.
    pub name: String,
    /// Two-character LSAD code; `None` for counties and subdivisions, whose lists have none.
    pub lsad: Option<String>,
    /// Functional status; `None` for counties, whose list has none.
    pub func_stat: Option<FuncStat>,
    /// Land in square meters.
    pub land_m2: u64,
    /// Water in square meters.
    pub water_m2: u64,
    /// A point inside, as the Census gives it.
    pub point: LonLat,
}

impl Listed {
    /// Whether the unit acts as a government of its own: status A, B or C. Every county counts.
    pub fn functions(&self) -> bool {
        let acts = [FuncStat::Active, FuncStat::PartlyConsolidated, FuncStat::Consolidated];
        self.func_stat.is_none_or(|status| acts.contains(&status))
    }

    /// Name and legal word; `None` for a name without one. "Township 7" of Kansas begins with its word.
    pub fn name_and_word(&self) -> Option<(&str, &'static str)> {
        if self.name.starts_with("Township ") {
            return Some((&self.name, "township"));
        }
        split_namelsad(&self.name).and_then(|(bare, legal)| Some((bare, legal.word?)))
    }

    /// The name without its legal word, if the Census drew this place for statistics; else `None`.
    pub fn statistical_place(&self) -> Option<&str> {
        let lsad = self.lsad.as_deref().filter(|_| self.func_stat == Some(FuncStat::Statistical))?;
        let (_, word) = STATISTICAL_WORDS.iter().find(|(code, _)| *code == lsad)?;
        Some(self.name.strip_suffix(word).unwrap_or(&self.name))
    }
}

/// Reads a zipped gazetteer of counties, subdivisions or places, with columns separated by bars.
///
/// # Errors
/// When the archive or the table is damaged, or a row has no GEOID, no name, no point or an unknown status.
pub fn listed(file: &str, bytes: &[u8]) -> Result<Vec<Listed>, ReadError> {
    let table = Archive::open(file, bytes)?.part("txt")?;
    table::rows_between(b'|', file, &table, |row| {
        let digits = row.need("GEOID")?;
        let layer = match digits.len() {
            5 => Layer::County,
            7 => Layer::Place,
            _ => Layer::Cousub,
        };
        let geoid = Geoid::parse(layer, digits);
        let geoid = geoid.map_err(|_| row.wrong("GEOID", "5, 7 or 10 digits", digits))?;
        let (lat, lon) = (degrees(row, "INTPTLAT")?, degrees(row, "INTPTLONG")?);
        let point = LonLat::from_lat_lon(lat, lon);
        let point = point.map_err(|error| row.wrong("INTPTLAT", "a point", &error.to_string()))?;
        let func_stat = row.get("FUNCSTAT").map(|letter| status(row, letter)).transpose()?;
        let (name, lsad) = (row.need("NAME")?.to_owned(), row.get("LSAD").map(str::to_owned));
        let (land_m2, water_m2) = (row.number("ALAND")?, row.number("AWATER")?);
        Ok(Some(Listed { geoid, name, lsad, func_stat, land_m2, water_m2, point }))
    })
}

fn status(row: &Row<'_>, letter: &str) -> Result<FuncStat, ReadError> {
    let known = letter.bytes().next().and_then(FuncStat::from_letter).filter(|_| letter.len() == 1);
    known.ok_or_else(|| row.wrong("FUNCSTAT", "a letter of the Census", letter))
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
    fn units_are_read_with_their_status() {
        let head = "USPS|GEOID|NAME|LSAD|FUNCSTAT|ALAND|AWATER|INTPTLAT|INTPTLONG\n";
        let rows = "CT|0973980|Storrs CDP|57|S|9|1|41.8083|-72.2524\nCT|0952070|New Haven city|25|F|9|1|41.31|-72.92\n\
            CT|0917052070|New Haven town||A|9|1|41.31|-72.92\nCT|09170|South Central|||9|1|41.4|-72.9\n";
        let read = |rows: &str| listed("g.zip", &zip(&[("g.txt", format!("{head}{rows}").as_bytes())]));
        let found = read(rows).unwrap();
        let shown: Vec<_> =
            found.iter().map(|one| (one.geoid.layer(), one.functions(), one.statistical_place())).collect();
        let expected = [
            (Layer::Place, false, Some("Storrs")),
            (Layer::Place, false, None),
            (Layer::Cousub, true, None),
            (Layer::County, true, None),
        ];
        assert_eq!(shown, expected);
        for (is, broken, said) in [
            ("CT|0973980", "CT|973980", "GEOID"),
            ("41.8083", "north", "INTPTLAT"),
            ("|57|S|", "|57|X|", "FUNCSTAT"),
            ("Storrs CDP", "", "NAME"),
        ] {
            let error = read(&rows.replacen(is, broken, 1)).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn a_name_is_divided_from_its_legal_word() {
        let unit = |name: &str| Listed {
            geoid: Geoid::parse(Layer::Cousub, "2601537140").unwrap(),
            name: name.to_owned(),
            lsad: None,
            func_stat: None,
            land_m2: 0,
            water_m2: 0,
            point: LonLat::from_units(0, 0),
        };
        for (name, expected) in [
            ("Hastings charter township", Some(("Hastings", "charter township"))),
            ("Township 1", Some(("Township 1", "township"))),
            ("County subdivisions not defined", None),
        ] {
            assert_eq!(unit(name).name_and_word(), expected, "{name}");
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
