//! The JSON types for jurisdictions and points.

use schemars::JsonSchema;
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{PageUrl, schema, text};
use platbook::vocabulary::{JurisdictionId, JurisdictionType, StateCode};

/// A government or legal area.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Jurisdiction<'a> {
    /// Id of the government or area.
    #[serde(serialize_with = "text::id")]
    #[schemars(with = "schema::Id")]
    pub jurisdiction_id: JurisdictionId,
    /// Layer of the government or area.
    #[serde(rename = "type", serialize_with = "type_word")]
    #[schemars(with = "schema::TypeWord")]
    pub jurisdiction_type: JurisdictionType,
    /// Name as people write it.
    pub name: &'a str,
    /// Census legal word, lower case.
    pub legal_type: Option<&'a str>,
    /// Postal code of its state.
    #[serde(serialize_with = "postal_code")]
    #[schemars(with = "Option<schema::State>")]
    pub state: Option<StateCode>,
    /// The same government or area under other ids.
    #[serde(serialize_with = "text::ids")]
    #[schemars(with = "Vec<schema::Id>")]
    pub same_as: Vec<JurisdictionId>,
    /// Open Civic Data id; null where it has none.
    pub ocd_id: Option<String>,
    /// Year of the boundary or list.
    #[serde(serialize_with = "year")]
    #[schemars(with = "Option<schema::Year>")]
    pub tiger_vintage: Option<u16>,
    /// Address of its page.
    pub page_url: PageUrl<'a>,
}

fn type_word<S: Serializer>(word: &JurisdictionType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word.as_str())
}

fn postal_code<S: Serializer>(state: &Option<StateCode>, serializer: S) -> Result<S::Ok, S::Error> {
    state.map(StateCode::usps).serialize(serializer)
}

/// Writes a year as text, as the contract requires.
fn year<S: Serializer>(year: &Option<u16>, serializer: S) -> Result<S::Ok, S::Error> {
    match year {
        Some(year) => serializer.collect_str(year),
        None => serializer.serialize_none(),
    }
}

/// A GeoJSON point, WGS84.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Degrees of longitude, east positive.
    pub lon: f64,
    /// Degrees of latitude, north positive.
    pub lat: f64,
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut point = serializer.serialize_struct("Point", 2)?;
        point.serialize_field("type", "Point")?;
        point.serialize_field("coordinates", &[self.lon, self.lat])?;
        point.end()
    }
}
