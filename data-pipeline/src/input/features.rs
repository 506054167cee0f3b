//! Reads GeoJSON feature collections with Census attributes.

use geojson::{Feature, GeoJson, GeometryValue, Position};
use platbook::{geometry::LonLat, vocabulary::Layer};

use super::{
    ReadError, Record,
    attributes::{Attributes, Place},
    zipped::Archive,
};

pub(super) fn read(file: &str, bytes: &[u8], layer: Layer) -> Result<Vec<Record>, ReadError> {
    let features = collection(file, bytes)?.into_iter().enumerate();
    features.map(|(at, feature)| record(Place { file, record: at + 1 }, feature, layer)).collect()
}

/// The features of a collection; any other GeoJSON is an error.
pub(super) fn collection(file: &str, bytes: &[u8]) -> Result<Vec<Feature>, ReadError> {
    let wrong = |got: String| ReadError::GeoJson { file: file.to_owned(), got };
    let parsed = GeoJson::from_reader(bytes).map_err(|error| wrong(error.to_string()))?;
    let GeoJson::FeatureCollection(collection) = parsed else {
        let got = if matches!(parsed, GeoJson::Feature(_)) { "a single Feature" } else { "a bare geometry" };
        return Err(wrong(got.to_owned()));
    };
    Ok(collection.features)
}

/// Calls `read` for each feature of the GeoJSON files in a zip, and returns its values in the order of files.
pub(super) fn of_zip<T>(
    file: &str,
    bytes: &[u8],
    read: impl Fn(Place, &Feature) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let mut archive = Archive::open(file, bytes)?;
    let mut found = Vec::new();
    for member in archive.all("geojson") {
        let within = format!("{file}/{member}");
        for (at, feature) in collection(&within, &archive.member(&member)?)?.iter().enumerate() {
            found.push(read(Place { file: &within, record: at + 1 }, feature)?);
        }
    }
    Ok(found)
}

fn record(at: Place, feature: Feature, layer: Layer) -> Result<Record, ReadError> {
    let rings = rings(at, &feature)?;
    attributes(&feature).record(at, layer, rings)
}

fn attributes(feature: &Feature) -> Attributes {
    let mut attributes = Attributes::default();
    for (field, value) in feature.properties_iter() {
        match (Attributes::index(field), value) {
            (Some(index), serde_json::Value::String(text)) => attributes.set(index, text),
            (Some(index), serde_json::Value::Number(number)) => attributes.set(index, &number.to_string()),
            _ => {}
        }
    }
    attributes
}

/// The rings of a feature that is a polygon or a multipolygon; any other geometry is an error.
pub(super) fn rings(at: Place, feature: &Feature) -> Result<Vec<Vec<LonLat>>, ReadError> {
    match feature.geometry.as_ref().map(|geometry| &geometry.value) {
        Some(GeometryValue::Polygon { coordinates }) => {
            coordinates.iter().map(|part| ring(at, part)).collect()
        }
        Some(GeometryValue::MultiPolygon { coordinates }) => {
            coordinates.iter().flatten().map(|part| ring(at, part)).collect()
        }
        Some(other) => Err(at.no_area(other.type_name())),
        None => Err(at.no_area("no geometry")),
    }
}

fn ring(at: Place, positions: &[Position]) -> Result<Vec<LonLat>, ReadError> {
    // `geojson` accepts positions of a single number.
    let lonlat = |position: &Position| match position.as_slice() {
        [lon, lat, ..] => at.lonlat(*lon, *lat),
        _ => Err(at.no_area("a position without two numbers")),
    };
    positions.iter().map(lonlat).collect()
}
