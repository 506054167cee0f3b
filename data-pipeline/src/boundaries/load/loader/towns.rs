//! Towns put together from election precincts, among the records of boundary files.

use std::collections::BTreeMap;

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer, legal_type_of},
};

use super::{Input, Loader};
use crate::boundaries::{
    precincts::{self, Known, Towns},
    select::is_statistical,
};

impl Loader<'_> {
    /// Adds a record for each town that the precincts give.
    pub(crate) fn put_towns_together(&mut self) {
        let inputs = std::mem::take(&mut self.precincts);
        if inputs.precincts.is_empty() {
            return;
        }
        let known = Known { places: self.places(), counties: self.counties(), full_names: self.full_names() };
        let Towns { records, outcomes } = precincts::towns(inputs, &known, &self.tables.precincts);
        drop(known);
        self.loaded.precincts = outcomes;
        for (source, record) in records {
            let file = self.manifest.sources[source].id.clone();
            self.records.push(Input { source, file, record });
        }
    }

    /// Incorporated places; of two files that have one, the one that is no supplement.
    fn places(&self) -> Vec<(Geoid, String, Option<String>, &[Vec<LonLat>])> {
        let mut places: BTreeMap<Geoid, &Input> = BTreeMap::new();
        for input in self.records.iter().filter(|input| input.record.geoid.layer() == Layer::Place) {
            let lsad = input.record.lsad.as_deref();
            let supplement = self.manifest.sources[input.source].supplement;
            if !is_statistical(&input.record, lsad)
                && !(supplement && places.contains_key(&input.record.geoid))
            {
                places.insert(input.record.geoid, input);
            }
        }
        let word = |input: &Input| {
            let legal = input.record.lsad.as_deref().and_then(legal_type_of);
            legal.and_then(|legal| legal.word).map(str::to_owned)
        };
        let all = places.into_iter();
        all.map(|(geoid, input)| {
            (geoid, input.record.name.clone(), word(input), input.record.rings.as_slice())
        })
        .collect()
    }

    fn counties(&self) -> Vec<(Geoid, &str)> {
        let counties = self.records.iter().filter(|input| input.record.geoid.layer() == Layer::County);
        counties.map(|input| (input.record.geoid, input.record.name.as_str())).collect()
    }

    fn full_names(&self) -> BTreeMap<Geoid, &str> {
        self.loaded.ocd.rows.iter().map(|row| (row.geoid, row.name.as_str())).collect()
    }
}
