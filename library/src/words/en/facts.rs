//! Sentences on facts from maps, in English.

use super::English;
use crate::{
    facts::{
        Elevation, Fact, FactKey, Fault, Flood, FloodHazard, FloodZone, Images, LAKE_FT, NEAR_FT, Radon,
        STREAM_FT, Said, Shoreland, SoilUnit, Water, Wetland, Wetlands,
    },
    words::{FactKind, FactText},
};

impl English {
    pub(super) fn kind_of_fact(key: FactKey) -> FactKind {
        match key {
            FactKey::Flood => FactKind {
                title: "Flood zone",
                subject: "The flood zone",
                caveat: "Screening only, for this exact point; not a flood zone determination.",
                decider: "FEMA makes and amends the flood maps. The local office that issues permits applies them to what is \
                          built on the land.",
            },
            FactKey::Wetlands => FactKind {
                title: "Wetlands",
                subject: "Wetlands",
                caveat: "Screening only, for this exact point; the inventory does not say where wetland law applies.",
                decider: "The Army Corps of Engineers decides which wetlands federal law covers. States and local \
                          governments may have rules of their own.",
            },
            FactKey::Soils => FactKind {
                title: "Soil",
                subject: "The soil",
                caveat: "Screening only, for this exact point; a soil map does not replace a test on the site.",
                decider: "The office that issues the permit decides on the site whether the soil is fit for a building or a \
                          septic system.",
            },
            FactKey::Elevation => FactKind {
                title: "Elevation",
                subject: "The elevation",
                caveat: "Screening only, for this exact point; not a survey.",
                decider: "A licensed surveyor, engineer or architect measures an elevation that must be certified.",
            },
            FactKey::Shoreland => FactKind {
                title: "Shoreland",
                subject: "Shoreland",
                caveat: "Screening only, for this exact point; not a zoning decision.",
                decider: "The local zoning office applies the shoreland rules.",
            },
            FactKey::Radon => FactKind {
                title: "Radon",
                subject: "The radon zone",
                caveat: "Screening only, for the county as a whole; only a test shows the radon level of a building.",
                decider: "No office decides: a test of the building is what counts.",
            },
        }
    }

    pub(super) fn text_of_fact(fact: &Fact) -> FactText {
        let subject = English::kind_of_fact(fact.key).subject;
        match &fact.said {
            Said::NotAsked => FactText::new(format!(
                "{subject} could not be checked: online lookups are off and no data file covers it."
            )),
            Said::NeedsPoint => FactText::new(format!(
                "{subject} needs a point: it differs within a place. Ask with coordinates or an address."
            )),
            Said::NotChecked { why, .. } => {
                FactText::new(format!("{subject} could not be checked: {}.", English::why(why)))
            }
            Said::Flood(flood) => text_of_flood(flood),
            Said::Wetlands(wetlands) => text_of_wetlands(wetlands),
            Said::Soils(unit) => text_of_soil(unit.as_ref()),
            Said::Elevation(elevation) => text_of_elevation(elevation),
            Said::Shoreland(shoreland) => text_of_shoreland(shoreland),
            Said::Radon(radon) => text_of_radon(*radon),
        }
    }

    pub(super) fn why(fault: &Fault) -> String {
        let words = match fault {
            Fault::Unreachable => "the service cannot be reached",
            Fault::Late => "the service did not answer in time",
            Fault::Status(status) => {
                return format!("the service answered with an error (status {status})");
            }
            Fault::Refused(status) => return format!("the service rejected the question (status {status})"),
            Fault::Empty => "the service found nothing, not even for a known example",
            Fault::Failed => "the service answered that it failed",
            Fault::Unreadable => "the answer of the service could not be read",
            Fault::TooLong => "the answer of the service was too long",
            Fault::Resting(_) => "the service failed several times and is not used for a while",
            Fault::Crowded => "too many lookups are waiting for the service",
            Fault::OverShare => "earlier lookups of the same caller are still under way",
        };
        words.to_owned()
    }
}

fn text_of_flood(flood: &Flood) -> FactText {
    match &flood.zone {
        Some(zone) => text_of_zone(zone),
        None if flood.is_mapped => {
            FactText::new("FEMA has a digital flood map of this area, but it has no zone at this point.")
        }
        None => {
            let paper = match &flood.firm_panel {
                Some(number) => format!("It lies on panel {number}, which may exist on paper only."),
                None => "An older paper map may exist. Ask the local floodplain office.".to_owned(),
            };
            FactText::new(
                "FEMA has no digital flood map of this point. That does not mean that it cannot flood.",
            )
            .with([Some(paper)])
        }
    }
}

