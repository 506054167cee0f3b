//! One immutable, versioned, checksummed file that holds all data; `snapshots/FORMAT.md` describes it.
//!
//! Each module is one section, with its writer and its reader. Knows nothing of JSON, HTTP or the clock.

mod areas;
mod boundaries;
mod city_changes;
mod communities;
#[cfg(test)]
mod contents_tests;
mod county_tables;
#[cfg(test)]
mod format_tests;
mod jurisdictions;
mod layer_file;
mod map;
mod meta;
mod names;
mod records;
mod shore;
mod state_files;
mod steps;
mod text_heap;
mod tribal;
mod trie;
pub mod write;
mod write_error;

use std::path::Path;

use rkyv::{Portable, api::high::HighValidator, bytecheck::CheckBytes, rancor};

use platbook_container::{self as container, SNAPSHOT, Section};

pub use areas::{
    ArchivedAreaRow, ArchivedAreas, AreaNumbers, CodeReader, Covering, FIELD_LAYERS, area_flag, line_kind,
};
pub use boundaries::{ArcRef, ArchivedBoundaries};
pub use city_changes::{ArchivedCityChanges, CityChange};
pub use communities::ArchivedCommunities;
pub use county_tables::ArchivedCountyTables;
pub use jurisdictions::{ArchivedJurisdictionRow, ArchivedJurisdictions};
pub use layer_file::{
    About, ArchivedAbout, ArchivedPolygons, ArchivedStreets, HouseRange, LayerFile, Street, letters_near,
    letters_of,
};
pub use meta::{ArchivedCoverageRow, ArchivedDroppedCount, ArchivedMeta, ArchivedSourceRecord};
pub use names::{ArchivedNames, RankList, Ranks, Space, Work};
pub use platbook_container::{
    FORMAT_VERSION, FileKind, LAYER_FORMAT_VERSION, OLDEST_READABLE_VERSION, SnapshotError,
};
#[cfg(any(test, feature = "testing"))]
pub use platbook_container::{reseal, section_ranges};
pub use records::{ArchivedRecords, ArchivedResourceRow, ArchivedWebsiteRow};
pub use shore::ArchivedShore;
pub use state_files::ArchivedStateFiles;
pub use tribal::ArchivedTribalLands;
pub use trie::{ArchivedTrie, CellKinds, Labels, NearEdge};

/// An opened and verified snapshot.
pub struct Snapshot {
    id: String,
    sizes: Vec<(&'static str, usize)>,
    meta: &'static ArchivedMeta,
    jurisdictions: &'static ArchivedJurisdictions,
    areas: &'static ArchivedAreas,
    trie: &'static ArchivedTrie,
    boundaries: &'static ArchivedBoundaries,
    records: &'static ArchivedRecords,
    state_files: &'static ArchivedStateFiles,
    names: &'static ArchivedNames,
    /// Not in every snapshot: format 3 had none at first.
    county_tables: Option<&'static ArchivedCountyTables>,
    /// `None` in a file that was written before there was such a section.
    tribal: Option<&'static ArchivedTribalLands>,
    /// So it is here.
    city_changes: Option<&'static ArchivedCityChanges>,
    /// And here.
    communities: Option<&'static ArchivedCommunities>,
    /// And here.
    shore: Option<&'static ArchivedShore>,
    codes: CodeReader,
    /// What the references above point into; declared last, so dropped last.
    bytes: map::Bytes,
}

impl Snapshot {
    /// Opens bytes that were verified when they were built into a binary: header and table alone are verified again.
    ///
    /// # Errors
    /// When header, table or the layout of a section do not fit.
    pub fn built_in(bytes: &'static [u8]) -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::Embedded(bytes))
    }

