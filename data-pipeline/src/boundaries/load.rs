//! Loads every file of the manifest: reads, selects, names and cleans the records.
//!
//! This is the input half of a build. `loader` holds the state between files; it knows nothing of sections of
//! a snapshot.

use std::{fmt, path::Path};

use platbook::{
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, Scale, StateCode},
};

use crate::{
    boundaries::{
        clean::{Changes, LongEdge},
        precincts::Outcome,
        select::{Kind, Reason},
    },
    curated::{AreaTables, Community},
    input::{
        ReadError,
        contacts::ListedContact,
        digest::{self, InputError},
        dotgov::DotGovRow,
        gazetteer::{self, Listed},
        gsa::{GsaRow, Retired},
        installations::Installation,
        manifest::{Manifest, Replaced, Role},
        ocd::Ocd,
        openaddresses::OaSource,
        outlines::Outline,
        population::{self, Population},
        radon::RadonZone,
        zip_counties::ZipCounty,
    },
};

mod loader;

/// An area that goes into the snapshot.
#[derive(Clone, Debug)]
pub struct Kept {
    /// GEOID, unique among all kept areas.
    pub geoid: Geoid,
    /// Position in [`Manifest::sources`], from 0.
    pub source: usize,
    /// Jurisdiction, filler or retired area.
    pub kind: Kind,
    /// The name as people write it.
    pub name: String,
    /// NAME as published, with the legal word if the file has it in that column.
    pub published_name: String,
    /// Legal word, lower case; `None` for states and where the Census has none.
    pub legal_type: Option<String>,
    /// Functional status, from the file or by rule.
    pub func_stat: FuncStat,
    /// Year of the source's lines.
    pub vintage: u16,
    /// Scale of the source's lines.
    pub scale: Scale,
    /// Land area in square meters; `None` where the file has no such column.
    pub land_m2: Option<u64>,
    /// Water area in square meters; `None` where the file has no such column.
    pub water_m2: Option<u64>,
    /// A point inside, as the Census gives it (a few lie outside); `None` where the file has none.
    pub internal_point: Option<LonLat>,
    /// Closed, simple rings; the area is the set of points in an odd number of them.
    pub rings: Vec<Vec<LonLat>>,
}

/// A county from a file whose areas end at the shore.
#[derive(Clone, Debug)]
pub struct Land {
    /// Position in [`Manifest::sources`], from 0.
    pub source: usize,
    /// GEOID of the county.
    pub county: Geoid,
    /// Rings as read, not cleaned.
    pub rings: Vec<Vec<LonLat>>,
}

/// A record that does not go into the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Path of the file, as in the manifest.
    pub file: String,
    /// GEOID of the record.
    pub geoid: Geoid,
    /// NAME column as published.
    pub name: String,
    /// The reason why the record was dropped.
    pub reason: Reason,
}

/// The content of all input files.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Areas that go into the snapshot, sorted by GEOID: states, counties, subdivisions, places.
    pub kept: Vec<Kept>,
    /// Records that do not go into the snapshot, in the order of the files.
    pub dropped: Vec<Dropped>,
    /// Legal units of the gazetteer, in the order of its files.
    pub listed: Vec<Listed>,
    /// Places without a government: people search for them by name.
    pub communities: Vec<Community>,
    /// Military installations, each with its area and a point inside.
    pub installations: Vec<Installation>,
    /// Pairs of a place and a county that it reaches.
    pub place_counties: Vec<(Geoid, Geoid)>,
    /// Counties as drawn without their water, even where another source's drawing of the county is kept.
    pub land: Vec<Land>,
    /// Repairs by cleaning, for each record that needed any.
    pub cleaned: Vec<(Geoid, Changes)>,
    /// The result for each election precinct that towns are assembled from.
    pub precincts: Vec<Outcome>,
    /// Land of American Indian nations and similar areas, each with its position in the manifest's sources.
    pub tribal: Vec<(usize, Outline)>,
    /// Residents by area; used for ranking only.
    pub population: Population,
    /// Open Civic Data ids and names, corrected.
    pub ocd: Ocd,
    /// Radon zones by county, as read.
    pub radon: Vec<RadonZone>,
    /// Pairs of ZIP codes and counties, as read.
    pub zip_counties: Vec<ZipCounty>,
    /// Offices with their telephones, as read, each with its source.
    pub contacts: Vec<(usize, ListedContact)>,
    /// Registered .gov domains, as read.
    pub dotgov: Vec<DotGovRow>,
    /// Web addresses of governments outside .gov, as read.
    pub govt_urls: Vec<GsaRow>,
    /// Web addresses that were retired from the list in `govt_urls`.
    pub govt_urls_retired: Retired,
    /// Open data sources of counties and places.
    pub open_data: Vec<OaSource>,
    /// Retired GEOIDs: those of the manifest and those derived from predecessor files, sorted.
    pub replaced: Vec<Replaced>,
}

impl Loaded {
    /// Leaves out rows of other states from lists whose rows are for areas. Lists of pages stay whole: `directory`
    /// drops pages of areas that the snapshot lacks.
    fn narrow(&mut self, state: StateCode) {
        let is_own = |geoid: Geoid| geoid.state_fips() == state.fips();
        self.ocd.rows.retain(|row| is_own(row.geoid));
        self.radon.retain(|zone| zone.state == state);
        self.listed.retain(|unit| is_own(unit.geoid));
        self.communities.retain(|community| community.state == state);
        self.place_counties.retain(|(place, _)| is_own(*place));
        self.zip_counties.retain(|pair| pair.county / 1000 == u16::from(state.fips()));
    }

