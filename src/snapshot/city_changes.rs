//! Cities that began or ended after the year of the lines of cities: where, when, and on whose word.
//!
//! The table is short (some dozens of rows), so it is walked; only points outside of every city, or in one of its rows, ask.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write::WriteError,
};
use crate::geometry::{LonLat, distance_m};

/// A change on its way into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCityChange {
    /// What the city is called.
    pub name: String,
    /// Its code in the Census Bureau's lists, 7 digits; none where that has no place in them yet.
    pub place: Option<u32>,
    /// Whether it began; else it ended.
    pub began: bool,
    /// Day of the change: year, month and day as 20230103.
    pub day: u32,
    /// Its middle.
    pub middle: LonLat,
    /// How far from there its land may reach, in metres.
    pub reach_m: u32,
    /// Row of its source in `meta`.
    pub source: u16,
}

/// The changes as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct CityChanges {
    rows: Vec<CityChangeRow>,
    heap: Vec<u8>,
}

#[derive(Debug, Archive, Serialize)]
pub(super) struct CityChangeRow {
    /// Place in `heap`.
    name: u32,
    /// 0: none.
    place: u32,
    began: bool,
    day: u32,
    /// Latitude and longitude in units of the geometry.
    middle: (i32, i32),
    reach_m: u32,
    source: u16,
}

/// A change as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityChange<'a> {
    /// What the city is called.
    pub name: &'a str,
    /// Whether it began; else it ended.
    pub began: bool,
    /// Day of the change: year, month and day as 20230103.
    pub day: u32,
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
            Ok(CityChangeRow {
                name: heap.place(&change.name)?,
                place: change.place.unwrap_or_default(),
                began: change.began,
                day: change.day,
                middle: (change.middle.lat(), change.middle.lon()),
                reach_m: change.reach_m,
                source: change.source,
            })
        };
        let rows = changes.iter().map(row).collect::<Result<_, _>>()?;
        Ok(CityChanges { rows, heap: heap.into_bytes() })
    }
}

impl ArchivedCityChanges {
    /// The number of the city that began after the lines were drawn and whose land may reach the point: of several the one
    /// whose middle is nearest.
    pub fn began_near(&self, point: LonLat) -> Option<u32> {
        let near = self.rows.iter().zip(0..).filter(|(row, _)| row.began).filter_map(|(row, number)| {
            let metres = distance_m(point, row.middle());
            (metres <= f64::from(row.reach_m.to_native())).then_some((metres, number))
        });
        near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, number)| number)
    }

    /// The number of the change that ended a city.
    pub fn ended(&self, place: u32) -> Option<u32> {
        let at = self.rows.iter().position(|row| !row.began && row.place.to_native() == place)?;
        u32::try_from(at).ok()
    }

    /// A change by its number.
    pub fn get(&self, number: u32) -> Option<CityChange<'_>> {
        let row = self.rows.get(number as usize)?;
        Some(CityChange {
            name: text_at::<2>(&self.heap, row.name.to_native()),
            began: row.began,
            day: row.day.to_native(),
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
    fn middle(&self) -> LonLat {
        LonLat::from_units(self.middle.0.to_native(), self.middle.1.to_native())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_city_is_near_within_its_reach_and_an_ended_one_goes_by_its_code() {
        let change = |name: &str, began: bool, lat: i32, place: Option<u32>| NewCityChange {
            name: name.to_owned(),
            place,
            began,
            day: 20_230_103,
            middle: LonLat::from_units(lat, -845_000_000),
            reach_m: 5_000,
            source: 0,
        };
        let changes = [
            change("Mableton", true, 338_000_000, None),
            change("Nextdoor", true, 338_600_000, None),
            change("Gone", false, 338_000_000, Some(1_300_001)),
        ];
        let packed = CityChanges::pack(&changes).unwrap();
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedCityChanges, rkyv::rancor::Error>(&bytes).unwrap();
        let name = |number: Option<u32>| number.and_then(|number| read.get(number)).map(|change| change.name);
        let near = |lat: i32| name(read.began_near(LonLat::from_units(lat, -845_000_000)));
        assert_eq!(near(338_100_000), Some("Mableton"));
        assert_eq!(near(338_500_000), Some("Nextdoor"));
        assert_eq!(near(340_000_000), None);
        assert_eq!(name(read.ended(1_300_001)), Some("Gone"));
        assert_eq!(read.ended(1_300_002), None);
        assert_eq!(read.get(0).map(|change| (change.began, change.day)), Some((true, 20_230_103)));
        assert!(read.get(3).is_none() && read.check(1).is_ok() && read.check(0).is_err());
    }
}
