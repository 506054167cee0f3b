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
    has_more: bool,
}

impl<'a> Found<'a> {
    pub(super) fn new(directory: &'a Directory, limit: usize) -> Found<'a> {
        Found { directory, limit, places: Vec::new(), has_more: false }
    }

    /// Whether there are more than the limit. Until then another id of the last government may come, and stand for it.
    pub(super) fn is_full(&self) -> bool {
        self.has_more
    }

    /// Adds a place. Of several ids of one government that match alike, the smallest area stands for it: a city before
    /// its county, and before its parts in several counties.
    pub(super) fn add(&mut self, row: Row, quality: Quality) {
        self.add_part(self.directory.own_city(row).unwrap_or(row), quality);
    }

    /// Adds a place as the part of a city that it may be.
    pub(super) fn add_part(&mut self, row: Row, quality: Quality) {
        let is_same =
            |place: &Match| place.row == row || self.directory.same_as(place.row).any(|same| same == row);
        match self.places.iter().position(is_same) {
            Some(at) => {
                let known = &mut self.places[at];
                if known.quality == quality && self.directory.depth(row) > self.directory.depth(known.row) {
                    known.row = row;
                }
            }
            None if self.places.len() >= self.limit => self.has_more = true,
            None => self.places.push(Match { row, quality }),
        }
    }
}

impl Directory {
    /// The place that a county is, by the same legal word (Baltimore city, Juneau City and Borough), or that a county
    /// subdivision is, or is a part of.
    fn own_city(&self, row: Row) -> Option<Row> {
        let own = self.jurisdiction(row);
        let is_city = |same: &Row| {
            let place = self.jurisdiction(*same);
            place.kind == JurisdictionType::Layer(Layer::Place)
                && (own.kind == JurisdictionType::Layer(Layer::Cousub) || place.legal_type == own.legal_type)
        };
        let is_place = own.kind == JurisdictionType::Layer(Layer::Place);
        self.same_as(row).find(is_city).filter(|_| !is_place)
    }

    /// How small the areas of a row's layer are.
    fn depth(&self, row: Row) -> Option<Layer> {
        match self.jurisdiction(row).id {
            JurisdictionId::Census(geoid) => Some(geoid.layer()),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        }
    }
}