fn text_of_zone(zone: &FloodZone) -> FactText {
    let FloodZone { zone: letter, hazard, subtype, base_flood_elevation_ft, vertical_datum, .. } = zone;
    let summary = match hazard {
        FloodHazard::Special => format!(
            "In a special flood hazard area (zone {letter}): the chance of a flood is at least 1% each year."
        ),
        FloodHazard::Moderate => {
            "Zone X, moderate flood hazard: less likely to flood than a special flood hazard area.".to_owned()
        }
        FloodHazard::ModerateOrMinimal => "Zone X, outside the special flood hazard area.".to_owned(),
        FloodHazard::Minimal => {
            "Zone X, minimal flood hazard: outside the areas that are likely to flood.".to_owned()
        }
        FloodHazard::NotStudied => {
            "Zone D: floods are possible here, but FEMA has not studied how likely they are.".to_owned()
        }
        FloodHazard::OpenWater => "Open water: the flood map gives no zone here.".to_owned(),
        FloodHazard::Unclear => {
            format!("The flood map has zone {letter} here, but does not say clearly what that means.")
        }
    };
    let remark = match hazard {
        FloodHazard::ModerateOrMinimal => Some(
            "The map does not say whether the hazard is moderate or minimal; the more cautious one is given."
                .to_owned(),
        ),
        // The summary already says that the hazard is minimal.
        FloodHazard::Minimal => None,
        _ => subtype.as_ref().map(|subtype| format!("The map calls it: {}.", subtype.to_lowercase())),
    };
    let height = base_flood_elevation_ft.map(|feet| {
        let datum = vertical_datum.as_ref().map_or(String::new(), |datum| format!(" ({datum})"));
        format!("The base flood elevation is {feet} ft{datum}.")
    });
    FactText::new(summary).with([remark, height])
}

fn text_of_wetlands(wetlands: &Wetlands) -> FactText {
    match (&wetlands.wetland, wetlands.images) {
        (Some(wetland), _) => FactText::new(text_of_wetland(wetland)),
        (None, Images::None) => FactText::new("The inventory has no map of this area."),
        (None, images) => {
            let unsure = "Whether the inventory has mapped this area could not be checked.".to_owned();
            FactText::new(format!("No wetland is mapped within {NEAR_FT} ft of this point."))
                .with([Some(unsure).filter(|_| images == Images::NotChecked)])
        }
    }
}

fn text_of_wetland(wetland: &Wetland) -> String {
    let Wetland { is_here, distance_ft, kind, code, .. } = wetland;
    let code = code.as_ref().map_or(String::new(), |code| format!(" ({code})"));
    let named = format!("{}{code}", kind.as_deref().unwrap_or("wetland"));
    let far = distance_ft.map_or(format!("within {NEAR_FT} ft of it"), |feet| format!("{feet} ft from it"));
    if *is_here {
        format!("The inventory maps a wetland at this point: {named}.")
    } else {
        format!("No wetland is mapped at this point, but {far}: {named}.")
    }
}

fn text_of_soil(unit: Option<&SoilUnit>) -> FactText {
    let Some(unit) = unit else { return FactText::new("No soil map covers this point.") };
    if !unit.is_mapped() {
        return FactText::new("The soil of this point has not been mapped.");
    }
    let SoilUnit { map_unit, drainage_class, hydric_percent, .. } = unit;
    let drainage = drainage_class.as_ref().map(|class| format!("Its main soil is {}.", class.to_lowercase()));
    let hydric = hydric_percent.filter(|percent| *percent > 0.0).map(|percent| {
        format!("About {percent}% of the map unit is hydric soil, which is typical of wetlands.")
    });
    FactText::new(format!("The soil map shows {map_unit} here.")).with([drainage, hydric])
}

fn text_of_elevation(elevation: &Elevation) -> FactText {
    match elevation.feet {
        Some(feet) => FactText::new(format!("The ground is about {feet:.0} ft above sea level.")),
        None => FactText::new("The elevation data has no height at this point."),
    }
}

fn text_of_shoreland(shoreland: &Shoreland) -> FactText {
    if let Some(Water { is_stream, name, .. }) = &shoreland.water {
        let (kind, feet) = if *is_stream { ("stream", STREAM_FT) } else { ("lake", LAKE_FT) };
        let name = name.as_ref().map_or("without a name".to_owned(), |name| format!("({name})"));
        return FactText::new(format!("Likely shoreland: a public {kind} {name} is within {feet} ft."));
    }
    let wetland = format!(
        "A public water wetland is within {LAKE_FT} ft. Ask the local zoning office whether shoreland rules apply."
    );
    let floodplain = "On the floodplain of a stream, shoreland may extend farther.";
    FactText::new(format!("No public lake within {LAKE_FT} ft and no public stream within {STREAM_FT} ft."))
        .with([shoreland.is_by_wetland.then_some(wetland), Some(floodplain.to_owned())])
}

fn text_of_radon(radon: Radon) -> FactText {
    let (zone, potential, level) = match radon {
        Radon::Zone1 => (1, "the highest", "above 4 pCi/L"),
        Radon::Zone2 => (2, "a moderate", "from 2 to 4 pCi/L"),
        Radon::Zone3 => (3, "a low", "below 2 pCi/L"),
        Radon::NotListed => return FactText::new("The EPA list of radon zones does not have this county."),
    };
    let tests = format!(
        "The predicted average of short tests in the county is {level}. Buildings differ widely, so test yours."
    );
    FactText::new(format!("EPA radon zone {zone}: {potential} potential for radon indoors."))
        .with([Some(tests)])
}
