//! Election precincts and voting districts: areas that nest in towns, and what their files say about which.

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer},
};

use super::{ReadError, attributes::Place, features, zip_shapefile, zipped::Archive};

/// One precinct or voting district.
#[derive(Clone, Debug, PartialEq)]
pub struct Precinct {
    /// Its county.
    pub county: Geoid,
    /// Its name as the election office wrote it; of a voting district, its number.
    pub name: String,
    /// Whether it is a voting district with a number in place of a name.
    pub numbered: bool,
    /// The county subdivision that its number begins with.
    pub cousub: Option<Geoid>,
    /// Outer rings and holes, as read.
    pub rings: Vec<Vec<LonLat>>,
}

/// Reads a zip with a GeoJSON file for each county. The property `GEOID` of a feature is the code of the county, a
/// hyphen and the name of the precinct: `55091-DURAND TOWN`. Counties without data have a file without features.
///
/// # Errors
/// When the zip or a file in it is damaged, or a feature has no such property or no area.
pub fn named(file: &str, bytes: &[u8]) -> Result<Vec<Precinct>, ReadError> {
    let mut archive = Archive::open(file, bytes)?;
    let mut found = Vec::new();
    for member in archive.all("geojson") {
        let within = format!("{file}/{member}");
        for (at, feature) in features::collection(&within, &archive.member(&member)?)?.iter().enumerate() {
            let at = Place { file: &within, record: at + 1 };
            let id = feature.property("GEOID").and_then(|id| id.as_str());
            let (county, name) = id
                .and_then(split_id)
                .ok_or_else(|| at.wrong("GEOID", "five digits of a county, a hyphen and a name", id))?;
            found.push(Precinct {
                county,
                name,
                numbered: false,
                cousub: None,
                rings: features::rings(at, feature)?,
            });
        }
    }
    Ok(found)
}

fn split_id(id: &str) -> Option<(Geoid, String)> {
    let (county, name) = id.split_once('-')?;
    Some((Geoid::parse(Layer::County, county).ok()?, name.trim().to_owned()))
}

/// Reads a zip of TIGER/Line 2008 zips, each with the voting districts of Census 2000 of one county. `NAME00` begins
/// with the three digits of the county and the five of the subdivision, where the state numbered them so.
///
/// # Errors
/// When a zip or a part of it is damaged, or a record has no county.
pub fn numbered(file: &str, bytes: &[u8]) -> Result<Vec<Precinct>, ReadError> {
    let mut archive = Archive::open(file, bytes)?;
    let mut found = Vec::new();
    for member in archive.all("zip") {
        let within = format!("{file}/{member}");
        let inner = archive.member(&member)?;
        let shapes = zip_shapefile::shapes(&within, &mut Archive::open(&within, &inner)?)?;
        for (at, (row, rings)) in shapes.into_iter().enumerate() {
            let at = Place { file: &within, record: at + 1 };
            let state = row.get("STATEFP00").unwrap_or_default();
            let digits = format!("{state}{}", row.get("COUNTYFP00").unwrap_or_default());
            let county = Geoid::parse(Layer::County, &digits)
                .map_err(|_| at.wrong("COUNTYFP00", "three digits of a county", Some(&digits)))?;
            let name = row.get("NAME00").unwrap_or_default().to_owned();
            let cousub =
                name.get(..8).and_then(|code| Geoid::parse(Layer::Cousub, &format!("{state}{code}")).ok());
            found.push(Precinct { county, name, numbered: true, cousub, rings });
        }
    }
    Ok(found)
}
