//! Cities that began or ended after the year of the lines of cities: where, when, and on whose word.
//!
//! The table is short (some dozens of rows), so points outside of every city walk it.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::geometry::{LonLat, distance_m};

/// A change on its way into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCityChange {
    /// What the city is called.
    pub name: String,
    /// What became of it.
    pub what: NewCityFate,
    /// The year of it, where that is known.
    pub year: Option<u16>,
    /// Row of its source in `meta`.
    pub source: u16,
}

/// What became of a city.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCityFate {
    /// It began, and its land is about here.
    Began(NewCityLand),
    /// It ended: its code in the Census Bureau's lists, 7 digits.
    Ended(u32),
    /// It became part of the city of this name: its code, 7 digits.
    Joined(u32, String),
}

/// Where the land of a city is whose lines are not at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCityLand {
    /// The county subdivision of this GEOID.
    Town(u64),
    /// No farther from a point than so many metres.
    Round {
        /// The point.
        middle: LonLat,
        /// Metres.
        reach_m: u32,
    },
}

/// The changes as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct CityChanges {
    rows: Vec<CityChangeRow>,
    heap: Vec<u8>,
}

#[derive(Debug, Default, Archive, Serialize)]
pub(super) struct CityChangeRow {
    /// GEOID of the county subdivision that became the city; 0: none.
    town: u64,
    /// Places in `heap`: the name, and the city that it joined (empty: none).
    name: u32,
    into: u32,
    /// Code of the place that is no more; 0: none.
    place: u32,
    /// Latitude and longitude of the middle of its land, in units of the geometry.
    middle: (i32, i32),
    /// How far from there it may reach, metres; 0: the middle is not given.
    reach_m: u32,
    /// 0: not known.
    year: u16,
    source: u16,
}

/// A change as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityChange<'a> {
    /// What the city is called.
    pub name: &'a str,
    /// Whether it began; else it is no more.
    pub began: bool,
    /// The city that it became part of.
    pub into: Option<&'a str>,
    /// The year of it, where that is known.
    pub year: Option<u16>,
    /// The middle of its land, where its lines are not at hand.
    pub middle: Option<LonLat>,
    /// Row of its source in `meta`.
    pub source: u16,
}

impl CityChanges {
    /// Packs the changes.
    ///
    /// # Errors
    /// When a name is too long.
    pub fn pack(changes: &[NewCityChange]) -> Result<CityChanges, WriteError> {
        let mut heap = TextHeap::<2>::new();
        let row = |change: &NewCityChange| -> Result<CityChangeRow, WriteError> {
            let row = match &change.what {
                NewCityFate::Began(NewCityLand::Town(town)) => {
                    CityChangeRow { town: *town, ..CityChangeRow::default() }
                }
                NewCityFate::Began(NewCityLand::Round { middle, reach_m }) => {
                    let middle = (middle.lat(), middle.lon());
                    CityChangeRow { middle, reach_m: *reach_m, ..CityChangeRow::default() }
                }
                NewCityFate::Ended(place) => CityChangeRow { place: *place, ..CityChangeRow::default() },
                NewCityFate::Joined(place, into) => {
                    CityChangeRow { place: *place, into: heap.place(into)?, ..CityChangeRow::default() }
                }
            };
            let (name, year) = (heap.place(&change.name)?, change.year.unwrap_or_default());
            Ok(CityChangeRow { name, year, source: change.source, ..row })
        };
        let rows = changes.iter().map(row).collect::<Result<_, _>>()?;
        Ok(CityChanges { rows, heap: heap.into_bytes() })
    }
}

