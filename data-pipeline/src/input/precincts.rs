//! Reads election precincts and voting districts, which nest in towns, with what their files say about the
//! town.

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer},
};

use super::{ReadError, features};

/// One precinct or voting district.
#[derive(Clone, Debug, PartialEq)]
pub struct Precinct {
    /// GEOID of the county.
    pub county: Geoid,
    /// Name as the election office wrote it; for a voting district, its number.
    pub name: String,
    /// Whether this is a voting district, whose lines are those of the Census.
    pub district: bool,
    /// Whether the precinct's name is a number that begins with the code of a subdivision.
    pub numbered: bool,
    /// The subdivision whose code is in the number; for a part of a precinct, the one that a table names. `None` for
    /// other precincts.
    pub cousub: Option<Geoid>,
    /// Outer rings and holes, as read.
    pub rings: Vec<Vec<LonLat>>,
}

/// Reads a zip with a GeoJSON file for each county. The property `GEOID` of a feature is the county's code, a
/// hyphen and the precinct's name: `55091-DURAND TOWN`. Counties without data have a file without features.
///
/// # Errors
/// When the zip or a file in it is damaged, or a feature has no such property or no area.
pub fn named(file: &str, bytes: &[u8]) -> Result<Vec<Precinct>, ReadError> {
    features::of_zip(file, bytes, |at, feature| {
        let id = feature.property("GEOID").and_then(|id| id.as_str());
        let (county, name) = id
            .and_then(split_id)
            .ok_or_else(|| at.wrong("GEOID", "five digits of a county, a hyphen and a name", id))?;
        Ok(Precinct {
            county,
            name,
            district: false,
            numbered: false,
            cousub: None,
            rings: features::rings(at, feature)?,
        })
    })
}

fn split_id(id: &str) -> Option<(Geoid, String)> {
    let (county, name) = id.split_once('-')?;
    Some((Geoid::parse(Layer::County, county).ok()?, name.trim().to_owned()))
}

/// Code of the voting district that stands for a county's part of a Great Lake or of the sea.
const UNDEFINED: &str = "ZZZZZZ";

/// Minimum number of digits of a name that is a number with a code in it; shorter numbers only count precincts.
const NUMBER_DIGITS: usize = 6;

/// Reads a zip of GeoJSON files with the voting districts of Census 2020. The property `GEOID20` begins with the
/// county's code. In Michigan `NAME` is a number that begins with three digits of the county and five of the
/// subdivision. In other states it is a name, or a number that only rows of the tables assign to a town. Leaves out
/// districts of water that the Census does not define.
///
/// # Errors
/// When the zip or a file in it is damaged, or a district has no county, no name or no area.
pub fn districts(file: &str, bytes: &[u8]) -> Result<Vec<Precinct>, ReadError> {
    let all = features::of_zip(file, bytes, |at, feature| {
        let text = |field: &'static str| {
            let value = feature.property(field).and_then(|value| value.as_str());
            value.ok_or_else(|| at.wrong(field, "a text", None))
        };
        let (id, name) = (text("GEOID20")?, text("NAME")?.trim().to_owned());
        let county = id.get(..5).and_then(|digits| Geoid::parse(Layer::County, digits).ok());
        let county = county.ok_or_else(|| at.wrong("GEOID20", "five digits of a county", Some(id)))?;
        let numbered = name.len() >= NUMBER_DIGITS && name.bytes().all(|byte| byte.is_ascii_digit());
        let digits =
            format!("{:02}{}", county.state_fips(), name.get(..8).filter(|_| numbered).unwrap_or_default());
        let cousub = Geoid::parse(Layer::Cousub, &digits).ok().filter(|code| code.county() == Some(county));
        let is_water = id.ends_with(UNDEFINED) || name == UNDEFINED;
        let district =
            Precinct { county, name, district: true, numbered, cousub, rings: features::rings(at, feature)? };
        Ok((!is_water).then_some(district))
    })?;
    Ok(all.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::made::zip;

    const FEATURE: &str = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"GEOID":"55091-DURAND TOWN","votes_dem":99},"geometry":{"type":"Polygon","coordinates":[[[-92,44],[-91,44],[-91,45],[-92,44]]]}}]}"#;

    #[test]
    fn names_follow_the_county() {
        let empty = br#"{"type":"FeatureCollection","features":[]}"#;
        let bytes = zip(&[("Pepin.geojson", FEATURE.as_bytes()), ("Iowa.geojson", empty)]);
        let found = named("p.zip", &bytes).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].county.digits().as_str(), found[0].name.as_str()), ("55091", "DURAND TOWN"));
        assert_eq!(found[0].rings[0].len(), 4);
        for (from, to, expected) in [
            ("55091-", "5509-", "p.zip/a.geojson: record 1: field GEOID"),
            ("\"GEOID\"", "\"ID\"", "p.zip/a.geojson: record 1: field GEOID"),
            ("Polygon", "Point", "p.zip/a.geojson"),
        ] {
            let bytes = zip(&[("a.geojson", FEATURE.replace(from, to).as_bytes())]);
            let message = named("p.zip", &bytes).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn numbers_begin_with_the_code_of_the_town() {
        let district = |id: &str, name: &str| {
            FEATURE.replace(
                "\"GEOID\":\"55091-DURAND TOWN\"",
                &format!("\"GEOID20\":\"{id}\",\"NAME\":\"{name}\""),
            )
        };
        let read =
            |id: &str, name: &str| districts("v.zip", &zip(&[("v.geojson", district(id, name).as_bytes())]));
        for (id, name, numbered, cousub) in [
            ("26051051001", "0517986000001", true, Some("2605179860")),
            ("26051051002", "0537986000001", true, None),
            ("20041000010", "Abilene Ward 1", false, None),
            ("20173000010", "128 Precinct", false, None),
            ("18141000010", "040001", true, None),
            ("18003000010", "203", false, None),
        ] {
            let found = read(id, name).unwrap();
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(
                (found[0].numbered, found[0].cousub.map(Geoid::digits).as_deref()),
                (numbered, cousub),
                "{name}"
            );
            assert!(found[0].district && found[0].rings[0].len() == 4);
        }
        assert!(read("26051ZZZZZZ", "Voting Districts Not Defined").unwrap().is_empty());
        let message = read("2605", "0517986000001").unwrap_err().to_string();
        assert!(message.contains("v.zip/v.geojson: record 1: field GEOID20"), "{message}");
    }
}
