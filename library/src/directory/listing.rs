//! Lists jurisdictions by state, type and surroundings, in the order of ids, names or population.
//!
//! Lists need no index: a walk through all rows takes half a millisecond, and only the requested page is sorted.

use std::cmp::Ordering;

use super::{Directory, Row};
use crate::vocabulary::{JurisdictionId, JurisdictionType, Layer, StateCode};

/// The conditions for the jurisdictions of a list; `None` is no condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The state of the listed jurisdictions; the state itself is among them.
    pub state: Option<StateCode>,
    /// The type of the listed jurisdictions.
    pub kind: Option<JurisdictionType>,
    /// The area that contains the listed jurisdictions; the area itself is not among them.
    pub within: Option<Within>,
}

/// An area whose parts can be listed. A place belongs to the county and the county subdivision of its inner point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// The United States as a whole.
    Country,
    /// A state or territory.
    State(StateCode),
    /// A county or county subdivision, by its row.
    Area(Row),
}

/// The order of a list. Equal rows stand in the order of ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By type, then by GEOID. The GEOIDs sort by state, and a state's counties by name.
    #[default]
    Id,
    /// By name, letter by letter.
    Name,
    /// The largest population first; unknown numbers last.
    Population,
}

impl Order {
    /// All orders, each with the word for it in requests.
    pub const WORDS: [(&'static str, Order); 3] =
        [("id", Order::Id), ("name", Order::Name), ("population", Order::Population)];
}

impl Directory {
    /// The area of a row, for listing its parts; `None` for places and districts.
    pub fn within(&self, row: Row) -> Option<Within> {
        match self.id_of(row) {
            JurisdictionId::Country => Some(Within::Country),
            JurisdictionId::Census(geoid) => match geoid.layer() {
                Layer::State => self.state_code_of(row).map(Within::State),
                Layer::County | Layer::Cousub => Some(Within::Area(row)),
                Layer::Place => None,
            },
            JurisdictionId::District(_) => None,
        }
    }

    /// The rows of a selection, in the order of ids.
    pub fn selected(&self, selection: &Selection) -> Vec<Row> {
        let state_of_area = match selection.within {
            Some(Within::Area(area)) => self.state_of(area),
            Some(Within::State(state)) => Some(state),
            Some(Within::Country) | None => None,
        };
        // Checked first, because finding the county of a place takes a microsecond.
        let in_state = |row: &Row| {
            [selection.state, state_of_area]
                .into_iter()
                .flatten()
                .all(|state| self.state_of(*row) == Some(state))
        };
        let is_kind =
            |row: &Row| selection.kind.is_none_or(|kind| self.id_of(*row).jurisdiction_type() == kind);
        let is_within = |row: &Row| selection.within.is_none_or(|within| self.lies_in(*row, within));
        let of_layer = match selection.kind {
            Some(JurisdictionType::Layer(layer)) => Some(self.rows_of(layer)),
            _ => None,
        };
        match of_layer {
            Some(rows) => rows.filter(in_state).filter(is_within).collect(),
            None => self.rows().filter(in_state).filter(is_kind).filter(is_within).collect(),
        }
    }

    fn lies_in(&self, row: Row, within: Within) -> bool {
        match within {
            Within::Country => Some(row) != self.country_row(),
            Within::State(state) => self.state_row(state) != Some(row),
            Within::Area(area) => self.lies_in_area(row, area),
        }
    }

    fn lies_in_area(&self, row: Row, area: Row) -> bool {
        match self.layer(row) {
            Some(Layer::Cousub) => row != area && self.county_around(row) == Some(area),
            Some(Layer::Place) => self
                .chain_of_place(row)
                .is_some_and(|chain| chain.county == area || chain.cousub == Some(area)),
            Some(Layer::State | Layer::County) | None => false,
        }
    }

    /// The rows from `start` up to `end` of this order. `rows` are in the order of ids.
    pub fn ordered(&self, rows: &[Row], order: Order, start: usize, end: usize) -> Vec<Row> {
        let (start, end) = (start.min(rows.len()), end.min(rows.len()));
        let mut keyed: Vec<(u64, Row)> = rows.iter().map(|row| (self.sort_key(*row, order), *row)).collect();
        let name = |row: Row| if order == Order::Name { self.name_of(row) } else { "" };
        let compare = |one: &(u64, Row), other: &(u64, Row)| {
            let by_name = || name(one.1).cmp(name(other.1));
            one.0.cmp(&other.0).then_with(by_name).then(one.1.cmp(&other.1))
        };
        sorted_part(&mut keyed, start, end, compare).iter().map(|(_, row)| *row).collect()
    }

    /// A number that sorts rows. For names it holds the first eight bytes, because reading whole names takes most of
    /// the time of a sort.
    fn sort_key(&self, row: Row, order: Order) -> u64 {
        match order {
            Order::Id => 0,
            Order::Name => {
                let mut first = [0; 8];
                let name = self.name_of(row).as_bytes();
                let len = name.len().min(first.len());
                first[..len].copy_from_slice(&name[..len]);
                u64::from_be_bytes(first)
            }
            Order::Population => u64::MAX - u64::from(self.people_of(row).unwrap_or_default()),
        }
    }
}

/// Sorts the part from `start` to `end` as a sort of all rows would, in linear time for short parts.
fn sorted_part<T>(rows: &mut [T], start: usize, end: usize, compare: impl Fn(&T, &T) -> Ordering) -> &[T] {
    if start > 0 && start < rows.len() {
        rows.select_nth_unstable_by(start, &compare);
    }
    let part = &mut rows[start..];
    let count = end.saturating_sub(start);
    if count < part.len() {
        part.select_nth_unstable_by(count, &compare);
    }
    let part = &mut part[..count];
    part.sort_unstable_by(&compare);
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_part_is_that_of_the_sorted_whole() {
        let mut random = fastrand::Rng::with_seed(1);
        for len in [0, 1, 2, 17, 100] {
            let whole: Vec<(u8, usize)> = (0..len).map(|at| (random.u8(..9), at)).collect();
            let mut sorted = whole.clone();
            sorted.sort();
            for start in 0..=len {
                for end in start..=len {
                    let mut rows = whole.clone();
                    assert_eq!(sorted_part(&mut rows, start, end, Ord::cmp), &sorted[start..end]);
                }
            }
        }
    }

    #[test]
    fn parts_of_an_area_are_listed_without_it() {
        let directory = testing::directory();
        let row = |id: &str| directory.found(&id.parse().unwrap()).unwrap();
        let ids = |within: &str, kind: Option<&str>| -> Vec<String> {
            let selection = Selection {
                within: directory.within(row(within)),
                kind: kind.and_then(JurisdictionType::from_word),
                ..Selection::default()
            };
            directory.selected(&selection).iter().map(|row| directory.id_of(*row).to_string()).collect()
        };
        let counties = ids("state:27", Some("county"));
        assert!(counties.len() > 1 && counties.iter().all(|id| id.starts_with("county:27")));
        let all = ids("state:27", None);
        assert!(all.len() > counties.len() && !all.contains(&"state:27".to_owned()));
        for id in ids("county:27001", None) {
            let parents = directory.with_parents(row(&id));
            assert!(id != "county:27001" && parents.contains(&row("county:27001")), "{id}");
        }
        assert!(!ids("country:us", None).contains(&"country:us".to_owned()));
        assert_eq!(directory.within(row("county:27001")), Some(Within::Area(row("county:27001"))));
    }
}
