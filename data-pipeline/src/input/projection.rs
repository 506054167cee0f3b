//! Converts the coordinates of a shapefile to degrees, by its .prj part.
//!
//! NAD83 counts as WGS84: the two differ by one or two meters, less than the error of the maps.

use platbook::geometry::LonLat;
use proj4rs::{Proj, transform::transform};

use super::{ReadError, attributes::Place};

/// Conversion of a file's coordinates to degrees.
pub(super) struct Projection {
    /// The file's projection and the target; `None` for coordinates in degrees.
    planar: Option<(Proj, Proj)>,
}

impl Projection {
    /// The projection of a file whose coordinates are degrees.
    pub(super) fn degrees() -> Projection {
        Projection { planar: None }
    }

    /// Reads the text of a .prj part in the notation of ESRI.
    pub(super) fn from_wkt(file: &str, wkt: &str) -> Result<Projection, ReadError> {
        if wkt.trim_start().starts_with("GEOGCS") {
            return Ok(Projection::degrees());
        }
        let unknown =
            || ReadError::Projection { file: file.to_owned(), got: wkt.chars().take(120).collect() };
        let definition = definition(wkt).ok_or_else(unknown)?;
        let from = Proj::from_proj_string(&definition).map_err(|_| unknown())?;
        let to = Proj::from_proj_string("+proj=longlat +datum=WGS84 +no_defs").map_err(|_| unknown())?;
        Ok(Projection { planar: Some((from, to)) })
    }

    /// Converts the coordinates of one point; an error if they are not on the globe.
    pub(super) fn lonlat(&self, at: Place, x: f64, y: f64) -> Result<LonLat, ReadError> {
        let Some((from, to)) = &self.planar else { return at.lonlat(x, y) };
        let mut point = (x, y, 0.0);
        match transform(from, to, &mut point) {
            Ok(()) => at.lonlat(point.0.to_degrees(), point.1.to_degrees()),
            Err(_) => at.lonlat(f64::NAN, f64::NAN),
        }
    }
}

/// The projection in the notation of PROJ; `None` for an unknown projection or unit.
fn definition(wkt: &str) -> Option<String> {
    let (_, named) = wkt.split_once("PROJECTION[\"")?;
    let name = named.split('"').next()?.to_ascii_lowercase();
    let number = |key: &str| parameter(wkt, key).unwrap_or(0.0);
    let proj = match name.as_str() {
        "albers" | "albers_conic_equal_area" => "aea",
        "lambert_conformal_conic" | "lambert_conformal_conic_2sp" => "lcc",
        "transverse_mercator" => "tmerc",
        "mercator_auxiliary_sphere" => {
            return Some("+proj=webmerc +datum=WGS84 +units=m +no_defs".to_owned());
        }
        _ => return None,
    };
    let origin = number("latitude_of_origin") + number("latitude_of_center");
    let meridian = number("central_meridian") + number("longitude_of_center");
    let scale = parameter(wkt, "scale_factor").unwrap_or(1.0);
    // The last UNIT is that of lengths; an earlier one is the unit of angles.
    let unit = wkt.rfind("UNIT[\"").and_then(|at| wkt[at..].split(',').nth(1))?;
    let meters: f64 = unit.trim_matches(|char: char| !char.is_ascii_digit() && char != '.').parse().ok()?;
    Some(format!(
        "+proj={proj} +lat_0={origin} +lon_0={meridian} +lat_1={} +lat_2={} +k_0={scale} +x_0={} +y_0={} +ellps=GRS80 \
         +towgs84=0,0,0 +to_meter={meters} +no_defs",
        number("standard_parallel_1"),
        number("standard_parallel_2"),
        number("false_easting") * meters,
        number("false_northing") * meters,
    ))
}

/// The number of a PARAMETER, ignoring the case of its name; `None` if it is missing.
fn parameter(wkt: &str, key: &str) -> Option<f64> {
    wkt.split("PARAMETER[\"").skip(1).find_map(|rest| {
        let (name, value) = rest.split_once("\",")?;
        let value = value.split(']').next()?;
        name.eq_ignore_ascii_case(key).then(|| value.trim().parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GEOGCS: &str = "GEOGCS[\"GCS_North_American_1983\",DATUM[\"D_North_American_1983\",SPHEROID[\"GRS_1980\",6378137.0,298.257222101]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]";

    #[test]
    fn published_projections_become_degrees() {
        let albers = format!(
            "PROJCS[\"NAD_1983_Albers\",{GEOGCS},PROJECTION[\"Albers\"],PARAMETER[\"False_Easting\",0.0],PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_Meridian\",-96.0],PARAMETER[\"Standard_Parallel_1\",29.5],PARAMETER[\"Standard_Parallel_2\",45.5],PARAMETER[\"Latitude_Of_Origin\",23.0],UNIT[\"Meter\",1.0]]"
        );
        let utm = format!(
            "PROJCS[\"NAD_1983_UTM_Zone_15N\",{GEOGCS},PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_Meridian\",-93.0],PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]"
        );
        let feet = format!(
            "PROJCS[\"NAD_1983_StatePlane_Massachusetts_Mainland_FIPS_2001_Feet\",{GEOGCS},PROJECTION[\"Lambert_Conformal_Conic\"],PARAMETER[\"False_Easting\",656166.6666666665],PARAMETER[\"False_Northing\",2460625.0],PARAMETER[\"Central_Meridian\",-71.5],PARAMETER[\"Standard_Parallel_1\",41.71666666666667],PARAMETER[\"Standard_Parallel_2\",42.68333333333333],PARAMETER[\"Latitude_Of_Origin\",41.0],UNIT[\"Foot_US\",0.3048006096012192]]"
        );
        // At its origin, a projection gives its false easting and northing exactly.
        for (wkt, x, y, lat, lon) in [
            (albers.as_str(), 0.0, 0.0, 23.0, -96.0),
            (&utm, 500_000.0, 0.0, 0.0, -93.0),
            (&feet, 656_166.666_666_666_5, 2_460_625.0, 41.0, -71.5),
            (GEOGCS, -93.5, 45.25, 45.25, -93.5),
        ] {
            let projection = Projection::from_wkt("a.zip", wkt).unwrap();
            let found = projection.lonlat(Place { file: "a.zip", record: 1 }, x, y).unwrap();
            let expected = LonLat::from_lat_lon(lat, lon).unwrap();
            assert!(platbook::geometry::distance_m(found, expected) < 0.05, "{found} {expected}");
        }
        let error = Projection::from_wkt("a.zip", "PROJCS[\"x\",PROJECTION[\"Krovak\"]]").err().unwrap();
        assert!(error.to_string().contains("project the file to WGS84"), "{error}");
    }
}
