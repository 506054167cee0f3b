//! Finds the governments of a given day, from cities that began or ended and the days of these changes.
//!
//! A city that began after the day is removed from the chain, and one that ended after it stays. A city whose limits
//! of that day are not mapped is reported as a change beside the chain. Counties and towns are those of the newest
//! data, except a town that is one government with a city.

use smallvec::SmallVec;

use super::{Chain, Directory, Row, SourceRow};
use crate::{
    geometry::LonLat,
    snapshot::{CityChange, DatedChange},
    vocabulary::Date,
};

/// A change of a city with its days, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatedChangeRow(u32);

/// The fields of a dated change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatedChangeView<'a> {
    /// Name of the city.
    pub name: &'a str,
    /// `true` if the city began, `false` if it ended.
    pub began: bool,
    /// The city that an ended city merged into. For a city that began: the government to which its land belonged
    /// before.
    pub other: Option<&'a str>,
    /// Whether the limits of the city are mapped.
    pub is_mapped: bool,
    /// The first and the last day on which the change may have happened; both are the same if the day is known.
    pub days: (Date, Date),
    /// The source that documents the change.
    pub source: SourceRow,
}

/// The time of a change, as seen from a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The change happened on this day or before.
    Done,
    /// The change happened in a span that contains the day, perhaps before the day and perhaps after it.
    Unknown,
    /// The change happened after the day.
    Later,
}

/// The governments at a point on a day.
#[derive(Clone, Debug, PartialEq)]
pub struct OnDay {
    /// State, county, county subdivision and place that existed on the day.
    pub chain: Chain,
    /// Changes that the answer depends on.
    pub changes: SmallVec<[DatedChangeRow; 2]>,
    /// Whether the point may have been in a city other than the chain's, or in no city.
    pub is_city_unsure: bool,
    /// Whether a county subdivision whose lines are not mapped governed the point.
    pub is_town_unsure: bool,
    /// The number of past cases of the rules that held, see [`Scope::past`](super::Scope::past).
    pub past: u16,
}

/// Whether a government existed on a day.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceOnDay {
    /// The change by which the government began after the day; `None` if it did not.
    pub began_later: Option<DatedChangeRow>,
    /// The government's other changes that the answer depends on.
    pub changes: SmallVec<[DatedChangeRow; 2]>,
    /// Whether the government may not have governed its present land on the day.
    pub is_unsure: bool,
}

impl DatedChangeView<'_> {
    /// The time of the change, as seen from a day.
    pub fn seen_from(&self, date: Date) -> When {
        match self.days {
            (first, _) if date < first => When::Later,
            (_, last) if date >= last => When::Done,
            _ => When::Unknown,
        }
    }
}

impl Directory {
    /// The day from which all changes of cities are known; `None` in a snapshot without days of changes.
    pub fn changes_known_since(&self) -> Option<Date> {
        self.snapshot.change_days()?.known_since()
    }

    /// The given day; `None` if the snapshot has no days of changes. The answer is then that of today.
    pub fn day_of(&self, date: Option<Date>) -> Option<Date> {
        date.filter(|_| self.changes_known_since().is_some())
    }

    /// The fields of a dated change.
    pub fn dated_change(&self, row: DatedChangeRow) -> Option<DatedChangeView<'_>> {
        let DatedChange { change, days } = self.snapshot.change_days()?.get(row.0)?;
        let CityChange { name, began, into, source, .. } = change;
        let source = SourceRow::new(source);
        Some(DatedChangeView { name, began, other: into, is_mapped: change.is_mapped, days, source })
    }

    /// The governments at a point of a chain on a day. Returns the chain unchanged if the snapshot has no days of
    /// changes.
    pub fn on_day(&self, date: Date, point: LonLat, chain: &Chain) -> OnDay {
        let mut on = OnDay {
            chain: *chain,
            changes: SmallVec::new(),
            is_city_unsure: false,
            is_town_unsure: false,
            past: self.past_cases_on(chain.county, date),
        };
        let Some(place) = chain.place else {
            self.add_unmapped(date, point, &mut on);
            return on;
        };
        let PlaceOnDay { began_later, changes, is_unsure } = self.place_on_day(date, place);
        on.is_city_unsure = is_unsure;
        on.changes = changes;
        if began_later.is_some() {
            on.chain.place = None;
            on.changes.extend(began_later);
            // A village of Wisconsin is its own county subdivision; before, it was a part of a town.
            if chain.cousub.is_some_and(|town| self.is_same(town, place)) {
                on.chain.cousub = None;
                on.is_town_unsure = true;
            }
            self.add_unmapped(date, point, &mut on);
        }
        on
    }

    /// Whether a government existed on a day, by its known changes.
    pub fn place_on_day(&self, date: Date, row: Row) -> PlaceOnDay {
        let mut on = PlaceOnDay { began_later: None, changes: SmallVec::new(), is_unsure: false };
        let start = self.dated_cities.partition_point(|(city, _)| *city < row);
        let own = self.dated_cities[start..].iter().take_while(|(city, _)| *city == row);
        for (change, view) in own.filter_map(|(_, change)| Some((*change, self.dated_change(*change)?))) {
            match (view.began, view.seen_from(date)) {
                (true, When::Done) => {}
                (true, When::Later) => on.began_later = Some(change),
                (began, when) => {
                    on.is_unsure |= began || when != When::Later;
                    on.changes.push(change);
                }
            }
        }
        on
    }

    /// Adds the changes of cities without mapped limits that may have covered the point.
    fn add_unmapped(&self, date: Date, point: LonLat, on: &mut OnDay) {
        let Some(table) = self.snapshot.change_days() else { return };
        let town = on.chain.cousub.and_then(|town| self.census_code(town));
        let mut nearest: Option<(f64, DatedChangeRow)> = None;
        for (meters, row) in table.near(point, town).map(|(meters, number)| (meters, DatedChangeRow(number)))
        {
            let Some(change) = self.dated_change(row) else { continue };
            if change.began {
                nearest = nearest.filter(|(least, _)| *least <= meters).or(Some((meters, row)));
            } else if change.seen_from(date) != When::Done {
                on.is_city_unsure = true;
                on.changes.push(row);
            }
        }
        if let Some((_, row)) = nearest {
            on.is_city_unsure |= self.dated_change(row).is_some_and(|own| own.seen_from(date) != When::Later);
            on.changes.push(row);
        }
    }

    /// The dated changes of mapped cities, sorted by row, because each answer for a day looks some of them up.
    pub(super) fn dated_cities(&self) -> Box<[(Row, DatedChangeRow)]> {
        let changes = self.snapshot.change_days();
        self.sorted_by_row(changes.into_iter().flat_map(|changes| changes.mapped()), DatedChangeRow)
    }
}
