//! Builds the section `names`.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use fst::raw::Builder;

use super::{Names, Space};
use crate::{
    snapshot::{
        jurisdictions::state_of,
        write::{NewJurisdiction, NewResource, WriteError},
    },
    vocabulary::{Folded, JurisdictionId, Layer, names_of, topic_words},
};

/// For each key, the set of its ranks.
type Lists = BTreeMap<Vec<u8>, BTreeSet<u32>>;
/// The values of `keys`, `starts` and `entries` in [`Names`].
type Packed = (Vec<u8>, Vec<u32>, Vec<u32>);

impl Default for Names {
    fn default() -> Names {
        Names {
            keys: Builder::memory().into_inner().unwrap_or_default(),
            starts: Vec::new(),
            entries: Vec::new(),
            places: Vec::new(),
            resources: Vec::new(),
        }
    }
}

impl Names {
    /// Packs the names of all places and resources. Counties, county subdivisions, places and districts are places;
    /// states and the nation are not.
    ///
    /// Both lists must be in the order of their sections, which `Jurisdictions::pack` and `Records::pack` establish. An
    /// index is then a row, or the number of a resource.
    ///
    /// # Errors
    /// If the transducer cannot be built, which is a defect of this code.
    pub fn pack(jurisdictions: &[NewJurisdiction], resources: &[NewResource]) -> Result<Names, WriteError> {
        let mut lists = Lists::new();
        let people = people(jurisdictions);
        let places = ranked_places(jurisdictions, &people);
        for (rank, row) in places.iter().enumerate() {
            add_place(&mut lists, &jurisdictions[*row as usize], rank as u32);
        }
        let numbers = ranked_resources(resources, &people);
        for (rank, number) in numbers.iter().enumerate() {
            add_resource(&mut lists, jurisdictions, &resources[*number as usize], rank as u32);
        }
        let (keys, starts, entries) =
            pack_lists(lists).map_err(|error| WriteError::section("names", error))?;
        Ok(Names { keys, starts, entries, places, resources: numbers })
    }
}

fn people_by_id(jurisdictions: &[NewJurisdiction]) -> HashMap<&JurisdictionId, u32> {
    jurisdictions.iter().map(|jurisdiction| (&jurisdiction.id, jurisdiction.population)).collect()
}

/// Population of each government: the largest among its ids, without ids of states.
fn people(jurisdictions: &[NewJurisdiction]) -> Vec<u32> {
    let by_id = people_by_id(jurisdictions);
    let people = |jurisdiction: &NewJurisdiction| {
        let ids = std::iter::once(&jurisdiction.id).chain(&jurisdiction.same_as);
        // `same_as` may name a state, whose population would rank the government too high.
        let local = ids.filter(|id| !is_state(id));
        local.filter_map(|id| by_id.get(id).copied()).max().unwrap_or(0)
    };
    jurisdictions.iter().map(people).collect()
}

/// The rows that have names: by largest population, then by largest population of the county, then by id.
fn ranked_places(jurisdictions: &[NewJurisdiction], people: &[u32]) -> Vec<u32> {
    let has_names = |id: &JurisdictionId| *id != JurisdictionId::Country && !is_state(id);
    let around = people_around(jurisdictions);
    let mut rows: Vec<(Reverse<u32>, Reverse<u32>, String, u32)> = Vec::with_capacity(jurisdictions.len());
    for (row, jurisdiction) in jurisdictions.iter().enumerate().filter(|(_, one)| has_names(&one.id)) {
        rows.push((Reverse(people[row]), Reverse(around[row]), jurisdiction.id.to_string(), row as u32));
    }
    rows.sort();
    rows.into_iter().map(|(_, _, _, row)| row).collect()
}

/// Population of each jurisdiction's county, which ranks townships, because their own population is not known. Of
/// several townships with one name, a searcher mostly means the one in the largest county.
fn people_around(jurisdictions: &[NewJurisdiction]) -> Vec<u32> {
    let by_id = people_by_id(jurisdictions);
    let people = |jurisdiction: &NewJurisdiction| match &jurisdiction.id {
        JurisdictionId::Census(geoid) => by_id.get(&JurisdictionId::Census(geoid.county()?)).copied(),
        JurisdictionId::Country | JurisdictionId::District(_) => None,
    };
    jurisdictions.iter().map(|jurisdiction| people(jurisdiction).unwrap_or(0)).collect()
}

fn is_state(id: &JurisdictionId) -> bool {
    matches!(id, JurisdictionId::Census(geoid) if geoid.layer() == Layer::State)
}

/// Numbers of resources, sorted by the largest population of the government, then by id.
fn ranked_resources(resources: &[NewResource], people: &[u32]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..resources.len() as u32).collect();
    numbers.sort_by_key(|number| {
        let resource = &resources[*number as usize];
        (Reverse(people[resource.jurisdiction as usize]), resource.id)
    });
    numbers
}

fn names(of: &NewJurisdiction) -> Vec<Folded> {
    names_of(&of.id, &of.name, of.legal_type.as_deref(), of.ocd_id.as_deref())
}

fn add_place(lists: &mut Lists, place: &NewJurisdiction, rank: u32) {
    let state = state_of(&place.id).map(Space::PlacesOf);
    for name in &names(place) {
        for space in [Some(Space::Places), state].into_iter().flatten() {
            add(lists, space, &name.key(), rank);
        }
        name.words().for_each(|word| add(lists, Space::PlaceWords, word, rank));
    }
    // People add the legal word to a name that lacks it, as in "hastings township".
    let legal_words = Folded::of(place.legal_type.as_deref().unwrap_or_default());
    legal_words.words().for_each(|word| add(lists, Space::PlaceWords, word, rank));
}

fn add_resource(lists: &mut Lists, jurisdictions: &[NewJurisdiction], resource: &NewResource, rank: u32) {
    let name = Folded::of(&resource.name);
    add(lists, Space::Resources, &name.key(), rank);
    name.words().for_each(|word| add(lists, Space::ResourceWords, word, rank));
    let topics = topic_words(resource.topics);
    let governments = names(&jurisdictions[resource.jurisdiction as usize]);
    for text in governments.iter().chain([&name, &topics]) {
        text.words().for_each(|word| add(lists, Space::ResourceTexts, word, rank));
    }
}

fn add(lists: &mut Lists, space: Space, text: &str, rank: u32) {
    if !text.is_empty() {
        let key = std::iter::once(space.byte()).chain(text.bytes()).collect();
        lists.entry(key).or_default().insert(rank);
    }
}

/// Numbers the lists in the order of their best ranks and builds the transducer. Equal lists are stored once.
fn pack_lists(lists: Lists) -> Result<Packed, fst::Error> {
    let distinct: BTreeSet<&BTreeSet<u32>> = lists.values().collect();
    let mut ordered: Vec<&BTreeSet<u32>> = distinct.into_iter().collect();
    // In this order, the least value below a node leads to the best name below it.
    ordered.sort_by_key(|list| list.first().copied());
    let numbers: BTreeMap<&BTreeSet<u32>, u64> =
        ordered.iter().enumerate().map(|(number, list)| (*list, number as u64)).collect();
    let mut starts = vec![0];
    let mut entries = Vec::new();
    for list in &ordered {
        entries.extend(list.iter());
        starts.push(entries.len() as u32);
    }
    let mut keys = Builder::memory();
    for (key, list) in &lists {
        keys.insert(key, numbers[list])?;
    }
    Ok((keys.into_inner()?, starts, entries))
}
