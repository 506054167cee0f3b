//! The writer of names.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use fst::raw::Builder;

use super::{Names, Space};
use crate::{
    snapshot::{ArchivedJurisdictions, ArchivedRecords, write::WriteError},
    vocabulary::{Folded, JurisdictionId, Layer, StateCode, topic_words},
};

/// Ranks by key.
type Lists = BTreeMap<Vec<u8>, BTreeSet<u32>>;
/// Keys, starts and entries, as [`Names`] has them.
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
    /// The names of all places and resources. Counties, county subdivisions, places and districts are places; states
    /// and the nation are not.
    ///
    /// # Errors
    /// When the transducer cannot be built: a defect.
    pub fn pack(
        jurisdictions: &ArchivedJurisdictions,
        records: &ArchivedRecords,
    ) -> Result<Names, WriteError> {
        let mut lists = Lists::new();
        let places = ranked_places(jurisdictions);
        for (rank, row) in places.iter().enumerate() {
            add_place(&mut lists, jurisdictions, *row, rank as u32);
        }
        let resources = ranked_resources(jurisdictions, records);
        for (rank, number) in resources.iter().enumerate() {
            add_resource(&mut lists, jurisdictions, records, *number, rank as u32);
        }
        let (keys, starts, entries) =
            pack_lists(lists).map_err(|error| WriteError::section("names", error))?;
        Ok(Names { keys, starts, entries, places, resources })
    }
}

/// Rows that have names, the most people first, then by id.
fn ranked_places(jurisdictions: &ArchivedJurisdictions) -> Vec<u32> {
    let named = |row: &u32| match jurisdictions.get(*row) {
        Some((JurisdictionId::Country, _)) | None => false,
        Some((id, _)) => !is_state(&id),
    };
    let mut rows: Vec<u32> = (0..jurisdictions.len() as u32).filter(named).collect();
    rows.sort_by_key(|row| {
        let id = jurisdictions.get(*row).map(|(id, _)| id.to_string());
        (Reverse(population(jurisdictions, *row)), id)
    });
    rows
}

/// People of a government: the most that any of its ids has, but for that of a state.
fn population(jurisdictions: &ArchivedJurisdictions, row: u32) -> u32 {
    let rows = std::iter::once(row).chain(jurisdictions.same_as(row));
    let local = rows.filter_map(|row| jurisdictions.get(row)).filter(|(id, _)| !is_state(id));
    local.map(|(_, fields)| fields.population()).max().unwrap_or(0)
}

fn is_state(id: &JurisdictionId) -> bool {
    matches!(id, JurisdictionId::Census(geoid) if geoid.layer() == Layer::State)
}

/// Numbers of resources, those of the largest governments first, then by id.
fn ranked_resources(jurisdictions: &ArchivedJurisdictions, records: &ArchivedRecords) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..records.resources().len() as u32).collect();
    numbers.sort_by_key(|number| {
        let resource = &records.resources()[*number as usize];
        (Reverse(population(jurisdictions, resource.jurisdiction())), resource.id())
    });
    numbers
}

fn add_place(lists: &mut Lists, jurisdictions: &ArchivedJurisdictions, row: u32, rank: u32) {
    let Some((id, fields)) = jurisdictions.get(row) else { return };
    let names = jurisdictions.names(&id, fields);
    let state = StateCode::from_fips(fields.state()).map(Space::PlacesOf);
    for name in &names {
        for space in [Some(Space::Places), state].into_iter().flatten() {
            add(lists, space, &name.key(), rank);
        }
        name.words().for_each(|word| add(lists, Space::PlaceWords, word, rank));
    }
    let legal_words = Folded::of(jurisdictions.legal_type(fields).unwrap_or_default());
    legal_words.words().for_each(|word| add(lists, Space::PlaceWords, word, rank));
}

fn add_resource(
    lists: &mut Lists,
    jurisdictions: &ArchivedJurisdictions,
    records: &ArchivedRecords,
    number: u32,
    rank: u32,
) {
    let resource = &records.resources()[number as usize];
    let name = Folded::of(resource.name(records));
    add(lists, Space::Resources, &name.key(), rank);
    name.words().for_each(|word| add(lists, Space::ResourceWords, word, rank));
    let topics = topic_words(resource.topics());
    let body = jurisdictions.get(resource.jurisdiction());
    let governments = body.map_or_else(Vec::new, |(id, fields)| jurisdictions.names(&id, fields));
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

/// Equal lists are stored once.
fn pack_lists(lists: Lists) -> Result<Packed, fst::Error> {
    let distinct: BTreeSet<&BTreeSet<u32>> = lists.values().collect();
    let mut ordered: Vec<&BTreeSet<u32>> = distinct.into_iter().collect();
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
