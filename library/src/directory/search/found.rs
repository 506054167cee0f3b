//! Collects the places that a search finds, each government once.

use super::{Match, MatchedBy};
use crate::{
    directory::{Directory, Row},
    vocabulary::Layer,
};

/// Places in the order in which they were found, up to a limit.
#[derive(Debug)]
pub(super) struct FoundPlaces<'a> {
    directory: &'a Directory,
    limit: usize,
    pub(super) places: Vec<Match>,
    has_more: bool,
}

impl<'a> FoundPlaces<'a> {
    pub(super) fn new(directory: &'a Directory, limit: usize) -> FoundPlaces<'a> {
        FoundPlaces { directory, limit, places: Vec::new(), has_more: false }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether more places were found than the limit. A search goes on until then, because another id of the last
    /// government may still replace its row.
    pub(super) fn is_full(&self) -> bool {
        self.has_more
    }

    /// Adds a place. Of several ids of one government that match equally well, the one with the smallest area is
    /// kept. A city comes before its county, and before its parts in several counties.
    pub(super) fn add(&mut self, row: Row, matched_by: MatchedBy) {
        self.add_part(self.directory.own_city(row).unwrap_or(row), matched_by);
    }

    /// Adds a place. With `is_part`, does not replace the row by its city, because only its part in a given county is
    /// wanted.
    pub(super) fn add_as(&mut self, row: Row, is_part: bool, matched_by: MatchedBy) {
        if is_part { self.add_part(row, matched_by) } else { self.add(row, matched_by) }
    }

    /// Puts a place before all others. Drops the last place if there are then more than the limit.
    pub(super) fn put_first(&mut self, row: Row, matched_by: MatchedBy) {
        self.places.retain(|place| !self.directory.is_same(place.row, row));
        self.places.insert(0, Match { row, matched_by });
        self.has_more |= self.places.len() > self.limit;
        self.places.truncate(self.limit);
    }

    /// Adds a row as it is, even if it is a part of a city.
    pub(super) fn add_part(&mut self, row: Row, matched_by: MatchedBy) {
        match self.places.iter().position(|place| self.directory.is_same(place.row, row)) {
            Some(at) => {
                let known = &mut self.places[at];
                // Guam is a state and a county. The county replaces the state even if the text matched them
                // differently.
                let is_state = self.directory.layer(known.row) == Some(Layer::State);
                if (known.matched_by == matched_by || is_state)
                    && self.directory.layer(row) > self.directory.layer(known.row)
                {
                    known.row = row;
                }
            }
            None if self.places.len() >= self.limit => self.has_more = true,
            None => self.places.push(Match { row, matched_by }),
        }
    }
}

impl Directory {
    /// The place that is one government with a row. A county needs the same legal word (Baltimore city, Juneau City
    /// and Borough). A county subdivision may be the place or a part of it. `None` for other rows.
    pub(super) fn own_city(&self, row: Row) -> Option<Row> {
        let mut same = self.same_as(row).peekable();
        same.peek()?;
        let layer = self.layer(row).filter(|layer| *layer != Layer::Place)?;
        let legal_type = |row: Row| self.jurisdiction(row).legal_type;
        same.find(|same| {
            self.layer(*same) == Some(Layer::Place)
                && (layer == Layer::Cousub || legal_type(*same) == legal_type(row))
        })
    }
}
