//! Reads lines and polygons in degrees, with all their attributes, from shapefiles and GeoJSON.

use std::{collections::BTreeMap, io::Cursor};

use geojson::{Feature, GeometryValue, Position};
use platbook::geometry::LonLat;
use shapefile::{Shape, ShapeReader};

use super::{
    ReadError,
    attributes::Place,
    features,
    projection::Projection,
    zip_shapefile::{declared_length, encoding},
    zipped::Archive,
};

/// One record, with any attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct RawShape {
    /// Values by the field's name in lower case, trimmed; empty and null values are absent.
    pub attributes: BTreeMap<String, String>,
    /// Lines, or closed rings of polygons in no particular order.
    pub parts: Vec<Vec<LonLat>>,
    /// Whether the parts are lines; else they are rings.
    pub is_line: bool,
}

impl RawShape {
    /// The value of a field; `None` if it is absent or empty.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.attributes.get(field).map(String::as_str)
    }
}

/// Reads the lines or polygons of a file: `.zip` with shapefiles or one GeoJSON file, `.geojson` or `.json`.
///
/// From a zip with several shapefiles, reads the first by name whose name has `word` in it, ignoring case.
///
/// # Errors
/// As [`super::boundaries`].
pub fn read(file: &str, bytes: &[u8], word: &str) -> Result<Vec<RawShape>, ReadError> {
    match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("geojson" | "json") => collection(file, bytes),
        Some("zip") => {
            let mut archive = Archive::open(file, bytes)?;
            match archive.stem_with(word) {
                Some(stem) => shapefile(file, &mut archive, &stem),
                None => match archive.find("geojson").or_else(|| archive.find("json")) {
                    Some(name) => collection(file, &archive.member(&name)?),
                    None => Err(archive.missing(&format!("{word}.shp or .geojson"))),
                },
            }
        }
        _ => Err(ReadError::Kind { file: file.to_owned() }),
    }
}

/// The first text member of a zip whose name ends in `ending`, unpacked; `None` without one, or if the file
/// is not a zip.
///
/// # Errors
/// When the archive is damaged.
pub fn member_ending(file: &str, bytes: &[u8], ending: &str) -> Result<Option<Vec<u8>>, ReadError> {
    if !file.ends_with(".zip") {
        return Ok(None);
    }
    let mut archive = Archive::open(file, bytes)?;
    let Some(name) = archive.all("txt").into_iter().find(|name| name.ends_with(ending)) else {
        return Ok(None);
    };
    archive.member(&name).map(Some)
}

fn shapefile(file: &str, archive: &mut Archive, stem: &str) -> Result<Vec<RawShape>, ReadError> {
    let rows = rows(file, archive, stem)?;
    let projection = match archive.optional(stem, "prj")? {
        Some(prj) => Projection::from_wkt(file, &String::from_utf8_lossy(&prj))?,
        None => Projection::degrees(),
    };
    let shp = archive.required(stem, "shp")?;
    let damaged = |record, source| ReadError::Shape { file: file.to_owned(), record, source };
    if declared_length(&shp).is_some_and(|whole| whole > shp.len()) {
        return Err(damaged(0, std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into()));
    }
    let mut reader = ShapeReader::new(Cursor::new(shp.as_slice())).map_err(|source| damaged(0, source))?;
    let mut found = Vec::with_capacity(rows.len());
    for (at, shape) in reader.iter_shapes().enumerate() {
        let shape = shape.map_err(|source| damaged(at + 1, source))?;
        found.push(parts(Place { file, record: at + 1 }, shape, &projection)?);
    }
    if found.len() != rows.len() {
        return Err(ReadError::Count { file: file.to_owned(), shapes: found.len(), rows: rows.len() });
    }
    let both = rows.into_iter().zip(found);
    Ok(both.map(|(attributes, (parts, is_line))| RawShape { attributes, parts, is_line }).collect())
}

type Parts = (Vec<Vec<LonLat>>, bool);