impl ArchivedCityChanges {
    /// The number of the city that began after the lines were drawn and whose land the point may be: the one that a town
    /// became, else of several the one whose middle is nearest.
    pub fn began_at(&self, point: LonLat, town: Option<u64>) -> Option<u32> {
        let mut numbered = self.rows.iter().zip(0..);
        let of_town = town.and_then(|town| numbered.find(|(row, _)| row.town.to_native() == town));
        let near = || {
            let near = self.rows.iter().zip(0..).filter(|(row, _)| row.may_reach(point));
            let near = near.filter_map(|(row, number)| {
                let metres = distance_m(point, row.middle());
                (metres <= f64::from(row.reach_m.to_native())).then_some((metres, number))
            });
            near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, number)| number)
        };
        of_town.map(|(_, number)| number).or_else(near)
    }

    /// The cities that ended, by their codes, each with the number of its change.
    pub fn ended(&self) -> impl Iterator<Item = (u32, u32)> {
        let ends = self.rows.iter().map(|row| row.place.to_native()).zip(0..);
        ends.filter(|(place, _)| *place > 0)
    }

    /// A change by its number.
    pub fn get(&self, number: u32) -> Option<CityChange<'_>> {
        let row = self.rows.get(number as usize)?;
        Some(CityChange {
            name: text_at::<2>(&self.heap, row.name.to_native()),
            began: row.place.to_native() == 0,
            into: Some(text_at::<2>(&self.heap, row.into.to_native())).filter(|into| !into.is_empty()),
            year: Some(row.year.to_native()).filter(|year| *year > 0),
            middle: Some(row.middle()).filter(|_| row.reach_m.to_native() > 0),
            source: row.source.to_native(),
        })
    }

    pub(super) fn check(&self, sources: usize) -> Result<(), SnapshotError> {
        if self.rows.iter().any(|row| usize::from(row.source.to_native()) >= sources) {
            return Err(SnapshotError::layout("city_changes", "a source that is not there"));
        }
        Ok(())
    }
}

impl ArchivedCityChangeRow {
    /// Whether the land may reach as far north or south as the point: to ask that is many times cheaper than the distance.
    fn may_reach(&self, point: LonLat) -> bool {
        // A unit of latitude is 11.1 mm, so a metre is less than 100 units.
        let reach = u64::from(self.reach_m.to_native()) * 100;
        u64::from(point.lat().abs_diff(self.middle.0.to_native())) < reach
    }

    fn middle(&self) -> LonLat {
        LonLat::from_units(self.middle.0.to_native(), self.middle.1.to_native())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_city_is_near_within_its_reach_or_in_its_town_and_an_ended_one_goes_by_its_code() {
        let change = |name: &str, what: NewCityFate, year: Option<u16>| NewCityChange {
            name: name.to_owned(),
            what,
            year,
            source: 0,
        };
        let round = |lat: i32| {
            let middle = LonLat::from_units(lat, -845_000_000);
            NewCityFate::Began(NewCityLand::Round { middle, reach_m: 5_000 })
        };
        let changes = [
            change("Mableton", round(338_000_000), Some(2022)),
            change("Nextdoor", round(338_600_000), None),
            change("Empire", NewCityFate::Began(NewCityLand::Town(2_703_719_376)), Some(2023)),
            change("Gone", NewCityFate::Ended(1_300_001), None),
            change("Small", NewCityFate::Joined(1_300_002, "Large".to_owned()), Some(2024)),
        ];
        let packed = CityChanges::pack(&changes).unwrap();
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedCityChanges, rkyv::rancor::Error>(&bytes).unwrap();
        let told = |number: Option<u32>| {
            let change = number.and_then(|number| read.get(number))?;
            Some((change.name, change.began, change.into, change.year))
        };
        let at =
            |lat: i32, town: Option<u64>| told(read.began_at(LonLat::from_units(lat, -845_000_000), town));
        assert_eq!(at(338_100_000, Some(1)), Some(("Mableton", true, None, Some(2022))));
        assert_eq!(at(338_500_000, None), Some(("Nextdoor", true, None, None)));
        assert_eq!(at(340_000_000, None), None);
        assert_eq!(at(340_000_000, Some(2_703_719_376)), Some(("Empire", true, None, Some(2023))));
        assert_eq!(read.ended().collect::<Vec<_>>(), [(1_300_001, 3), (1_300_002, 4)]);
        assert_eq!(told(Some(3)), Some(("Gone", false, None, None)));
        assert_eq!(told(Some(4)), Some(("Small", false, Some("Large"), Some(2024))));
        assert!(read.get(5).is_none() && read.check(1).is_ok() && read.check(0).is_err());
    }
}
