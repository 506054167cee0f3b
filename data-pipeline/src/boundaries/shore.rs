//! Turns counties whose lines end at the shore into the section that separates water from land.
//!
//! Some counties are drawn twice, once with the water that is legally theirs and once without. The second drawing shows
//! where their land ends. An outer line of all the land is a shore or a border with another country. On such a border
//! both drawings agree. A line that two counties share is not a shore.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    geometry::{Bbox, LonLat},
    snapshot::write::{NewJurisdiction, NewShore, Shore, WriteError},
    vocabulary::{Geoid, JurisdictionId, Layer},
};

use super::{
    clean::{LongEdge, clean},
    load::{Land, Loaded},
    simplify::{Ground, Leeway, simplify},
    topology::Topology,
};
use crate::input::manifest::{Manifest, Shore as Reach};

/// Maximum number of edges in a leaf of the trie, as in the section of tribal land.
const LEAF_EDGES_MAX: usize = 32;
/// A county is kept if its box is within this distance of a wanted county's, in units of 1e-7 degree. The distance is
/// about 10 km, so that both shores of a bay are included. Chosen, not measured.
const BESIDE: i32 = 1_000_000;
/// Meters by which lines far from every shore may be moved; they only close the outline of the land. Chosen, not
/// measured.
const INLAND_M: f64 = 2_000.0;

/// The reason why the section cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShoreError {
    /// An edge is longer than any real one: the border jumps.
    #[error("{county}, in the outline that ends at the shore: {source}")]
    LongEdge {
        /// GEOID of the county.
        county: Geoid,
        /// Both ends of the edge.
        source: LongEdge,
    },
    /// The section cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The files' data about shores.
#[derive(Debug, Default)]
pub struct Shores {
    land: Vec<Land>,
    /// Counties whose outline includes their water.
    with_water: BTreeSet<Geoid>,
    sources_with_water: Vec<u16>,
    /// Largest error of the shore that its scale allows, in meters.
    scale_m: f64,
}

impl Shores {
    /// Takes the land out of the loaded files, and looks up in the manifest which sources include water.
    pub fn take(manifest: &Manifest, loaded: &mut Loaded) -> Shores {
        let land = std::mem::take(&mut loaded.land);
        let reaches = |source: usize| manifest.sources[source].shore == Some(Reach::WithWater);
        let counties = loaded.kept.iter().filter(|area| area.geoid.layer() == Layer::County);
        let scales = land.iter().filter_map(|land| manifest.sources[land.source].scale);
        Shores {
            with_water: counties.filter(|area| reaches(area.source)).map(|area| area.geoid).collect(),
            sources_with_water: (0..manifest.sources.len())
                .filter(|source| reaches(*source))
                .map(|source| source as u16)
                .collect(),
            scale_m: scales.map(|scale| scale.uncertainty_m()).fold(0.0, f64::max),
            land,
        }
    }

    /// Packs the section; `None` where no file has areas with their water. `jurisdictions` are in the order of their
    /// rows.
    ///
    /// # Errors
    /// See [`ShoreError`].
    pub fn pack(
        self,
        jurisdictions: &[NewJurisdiction],
        simplify_m: u32,
    ) -> Result<Option<Shore>, ShoreError> {
        if self.sources_with_water.is_empty() || self.land.is_empty() {
            return Ok(None);
        }
        let land = beside(self.land, |land| self.with_water.contains(&land.county));
        let land = land.into_iter().map(cleaned).collect::<Result<Vec<Land>, ShoreError>>()?;
        let Coast { counties, outline } = coast(&land, &self.with_water, f64::from(simplify_m));
        let rows: BTreeMap<&JurisdictionId, u32> =
            jurisdictions.iter().map(|jurisdiction| &jurisdiction.id).zip(0..).collect();
        let row = |county: &Geoid| rows.get(&JurisdictionId::Census(*county)).copied();
        let sources: BTreeSet<u16> = land.iter().map(|land| land.source as u16).collect();
        let new = NewShore {
            counties: counties.iter().filter_map(row).collect(),
            with_water: self.sources_with_water,
            sources: sources.into_iter().collect(),
            error_m: self.scale_m.ceil() as u32 + simplify_m,
            outline,
        };
        Ok(Some(Shore::pack(new, LEAF_EDGES_MAX)?))
    }
}

fn cleaned(mut land: Land) -> Result<Land, ShoreError> {
    let long = |source| ShoreError::LongEdge { county: land.county, source };
    (land.rings, _) = clean(std::mem::take(&mut land.rings)).map_err(long)?;
    Ok(land)
}

/// The wanted land, and all land beside it.
fn beside(land: Vec<Land>, wanted: impl Fn(&Land) -> bool) -> Vec<Land> {
    let near = near(&land, wanted);
    land.into_iter().zip(near).filter(|(_, near)| *near).map(|(land, _)| land).collect()
}

