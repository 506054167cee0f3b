//! Reads Census population estimates. The estimates rank names of the same spelling, and lists show them with their
//! year.

use std::collections::BTreeMap;

use platbook::vocabulary::{Geoid, Layer};

use super::{ReadError, table};

/// Number of residents by GEOID.
pub type Population = BTreeMap<Geoid, u64>;

/// Reads states and counties: `co-est2019-alldata.csv`, or its columns SUMLEV, STATE, COUNTY and
/// POPESTIMATE2019.
///
/// # Errors
/// When the table is damaged, or a code or number is not valid.
pub fn counties(file: &str, bytes: &[u8]) -> Result<Population, ReadError> {
    rows(file, bytes, |row| {
        let (state, county) = (row.number("STATE")?, row.number("COUNTY")?);
        Ok(match row.number("SUMLEV")? {
            40 => Some((Layer::State, format!("{state:02}"))),
            50 => Some((Layer::County, format!("{state:02}{county:03}"))),
            _ => None,
        })
    })
}

/// Reads incorporated places: rows of SUMLEV 162 in `sub-est2019_all.csv`.
///
/// # Errors
/// As [`counties`].
pub fn places(file: &str, bytes: &[u8]) -> Result<Population, ReadError> {
    rows(file, bytes, |row| {
        let (state, place) = (row.number("STATE")?, row.number("PLACE")?);
        Ok((row.number("SUMLEV")? == 162).then(|| (Layer::Place, format!("{state:02}{place:05}"))))
    })
}

type Key = Option<(Layer, String)>;

fn rows(
    file: &str,
    bytes: &[u8],
    key: impl Fn(&table::Row) -> Result<Key, ReadError>,
) -> Result<Population, ReadError> {
    let rows = table::rows(file, bytes, None, |row| {
        let Some((layer, digits)) = key(row)? else { return Ok(None) };
        let geoid = Geoid::parse(layer, &digits);
        let geoid = geoid.map_err(|error| row.wrong("STATE", &error.to_string(), &digits))?;
        Ok(Some((geoid, row.number("POPESTIMATE2019")?)))
    })?;
    Ok(rows.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_get_their_zeros_back() {
        let table = b"SUMLEV,STATE,COUNTY,STNAME,CTYNAME,POPESTIMATE2019\n40,1,0,Alabama,Alabama,4903185\n50,1,1,Alabama,Autauga County,55869\n50,35,13,New Mexico,Do\xf1a Ana County,218195\n";
        let population = counties("c.csv", table).unwrap();
        let found: Vec<_> = population.iter().map(|(geoid, count)| (geoid.to_string(), *count)).collect();
        let expected = [("state:01", 4_903_185), ("county:01001", 55_869), ("county:35013", 218_195)];
        assert_eq!(found, expected.map(|(id, count)| (id.to_owned(), count)));
        let table = b"SUMLEV,STATE,PLACE,POPESTIMATE2019\n162,1,124,2560\n157,1,124,2000\n";
        let found: Vec<_> = places("p.csv", table)
            .unwrap()
            .into_iter()
            .map(|(geoid, count)| (geoid.to_string(), count))
            .collect();
        assert_eq!(found, [("place:0100124".to_owned(), 2560)]);
    }

    #[test]
    fn damaged_rows_are_named() {
        for (row, field) in [
            ("40,x,0,5", "STATE"),
            ("40,1,0,", "POPESTIMATE2019"),
            ("40,1234,0,5", "STATE"),
            ("50,1", "COUNTY"),
        ] {
            let table = format!("SUMLEV,STATE,COUNTY,POPESTIMATE2019\n{row}\n");
            let message = counties("c.csv", table.as_bytes()).unwrap_err().to_string();
            assert!(message.contains(&format!("c.csv: record 2: field {field}")), "{message}");
        }
    }
}
