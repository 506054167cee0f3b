//! Cities that began or ended, with the land, the time and the source of each change.
//!
//! The section `city_changes` has the changes after the year of the mapped city limits, for answers about today. The
//! section `change_days` has these and earlier changes with their days, for answers about a given day. Each section has
//! a few dozen rows, so a lookup of a point outside all cities reads all rows.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::{
    geometry::{LonLat, distance_m},
    vocabulary::Date,
};

/// A change before it is packed into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCityChange {
    /// Name of the city.
    pub name: String,
    /// The kind of the change, with the data for this kind.
    pub what: NewCityFate,
    /// Year of the change; `None` if it is not known.
    pub year: Option<u16>,
    /// Row in `meta` of the source of this change.
    pub source: u16,
}

/// A change with the days on which it may have happened, before it is packed into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDatedChange {
    /// The change, without the days.
    pub change: NewCityChange,
    /// The first and the last day on which the change may have happened. The two are equal if the day is known.
    pub days: (Date, Date),
}

/// The kind of a city's change, with the data for this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCityFate {
    /// The city was incorporated. Its land is known only roughly.
    Began(NewCityLand),
    /// The city was incorporated before the mapped limits were drawn. The number is its 7-digit place code. The text
    /// names the government that the land belonged to; it is empty if that government is not known.
    BeganMapped(u32, String),
    /// The city was dissolved. The number is its 7-digit place code.
    Ended(u32),
    /// The city merged into the city that the text names. The number is the 7-digit place code of the city that ended.
    Joined(u32, String),
    /// The city ended before the mapped limits were drawn, so its land is known only roughly. The text names the city
    /// that it merged into; it is empty if the city was dissolved.
    Left(NewCityLand, String),
}

/// The approximate land of a city whose limits are not mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCityLand {
    /// The county subdivision with this GEOID.
    Town(u64),
    /// All points within a given distance of a point.
    Round {
        /// Center of the land.
        middle: LonLat,
        /// Radius of the land in meters.
        reach_m: u32,
    },
}

/// Changes of cities with their days, as stored.
#[derive(Debug, Archive, Serialize)]
pub struct ChangeDays {
    /// The day from which all changes of cities are known, in digits such as 20150101.
    known_since: u32,
    changes: CityChanges,
    /// One row for each row of `changes`.
    days: Vec<ChangeDayRow>,
}

#[derive(Debug, Archive, Serialize)]
pub(super) struct ChangeDayRow {
    /// The first and the last day on which the change may have happened, in digits such as 20221108.
    first: u32,
    last: u32,
    /// Whether the change is the beginning of a city.
    began: bool,
}

/// A change with the days on which it may have happened, as read from a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatedChange<'a> {
    /// The change, without the days.
    pub change: CityChange<'a>,
    /// The first and the last day on which the change may have happened.
    pub days: (Date, Date),
}

/// Changes of cities, as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct CityChanges {
    rows: Vec<CityChangeRow>,
    heap: Vec<u8>,
}

#[derive(Debug, Default, Archive, Serialize)]
pub(super) struct CityChangeRow {
    /// GEOID of the county subdivision that is the city's land; 0 if the land is given in another way.
    town: u64,
    /// Places in `heap`. `name` is the city's name; `into` is the second name of [`NewCityFate`], or the empty text.
    name: u32,
    into: u32,
    /// Place code of the city if its limits are mapped; 0 if they are not.
    place: u32,
    /// Latitude and longitude of the center of the city's land, in 1e-7 degree.
    middle: (i32, i32),
    /// Radius of the city's land in meters; 0 if the land is given in another way.
    reach_m: u32,
    /// Year of the change; 0 if it is not known.
    year: u16,
    source: u16,
}

/// A change as read from a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityChange<'a> {
    /// Name of the city.
    pub name: &'a str,
    /// `true` if the city was incorporated, `false` if it was dissolved or merged.
    pub began: bool,
    /// The city that this one merged into, if any.
    pub into: Option<&'a str>,
    /// Year of the change; `None` if it is not known.
    pub year: Option<u16>,
    /// Center of the city's land, if only a center and a radius are known.
    pub middle: Option<LonLat>,
    /// Whether the limits of the city are mapped.
    pub is_mapped: bool,
    /// Row in `meta` of the source of this change.
    pub source: u16,
}

