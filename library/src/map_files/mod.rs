//! Files of addresses and maps as finders: they answer before a service outside is asked.
//!
//! A finder is pure: the same files and the same question give the same answer. It tells what it knows for certain, and
//! leaves the rest to others.

mod address;
mod facts;
mod hint;

use std::sync::Arc;

use crate::{
    answers::{AddressAnswer, Answers, Finder, Spot},
    directory::Directory,
    facts::{FactKeys, Facts},
    snapshot::{ArchivedSourceRecord, LayerFile},
    vocabulary::{OUTSIDE_CHARS_MAX, OutsideSource, clean_text},
};

/// Opened layer files.
#[derive(Debug)]
pub struct MapFiles {
    files: Vec<LayerFile>,
}

impl MapFiles {
    /// Finders of these files.
    pub fn new(files: Vec<LayerFile>) -> MapFiles {
        MapFiles { files }
    }

    fn beside<'a>(&'a self, answers: &'a Answers) -> Beside<'a> {
        Beside { files: &self.files, directory: answers.directory() }
    }
}

/// Layer files beside the snapshot of the answers that they are asked for. It names counties and cities.
#[derive(Clone, Copy)]
struct Beside<'a> {
    files: &'a [LayerFile],
    directory: &'a Directory,
}

impl Finder for MapFiles {
    fn address(&self, answers: &Answers, text: &str) -> Option<AddressAnswer> {
        address::find(self.beside(answers), text)
    }

    fn hint(&self, answers: &Answers, text: &str) -> Option<String> {
        hint::of(self.beside(answers), text)
    }

    fn facts(&self, answers: &Answers, spot: &Spot, keys: FactKeys) -> Facts {
        facts::facts_at(self.beside(answers), spot, keys)
    }
}

/// A text of a file, which anyone may have made: cleaned before an answer has it.
fn cleaned(text: &str) -> String {
    clean_text(text, OUTSIDE_CHARS_MAX)
}

/// A source of a file, as answers name it.
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
