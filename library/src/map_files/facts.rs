//! Reads facts about a point from map files. The `judge` functions of `facts` interpret the attributes.

use super::{Beside, cleaned, outside};
use crate::{
    answers::Spot,
    directory::Resolution,
    facts::{
        Attributes, Fact, FactKey, FactKeys, Facts, Flood, FloodZone, Images, LAKE_FT, NEAR_FT,
        RADON_LIST_YEAR, Radon, Said, Shoreland, SoilUnit, Wetlands, stated_text,
    },
    geometry::{LonLat, METERS_PER_FOOT},
    snapshot::{ArchivedPolygons, LayerFile},
    vocabulary::{Geoid, JurisdictionId, MapKind, OUTSIDE_CHARS_MAX, is_clean_text},
};

/// The facts about a spot from all files. If several files have the same fact, the first file is used.
pub(super) fn facts_at(files: Beside<'_>, spot: &Spot, keys: FactKeys) -> Facts {
    let maps = files.files.iter().filter_map(|file| on_map(file, spot.point, keys));
    maps.chain(radon(files, spot).filter(|_| keys.has(FactKey::Radon))).collect()
}

/// The fact about a point from the map in a file, with the date and source. `None` if the file has no map, or its map
/// says nothing about the point.
fn on_map(file: &LayerFile, point: LonLat, keys: FactKeys) -> Option<Fact> {
    let polygons = file.polygons()?;
    let kind = polygons.kind()?;
    let key = key_of(kind).filter(|key| keys.has(*key))?;
    let map = Map { polygons, point };
    let said = map.said(kind)?;
    let as_of = Some(cleaned(&file.about().as_of)).filter(|date| !date.is_empty());
    Some(Fact {
        // The date of the soil survey area at the point, if the map is of soils.
        as_of: map.here().first().and_then(|feature| feature.first_text(&["saverest"])).or(as_of),
        own_source: file.about().sources.first().map(outside),
        ..Fact::new(key, said)
    })
}

/// The key of the fact that a kind of map is about; `None` for maps that are only drawn.
fn key_of(kind: MapKind) -> Option<FactKey> {
    match kind {
        MapKind::Flood => Some(FactKey::Flood),
        MapKind::Wetlands => Some(FactKey::Wetlands),
        MapKind::Soils => Some(FactKey::Soils),
        MapKind::Shoreland => Some(FactKey::Shoreland),
        MapKind::Ground => None,
    }
}

/// A map and the point at which it is read.
struct Map<'a> {
    polygons: &'a ArchivedPolygons,
    point: LonLat,
}

impl<'a> Map<'a> {
    /// The statement of the map about the point. `None` if no polygon contains the point and the map's extent does not
    /// either, because a file may leave out land with little hazard.
    fn said(&self, kind: MapKind) -> Option<Said> {
        let here = self.here();
        match kind {
            MapKind::Flood => {
                let zone = FloodZone::greatest(&here)?;
                Some(Said::Flood(Flood { zone: Some(zone), is_mapped: true, firm_panel: None }))
            }
            MapKind::Wetlands => {
                let near = if here.is_empty() { self.near(NEAR_FT) } else { Vec::new() };
                let is_silent = here.is_empty() && near.is_empty() && !self.polygons.reaches(self.point);
                (!is_silent).then(|| Said::Wetlands(Wetlands::judge(&here, &near, Images::Year(None))))
            }
            MapKind::Soils => SoilUnit::judge(here.get(..1)?).map(|unit| Said::Soils(Some(unit))),
            MapKind::Shoreland => Shoreland::judge(&self.near(LAKE_FT), None).map(Said::Shoreland),
            MapKind::Ground => None,
        }
    }

    /// The polygons that contain the point.
    fn here(&self) -> Vec<Feature<'a>> {
        self.polygons.at(self.point).into_iter().map(|number| self.feature(number)).collect()
    }

    /// The polygons within `feet` feet of the point, with their distances in feet. Polygons that contain the point come
    /// first.
    fn near(&self, feet: u16) -> Vec<(Feature<'a>, Option<f64>)> {
        let here = self.polygons.at(self.point);
        let near = self.polygons.near(self.point, f64::from(feet) * METERS_PER_FOOT).into_iter();
        let beside = near.filter(|(number, _)| !here.contains(number));
        let all = here.iter().map(|number| (*number, 0.0)).chain(beside);
        let feet = |meters: f64| Some((meters / METERS_PER_FOOT).round());
        all.map(|(number, meters)| (self.feature(number), feet(meters))).collect()
    }

    fn feature(&self, number: usize) -> Feature<'a> {
        Feature { polygons: self.polygons, number }
    }
}

/// A polygon of a map, with its attributes.
struct Feature<'a> {
    polygons: &'a ArchivedPolygons,
    number: usize,
}

impl Attributes for Feature<'_> {
    /// The text of an attribute. `None` if it is longer than any documented value, or has control or invisible
    /// characters.
    fn text(&self, field: &str) -> Option<&str> {
        let text = stated_text(self.polygons.value(self.number, field))?;
        is_clean_text(text, OUTSIDE_CHARS_MAX).then_some(text)
    }
}

/// The radon zone of the spot's county. For a county that was formed after the list of zones, it is that of the spot's
/// town.
fn radon(files: Beside<'_>, spot: &Spot) -> Option<Fact> {
    let JurisdictionId::Census(county) = spot.county else { return None };
    let tables = files.county_tables().find(|tables| tables.radon_count() > 0)?;
    let zone = tables.radon(county.code() as u16, town_of(files, spot).map(Geoid::code));
    let as_of = Some(RADON_LIST_YEAR.to_owned());
    Some(Fact { as_of, ..Fact::new(FactKey::Radon, Said::Radon(Radon::judge(zone))) })
}

fn town_of(files: Beside<'_>, spot: &Spot) -> Option<Geoid> {
    let Resolution::Inside(chain) = files.directory.resolve(spot.point) else { return None };
    match files.directory.id_of(chain.cousub?) {
        JurisdictionId::Census(geoid) => Some(geoid),
        _ => None,
    }
}
