//! Fits counties of several files: those that divided an older county, and those along the seam of two files.

use std::collections::BTreeSet;

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer},
};

use super::{Input, Land, LoadError, Loader};
use crate::{
    boundaries::{conform::Reference, divide::divide, seams::Seam},
    input::manifest::{Manifest, Role, Shore},
};

/// Scale denominator of the files that have each vertex of the Census: TIGER/Line is 1:100,000.
const DETAILED: u32 = 100_000;

impl Loader<'_> {
    /// Stores the outlines of counties without their water, before any line is fitted to another.
    pub(crate) fn note_land(&mut self) {
        let clipped = |input: &&Input| {
            input.record.geoid.layer() == Layer::County
                && self.manifest.sources[input.source].shore == Some(Shore::Clipped)
        };
        let land = |input: &Input| Land {
            source: input.source,
            county: input.record.geoid,
            rings: input.record.rings.clone(),
        };
        self.loaded.land = self.records.iter().filter(clipped).map(land).collect();
    }

    /// Gives the successors of divided counties their parts of the older county.
    ///
    /// # Errors
    /// When the manifest names a county or a region that no file has.
    pub(crate) fn divide_counties(&mut self) -> Result<(), LoadError> {
        for row in &self.manifest.divided {
            let find = |geoid: Geoid| self.records.iter().position(|input| input.record.geoid == geoid);
            let area = |geoid: Geoid| {
                find(geoid).ok_or(LoadError::NoPart { old: row.old, missing: geoid.to_string() })
            };
            let (old, inside, rest) = (area(row.old)?, area(row.inside)?, area(row.rest)?);
            let region = self.dividers.iter().find(|region| region.name == row.by);
            let region = region.ok_or_else(|| LoadError::NoPart { old: row.old, missing: row.by.clone() })?;
            let parts = divide(&self.records[old].record.rings, &region.rings);
            (self.records[inside].record.rings, self.records[rest].record.rings) = parts;
        }
        Ok(())
    }

    /// Makes counties follow the boundaries of places, and towns follow both, if two files draw the same line.
    pub(crate) fn conform(&mut self) {
        let detailed = |manifest: &Manifest, input: &Input, layer: Layer| {
            // Towns from precincts count as detailed, whatever their stated scale: precincts follow the lines of the
            // Census.
            let source = &manifest.sources[input.source];
            let fine = source.scale.is_some_and(|scale| scale.denominator == DETAILED);
            input.record.geoid.layer() == layer && (fine || source.role != Role::Boundaries)
        };
        let places: Vec<Vec<LonLat>> = self.places().iter().flat_map(|place| place.rings.to_vec()).collect();
        // Counties are fitted first, because towns then follow the fitted counties as well.
        for layer in [Layer::County, Layer::Cousub] {
            let counties = self
                .records
                .iter()
                .filter(|input| layer == Layer::Cousub && detailed(self.manifest, input, Layer::County));
            let counties: Vec<Vec<LonLat>> = counties.flat_map(|input| input.record.rings.clone()).collect();
            let reference = Reference::of(places.iter().chain(&counties));
            let group = self.records.iter_mut().filter(|input| detailed(self.manifest, input, layer));
            let mut group: Vec<&mut Vec<LonLat>> = group.flat_map(|input| &mut input.record.rings).collect();
            reference.conform(&mut group);
        }
    }

    /// Gives counties of a supplement the lines of the finer counties that replace their neighbors.
    pub(crate) fn fit_counties(&mut self) {
        let finer = self.counties(false);
        let supplement = self.counties(true);
        // A coarse county gives way if a finer file has the county as well. Its coarse neighbors still run along the
        // coarse line.
        let finer_ids: BTreeSet<Geoid> = finer.iter().map(|input| input.record.geoid).collect();
        let has = |input: &&&Input| finer_ids.contains(&input.record.geoid);
        let given_way: Vec<&Input> = supplement.iter().filter(has).copied().collect();
        let known: BTreeSet<Geoid> = given_way.iter().map(|input| input.record.geoid).collect();
        let in_place: Vec<&Input> =
            finer.into_iter().filter(|input| known.contains(&input.record.geoid)).collect();
        if given_way.is_empty() {
            return;
        }
        let rings = |inputs: &[&Input]| {
            inputs.iter().flat_map(|input| input.record.rings.clone()).collect::<Vec<_>>()
        };
        let seam = Seam::of(rings(&given_way).iter(), rings(&in_place).iter());
        for input in &mut self.records {
            let rest = input.record.geoid.layer() == Layer::County
                && self.manifest.sources[input.source].supplement
                && !known.contains(&input.record.geoid);
            for ring in input.record.rings.iter_mut().filter(|_| rest) {
                if let Some(fitted) = seam.fit(ring) {
                    *ring = fitted;
                }
            }
        }
    }

    /// The counties of supplements (`true`), or of all other boundary files.
    pub(super) fn counties(&self, supplement: bool) -> Vec<&Input> {
        let wanted = |input: &&Input| {
            input.record.geoid.layer() == Layer::County
                && self.manifest.sources[input.source].supplement == supplement
        };
        self.records.iter().filter(wanted).collect()
    }
}
