//! Reads published files as they come: zipped shapefiles, GeoJSON (also zipped), and the tables beside them.
//!
//! Nothing here judges what is read; [`crate::boundaries::select`] and [`crate::boundaries::clean`] do.

mod attributes;
pub mod contacts;
pub mod digest;
pub mod dotgov;
mod error;
mod features;
pub mod gsa;
pub mod manifest;
pub mod ocd;
pub mod openaddresses;
pub mod outlines;
pub mod population;
pub mod precinct_codes;
pub mod precincts;
mod projection;
pub mod radon;
pub mod shapes;
pub mod subdivisions;
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

/// One area as its file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// GEOID, of the layer that was asked for.
    pub geoid: Geoid,
    /// NAME: without the legal word, mostly.
    pub name: String,
    /// NAMELSAD: the name with its legal word.
    pub namelsad: Option<String>,
    /// Two-character LSAD code.
    pub lsad: Option<String>,
    /// Census class code, such as `C5`.
    pub classfp: Option<String>,
    /// Census functional status.
    pub func_stat: Option<FuncStat>,
    /// Land area, square metres.
    pub land_m2: Option<u64>,
    /// Water area, square metres.
    pub water_m2: Option<u64>,
    /// A point inside, as the Census gives it (a few lie outside).
    pub internal_point: Option<LonLat>,
    /// Outer rings and holes in the order of the file, as read: not yet closed or cleaned.
    pub rings: Vec<Vec<LonLat>>,
}

impl Record {
    /// A record of which only code and names are known.
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
/// `file` only names the file in errors and tells its kind by its extension.
///
/// # Errors
/// When the bytes are not what the extension says, a part is missing or cut short, or a record has a field or
/// coordinate that makes no sense; the message names file, record and field.
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
                    // Where each place has a file of its own, one of two names has two, with the same contents.
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
