//! Texts that depend on no question: one for each jurisdiction, source and resource, made when first needed, then kept.

use std::sync::OnceLock;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::parts;
use crate::directory::{Directory, Row, SourceRow};

/// The texts, by row and number. About 400 bytes each, so 16 MB once all 41,000 jurisdictions were asked for.
#[derive(Debug)]
pub(super) struct ReadyTexts {
    jurisdictions: Box<[OnceLock<Box<RawValue>>]>,
    sources: Box<[OnceLock<Box<RawValue>>]>,
    resources: Box<[OnceLock<Box<RawValue>>]>,
}

impl ReadyTexts {
    /// No text is made yet.
    pub(super) fn new(directory: &Directory) -> ReadyTexts {
        ReadyTexts {
            jurisdictions: unmade(directory.jurisdiction_count()),
            sources: unmade(directory.source_count()),
            resources: unmade(directory.resource_count()),
        }
    }

    pub(super) fn jurisdiction(&self, directory: &Directory, site: &str, row: Row) -> &RawValue {
        let text = &self.jurisdictions[row.index()];
        text.get_or_init(|| {
            let ocd_id = directory.ocd_id(row);
            text_of(&parts::jurisdiction(directory, site, row, ocd_id.as_deref()))
        })
    }

    pub(super) fn source(&self, directory: &Directory, row: SourceRow) -> &RawValue {
        self.sources[row.index()].get_or_init(|| text_of(&parts::source(directory, row)))
    }

    /// The resource of a number, which the directory knows.
    pub(super) fn resource(&self, directory: &Directory, site: &str, number: usize) -> &RawValue {
        self.resources[number].get_or_init(|| {
            let view = directory.resource(number).expect("numbers come from this directory");
            text_of(&parts::resource(directory, site, &view))
        })
    }
}

fn unmade<T>(count: usize) -> Box<[OnceLock<T>]> {
    std::iter::repeat_with(OnceLock::new).take(count).collect()
}

/// The JSON of a shape.
pub(super) fn text_of(shape: &impl Serialize) -> Box<RawValue> {
    to_raw_value(shape).expect("shapes have string keys and finite numbers")
}
