//! Collects the records of all files, and decides which areas are kept.

use std::collections::{BTreeMap, btree_map::Entry};

use platbook::{
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, Layer, Scale, StateCode},
};

use super::{Dropped, Kept, Land, LoadError, Loaded};
use crate::{
    boundaries::{
        clean,
        naming::{self, Name},
        precincts,
        select::{Context, Kind, Reason, Verdict},
    },
    curated::{self, AreaTables, Community, Location},
    input::{
        self, Record,
        contacts::ListedContact,
        gazetteer::Listed,
        manifest::{Manifest, Replaced, Role, SourceFile},
        outlines::Outline,
        precincts::Precinct,
    },
};

mod counties;
mod towns;

/// A record with its source and file.
struct Input {
    source: usize,
    file: String,
    record: Record,
}

/// The records of all files, before and while they are decided on.
pub(super) struct Loader<'a> {
    manifest: &'a Manifest,
    tables: &'a AreaTables,
    records: Vec<Input>,
    precincts: precincts::Inputs,
    dividers: Vec<Outline>,
    /// Statistical places of the boundary files. In the end the loader drops those that the gazetteer has as well,
    /// because it is newer.
    designated: Vec<Community>,
    loaded: Loaded,
}

impl<'a> Loader<'a> {
    pub(super) fn new(manifest: &'a Manifest, tables: &'a AreaTables) -> Loader<'a> {
        Loader {
            manifest,
            tables,
            records: Vec::new(),
            precincts: precincts::Inputs::default(),
            dividers: Vec::new(),
            designated: Vec::new(),
            loaded: Loaded::default(),
        }
    }

    pub(super) fn narrow(&mut self, state: StateCode) {
        self.loaded.narrow(state);
    }

    /// Checks that every record named by a source's `only` was in its files.
    pub(super) fn check_named(&self, index: usize) -> Result<(), LoadError> {
        let source = &self.manifest.sources[index];
        let came = |geoid: &&Geoid| {
            self.records.iter().any(|input| input.source == index && input.record.geoid == **geoid)
        };
        match source.only.iter().find(|geoid| !came(geoid)) {
            Some(geoid) => Err(LoadError::NotFound { source_id: source.id.clone(), geoid: *geoid }),
            None => Ok(()),
        }
    }

    /// Adds the wanted records of a file. A record of another state is an error.
    fn add_records(&mut self, index: usize, file: &SourceFile, read: Vec<Record>) -> Result<(), LoadError> {
        let source = &self.manifest.sources[index];
        let is_named = |record: &Record| source.only.is_empty() || source.only.contains(&record.geoid);
        let wanted = read.into_iter().filter(is_named);
        for record in wanted.filter(|record| self.manifest.takes(record.geoid)) {
            let fips = record.geoid.state_fips();
            if !file.states.iter().any(|state| state.fips() == fips) {
                return Err(LoadError::State { file: file.path.clone(), geoid: record.geoid });
            }
            self.records.push(Input { source: index, file: file.path.clone(), record });
        }
        Ok(())
    }

    /// Reads one file by its role. A record of another state is an error: the manifest then names the wrong file.
    pub(super) fn add_file(
        &mut self,
        index: usize,
        file: &SourceFile,
        bytes: &[u8],
    ) -> Result<(), LoadError> {
        let source = &self.manifest.sources[index];
        let path = file.path.as_str();
        match (source.role, source.layer) {
            (Role::Boundaries | Role::Predecessor, Some(layer)) => {
                self.add_records(index, file, input::boundaries(path, bytes, layer)?)?;
            }
            (Role::PopulationCounties, _) => {
                self.loaded.population.extend(input::population::counties(path, bytes)?);
            }
            (Role::PopulationPlaces, _) => {
                self.loaded.population.extend(input::population::places(path, bytes)?)
            }
            (Role::RadonZones, _) => self.loaded.radon.extend(input::radon::zones(path, bytes)?),
            (Role::ZipCounties, _) => {
                self.loaded.zip_counties.extend(input::zip_counties::pairs(path, bytes)?);
            }
            (Role::Installations, _) => {
                self.loaded.installations.extend(input::installations::rows(path, bytes)?);
            }
            (Role::Gazetteer, _) => self.add_listed(input::gazetteer::listed(path, bytes)?),
            (Role::PlaceCounties, _) => {
                self.loaded.place_counties.extend(input::gazetteer::place_counties(path, bytes)?);
            }
            (Role::Contacts, _) => self.add_contacts(index, input::contacts::rows(path, bytes)?),
            (Role::Dotgov, _) => self.loaded.dotgov.extend(input::dotgov::rows(path, bytes)?),
            (Role::GovtUrls, _) => self.loaded.govt_urls.extend(input::gsa::rows(path, bytes)?),
            (Role::GovtUrlsRetired, _) => {
                self.loaded.govt_urls_retired.extend(input::gsa::retired(path, bytes)?);
            }
            (Role::OpenAddresses, _) => {
                self.loaded.open_data.extend(input::openaddresses::sources(path, bytes)?);
            }
            (Role::Precincts, _) => self.add_precincts(index, input::precincts::named(path, bytes)?),
            (Role::VotingDistricts, _) => {
                self.add_precincts(index, input::precincts::districts(path, bytes)?)
            }
            (Role::Dividers, _) => self.dividers.extend(input::outlines::outlines(path, bytes)?),
            (Role::TribalAreas, _) => self.add_tribal(index, input::outlines::outlines(path, bytes)?),
            (Role::PrecinctCodes, _) => {
                let rows = input::precinct_codes::rows(path, bytes)?;
                let of_state = |state: &StateCode| {
                    rows.iter().map(|row| (state.fips(), row.clone())).collect::<Vec<_>>()
                };
                self.precincts.codes.extend(file.states.iter().flat_map(of_state));
            }
            (
                role @ (Role::OcdIds
                | Role::OcdAliases
                | Role::OcdCorrections
                | Role::OcdWhitelist
                | Role::OcdTerritories),
                _,
            ) => self.loaded.ocd.add(role, path, bytes)?,
            (Role::Boundaries | Role::Predecessor, None) => {
                unreachable!("a manifest names the layer of areas")
            }
        }
        Ok(())
    }

    fn add_contacts(&mut self, source: usize, contacts: Vec<ListedContact>) {
        self.loaded.contacts.extend(contacts.into_iter().map(|contact| (source, contact)));
    }

    fn add_listed(&mut self, units: Vec<Listed>) {
        let community = |unit: &Listed| {
            let state = StateCode::from_fips(unit.geoid.state_fips())?;
            let name = unit.statistical_place()?.to_owned();
            Some(Community { state, name, at: Location::Point(unit.point), known: false })
        };
        self.loaded.communities.extend(units.iter().filter_map(community));
        let is_legal = |unit: &Listed| unit.func_stat != Some(FuncStat::Statistical);
        self.loaded.listed.extend(units.into_iter().filter(is_legal));
    }

    fn add_tribal(&mut self, source: usize, lands: Vec<Outline>) {
        self.loaded.tribal.extend(lands.into_iter().map(|land| (source, land)));
    }

    fn add_precincts(&mut self, source: usize, precincts: Vec<Precinct>) {
        self.precincts.precincts.extend(precincts.into_iter().map(|precinct| (source, precinct)));
    }

    pub(super) fn choose(mut self) -> Result<Loaded, LoadError> {
        let sources = &self.manifest.sources;
        // Predecessors serve to compare GEOIDs only. Among the other records they would count as primary sources.
        let (current, earlier): (Vec<_>, Vec<_>) = std::mem::take(&mut self.records)
            .into_iter()
            .partition(|input| sources[input.source].role != Role::Predecessor);
        let pairs = current.iter().map(|input| (&sources[input.source], &input.record));
        let context = Context::new(self.manifest, &self.tables.status, pairs);
        let mut kept = BTreeMap::new();
        for input in current {
            match context.judge(&sources[input.source], &input.record) {
                Verdict::Drop(reason) => self.drop(input, reason),
                Verdict::Keep(kind, func_stat) => {
                    let lsad = context.lsad(&sources[input.source], &input.record);
                    let name = naming::name(&self.tables.naming, &input.record, lsad);
                    self.keep(&mut kept, input, kind, func_stat, name)?;
                }
            }
        }
        self.join_fillers(&mut kept)?;
        self.sum_up_parts(&mut kept)?;
        self.loaded.replaced = replaced(self.manifest, &earlier, &kept);
        self.loaded.kept = kept.into_values().map(|(_, area)| area).collect();
        curated::add_missing(&mut self.loaded.communities, self.designated);
        self.loaded.ocd.correct();
        Ok(self.loaded)
    }

    fn drop(&mut self, input: Input, reason: Reason) {
        let Input { file, record, .. } = input;
        // People search for such places by name, so name and point are kept.
        if reason == Reason::Statistical && record.geoid.layer() == Layer::Place {
            let point = record.internal_point.or_else(|| record.rings.first()?.first().copied());
            let community = point.zip(StateCode::from_fips(record.geoid.state_fips()));
            self.designated.extend(community.map(|(point, state)| Community {
                state,
                name: record.name.clone(),
                at: Location::Point(point),
                known: false,
            }));
        }
        let Record { geoid, name, .. } = record;
        self.loaded.dropped.push(Dropped { file, geoid, name, reason });
    }

    fn keep(
        &mut self,
        kept: &mut KeptMap,
        mut input: Input,
        kind: Kind,
        func_stat: FuncStat,
        name: Name,
    ) -> Result<(), LoadError> {
        let source = &self.manifest.sources[input.source];
        let geoid = input.record.geoid;
        // The outline of such an area is assembled from its parts later (`sum_up_parts`).
        let rings = match source.rings_from {
            Some(_) => Vec::new(),
            None => self.clean(&input.file, geoid, std::mem::take(&mut input.record.rings))?,
        };
        if rings.is_empty() && source.rings_from.is_none() {
            self.drop(input, Reason::Empty);
            return Ok(());
        }
        let Record { land_m2, water_m2, internal_point, .. } = input.record;
        let area = Kept {
            geoid,
            source: input.source,
            kind,
            published_name: input.record.name.clone(),
            name: name.name,
            legal_type: name.legal_type,
            func_stat,
            vintage: source.vintage,
            // The manifest requires a scale for all roles with areas; the default only satisfies the type.
            scale: source.scale.unwrap_or(Scale { denominator: 500_000 }),
            land_m2,
            water_m2,
            internal_point,
            rings,
        };
        match kept.entry(geoid) {
            Entry::Vacant(slot) => drop(slot.insert((input.file, area))),
            Entry::Occupied(slot) => {
                return Err(LoadError::Twice { geoid, first: slot.get().0.clone(), second: input.file });
            }
        }
        Ok(())
    }

    fn clean(
        &mut self,
        file: &str,
        geoid: Geoid,
        rings: Vec<Vec<LonLat>>,
    ) -> Result<Vec<Vec<LonLat>>, LoadError> {
        let long = |source| LoadError::LongEdge { file: file.to_owned(), geoid, source };
        let (rings, changes) = clean::clean(rings).map_err(long)?;
        if changes.is_repair() || changes.orphan_holes > 0 {
            self.loaded.cleaned.push((geoid, changes));
        }
        Ok(rings)
    }

    /// Joins the fillers of each county into one: the lines between them separate nothing.
    fn join_fillers(&mut self, kept: &mut KeptMap) -> Result<(), LoadError> {
        let fillers = kept.values().map(|(_, area)| area).filter(|area| area.kind == Kind::Filler);
        let mut counties: BTreeMap<Option<Geoid>, Vec<Geoid>> = BTreeMap::new();
        fillers.for_each(|area| counties.entry(area.geoid.county()).or_default().push(area.geoid));
        for geoids in counties.into_values().filter(|geoids| geoids.len() > 1) {
            let parts: Vec<Kept> = geoids.iter().filter_map(|geoid| Some(kept.remove(geoid)?.1)).collect();
            let rings = clean::dissolve(parts.iter().flat_map(|area| area.rings.iter().map(Vec::as_slice)));
            let Some(first) = parts.into_iter().next() else { continue };
            let file = "the fillers of a county".to_owned();
            let (rings, _) = clean::clean(rings).map_err(|source| LoadError::LongEdge {
                file: file.clone(),
                geoid: first.geoid,
                source,
            })?;
            kept.insert(first.geoid, (file, Kept { rings, ..first }));
        }
        Ok(())
    }

    /// Gives areas whose source has `rings_from` the outline of their parts. Counties come first, because states are
    /// made of them.
    fn sum_up_parts(&mut self, kept: &mut KeptMap) -> Result<(), LoadError> {
        let wanted = |area: &Kept| Some((area.geoid, self.manifest.sources[area.source].rings_from?));
        let mut sums: Vec<(Geoid, Layer)> = kept.values().filter_map(|(_, area)| wanted(area)).collect();
        sums.sort_by_key(|(geoid, _)| std::cmp::Reverse(geoid.layer()));
        for (whole, layer) in sums {
            let parts = kept.values().map(|(_, area)| area).filter(|area| is_part(area, whole, layer));
            let outline = clean::dissolve(parts.flat_map(|area| area.rings.iter().map(Vec::as_slice)));
            let file = "the sum of its parts".to_owned();
            let long = |source| LoadError::LongEdge { file, geoid: whole, source };
            // Changes to an outline that is assembled here are not counted: they say nothing about the
            // published files.
            let (rings, _) = clean::clean(outline).map_err(long)?;
            if let Some((_, area)) = kept.get_mut(&whole) {
                area.rings = rings;
            }
        }
        Ok(())
    }
}

