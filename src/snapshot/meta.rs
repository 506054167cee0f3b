//! What a snapshot was made of: sources, coverage, counts, dates.

use rkyv::{Archive, Deserialize, Serialize};

/// A source of records.
#[derive(Clone, Debug, PartialEq, Archive, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Name.
    pub name: String,
    /// Address of the published data.
    pub url: String,
    /// Publisher.
    pub publisher: String,
    /// Whether the publisher is a government.
    pub official: bool,
    /// `YYYY-MM-DD`.
    pub retrieved_at: String,
    /// `LicenseClass as u8`.
    pub license_class: u8,
    /// A year.
    pub vintage: u16,
    /// Scale denominator of its lines; 0 where it has none.
    pub scale: u32,
    /// Digest of the file read, hexadecimal, with the algorithm before a colon.
    pub digest: String,
    /// Metres by which lines may have been moved to make them simpler; 0 where they were not.
    pub simplified_m: u32,
}

/// How a layer is covered in a state.
#[derive(Clone, Copy, Debug, PartialEq, Archive, Serialize, Deserialize)]
pub struct CoverageRow {
    /// `Layer as u8`.
    pub layer: u8,
    /// FIPS code.
    pub state: u8,
    /// 0 missing, 1 partial, 2 complete, 3 no legal areas of this layer in the state.
    pub coverage: u8,
    /// Row of the source with most of its polygons; `u16::MAX` without polygons.
    pub source: u16,
    /// Jurisdictions with polygons.
    pub with_boundary: u32,
    /// Jurisdictions with a name only.
    pub named_only: u32,
}

/// Reason and number of records dropped.
#[derive(Clone, Debug, PartialEq, Archive, Serialize, Deserialize)]
pub struct DroppedCount {
    /// Plain words.
    pub reason: String,
    /// Records.
    pub count: u32,
}

/// The section.
#[derive(Clone, Debug, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Meta {
    /// The date that the manifest gives the snapshot, RFC 3339.
    pub as_of: String,
    /// Release of the pipeline that wrote it.
    pub pipeline_version: String,
    /// Sources, named by row.
    pub sources: Vec<SourceRecord>,
    /// A row per layer and state.
    pub coverage: Vec<CoverageRow>,
    /// Records dropped.
    pub dropped: Vec<DroppedCount>,
    /// Ring vertices read from the sources that have polygons here.
    pub source_vertices: u64,
    /// Vertices stored, each shared border once.
    pub stored_vertices: u64,
}
