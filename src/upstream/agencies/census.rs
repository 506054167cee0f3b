//! The address service of the Census Bureau. It finds the street segment whose address range has the house number,
//! and interpolates a point along it.

use std::{fmt, sync::Arc};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::Value;

use super::{
    json,
    values::{self, CleanText},
};
use crate::upstream::{
    control::ControlQuestion,
    fetch::{Query, Reply},
};
use platbook::{
    answers::{AddressAnswer, Choice, FoundAddress},
    facts::Fault,
    geometry::LonLat,
    vocabulary::OutsideSource,
};

/// The default address of the service.
pub(crate) const BASE: &str = "https://geocoding.geo.census.gov/geocoder";

/// Maximum length of a text that the service accepts, in characters; a longer one gets status 400.
const CHARS_MAX: usize = 100;

/// Maximum number of choices to offer if several addresses match. Chosen, not measured.
const CHOICES_MAX: usize = 10;

/// Maximum number of matches to read; others are skipped. Twice the choices, since the two sides of a street often
/// match one address.
const MATCHES_MAX: usize = 2 * CHOICES_MAX;

/// Distance below which matches with the same text count as one, in units of 1e-7 degree: some 20 m. Both coordinates
/// must be nearer. Chosen, not measured.
const SAME_UNITS: u32 = 2_000;

/// Makes the query for an address.
///
/// # Errors
/// Returns the answer for a text that the service would reject.
pub(crate) fn query(text: &str) -> Result<Query, AddressAnswer> {
    let chars = text.chars().count();
    if chars > CHARS_MAX {
        let why = format!(
            "the address service reads at most {CHARS_MAX} characters, got {chars}; leave out what is no part of number, \
             street, city, state and ZIP code"
        );
        return Err(AddressAnswer::Unplaceable(why));
    }
    let pairs = vec![
        ("address", text.to_owned()),
        ("benchmark", "Public_AR_Current".to_owned()),
        ("format", "json".to_owned()),
    ];
    Ok(Query::get("/locations/onelineaddress", pairs))
}

/// Queries the Census Bureau's own address, the example in the service's documentation.
pub(crate) fn control() -> ControlQuestion {
    let query = query("4600 SILVER HILL RD, WASHINGTON, DC 20233").expect("the address is short");
    ControlQuestion { query, finds: |reply| Ok(read(reply, "")?.is_found()) }
}

/// The result of an address query.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The address, several candidates, or the reason why there is no address.
    pub(crate) address: AddressAnswer,
    /// Advice for the caller if more addresses match than are listed; `None` otherwise.
    pub(crate) hint: Option<String>,
}

impl Placed {
    /// Returns whether the service found an address, or several.
    pub(crate) fn is_found(&self) -> bool {
        matches!(self.address, AddressAnswer::One(_) | AddressAnswer::Several(_))
    }
}

#[derive(Deserialize)]
struct Answer {
    result: Matches,
}

/// The documented form of an error response: the service could not parse the text as an address.
#[derive(Deserialize)]
struct Rejected {
    errors: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Matches {
    address_matches: First,
}

/// The first matches in a list, and whether the list has more.
struct First {
    matches: Vec<Match>,
    are_all: bool,
}

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<First, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = First;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of matches")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<First, A::Error> {
                let mut first = First { matches: Vec::new(), are_all: true };
                while first.matches.len() < MATCHES_MAX {
                    match list.next_element()? {
                        Some(matched) => first.matches.push(matched),
                        None => return Ok(first),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {
                    first.are_all = false;
                }
                Ok(first)
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Match {
    matched_address: CleanText,
    coordinates: Coordinates,
}

#[derive(Deserialize)]
struct Coordinates {
    x: Value,
    y: Value,
}

/// Reads a response. `asked_at` is the time of its request, RFC 3339.
pub(crate) fn read(reply: &Reply, asked_at: &str) -> Result<Placed, Fault> {
    if reply.status == 400 {
        let rejected = serde_json::from_slice::<Rejected>(&reply.body);
        let is_documented = rejected.is_ok_and(|rejected| !rejected.errors.is_empty());
        return Err(if is_documented { Fault::Refused(400) } else { Fault::Status(400) });
    }
    let First { matches, are_all } = json::<Answer>(reply)?.result.address_matches;
    // Each match is compared with all earlier ones, which is cheap: at most `MATCHES_MAX` are read.
    let mut found: Vec<(String, LonLat)> = Vec::with_capacity(matches.len());
    for matched in matches {
        let point = point(&matched.coordinates).ok_or(Fault::Unreadable)?;
        let text = matched.matched_address.0;
        if !found.iter().any(|(other, place)| *other == text && is_same(*place, point)) {
            found.push((text, point));
        }
    }
    let has_more = !are_all || found.len() > CHOICES_MAX;
    let address = match found.len() {
        0 => AddressAnswer::NotFound,
        1 => found.pop().map_or(AddressAnswer::NotFound, |(text, point)| one(text, point, asked_at)),
        _ => AddressAnswer::Several(found.into_iter().take(CHOICES_MAX).map(choice).collect()),
    };
    let is_several = matches!(address, AddressAnswer::Several(_));
    let hint = (has_more && is_several).then(|| {
        "More addresses match than are listed. Add the city, the state and the ZIP code.".to_owned()
    });
    Ok(Placed { address, hint })
}

fn one(matched_address: String, point: LonLat, asked_at: &str) -> AddressAnswer {
    AddressAnswer::One(FoundAddress {
        point,
        matched_address,
        geocoder: "Census Geocoder".to_owned(),
        method: "interpolated along its block from ranges of house numbers".into(),
        source: Arc::new(SOURCE),
        looked_up_at: Some(asked_at.to_owned()),
    })
}

fn choice((label, point): (String, LonLat)) -> Choice {
    Choice { label, point: Some(point), jurisdiction: None }
}

fn point(coordinates: &Coordinates) -> Option<LonLat> {
    let (lon, lat) = (values::number(&coordinates.x)?, values::number(&coordinates.y)?);
    LonLat::from_lat_lon(lat, lon).ok()
}

fn is_same(one: LonLat, other: LonLat) -> bool {
    one.lat().abs_diff(other.lat()) < SAME_UNITS && one.lon().abs_diff(other.lon()) < SAME_UNITS
}

const SOURCE: OutsideSource = OutsideSource::published(
    "Census Geocoder, address ranges (Public_AR_Current)",
    "https://geocoding.geo.census.gov/geocoder/",
    "U.S. Census Bureau",
);
