//! Did a city begin or end after its lines were drawn?

use super::{Chain, Directory, Row, SourceRow};
use crate::{
    geometry::LonLat,
    snapshot::CityChange,
    vocabulary::{JurisdictionId, Layer, StateCode},
};

/// A city that began or ended, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CityChangeRow(u32);

/// What is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityChangeView<'a> {
    /// What the city is called.
    pub name: &'a str,
    /// Whether it began; else it is no more.
    pub began: bool,
    /// The city that it became part of.
    pub into: Option<&'a str>,
    /// The year of it, where that is known.
    pub year: Option<u16>,
    /// Who says so.
    pub source: SourceRow,
}

impl Directory {
    /// The city whose beginning or end the lines do not show at a point of a chain: one that may have its land there where
    /// no city covers the point, or the one that covers it.
    pub fn city_change_at(&self, point: LonLat, chain: &Chain) -> Option<CityChangeRow> {
        let changes = self.snapshot.city_changes()?;
        let code = |row: Row| match self.jurisdiction(row).id {
            JurisdictionId::Census(geoid) => Some(geoid.code()),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        };
        let number = match chain.place {
            None => changes.began_at(point, chain.cousub.and_then(code)),
            Some(place) => changes.ended(u32::try_from(code(place)?).ok()?),
        };
        number.map(CityChangeRow)
    }

    /// What is known of such a city.
    pub fn city_change(&self, row: CityChangeRow) -> Option<CityChangeView<'_>> {
        let CityChange { name, began, into, year, source } = self.snapshot.city_changes()?.get(row.0)?;
        Some(CityChangeView { name, began, into, year, source: SourceRow::new(source) })
    }

    /// The year of most lines of a layer in a state.
    pub fn year_of_lines(&self, state: StateCode, layer: Layer) -> Option<u16> {
        let rows = &self.snapshot.meta().coverage;
        let row = rows.iter().find(|row| row.layer() == Some(layer) && row.state() == Some(state))?;
        let source = row.source()?;
        Some(self.source(SourceRow::new(source)).vintage).filter(|year| *year > 0)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        directory::Resolution,
        testing::{directory, point},
    };

    #[test]
    fn a_city_younger_than_the_lines_is_known_round_its_middle() {
        let directory = directory();
        let at = |x: f64, y: f64| {
            let Resolution::Inside(chain) = directory.resolve(point(x, y)) else { return None };
            let change = directory.city_change(directory.city_change_at(point(x, y), &chain)?)?;
            Some((change.name, change.began, change.year))
        };
        assert_eq!(at(3.0, 8.1), Some(("Newtown", true, Some(2023))));
        assert_eq!(at(3.0, 9.5), None);
    }
}
