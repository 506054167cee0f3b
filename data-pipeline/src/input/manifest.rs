//! Reads the manifest: the published files that a snapshot is built from, and the facts about each.
//!
//! `sources.toml` is the manifest of the default snapshot; `platbook-pipeline fetch` writes one for its
//! downloads. Paths are relative to a data directory, so one manifest serves every machine.

use std::path::{Path, PathBuf};

use platbook::vocabulary::{Geoid, Layer, LicenseClass, Scale, StateCode};
use serde::Deserialize;

mod raw;

/// The content of a source's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Legal areas of one layer.
    Boundaries,
    /// Areas of an earlier vintage, read only for changes of GEOIDs. A subdivision keeps its state and last
    /// five digits when the counties around it change.
    Predecessor,
    /// Election precincts with county and name; towns are assembled from them.
    Precincts,
    /// Voting districts of Census 2020. A town is assembled from them if the result fits its land and its point, else
    /// from precincts.
    VotingDistricts,
    /// Codes of the subdivisions and places of a state's election precincts.
    PrecinctCodes,
    /// Areas outside of the layers; [`Manifest::divided`] names those that divided a county.
    Dividers,
    /// Land of American Indian nations, and areas that the Census drew for statistics about them.
    TribalAreas,
    /// Military installations by point and area.
    Installations,
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
    /// Radon zones by county name.
    RadonZones,
    /// Counties of each ZIP code.
    ZipCounties,
    /// The Census Gazetteer of counties, subdivisions and places. Places without a government are communities.
    Gazetteer,
    /// The counties that each place reaches.
    PlaceCounties,
    /// Lists of offices with their telephones.
    Contacts,
    /// Registered domains under .gov.
    Dotgov,
    /// Web addresses of governments outside .gov.
    GovtUrls,
    /// Web addresses that were retired from that list of addresses outside .gov.
    GovtUrlsRetired,
}

impl Role {
    /// Whether the files have areas of one layer, or areas that towns are assembled from.
    pub fn has_areas(self) -> bool {
        matches!(self, Role::Boundaries | Role::Predecessor | Role::Precincts | Role::VotingDistricts)
    }
}

/// The line at which a source's areas end along the sea, bays and the Great Lakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shore {
    /// At the legal limits of the areas, which include their water.
    WithWater,
    /// At the shore, without the water of the areas.
    Clipped,
}

/// One file of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the data directory, with forward slashes.
    pub path: String,
    /// The states that the file covers, in FIPS order.
    pub states: Vec<StateCode>,
    /// SHA-256 of the file, 64 lower-case hex digits.
    pub sha256: String,
    /// Address of the newest version, for lists with a header line; `None` for files that are renewed by hand.
    pub fetch: Option<String>,
}

/// A published data set: one publisher, layer, vintage and scale, in one file or one per state.
#[derive(Clone, Debug)]
pub struct Source {
    /// Short name, unique in the manifest.
    pub id: String,
    /// Title of the data set.
    pub name: String,
    /// Publisher of the data set.
    pub publisher: String,
    /// Web page of the data set.
    pub url: String,
    /// Whether the publisher is the government body in charge of the subject.
    pub official: bool,
    /// The terms for passing the data on.
    pub license_class: LicenseClass,
    /// Year that the data describes.
    pub vintage: u16,
    /// Scale of the boundaries; `None` for other roles.
    pub scale: Option<Scale>,
    /// Day of retrieval, `YYYY-MM-DD`.
    pub retrieved_at: String,
    /// Content of the files.
    pub role: Role,
    /// Layer of the areas; `None` for roles without areas.
    pub layer: Option<Layer>,
    /// Whether the files hold every legal area of the layer in their states.
    pub complete: bool,
    /// Whether only those GEOIDs are used that no other source of the layer has.
    pub supplement: bool,
    /// The only GEOIDs that are used; empty for all.
    pub only: Vec<Geoid>,
    /// LSAD of all records, for files without LSAD and NAMELSAD; `None` for other files.
    pub lsad_default: Option<String>,
    /// The layer whose areas give the rings (a county as the sum of its subdivisions); `None` if the records have
    /// rings of their own.
    pub rings_from: Option<Layer>,
    /// The line at which the source's areas end along a shore; `None` if the manifest does not say.
    pub shore: Option<Shore>,
    /// Files of the data set.
    pub files: Vec<SourceFile>,
}

