//! Layer files with addresses and maps. They answer lookups before an online service is tried.
//!
//! A lookup is pure: the same files and the same query give the same answer. It returns only what the files say for
//! certain, and leaves the rest to online services. [`Ground`] is the data for the maps on pages.

mod address;
mod facts;
mod ground;
mod hint;

pub use ground::{Ground, GroundShape};

use std::sync::Arc;

use crate::{
    answers::{AddressAnswer, Answers, Finder, Spot},
    directory::Directory,
    facts::{FactKeys, Facts},
    snapshot::{ArchivedSourceRecord, LayerFile},
    vocabulary::{OUTSIDE_CHARS_MAX, OutsideSource, clean_text},
};

/// Opened layer files, in the order in which lookups search them.
#[derive(Debug)]
pub struct MapFiles {
    files: Vec<LayerFile>,
}

impl MapFiles {
    /// Takes opened files. Lookups search them in this order.
    pub fn new(files: Vec<LayerFile>) -> MapFiles {
        MapFiles { files }
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn beside<'a>(&'a self, answers: &'a Answers) -> Beside<'a> {
        Beside { files: &self.files, directory: answers.directory() }
    }
}

/// The layer files and the directory of the snapshot, which has the names of counties and cities.
#[derive(Clone, Copy)]
struct Beside<'a> {
    files: &'a [LayerFile],
    directory: &'a Directory,
}

impl Finder for MapFiles {
    fn address(&self, answers: &Answers, text: &str) -> Option<AddressAnswer> {
        address::find(self.beside(answers), text)
    }

    fn has_addresses(&self) -> bool {
        self.files.iter().any(|file| file.streets().is_some())
    }

    fn hint(&self, answers: &Answers, text: &str) -> Option<String> {
        hint::hint_for(self.beside(answers), text)
    }

    fn facts(&self, answers: &Answers, spot: &Spot, keys: FactKeys) -> Facts {
        facts::facts_at(self.beside(answers), spot, keys)
    }
}

/// Removes unsafe characters from a text of a file before an answer contains it. Anyone may have made the file.
fn cleaned(text: &str) -> String {
    clean_text(text, OUTSIDE_CHARS_MAX)
}

/// Converts a source of a file into the form that answers use.
fn outside(source: &ArchivedSourceRecord) -> Arc<OutsideSource> {
    Arc::new(OutsideSource {
        name: cleaned(&source.name).into(),
        url: cleaned(&source.url).into(),
        publisher: cleaned(&source.publisher).into(),
        official: source.official,
        license_class: source.license_class(),
    })
}

#[cfg(test)]
mod tests;