    /// Every name that the files have for an area: the snapshot's, the published one, and those of areas that
    /// were left out.
    pub fn names(&self) -> impl Iterator<Item = (Geoid, &str)> {
        let kept = self.kept.iter();
        let kept = kept.flat_map(|area| [(area.geoid, &area.name), (area.geoid, &area.published_name)]);
        let dropped = self.dropped.iter().map(|record| (record.geoid, &record.name));
        let listed = self.ocd.rows.iter().map(|row| (row.geoid, &row.name));
        kept.chain(dropped).chain(listed).map(|(geoid, name)| (geoid, name.as_str()))
    }
}

/// Progress of loading, by files.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Number of files done.
    pub done: usize,
    /// Number of files in all.
    pub total: usize,
    /// Path of the next file; empty once all files are read.
    pub file: &'a str,
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file {
            "" => f.write_str("joining areas"),
            file => write!(f, "reading file {} of {}: {file}", self.done + 1, self.total),
        }
    }
}

/// The reason why the inputs could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file is missing, or its digest differs from the manifest's.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file was found but is damaged.
    #[error(transparent)]
    Read(Box<ReadError>),
    /// A record lies in a state that the manifest does not list for its file.
    #[error(
        "{file}: {geoid} lies in a state that the manifest does not list for this file; add the state or remove the record"
    )]
    State {
        /// Path of the file.
        file: String,
        /// GEOID of the record.
        geoid: Geoid,
    },
    /// Two sources give the same area.
    #[error(
        "{geoid} comes from {first} and from {second}; mark one source as supplement or narrow it with `only`"
    )]
    Twice {
        /// GEOID of the area.
        geoid: Geoid,
        /// File or source of the first record.
        first: String,
        /// File or source of the second record.
        second: String,
    },
    /// The manifest names a record that its files do not have.
    #[error("source {source_id}: expected {geoid}, which `only` names, in its files; correct the manifest")]
    NotFound {
        /// Id of the source.
        source_id: String,
        /// GEOID of the missing record.
        geoid: Geoid,
    },
    /// The manifest divides a county, but a part is missing.
    #[error("{old}: expected {missing}, which `divided` names, in the files; correct the manifest")]
    NoPart {
        /// GEOID of the county that was divided.
        old: Geoid,
        /// GEOID of the missing county, or name of the missing region.
        missing: String,
    },
    /// An edge is longer than any real one: the border jumps.
    #[error("{file}: {geoid}: {source}")]
    LongEdge {
        /// Path of the file.
        file: String,
        /// GEOID of the area.
        geoid: Geoid,
        /// Both ends of the edge.
        source: LongEdge,
    },
}

/// Reads every file of the manifest below `data_dir`, checks its digest, assembles towns from election
/// precincts, and decides about each record.
///
/// The hand-kept tables say how precincts are read, which areas govern, and which names differ from the rule.
///
/// # Errors
/// When a file is missing, altered or damaged, or the files contradict the manifest; see [`LoadError`].
pub fn load_all(
    manifest: &Manifest,
    data_dir: &Path,
    tables: &AreaTables,
    mut progress: impl FnMut(Step),
) -> Result<Loaded, LoadError> {
    let mut loader = loader::Loader::new(manifest, tables);
    let (total, mut done) = (manifest.sources.iter().map(|source| source.files.len()).sum(), 0);
    for (index, source) in manifest.sources.iter().enumerate() {
        for file in &source.files {
            progress(Step { done, total, file: &file.path });
            let bytes = digest::read_checked(&data_dir.join(&file.path), &file.sha256)?;
            loader.add_file(index, file, &bytes)?;
            done += 1;
        }
        loader.check_named(index)?;
    }
    if let Some(state) = manifest.only_state {
        loader.narrow(state);
    }
    progress(Step { done, total, file: "" });
    // The order of these calls matters. Land is noted as published; divided counties exist before towns look for
    // their county; lines are fitted once all areas exist.
    loader.note_land();
    loader.divide_counties()?;
    loader.take_list();
    loader.join_merged();
    loader.take_cities();
    loader.assemble_towns();
    loader.conform();
    loader.fit_counties();
    loader.choose()
}

/// Reads the units of the manifest's gazetteer, and the residents of each.
///
/// # Errors
/// When a file is missing, altered or damaged.
pub fn load_listed(manifest: &Manifest, data_dir: &Path) -> Result<(Vec<Listed>, Population), LoadError> {
    let (mut listed, mut people) = (Vec::new(), Population::new());
    for (source, file) in
        manifest.sources.iter().flat_map(|source| source.files.iter().map(move |file| (source, file)))
    {
        let read = || digest::read_checked(&data_dir.join(&file.path), &file.sha256);
        match source.role {
            Role::Gazetteer => listed.extend(gazetteer::listed(&file.path, &read()?)?),
            Role::PopulationCounties => people.extend(population::counties(&file.path, &read()?)?),
            Role::PopulationPlaces => people.extend(population::places(&file.path, &read()?)?),
            _ => {}
        }
    }
    Ok((listed, people))
}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> LoadError {
        LoadError::Read(Box::new(error))
    }
}

#[cfg(test)]
mod tests;
