//! Divides the people of the nation among places, towns, and the rest of each county, so that each person counts
//! once.

use std::collections::BTreeMap;

use platbook::{
    directory::{Directory, Row},
    vocabulary::{JurisdictionId, Layer},
};

/// People who live in one of several governments; it is not known in which.
#[derive(Debug, Default)]
struct Pool {
    people: u32,
    /// The towns, and the counties without towns, that share these people evenly. A county stands for its land outside
    /// of its places.
    among: Vec<Row>,
}

/// The people of each place, town and rest of a county, without those that have no people.
///
/// A place has its own number of people. The other people of a county live evenly in its towns that govern and are
/// not places. Without such towns, they live in the rest of the county. The estimates of 2019 lack younger counties,
/// such as the regions of Connecticut. The towns of these counties share the remaining people of their state.
pub(super) fn people(directory: &Directory) -> Vec<(Row, u32)> {
    let mut pools = pools(directory);
    let mut people = Vec::new();
    for place in directory.rows_of(Layer::Place) {
        let county = directory.chain_of_place(place).map(|chain| chain.county);
        let pool = county.and_then(|county| pools.get_mut(&pool_of(directory, county)?));
        if let Some(pool) = pool {
            let own = directory.population_of(place).min(pool.people);
            people.push((place, own));
            pool.people -= own;
        }
    }
    for Pool { people: left, among } in pools.into_values() {
        let (each, over) = (left / among.len() as u32, left as usize % among.len());
        people.extend(among.into_iter().enumerate().map(|(at, row)| (row, each + u32::from(at < over))));
    }
    people.retain(|(_, people)| *people > 0);
    people
}

/// The row whose people a county shares: its own, or that of its state if the estimates lack the county.
fn pool_of(directory: &Directory, county: Row) -> Option<Row> {
    match directory.population_of(county) {
        0 => directory.state_row(directory.state_of(county)?),
        _ => Some(county),
    }
}

fn pools(directory: &Directory) -> BTreeMap<Row, Pool> {
    let mut towns = towns_without_people(directory);
    let mut pools: BTreeMap<Row, Pool> = BTreeMap::new();
    let mut of_counties: BTreeMap<Option<Row>, u32> = BTreeMap::new();
    for county in directory.rows_of(Layer::County) {
        let own = directory.population_of(county);
        let state = directory.state_of(county).and_then(|state| directory.state_row(state));
        *of_counties.entry(state).or_default() += own;
        let Some(row) = pool_of(directory, county) else { continue };
        let pool = pools.entry(row).or_default();
        pool.people += own;
        pool.among.extend(towns.remove(&county).unwrap_or_else(|| vec![county]));
    }
    for (row, pool) in pools.iter_mut().filter(|(_, pool)| pool.people == 0) {
        let counted = of_counties.get(&Some(*row)).copied().unwrap_or(0);
        pool.people = directory.population_of(*row).saturating_sub(counted);
    }
    pools
}

/// The towns of each county that govern. A town that is also a place with a number of people is left out.
fn towns_without_people(directory: &Directory) -> BTreeMap<Row, Vec<Row>> {
    let mut towns: BTreeMap<Row, Vec<Row>> = BTreeMap::new();
    for town in directory.rows_of(Layer::Cousub).filter(|row| directory.governs(*row)) {
        let JurisdictionId::Census(geoid) = directory.id_of(town) else { continue };
        let is_place = directory.same_as(town).any(|row| directory.population_of(row) > 0);
        if let Some(county) = geoid.county().and_then(|county| directory.row_of(county)).filter(|_| !is_place)
        {
            towns.entry(county).or_default().push(town);
        }
    }
    towns
}

#[cfg(test)]
mod tests {
    use platbook::testing;

    use super::*;

    fn check(directory: &Directory, expected: &[(&str, u32)]) {
        let mut people: Vec<(String, u32)> = people(directory)
            .into_iter()
            .map(|(row, people)| (directory.id_of(row).to_string(), people))
            .collect();
        people.sort();
        let expected: Vec<(String, u32)> =
            expected.iter().map(|(id, people)| ((*id).to_owned(), *people)).collect();
        assert_eq!(people, expected);
    }

    /// Rivertown's 5,000 count in Adams County, whose two towns share the other 7,000.
    #[test]
    fn each_person_counts_once() {
        check(
            &testing::directory(),
            &[
                ("county:55019", 31_000),
                ("cousub:2700110000", 3_500),
                ("cousub:2700120000", 3_500),
                ("cousub:2700330000", 8_000),
                ("place:2740000", 5_000),
                ("place:5550000", 3_000),
            ],
        );
    }

    /// Minnesota has 5,700,000 people, and Adams County 12,000 of them.
    #[test]
    fn people_of_counties_without_an_estimate_are_those_of_the_rest_of_their_state() {
        let directory = testing::directory_where(|known| {
            if known.id.to_string() == "county:27003" {
                known.population = 0;
            }
        });
        check(
            &directory,
            &[
                ("county:55019", 31_000),
                ("cousub:2700110000", 3_500),
                ("cousub:2700120000", 3_500),
                ("cousub:2700330000", 5_688_000),
                ("place:2740000", 5_000),
                ("place:5550000", 3_000),
            ],
        );
    }
}
