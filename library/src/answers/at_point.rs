//! Looks up everything that the snapshot has on a point, once for the whole answer.

use super::{Refusal, Territory};
use crate::{
    directory::{
        Borders, Chain, CityChangeRow, Directory, FederalLandRow, OnDay, Resolution, Scope, TribalLandRow,
    },
    geometry::LonLat,
    rules::Part,
    vocabulary::{Date, ProblemKind},
};

/// A covered point and the snapshot's data on it.
#[derive(Clone, Debug)]
pub(super) struct AtPoint {
    pub(super) point: LonLat,
    /// The governments that cover it.
    pub(super) chain: Chain,
    /// The county line and the place line nearest to the point.
    pub(super) borders: Borders,
    /// The requested day, and what is known of the point on that day; `None` for an answer about today.
    pub(super) on_day: Option<(Date, OnDay)>,
    /// A city that began or ended here after the lines were drawn. Usually `None`; always `None` if a day is given.
    pub(super) city_change: Option<CityChangeRow>,
    /// The land of an American Indian nation around the point; usually `None`.
    pub(super) tribal_land: Option<TribalLandRow>,
    /// The federal land that may contain the point; usually `None`.
    pub(super) federal_land: Option<FederalLandRow>,
}

impl AtPoint {
    /// Looks up a covered point, as of a day if one is given.
    ///
    /// # Errors
    /// `outside-coverage`.
    pub(super) fn look_up(
        directory: &Directory,
        point: LonLat,
        date: Option<Date>,
    ) -> Result<AtPoint, Refusal> {
        let now = covering(directory, point)?;
        let on_day = directory.day_of(date).map(|date| (date, directory.on_day(date, point, &now)));
        let chain = on_day.as_ref().map_or(now, |(_, on)| on.chain);
        let city_change = match on_day {
            Some(_) => None,
            None => directory.city_change_at(point, &chain),
        };
        let mut borders = directory.borders(point, &chain);
        if chain.place != now.place {
            // This line may be that of a city that began after the day.
            borders.place =
                borders.place.filter(|line| line.neighbor.is_some() && line.neighbor != now.place);
        }
        let tribal_land = directory.tribal_land_at(point);
        let federal_land = directory.federal_land_at(point, &chain);
        Ok(AtPoint { point, chain, borders, on_day, city_change, tribal_land, federal_land })
    }

    /// The part of a county that the point lies in, as rules see it.
    pub(super) fn territory(&self, directory: &Directory) -> Territory {
        let on_day = self.on_day.as_ref().map(|(_, on)| on);
        let ground = Ground {
            city_changed: self.city_change.is_some() || on_day.is_some_and(|on| on.is_city_unsure),
            town_changed: on_day.is_some_and(|on| on.is_town_unsure),
            is_tribal: self.tribal_land.is_some(),
            is_federal: self.federal_land.is_some(),
            past: on_day.map_or(0, |on| on.past),
        };
        ground.territory(directory, &self.chain)
    }
}

/// The governments that cover a point.
///
/// # Errors
/// `outside-coverage`.
pub(super) fn covering(directory: &Directory, point: LonLat) -> Result<Chain, Refusal> {
    match directory.resolve(point) {
        Resolution::Inside(chain) => Ok(chain),
        Resolution::Outside => Err(outside(directory, point)),
    }
}

fn outside(directory: &Directory, point: LonLat) -> Refusal {
    let (lat, lon) = (point.lat_degrees(), point.lon_degrees());
    let mut detail = format!("lat {lat}, lon {lon} is in no covered state or territory");
    if let Some((slip, state)) = likely_slip(directory, lat, lon) {
        detail.push_str(&format!("; {slip} would be in {state}"));
    }
    Refusal::new(ProblemKind::OutsideCoverage, detail)
}

/// Returns the corrected coordinates and their state after a common mistake: swapped coordinates or a lost minus
/// sign.
fn likely_slip(directory: &Directory, lat: f64, lon: f64) -> Option<(String, &str)> {
    let slips = [
        ("swapped", lon, lat),
        ("with a minus sign", lat, -lon),
        ("swapped and with a minus sign", lon, -lat),
    ];
    slips.into_iter().find_map(|(slip, lat, lon)| {
        let point = LonLat::from_lat_lon(lat, lon).ok()?;
        let Resolution::Inside(chain) = directory.resolve(point) else { return None };
        Some((format!("lat {lat}, lon {lon} ({slip})"), directory.name_of(chain.state)))
    })
}

/// Properties of a point that decide, together with its chain, who performs a function there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ground {
    /// A city began or ended here after the lines were drawn.
    city_changed: bool,
    /// No lines are mapped for the county subdivision of that day.
    town_changed: bool,
    /// The point is on land of an American Indian nation.
    is_tribal: bool,
    /// The point may be on federal land.
    is_federal: bool,
    /// The number of past cases of the rules that held, see [`Scope::past`].
    past: u16,
}

impl Ground {
    /// The ground at a point of a chain.
    pub fn at(directory: &Directory, point: LonLat, chain: &Chain) -> Ground {
        Ground {
            city_changed: directory.city_change_at(point, chain).is_some(),
            town_changed: false,
            past: 0,
            is_tribal: directory.tribal_land_at(point).is_some(),
            is_federal: directory.federal_land_at(point, chain).is_some(),
        }
    }

    /// The ground at a point on a day.
    pub fn on_day(directory: &Directory, point: LonLat, on: &OnDay) -> Ground {
        Ground {
            city_changed: on.is_city_unsure,
            town_changed: on.is_town_unsure,
            past: on.past,
            ..Ground::at(directory, point, &on.chain)
        }
    }

    /// Returns the part of a county that has this ground. If a city has begun or ended since the lines were drawn, the
    /// place is unknown.
    pub fn territory(self, directory: &Directory, chain: &Chain) -> Territory {
        let scope = Scope { past: self.past, ..directory.scope_of_chain(chain) };
        let scope = if self.city_changed { Scope { place: Part::NotAtHand, ..scope } } else { scope };
        let scope = if self.town_changed { Scope { cousub: Part::NotAtHand, ..scope } } else { scope };
        match self {
            Ground { is_tribal: true, .. } => Territory::TribalLand(scope),
            Ground { is_federal: true, .. } => Territory::FederalLand(scope),
            Ground { .. } => Territory::Scope(scope),
        }
    }
}
