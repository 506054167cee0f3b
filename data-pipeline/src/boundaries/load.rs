//! The input half of a build: every file of the manifest, read, judged, named and cleaned.

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
    curated::AreaTables,
    input::{
        ReadError,
        contacts::ListedContact,
        digest::{self, InputError},
        dotgov::DotGovRow,
        gsa::{GsaRow, Retired},
        manifest::{Manifest, Replaced},
        ocd::Ocd,
        openaddresses::OaSource,
        outlines::Outline,
        population::Population,
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
    /// Place in [`Manifest::sources`].
    pub source: usize,
    /// Jurisdiction or filler.
    pub kind: Kind,
    /// As people write it.
    pub name: String,
    /// NAME as published.
    pub published_name: String,
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

/// A county as a file has it whose areas end at the shore.
#[derive(Clone, Debug)]
pub struct Land {
    /// Place in [`Manifest::sources`].
    pub source: usize,
    /// The county.
    pub county: Geoid,
    /// Rings as read.
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
    /// Places without a government, each with a point of its own: its name is known to people.
    pub communities: Vec<(Geoid, String, LonLat)>,
    /// Counties as drawn without their water, whether they are kept or another source has them.
    pub land: Vec<Land>,
    /// What cleaning did to each record that it repaired.
    pub cleaned: Vec<(Geoid, Changes)>,
    /// What became of each election precinct that towns are put together from.
    pub precincts: Vec<Outcome>,
    /// Land of American Indian nations and areas like it, each with its source.
    pub tribal: Vec<(usize, Outline)>,
    /// Residents, for ranking only.
    pub population: Population,
    /// Open Civic Data ids.
    pub ocd: Ocd,
    /// Radon zones by county, as read.
    pub radon: Vec<RadonZone>,
    /// Which counties ZIP codes reach, as read.
    pub zip_counties: Vec<ZipCounty>,
    /// Offices with their telephones, as read, each with its source.
    pub contacts: Vec<(usize, ListedContact)>,
    /// Registered .gov domains, as read.
    pub dotgov: Vec<DotGovRow>,
    /// Government addresses outside .gov, as read.
    pub govt_urls: Vec<GsaRow>,
    /// Addresses retired from that list.
    pub govt_urls_retired: Retired,
    /// Open data sources of counties and places.
    pub open_data: Vec<OaSource>,
    /// Retired GEOIDs: those of the manifest and those derived from predecessor files, sorted.
    pub replaced: Vec<Replaced>,
}

impl Loaded {
    /// Leaves out the rows of lists that are of other states; those of pages stay, as a list is one.
    fn narrow(&mut self, state: StateCode) {
        let is_own = |geoid: Geoid| geoid.state_fips() == state.fips();
        self.ocd.rows.retain(|row| is_own(row.geoid));
        self.radon.retain(|zone| zone.state == state);
        self.zip_counties.retain(|pair| pair.county / 1000 == u16::from(state.fips()));
    }

    /// Every name that the files have for an area: ours, the published one, and those of areas that were left out.
    pub fn names(&self) -> impl Iterator<Item = (Geoid, &str)> {
        let kept = self.kept.iter();
        let kept = kept.flat_map(|area| [(area.geoid, &area.name), (area.geoid, &area.published_name)]);
        let dropped = self.dropped.iter().map(|record| (record.geoid, &record.name));
        let listed = self.ocd.rows.iter().map(|row| (row.geoid, &row.name));
        kept.chain(dropped).chain(listed).map(|(geoid, name)| (geoid, name.as_str()))
    }
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

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file {
            "" => f.write_str("joining areas"),
            file => write!(f, "reading file {} of {}: {file}", self.done + 1, self.total),
        }
    }
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
    Read(Box<ReadError>),
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
    /// A county is to be divided, but a part is missing.
    #[error("{old}: expected {missing}, which `divided` names, in the files; correct the manifest")]
    NoPart {
        /// The county that was divided.
        old: Geoid,
        /// The county or region that is not there.
        missing: String,
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

/// Reads every file of the manifest below `data_dir`, checks its digest, puts towns together from election precincts,
/// and decides what becomes of each record. The hand-kept tables say how precincts are read, which areas govern and
/// what is called otherwise than by rule.
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
    loader.note_land();
    loader.divide_counties()?;
    loader.put_towns_together();
    loader.conform();
    loader.fit_counties();
    loader.choose()
}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> LoadError {
        LoadError::Read(Box::new(error))
    }
}

#[cfg(test)]
mod tests;
