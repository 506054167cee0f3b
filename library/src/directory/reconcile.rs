//! Reconciles the areas that cover a point into one consistent chain.
//!
//! Layers come from sources of different scale and vintage, so they disagree in slivers along borders. The one rule is
//! that **the finest line decides, and the other layers take the areas that nest in it or around it.**
//!
//! 1. The finest area that covers the point leads. Of equally fine areas, the smallest layer leads: county
//!    subdivision, place, county. For a point that no area covers, a county leads if it is no farther away than its
//!    line may be off. All other such points are outside.
//! 2. The leader gives the state. The county is the leader's own, or else the finest covering county of the state.
//!    Otherwise it is the county that is one government with a leading place, or else the state's nearest county.
//!    Retired counties are never the answer.
//! 3. The subdivision is the finest one of that county that covers the point. Without one, a state that subdivisions
//!    tile gets the county's nearest, so that no hole is left. The place is the finest one of the state that covers
//!    the point.
//! 4. A subdivision and a place that are one government (a city outside of all towns) are both in the chain or both
//!    absent. The finer of their lines decides; of equally fine lines, the place's line decides. The town beside a
//!    city is the nearest one only if all subdivisions have polygons. Otherwise the real town may lack its polygon.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::{Chain, Directory, Quality, Row};
use crate::{
    geometry::LonLat,
    snapshot::{ArchivedAreaRow, Covering, FIELD_LAYERS, area_flag},
    vocabulary::{Coverage, JurisdictionId, Layer},
};

/// Search radius for a subdivision that fills a sliver, in meters. Real slivers are some hundred meters wide. Over
/// open water no subdivision is named: subdivisions end at the shore there, but the county does not.
const FILL_M_MAX: f64 = 3_000.0;
/// Search radius for a subdivision in a state that subdivisions do not tile, if all subdivisions of the county have
/// polygons. Parts of these polygons may be missing. Chosen, not measured.
const FILL_M_MAX_PARTIAL: f64 = 500.0;
/// Search radius for a county of the right state, in meters. Chosen, not measured.
const COUNTY_M_MAX: f64 = 40_000.0;
/// Maximum distance in meters from a point outside all counties to the county that is given for it, however coarse
/// its line. Lines of 1:500,000 may be off by 254 m. They are the coarsest of the default snapshot that border the
/// sea or a foreign country.
const OUTSIDE_M_MAX: f64 = 500.0;

/// A polygon of the trie, as the snapshot has it.
type Polygon<'a> = &'a ArchivedAreaRow;

