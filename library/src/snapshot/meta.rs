//! The provenance of a snapshot: its sources, coverage, counts and dates.

use rkyv::{Archive, Deserialize, Serialize};

use crate::vocabulary::{Coverage, Layer, LicenseClass, PublisherKind, Scale, StateCode};

use super::SnapshotError;

/// A source of records.
#[derive(Clone, Debug, PartialEq, Archive, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Name of the data set.
    pub name: String,
    /// URL of the published data.
    pub url: String,
    /// Name of the publisher.
    pub publisher: String,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Date of the download, `YYYY-MM-DD`.
    pub retrieved_at: String,
    /// License and kind of publisher: see [`SourceRecord::classes`].
    pub license_class: u8,
    /// Year that the data describes.
    pub vintage: u16,
    /// Scale denominator of the source's lines; 0 for a source without lines.
    pub scale: u32,
    /// Digest of the source file: the algorithm, a colon and hexadecimal digits.
    pub digest: String,
    /// Meters by which simplification may have moved the source's lines; 0 if they were not simplified.
    pub simplified_m: u32,
}

/// The coverage of one layer in one state, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Archive, Serialize, Deserialize)]
pub struct CoverageRow {
    /// The number of the layer, `Layer as u8`.
    pub layer: u8,
    /// FIPS code of the state.
    pub state: u8,
    /// The number of the coverage, `Coverage as u8`.
    pub coverage: u8,
    /// Row of the source with most of the polygons; `u16::MAX` without polygons.
    pub source: u16,
    /// Number of jurisdictions with polygons.
    pub with_boundary: u32,
    /// Number of jurisdictions that have a name, but no polygons.
    pub named_only: u32,
}

/// A reason for which records were dropped, and the number of these records.
#[derive(Clone, Debug, PartialEq, Archive, Serialize, Deserialize)]
pub struct DroppedCount {
    /// The reason in plain words.
    pub reason: String,
    /// Number of records dropped.
    pub count: u32,
}

/// The `meta` section as stored.
#[derive(Clone, Debug, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Meta {
    /// The date of the snapshot from the manifest, RFC 3339.
    pub as_of: String,
    /// Release of the pipeline that wrote the snapshot.
    pub pipeline_version: String,
    /// All sources; other sections refer to a source by its index here.
    pub sources: Vec<SourceRecord>,
    /// One row for each layer and state.
    pub coverage: Vec<CoverageRow>,
    /// Numbers of dropped records, by reason.
    pub dropped: Vec<DroppedCount>,
    /// Number of ring vertices that the pipeline read from the sources of polygons in this snapshot.
    pub source_vertices: u64,
    /// Number of vertices in the snapshot, which stores each shared border once.
    pub stored_vertices: u64,
}

impl ArchivedMeta {
    /// Number of ring vertices that the pipeline read from the sources of polygons in this snapshot.
    pub fn source_vertices(&self) -> u64 {
        self.source_vertices.to_native()
    }

    /// Number of vertices in the snapshot, which stores each shared border once.
    pub fn stored_vertices(&self) -> u64 {
        self.stored_vertices.to_native()
    }

    pub(super) fn check_layout(&self) -> Result<(), SnapshotError> {
        let there =
            |row: &ArchivedCoverageRow| row.source().is_none_or(|at| usize::from(at) < self.sources.len());
        if self.coverage.iter().all(there) {
            Ok(())
        } else {
            Err(SnapshotError::layout("meta", "the coverage names a source that does not exist"))
        }
    }
}

impl SourceRecord {
    /// The byte for a license and a kind of publisher. The license is in the lower half. The upper half is the kind, or
    /// 0 if it is unknown; in earlier snapshots it is always 0.
    pub fn classes(license: LicenseClass, kind: Option<PublisherKind>) -> u8 {
        license as u8 | kind.map_or(0, |kind| kind as u8) << KIND_BITS
    }
}

/// Number of bits for a license; the bits above are the kind of publisher.
const KIND_BITS: u32 = 4;

impl ArchivedSourceRecord {
    /// The permission to redistribute the data; `Unknown` for a number that no release has written.
    pub fn license_class(&self) -> LicenseClass {
        LicenseClass::from_u8(self.license_class & ((1 << KIND_BITS) - 1)).unwrap_or(LicenseClass::Unknown)
    }

    /// The kind of the publisher; `None` if it is not known.
    pub fn publisher_kind(&self) -> Option<PublisherKind> {
        PublisherKind::from_u8(self.license_class >> KIND_BITS)
    }

    /// Year that the data describes.
    pub fn vintage(&self) -> u16 {
        self.vintage.to_native()
    }

    /// Scale of the source's lines; `None` for a source without lines.
    pub fn scale(&self) -> Option<Scale> {
        let denominator = self.scale.to_native();
        (denominator != 0).then_some(Scale { denominator })
    }

    /// Meters by which simplification may have moved the source's lines; 0 if they were not simplified.
    pub fn simplified_m(&self) -> u32 {
        self.simplified_m.to_native()
    }
}

impl ArchivedCoverageRow {
    /// The layer; `None` for a number that no release has written.
    pub fn layer(&self) -> Option<Layer> {
        Layer::from_u8(self.layer)
    }

    /// The state; `None` for an unknown FIPS code.
    pub fn state(&self) -> Option<StateCode> {
        StateCode::from_fips(self.state)
    }

    /// The share of the state's legal areas that have polygons.
    pub fn coverage(&self) -> Coverage {
        Coverage::from_u8(self.coverage)
    }

    /// Row of the source with most of the polygons; `None` without polygons.
    pub fn source(&self) -> Option<u16> {
        Some(self.source.to_native()).filter(|source| *source != u16::MAX)
    }

    /// Number of jurisdictions with polygons.
    pub fn with_boundary(&self) -> u32 {
        self.with_boundary.to_native()
    }

    /// Number of jurisdictions that have a name, but no polygons.
    pub fn named_only(&self) -> u32 {
        self.named_only.to_native()
    }
}

impl ArchivedDroppedCount {
    /// Number of records dropped.
    pub fn count(&self) -> u32 {
        self.count.to_native()
    }
}
