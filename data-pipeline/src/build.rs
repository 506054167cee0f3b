//! The order of a build: from the manifest and the hand-kept tables to the bytes of a snapshot.

use std::{mem::take, path::PathBuf};

use platbook::{
    directory::Directory,
    snapshot::{
        Snapshot, SnapshotError,
        write::{CityChanges, Communities, DroppedCount, Names, StateFiles, WriteError},
    },
    vocabulary::{Geoid, StateCode},
};

use crate::{
    boundaries::{
        assemble::{Tolerance, assemble},
        compile::{CompileError, Compiled, compile},
        load::{LoadError, load_all},
        shore::{ShoreError, Shores},
        tribal::{self, TribalError},
    },
    curated::{CensusNames, CuratedError, Tables},
    directory::{
        self, Content, Feeds, PackError,
        ids::{self, IdClashes},
        pack,
        records::{self, LeftOut},
    },
    input::manifest::{Manifest, Role},
    layers::counties,
    output::report::Report,
};

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directory that the manifest's paths are relative to.
    pub data: PathBuf,
    /// Folder of the hand-kept tables.
    pub curated: PathBuf,
    /// How far lines may be moved to make them simpler.
    pub simplify: Tolerance,
}

/// Why nothing was built. The file that was there stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The inputs.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The hand-kept tables.
    #[error(transparent)]
    Curated(#[from] CuratedError),
    /// The areas cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The records of pages cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// Ids that clash.
    #[error(transparent)]
    Ids(#[from] IdClashes),
    /// The land of nations cannot be packed.
    #[error(transparent)]
    Tribal(#[from] TribalError),
    /// The shore cannot be packed.
    #[error(transparent)]
    Shore(#[from] ShoreError),
    /// A section cannot be written.
    #[error(transparent)]
    Section(#[from] WriteError),
    /// What was built is refused by its own reader: a defect of the pipeline.
    #[error("the snapshot just built cannot be read back: {0}")]
    Unreadable(#[from] SnapshotError),
}

/// The bytes of a snapshot, and what there is to say about them.
#[derive(Debug)]
pub struct Built {
    /// The file's bytes: same inputs, same bytes.
    pub bytes: Vec<u8>,
    /// The report.
    pub report: Report,
}

/// Builds in memory, of the one state that the manifest is narrowed to or of all; says what it does through `progress`.
///
/// # Errors
/// See [`BuildError`].
pub fn build(manifest: &Manifest, options: &Options, progress: &dyn Fn(&str)) -> Result<Built, BuildError> {
    progress("checking the hand-kept tables");
    let mut tables = Tables::load(&options.curated)?;
    if let Some(state) = manifest.only_state {
        tables.narrow(state);
    }
    let mut loaded = load_all(manifest, &options.data, &tables.areas, |step| progress(&step.to_string()))?;
    // A table may call a state as answers do: the files say "Commonwealth of the Northern Mariana Islands".
    let states = StateCode::all().map(|state| (Geoid::of_state(state), state.name()));
    let wrong_names = tables.wrong_names(&CensusNames::of(loaded.names().chain(states)), |_| false);
    if !wrong_names.is_empty() {
        return Err(CuratedError(wrong_names).into());
    }
    let mut report = Report::of_inputs(manifest, &loaded);
    let feeds = Feeds::take(&mut loaded);
    let (radon, zip_counties) = (take(&mut loaded.radon), take(&mut loaded.zip_counties));
    let (tribal, communities) = (take(&mut loaded.tribal), take(&mut loaded.communities));
    let shores = Shores::take(manifest, &mut loaded);
    let mut inputs = assemble(manifest, loaded, &tables.areas, options.simplify);
    let governments = inputs.jurisdictions.clone();
    let Content { sources, books, districts, tribal_sources, city_changes } =
        Content::of(&tables, manifest, &governments);
    inputs.jurisdictions.extend(districts);
    inputs.meta.sources.extend(sources.cited().iter().cloned());
    let Compiled { mut contents, jurisdictions } = compile(inputs, progress)?;
    contents.state_files = StateFiles::pack(&books, &tables.guides)?;
    contents.tribal = tribal::pack(tribal, &tables.tribal, tribal_sources, options.simplify.elsewhere_m)?;
    progress("telling water from land");
    contents.shore = shores.pack(&jurisdictions, options.simplify.elsewhere_m)?;
    contents.city_changes = CityChanges::pack(&city_changes)?;
    progress("placing pages of governments");
    // Where a place lies and who does its jobs only a directory can tell: this one has rules but no pages.
    let rules_only = Directory::new(Snapshot::copy(&contents.to_bytes()?)?);
    let of_places = directory::counties_of_places(&rules_only);
    let records = directory::records(&tables, feeds, &governments, &of_places)?;
    let packed = pack(records, &sources, &rules_only)?;
    let lists = [row_of(manifest, Role::RadonZones), row_of(manifest, Role::ZipCounties)];
    if lists.iter().any(Option::is_some) {
        let radon = counties::radon(&radon, &rules_only);
        contents.county_tables = Some(counties::tables(radon, lists[0], &zip_counties, lists[1]));
    }
    contents.communities = Communities::pack(directory::communities(communities, &rules_only))?;
    drop(rules_only);
    contents.meta.dropped.extend(dropped_pages(&packed.left_out));
    report.left_out(&packed.left_out);
    progress("gathering names");
    contents.names = Names::pack(&jurisdictions, &packed.resources)?;
    contents.records = packed.section;
    progress("writing sections");
    let bytes = contents.to_bytes()?;
    drop(contents);
    progress("resolving every published internal point");
    let directory = Directory::new(Snapshot::copy(&bytes)?);
    ids::check(&directory, &tables.retired)?;
    report.check_internal_points(&directory);
    report.describe(&directory, bytes.len() as u64);
    Ok(Built { bytes, report })
}

/// The source of the manifest with this role: sources of a snapshot are in the manifest's order.
fn row_of(manifest: &Manifest, role: Role) -> Option<u16> {
    manifest.sources.iter().position(|source| source.role == role).map(|row| row as u16)
}

/// How many pages were left out for each reason.
fn dropped_pages(left_out: &[LeftOut]) -> impl Iterator<Item = DroppedCount> {
    let reasons = records::reasons(left_out).into_iter();
    reasons.map(|((fate, reason), count)| DroppedCount {
        reason: format!("page {}: {reason}", fate.as_str()),
        count,
    })
}
