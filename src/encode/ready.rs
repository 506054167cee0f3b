//! Texts that depend on no question: one for each jurisdiction, source and resource, made when first needed, then kept.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::parts;
use platbook::{
    directory::{Directory, Row, SourceRow},
    sparse::Sparse,
};

/// Which of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadyText {
    Jurisdiction(Row),
    Source(SourceRow),
    /// By its number.
    Resource(usize),
}

/// The texts, by row and number. About 400 bytes each, so 16 MB once all 41,000 jurisdictions were asked for.
#[derive(Debug)]
pub(super) struct ReadyTexts {
    jurisdictions: Sparse<Place>,
    sources: Sparse<Place>,
    resources: Sparse<Place>,
}

type Place = OnceLock<Arc<RawValue>>;

impl ReadyTexts {
    /// No text is made yet.
    pub(super) fn new(directory: &Directory) -> ReadyTexts {
        ReadyTexts {
            jurisdictions: Sparse::new(directory.jurisdiction_count()),
            sources: Sparse::new(directory.source_count()),
            resources: Sparse::new(directory.resource_count()),
        }
    }

    /// A text, which is made if it was not yet. The number of a resource is one that the directory knows.
    pub(super) fn text(&self, directory: &Directory, site: &str, of: ReadyText) -> &Arc<RawValue> {
        let made = || match of {
            ReadyText::Jurisdiction(row) => {
                let ocd_id = directory.ocd_id(row);
                text_of(&parts::jurisdiction(directory, site, row, ocd_id.as_deref()))
            }
            ReadyText::Source(row) => text_of(&parts::source(directory, row)),
            ReadyText::Resource(number) => {
                let view = directory.resource(number).expect("numbers come from this directory");
                text_of(&parts::resource(directory, site, &view))
            }
        };
        self.place(of).get_or_init(|| made().into())
    }

    /// A text, if it was made before.
    pub(super) fn made(&self, of: ReadyText) -> Option<&Arc<RawValue>> {
        self.place(of).get()
    }

    fn place(&self, of: ReadyText) -> &Place {
        match of {
            ReadyText::Jurisdiction(row) => self.jurisdictions.at(row.index()),
            ReadyText::Source(row) => self.sources.at(row.index()),
            ReadyText::Resource(number) => self.resources.at(number),
        }
    }
}

/// The JSON of a shape.
pub(super) fn text_of(shape: &impl Serialize) -> Box<RawValue> {
    to_raw_value(shape).expect("shapes have string keys and finite numbers")
}
