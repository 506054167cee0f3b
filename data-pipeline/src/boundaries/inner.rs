//! Chooses the point that stands for an area.
//!
//! This is the point that the Census publishes, if that lies inside the area; else a point is computed. Lines of
//! towns assembled from precincts are old or rough. The outline of a town may include land that a city has annexed,
//! and the outline of a city may include land of the town. So the computed point of a town lies outside of every city
//! that is a subdivision of its own. The computed point of such a city lies inside the polygon of its place.

use std::collections::BTreeMap;

use platbook::{
    geometry::{Bbox, LonLat, point_inside, ring},
    vocabulary::Layer,
};

use super::{divide::divide, load::Kept, same_as::SameAs};

/// Computes points inside areas.
pub struct InnerPoints<'a> {
    /// Places that are subdivisions of their own, by state.
    cities: BTreeMap<u8, Vec<(Bbox, &'a Kept)>>,
    same: &'a SameAs,
}

impl<'a> InnerPoints<'a> {
    /// Collects the places that are subdivisions of their own, by state.
    pub fn of(kept: &'a [Kept], same: &'a SameAs) -> InnerPoints<'a> {
        let mut cities: BTreeMap<u8, Vec<(Bbox, &Kept)>> = BTreeMap::new();
        let is_city =
            |area: &&Kept| area.geoid.layer() == Layer::Place && same.links.contains_key(&area.geoid);
        for area in kept.iter().filter(is_city) {
            let bbox = bbox(&area.rings).map(|bbox| (bbox, area));
            cities.entry(area.geoid.state_fips()).or_default().extend(bbox);
        }
        InnerPoints { cities, same }
    }

    /// The point of an area; `None` only for an area without land.
    pub fn point(&self, area: &Kept) -> Option<LonLat> {
        let inside = |point: &LonLat| ring::area_contains(&area.rings, *point);
        let published = area.internal_point.filter(inside);
        published.or_else(|| self.on_the_right_side(area)).or_else(|| point_inside(&area.rings))
    }

    /// For a subdivision that is also a place, a point inside both. For any other subdivision, a point outside of such
    /// places. `None` for other layers.
    fn on_the_right_side(&self, area: &Kept) -> Option<LonLat> {
        let own = bbox(&area.rings).filter(|_| area.geoid.layer() == Layer::Cousub)?;
        let link = self.same.links.get(&area.geoid);
        let cities = self.cities.get(&area.geoid.state_fips())?.iter();
        let near = cities.filter(|(bbox, city)| {
            bbox.intersects(&own) && link.is_none_or(|link| self.same.links.get(&city.geoid) == Some(link))
        });
        let near: Vec<&[Vec<LonLat>]> = near.map(|(_, city)| city.rings.as_slice()).collect();
        let in_city = |point: &LonLat| near.iter().any(|city| ring::area_contains(*city, *point));
        // The middle nearly always fits; dividing areas costs far more.
        let middle = point_inside(&area.rings).filter(|point| in_city(point) == link.is_some());
        middle.or_else(|| {
            let (shared, rest) = divide(&area.rings, &near.concat());
            point_inside(if link.is_some() { &shared } else { &rest })
        })
    }
}

fn bbox(rings: &[Vec<LonLat>]) -> Option<Bbox> {
    Bbox::around(rings.iter().flatten().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use platbook::vocabulary::{FuncStat, Geoid, Scale};

    use super::*;
    use crate::boundaries::select::Kind;

    fn square(west: i32, side: i32) -> Vec<LonLat> {
        let corners = [(west, 0), (west + side, 0), (west + side, side), (west, side), (west, 0)];
        corners.map(|(lon, lat)| LonLat::from_units(lat, lon)).to_vec()
    }

    fn area(layer: Layer, digits: &str, ring: Vec<LonLat>, internal_point: Option<LonLat>) -> Kept {
        Kept {
            geoid: Geoid::parse(layer, digits).unwrap(),
            source: 0,
            kind: Kind::Jurisdiction,
            name: String::new(),
            published_name: String::new(),
            legal_type: None,
            func_stat: FuncStat::Active,
            vintage: 2020,
            scale: Scale { denominator: 100_000 },
            land_m2: None,
            water_m2: None,
            internal_point,
            rings: vec![ring],
        }
    }

    #[test]
    fn the_point_of_a_town_lies_in_no_city_and_that_of_a_city_in_its_place() {
        let published = LonLat::from_units(1, 1);
        let kept = [
            area(Layer::Cousub, "5500900300", square(0, 100), None),
            area(Layer::Cousub, "5500931000", square(30, 60), None),
            area(Layer::Place, "5531000", square(30, 60), Some(published)),
            area(Layer::Place, "5540000", square(0, 100), Some(published)),
            // A village whose precincts reach far beyond its place.
            area(Layer::Cousub, "5500975275", square(0, 100), None),
            area(Layer::Place, "5575275", square(90, 20), None),
        ];
        let known: BTreeSet<Geoid> = kept.iter().map(|area| area.geoid).collect();
        let same = SameAs::of(&[], &known);
        let points = InnerPoints::of(&kept, &same);
        let at = |number: usize| points.point(&kept[number]).unwrap();
        let holds = |number: usize, point: LonLat| ring::area_contains(&kept[number].rings, point);
        // The second place is part of the town.
        assert!(holds(0, at(0)) && !holds(1, at(0)));
        assert!(holds(1, at(1)));
        // A published point that lies outside is not used.
        assert!(holds(2, at(2)));
        assert_eq!(at(3), published);
        assert!(holds(4, at(4)) && holds(5, at(4)));
    }
}
