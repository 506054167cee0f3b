//! The four Census layers and their GEOIDs.

use serde::{Deserialize, Serialize};

use super::StateCode;

/// A layer of legal areas, largest first. The order is the order of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Layer {
    /// States, the District of Columbia and the island areas.
    State = 0,
    /// Counties and county equivalents (parish, borough, census area, municipio, independent city ...).
    County = 1,
    /// County subdivisions: towns, townships and their like.
    Cousub = 2,
    /// Incorporated places, such as cities, boroughs and villages.
    Place = 3,
}

impl Layer {
    /// All layers, largest first.
    pub const ALL: [Layer; 4] = [Layer::State, Layer::County, Layer::Cousub, Layer::Place];

    /// Number of digits of a GEOID in this layer.
    pub const fn geoid_digits(self) -> usize {
        match self {
            Layer::State => 2,
            Layer::County => 5,
            Layer::Cousub => 10,
            Layer::Place => 7,
        }
    }

    /// The word before the colon of a jurisdiction id.
    pub const fn prefix(self) -> &'static str {
        match self {
            Layer::State => "state",
            Layer::County => "county",
            Layer::Cousub => "cousub",
            Layer::Place => "place",
        }
    }

    /// The layer with this prefix; `None` for any other word.
    pub fn from_prefix(prefix: &str) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| layer.prefix() == prefix)
    }

    /// The layer stored as this number (see [`Geoid::to_u64`]); `None` for other numbers.
    pub fn from_u8(number: u8) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| *layer as u8 == number)
    }
}

/// A Census GEOID with its layer: state 2 digits, county 5, county subdivision 10, place 7.
///
/// Ordered by layer, then by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Geoid {
    layer: Layer,
    code: u64,
}

/// A text that is not a GEOID of its layer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {} GEOID has {expected} digits, got {got:?}", .layer.prefix())]
pub struct GeoidError {
    /// The layer that the text was parsed for.
    pub layer: Layer,
    /// Number of digits that a GEOID of the layer has.
    pub expected: usize,
    /// The rejected text, cut to 40 characters.
    pub got: String,
}

impl Geoid {
    /// Parses the digits of a GEOID.
    ///
    /// # Errors
    /// When the text has another length or holds anything but ASCII digits.
    pub fn parse(layer: Layer, digits: &str) -> Result<Geoid, GeoidError> {
        let expected = layer.geoid_digits();
        let wrong = || GeoidError { layer, expected, got: digits.chars().take(40).collect() };
        if digits.len() != expected || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        digits.parse().map(|code| Geoid { layer, code }).map_err(|_| wrong())
    }

    /// The GEOID of a state.
    pub fn of_state(state: StateCode) -> Geoid {
        Geoid { layer: Layer::State, code: u64::from(state.fips()) }
    }

    /// The layer of the area.
    pub fn layer(self) -> Layer {
        self.layer
    }

    /// The digits as a number, without leading zeros.
    pub fn code(self) -> u64 {
        self.code
    }

    /// State FIPS code, 1 to 99.
    pub fn state_fips(self) -> u8 {
        let digits_after = self.layer.geoid_digits() as u32 - 2;
        (self.code / 10u64.pow(digits_after)) as u8
    }

    /// The GEOID of the state that the area lies in.
    pub fn state(self) -> Geoid {
        Geoid { layer: Layer::State, code: u64::from(self.state_fips()) }
    }

    /// The GEOID of the county; `None` for a state, and for a place because places nest only in states.
    pub fn county(self) -> Option<Geoid> {
        match self.layer {
            Layer::County => Some(self),
            Layer::Cousub => Some(Geoid { layer: Layer::County, code: self.code / 100_000 }),
            Layer::State | Layer::Place => None,
        }
    }

    /// The last five digits of a subdivision or place (COUSUBFP or PLACEFP); `None` for states and counties.
    pub fn fp5(self) -> Option<u32> {
        match self.layer {
            Layer::Cousub | Layer::Place => Some((self.code % 100_000) as u32),
            Layer::State | Layer::County => None,
        }
    }

    /// The place with the code of this county subdivision; `None` for other layers. In states whose cities lie in no
    /// town, a subdivision with the city's code stands for the city.
    pub fn place_of_unit(self) -> Option<Geoid> {
        let code = u64::from(self.state_fips()) * 100_000 + u64::from(self.fp5()?);
        (self.layer == Layer::Cousub).then_some(Geoid { layer: Layer::Place, code })
    }

    /// Layer and code in one number, as stored in the snapshot. Numbers are in the order of the GEOIDs.
    pub fn to_u64(self) -> u64 {
        (self.layer as u64) << 56 | self.code
    }

    /// The inverse of [`Geoid::to_u64`]; `None` when the number is not a GEOID.
    pub fn from_u64(number: u64) -> Option<Geoid> {
        let layer = Layer::from_u8((number >> 56) as u8)?;
        let code = number & ((1 << 56) - 1);
        (code < 10u64.pow(layer.geoid_digits() as u32)).then_some(Geoid { layer, code })
    }

    /// The digits without the prefix, with leading zeros.
    pub fn digits(self) -> String {
        format!("{:0width$}", self.code, width = self.layer.geoid_digits())
    }
}

/// The number that snapshots store; answers write the text.
impl From<Geoid> for u64 {
    fn from(geoid: Geoid) -> u64 {
        geoid.to_u64()
    }
}

impl TryFrom<u64> for Geoid {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Geoid, &'static str> {
        Geoid::from_u64(number).ok_or("expected layer and code of a GEOID")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_geoid() {
        let cousub = Geoid::parse(Layer::Cousub, "0911001080").unwrap();
        assert_eq!(cousub.to_string(), "cousub:0911001080");
        assert_eq!(cousub.state().to_string(), "state:09");
        assert_eq!(cousub.county().unwrap().to_string(), "county:09110");
        assert_eq!(cousub.fp5(), Some(1080));
        let place = Geoid::parse(Layer::Place, "2743000").unwrap();
        assert_eq!((place.state_fips(), place.county(), place.fp5()), (27, None, Some(43000)));
    }

    #[test]
    fn wrong_geoids_say_what_was_expected() {
        for (layer, digits) in [
            (Layer::County, "2705"),
            (Layer::County, "270533"),
            (Layer::State, "M1"),
            (Layer::Place, "+743000"),
            (Layer::Cousub, "٣٤٥٦٧"),
            (Layer::State, ""),
        ] {
            let error = Geoid::parse(layer, digits).unwrap_err();
            assert_eq!((error.expected, error.got.as_str()), (layer.geoid_digits(), digits));
        }
    }

    proptest::proptest! {
        #[test]
        fn every_geoid_survives_text_and_number(layer in 0u8..4, code in 0u64..10_000_000_000) {
            let layer = Layer::from_u8(layer).unwrap();
            let geoid = Geoid { layer, code: code % 10u64.pow(layer.geoid_digits() as u32) };
            proptest::prop_assert_eq!(Geoid::parse(layer, &geoid.digits()), Ok(geoid));
            proptest::prop_assert_eq!(Geoid::from_u64(geoid.to_u64()), Some(geoid));
        }
    }
}
