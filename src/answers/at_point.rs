//! What the snapshot says of a point, found once for all that the answer tells of it.

use super::{Refusal, Territory, resolve::outside};
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
        let scope = self.scope(directory);
        if self.tribal_land.is_some() { Territory::TribalLand(scope) } else { Territory::Scope(scope) }
    }

    /// Where a city began or ended after the lines were drawn, it is not known whether one governs.
    fn scope(&self, directory: &Directory) -> Scope {
        let scope = directory.scope_of_chain(&self.chain);
        if self.city_change.is_some() { Scope { place: Part::NotAtHand, ..scope } } else { scope }
    }
}
