//! What a snapshot was made of: sources, coverage, counts, dates.

use rkyv::{Archive, Deserialize, Serialize};

use crate::vocabulary::{Coverage, Layer, LicenseClass, Scale, StateCode};

use super::SnapshotError;

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
    /// `Coverage as u8`.
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

impl ArchivedMeta {
    /// Ring vertices read from the sources that have polygons here.
    pub fn source_vertices(&self) -> u64 {
        self.source_vertices.to_native()
    }

    /// Vertices stored, each shared border once.
    pub fn stored_vertices(&self) -> u64 {
        self.stored_vertices.to_native()
    }

    pub(super) fn check(&self) -> Result<(), SnapshotError> {
        let there =
            |row: &ArchivedCoverageRow| row.source().is_none_or(|at| usize::from(at) < self.sources.len());
        if self.coverage.iter().all(there) {
            Ok(())
        } else {
            Err(SnapshotError::layout("meta", "the coverage names a source that is not there"))
        }
    }
}

impl ArchivedSourceRecord {
    /// How freely it may be passed on.
    pub fn license_class(&self) -> LicenseClass {
        LicenseClass::from_u8(self.license_class).unwrap_or(LicenseClass::Unknown)
    }

    /// A year.
    pub fn vintage(&self) -> u16 {
        self.vintage.to_native()
    }

    /// Scale of its lines, where it has lines.
    pub fn scale(&self) -> Option<Scale> {
        let denominator = self.scale.to_native();
        (denominator != 0).then_some(Scale { denominator })
    }

    /// Metres by which its lines may have been moved to make them simpler.
    pub fn simplified_m(&self) -> u32 {
        self.simplified_m.to_native()
    }
}

impl ArchivedCoverageRow {
    /// The layer.
    pub fn layer(&self) -> Option<Layer> {
        Layer::from_u8(self.layer)
    }

    /// The state.
    pub fn state(&self) -> Option<StateCode> {
        StateCode::from_fips(self.state)
    }

    /// How far polygons of the layer reach in the state.
    pub fn coverage(&self) -> Coverage {
        Coverage::from_u8(self.coverage)
    }

    /// Row of the source with most of its polygons; `None` without polygons.
    pub fn source(&self) -> Option<u16> {
        Some(self.source.to_native()).filter(|source| *source != u16::MAX)
    }

    /// Jurisdictions with polygons.
    pub fn with_boundary(&self) -> u32 {
        self.with_boundary.to_native()
    }

    /// Jurisdictions with a name only.
    pub fn named_only(&self) -> u32 {
        self.named_only.to_native()
    }
}

impl ArchivedDroppedCount {
    /// Records.
    pub fn count(&self) -> u32 {
        self.count.to_native()
    }
}
