//! One immutable, versioned, checksummed file that holds all data; `snapshots/FORMAT.md` describes it.
//!
//! Each module is one section, with its writer and its reader. A reader maps the file, checks it once and then follows
//! references without copying. These modules must not know of JSON, HTTP or the clock.

mod actions;
mod areas;
mod boundaries;
mod city_changes;
mod communities;
mod contacts;
#[cfg(test)]
mod contents_tests;
mod county_tables;
mod coverage;
mod federal;
#[cfg(test)]
mod format_tests;
mod history;
mod jurisdictions;
mod layer_file;
mod link_checks;
mod map;
mod meta;
mod names;
mod place_counties;
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

use coverage::ArchivedCoverageFigures;
use history::ArchivedHistory;

pub use actions::ArchivedPageActions;
pub use areas::{
    ArchivedAreaRow, ArchivedAreas, AreaNumbers, CodeReader, Covering, FIELD_LAYERS, area_flag, line_kind,
};
pub use boundaries::{ArcRef, ArchivedBoundaries};
pub use city_changes::{ArchivedChangeDays, ArchivedCityChanges, CityChange, DatedChange};
pub use communities::ArchivedCommunities;
pub use contacts::{ArchivedContactRow, ArchivedContacts};
pub use county_tables::ArchivedCountyTables;
pub use coverage::{CoverageFigures, JobFigures, LineFigures, StateFigures};
pub use federal::{ArchivedFederalLands, CityLimits};
pub use history::{History, HistoryChange, HistoryEntry};
pub use jurisdictions::{ArchivedJurisdictionRow, ArchivedJurisdictions};
pub use layer_file::{
    About, ArchivedAbout, ArchivedPolygons, ArchivedStreets, HouseRange, LayerFile, Street, letters_near,
    letters_of,
};
pub use link_checks::{ArchivedLinkChecks, LinkCheck};
pub use map::Buffer;
pub use meta::{ArchivedCoverageRow, ArchivedDroppedCount, ArchivedMeta, ArchivedSourceRecord};
pub use names::{ArchivedNames, RankList, Ranks, Space, Work};
pub use place_counties::ArchivedPlaceCounties;
pub use platbook_container::{
    FORMAT_VERSION, FileKind, LAYER_FORMAT_VERSION, OLDEST_READABLE_VERSION, SnapshotError,
};
#[cfg(any(test, feature = "testing"))]
pub use platbook_container::{reseal, section_ranges};
pub use records::{ArchivedRecords, ArchivedResourceRow, ArchivedWebsiteRow};
pub use shore::ArchivedShore;
pub use state_files::{ArchivedDates, ArchivedPastRules, ArchivedStateFiles};
pub use tribal::{ArchivedNationSites, ArchivedTribalLands};
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
    /// `None` in format-3 files and in files that were made without these tables.
    county_tables: Option<&'static ArchivedCountyTables>,
    /// `None` in files written before this section existed.
    tribal: Option<&'static ArchivedTribalLands>,
    nation_sites: Option<&'static ArchivedNationSites>,
    /// `None` in files written before this section existed.
    city_changes: Option<&'static ArchivedCityChanges>,
    /// `None` in files written before this section existed.
    change_days: Option<&'static ArchivedChangeDays>,
    /// `None` in files written before this section existed.
    communities: Option<&'static ArchivedCommunities>,
    /// `None` in files written before this section existed.
    contacts: Option<&'static ArchivedContacts>,
    /// `None` in files written before this section existed.
    actions: Option<&'static ArchivedPageActions>,
    /// `None` in files written before this section existed.
    dates: Option<&'static ArchivedDates>,
    /// `None` in files written before this section existed.
    past_rules: Option<&'static ArchivedPastRules>,
    federal: Option<&'static ArchivedFederalLands>,
    /// `None` in files written before this section existed.
    place_counties: Option<&'static ArchivedPlaceCounties>,
    /// `None` in files without link checks.
    link_checks: Option<&'static ArchivedLinkChecks>,
    /// `None` in files written before this section existed.
    coverage: Option<&'static ArchivedCoverageFigures>,
    /// `None` in files that were not compared with an earlier snapshot.
    history: Option<&'static ArchivedHistory>,
    /// `None` in files without a shoreline.
    shore: Option<&'static ArchivedShore>,
    codes: CodeReader,
    /// The memory that the references above point into. It is the last field, so it is dropped last.
    bytes: map::Bytes,
}

impl Snapshot {
    /// Opens bytes that the build verified before it put them into a binary. Verifies only the header and the table
    /// again.
    ///
    /// # Errors
    /// [`SnapshotError`] if the header, the table or the layout of a section is invalid.
    pub fn built_in(bytes: &'static [u8]) -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::Embedded(bytes))
    }