/// The areas that cover a point, finest first.
struct Covered<'a> {
    areas: SmallVec<[(Layer, Polygon<'a>); 8]>,
}

impl<'a> Covered<'a> {
    /// The finest area that `wanted` accepts.
    fn finest(&self, wanted: impl Fn(Layer, Polygon<'a>) -> bool) -> Option<(Layer, Polygon<'a>)> {
        self.areas.iter().copied().find(|(layer, area)| wanted(*layer, area))
    }

    fn finest_in(&self, layer: Layer, wanted: impl Fn(Polygon<'a>) -> bool) -> Option<Polygon<'a>> {
        self.finest(|of, area| of == layer && wanted(area)).map(|(_, area)| area)
    }
}

/// The rank by which one of several equally fine areas leads; the lowest leads.
fn precedence(layer: Layer) -> u8 {
    match layer {
        Layer::Cousub => 0,
        Layer::Place => 1,
        Layer::County | Layer::State => 2,
    }
}

/// The code that a subdivision and a place share if both are one government; 0 if the area has no such code.
fn link(area: Option<Polygon<'_>>) -> u32 {
    area.map_or(0, ArchivedAreaRow::link)
}

impl Directory {
    /// The chain of a point with at most one area in each layer, all of which agree, as for nearly all points;
    /// otherwise `None`.
    #[inline]
    pub(super) fn chain_at_once(&self, code: u64) -> Option<Chain> {
        let areas = self.snapshot.areas();
        let one = |field: usize| match self.snapshot.covering(code, field) {
            Covering::None => Ok(None),
            Covering::One(area) => Ok(areas.area(area)),
            Covering::Many(_) | Covering::Unlisted => Err(()),
        };
        let (county, cousub, place) = (one(0).ok()??, one(1).ok()?, one(2).ok()?);
        let county_row = county.county_row()?;
        let nested = match cousub {
            Some(cousub) => cousub.county == county.county,
            // A tiled state has a subdivision everywhere, so a point with a county but no subdivision is in a sliver.
            None => !county.has(area_flag::TILED),
        };
        let in_state = place.is_none_or(|place| place.state == county.state);
        if !nested || !in_state || link(cousub) != link(place) {
            return None;
        }
        self.chain(county.state, county_row, cousub, place, Quality::Inside)
    }

    fn chain(
        &self,
        state: u8,
        county: u32,
        cousub: Option<Polygon<'_>>,
        place: Option<Polygon<'_>>,
        quality: Quality,
    ) -> Option<Chain> {
        let row = |area: Option<Polygon<'_>>| area.and_then(ArchivedAreaRow::jurisdiction_row).map(Row::new);
        let state = (*self.state_rows.at_fips(state)?)?;
        Some(Chain { state, county: Row::new(county), cousub: row(cousub), place: row(place), quality })
    }

    /// The chain of a point whose areas disagree, or that no area covers. `None` outside of all states.
    #[cold]
    pub(super) fn reconcile(&self, point: LonLat, code: u64) -> Option<Chain> {
        let covered = self.covered(point, code);
        let (leader, outside_m) = match covered.areas.first() {
            Some((_, area)) => (*area, None),
            None => self.nearest_outside(point).map(|(area, meters)| (area, Some(meters)))?,
        };
        let county = self.county_of(point, leader, &covered)?;
        let mut cousub = self.cousub_of(point, county, leader.state, &covered);
        let mut place = covered.finest_in(Layer::Place, |area| area.state == leader.state);
        self.agree(point, county, &mut cousub, &mut place, &covered);
        let quality = match outside_m {
            Some(meters) => Quality::Nearest { meters },
            None if self.is_beyond_clipped_counties(point, county, &covered) => Quality::Water,
            None if self.all_agree(&covered, county, cousub, place) => Quality::Inside,
            None => Quality::Sliver,
        };
        self.chain(leader.state, county, cousub, place, quality)
    }

    /// The areas of all layers that cover the point, in the order of step 1.
    fn covered(&self, point: LonLat, code: u64) -> Covered<'_> {
        let mut areas: SmallVec<[(Layer, u32, Polygon<'_>); 8]> = SmallVec::new();
        for (field, layer) in FIELD_LAYERS.into_iter().enumerate() {
            let numbers = self.areas_in_field(code, field, point).into_iter();
            areas.extend(
                numbers.filter_map(|number| Some((layer, number, self.snapshot.areas().area(number)?))),
            );
        }
        areas.sort_by_key(|(layer, number, area)| (area.scale(), precedence(*layer), *number));
        Covered { areas: areas.into_iter().map(|(layer, _, area)| (layer, area)).collect() }
    }

    /// The nearest county or subdivision whose line may be off by at least its distance from the point.
    fn nearest_outside(&self, point: LonLat) -> Option<(Polygon<'_>, f64)> {
        let counts = |area: Polygon<'_>| {
            area.layer() != Some(Layer::Place)
                && area.county_row().is_some()
                && !area.has(area_flag::SUPPLEMENT)
        };
        let (number, meters) = self.nearest_area(point, OUTSIDE_M_MAX, counts)?;
        let area = self.snapshot.areas().area(number)?;
        (meters <= self.line_uncertainty_m(area)).then_some((area, meters))
    }

    /// Step 2 of the rule: the county.
    fn county_of(&self, point: LonLat, leader: Polygon<'_>, covered: &Covered<'_>) -> Option<u32> {
        let in_state = |area: Polygon<'_>| area.state == leader.state && area.county_row().is_some();
        leader
            .county_row()
            .or_else(|| covered.finest(|_, area| in_state(area)).and_then(|(_, area)| area.county_row()))
            .or_else(|| self.same_county(Row::new(leader.jurisdiction_row()?)))
            .or_else(|| self.nearest(point, COUNTY_M_MAX, in_state)?.county_row())
    }

    /// The county that is one government with a place, as in cities that are counties themselves.
    fn same_county(&self, place: Row) -> Option<u32> {
        let mut same = self.same_as(place).filter(|same| self.layer(*same) == Some(Layer::County));
        same.next().map(Row::number)
    }

    /// Whether the point is in water beyond a county outline that ends at the shore. Then all areas at the point are
    /// drawn with their water, and no county outline is closer than its uncertainty.
    fn is_beyond_clipped_counties(&self, point: LonLat, county: u32, covered: &Covered<'_>) -> bool {
        let Some(shore) = self.snapshot.shore() else { return false };
        let clipped = !shore.is_with_water(self.jurisdiction_source(Row::new(county)).index() as u16);
        let legal = |(layer, area): &(Layer, Polygon<'_>)| {
            *layer != Layer::County && shore.is_with_water(area.source())
        };
        let is_county = |area: Polygon<'_>| area.layer() == Some(Layer::County);
        let is_near = || {
            let (number, meters) = self.nearest_area(point, OUTSIDE_M_MAX, is_county)?;
            let area = self.snapshot.areas().area(number)?;
            (meters <= self.line_uncertainty_m(area)).then_some(())
        };
        clipped && covered.areas.iter().all(legal) && is_near().is_none()
    }

    /// Step 3 of the rule: the subdivision.
    fn cousub_of<'a>(
        &'a self,
        point: LonLat,
        county: u32,
        state: u8,
        covered: &Covered<'a>,
    ) -> Option<Polygon<'a>> {
        let in_county = |area: Polygon<'_>| area.county_row() == Some(county);
        covered.finest_in(Layer::Cousub, in_county).or_else(|| {
            let fills = |area: Polygon<'_>| area.layer() == Some(Layer::Cousub) && in_county(area);
            if self.is_tiled(state) { self.nearest(point, FILL_M_MAX, fills) } else { None }
        })
    }

    fn nearest(
        &self,
        point: LonLat,
        limit_m: f64,
        wanted: impl Fn(Polygon<'_>) -> bool,
    ) -> Option<Polygon<'_>> {
        self.nearest_area(point, limit_m, wanted).and_then(|(number, _)| self.snapshot.areas().area(number))
    }

    /// Step 4 of the rule: a subdivision and a place that are one government are both in the chain or both absent.
    ///
    /// `link` is the code that the two share. Four cases have different links:
    ///
    /// - a *city-town* without its place, where only the subdivision's polygon covers the point;
    /// - a *place* without its city-town, where the subdivision that covers the point is the town around the city;
    /// - two city-towns, one by each layer, where two cities meet;
    /// - a city-town and a place that is part of no town.
    ///
    /// In each case the two layers disagree on which side of one real border the point lies. The finer line decides,
    /// and the other layer gets the area on that side.
    fn agree<'a>(
        &'a self,
        point: LonLat,
        county: u32,
        cousub: &mut Option<Polygon<'a>>,
        place: &mut Option<Polygon<'a>>,
        covered: &Covered<'a>,
    ) {
        let Some(subdivision) = *cousub else { return };
        if link(*cousub) == link(*place) {
            return;
        }
        // The line to compare with the subdivision's. Without a place at the point, it is the boundary of the place
        // that is one government with the subdivision.
        let place_line = place.or_else(|| self.partner_place(point, subdivision));
        if place_line.is_some_and(|place| subdivision.scale() < place.scale()) {
            *place = self.place_beside(point, subdivision, place_line, covered);
        } else {
            // If both lines are equally fine, the place's line decides. In a tiled state a point always has a
            // subdivision, so the current one stays if no other is found. Elsewhere no subdivision is named, because a
            // wrong town is worse than none.
            let state = subdivision.state;
            let beside = self.cousub_beside(point, (state, county), link(*place), covered);
            *cousub = if self.is_tiled(state) { beside.or(*cousub) } else { beside };
        }
    }

    /// The place that is one government with the subdivision, if it is near the point.
    fn partner_place(&self, point: LonLat, subdivision: Polygon<'_>) -> Option<Polygon<'_>> {
        let is_partner = |area: Polygon<'_>| {
            area.layer() == Some(Layer::Place)
                && area.link() == subdivision.link()
                && area.state == subdivision.state
        };
        self.nearest(point, FILL_M_MAX, is_partner)
    }

    /// The place of a point where the line of the subdivision decides. For a city-town it is the city of that
    /// subdivision. For a town it is a covering place that is part of towns, if there is one.
    fn place_beside<'a>(
        &'a self,
        point: LonLat,
        subdivision: Polygon<'a>,
        place: Option<Polygon<'a>>,
        covered: &Covered<'a>,
    ) -> Option<Polygon<'a>> {
        if subdivision.link() == 0 {
            return covered
                .finest_in(Layer::Place, |area| area.state == subdivision.state && area.link() == 0);
        }
        let own = place.filter(|place| place.link() == subdivision.link());
        own.or_else(|| self.partner_place(point, subdivision))
    }

    /// The subdivision of a point where the line of the place decides. With a link, it is the city-town that has the
    /// link. With link 0, it is a town: the place is part of towns, or no place covers the point.
    fn cousub_beside<'a>(
        &'a self,
        point: LonLat,
        (state, county): (u8, u32),
        link: u32,
        covered: &Covered<'a>,
    ) -> Option<Polygon<'a>> {
        let fits = |area: Polygon<'_>| {
            area.layer() == Some(Layer::Cousub) && area.link() == link && area.county_row() == Some(county)
        };
        covered.finest_in(Layer::Cousub, fits).or_else(|| {
            // The city-town with this link is right wherever it lies. The nearest town may be wrong if some towns
            // lack their polygons.
            let limit_m = match link != 0 || self.is_tiled(state) {
                true => FILL_M_MAX,
                false if self.has_all_towns(county) => FILL_M_MAX_PARTIAL,
                false => return None,
            };
            self.nearest(point, limit_m, fits)
        })
    }

    /// Whether each subdivision of the county has a polygon.
    fn has_all_towns(&self, county: u32) -> bool {
        let lacking = self.counties_lacking_towns.get_or_init(|| {
            self.counties_of_towns(
                self.rows_of(Layer::Cousub).filter(|row| !self.jurisdiction(*row).has_boundary),
            )
        });
        !lacking.contains(&county)
    }

    /// The rows of the counties of these subdivisions.
    pub(super) fn counties_of_towns(&self, towns: impl Iterator<Item = Row>) -> BTreeSet<u32> {
        let county = |town: Row| match self.id_of(town) {
            JurisdictionId::Census(geoid) => self.row_of(geoid.county()?),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        };
        towns.filter_map(county).map(Row::number).collect()
    }

    /// Whether subdivisions tile the state.
    fn is_tiled(&self, state: u8) -> bool {
        self.cousub_coverage.at_fips(state) == Some(&Coverage::Complete)
    }

    /// Whether the chain has every area that covers the point, apart from retired areas and supplements.
    fn all_agree(
        &self,
        covered: &Covered<'_>,
        county: u32,
        cousub: Option<Polygon<'_>>,
        place: Option<Polygon<'_>>,
    ) -> bool {
        let same = |a: Option<Polygon<'_>>, b: Polygon<'_>| a.is_some_and(|a| std::ptr::eq(a, b));
        let covers = |wanted: Polygon<'_>| covered.finest(|_, area| std::ptr::eq(area, wanted)).is_some();
        let county_covers = covered.finest(|_, area| area.county_row() == Some(county)).is_some();
        county_covers
            && cousub.is_none_or(covers)
            && covered.areas.iter().all(|(layer, area)| match layer {
                Layer::Cousub => same(cousub, area),
                Layer::Place => same(place, area),
                Layer::County | Layer::State => {
                    area.county_row() == Some(county)
                        || area.has(area_flag::RETIRED)
                        || area.has(area_flag::SUPPLEMENT)
                }
            })
    }
}
