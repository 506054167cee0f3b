//! Finds cities that began or ended after their limits were drawn.

use super::{Chain, Directory, Resolution, Row, SourceRow};
use crate::{
    geometry::LonLat,
    snapshot::CityChange,
    vocabulary::{Geoid, JurisdictionId, Layer, PerState, StateCode, name_key},
};

/// A city that began or ended, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CityChangeRow(u32);

/// The fields of a city change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityChangeView<'a> {
    /// Name of the city.
    pub name: &'a str,
    /// `true` if the city was incorporated, `false` if it was dissolved or merged.
    pub began: bool,
    /// The city that an ended city merged into.
    pub into: Option<&'a str>,
    /// Year of the change; `None` if it is not known.
    pub year: Option<u16>,
    /// The source that documents the change.
    pub source: SourceRow,
}

/// A city that began after its limits were drawn, as found by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YoungCity {
    /// The change by which the city began.
    pub change: CityChangeRow,
    /// The county that contains the center of its land.
    pub county: Row,
}

/// A name that finds a young city.
#[derive(Debug)]
pub(super) struct YoungName {
    key: String,
    state: Option<StateCode>,
    city: YoungCity,
}

impl Directory {
    /// The city with a folded name that began after the limits were drawn, restricted to a state if one is given. A
    /// town that became a city is found as the town instead.
    pub(super) fn young_city_of_key(&self, key: &str, state: Option<StateCode>) -> Option<YoungCity> {
        let names = self.young_names.get_or_init(|| self.young_names());
        let is_meant = |name: &&YoungName| name.key == key && (state.is_none() || name.state == state);
        names.iter().find(is_meant).map(|name| name.city)
    }

    fn young_names(&self) -> Box<[YoungName]> {
        let Some(changes) = self.snapshot.city_changes() else { return Box::default() };
        let named = |(number, change): (u32, CityChange<'_>)| {
            let Resolution::Inside(chain) = self.resolve(change.middle?) else { return None };
            let city = YoungCity { change: CityChangeRow(number), county: chain.county };
            Some(YoungName { key: name_key(change.name), state: self.state_of(chain.county), city })
        };
        let numbered = (0..).map_while(|number| Some((number, changes.get(number)?)));
        numbered.filter_map(named).collect()
    }

    /// The city change that affects a point of a chain. Outside of cities, this is a new city that may cover the
    /// point; in a city, it is the end of that city.
    pub fn city_change_at(&self, point: LonLat, chain: &Chain) -> Option<CityChangeRow> {
        let Some(place) = chain.place else {
            let town = chain.cousub.and_then(|town| self.census_code(town));
            return self.snapshot.city_changes()?.began_at(point, town).map(CityChangeRow);
        };
        self.end_of_city(place)
    }

    /// The end of a city that is still mapped; `None` for other rows.
    pub fn end_of_city(&self, row: Row) -> Option<CityChangeRow> {
        let at = self.ended_cities.binary_search_by_key(&row, |(city, _)| *city).ok()?;
        Some(self.ended_cities[at].1)
    }

    /// The ended cities, sorted by row, because each answer for a point in a city looks one up.
    pub(super) fn ended_cities(&self) -> Box<[(Row, CityChangeRow)]> {
        let changes = self.snapshot.city_changes();
        self.sorted_by_row(changes.into_iter().flat_map(|changes| changes.ended()), CityChangeRow)
    }

    /// The changes of mapped cities as rows, sorted by row. `changes` has a place code and a number for each.
    pub(super) fn sorted_by_row<C: Ord>(
        &self,
        changes: impl Iterator<Item = (u32, u32)>,
        change: impl Fn(u32) -> C,
    ) -> Box<[(Row, C)]> {
        let row = |code: u32| self.row_of(Geoid::parse(Layer::Place, &format!("{code:07}")).ok()?);
        let mut rows: Vec<_> =
            changes.filter_map(|(code, number)| Some((row(code)?, change(number)))).collect();
        rows.sort_unstable();
        rows.into_boxed_slice()
    }

    /// The digits of the Census id of a row as a number; `None` for the country and districts.
    pub(super) fn census_code(&self, row: Row) -> Option<u64> {
        match self.id_of(row) {
            JurisdictionId::Census(geoid) => Some(geoid.code()),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        }
    }

    /// The fields of a city change.
    pub fn city_change(&self, row: CityChangeRow) -> Option<CityChangeView<'_>> {
        let CityChange { name, began, into, year, source, .. } = self.snapshot.city_changes()?.get(row.0)?;
        Some(CityChangeView { name, began, into, year, source: SourceRow::new(source) })
    }

    /// The year of most city limits in a state; `None` if the source does not give it.
    pub fn year_of_place_lines(&self, state: StateCode) -> Option<u16> {
        *self.place_lines_year.get(state)
    }

    /// The year of most city limits in each state, computed once because each point outside of cities needs it.
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
        directory::{Resolution, Row, Unlisted},
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
        let named = |name: &str, fips: u8| {
            let unlisted = directory.unlisted_named(name, StateCode::from_fips(fips)?);
            let [(unlisted @ Unlisted::YoungCity(city), county)] = unlisted[..] else { return None };
            let found = directory.search(name, StateCode::from_fips(fips), 5);
            let rows: Vec<Row> = found.places.iter().map(|place| place.row).collect();
            assert_eq!((found.unlisted, rows), (vec![unlisted], vec![county]), "{name}");
            assert_eq!(county, city.county);
            Some(directory.city_change(city.change)?.name)
        };
        for (name, fips, expected) in [
            ("newtown", 27, Some("Newtown")),
            ("City of Newtown", 27, Some("Newtown")),
            ("Newtown", 55, None),
            ("Millbrook", 27, None),
        ] {
            assert_eq!(named(name, fips), expected, "{name}");
        }
        let year =
            |fips: u8| StateCode::from_fips(fips).and_then(|state| directory.year_of_place_lines(state));
        assert_eq!((year(27), year(55)), (Some(2020), None));
    }
}
