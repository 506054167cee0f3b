//! Reads areas outside of the four layers: regions of Alaska, land of American Indian nations.

use platbook::geometry::LonLat;
use serde_json::Value;

use super::{ReadError, features};

/// One area as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// GEOID: text of any length, which need not be digits.
    pub code: String,
    /// NAME: the name without legal words.
    pub name: String,
    /// NAMELSAD: the name with its legal words.
    pub full_name: String,
    /// Two-character LSAD code of the kind of area.
    pub lsad: String,
    /// Outer rings and holes as read, not cleaned.
    pub rings: Vec<Vec<LonLat>>,
}

/// Reads a zip with GeoJSON files.
///
/// # Errors
/// When the zip or a file in it is damaged, or a feature lacks a code, a name, an LSAD code or an area.
pub fn outlines(file: &str, bytes: &[u8]) -> Result<Vec<Outline>, ReadError> {
    features::of_zip(file, bytes, |at, feature| {
        let text = |field: &'static str| {
            let value = feature.property(field).and_then(Value::as_str).map(str::to_owned);
            value.ok_or_else(|| at.wrong(field, "a text", None))
        };
        Ok(Outline {
            code: text("GEOID")?,
            name: text("NAME")?,
            full_name: text("NAMELSAD")?,
            lsad: text("LSAD")?,
            rings: features::rings(at, feature)?,
        })
    })
}