    /// Maps and verifies a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a whole, undamaged snapshot of a format that this code reads.
    pub fn open(path: &Path) -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::map(&SNAPSHOT, path)?)
    }

    /// Verifies a copy of a file's bytes.
    ///
    /// # Errors
    /// As for [`Snapshot::open`].
    pub fn copy(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::copy(bytes))
    }

    /// Verifies header and checksums of a file's bytes, and gives its id.
    ///
    /// # Errors
    /// When the bytes are not a whole, undamaged snapshot of a format that this code reads.
    pub fn check(file: &[u8]) -> Result<String, SnapshotError> {
        container::read(file).map(|(_, id)| id)
    }

    fn from_bytes(bytes: map::Bytes) -> Result<Snapshot, SnapshotError> {
        #[expect(
            unsafe_code,
            reason = "the views live in the same value as the bytes and are dropped before them"
        )]
        // SAFETY: the slice is used only for the fields of the value that also owns `bytes`, and the accessors
        // below shorten its lifetime to a borrow of that value.
        let file = unsafe { bytes.as_static() };
        // `snapshots/build.rs` has verified the sections of the one that is built in, and a test what they hold.
        let is_verified = bytes.is_embedded();
        let read = if is_verified { container::read_table } else { container::read };
        let (sections, id) = read(file)?;
        let mut snapshot = Snapshot {
            id,
            codes: CodeReader::default(),
            sizes: sections.iter().map(|section| (section.name, section.bytes.len())).collect(),
            meta: access(&sections, "meta")?,
            jurisdictions: access(&sections, "jurisdictions")?,
            areas: access(&sections, "areas")?,
            trie: access(&sections, "trie")?,
            boundaries: access(&sections, "boundaries")?,
            records: access(&sections, "records")?,
            state_files: access(&sections, "book")?,
            names: access(&sections, "names")?,
            county_tables: access_if_there(&SNAPSHOT, &sections, "county_tables")?,
            tribal: access_if_there(&SNAPSHOT, &sections, "tribal")?,
            city_changes: access_if_there(&SNAPSHOT, &sections, "city_changes")?,
            communities: access_if_there(&SNAPSHOT, &sections, "communities")?,
            shore: access_if_there(&SNAPSHOT, &sections, "shore")?,
            bytes,
        };
        if !is_verified {
            snapshot.check_contents()?;
        }
        snapshot.codes = CodeReader::of(snapshot.areas);
        Ok(snapshot)
    }

    /// Verifies all that [`Snapshot::open`] verifies, also of the one that is built in.
    ///
    /// # Errors
    /// As for [`Snapshot::open`].
    pub fn verify(&self) -> Result<(), SnapshotError> {
        Snapshot::check(self.bytes())?;
        self.check_contents()
    }

    /// Checks that numbers of rows, sources and texts lead somewhere. What passes gives answers; a file that was damaged and
    /// then sealed again does not pass.
    fn check_contents(&self) -> Result<(), SnapshotError> {
        let (rows, sources) = (self.jurisdictions.len(), self.meta.sources.len());
        self.meta.check()?;
        self.jurisdictions.check(sources)?;
        self.areas.check(rows)?;
        self.records.check(rows, sources)?;
        self.state_files.check()?;
        self.names.check(rows, self.records.resources().len())?;
        self.names.check_keys()?;
        self.county_tables.map_or(Ok(()), ArchivedCountyTables::check)?;
        self.tribal.map_or(Ok(()), |tribal| tribal.check(sources))?;
        self.communities.map_or(Ok(()), |communities| communities.check(rows))?;
        self.city_changes.map_or(Ok(()), |changes| changes.check(sources))?;
        self.shore.map_or(Ok(()), |shore| shore.check(rows, sources))
    }

    /// The bytes of its file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// A digest of all sections: 32 hexadecimal characters that name this snapshot.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Name and bytes of each section.
    pub fn sizes(&self) -> &[(&'static str, usize)] {
        &self.sizes
    }

    /// What it was made of.
    pub fn meta(&self) -> &ArchivedMeta {
        self.meta
    }

    /// Rows and names.
    pub fn jurisdictions(&self) -> &ArchivedJurisdictions {
        self.jurisdictions
    }

    /// Polygons by number, and their codes.
    pub fn areas(&self) -> &ArchivedAreas {
        self.areas
    }

    /// The areas that a code of the trie has in a field (by position in [`FIELD_LAYERS`]).
    #[inline]
    pub fn covering(&self, code: u64, field: usize) -> Covering<'_> {
        self.codes.covering(self.areas, code, field)
    }

    /// Point location.
    pub fn trie(&self) -> &ArchivedTrie {
        self.trie
    }

    /// The polygons.
    pub fn boundaries(&self) -> &ArchivedBoundaries {
        self.boundaries
    }

    /// Websites and resources of governments.
    pub fn records(&self) -> &ArchivedRecords {
        self.records
    }

    /// Rules and guides.
    pub fn state_files(&self) -> &ArchivedStateFiles {
        self.state_files
    }

    /// What is known of whole counties, where the snapshot has it.
    pub fn county_tables(&self) -> Option<&ArchivedCountyTables> {
        self.county_tables
    }

    /// Names of places and resources.
    pub fn names(&self) -> &ArchivedNames {
        self.names
    }

    /// Land of American Indian nations; `None` where the file knows of none.
    pub fn tribal(&self) -> Option<&ArchivedTribalLands> {
        self.tribal
    }

    /// Cities that began or ended after their lines were drawn; `None` where the file knows of none.
    pub fn city_changes(&self) -> Option<&ArchivedCityChanges> {
        self.city_changes
    }

    /// Communities without a government; `None` where the file knows of none.
    pub fn communities(&self) -> Option<&ArchivedCommunities> {
        self.communities
    }

    /// Where the mapped land ends; `None` where the file does not tell land from water.
    pub fn shore(&self) -> Option<&ArchivedShore> {
        self.shore
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("id", &self.id).field("sizes", &self.sizes).finish_non_exhaustive()
    }
}

fn access<T>(sections: &[Section<'static>], name: &str) -> Result<&'static T, SnapshotError>
where
    T: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>,
{
    access_in(&SNAPSHOT, sections, name)
}

/// A section of a file of this kind.
fn access_in<T>(
    kind: &'static FileKind,
    sections: &[Section<'static>],
    name: &str,
) -> Result<&'static T, SnapshotError>
where
    T: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>,
{
    let section = access_if_there(kind, sections, name)?;
    section.ok_or_else(|| SnapshotError::layout_of(kind, name, "the section is missing"))
}

/// A section that files of this kind may lack.
fn access_if_there<T>(
    kind: &'static FileKind,
    sections: &[Section<'static>],
    name: &str,
) -> Result<Option<&'static T>, SnapshotError>
where
    T: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>,
{
    let Some(section) = sections.iter().find(|section| section.name == name) else { return Ok(None) };
    let read = rkyv::access::<T, rancor::Error>(section.bytes);
    read.map(Some).map_err(|error| SnapshotError::layout_of(kind, name, error))
}
