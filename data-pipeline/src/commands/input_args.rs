//! Options for the inputs of a build, shared by several commands.

use std::path::{Path, PathBuf};

use anyhow::Result;
use platbook_pipeline::{
    boundaries::assemble::Tolerance,
    input::manifest::{Manifest, Role},
};

/// The manifest of the default snapshot.
const DEFAULT_MANIFEST: &str = "data-pipeline/sources.toml";

#[derive(clap::Args)]
pub(crate) struct InputArgs {
    /// Directory that the manifest's paths are relative to.
    #[arg(long, env = "PLATBOOK_DATA")]
    pub(crate) data: PathBuf,
    /// The manifest [default: sources.toml in the data directory, which `fetch` writes, else
    /// data-pipeline/sources.toml]
    #[arg(long)]
    manifest: Option<PathBuf>,
    /// Folder of the hand-kept tables.
    #[arg(long, default_value = "data-pipeline/curated")]
    pub(crate) curated: PathBuf,
}

/// The options for simpler lines.
#[derive(clap::Args)]
pub(crate) struct SimplifyArgs {
    /// Meters by which lines of 1:500,000 or finer may be moved where people live, to simplify them; 0 keeps
    /// every vertex there.
    #[arg(long, default_value_t = 0)]
    simplify_m: u32,
    /// Meters by which these lines may be moved where few people live, at most by the uncertainty of their scale. A
    /// value below --simplify-m counts as --simplify-m.
    #[arg(long, default_value_t = 0)]
    simplify_elsewhere_m: u32,
}

impl SimplifyArgs {
    pub(crate) fn tolerance(&self) -> Tolerance {
        Tolerance { settled_m: self.simplify_m, elsewhere_m: self.simplify_elsewhere_m }
    }
}

impl InputArgs {
    /// Reads the manifest, and prints a note for each list that it lacks.
    pub(crate) fn manifest(&self) -> Result<Manifest> {
        let fetched = self.data.join("sources.toml");
        let usual = if fetched.is_file() { &fetched } else { Path::new(DEFAULT_MANIFEST) };
        let manifest = Manifest::load(self.manifest.as_deref().unwrap_or(usual))?;
        for (role, what) in LISTS {
            if manifest.sources.iter().all(|source| source.role != role) {
                eprintln!("note: the manifest names no {what}");
            }
        }
        Ok(manifest)
    }
}

/// Lists that a snapshot can do without, and the loss without each.
const LISTS: [(Role, &str); 4] = [
    (Role::Dotgov, "list of registered domains: no government gets a main site from it"),
    (Role::OpenAddresses, "list of open data: no county gets a map from it"),
    (Role::OcdIds, "Open Civic Data ids: towns without an outline are not named"),
    (Role::PopulationPlaces, "population of places: search ranks them by name alone"),
];
