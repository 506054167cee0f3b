//! What a layer file was made of.

use rkyv::{Archive, Deserialize, Serialize};

use crate::snapshot::meta::SourceRecord;

/// The section.
#[derive(Clone, Debug, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct About {
    /// Date of the data, as its publisher gives it: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; empty where it gives none.
    pub as_of: String,
    /// Release of the pipeline that wrote it.
    pub pipeline_version: String,
    /// Sources: one for each published file.
    pub sources: Vec<SourceRecord>,
}
