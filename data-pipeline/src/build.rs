//! `build`: everything from the manifest to the file.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use platbook::{
    directory::Directory,
    snapshot::{Book, DroppedCount, Names, Snapshot, SnapshotError},
};

use crate::{
    boundaries::{
        assemble::assemble,
        compile::compile,
        load::{LoadError, load_all},
    },
    curated::{CensusNames, CuratedError, Tables},
    directory::{self, Content, Feeds, ids, pack, records},
    input::manifest::Manifest,
    output::report::Report,
};

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directory that the manifest's paths are relative to.
    pub data: PathBuf,
    /// Folder of the hand-kept tables.
    pub curated: PathBuf,
    /// Tolerance for lines of 1:500,000 or finer, metres; 0 keeps every vertex.
    pub simplify_m: u32,
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
    /// The records do not fit together.
    #[error("the records do not fit together: {0}")]
    Compile(String),
    /// What was built is refused by its own reader: a defect of the pipeline.
    #[error("the snapshot just built cannot be read back: {0}")]
    Unreadable(#[from] SnapshotError),
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// The bytes of a snapshot, and what there is to say about them.
#[derive(Debug)]
pub struct Built {
    /// The file's bytes: same inputs, same bytes.
    pub bytes: Vec<u8>,
    /// The report.
    pub report: Report,
}

/// Builds in memory; says what it does through `progress`.
///
/// # Errors
/// See [`BuildError`].
pub fn build(manifest: &Manifest, options: &Options, progress: &dyn Fn(&str)) -> Result<Built, BuildError> {
    progress("checking the hand-kept tables");
    let tables = Tables::load(&options.curated)?;
    let mut loaded = load_all(manifest, &options.data, &tables.areas, |step| progress(step.file))?;
    let wrong_names = tables.wrong_names(&CensusNames::of(loaded.names()));
    if !wrong_names.is_empty() {
        return Err(CuratedError(wrong_names).into());
    }
    let mut report = Report::of_inputs(manifest, &loaded);
    let feeds = Feeds::take(&mut loaded);
    let mut inputs = assemble(manifest, loaded, &tables.areas, options.simplify_m);
    let content = Content::of(&tables, manifest, &inputs.jurisdictions);
    let governments = inputs.jurisdictions.clone();
    let Content { sources, books, districts } = content;
    inputs.jurisdictions.extend(districts);
    inputs.meta.sources.extend(sources.cited().iter().cloned());
    let mut contents = compile(inputs, progress).map_err(BuildError::Compile)?;
    contents.book = Book::pack(&books, &tables.guides).map_err(BuildError::Compile)?;
    progress("placing pages of governments");
    let unfilled = Directory::new(Snapshot::copy(&contents.to_bytes().map_err(BuildError::Compile)?)?);
    let counties = directory::counties_of_places(&unfilled);
    let records = directory::records(&tables, feeds, &governments, &counties)?;
    let packed = pack(records, &sources, &unfilled).map_err(BuildError::Compile)?;
    drop(unfilled);
    contents.records = packed.section;
    let reasons = records::reasons(&packed.left_out);
    contents.meta.dropped.extend(reasons.into_iter().map(|((fate, reason), count)| DroppedCount {
        reason: format!("page {}: {reason}", fate.as_str()),
        count,
    }));
    report.left_out(&packed.left_out);
    progress("gathering names");
    let unnamed = Snapshot::copy(&contents.to_bytes().map_err(BuildError::Compile)?)?;
    contents.names = Names::pack(unnamed.jurisdictions(), unnamed.records()).map_err(BuildError::Compile)?;
    drop(unnamed);
    progress("writing sections");
    let bytes = contents.to_bytes().map_err(BuildError::Compile)?;
    drop(contents);
    progress("resolving every published internal point");
    let directory = Directory::new(Snapshot::copy(&bytes)?);
    ids::check(&directory, &tables.retired).map_err(BuildError::Compile)?;
    report.check_internal_points(&directory);
    report.describe(&directory, bytes.len() as u64);
    Ok(Built { bytes, report })
}

/// Writes beside the file and renames: readers see the old file or the whole new one.
///
/// # Errors
/// When the directory cannot be written.
pub fn publish(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let beside = path.with_extension("tmp");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| BuildError::Write { path: path.to_owned(), source })
}