/// A GEOID that is out of use, with its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The GEOID that is out of use.
    pub old: Geoid,
    /// GEOIDs of the successors, sorted; several if the area was divided.
    pub new: Vec<Geoid>,
    /// The event and its date, in one sentence.
    pub note: String,
    /// Address of the document that reports the change.
    pub source_url: String,
}

impl Replaced {
    /// The old and the new id, if one subdivision or place has taken over the whole area of another.
    pub fn merged(&self) -> Option<(Geoid, Geoid)> {
        let [new] = self.new[..] else { return None };
        let is_local = matches!(new.layer(), Layer::Cousub | Layer::Place);
        (is_local && self.old.layer() == new.layer()).then_some((self.old, new))
    }
}

/// A retired county that was divided along the border of a known region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided {
    /// The GEOID that is out of use.
    pub old: Geoid,
    /// Name of the region in a file of dividers.
    pub by: String,
    /// GEOID of the part inside the region.
    pub inside: Geoid,
    /// GEOID of the part outside the region.
    pub rest: Geoid,
}

/// A manifest whose keys and values were checked.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Path of the manifest file.
    pub path: PathBuf,
    /// Date of the snapshot, `YYYY-MM-DD`; builds use no clock.
    pub released: String,
    /// The sources in the order of the file.
    pub sources: Vec<Source>,
    /// Retired GEOIDs, as written by hand.
    pub replaced: Vec<Replaced>,
    /// Retired counties whose successors are drawn from a region's border.
    pub divided: Vec<Divided>,
    /// The only state whose areas are used; `None` for all states.
    pub only_state: Option<StateCode>,
}

/// The reason why a manifest was rejected.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file could not be read.
    #[error("cannot read the manifest {path}: {source}; give its path with --manifest", path = path.display())]
    Io {
        /// Path of the manifest.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The file is not TOML of the expected shape.
    #[error("{path}: {source}", path = path.display())]
    Toml {
        /// Path of the manifest.
        path: PathBuf,
        /// The line, the key and the expected value.
        source: Box<toml::de::Error>,
    },
    /// The value of a key is not valid.
    #[error("{path}:{line}: key `{key}`: expected {expected}, got {got:?}; correct the manifest", path = path.display())]
    Value {
        /// Path of the manifest.
        path: PathBuf,
        /// Line of the value, from 1.
        line: usize,
        /// Name of the key.
        key: &'static str,
        /// The kind of value that is valid.
        expected: String,
        /// The value as written, at most 120 characters.
        got: String,
    },
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// When the file cannot be read, is not TOML, has an unknown or missing key, or a value that is not
    /// valid.
    pub fn load(path: &Path) -> Result<Manifest, ManifestError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ManifestError::Io { path: path.to_owned(), source })?;
        Manifest::parse(path, &text)
    }

    /// Checks a manifest's text; `path` only names it in errors.
    ///
    /// # Errors
    /// As [`Manifest::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Manifest, ManifestError> {
        let raw: raw::Manifest = toml::from_str(text)
            .map_err(|source| ManifestError::Toml { path: path.to_owned(), source: Box::new(source) })?;
        raw::Checker { path, text }.manifest(raw)
    }

    /// Narrows the manifest to one state: drops files of other states, and limits files of several states to
    /// its areas. All sources stay, so that each keeps its row.
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

    /// Replaces a list by its newer version at the path `at`. All sources that have the list get `day` as their day of
    /// retrieval.
    pub fn renew(&mut self, path: &str, at: &str, sha256: &str, day: &str) {
        for source in &mut self.sources {
            for file in source.files.iter_mut().filter(|file| file.path == path) {
                at.clone_into(&mut file.path);
                sha256.clone_into(&mut file.sha256);
                day.clone_into(&mut source.retrieved_at);
            }
        }
    }

    /// Whether areas in the state of this GEOID are used.
    pub fn takes(&self, geoid: Geoid) -> bool {
        self.only_state.is_none_or(|state| geoid.state_fips() == state.fips())
    }

    /// Whether the sources together have every legal area of the layer in the state. A point outside of all their
    /// areas then lies in no such area. A state that has only statistical areas of the layer also counts as complete.
    pub fn is_complete(&self, layer: Layer, state: StateCode) -> bool {
        self.sources.iter().any(|source| source.complete && source.covers(layer, state))
    }
}

impl Source {
    fn covers(&self, layer: Layer, state: StateCode) -> bool {
        matches!(self.role, Role::Boundaries | Role::VotingDistricts)
            && self.layer == Some(layer)
            && self.files.iter().any(|file| file.states.contains(&state))
    }
}

#[cfg(test)]
mod tests;
