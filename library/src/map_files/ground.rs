//! Roads, rivers and lakes from layer files, for the maps on pages. They are not used in lookups.

use super::{cleaned, outside};
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::{ArchivedPolygons, LayerFile},
    vocabulary::{GroundClass, MapKind, OutsideSource},
};

/// A road, a river or a lake, as a line or an area.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundShape {
    /// The class, which decides how the shape is drawn.
    pub class: GroundClass,
    /// The name; empty if the source gives no name.
    pub name: String,
    /// The lines of the shape, or the rings of an area.
    pub parts: Vec<Vec<LonLat>>,
}

/// The layer files with roads, rivers and lakes.
#[derive(Debug, Default)]
pub struct Ground {
    files: Vec<LayerFile>,
}

impl Ground {
    /// Separates the files with roads, rivers and lakes from the others.
    pub fn split(files: Vec<LayerFile>) -> (Ground, Vec<LayerFile>) {
        let is_ground = |file: &LayerFile| {
            file.polygons().and_then(ArchivedPolygons::kind).is_some_and(|kind| kind == MapKind::Ground)
        };
        let (ground, others) = files.into_iter().partition(is_ground);
        (Ground { files: ground }, others)
    }

    /// Whether there are no such files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns all lakes and rivers whose box meets `bbox`, and the roads of class `least_road` or a higher class.
    pub fn meeting(&self, bbox: Bbox, least_road: GroundClass) -> Vec<GroundShape> {
        let mut shapes = Vec::new();
        for polygons in self.files.iter().filter_map(LayerFile::polygons) {
            for at in polygons.meeting(bbox) {
                let class = GroundClass::of_code(polygons.value(at, "mtfcc"), || is_area(polygons, at));
                let is_shown = |class: &GroundClass| *class <= GroundClass::River || *class >= least_road;
                if let Some(class) = class.filter(is_shown) {
                    let (name, parts) =
                        (cleaned(polygons.value(at, "fullname")), polygons.rings(at).collect());
                    shapes.push(GroundShape { class, name, parts });
                }
            }
        }
        shapes.sort_by_key(|shape| shape.class);
        shapes
    }

    /// Returns the source of each file, with the date of its data.
    pub fn sources(&self) -> Vec<(OutsideSource, String)> {
        let source = |file: &LayerFile| {
            let about = file.about();
            about.sources.first().map(|source| ((*outside(source)).clone(), cleaned(&about.as_of)))
        };
        self.files.iter().filter_map(source).collect()
    }
}

/// Whether all parts are closed, which shows that the shape is an area. No stream ends where it begins.
fn is_area(polygons: &ArchivedPolygons, at: usize) -> bool {
    polygons.rings(at).all(|ring| ring.len() >= 4 && ring.first() == ring.last())
}
