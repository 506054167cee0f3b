//! Jurisdiction ids: a Census GEOID with a type prefix, `district:...`, or `country:us`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Geoid, Layer};

/// Maximum length of a `district:` name, in characters. Chosen, not measured: the contract sets no limit.
const DISTRICT_CHARS_MAX: usize = 80;

/// The id of a jurisdiction, as the contract spells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum JurisdictionId {
    /// The United States: `country:us`.
    Country,
    /// The GEOID: `state:NN`, `county:NNNNN`, `cousub:NNNNNNNNNN` or `place:NNNNNNN`.
    Census(Geoid),
    /// `district:[a-z0-9-]+`, for bodies that are not Census units.
    District(Box<str>),
}

/// The `type` of a jurisdiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JurisdictionType {
    /// The United States as a whole.
    Country,
    /// The type of a Census layer: state, county, county subdivision or place.
    Layer(Layer),
    /// A body that is not a Census unit.
    District,
}

impl JurisdictionType {
    /// All types, largest first.
    pub const ALL: [JurisdictionType; 6] = [
        JurisdictionType::Country,
        JurisdictionType::Layer(Layer::State),
        JurisdictionType::Layer(Layer::County),
        JurisdictionType::Layer(Layer::Cousub),
        JurisdictionType::Layer(Layer::Place),
        JurisdictionType::District,
    ];

    /// The type with this contract word; `None` for an unknown word.
    pub fn from_word(word: &str) -> Option<JurisdictionType> {
        JurisdictionType::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The contract's word for the type.
    pub fn as_str(self) -> &'static str {
        match self {
            JurisdictionType::Country => "country",
            JurisdictionType::Layer(layer) => layer.prefix(),
            JurisdictionType::District => "district",
        }
    }
}

impl JurisdictionId {
    /// The type of the jurisdiction with this id.
    pub fn jurisdiction_type(&self) -> JurisdictionType {
        match self {
            JurisdictionId::Country => JurisdictionType::Country,
            JurisdictionId::Census(geoid) => JurisdictionType::Layer(geoid.layer()),
            JurisdictionId::District(_) => JurisdictionType::District,
        }
    }
}

/// A text that is not a jurisdiction id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected state:NN, county:NNNNN, cousub:NNNNNNNNNN, place:NNNNNNN, district:name or country:us, got {got:?}"
)]
pub struct IdError {
    /// The rejected text, cut to 80 characters.
    pub got: String,
}

impl FromStr for JurisdictionId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<JurisdictionId, IdError> {
        let wrong = || IdError { got: text.chars().take(80).collect() };
        let (prefix, rest) = text.split_once(':').ok_or_else(wrong)?;
        if let Some(layer) = Layer::from_prefix(prefix) {
            return Geoid::parse(layer, rest).map(JurisdictionId::Census).map_err(|_| wrong());
        }
        match prefix {
            "country" if rest == "us" => Ok(JurisdictionId::Country),
            "district" if is_district_name(rest) => Ok(JurisdictionId::District(rest.into())),
            _ => Err(wrong()),
        }
    }
}

impl From<JurisdictionId> for String {
    fn from(id: JurisdictionId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for JurisdictionId {
    type Error = IdError;

    fn try_from(text: String) -> Result<JurisdictionId, IdError> {
        text.parse()
    }
}

fn is_district_name(name: &str) -> bool {
    (1..=DISTRICT_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

impl fmt::Display for JurisdictionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JurisdictionId::Country => f.write_str("country:us"),
            JurisdictionId::Census(geoid) => geoid.fmt(f),
            JurisdictionId::District(name) => write!(f, "district:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_text() {
        for text in [
            "country:us",
            "state:27",
            "county:27053",
            "cousub:2705343000",
            "place:2743000",
            "district:tx-cad-453",
        ] {
            assert_eq!(text.parse::<JurisdictionId>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "27",
            "state:",
            "state:7",
            "County:27053",
            "county:270534",
            "country:ca",
            "district:",
            "district:A",
            "district:a b",
            "zip:55401",
            "place: 743000",
        ] {
            assert!(text.parse::<JurisdictionId>().is_err(), "{text:?}");
        }
    }
}
