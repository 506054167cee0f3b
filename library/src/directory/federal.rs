//! Finds land at a point that may be federal: a base, a park, a forest or land of another agency.

use super::{Chain, Directory, SourceRow};
use crate::{geometry::LonLat, snapshot::CityLimits, vocabulary::FederalKind};

/// Federal land, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FederalLandRow(u32);

/// The fields of federal land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FederalLandView<'a> {
    /// Name with its legal words.
    pub name: &'a str,
    /// The kind of land, which decides whom to ask.
    pub kind: FederalKind,
}

impl Directory {
    /// The federal land that may contain a point of a chain; `None` elsewhere, and in most land inside city limits.
    pub fn federal_land_at(&self, point: LonLat, chain: &Chain) -> Option<FederalLandRow> {
        let limits = match chain.place {
            None => CityLimits::Outside,
            Some(place) if self.is_same(place, chain.county) => CityLimits::CityAndCounty,
            Some(_) => CityLimits::City,
        };
        self.snapshot.federal()?.at(point, limits).map(FederalLandRow)
    }

    /// The fields of federal land; `None` for a row of another snapshot.
    pub fn federal_land(&self, row: FederalLandRow) -> Option<FederalLandView<'_>> {
        let (name, kind) = self.snapshot.federal()?.get(row.0)?;
        Some(FederalLandView { name, kind })
    }

    /// All federal land, with an entry for each of its outlines.
    pub(super) fn federal_lands(&self) -> impl Iterator<Item = (FederalLandRow, FederalLandView<'_>)> {
        let count = self.snapshot.federal().map_or(0, |lands| lands.count());
        (0..count).map(FederalLandRow).filter_map(|row| Some((row, self.federal_land(row)?)))
    }

    /// Points of a grid over the box of such land that lie inside the land, each with the area of its cell.
    pub(super) fn points_in_federal(&self, row: FederalLandRow) -> Vec<(LonLat, u64)> {
        self.snapshot.federal().map_or_else(Vec::new, |lands| lands.points_inside(row.0))
    }

    /// The sources of the outline of federal land.
    pub fn federal_sources(&self, row: FederalLandRow) -> impl Iterator<Item = SourceRow> {
        self.snapshot.federal().into_iter().flat_map(move |lands| lands.sources(row.0)).map(SourceRow::new)
    }
}
