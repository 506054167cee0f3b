//! The radon zone of a county, by the list of the Environmental Protection Agency.

use crate::{
    answers::{FactValue, Finding, Spot},
    directory::Resolution,
    layers::Beside,
    vocabulary::{Geoid, JurisdictionId, Radon},
};

/// Date of the list.
const AS_OF: &str = "1993";

/// The zone of the spot's county, or of its town where the county is younger than the list.
pub(super) fn finding(layers: Beside<'_>, spot: &Spot) -> Option<Finding<Radon>> {
    let JurisdictionId::Census(county) = spot.county else { return None };
    let town = || town_of(layers, spot);
    let zone = layers
        .county_tables()
        .find_map(|tables| tables.radon(county.code() as u16, town().map(Geoid::code)))?;
    let number = |zone: u8, potential: &str, level: &str| {
        let summary = format!("EPA radon zone {zone}: {potential} potential for radon indoors.");
        let detail = format!(
            "The average of a short test in the county was predicted {level}. Buildings differ widely: test."
        );
        (summary, Some(detail), Some(zone))
    };
    let (summary, detail, zone_number) = match zone {
        Radon::Zone1 => number(1, "the highest", "above 4 pCi/L"),
        Radon::Zone2 => number(2, "a moderate", "from 2 to 4 pCi/L"),
        Radon::Zone3 => number(3, "a low", "below 2 pCi/L"),
        Radon::NotListed | Radon::Unknown => {
            ("The EPA list of radon zones does not have this county.".to_owned(), None, None)
        }
    };
    let values = zone_number.map(|zone| ("zone", FactValue::Number(zone.into())));
    let finding = Finding::new(zone, summary);
    Some(Finding { detail, values: values.into_iter().collect(), as_of: Some(AS_OF.to_owned()), ..finding })
}

fn town_of(layers: Beside<'_>, spot: &Spot) -> Option<Geoid> {
    let Resolution::Inside(chain) = layers.directory.resolve(spot.point) else { return None };
    match layers.directory.id_of(chain.cousub?) {
        JurisdictionId::Census(geoid) => Some(geoid),
        _ => None,
    }
}
