//! Reads election precincts and voting districts, which nest in towns, with what their files say about the
//! town.

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer},
};

use super::{ReadError, attributes::Place, features, zip_shapefile, zipped::Archive};

/// One precinct or voting district.
#[derive(Clone, Debug, PartialEq)]
pub struct Precinct {
    /// GEOID of the county.
    pub county: Geoid,
    /// Name as the election office wrote it; for a voting district, its number.
    pub name: String,
    /// Whether it is a voting district, with a number in place of a name.
    pub numbered: bool,
    /// The subdivision in its number; for a part of a precinct, the one that a table names. `None` for other
    /// precincts.
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
        Ok(Precinct { county, name, numbered: false, cousub: None, rings: features::rings(at, feature)? })
    })
}

fn split_id(id: &str) -> Option<(Geoid, String)> {
    let (county, name) = id.split_once('-')?;
    Some((Geoid::parse(Layer::County, county).ok()?, name.trim().to_owned()))
}

/// Reads a zip of TIGER/Line 2008 zips, each with one county's voting districts of Census 2000. `NAME00`
/// begins with three digits of the county and five of the subdivision, in states that numbered them so.
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use dbase::{FieldName, TableWriterBuilder};
    use shapefile::{Point, Polygon, PolygonRing};

    use super::*;
    use crate::input::made::{square, zip};

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

    /// A zip of one county's districts: state, county and `NAME00`.
    fn districts(rows: &[(&str, &str, &str)]) -> Vec<u8> {
        let field = |name: &str| FieldName::try_from(name).unwrap();
        let (mut shp, mut shx, mut dbf) =
            (Cursor::new(Vec::new()), Cursor::new(Vec::new()), Cursor::new(Vec::new()));
        let mut table = TableWriterBuilder::new();
        for name in ["STATEFP00", "COUNTYFP00", "NAME00"] {
            table = table.add_character_field(field(name), 20);
        }
        let table = table.build_with_dest(&mut dbf);
        let shapes = shapefile::ShapeWriter::with_shx(&mut shp, &mut shx);
        let mut writer = shapefile::Writer::new(shapes, table);
        for (state, county, name) in rows {
            let mut row = dbase::Record::default();
            for (key, value) in [("STATEFP00", state), ("COUNTYFP00", county), ("NAME00", name)] {
                let value = dbase::FieldValue::Character(Some((*value).to_owned()));
                row.insert(key.to_owned(), value);
            }
            let points = square((-85.0, 42.0)).into_iter().map(|(x, y)| Point::new(x, y)).collect();
            writer.write_shape_and_record(&Polygon::new(PolygonRing::Outer(points)), &row).unwrap();
        }
        drop(writer);
        let parts = [("t.shp", shp.into_inner()), ("t.shx", shx.into_inner()), ("t.dbf", dbf.into_inner())];
        let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        zip(&[("inner.zip", &zip(&parts))])
    }

    #[test]
    fn numbers_begin_with_the_code_of_the_town() {
        let rows = [("26", "051", "0517986000001"), ("26", "051", "ZZZZZZ"), ("26", "051", "")];
        let found = numbered("v.zip", &districts(&rows)).unwrap();
        let codes: Vec<Option<String>> =
            found.iter().map(|district| district.cousub.map(Geoid::digits)).collect();
        assert_eq!(codes, [Some("2605179860".to_owned()), None, None]);
        assert!(found.iter().all(|district| district.numbered && district.rings[0].len() == 5));
        let message = numbered("v.zip", &districts(&[("26", "", "0517986000001")])).unwrap_err().to_string();
        assert!(message.contains("v.zip/inner.zip: record 1: field COUNTYFP00"), "{message}");
    }
}
