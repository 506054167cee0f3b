//! The address service of the Census Bureau: the block of a street from address ranges, and a place along it.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;
use serde_json::Value;

use super::{Query, json, values};
use crate::{
    answers::{AddressAnswer, Choice, FoundAddress, OutsideSource},
    geometry::LonLat,
    upstream::{fault::Fault, fetch::Reply},
    vocabulary::LicenseClass,
};

/// Where it answers when nothing else is set.
pub(crate) const BASE: &str = "https://geocoding.geo.census.gov/geocoder";

/// Longest text that it takes; to a longer one it answers with the status 400.
const CHARS_MAX: usize = 100;

/// Most choices that are offered where several addresses match.
const CHOICES_MAX: usize = 10;

/// Matches nearer than this, in units of 1e-7 degree, are one: some 20 m.
const SAME_UNITS: u32 = 2_000;

/// Asks for an address, or says why that would be in vain.
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

#[derive(Deserialize)]
struct Answer {
    result: Matches,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Matches {
    address_matches: Vec<Match>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Match {
    matched_address: String,
    coordinates: Coordinates,
}

#[derive(Deserialize)]
struct Coordinates {
    x: Value,
    y: Value,
}

/// Reads an answer, which was asked for at this time.
pub(crate) fn read(reply: &Reply, asked_at: &str) -> Result<AddressAnswer, Fault> {
    // What it cannot take apart as an address it refuses.
    if reply.status == 400 {
        return Ok(AddressAnswer::NotFound);
    }
    let Answer { result } = json(reply)?;
    let mut found: Vec<(String, LonLat)> = Vec::new();
    for matched in result.address_matches {
        let point = point(&matched.coordinates).ok_or(Fault::Unreadable)?;
        if !found.iter().any(|(text, other)| *text == matched.matched_address && is_same(*other, point)) {
            found.push((matched.matched_address, point));
        }
    }
    Ok(match found.len() {
        0 => AddressAnswer::NotFound,
        1 => found.pop().map_or(AddressAnswer::NotFound, |(text, point)| one(text, point, asked_at)),
        _ => AddressAnswer::Several(found.into_iter().take(CHOICES_MAX).map(choice).collect()),
    })
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

const SOURCE: OutsideSource = OutsideSource {
    name: Cow::Borrowed("Census Geocoder, address ranges (Public_AR_Current)"),
    url: Cow::Borrowed("https://geocoding.geo.census.gov/geocoder/"),
    publisher: Cow::Borrowed("U.S. Census Bureau"),
    official: true,
    license_class: LicenseClass::Open,
};
