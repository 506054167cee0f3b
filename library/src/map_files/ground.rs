//! Roads, rivers and lakes of layer files, from which maps of pages are drawn. They answer no lookup.

use super::{cleaned, outside};
use crate::{
    geometry::{Bbox, LonLat},
    snapshot::{ArchivedPolygons, LayerFile},
    vocabulary::{GroundClass, MapKind, OutsideSource},
};

/// A line or an area of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundShape {
    /// Its class, which says how it is drawn.
    pub class: GroundClass,
    /// Its name; empty without one.
    pub name: String,
    /// Its lines, or the rings of an area.
    pub parts: Vec<Vec<LonLat>>,
}

/// The layer files with roads, rivers and lakes.
#[derive(Debug, Default)]
pub struct Ground {
    files: Vec<LayerFile>,
}

impl Ground {
    /// Takes the files of this kind out of others.
    pub fn split(files: Vec<LayerFile>) -> (Ground, Vec<LayerFile>) {
        let is_ground = |file: &LayerFile| {
            file.polygons().and_then(ArchivedPolygons::kind).is_some_and(|kind| kind == MapKind::Ground)
        };
        let (ground, others) = files.into_iter().partition(is_ground);
        (Ground { files: ground }, others)
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the shapes whose box meets `bbox`: all lakes and rivers, and roads of class `least_road` or greater.
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

    /// Returns the sources of the files, with the date of each.
    pub fn sources(&self) -> Vec<(OutsideSource, String)> {
        let source = |file: &LayerFile| {
            let about = file.about();
            about.sources.first().map(|source| ((*outside(source)).clone(), cleaned(&about.as_of)))
        };
        self.files.iter().filter_map(source).collect()
    }
}

/// Whether all parts are closed. Streams that end where they begin do not occur.
fn is_area(polygons: &ArchivedPolygons, at: usize) -> bool {
    polygons.rings(at).all(|ring| ring.len() >= 4 && ring.first() == ring.last())
}
