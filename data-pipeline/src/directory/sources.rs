//! Numbers the sources of a snapshot: data files first, then the sources that hand-kept tables cite.

use std::collections::HashMap;

use platbook::{
    snapshot::write::SourceRecord,
    vocabulary::{LicenseClass, PublisherKind, bare_url},
};

use crate::{
    curated::{CuratedSource, kind_of},
    input::manifest::{Manifest, Role},
};

/// The rows that were assigned so far.
#[derive(Debug)]
pub struct SourceTable {
    cited: Vec<SourceRecord>,
    /// Row by key: the id in the manifest, or `file/id` of a hand-kept table.
    by_key: HashMap<String, u16>,
    /// Row by bare address: files that cite the same text share a row.
    by_url: HashMap<String, u16>,
    manifest_rows: usize,
}

impl SourceTable {
    /// Gives the first rows to the manifest's sources.
    pub fn new(manifest: &Manifest) -> SourceTable {
        let by_key = manifest.sources.iter().enumerate().map(|(row, source)| (source.id.clone(), row as u16));
        let mut by_url = HashMap::new();
        for (row, source) in manifest.sources.iter().enumerate() {
            by_url.entry(bare_url(&source.url)).or_insert(row as u16);
        }
        SourceTable {
            cited: Vec::new(),
            by_key: by_key.collect(),
            by_url,
            manifest_rows: manifest.sources.len(),
        }
    }

    /// The rows of the manifest's sources with a role.
    pub fn rows_of(&self, manifest: &Manifest, role: Role) -> Vec<u16> {
        let of_role = manifest.sources.iter().filter(|source| source.role == role);
        of_role.filter_map(|source| self.row(&source.id)).collect()
    }

    /// The row of a source by its key; `None` for an unknown key.
    pub fn row(&self, key: &str) -> Option<u16> {
        self.by_key.get(key).copied()
    }

    /// Assigns rows to a table's sources and returns them by position. `file` is the prefix of their ids in
    /// keys.
    pub fn cite(&mut self, file: &str, sources: &[CuratedSource]) -> Vec<u16> {
        let mut rows = Vec::with_capacity(sources.len());
        for source in sources {
            let row = self.cite_one(source);
            self.by_key.insert(format!("{file}/{}", source.id), row);
            rows.push(row);
        }
        rows
    }

    fn cite_one(&mut self, source: &CuratedSource) -> u16 {
        let next = (self.manifest_rows + self.cited.len()) as u16;
        let row = *self.by_url.entry(bare_url(&source.url)).or_insert(next);
        if row == next {
            self.cited.push(SourceRecord {
                name: source.name.clone(),
                url: source.url.clone(),
                publisher: source.publisher.clone(),
                official: source.official && kind_of(&source.url).is_none_or(PublisherKind::may_be_official),
                retrieved_at: source.read.clone().unwrap_or_default(),
                license_class: SourceRecord::classes(license_of(source), kind_of(&source.url)),
                vintage: 0,
                scale: 0,
                digest: String::new(),
                simplified_m: 0,
            });
        }
        row
    }

    /// The cited sources, in the order of their rows; they follow the manifest's rows.
    pub fn cited(&self) -> &[SourceRecord] {
        &self.cited
    }
}

/// The license of a cited page. Laws and what governments write are public records; encyclopedias have open licenses.
/// Other pages state no license, or one that was not recorded.
fn license_of(source: &CuratedSource) -> LicenseClass {
    match kind_of(&source.url) {
        Some(PublisherKind::Official | PublisherKind::LawPublisher) => LicenseClass::PublicRecord,
        Some(PublisherKind::Vendor) if source.official => LicenseClass::PublicRecord,
        Some(PublisherKind::Encyclopedia) => LicenseClass::Open,
        _ => LicenseClass::Unknown,
    }
}
