//! One immutable, versioned, checksummed file that holds all data; `snapshots/FORMAT.md` describes it.
//!
//! Each module is one section, with its writer and its reader. Knows nothing of JSON, HTTP or the clock.

mod areas;
mod book;
mod boundaries;
mod container;
mod error;
mod jurisdictions;
mod map;
mod meta;
mod names;
mod records;
mod steps;
mod trie;

use std::path::Path;

use rkyv::{Portable, api::high::HighValidator, bytecheck::CheckBytes, rancor};

pub use areas::{
    ArchivedAreaRow, ArchivedAreas, AreaRow, Areas, CodeReader, Covering, FIELD_LAYERS, Field, area_flag,
    line_kind, line_kinds,
};
pub use book::{ArchivedBook, Book};
pub use boundaries::{ArcRef, ArchivedBoundaries, Boundaries};
pub use container::{FORMAT_VERSION, OLDEST_READABLE_VERSION, Section, write as write_container};
pub use error::SnapshotError;
pub use jurisdictions::{ArchivedJurisdictionRow, ArchivedJurisdictions, Jurisdictions, NewJurisdiction};
pub use meta::{
    ArchivedCoverageRow, ArchivedMeta, ArchivedSourceRecord, CoverageRow, DroppedCount, Meta, SourceRecord,
};
pub use names::{ArchivedNames, Names, RankList, Ranks, Space, Work};
pub use records::{
    ArchivedRecords, ArchivedResourceRow, ArchivedWebsiteRow, NewResource, NewWebsite, NewWithheld, Records,
};
pub use trie::{ArchivedTrie, LabelSet, Line, NearEdge, Trie, TrieBuilder};

/// All sections of a snapshot on its way to a file.
#[derive(Debug)]
pub struct Contents {
    /// What it was made of.
    pub meta: Meta,
    /// Rows and names.
    pub jurisdictions: Jurisdictions,
    /// Polygons by number, and their codes.
    pub areas: Areas,
    /// Point location.
    pub trie: Trie,
    /// The polygons.
    pub boundaries: Boundaries,
    /// Pages of governments.
    pub records: Records,
    /// Rules and guides.
    pub book: Book,
    /// Names of places and resources.
    pub names: Names,
}

impl Contents {
    /// The bytes of the file: same contents, same bytes.
    ///
    /// # Errors
    /// When a section is larger than 2 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let text = |error: rancor::Error| format!("a section cannot be written: {error}");
        let meta = rkyv::to_bytes(&self.meta).map_err(text)?;
        let jurisdictions = rkyv::to_bytes(&self.jurisdictions).map_err(text)?;
        let areas = rkyv::to_bytes(&self.areas).map_err(text)?;
        let trie = rkyv::to_bytes(&self.trie).map_err(text)?;
        let boundaries = rkyv::to_bytes(&self.boundaries).map_err(text)?;
        let records = rkyv::to_bytes(&self.records).map_err(text)?;
        let book = rkyv::to_bytes(&self.book).map_err(text)?;
        let names = rkyv::to_bytes(&self.names).map_err(text)?;
        Ok(container::write(&[
            Section { name: "meta", bytes: &meta },
            Section { name: "jurisdictions", bytes: &jurisdictions },
            Section { name: "areas", bytes: &areas },
            Section { name: "trie", bytes: &trie },
            Section { name: "boundaries", bytes: &boundaries },
            Section { name: "records", bytes: &records },
            Section { name: "book", bytes: &book },
            Section { name: "names", bytes: &names },
        ]))
    }
}

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
    book: &'static ArchivedBook,
    names: &'static ArchivedNames,
    codes: CodeReader,
    /// What the references above point into; declared last, so dropped last.
    bytes: map::Bytes,
}

impl Snapshot {
    /// Opens the snapshot that is built into this binary.
    ///
    /// # Errors
    /// When the binary was built without one, or it is damaged.
    pub fn embedded() -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::Embedded(embedded::SNAPSHOT.ok_or(SnapshotError::NotEmbedded)?))
    }

    /// Maps and verifies a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is no whole, undamaged snapshot of a format that this code reads.
    pub fn open(path: &Path) -> Result<Snapshot, SnapshotError> {
        Snapshot::from_bytes(map::Bytes::map(path)?)
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
    /// When the bytes are no whole, undamaged snapshot of a format that this code reads.
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
        let (sections, id) = container::read(file)?;
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
            book: access(&sections, "book")?,
            names: access(&sections, "names")?,
            bytes,
        };
        snapshot.jurisdictions.check(snapshot.meta.sources.len())?;
        snapshot.areas.check(snapshot.jurisdictions.len())?;
        snapshot.records.check(snapshot.jurisdictions.len(), snapshot.meta.sources.len())?;
        snapshot.book.check()?;
        snapshot.names.check(snapshot.jurisdictions.len(), snapshot.records.resources().len())?;
        snapshot.codes = CodeReader::of(snapshot.areas);
        Ok(snapshot)
    }

    /// A digest of all sections: 32 hexadecimal characters that name this snapshot.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Name and bytes of each section.
    pub fn sizes(&self) -> &[(&'static str, usize)] {
        &self.sizes
    }

    /// Whether the bytes are the ones built into the binary.
    pub fn is_embedded(&self) -> bool {
        matches!(self.bytes, map::Bytes::Embedded(_))
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

    /// Pages of governments.
    pub fn records(&self) -> &ArchivedRecords {
        self.records
    }

    /// Rules and guides.
    pub fn book(&self) -> &ArchivedBook {
        self.book
    }

    /// Names of places and resources.
    pub fn names(&self) -> &ArchivedNames {
        self.names
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
    let section = sections.iter().find(|section| section.name == name);
    let section = section.ok_or_else(|| SnapshotError::layout(name, "the section is missing"))?;
    rkyv::access::<T, rancor::Error>(section.bytes).map_err(|error| SnapshotError::layout(name, error))
}

/// The snapshot that `build.rs` chose.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}
