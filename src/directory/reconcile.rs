//! From covering areas to one consistent chain.
//!
//! Layers come from sources of different scale and vintage, so along borders they disagree in slivers. The one
//! rule: **the finest line is believed, and what nests in it or around it follows.**
//!
//! 1. Of the areas that cover the point the one with the finest scale leads; among equals the smallest layer
//!    (county subdivision, place, county). A point that nothing covers, but that lies no farther from a county
//!    than that county's line may be off, is led by it. All others lie outside.
//! 2. The leader gives the state. The county is the leader's own, else the finest covering one of the state,
//!    else the state's nearest. Retired counties never answer.
//! 3. The subdivision is the finest covering one of that county; in a state that subdivisions tile, else the
//!    county's nearest: no hole is left. The place is the finest covering one of the state.
//! 4. Where subdivision and place are one government (a city that is no part of a town), either both are in
//!    the chain or none: the finer line of the two decides, the place's among equals.

use super::{Chain, Directory, Quality, Row};
use crate::{
    geometry::LonLat,
    snapshot::{ArchivedAreaRow, Covering, FIELD_LAYERS, area_flag},
    vocabulary::Layer,
};

/// How far a subdivision is sought to fill a sliver. Real slivers are some hundred metres wide; over open
/// water, where subdivisions end at the shore but the county does not, none is named.
const FILL_M_MAX: f64 = 3_000.0;
/// How far a county of the right state is sought.
const COUNTY_M_MAX: f64 = 40_000.0;
/// However coarse a line is, beyond this distance nothing answers for a point outside. Lines of 1:500,000, the
/// coarsest of the default snapshot that have the sea or a foreign country beyond them, may be off by 254 m.
const OUTSIDE_M_MAX: f64 = 500.0;

type Area<'a> = &'a ArchivedAreaRow;

/// The areas that cover a point, finest first.
struct Covered<'a> {
    areas: Vec<(Layer, Area<'a>)>,
}

