//! Finds the cities of each ZIP code, by the positions of its address ranges.

use std::collections::BTreeMap;

use platbook::{
    directory::{Chain, Directory, Resolution, Row},
    geocoder::point_along,
    snapshot::write::{NewCity, NewStreets},
    vocabulary::{JurisdictionType, Layer, StateCode, name_key},
};

/// Cities by ZIP code. Also counts the ranges that lie in one county by the snapshot's lines and in another by the
/// file.
pub(super) struct Cities {
    pub(super) rows: Vec<NewCity>,
    pub(super) beyond_county: usize,
}

/// Resolves the middle of each range in the directory. A range that lies outside its file's county adds no city.
pub(super) fn of(streets: &NewStreets, directory: &Directory) -> Cities {
    let mut names = Names { directory, known: BTreeMap::new() };
    let mut cities = Cities { rows: Vec::new(), beyond_county: 0 };
    for (street, ranges) in &streets.streets {
        for range in ranges {
            let middle =
                streets.lines.get(range.line as usize).and_then(|line| point_along(line, 0.5, range.right));
            let Some(Resolution::Inside(chain)) = middle.map(|point| directory.resolve(point)) else {
                continue;
            };
            if directory.jurisdiction(chain.county).id.to_string() != format!("county:{:05}", range.county) {
                cities.beyond_county += 1;
                continue;
            }
            let city = names.of(&chain).into_iter();
            cities.rows.extend(city.map(|(state, key, is_only)| NewCity {
                state,
                key,
                zip: street.zip,
                is_only,
            }));
        }
    }
    cities.rows.sort();
    cities.rows.dedup();
    cities
}

/// Names of places. Each is looked up once and then cached.
struct Names<'a> {
    directory: &'a Directory,
    known: BTreeMap<u32, Option<(u8, String, bool)>>,
}

impl Names<'_> {
    /// Returns one entry for the city and one for the town of a chain. An entry has the state, the key of the name,
    /// and whether the name is unique in the state.
    fn of(&mut self, chain: &Chain) -> Vec<(u8, String, bool)> {
        let rows = [chain.place, chain.cousub];
        rows.into_iter().flatten().filter_map(|row| self.name(row)).collect()
    }

    fn name(&mut self, row: Row) -> Option<(u8, String, bool)> {
        let directory = self.directory;
        let known = self.known.entry(row.number()).or_insert_with(|| {
            let view = directory.jurisdiction(row);
            let state = view.state?;
            Some((state.fips(), name_key(view.name), is_only(directory, row, view.name, state)))
        });
        known.clone()
    }
}

/// Whether no other city, town or township of the state has the name. Counties do not count: people do not
/// write them as a city.
fn is_only(directory: &Directory, row: Row, name: &str, state: StateCode) -> bool {
    directory.places_named(name, state).into_iter().all(|other| {
        let kind = directory.jurisdiction(other).kind;
        directory.is_same(row, other)
            || !matches!(kind, JurisdictionType::Layer(Layer::Place | Layer::Cousub))
    })
}