impl CityChanges {
    /// Packs the changes in the order given.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a name has more than 65,535 bytes.
    pub fn pack(changes: &[NewCityChange]) -> Result<CityChanges, WriteError> {
        let mut heap = TextHeap::<2>::new();
        let row = |change: &NewCityChange| -> Result<CityChangeRow, WriteError> {
            let row = match &change.what {
                NewCityFate::Began(land) => CityChangeRow::with_land(land),
                NewCityFate::Left(land, into) => {
                    CityChangeRow { into: heap.place(into)?, ..CityChangeRow::with_land(land) }
                }
                NewCityFate::Ended(place) => CityChangeRow { place: *place, ..CityChangeRow::default() },
                NewCityFate::Joined(place, other) | NewCityFate::BeganMapped(place, other) => {
                    CityChangeRow { place: *place, into: heap.place(other)?, ..CityChangeRow::default() }
                }
            };
            let (name, year) = (heap.place(&change.name)?, change.year.unwrap_or_default());
            Ok(CityChangeRow { name, year, source: change.source, ..row })
        };
        let rows = changes.iter().map(row).collect::<Result<_, _>>()?;
        Ok(CityChanges { rows, heap: heap.into_bytes() })
    }
}

impl CityChangeRow {
    fn with_land(land: &NewCityLand) -> CityChangeRow {
        match land {
            NewCityLand::Town(town) => CityChangeRow { town: *town, ..CityChangeRow::default() },
            NewCityLand::Round { middle, reach_m } => {
                let middle = (middle.lat(), middle.lon());
                CityChangeRow { middle, reach_m: *reach_m, ..CityChangeRow::default() }
            }
        }
    }
}

impl ChangeDays {
    /// Packs the changes in the order given.
    ///
    /// # Errors
    /// As for [`CityChanges::pack`].
    pub fn pack(changes: &[NewDatedChange], known_since: Date) -> Result<ChangeDays, WriteError> {
        let day = |dated: &NewDatedChange| ChangeDayRow {
            first: dated.days.0.number(),
            last: dated.days.1.number(),
            began: matches!(dated.change.what, NewCityFate::Began(_) | NewCityFate::BeganMapped(..)),
        };
        let days = changes.iter().map(day).collect();
        let changes: Vec<NewCityChange> = changes.iter().map(|dated| dated.change.clone()).collect();
        Ok(ChangeDays { known_since: known_since.number(), changes: CityChanges::pack(&changes)?, days })
    }
}

impl ArchivedChangeDays {
    /// The day from which all changes of cities are known; `None` for a number that is not a day.
    pub fn known_since(&self) -> Option<Date> {
        Date::from_number(self.known_since.to_native())
    }

    /// The change with this number; `None` for an unknown number.
    pub fn get(&self, number: u32) -> Option<DatedChange<'_>> {
        let (change, day) = (self.changes.get(number)?, self.days.get(number as usize)?);
        let days = (Date::from_number(day.first.to_native())?, Date::from_number(day.last.to_native())?);
        Some(DatedChange { change: CityChange { began: day.began, ..change }, days })
    }

    /// The changes of mapped cities, each as the city's place code and the number of the change.
    pub fn mapped(&self) -> impl Iterator<Item = (u32, u32)> {
        self.changes.ended()
    }

    /// The changes of cities that are not mapped and may have covered the point, which lies in this town. For each,
    /// returns the meters from the point to the center of the city's land, and the number of the change.
    pub fn near(&self, point: LonLat, town: Option<u64>) -> impl Iterator<Item = (f64, u32)> {
        self.changes.near(point, town)
    }

    pub(super) fn check_layout(&self, sources: usize) -> Result<(), SnapshotError> {
        self.changes.check_layout(sources)?;
        let are_days = |row: &ArchivedChangeDayRow| {
            let [first, last] = [&row.first, &row.last].map(|day| Date::from_number(day.to_native()));
            first.is_some() && first <= last
        };
        let fits = self.days.len() == self.changes.rows.len() && self.days.iter().all(are_days);
        if !fits || self.known_since().is_none() {
            return Err(SnapshotError::layout("change_days", "a change has no days, or wrong ones"));
        }
        Ok(())
    }
}

