//! Adds towns that are assembled from election precincts to the records of boundary files.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{Geoid, Layer, legal_type_of};

use super::{Input, Loader};
use crate::{
    boundaries::{
        precincts::{self, Known, KnownCounty, KnownPlace, Towns},
        select::is_statistical,
    },
    input::Record,
};

impl Loader<'_> {
    /// Adds a record for each town that has precincts, with its result for each precinct.
    pub(crate) fn assemble_towns(&mut self) {
        let inputs = std::mem::take(&mut self.precincts);
        if inputs.precincts.is_empty() {
            return;
        }
        let known = Known {
            places: self.places(),
            counties: self.known_counties(),
            full_names: self.full_names(),
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

    fn full_names(&self) -> BTreeMap<Geoid, &str> {
        self.loaded.ocd.rows.iter().map(|row| (row.geoid, row.name.as_str())).collect()
    }
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
