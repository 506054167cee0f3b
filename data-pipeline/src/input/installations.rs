//! Reads the list of military installations: names, areas and points inside.

use platbook::geometry::LonLat;

use super::{ReadError, table};

/// A military installation. The list has no outlines.
#[derive(Clone, Debug, PartialEq)]
pub struct Installation {
    /// Name as the Census Bureau shortens it.
    pub name: String,
    /// Land area in square meters.
    pub land_m2: u64,
    /// A point inside, as the Census gives it.
    pub point: LonLat,
}

/// Reads the list.
///
/// # Errors
/// When the table is damaged, or a row has no name, no area or no point.
pub fn rows(file: &str, bytes: &[u8]) -> Result<Vec<Installation>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let degrees = |column: &'static str| {
            let text = row.need(column)?;
            text.parse::<f64>().map_err(|_| row.wrong(column, "degrees", text))
        };
        let point = LonLat::from_lat_lon(degrees("lat")?, degrees("lon")?);
        let point = point.map_err(|error| row.wrong("lat", "a point", &error.to_string()))?;
        let name = row.need("name")?.to_owned();
        Ok(Some(Installation { name, land_m2: row.number("land_m2")?, point }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_has_a_name_an_area_and_a_point() {
        let head = "areaid,name,mtfcc,land_m2,water_m2,lat,lon\n";
        let row = "1,Ft Bliss,K2110,4500000000,0,+32.1,-106.2\n";
        let read = |row: &str| rows("m.csv", format!("{head}{row}").as_bytes());
        let found = read(row).unwrap().remove(0);
        assert_eq!((found.name.as_str(), found.land_m2), ("Ft Bliss", 4_500_000_000));
        for (is, broken, said) in [("+32.1", "north", "lat"), ("4500000000", "much", "land_m2")] {
            let error = read(&row.replace(is, broken)).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}