/// For each item of land, whether it is wanted or lies beside wanted land.
fn near(land: &[Land], wanted: impl Fn(&Land) -> bool) -> Vec<bool> {
    let boxes: Vec<Option<Bbox>> =
        land.iter().map(|land| Bbox::around(land.rings.iter().flatten().copied())).collect();
    let around: Vec<Bbox> = land
        .iter()
        .zip(&boxes)
        .filter(|(land, _)| wanted(land))
        .filter_map(|(_, bbox)| wider(*bbox))
        .collect();
    boxes
        .iter()
        .map(|bbox| bbox.is_some_and(|bbox| around.iter().any(|wide| wide.intersects(&bbox))))
        .collect()
}

fn wider(bbox: Option<Bbox>) -> Option<Bbox> {
    let moved = |point: LonLat, by: i32| LonLat::from_units(point.lat() + by, point.lon() + by);
    bbox.map(|bbox| Bbox { min: moved(bbox.min, -BESIDE), max: moved(bbox.max, BESIDE) })
}

/// The counties that have a shore, and the outline of the land around it.
struct Coast {
    counties: BTreeSet<Geoid>,
    outline: Vec<Vec<LonLat>>,
}

/// Finds the shore of the counties `with_water`. `land` must include all land beside them: a missing neighbor
/// would look like water.
fn coast(land: &[Land], with_water: &BTreeSet<Geoid>, simplify_m: f64) -> Coast {
    let topology = Topology::of(land.iter().map(|land| land.rings.as_slice()));
    let sides = topology.sides();
    let alone = sides.iter().filter_map(|sides| <[u32; 1]>::try_from(sides.as_slice()).ok());
    let counties: BTreeSet<Geoid> =
        alone.map(|[only]| land[only as usize].county).filter(|county| with_water.contains(county)).collect();
    let near = near(land, |land| counties.contains(&land.county));
    let (mut outline, mut leeways) = (Vec::new(), Vec::new());
    for (arc, sides) in topology.arcs.into_iter().zip(&sides) {
        // Land far from every shore is left out, so the lines between it and the rest become outer lines.
        let kept = sides.iter().filter(|side| near[**side as usize]).count();
        if kept % 2 == 1 {
            let meters = if sides.len() == 1 { simplify_m } else { simplify_m.max(INLAND_M) };
            leeways.push(Leeway { settled_m: meters, elsewhere_m: meters, tilings: 1 });
            outline.push(arc);
        }
    }
    simplify(&mut outline, &leeways, &Ground::default());
    Coast { counties, outline }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries::ring_through;

    /// County `number` of a row of counties from west to east, each 0.2 degree wide; the sea lies south.
    fn land(number: i32, south: i32) -> Land {
        let (west, east) = (2_000_000 * number, 2_000_000 * (number + 1));
        let ring = ring_through(&[(west, south), (east, south), (east, 3_000_000), (west, 3_000_000)]);
        Land { source: 2, county: county(number), rings: vec![ring] }
    }

    fn county(number: i32) -> Geoid {
        Geoid::parse(Layer::County, &format!("5500{number}")).expect("five digits")
    }

    #[test]
    fn the_outline_is_that_of_the_land_beside_a_shore() {
        // A belt of land lies north of the row, so that the northern lines of its counties are not outer lines.
        let north =
            ring_through(&[(0, 3_000_000), (10_000_000, 3_000_000), (10_000_000, 4_000_000), (0, 4_000_000)]);
        let mut all: Vec<Land> = (0..5).map(|number| land(number, 0)).collect();
        all.push(Land { source: 2, county: county(9), rings: vec![north] });
        let with_water = BTreeSet::from([county(1)]);
        let chosen = beside(all, |land| with_water.contains(&land.county));
        let numbers: Vec<Geoid> = chosen.iter().map(|land| land.county).collect();
        assert_eq!(numbers, [county(0), county(1), county(2), county(9)]);
        let Coast { counties, outline } = coast(&chosen, &with_water, 0.0);
        assert_eq!(counties, with_water);
        // The lines between counties are gone, and the shore remains.
        let has = |from: (i32, i32), to: (i32, i32)| {
            let ends = [from, to].map(|(lon, lat)| LonLat::from_units(lat, lon));
            outline
                .iter()
                .flat_map(|arc| arc.windows(2))
                .any(|edge| edge == ends || edge == [ends[1], ends[0]])
        };
        assert!(has((2_000_000, 0), (4_000_000, 0)), "the shore: {outline:?}");
        assert!(!has((4_000_000, 0), (4_000_000, 3_000_000)), "a line of two counties");
    }

    #[test]
    fn a_county_without_a_shore_of_its_own_is_left_out() {
        let belt =
            ring_through(&[(0, 3_000_000), (2_000_000, 3_000_000), (2_000_000, 4_000_000), (0, 4_000_000)]);
        let inner =
            ring_through(&[(500_000, 500_000), (600_000, 500_000), (600_000, 600_000), (500_000, 600_000)]);
        let mut outer = land(0, 0);
        outer.rings.push(inner.clone());
        let island = Land { source: 2, county: county(7), rings: vec![inner] };
        let all = [outer, island, Land { source: 2, county: county(9), rings: vec![belt] }];
        let with_water = BTreeSet::from([county(7), county(9)]);
        assert_eq!(coast(&all, &with_water, 0.0).counties, BTreeSet::from([county(9)]));
    }
}
