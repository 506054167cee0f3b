//! Reads published files: zipped shapefiles, GeoJSON (also zipped), and the tables beside them.
//!
//! Records come as they were published. [`crate::boundaries::select`] decides which of them count, and
//! [`crate::boundaries::clean`] repairs rings.

mod attributes;
pub mod contacts;
pub mod digest;
pub mod dotgov;
mod error;
mod features;
pub mod gazetteer;
pub mod gsa;
pub mod installations;
pub mod manifest;
pub mod ocd;
pub mod openaddresses;
pub mod outlines;
pub mod population;
pub mod precinct_codes;
pub mod precincts;
mod projection;
pub mod radon;
pub mod shape;
pub mod shapes;
mod table;
pub mod zip_counties;
mod zip_shapefile;
mod zipped;

use std::collections::BTreeMap;

use platbook::{
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, Layer},
};

pub use error::ReadError;

/// One area as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// GEOID in the layer that the caller named.
    pub geoid: Geoid,
    /// NAME: the name, mostly without the legal word.
    pub name: String,
    /// NAMELSAD: the name with its legal word; `None` in files without that column.
    pub namelsad: Option<String>,
    /// Two-character LSAD code; `None` in files without that column.
    pub lsad: Option<String>,
    /// Census class code, such as `C5`; `None` in files without that column.
    pub classfp: Option<String>,
    /// Census functional status; `None` in files without that column.
    pub func_stat: Option<FuncStat>,
    /// Land area in square meters; `None` in files without that column.
    pub land_m2: Option<u64>,
    /// Water area in square meters; `None` in files without that column.
    pub water_m2: Option<u64>,
    /// A point inside, as the Census gives it (a few lie outside); `None` in files without those columns.
    pub internal_point: Option<LonLat>,
    /// Outer rings and holes in the order of the file; they may be open or touch themselves.
    pub rings: Vec<Vec<LonLat>>,
}

impl Record {
    /// A record of which only GEOID and names are known.
    pub fn named(geoid: Geoid, name: String, namelsad: String) -> Record {
        Record {
            geoid,
            name,
            namelsad: Some(namelsad),
            lsad: None,
            classfp: None,
            func_stat: None,
            land_m2: None,
            water_m2: None,
            internal_point: None,
            rings: Vec::new(),
        }
    }
}

/// Reads a boundary file: `.zip` with a shapefile or GeoJSON files in it, `.geojson` or `.json`.
///
/// `file` names the file in errors, and its extension gives its kind.
///
/// # Errors
/// When the bytes are not what the extension says, or a part is missing or cut short. Also when a field or
/// coordinate is not valid. The message names file, record and field.
pub fn boundaries(file: &str, bytes: &[u8], layer: Layer) -> Result<Vec<Record>, ReadError> {
    match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("geojson" | "json") => features::read(file, bytes, layer),
        Some("zip") => {
            let mut archive = zipped::Archive::open(file, bytes)?;
            if archive.find("shp").is_some() {
                return zip_shapefile::read(file, &mut archive, layer);
            }
            let members: Vec<String> =
                ["geojson", "json"].iter().flat_map(|extension| archive.all(extension)).collect();
            if members.is_empty() {
                return Err(archive.missing("shp or .geojson"));
            }
            let mut records: BTreeMap<Geoid, Record> = BTreeMap::new();
            let mut twice = Vec::new();
            for name in members {
                for record in features::read(&format!("{file}/{name}"), &archive.member(&name)?, layer)? {
                    // A zip with a file for each place has some places under two names, with the same
                    // content.
                    match records.get(&record.geoid) {
                        Some(known) if *known == record => {}
                        Some(_) => twice.push(record),
                        None => _ = records.insert(record.geoid, record),
                    }
                }
            }
            Ok(records.into_values().chain(twice).collect())
        }
        _ => Err(ReadError::Kind { file: file.to_owned() }),
    }
}

#[cfg(test)]
pub(crate) mod made;
#[cfg(test)]
mod tests;