    /// Maps and verifies a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a complete, undamaged snapshot of a readable format.
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

    /// Verifies a file that was received into memory, and keeps that memory.
    ///
    /// # Errors
    /// As for [`Snapshot::open`].
    pub fn own(file: Buffer) -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::Owned(file))
    }

    /// Verifies the header and the checksums of a file's bytes, and returns the file's id.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged snapshot of a readable format.
    pub fn check(file: &[u8]) -> Result<String, SnapshotError> {
        container::read(file).map(|(_, id)| id)
    }

    fn from_bytes(bytes: map::Bytes) -> Result<Snapshot, SnapshotError> {
        #[expect(
            unsafe_code,
            reason = "the views live in the same value as the bytes and are dropped before them"
        )]
        // SAFETY: the slice is used only for the fields of the value that also owns `bytes`. The accessors below
        // shorten the lifetime of these fields to a borrow of that value.
        let file = unsafe { bytes.as_static() };
        // `snapshots/build.rs` verified the sections of the embedded snapshot, and a test verifies their contents.
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
            nation_sites: access_if_there(&SNAPSHOT, &sections, "nation_sites")?,
            city_changes: access_if_there(&SNAPSHOT, &sections, "city_changes")?,
            change_days: access_if_there(&SNAPSHOT, &sections, "change_days")?,
            communities: access_if_there(&SNAPSHOT, &sections, "communities")?,
            contacts: access_if_there(&SNAPSHOT, &sections, "contacts")?,
            actions: access_if_there(&SNAPSHOT, &sections, "actions")?,
            dates: access_if_there(&SNAPSHOT, &sections, "dates")?,
            past_rules: access_if_there(&SNAPSHOT, &sections, "past_cases")?,
            federal: access_if_there(&SNAPSHOT, &sections, "federal")?,
            place_counties: access_if_there(&SNAPSHOT, &sections, "place_counties")?,
            link_checks: access_if_there(&SNAPSHOT, &sections, "link_checks")?,
            coverage: access_if_there(&SNAPSHOT, &sections, "coverage")?,
            history: access_if_there(&SNAPSHOT, &sections, "history")?,
            shore: access_if_there(&SNAPSHOT, &sections, "shore")?,
            bytes,
        };
        if !is_verified {
            snapshot.check_contents()?;
        }
        snapshot.codes = CodeReader::new(snapshot.areas);
        Ok(snapshot)
    }

    /// Verifies everything that [`Snapshot::open`] verifies, for an embedded snapshot as well.
    ///
    /// # Errors
    /// As for [`Snapshot::open`].
    pub fn verify(&self) -> Result<(), SnapshotError> {
        Snapshot::check(self.bytes())?;
        self.check_contents()
    }

    /// Checks that all references to rows, sources and texts are valid. It therefore rejects a damaged file even if the
    /// checksums fit the damage.
    fn check_contents(&self) -> Result<(), SnapshotError> {
        let (rows, sources) = (self.jurisdictions.len(), self.meta.sources.len());
        self.meta.check_layout()?;
        self.jurisdictions.check_layout(sources)?;
        self.areas.check_layout(rows)?;
        self.records.check_layout(rows, sources)?;
        self.state_files.check_layout()?;
        self.names.check_layout(rows, self.records.resources().len())?;
        self.names.check_keys()?;
        self.county_tables.map_or(Ok(()), ArchivedCountyTables::check_layout)?;
        self.tribal.map_or(Ok(()), |tribal| tribal.check_layout(sources))?;
        let lands = self.tribal.map_or(0, ArchivedTribalLands::count);
        self.nation_sites.map_or(Ok(()), |sites| sites.check_layout(lands, sources))?;
        self.communities.map_or(Ok(()), |communities| communities.check_layout(rows))?;
        self.contacts.map_or(Ok(()), |contacts| contacts.check_layout(rows, sources))?;
        let resources = self.records.resources().len();
        self.actions.map_or(Ok(()), |actions| actions.check_layout(resources))?;
        self.dates.map_or(Ok(()), ArchivedDates::check_layout)?;
        self.past_rules.map_or(Ok(()), ArchivedPastRules::check_layout)?;
        self.city_changes.map_or(Ok(()), |changes| changes.check_layout(sources))?;
        self.change_days.map_or(Ok(()), |changes| changes.check_layout(sources))?;
        self.place_counties.map_or(Ok(()), |places| places.check_layout(rows, sources))?;
        self.federal.map_or(Ok(()), |lands| lands.check_layout(sources))?;
        let websites = self.records.websites().len();
        self.link_checks.map_or(Ok(()), |checks| checks.check_layout(websites, resources, sources))?;
        self.shore.map_or(Ok(()), |shore| shore.check_layout(rows, sources))
    }

    /// The bytes of the snapshot's file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// A digest of all sections: 32 hexadecimal characters that identify this snapshot.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Name and size in bytes of each section.
    pub fn sizes(&self) -> &[(&'static str, usize)] {
        &self.sizes
    }

    /// Sources, coverage, counts and dates.
    pub fn meta(&self) -> &ArchivedMeta {
        self.meta
    }

    /// Governments with their ids, names and status.
    pub fn jurisdictions(&self) -> &ArchivedJurisdictions {
        self.jurisdictions
    }

    /// Polygons by number, with the codes that the trie uses.
    pub fn areas(&self) -> &ArchivedAreas {
        self.areas
    }

    /// The areas that a code of the trie has in one field. `field` is an index in [`FIELD_LAYERS`].
    #[inline]
    pub fn covering(&self, code: u64, field: usize) -> Covering<'_> {
        self.codes.covering(self.areas, code, field)
    }

    /// The index with which a lookup finds the areas at a point.
    pub fn trie(&self) -> &ArchivedTrie {
        self.trie
    }

    /// The outlines of all areas.
    pub fn boundaries(&self) -> &ArchivedBoundaries {
        self.boundaries
    }

    /// Websites and resources of governments.
    pub fn records(&self) -> &ArchivedRecords {
        self.records
    }

    /// Rules and guides of the states.
    pub fn state_files(&self) -> &ArchivedStateFiles {
        self.state_files
    }

    /// Facts about whole counties; `None` if the snapshot has none.
    pub fn county_tables(&self) -> Option<&ArchivedCountyTables> {
        self.county_tables
    }

    /// The index of names of places and resources.
    pub fn names(&self) -> &ArchivedNames {
        self.names
    }

    /// Land of American Indian nations; `None` if the file has no such section.
    pub fn tribal(&self) -> Option<&ArchivedTribalLands> {
        self.tribal
    }

    /// Main sites of American Indian nations, and the sources of each of their areas; `None` if the file has no such
    /// section.
    pub fn nation_sites(&self) -> Option<&ArchivedNationSites> {
        self.nation_sites
    }

    /// Cities that began or ended after the mapped city limits were drawn; `None` if the file has no such section.
    pub fn city_changes(&self) -> Option<&ArchivedCityChanges> {
        self.city_changes
    }

    /// Cities that began or ended, with the days; `None` in files written before this section existed.
    pub fn change_days(&self) -> Option<&ArchivedChangeDays> {
        self.change_days
    }

    /// Communities without a government; `None` if the file has no such section.
    pub fn communities(&self) -> Option<&ArchivedCommunities> {
        self.communities
    }

    /// Telephone numbers, addresses and hours of offices; `None` if the file has no contacts.
    pub fn contacts(&self) -> Option<&ArchivedContacts> {
        self.contacts
    }

    /// The actions that a person can take on each page; `None` if the file has no such section.
    pub fn actions(&self) -> Option<&ArchivedPageActions> {
        self.actions
    }

    /// Dates and amounts of the property tax; `None` if the file has no such section.
    pub fn dates(&self) -> Option<&ArchivedDates> {
        self.dates
    }

    /// Cases of the rules that held until a day; `None` in files written before this section existed.
    pub fn past_rules(&self) -> Option<&ArchivedPastRules> {
        self.past_rules
    }

    /// Land that may be federal; `None` if the file has no such section.
    pub fn federal(&self) -> Option<&ArchivedFederalLands> {
        self.federal
    }

    /// Places in several counties; `None` if the file has no such section.
    pub fn place_counties(&self) -> Option<&ArchivedPlaceCounties> {
        self.place_counties
    }

    /// The last check of each link; `None` if the file has none.
    pub fn link_checks(&self) -> Option<&ArchivedLinkChecks> {
        self.link_checks
    }

    /// How much of the directory is known; `None` if the file has no such section.
    pub fn coverage(&self) -> Option<CoverageFigures> {
        self.coverage.map(ArchivedCoverageFigures::read)
    }

    /// The changes since earlier snapshots, the newest first; `None` if the file was not compared with an earlier one.
    pub fn history(&self) -> Option<History> {
        self.history.map(ArchivedHistory::read)
    }

    /// The line between land and water; `None` if the file does not separate land from water.
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

/// Reads a required section of a file.
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

/// Reads an optional section of a file; `None` if the file does not have it.
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
