//! Outlines of jurisdictions, for maps and downloads. Modules above use only these functions to read polygons.

use super::{Directory, Row};
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::ArcRef,
    vocabulary::Layer,
};

impl Directory {
    /// The rings of a jurisdiction's outline, each made of numbered lines. Neighbors share the lines between them, and
    /// even-odd counting separates outer rings from holes. Empty if the snapshot has no outline.
    pub fn outline(&self, row: Row) -> Vec<Vec<ArcRef>> {
        self.areas_of(row).flat_map(|area| self.snapshot.boundaries().ring_arcs(area)).collect()
    }

    /// The vertices of a line, by its number; empty for an unknown number.
    pub fn vertices_of_line(&self, number: u32) -> Vec<LonLat> {
        self.snapshot.boundaries().arc(number)
    }

    /// The closed rings of a jurisdiction's outline; the last vertex of each ring repeats its first.
    pub fn rings(&self, row: Row) -> Vec<Vec<LonLat>> {
        self.areas_of(row).flat_map(|area| self.snapshot.boundaries().rings(area)).collect()
    }

    /// The box around a jurisdiction's outline; `None` if the snapshot has no outline.
    pub fn extent(&self, row: Row) -> Option<Bbox> {
        let [west, south, east, north] = self.snapshot.jurisdictions().fields(row.number())?.bbox()?;
        Some(Bbox { min: LonLat::from_units(south, west), max: LonLat::from_units(north, east) })
    }

    /// The jurisdictions of a layer whose boxes intersect this one, in the order of their ids.
    pub fn rows_meeting(&self, layer: Layer, bbox: Bbox) -> Vec<Row> {
        let meets = |row: &Row| self.extent(*row).is_some_and(|extent| extent.intersects(&bbox));
        self.rows_of(layer).filter(meets).collect()
    }
}
