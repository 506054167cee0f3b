//! The manifest: which published files a snapshot is built from, and what is known of each.
//!
//! `sources.toml` is the manifest of the default snapshot; `platbook-pipeline fetch` writes one for what it
//! downloaded. Paths are relative to a data directory, so the same manifest works on every machine.

use std::path::{Path, PathBuf};

use platbook::vocabulary::{Geoid, Layer, LicenseClass, Scale, StateCode};
use serde::Deserialize;

mod raw;

/// What the files of a source hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Areas of one layer.
    Boundaries,
    /// Areas of an earlier vintage, read only to learn which GEOIDs became which: a subdivision keeps its
    /// state and last five digits when the counties around it change.
    Predecessor,
    /// Election precincts, each with its county and its name; towns are put together from them.
    Precincts,
    /// Voting districts of Census 2000 with the code of their town; in their counties towns are put together from
    /// them, not from precincts.
    VotingDistricts,
    /// Which of a state's election precincts lie in which subdivision or place, by code.
    PrecinctCodes,
    /// The county subdivisions of a state by code, name and legal word.
    Subdivisions,
    /// Areas of no layer, of which [`Manifest::divided`] names those that divided a county.
    Dividers,
    /// Land of American Indian nations, and areas that the Census drew for statistics on them.
    TribalAreas,
    /// Open Civic Data ids with their GEOIDs.
    OcdIds,
    /// Open Civic Data ids that name the same government.
    OcdAliases,
    /// Open Civic Data ids whose spelling was corrected.
    OcdCorrections,
    /// Open Civic Data ids that the Census list leaves out.
    OcdWhitelist,
    /// Open Civic Data ids of the island areas.
    OcdTerritories,
    /// OpenAddresses source files: where counties and cities publish parcels and address points.
    #[serde(rename = "openaddresses")]
    OpenAddresses,
    /// Population estimates of states and counties.
    PopulationCounties,
    /// Population estimates of incorporated places.
    PopulationPlaces,
    /// Radon zones by county.
    RadonZones,
    /// Which counties a ZIP code reaches.
    ZipCounties,
    /// Offices with their telephones.
    Contacts,
    /// Registered .gov domains.
    Dotgov,
    /// Government addresses outside .gov.
    GovtUrls,
    /// Government addresses that were retired from that list.
    GovtUrlsRetired,
}

impl Role {
    /// Whether the files hold areas of one layer, or what such areas are put together from.
    pub fn has_areas(self) -> bool {
        matches!(self, Role::Boundaries | Role::Predecessor | Role::Precincts | Role::VotingDistricts)
    }
}

/// Where the areas of a source end along the sea, bays and the Great Lakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shore {
    /// Where the law says: the water that is theirs is part of them.
    WithWater,
    /// At the shore.
    Clipped,
}

/// One file of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Relative to the data directory, with forward slashes.
    pub path: String,
    /// The states that the file covers, in FIPS order.
    pub states: Vec<StateCode>,
    /// SHA-256 of the file, 64 lower-case hex digits.
    pub sha256: String,
}

/// A published data set: one publisher, layer, vintage and scale; one file or one per state.
#[derive(Clone, Debug)]
pub struct Source {
    /// Short name, unique in the manifest.
    pub id: String,
    /// Title of the data set.
    pub name: String,
    /// Who publishes it.
    pub publisher: String,
    /// Where the publisher offers it.
    pub url: String,
    /// Whether the publisher is the government body in charge of the subject.
    pub official: bool,
    /// How freely it may be passed on.
    pub license_class: LicenseClass,
    /// Year that the data describes.
    pub vintage: u16,
    /// Scale of the boundaries; `None` for other roles.
    pub scale: Option<Scale>,
    /// Day of retrieval, `YYYY-MM-DD`.
    pub retrieved_at: String,
    /// What the files hold.
    pub role: Role,
    /// The layer; `None` for roles whose files hold no areas.
    pub layer: Option<Layer>,
    /// Whether the files hold every legal area of the layer in their states.
    pub complete: bool,
    /// Whether only GEOIDs are taken that no other source of the layer has.
    pub supplement: bool,
    /// When not empty, the only GEOIDs that are taken.
    pub only: Vec<Geoid>,
    /// LSAD of the records of a file that carries neither LSAD nor NAMELSAD.
    pub lsad_default: Option<String>,
    /// The rings are put together from this layer's areas (a county is the sum of its subdivisions).
    pub rings_from: Option<Layer>,
    /// Where its areas end along a shore; `None` where it is not told.
    pub shore: Option<Shore>,
    /// The files.
    pub files: Vec<SourceFile>,
}

