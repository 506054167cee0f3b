//! Layer files as finders: addresses and maps at hand answer before anyone outside is asked.
//!
//! A finder is pure: the same files and the same question give the same answer. It tells what it knows for certain, and
//! leaves the rest to others.

mod address;
mod facts;
mod hint;

use std::{path::Path, sync::Arc};

use crate::{
    answers::{AddressAnswer, Finder, Findings, OutsideSource, Spot},
    directory::Directory,
    snapshot::{ArchivedSourceRecord, LayerFile, SnapshotError},
    vocabulary::FactKeys,
};

/// Opened layer files, and the directory that tells names and counties of what they hold.
#[derive(Debug)]
pub struct Layers {
    files: Vec<LayerFile>,
    directory: Directory,
}

impl Layers {
    /// Layers of these files. The directory may be another value than the one that answers, of the same snapshot or a
    /// like one: it names counties and cities.
    pub fn new(files: Vec<LayerFile>, directory: Directory) -> Layers {
        Layers { files, directory }
    }

    /// Opens files: maps them and verifies every byte.
    ///
    /// # Errors
    /// When one cannot be read, or is not a whole, undamaged layer file of a format that this release reads.
    pub fn open<P: AsRef<Path>>(paths: &[P], directory: Directory) -> Result<Layers, SnapshotError> {
        let files: Result<Vec<LayerFile>, _> =
            paths.iter().map(|path| LayerFile::open(path.as_ref())).collect();
        Ok(Layers::new(files?, directory))
    }
}

impl Finder for Layers {
    fn address(&self, text: &str) -> Option<AddressAnswer> {
        address::find(self, text)
    }

    fn hint(&self, text: &str) -> Option<String> {
        hint::of(self, text)
    }

    fn facts(&self, spot: &Spot, keys: FactKeys) -> Findings {
        facts::of(self, spot, keys)
    }
}

/// A source of a file, as answers name it.
fn outside(source: &ArchivedSourceRecord) -> Arc<OutsideSource> {
    Arc::new(OutsideSource {
        name: source.name.to_string().into(),
        url: source.url.to_string().into(),
        publisher: source.publisher.to_string().into(),
        official: source.official,
        license_class: source.license_class(),
    })
}

#[cfg(test)]
mod tests;
