//! What the maps at hand say of a spot.

mod attributes;
mod flood;
mod radon;
mod shoreland;
mod soils;
mod wetlands;

use super::{Beside, cleaned, outside};
use crate::{
    answers::{Finding, Findings, Spot},
    geometry::LonLat,
    snapshot::{ArchivedPolygons, LayerFile},
    vocabulary::{FactKey, FactKeys, FactStatus, MapKind},
};

use attributes::Feature;

/// What is known of a spot.
pub(super) fn of(layers: Beside<'_>, spot: &Spot, keys: FactKeys) -> Findings {
    let maps = Maps { layers, point: spot.point };
    let wanted = |key| keys.contains(key);
    Findings {
        flood: wanted(FactKey::Flood).then(|| maps.first(MapKind::Flood, flood::finding)).flatten(),
        wetlands: wanted(FactKey::Wetlands)
            .then(|| maps.first(MapKind::Wetlands, wetlands::finding))
            .flatten(),
        soils: wanted(FactKey::Soils).then(|| maps.first(MapKind::Soils, soils::finding)).flatten(),
        elevation: None,
        shoreland: wanted(FactKey::Shoreland)
            .then(|| maps.first(MapKind::Shoreland, shoreland::finding))
            .flatten(),
        radon: wanted(FactKey::Radon).then(|| radon::finding(layers, spot)).flatten(),
    }
}

/// The maps at a point.
struct Maps<'a> {
    layers: Beside<'a>,
    point: LonLat,
}

impl Maps<'_> {
    /// What the first file of this kind tells that can tell something; with its date and source.
    fn first<S: FactStatus>(
        &self,
        kind: MapKind,
        read: impl Fn(&ArchivedPolygons, LonLat) -> Option<Finding<S>>,
    ) -> Option<Finding<S>> {
        let of_kind = |file: &LayerFile| {
            let polygons = file.polygons().filter(|polygons| polygons.kind() == Some(kind))?;
            let mut finding = read(polygons, self.point)?;
            let as_of = Some(cleaned(&file.about().as_of)).filter(|date| !date.is_empty());
            finding.as_of = finding.as_of.or(as_of);
            finding.source = file.about().sources.first().map(outside);
            Some(finding)
        };
        self.layers.files.iter().find_map(of_kind)
    }
}

/// The polygons at a point.
fn features_at(polygons: &ArchivedPolygons, point: LonLat) -> Vec<Feature<'_>> {
    polygons.at(point).into_iter().map(|number| Feature { polygons, number }).collect()
}
