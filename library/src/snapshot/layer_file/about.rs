//! The description of the data that a layer file was made from.

use rkyv::{Archive, Deserialize, Serialize};

use crate::snapshot::meta::SourceRecord;

/// The `about` section as stored.
#[derive(Clone, Debug, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct About {
    /// Date of the data as its publisher states it: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Empty if unknown.
    pub as_of: String,
    /// Release of the pipeline that wrote the file.
    pub pipeline_version: String,
    /// Sources, one for each published file.
    pub sources: Vec<SourceRecord>,
}
