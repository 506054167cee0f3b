//! What the snapshot says of a point, found once for all that the answer tells of it.

use super::{Answers, Refusal, Territory, resolve::outside};
use crate::{
    directory::{Borders, Chain, CityChangeRow, Directory, Resolution, Scope, TribalLandRow},
    geometry::LonLat,
    rules::Part,
};

/// A covered point.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtPoint {
    pub(super) point: LonLat,
    /// The governments that cover it.
    pub(super) chain: Chain,
    /// The nearest lines.
    pub(super) borders: Borders,
    /// The city whose beginning or end the lines do not show there.
    pub(super) city_change: Option<CityChangeRow>,
    /// The land of an American Indian nation that it lies in.
    pub(super) tribal_land: Option<TribalLandRow>,
}

impl AtPoint {
    /// Looks a point up.
    ///
    /// # Errors
    /// `outside-coverage`.
    pub(super) fn of(directory: &Directory, point: LonLat) -> Result<AtPoint, Refusal> {
        let Resolution::Inside(chain) = directory.resolve(point) else {
            return Err(outside(directory, point));
        };
        let city_change = directory.city_change_at(point, &chain);
        let (borders, tribal_land) = (directory.borders(point, &chain), directory.tribal_land_at(point));
        Ok(AtPoint { point, chain, borders, city_change, tribal_land })
    }

    /// Its part of a county.
    pub(super) fn territory(&self, directory: &Directory) -> Territory {
        territory(directory, &self.chain, self.city_change.is_some(), self.tribal_land.is_some())
    }
}

impl Answers {
    /// For what it is said who performs a function at a point of this chain. Points of one chain may differ: land of an American
    /// Indian nation, and of cities that began or ended after the lines were drawn, is told apart.
    pub fn territory_at(&self, point: LonLat, chain: &Chain) -> Territory {
        let directory = self.directory();
        let city_changed = directory.city_change_at(point, chain).is_some();
        territory(directory, chain, city_changed, directory.tribal_land_at(point).is_some())
    }
}

/// Where a city began or ended after the lines were drawn, it is not known whether one governs.
fn territory(directory: &Directory, chain: &Chain, city_changed: bool, is_tribal: bool) -> Territory {
    let scope = directory.scope_of_chain(chain);
    let scope = if city_changed { Scope { place: Part::NotAtHand, ..scope } } else { scope };
    if is_tribal { Territory::TribalLand(scope) } else { Territory::Scope(scope) }
}