/// A GEOID that went out of use, and what took its area over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The retired GEOID.
    pub old: Geoid,
    /// Its successors, sorted. Several where the area was divided.
    pub new: Vec<Geoid>,
    /// What happened and when.
    pub note: String,
    /// The document that says so.
    pub source_url: String,
}

/// A retired county that was divided along the border of a known region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided {
    /// The retired GEOID.
    pub old: Geoid,
    /// Name of the region in a file of dividers.
    pub by: String,
    /// What lies in the region.
    pub inside: Geoid,
    /// What does not.
    pub rest: Geoid,
}

/// A checked manifest.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The file that it was read from.
    pub path: PathBuf,
    /// Date of the snapshot, `YYYY-MM-DD`; builds look at no clock.
    pub released: String,
    /// The sources in the order of the file.
    pub sources: Vec<Source>,
    /// Retired GEOIDs, as written by hand.
    pub replaced: Vec<Replaced>,
    /// Retired counties of which the successors are drawn from a region's border.
    pub divided: Vec<Divided>,
    /// The only state whose areas are taken; all where none is named.
    pub only_state: Option<StateCode>,
}

/// Why a manifest was refused.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file could not be read.
    #[error("cannot read the manifest {path}: {source}; give its path with --manifest", path = path.display())]
    Io {
        /// The manifest.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is not TOML of the expected shape.
    #[error("{path}: {source}", path = path.display())]
    Toml {
        /// The manifest.
        path: PathBuf,
        /// Line, key and what was expected.
        source: Box<toml::de::Error>,
    },
    /// A key has a value that makes no sense.
    #[error("{path}:{line}: key `{key}`: expected {expected}, got {got:?}; correct the manifest", path = path.display())]
    Value {
        /// The manifest.
        path: PathBuf,
        /// Line of the value, counted from 1.
        line: usize,
        /// The key.
        key: &'static str,
        /// What would be right.
        expected: String,
        /// What came.
        got: String,
    },
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// When the file cannot be read, is not TOML, has an unknown or missing key, or a value that makes no sense.
    pub fn load(path: &Path) -> Result<Manifest, ManifestError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ManifestError::Io { path: path.to_owned(), source })?;
        Manifest::parse(path, &text)
    }

    /// Checks a manifest's text; `path` is only named in errors.
    ///
    /// # Errors
    /// As [`Manifest::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Manifest, ManifestError> {
        let raw: raw::Manifest = toml::from_str(text)
            .map_err(|source| ManifestError::Toml { path: path.to_owned(), source: Box::new(source) })?;
        raw::Checker { path, text }.manifest(raw)
    }

    /// Leaves out what is not of one state: files of others, and of files of several states their areas. All sources stay,
    /// so that each keeps its row.
    pub fn narrow(&mut self, state: StateCode) {
        self.only_state = Some(state);
        let is_own = |geoid: &Geoid| geoid.state_fips() == state.fips();
        for source in &mut self.sources {
            let was_limited = !source.only.is_empty();
            source.only.retain(is_own);
            let has_none = was_limited && source.only.is_empty();
            source.files.retain(|file| !has_none && file.states.contains(&state));
            source.files.iter_mut().for_each(|file| file.states = vec![state]);
        }
        self.replaced.retain(|row| is_own(&row.old));
        self.divided.retain(|row| is_own(&row.old));
    }

    /// Whether areas of the state of this one are taken.
    pub fn takes(&self, geoid: Geoid) -> bool {
        self.only_state.is_none_or(|state| geoid.state_fips() == state.fips())
    }

    /// Whether the sources together hold every legal area of the layer in the state, so that a point in none of
    /// them lies in none. A state that only has statistical areas of the layer is complete, too.
    pub fn is_complete(&self, layer: Layer, state: StateCode) -> bool {
        self.sources.iter().any(|source| source.complete && source.covers(layer, state))
    }
}

impl Source {
    fn covers(&self, layer: Layer, state: StateCode) -> bool {
        self.role == Role::Boundaries
            && self.layer == Some(layer)
            && self.files.iter().any(|file| file.states.contains(&state))
    }
}

#[cfg(test)]
mod tests;
