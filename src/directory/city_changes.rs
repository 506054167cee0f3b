//! Did a city begin or end after its lines were drawn?

use super::{Chain, Directory, Row, SourceRow};
use crate::{
    geometry::LonLat,
    snapshot::CityChange,
    vocabulary::{JurisdictionId, Layer, PerState, StateCode},
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
        let code = |row: Row| match self.id_of(row) {
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

    /// The year of most lines of incorporated places in a state.
    pub fn year_of_place_lines(&self, state: StateCode) -> Option<u16> {
        *self.place_lines_year.get(state)
    }

    /// Of each state: asked for at every point outside of cities, so made once.
    pub(super) fn place_lines_years(&self) -> PerState<Option<u16>> {
        let mut years = PerState::default();
        for row in self.snapshot.meta().coverage.iter() {
            if let (Some(Layer::Place), Some(state), Some(source)) = (row.layer(), row.state(), row.source())
            {
                let year = self.source(SourceRow::new(source)).vintage;
                *years.get_mut(state) = Some(year).filter(|year| *year > 0);
            }
        }
        years
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        directory::Resolution,
        testing::{directory, point},
        vocabulary::StateCode,
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
        let year =
            |fips: u8| StateCode::from_fips(fips).and_then(|state| directory.year_of_place_lines(state));
        assert_eq!((year(27), year(55)), (Some(2020), None));
    }
}