impl<'a> Covered<'a> {
    /// The finest that `wanted` accepts.
    fn finest(&self, wanted: impl Fn(Layer, Area<'a>) -> bool) -> Option<(Layer, Area<'a>)> {
        self.areas.iter().copied().find(|(layer, area)| wanted(*layer, area))
    }

    fn finest_in(&self, layer: Layer, wanted: impl Fn(Area<'a>) -> bool) -> Option<Area<'a>> {
        self.finest(|of, area| of == layer && wanted(area)).map(|(_, area)| area)
    }
}

/// Order in which equally fine areas lead.
fn precedence(layer: Layer) -> u8 {
    match layer {
        Layer::Cousub => 0,
        Layer::Place => 1,
        Layer::County | Layer::State => 2,
    }
}

fn link(area: Option<Area<'_>>) -> u32 {
    area.map_or(0, ArchivedAreaRow::link)
}

impl Directory {
    /// The chain of nearly all points: one area a layer, all in agreement.
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
        cousub: Option<Area<'_>>,
        place: Option<Area<'_>>,
        quality: Quality,
    ) -> Option<Chain> {
        let row = |area: Option<Area<'_>>| area.and_then(ArchivedAreaRow::jurisdiction_row).map(Row::new);
        let state = (*self.state_rows.at_fips(state)?)?;
        Some(Chain { state, county: Row::new(county), cousub: row(cousub), place: row(place), quality })
    }

    /// The chain of a point whose areas disagree, or that nothing covers.
    #[cold]
    pub(super) fn reconcile(&self, point: LonLat, code: u64) -> Option<Chain> {
        let covered = self.covered(point, code);
        let (leader, outside_m) = match covered.areas.first() {
            Some((_, area)) => (*area, None),
            None => self.nearest_outside(point).map(|(area, metres)| (area, Some(metres)))?,
        };
        let county = self.county_of(point, leader, &covered)?;
        let mut cousub = self.cousub_of(point, county, leader.state, &covered);
        let mut place = covered.finest_in(Layer::Place, |area| area.state == leader.state);
        self.agree(point, county, &mut cousub, &mut place, &covered);
        let quality = match outside_m {
            Some(metres) => Quality::Nearest { metres },
            None if self.all_agree(&covered, county, cousub, place) => Quality::Inside,
            None => Quality::Sliver,
        };
        self.chain(leader.state, county, cousub, place, quality)
    }

    fn covered(&self, point: LonLat, code: u64) -> Covered<'_> {
        let mut areas: Vec<(Layer, u32, Area<'_>)> = Vec::new();
        for (field, layer) in FIELD_LAYERS.into_iter().enumerate() {
            let numbers = self.areas_in_field(code, field, point).into_iter();
            areas.extend(
                numbers.filter_map(|number| Some((layer, number, self.snapshot.areas().area(number)?))),
            );
        }
        areas.sort_by_key(|(layer, number, area)| (area.scale(), precedence(*layer), *number));
        Covered { areas: areas.into_iter().map(|(layer, _, area)| (layer, area)).collect() }
    }

    /// The county or subdivision whose line may be off by as much as the point lies outside.
    fn nearest_outside(&self, point: LonLat) -> Option<(Area<'_>, f64)> {
        let counts = |area: Area<'_>| {
            area.layer() != Some(Layer::Place)
                && area.county_row().is_some()
                && !area.has(area_flag::SUPPLEMENT)
        };
        let (number, metres) = self.nearest_area(point, OUTSIDE_M_MAX, counts)?;
        let area = self.snapshot.areas().area(number)?;
        (metres <= self.line_uncertainty_m(area)).then_some((area, metres))
    }

    fn county_of(&self, point: LonLat, leader: Area<'_>, covered: &Covered<'_>) -> Option<u32> {
        let in_state = |area: Area<'_>| area.state == leader.state && area.county_row().is_some();
        leader
            .county_row()
            .or_else(|| covered.finest(|_, area| in_state(area)).and_then(|(_, area)| area.county_row()))
            .or_else(|| self.nearest(point, COUNTY_M_MAX, in_state)?.county_row())
    }

    fn cousub_of<'a>(
        &'a self,
        point: LonLat,
        county: u32,
        state: u8,
        covered: &Covered<'a>,
    ) -> Option<Area<'a>> {
        let in_county = |area: Area<'_>| area.county_row() == Some(county);
        covered.finest_in(Layer::Cousub, in_county).or_else(|| {
            let tiled = self.tiled.at_fips(state) == Some(&true);
            let fills = |area: Area<'_>| area.layer() == Some(Layer::Cousub) && in_county(area);
            if tiled { self.nearest(point, FILL_M_MAX, fills) } else { None }
        })
    }

    fn nearest(&self, point: LonLat, limit_m: f64, wanted: impl Fn(Area<'_>) -> bool) -> Option<Area<'_>> {
        self.nearest_area(point, limit_m, wanted).and_then(|(number, _)| self.snapshot.areas().area(number))
    }

    /// Step 4 of the rule.
    fn agree<'a>(
        &'a self,
        point: LonLat,
        county: u32,
        cousub: &mut Option<Area<'a>>,
        place: &mut Option<Area<'a>>,
        covered: &Covered<'a>,
    ) {
        if cousub.is_none() || link(*cousub) == link(*place) {
            return;
        }
        let scale = |area: Option<Area<'_>>| area.map(ArchivedAreaRow::scale);
        // Without a place at the point, the line that leaves it out is that of the place the subdivision names.
        let named = |layer: Layer, code: u32| {
            move |area: Area<'_>| area.layer() == Some(layer) && area.link() == code
        };
        let state = cousub.or(*place).map_or(0, |area| area.state);
        let absent = || {
            let partner = named(Layer::Place, link(*cousub));
            self.nearest(point, FILL_M_MAX, |area| area.state == state && partner(area))
        };
        let place_line = place.or_else(absent);
        if place_line.is_some() && scale(*cousub).is_some_and(|cousub| Some(cousub) < scale(place_line)) {
            *place = if link(*cousub) == 0 {
                covered.finest_in(Layer::Place, |area| area.state == state && link(Some(area)) == 0)
            } else {
                place_line.filter(|area| link(Some(area)) == link(*cousub)).or_else(absent)
            };
            return;
        }
        let wanted = named(Layer::Cousub, link(*place));
        let in_county = |area: Area<'_>| area.county_row() == Some(county) && wanted(area);
        let better = covered
            .finest_in(Layer::Cousub, in_county)
            .or_else(|| self.nearest(point, FILL_M_MAX, in_county));
        *cousub = better.or(*cousub);
    }

    /// Whether the chain has every area that covers the point, retired ones and supplements aside.
    fn all_agree(
        &self,
        covered: &Covered<'_>,
        county: u32,
        cousub: Option<Area<'_>>,
        place: Option<Area<'_>>,
    ) -> bool {
        let same = |a: Option<Area<'_>>, b: Area<'_>| a.is_some_and(|a| std::ptr::eq(a, b));
        let covers = |wanted: Area<'_>| covered.finest(|_, area| std::ptr::eq(area, wanted)).is_some();
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
