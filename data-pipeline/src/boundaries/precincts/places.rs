//! Measures how much of a precinct lies in a city, borough or village with a polygon of its own.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    geometry::{Bbox, LonLat, point_inside, ring},
    vocabulary::Geoid,
};

use super::{
    known::{Known, KnownPlace, twin},
    names::Names,
};

/// Points on each side of the grid that is laid over a precinct. Chosen, not measured; 144 points distinguish tenths.
const GRID: i32 = 12;

/// The polygons of incorporated places, by state.
pub struct Places<'a> {
    by_state: BTreeMap<u8, Vec<Place<'a>>>,
    /// Places that are county subdivisions of their own, so that they lie in no town.
    own: BTreeSet<Geoid>,
}

struct Place<'a> {
    geoid: Geoid,
    bbox: Bbox,
    rings: &'a [Vec<LonLat>],
}

/// Points spread over a precinct, with the box of the precinct.
pub struct Points {
    points: Vec<LonLat>,
    bbox: Bbox,
}

impl<'a> Places<'a> {
    /// Indexes the places of `known` by state.
    pub fn of(known: &Known<'a>, names: &Names) -> Places<'a> {
        let mut by_state: BTreeMap<u8, Vec<Place<'a>>> = BTreeMap::new();
        for KnownPlace { geoid, rings, .. } in &known.places {
            if let Some(bbox) = Bbox::around(rings.iter().flatten().copied()) {
                by_state.entry(geoid.state_fips()).or_default().push(Place { geoid: *geoid, bbox, rings });
            }
        }
        Places { by_state, own: names.codes().filter_map(twin).collect() }
    }

    /// Whether the place lies in no town, because it is a subdivision of its own.
    pub fn is_own(&self, place: Geoid) -> bool {
        self.own.contains(&place)
    }

    /// Whether a polygon of the place is available.
    pub fn has(&self, place: Geoid) -> bool {
        self.by_state.get(&place.state_fips()).is_some_and(|all| all.iter().any(|known| known.geoid == place))
    }

    /// The share of the points that lie in the place, from 0 to 1; `None` where the place has no polygon.
    pub fn share(&self, points: &Points, place: Geoid) -> Option<f64> {
        let mut of_state = self.by_state.get(&place.state_fips())?.iter();
        of_state.find(|known| known.geoid == place).map(|known| known.share(points))
    }

    /// The place of the state that holds most of the points, with its share; `None` if none holds any.
    pub fn largest(&self, points: &Points, state: u8) -> Option<(Geoid, f64)> {
        let of_state = self.by_state.get(&state)?.iter();
        let near = of_state.filter(|place| place.bbox.intersects(&points.bbox));
        let shares = near.map(|place| (place.geoid, place.share(points))).filter(|(_, share)| *share > 0.0);
        shares.max_by(|one, other| one.1.total_cmp(&other.1))
    }
}

impl Place<'_> {
    fn share(&self, points: &Points) -> f64 {
        if !self.bbox.intersects(&points.bbox) {
            return 0.0;
        }
        let inside = |point: &&LonLat| ring::area_contains(self.rings, **point);
        points.points.iter().filter(inside).count() as f64 / points.points.len().max(1) as f64
    }
}

impl Points {
    /// Spreads a grid of points over the area of closed rings, or one point where no grid point lies inside.
    /// `None` without vertices.
    pub fn over(rings: &[Vec<LonLat>]) -> Option<Points> {
        let bbox = Bbox::around(rings.iter().flatten().copied())?;
        let step = |min: i32, max: i32, at: i32| {
            min + ((i64::from(max) - i64::from(min)) * i64::from(2 * at + 1) / i64::from(2 * GRID)) as i32
        };
        let grid = (0..GRID * GRID).map(|at| {
            let lat = step(bbox.min.lat(), bbox.max.lat(), at / GRID);
            LonLat::from_units(lat, step(bbox.min.lon(), bbox.max.lon(), at % GRID))
        });
        let mut points: Vec<LonLat> = grid.filter(|point| ring::area_contains(rings, *point)).collect();
        if points.is_empty() {
            points.extend(point_inside(rings));
        }
        Some(Points { points, bbox })
    }
}
