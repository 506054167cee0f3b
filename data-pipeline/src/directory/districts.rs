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

#[cfg(test)]
mod tests {
    use platbook::{rules::District, testing, vocabulary::StateCode};

    use super::*;

    #[test]
    fn each_county_without_a_listed_district_gets_its_own() {
        let minnesota = StateCode::from_fips(27).unwrap();
        let mut rules = testing::directory().snapshot().state_files().state(minnesota).unwrap().rules;
        let (set, id, name) = ("a".to_owned(), "mn-{fips}".to_owned(), "District of {county}".to_owned());
        rules.per_county = vec![DistrictPerCounty { set, id, name, source: 1 }];
        let county = |digits| Geoid::parse(Layer::County, digits).unwrap();
        let government = |geoid, name: &str| new(JurisdictionId::Census(geoid), name.to_owned(), 0);
        let (adams, baker) = (county("27001"), county("27003"));
        let governments = [government(adams, "Adams County"), government(baker, "Baker County")];
        let elm = Geoid::parse(Layer::Cousub, "2700110000").unwrap();
        for (counties, cousubs, rest_of) in
            [(vec![adams], vec![], vec![]), (vec![], vec![elm], vec![]), (vec![], vec![], vec![adams])]
        {
            let members = format!("{counties:?} {cousubs:?} {rest_of:?}");
            rules.districts = vec![District {
                id: "district:mn-north".parse().unwrap(),
                name: "North".to_owned(),
                set: "a".to_owned(),
                counties,
                cousubs,
                rest_of,
                url: None,
                source: 0,
            }];
            let found = districts(&rules, &[3, 4], &governments);
            let found: Vec<(String, &str, u16)> =
                found.iter().map(|one| (one.id.to_string(), one.name.as_str(), one.source)).collect();
            let expected =
                [("district:mn-north", "North", 3), ("district:mn-003", "District of Baker County", 4)];
            assert_eq!(found, expected.map(|(id, name, source)| (id.to_owned(), name, source)), "{members}");
        }
    }
}
