//! Reads polygons of maps, with the attributes that answers use.

use std::collections::BTreeMap;

use platbook::{
    directory::Directory,
    geometry::LonLat,
    snapshot::write::{NewPolygon, Polygons, WriteError},
    vocabulary::{GroundClass, JurisdictionId, MapKind},
};

use super::soil_tables;
use crate::input::{
    ReadError,
    shapes::{self, RawShape},
};

/// The reason why a map was not made.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// A file is damaged or of an unknown kind.
    #[error(transparent)]
    Read(Box<ReadError>),
    /// The polygons cannot be packed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file has none of the attributes that maps of its kind have.
    #[error(
        "{file}: expected {kind} polygons with the attribute {field}, got {got}; give the layer that has it"
    )]
    Attributes {
        /// Name of the file.
        file: String,
        /// The kind of map to make.
        kind: MapKind,
        /// Name of the missing attribute.
        field: &'static str,
        /// The attributes of the file, separated by commas.
        got: String,
    },
    /// The snapshot has no polygon of the place that the map is said to cover.
    #[error("--covers {id}: the snapshot has no polygon of it; give a county or state such as county:25017")]
    Extent {
        /// The id that was given.
        id: JurisdictionId,
    },
}

/// The layer of a download that has the polygons, and the attributes to keep. A file must have the first
/// attribute.
pub fn wanted(kind: MapKind) -> (&'static str, &'static [&'static str]) {
    match kind {
        MapKind::Flood => (
            "s_fld_haz_ar",
            &[
                "fld_zone",
                "zone_subty",
                "sfha_tf",
                "static_bfe",
                "depth",
                "len_unit",
                "v_datum",
                "dfirm_id",
                "fld_ar_id",
            ],
        ),
        MapKind::Wetlands => ("_wetlands", &["attribute", "wetland_ty", "wetland_type", "acres"]),
        MapKind::Soils => (
            "soilmu_a",
            &[
                "mukey",
                "musym",
                "areasymbol",
                "muname",
                "drclassdcd",
                "hydgrpdcd",
                "hydclprs",
                "farmlndcl",
                "saverest",
            ],
        ),
        MapKind::Shoreland => (
            "",
            &[
                "pwi_class",
                "pw_basin_n",
                "pw_basin_name",
                "dowlknum",
                "pwi_label",
                "dnr_shorel",
                "dnr_shoreland_class",
            ],
        ),
        MapKind::Ground => ("", &["mtfcc", "fullname"]),
    }
}

impl From<ReadError> for MapError {
    fn from(error: ReadError) -> MapError {
        MapError::Read(Box::new(error))
    }
}

/// A map, with counts of its records.
#[derive(Debug)]
pub struct Map {
    /// The section of polygons.
    pub section: Polygons,
    /// Number of polygons, without those that mark the covered area.
    pub polygons: usize,
    /// Number of vertices of these polygons.
    pub vertices: usize,
    /// Number of records without a ring.
    pub empty: usize,
}

/// Reads the polygons of files, each given as name and bytes. `extent` are the rings of the area that the map
/// covers.
///
/// # Errors
/// See [`MapError`].
pub fn map(kind: MapKind, files: &[(String, Vec<u8>)], extent: Vec<Vec<LonLat>>) -> Result<Map, MapError> {
    let (ending, fields) = wanted(kind);
    let mut polygons = Vec::new();
    let mut empty = 0;
    for (file, bytes) in files {
        let tables = if kind == MapKind::Soils { soil_tables::read(file, bytes)? } else { BTreeMap::new() };
        let shapes = shapes::read(file, bytes, ending).or_else(|error| match error {
            // The download has one shapefile, under another name.
            ReadError::MissingPart { .. } => shapes::read(file, bytes, ""),
            other => Err(other),
        })?;
        if let Some(first) =
            shapes.first().filter(|_| shapes.iter().all(|shape| shape.get(fields[0]).is_none()))
        {
            let got = first.attributes.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(MapError::Attributes { file: file.clone(), kind, field: fields[0], got });
        }
        for shape in shapes.into_iter().filter(|shape| is_of(kind, shape)) {
            let joined = shape.get("mukey").and_then(|key| tables.get(key));
            let value = |field: &&str| {
                let of_table = || joined.and_then(|row| row.get(*field)).cloned();
                shape.get(field).map(str::to_owned).or_else(of_table).unwrap_or_default()
            };
            let values = fields.iter().map(value).collect();
            let part = |part: &Vec<LonLat>| if shape.is_line { open(part) } else { closed(part) };
            let rings: Vec<Vec<LonLat>> = shape.parts.iter().filter_map(part).collect();
            empty += usize::from(rings.is_empty());
            polygons.push(NewPolygon { values: Some(values), rings });
        }
    }
    polygons.retain(|polygon| !polygon.rings.is_empty());
    let (count, vertices) =
        (polygons.len(), polygons.iter().flat_map(|polygon| &polygon.rings).map(Vec::len).sum());
    if !extent.is_empty() {
        polygons.push(NewPolygon { values: None, rings: extent });
    }
    let section = Polygons::pack(kind, fields, &polygons)?;
    Ok(Map { section, polygons: count, vertices, empty })
}

/// Whether a map of this kind takes a record. Most maps take areas only; the ground takes roads and water. The ground
/// leaves out streets without a name, and lines that only bound a statistical area.
fn is_of(kind: MapKind, shape: &RawShape) -> bool {
    if kind != MapKind::Ground {
        return !shape.is_line;
    }
    let class = GroundClass::of_code(shape.get("mtfcc").unwrap_or_default(), || !shape.is_line);
    class.is_some_and(|class| class != GroundClass::Street || shape.get("fullname").is_some())
}

/// The line without repeated vertices; `None` if only one vertex is left.
fn open(line: &[LonLat]) -> Option<Vec<LonLat>> {
    let mut line = line.to_vec();
    line.dedup();
    (line.len() >= 2).then_some(line)
}

/// The ring with its first vertex repeated at the end; `None` if it encloses nothing.
fn closed(ring: &[LonLat]) -> Option<Vec<LonLat>> {
    let mut ring = ring.to_vec();
    ring.dedup();
    if ring.first() != ring.last() {
        ring.push(ring[0]);
    }
    (ring.len() >= 4).then_some(ring)
}

/// The rings of a jurisdiction that a map is said to cover.
///
/// # Errors
/// [`MapError::Extent`] if the snapshot has no polygon of it.
pub fn extent(directory: &Directory, id: &JurisdictionId) -> Result<Vec<Vec<LonLat>>, MapError> {
    let JurisdictionId::Census(geoid) = *id else { return Err(MapError::Extent { id: id.clone() }) };
    let snapshot = directory.snapshot();
    let rings: Vec<Vec<LonLat>> =
        snapshot.areas().areas_of(geoid).flat_map(|area| snapshot.boundaries().rings(area)).collect();
    if rings.is_empty() { Err(MapError::Extent { id: id.clone() }) } else { Ok(rings) }
}

#[cfg(test)]
mod tests;