/// Whether an area of the layer that is not retired lies in the county or state `whole`.
fn is_part(area: &Kept, whole: Geoid, layer: Layer) -> bool {
    let geoid = area.geoid;
    geoid.layer() == layer
        && area.kind != Kind::Retired
        && match whole.layer() {
            Layer::State => geoid.state_fips() == whole.state_fips(),
            _ => geoid.county() == Some(whole),
        }
}

/// Kept areas, each with the file of its record.
type KeptMap = BTreeMap<Geoid, (String, Kept)>;

/// Returns the manifest's own rows that apply to the kept areas, and a row for each predecessor area whose GEOID
/// changed. The successor has the same state and last five digits.
fn replaced(manifest: &Manifest, earlier: &[Input], kept: &KeptMap) -> Vec<Replaced> {
    let key = |geoid: Geoid| Some((geoid.layer(), geoid.state_fips(), geoid.fp5()?));
    let mut today: BTreeMap<_, Vec<Geoid>> = BTreeMap::new();
    for geoid in kept.keys() {
        today.entry(key(*geoid)).or_default().push(*geoid);
    }
    // Files of an older vintage still have the old area and lack the new ones: then nothing was replaced.
    let by_hand = manifest
        .replaced
        .iter()
        .filter(|row| kept.get(&row.old).is_none_or(|(_, area)| area.kind != Kind::Jurisdiction))
        .cloned()
        .map(|mut row| {
            row.new.retain(|new| kept.contains_key(new));
            row
        });
    let mut rows: Vec<Replaced> = by_hand.filter(|row| !row.new.is_empty()).collect();
    for input in earlier {
        let (source, old) = (&manifest.sources[input.source], input.record.geoid);
        // Counties and states have no last five digits: without the check they would all match each other.
        let new = today.get(&key(old)).filter(|_| key(old).is_some() && !kept.contains_key(&old));
        rows.extend(new.map(|new| Replaced {
            old,
            new: new.clone(),
            note: format!("{} had this code in {}.", input.record.name, source.vintage),
            source_url: source.url.clone(),
        }));
    }
    rows.sort_by_key(|row| row.old);
    rows
}
