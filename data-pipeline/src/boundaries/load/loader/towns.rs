//! Completes the records of boundary files with names and status of the Census list. Finds towns that merged or became
//! cities, and assembles towns from election precincts.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{FuncStat, Geoid, Layer, legal_type_of, split_namelsad};

use super::{Input, Loader};
use crate::{
    boundaries::{
        clean::dissolve,
        precincts::{self, Known, KnownCounty, KnownPlace, Towns},
        select::is_statistical,
    },
    input::{
        Record,
        gazetteer::Listed,
        manifest::{Replaced, Role},
    },
};

impl Loader<'_> {
    /// Gives subdivisions and places of boundary files the status, the name and the legal word of the Census list.
    /// The list is newer than most lines, and some files have neither status nor legal word.
    pub(crate) fn take_list(&mut self) {
        let listed: BTreeMap<Geoid, &Listed> =
            self.loaded.listed.iter().map(|unit| (unit.geoid, unit)).collect();
        let records = self.records.iter_mut().map(|input| &mut input.record);
        for record in records.filter(|record| record.geoid.layer() >= Layer::Cousub) {
            let Some(unit) = listed.get(&record.geoid) else { continue };
            record.func_stat = unit.func_stat.or(record.func_stat);
            // "Anaconda-Deer Lodge County" is not a county, and "County" is not its legal word: its LSAD code says
            // so.
            let is_word = |lsad: &str| unit.lsad.as_deref().is_none_or(|own| own == lsad);
            let is_named = split_namelsad(&unit.name).is_some_and(|(_, legal)| is_word(legal.lsad));
            if is_named || (record.lsad.is_none() && record.namelsad.is_none()) {
                take_name(record, unit);
            }
        }
    }

    /// Adds the land of merged or renumbered subdivisions and places to their successors, as the file drew it. The
    /// pairs are the rows of [`Manifest::replaced`] with one successor.
    ///
    /// [`Manifest::replaced`]: crate::input::manifest::Manifest::replaced
    pub(crate) fn join_merged(&mut self) {
        let manifest = self.manifest;
        for (old, new) in manifest.replaced.iter().filter_map(Replaced::merged) {
            let own = |input: &Input, geoid: Geoid| {
                input.record.geoid == geoid && manifest.sources[input.source].role == Role::Boundaries
            };
            let Some(old) = self.records.iter().find(|input| own(input, old)) else { continue };
            let (source, file, rings) = (old.source, old.file.clone(), old.record.rings.clone());
            match self.records.iter_mut().find(|input| input.source == source && own(input, new)) {
                Some(input) => {
                    let record = &mut input.record;
                    record.rings = dissolve(record.rings.iter().chain(&rings).map(Vec::as_slice));
                    // The record had the figures and the point of its old, smaller area.
                    (record.land_m2, record.water_m2, record.internal_point) = (None, None, None);
                }
                None => {
                    let Some(unit) = self.loaded.listed.iter().find(|unit| unit.geoid == new) else {
                        continue;
                    };
                    let mut record = Record { rings, ..Record::named(new, String::new(), String::new()) };
                    record.func_stat = unit.func_stat;
                    take_name(&mut record, unit);
                    self.records.push(Input { source, file, record });
                }
            }
        }
    }

    /// Gives a listed place without an outline in any file the outline of its subdivision, if a boundary file has
    /// that subdivision. Such cities and villages were towns when the boundaries of places were drawn.
    pub(crate) fn take_cities(&mut self) {
        let key = |geoid: Geoid| Some((geoid.state_fips(), geoid.fp5()?));
        let boundaries = |input: &&Input| self.manifest.sources[input.source].role == Role::Boundaries;
        let drawn: BTreeSet<Geoid> = self.records.iter().map(|input| input.record.geoid).collect();
        let mut own: BTreeMap<(u8, u32), Vec<&Input>> = BTreeMap::new();
        let is_own = |input: &&Input| {
            input.record.geoid.layer() == Layer::Cousub
                && input.record.func_stat == Some(FuncStat::Fictitious)
        };
        for input in self.records.iter().filter(boundaries).filter(is_own) {
            own.entry(key(input.record.geoid).unwrap_or_default()).or_default().push(input);
        }
        let city = |unit: &Listed| {
            let parts = own.get(&key(unit.geoid)?)?;
            let first = parts.first()?;
            let rings = parts.iter().flat_map(|input| input.record.rings.clone()).collect();
            let mut record = Record { rings, ..Record::named(unit.geoid, String::new(), String::new()) };
            record.func_stat = unit.func_stat;
            take_name(&mut record, unit);
            Some(Input { source: first.source, file: first.file.clone(), record })
        };
        let is_open = |unit: &&Listed| {
            unit.geoid.layer() == Layer::Place && unit.functions() && !drawn.contains(&unit.geoid)
        };
        let cities: Vec<Input> = self.loaded.listed.iter().filter(is_open).filter_map(city).collect();
        self.records.extend(cities);
    }

    /// Adds a record for each town that has precincts, and the result for each precinct.
    pub(crate) fn assemble_towns(&mut self) {
        let inputs = std::mem::take(&mut self.precincts);
        let known = Known {
            places: self.places(),
            counties: self.known_counties(),
            listed: &self.loaded.listed,
            drawn: self.drawn_towns(),
        };
        let Towns { records, outcomes } = precincts::towns(inputs, &known, &self.tables.precincts);
        // `known` borrows the records to which towns are added.
        drop(known);
        self.loaded.precincts = outcomes;
        for (source, record) in records {
            let file = self.manifest.sources[source].id.clone();
            self.records.push(Input { source, file, record });
        }
    }

    /// Incorporated places. A supplement's record counts only where no other file has the place.
    pub(super) fn places(&self) -> Vec<KnownPlace<'_>> {
        let mut places: BTreeMap<Geoid, &Input> = BTreeMap::new();
        for input in self.records.iter().filter(|input| input.record.geoid.layer() == Layer::Place) {
            let supplement = self.manifest.sources[input.source].supplement;
            let known = supplement && places.contains_key(&input.record.geoid);
            // A designated place is not a government, so no town is the same government as it.
            if !known && !is_statistical(&input.record, input.record.lsad.as_deref()) {
                places.insert(input.record.geoid, input);
            }
        }
        places.into_values().map(known_place).collect()
    }

    /// Counties. A supplement's record counts only where no other file has the county.
    fn known_counties(&self) -> Vec<KnownCounty<'_>> {
        let [primary, supplement] = [false, true].map(|supplement| self.counties(supplement));
        let all: BTreeMap<Geoid, &Input> =
            supplement.into_iter().chain(primary).map(|input| (input.record.geoid, input)).collect();
        all.into_values().map(known_county).collect()
    }

    /// GEOIDs of the subdivisions that a boundary file has.
    fn drawn_towns(&self) -> BTreeSet<Geoid> {
        let towns = self.records.iter().map(|input| input.record.geoid);
        towns.filter(|geoid| geoid.layer() == Layer::Cousub).collect()
    }
}

fn take_name(record: &mut Record, unit: &Listed) {
    let split = split_namelsad(&unit.name);
    let bare = split.map_or(unit.name.as_str(), |(bare, _)| bare);
    // Only the list writes "Utqiagvik" with a diacritic, as a combining character after the g.
    let is_mark = |letter: char| ('\u{300}'..='\u{36f}').contains(&letter);
    if record.name.is_empty() || !bare.contains(is_mark) {
        record.name = bare.to_owned();
    }
    record.namelsad = Some(unit.name.clone());
    record.lsad = unit.lsad.clone().or_else(|| split.map(|(_, legal)| legal.lsad.to_owned()));
}

fn known_county(input: &Input) -> KnownCounty<'_> {
    let Record { geoid, name, rings, .. } = &input.record;
    KnownCounty { geoid: *geoid, name, rings }
}

fn known_place(input: &Input) -> KnownPlace<'_> {
    let record = &input.record;
    let word = record.lsad.as_deref().and_then(legal_type_of).and_then(|legal| legal.word);
    KnownPlace { geoid: record.geoid, name: &record.name, word, rings: &record.rings, source: input.source }
}