/// The parts of a shape, and whether they are lines; no parts for a record without a shape.
fn parts(at: Place, shape: Shape, projection: &Projection) -> Result<Parts, ReadError> {
    let part = |points: Vec<(f64, f64)>| -> Result<Vec<LonLat>, ReadError> {
        points.into_iter().map(|(x, y)| projection.lonlat(at, x, y)).collect()
    };
    macro_rules! rings {
        ($polygon:expr) => {
            $polygon.rings().iter().map(|ring| ring.points().iter().map(|point| (point.x, point.y)).collect())
        };
    }
    macro_rules! lines {
        ($line:expr) => {
            $line.parts().iter().map(|points| points.iter().map(|point| (point.x, point.y)).collect())
        };
    }
    let (raw, is_line): (Vec<Vec<(f64, f64)>>, bool) = match &shape {
        Shape::Polygon(polygon) => (rings!(polygon).collect(), false),
        Shape::PolygonZ(polygon) => (rings!(polygon).collect(), false),
        Shape::PolygonM(polygon) => (rings!(polygon).collect(), false),
        Shape::Polyline(line) => (lines!(line).collect(), true),
        Shape::PolylineZ(line) => (lines!(line).collect(), true),
        Shape::PolylineM(line) => (lines!(line).collect(), true),
        Shape::NullShape => (Vec::new(), false),
        other => return Err(at.no_area(&format!("a shape of type {}", other.shapetype()))),
    };
    let parts: Result<Vec<Vec<LonLat>>, ReadError> = raw.into_iter().map(part).collect();
    Ok((parts?, is_line))
}

fn rows(file: &str, archive: &mut Archive, stem: &str) -> Result<Vec<BTreeMap<String, String>>, ReadError> {
    let dbf = archive.required(stem, "dbf")?;
    let cpg = archive.optional(stem, "cpg")?;
    let encoding = encoding(file, cpg.as_deref(), &dbf)?;
    let damaged = |record, source| ReadError::Dbf { file: file.to_owned(), record, source };
    let reader = dbase::ReaderBuilder::new().with_encoding(encoding).build(Cursor::new(dbf.as_slice()));
    let mut reader = reader.map_err(|source| damaged(0, source))?;
    let rows = reader.iter_records().enumerate();
    rows.map(|(at, row)| Ok(texts(row.map_err(|source| damaged(at + 1, source))?))).collect()
}

fn texts(row: dbase::Record) -> BTreeMap<String, String> {
    let texts = row.into_iter().filter_map(|(name, value)| {
        let text = match value {
            dbase::FieldValue::Character(text) => text?,
            dbase::FieldValue::Numeric(number) => number?.to_string(),
            dbase::FieldValue::Float(number) => number?.to_string(),
            dbase::FieldValue::Integer(number) => number.to_string(),
            dbase::FieldValue::Double(number) => number.to_string(),
            dbase::FieldValue::Logical(flag) => if flag? { "T" } else { "F" }.to_owned(),
            dbase::FieldValue::Date(date) => {
                let date = date?;
                format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
            }
            _ => return None,
        };
        kept(&name, &text)
    });
    texts.collect()
}

fn kept(name: &str, text: &str) -> Option<(String, String)> {
    let text = text.trim();
    (!text.is_empty()).then(|| (name.to_ascii_lowercase(), text.to_owned()))
}

fn collection(file: &str, bytes: &[u8]) -> Result<Vec<RawShape>, ReadError> {
    let features = features::collection(file, bytes)?.into_iter().enumerate();
    features.map(|(at, feature)| raw_feature(Place { file, record: at + 1 }, &feature)).collect()
}

fn raw_feature(at: Place, feature: &Feature) -> Result<RawShape, ReadError> {
    let properties = feature.properties.iter().flatten().filter_map(|(name, value)| match value {
        serde_json::Value::String(text) => kept(name, text),
        serde_json::Value::Number(number) => kept(name, &number.to_string()),
        serde_json::Value::Bool(flag) => kept(name, if *flag { "T" } else { "F" }),
        _ => None,
    });
    let line = |positions: &Vec<Position>| -> Result<Vec<LonLat>, ReadError> {
        let lonlat = |position: &Position| match position.as_slice() {
            [lon, lat, ..] => at.lonlat(*lon, *lat),
            _ => Err(at.no_area("a position without two numbers")),
        };
        positions.iter().map(lonlat).collect()
    };
    let (parts, is_line) = match feature.geometry.as_ref().map(|geometry| &geometry.value) {
        Some(GeometryValue::LineString { coordinates }) => (vec![line(coordinates)?], true),
        Some(GeometryValue::MultiLineString { coordinates }) => {
            (coordinates.iter().map(line).collect::<Result<_, _>>()?, true)
        }
        _ => (features::rings(at, feature)?, false),
    };
    Ok(RawShape { attributes: properties.collect(), parts, is_line })
}