impl ArchivedCityChanges {
    /// The changes of cities whose land is this town or reaches the point. For each, returns the meters from the point
    /// to the center (0 for the town) and the number of the change.
    fn near(&self, point: LonLat, town: Option<u64>) -> impl Iterator<Item = (f64, u32)> {
        self.rows.iter().zip(0..).filter_map(move |(row, number)| {
            if town.is_some_and(|town| row.town.to_native() == town) {
                return Some((0.0, number));
            }
            let meters = row.may_reach(point).then(|| distance_m(point, row.middle()))?;
            (meters <= f64::from(row.reach_m.to_native())).then_some((meters, number))
        })
    }

    /// The number of the change by which a new city may cover the point. A city that is this town comes first, then the
    /// city with the nearest center. `None` if no new city reaches the point.
    pub fn began_at(&self, point: LonLat, town: Option<u64>) -> Option<u32> {
        self.near(point, town).min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, number)| number)
    }

    /// The changes with a place code, each as the code and the number of the change. In the section `city_changes`,
    /// these are the cities that ended.
    pub fn ended(&self) -> impl Iterator<Item = (u32, u32)> {
        let ends = self.rows.iter().map(|row| row.place.to_native()).zip(0..);
        ends.filter(|(place, _)| *place > 0)
    }

    /// The change with this number; `None` for an unknown number.
    pub fn get(&self, number: u32) -> Option<CityChange<'_>> {
        let row = self.rows.get(number as usize)?;
        Some(CityChange {
            name: text_at::<2>(&self.heap, row.name.to_native()),
            began: row.place.to_native() == 0,
            into: Some(text_at::<2>(&self.heap, row.into.to_native())).filter(|into| !into.is_empty()),
            year: Some(row.year.to_native()).filter(|year| *year > 0),
            is_mapped: row.place.to_native() > 0,
            middle: Some(row.middle()).filter(|_| row.reach_m.to_native() > 0),
            source: row.source.to_native(),
        })
    }

    pub(super) fn check_layout(&self, sources: usize) -> Result<(), SnapshotError> {
        if self.rows.iter().any(|row| usize::from(row.source.to_native()) >= sources) {
            return Err(SnapshotError::layout("city_changes", "a row names a source that does not exist"));
        }
        Ok(())
    }
}

impl ArchivedCityChangeRow {
    /// Whether the city's land may reach as far north or south as the point. This comparison is many times faster than
    /// computing a distance.
    fn may_reach(&self, point: LonLat) -> bool {
        // A unit of latitude is 11.1 mm, so a meter is less than 100 units.
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
        let described = |number: Option<u32>| {
            let change = number.and_then(|number| read.get(number))?;
            Some((change.name, change.began, change.into, change.year))
        };
        let at = |lat: i32, town: Option<u64>| {
            described(read.began_at(LonLat::from_units(lat, -845_000_000), town))
        };
        assert_eq!(at(338_100_000, Some(1)), Some(("Mableton", true, None, Some(2022))));
        assert_eq!(at(338_500_000, None), Some(("Nextdoor", true, None, None)));
        assert_eq!(at(340_000_000, None), None);
        assert_eq!(at(340_000_000, Some(2_703_719_376)), Some(("Empire", true, None, Some(2023))));
        assert_eq!(read.ended().collect::<Vec<_>>(), [(1_300_001, 3), (1_300_002, 4)]);
        assert_eq!(described(Some(3)), Some(("Gone", false, None, None)));
        assert_eq!(described(Some(4)), Some(("Small", false, Some("Large"), Some(2024))));
        assert!(read.get(5).is_none() && read.check_layout(1).is_ok() && read.check_layout(0).is_err());
    }
}
