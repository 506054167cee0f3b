//! Outlines of jurisdictions, for maps and downloads: the only way to polygons from above.

use super::{Directory, Row};
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::ArcRef,
    vocabulary::Layer,
};

impl Directory {
    /// The rings of a jurisdiction's outline, each made of lines by their numbers. Neighbours share the lines between
    /// them; outer rings and holes are told apart by even-odd. Empty where no outline is at hand.
    pub fn outline(&self, row: Row) -> Vec<Vec<ArcRef>> {
        self.areas_of(row).flat_map(|area| self.snapshot.boundaries().ring_arcs(area)).collect()
    }

    /// The vertices of a line, by its number.
    pub fn vertices_of_line(&self, number: u32) -> Vec<LonLat> {
        self.snapshot.boundaries().arc(number)
    }

    /// The closed rings of a jurisdiction's outline, each first vertex repeated at the end.
    pub fn rings(&self, row: Row) -> Vec<Vec<LonLat>> {
        self.areas_of(row).flat_map(|area| self.snapshot.boundaries().rings(area)).collect()
    }

    /// The box around a jurisdiction's outline; `None` where none is at hand.
    pub fn extent(&self, row: Row) -> Option<Bbox> {
        let [west, south, east, north] = self.snapshot.jurisdictions().fields(row.number())?.bbox()?;
        Some(Bbox { min: LonLat::from_units(south, west), max: LonLat::from_units(north, east) })
    }

    /// The jurisdictions of a layer whose boxes meet this one, in the order of their ids.
    pub fn rows_meeting(&self, layer: Layer, bbox: Bbox) -> Vec<Row> {
        let meets = |row: &Row| self.extent(*row).is_some_and(|extent| extent.intersects(&bbox));
        self.rows_of(layer).filter(meets).collect()
    }
}
