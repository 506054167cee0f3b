//! Makes jurisdictions of bodies that are not Census units.

use platbook::{
    rules::{DistrictPerCounty, StateRules},
    snapshot::write::NewJurisdiction,
    vocabulary::{FuncStat, Geoid, JurisdictionId, Layer},
};

/// The districts of a state: the listed ones, and one for each county that no listed district of its set
/// includes. `sources` gives the row of each source by its position in the state's file.
pub(super) fn districts(
    rules: &StateRules,
    sources: &[u16],
    governments: &[NewJurisdiction],
) -> Vec<NewJurisdiction> {
    let mut found: Vec<NewJurisdiction> = rules
        .districts
        .iter()
        .map(|district| new(district.id.clone(), district.name.clone(), sources[district.source]))
        .collect();
    for pattern in &rules.per_county {
        let counties = governments.iter().filter_map(|government| match &government.id {
            JurisdictionId::Census(geoid) if is_county_of(rules, *geoid) => Some((*geoid, &government.name)),
            _ => None,
        });
        let left = counties.filter(|(geoid, _)| !has_listed_district(rules, &pattern.set, *geoid));
        found.extend(left.map(|(geoid, name)| of_county(pattern, geoid, name, sources)));
    }
    found
}

fn is_county_of(rules: &StateRules, geoid: Geoid) -> bool {
    geoid.layer() == Layer::County && geoid.state_fips() == rules.state.fips()
}

fn has_listed_district(rules: &StateRules, set: &str, county: Geoid) -> bool {
    rules.districts.iter().filter(|district| district.set == set).any(|district| {
        district.counties.contains(&county)
            || district.rest_of.contains(&county)
            || district.cousubs.iter().any(|cousub| cousub.county() == Some(county))
    })
}

fn of_county(pattern: &DistrictPerCounty, county: Geoid, name: &str, sources: &[u16]) -> NewJurisdiction {
    let id = pattern.id.replace("{fips}", &format!("{:03}", county.code() % 1000));
    new(JurisdictionId::District(id.into()), pattern.name.replace("{county}", name), sources[pattern.source])
}

fn new(id: JurisdictionId, name: String, source: u16) -> NewJurisdiction {
    NewJurisdiction {
        id,
        name,
        legal_type: None,
        ocd_id: None,
        same_as: Vec::new(),
        population: 0,
        point: None,
        bbox: None,
        source,
        vintage: 0,
        func_stat: FuncStat::Active,
        area_off_percent: 0,
    }
}
