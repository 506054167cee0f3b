//! The input half of a build: every file of the manifest, read, judged, named and cleaned.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::Path,
};

use platbook::{
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, Layer, Scale},
};

use crate::{
    clean::{self, Changes, LongEdge},
    digest::{self, InputError},
    manifest::{Manifest, Replaced, Role, Source},
    naming,
    read::{self, ReadError, Record, ocd::Ocd, population::Population},
    select::{self, Context, Kind, Reason, Verdict},
    status::{StatusError, StatusTable},
};

/// An area that goes into the snapshot.
#[derive(Clone, Debug)]
pub struct Kept {
    /// GEOID, unique among all kept areas.
    pub geoid: Geoid,
    /// Place in [`Manifest::sources`].
    pub source: usize,
    /// Jurisdiction or filler.
    pub kind: Kind,
    /// As people write it.
    pub name: String,
    /// Legal word, lower case; `None` for states and where the Census has none.
    pub legal_type: Option<String>,
    /// Functional status: of the file, or by rule.
    pub func_stat: FuncStat,
    /// Year of the source.
    pub vintage: u16,
    /// Scale of the source.
    pub scale: Scale,
    /// Land area, square metres.
    pub land_m2: Option<u64>,
    /// Water area, square metres.
    pub water_m2: Option<u64>,
    /// A point inside, as the Census gives it (a few lie outside).
    pub internal_point: Option<LonLat>,
    /// Closed, simple rings; the area is what lies in an odd number of them.
    pub rings: Vec<Vec<LonLat>>,
}

/// A record that does not go into the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The file, as in the manifest.
    pub file: String,
    /// The area.
    pub geoid: Geoid,
    /// NAME as published.
    pub name: String,
    /// Why.
    pub reason: Reason,
}

/// All inputs.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Sorted by GEOID: states, counties, subdivisions, places.
    pub kept: Vec<Kept>,
    /// In the order of the files.
    pub dropped: Vec<Dropped>,
    /// What cleaning did to each record that it repaired.
    pub cleaned: Vec<(Geoid, Changes)>,
    /// Residents, for ranking only.
    pub population: Population,
    /// Open Civic Data ids.
    pub ocd: Ocd,
    /// Retired GEOIDs: those of the manifest and those derived from predecessor files, sorted.
    pub replaced: Vec<Replaced>,
}

/// What is being done, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Files done.
    pub done: usize,
    /// Files in all.
    pub total: usize,
    /// The file that comes next.
    pub file: &'a str,
}

/// Why the inputs could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file is missing or another one than the manifest names.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The table of functional status is wrong.
    #[error(transparent)]
    Status(#[from] StatusError),
    /// A record lies in a state that its file is not listed for.
    #[error(
        "{file}: {geoid} lies in a state that the manifest does not list for this file; add the state or remove the record"
    )]
    State {
        /// The file.
        file: String,
        /// The area.
        geoid: Geoid,
    },
    /// Two sources give the same area.
    #[error(
        "{geoid} comes from {first} and from {second}; mark one source as supplement or narrow it with `only`"
    )]
    Twice {
        /// The area.
        geoid: Geoid,
        /// One file or source.
        first: String,
        /// The other.
        second: String,
    },
    /// A record named in the manifest is not in the file.
    #[error("source {source_id}: expected {geoid}, which `only` names, in its files; correct the manifest")]
    NotFound {
        /// The source.
        source_id: String,
        /// The area.
        geoid: Geoid,
    },
    /// A border jumps.
    #[error("{file}: {geoid}: {source}")]
    LongEdge {
        /// The file.
        file: String,
        /// The area.
        geoid: Geoid,
        /// Where.
        source: LongEdge,
    },
}

/// Reads every file of the manifest below `data_dir`, checks its digest, and decides what becomes of each record.
///
/// # Errors
/// When a file is missing, altered or damaged, or the files contradict the manifest; see [`LoadError`].
pub fn load_all(
    manifest: &Manifest,
    data_dir: &Path,
    mut progress: impl FnMut(Step),
) -> Result<Loaded, LoadError> {
    let status = StatusTable::curated()?;
    let mut loader = Loader { manifest, status: &status, loaded: Loaded::default() };
    let mut records = Vec::new();
    let (total, mut done) = (manifest.sources.iter().map(|source| source.files.len()).sum(), 0);
    for (index, source) in manifest.sources.iter().enumerate() {
        for file in &source.files {
            progress(Step { done, total, file: &file.path });
            let bytes = digest::read_checked(&data_dir.join(&file.path), &file.sha256)?;
            loader.file(index, source, file, &bytes, &mut records)?;
            done += 1;
        }
        named_records_exist(source, index, &records)?;
    }
    progress(Step { done, total, file: "" });
    loader.choose(records)
}

/// A record with where it comes from.
struct Input {
    source: usize,
    file: String,
    record: Record,
}

struct Loader<'a> {
    manifest: &'a Manifest,
    status: &'a StatusTable,
    loaded: Loaded,
}

