//! What was found so far, each government once.

use super::{Match, Quality};
use crate::{
    directory::{Directory, Row},
    vocabulary::{JurisdictionId, JurisdictionType, Layer},
};

/// Places in the order in which they were found, up to a limit.
#[derive(Debug)]
pub(super) struct Found<'a> {
    directory: &'a Directory,
    limit: usize,
    pub(super) places: Vec<Match>,
}

impl<'a> Found<'a> {
    pub(super) fn new(directory: &'a Directory, limit: usize) -> Found<'a> {
        Found { directory, limit, places: Vec::new() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.places.len() >= self.limit
    }

    /// Adds a place. Of several ids of one government that match alike, the smallest area stands for it: a city before
    /// its county.
    pub(super) fn add(&mut self, row: Row, quality: Quality) {
        let row = self.directory.own_city(row).unwrap_or(row);
        let is_same =
            |place: &Match| place.row == row || self.directory.same_as(place.row).any(|same| same == row);
        match self.places.iter().position(is_same) {
            Some(at) => {
                let known = &mut self.places[at];
                if known.quality == quality && self.directory.depth(row) > self.directory.depth(known.row) {
                    known.row = row;
                }
            }
            None if self.is_full() => {}
            None => self.places.push(Match { row, quality }),
        }
    }
}

impl Directory {
    /// The place that a county is, by the same legal word: Baltimore city, Juneau City and Borough.
    fn own_city(&self, row: Row) -> Option<Row> {
        let county = self.jurisdiction(row);
        let is_city = |same: &Row| {
            let place = self.jurisdiction(*same);
            place.kind == JurisdictionType::Layer(Layer::Place) && place.legal_type == county.legal_type
        };
        let is_county = county.kind == JurisdictionType::Layer(Layer::County);
        self.same_as(row).find(is_city).filter(|_| is_county)
    }

    /// How small the areas of a row's layer are.
    fn depth(&self, row: Row) -> Option<Layer> {
        match self.jurisdiction(row).id {
            JurisdictionId::Census(geoid) => Some(geoid.layer()),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        }
    }
}
