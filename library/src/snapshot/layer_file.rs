//! A layer file: addresses or maps of an area, in a file of its own beside the snapshot.
//!
//! It has the format of a snapshot file, but its own magic number: a header, a table of sections and the sections, all
//! with checksums. Each file has the section `about`, and at least one section with data.

mod about;
mod polygons;
mod streets;

use std::path::Path;

use super::{
    SnapshotError, access_in,
    container::{self, LAYER},
    county_tables::ArchivedCountyTables,
    map,
};

pub use about::{About, ArchivedAbout};
pub use polygons::{ArchivedPolygons, NewPolygon, Polygons};
pub use streets::{
    ArchivedStreets, HouseRange, NewCity, NewRange, NewStreet, NewStreets, Street, Streets, letters_near,
    letters_of,
};

/// An opened and verified layer file.
pub struct LayerFile {
    id: String,
    sizes: Vec<(&'static str, usize)>,
    about: &'static ArchivedAbout,
    streets: Option<&'static ArchivedStreets>,
    polygons: Option<&'static ArchivedPolygons>,
    county_tables: Option<&'static ArchivedCountyTables>,
    /// The memory that the references above point into. It is the last field, so it is dropped last.
    _bytes: map::Bytes,
}

impl LayerFile {
    /// Maps and verifies a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a complete, undamaged layer file of a readable format.
    pub fn open(path: &Path) -> Result<LayerFile, SnapshotError> {
        LayerFile::from_bytes(map::Bytes::map(&LAYER, path)?)
    }

    /// Verifies a copy of a file's bytes.
    ///
    /// # Errors
    /// As for [`LayerFile::open`].
    pub fn copy(bytes: &[u8]) -> Result<LayerFile, SnapshotError> {
        LayerFile::from_bytes(map::Bytes::copy(bytes))
    }

    fn from_bytes(bytes: map::Bytes) -> Result<LayerFile, SnapshotError> {
        #[expect(
            unsafe_code,
            reason = "the views live in the same value as the bytes and are dropped before them"
        )]
        // SAFETY: the slice is used only for the fields of the value that also owns `bytes`. The accessors below
        // shorten the lifetime of these fields to a borrow of that value.
        let file = unsafe { bytes.as_static() };
        let (sections, id) = container::read_as(&LAYER, file)?;
        let has = |name: &str| sections.iter().any(|section| section.name == name);
        macro_rules! optional {
            ($name:literal) => {
                if has($name) { Some(access_in(&LAYER, &sections, $name)?) } else { None }
            };
        }
        let layer = LayerFile {
            id,
            sizes: sections.iter().map(|section| (section.name, section.bytes.len())).collect(),
            about: access_in(&LAYER, &sections, "about")?,
            streets: optional!("streets"),
            polygons: optional!("polygons"),
            county_tables: optional!("county_tables"),
            _bytes: bytes,
        };
        layer.streets.map_or(Ok(()), ArchivedStreets::check_layout)?;
        layer.polygons.map_or(Ok(()), ArchivedPolygons::check_layout)?;
        layer.county_tables.map_or(Ok(()), ArchivedCountyTables::check_layout)?;
        Ok(layer)
    }

    /// A digest of all sections: 32 hexadecimal characters that identify this file.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Name and size in bytes of each section.
    pub fn sizes(&self) -> &[(&'static str, usize)] {
        &self.sizes
    }

    /// The description of the data that the file was made from.
    pub fn about(&self) -> &ArchivedAbout {
        self.about
    }

    /// Address ranges along streets; `None` if the file has none.
    pub fn streets(&self) -> Option<&ArchivedStreets> {
        self.streets
    }

    /// Polygons of one kind of map; `None` if the file has none.
    pub fn polygons(&self) -> Option<&ArchivedPolygons> {
        self.polygons
    }

    /// Facts about whole counties; `None` if the file has none.
    pub fn county_tables(&self) -> Option<&ArchivedCountyTables> {
        self.county_tables
    }
}

impl std::fmt::Debug for LayerFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LayerFile").field("id", &self.id).field("sizes", &self.sizes).finish_non_exhaustive()
    }
}