fn named_records_exist(source: &Source, index: usize, records: &[Input]) -> Result<(), LoadError> {
    let found =
        |geoid: &&Geoid| records.iter().any(|input| input.source == index && input.record.geoid == **geoid);
    match source.only.iter().find(|geoid| !found(geoid)) {
        Some(geoid) => Err(LoadError::NotFound { source_id: source.id.clone(), geoid: *geoid }),
        None => Ok(()),
    }
}

impl Loader<'_> {
    fn file(
        &mut self,
        index: usize,
        source: &Source,
        file: &crate::manifest::SourceFile,
        bytes: &[u8],
        records: &mut Vec<Input>,
    ) -> Result<(), LoadError> {
        let path = file.path.as_str();
        match (source.role, source.layer) {
            (Role::Boundaries | Role::Predecessor, Some(layer)) => {
                let read = read::boundaries(path, bytes, layer)?.into_iter();
                let wanted =
                    read.filter(|record| source.only.is_empty() || source.only.contains(&record.geoid));
                for record in wanted {
                    let fips = record.geoid.state_fips();
                    if !file.states.iter().any(|state| state.fips() == fips) {
                        return Err(LoadError::State { file: path.to_owned(), geoid: record.geoid });
                    }
                    records.push(Input { source: index, file: path.to_owned(), record });
                }
            }
            (Role::PopulationCounties, _) => {
                self.loaded.population.extend(read::population::counties(path, bytes)?);
            }
            (Role::PopulationPlaces, _) => {
                self.loaded.population.extend(read::population::places(path, bytes)?)
            }
            (role, _) => self.loaded.ocd.add(role, path, bytes)?,
        }
        Ok(())
    }

    fn choose(mut self, records: Vec<Input>) -> Result<Loaded, LoadError> {
        let sources = &self.manifest.sources;
        let (current, earlier): (Vec<_>, Vec<_>) =
            records.into_iter().partition(|input| sources[input.source].role == Role::Boundaries);
        let pairs = current.iter().map(|input| (&sources[input.source], &input.record));
        let context = Context::new(self.manifest, self.status, pairs);
        let mut kept = BTreeMap::new();
        for input in current {
            match context.judge(&sources[input.source], &input.record) {
                Verdict::Drop(reason) => self.drop(input, reason),
                Verdict::Keep(kind, func_stat) => self.keep(&mut kept, input, kind, func_stat)?,
            }
        }
        self.sum_up_parts(&mut kept)?;
        self.loaded.replaced = replaced(self.manifest, &earlier, &kept);
        self.loaded.kept = kept.into_values().map(|(_, area)| area).collect();
        self.loaded.ocd.correct();
        Ok(self.loaded)
    }

    fn drop(&mut self, input: Input, reason: Reason) {
        let Input { file, record: Record { geoid, name, .. }, .. } = input;
        self.loaded.dropped.push(Dropped { file, geoid, name, reason });
    }

    fn keep(
        &mut self,
        kept: &mut KeptMap,
        input: Input,
        kind: Kind,
        func_stat: FuncStat,
    ) -> Result<(), LoadError> {
        let source = &self.manifest.sources[input.source];
        let geoid = input.record.geoid;
        let name = naming::name(&input.record, select::lsad(source, &input.record));
        let rings = match source.rings_from {
            Some(_) => Vec::new(),
            None => self.clean(&input.file, geoid, input.record.rings.clone())?,
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
            name: name.name,
            legal_type: name.legal_type,
            func_stat,
            vintage: source.vintage,
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

    /// Gives counties that the manifest wants put together the outline of their subdivisions.
    fn sum_up_parts(&mut self, kept: &mut KeptMap) -> Result<(), LoadError> {
        let wanted = |area: &Kept| Some((area.geoid, self.manifest.sources[area.source].rings_from?));
        let counties: Vec<(Geoid, Layer)> = kept.values().filter_map(|(_, area)| wanted(area)).collect();
        for (county, layer) in counties {
            let is_part = |area: &&Kept| area.geoid.layer() == layer && area.geoid.county() == Some(county);
            let parts = kept.values().map(|(_, area)| area).filter(is_part);
            let outline = clean::dissolve(parts.flat_map(|area| area.rings.iter().map(Vec::as_slice)));
            let rings = self.clean("(sum of subdivisions)", county, outline)?;
            if let Some((_, area)) = kept.get_mut(&county) {
                area.rings = rings;
            }
        }
        Ok(())
    }
}

/// Kept areas, each with its file.
type KeptMap = BTreeMap<Geoid, (String, Kept)>;

/// The manifest's own rows, and one for each area of a predecessor file whose GEOID changed: same state, same
/// last five digits.
fn replaced(manifest: &Manifest, earlier: &[Input], kept: &KeptMap) -> Vec<Replaced> {
    let key = |geoid: Geoid| Some((geoid.layer(), geoid.state_fips(), geoid.fp5()?));
    let mut today: BTreeMap<_, Vec<Geoid>> = BTreeMap::new();
    for geoid in kept.keys() {
        today.entry(key(*geoid)).or_default().push(*geoid);
    }
    let mut rows = manifest.replaced.clone();
    for input in earlier {
        let (source, old) = (&manifest.sources[input.source], input.record.geoid);
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

#[cfg(test)]
mod tests;
