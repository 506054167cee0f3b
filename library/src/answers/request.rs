//! Questions, fully parsed.

use super::{cursor::Paging, reading::Reading};
use crate::{
    geometry::LonLat,
    vocabulary::{JurisdictionId, StateCode, Topic},
};

/// A question. Once it exists, nothing of it is checked again.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Which governments cover this point.
    Resolve {
        /// The point.
        point: LonLat,
    },
    /// Which governments cover this address.
    ResolveAddress {
        /// Free text, not blank.
        address: String,
    },
    /// Which governments cover the place of this name.
    ResolveName {
        /// Name of a county, city, town or township.
        place: String,
        /// Its state.
        state: StateCode,
    },
    /// Places and resources by name.
    Search {
        /// The name.
        text: String,
        /// Only what is in this state.
        state: Option<StateCode>,
        /// At most so many of each, 1 to 50.
        limit: usize,
    },
    /// What this free text stands for.
    Ask {
        /// How it was read.
        reading: Reading,
    },
    /// Everything on this place.
    Place {
        /// The place.
        id: JurisdictionId,
        /// Which part of its resources.
        paging: Paging,
    },
    /// Resources for a place or a point.
    Resources {
        /// Whose.
        whose: Whose,
        /// For which topic; a place's own where it is left out.
        topic: Option<Topic>,
        /// Which part.
        paging: Paging,
    },
    /// What the maps say of this point.
    Screening {
        /// The point.
        point: LonLat,
    },
    /// All topics.
    Topics,
    /// The guide of a topic.
    Guide {
        /// The topic.
        topic: Topic,
        /// The state whose rules are added.
        state: Option<StateCode>,
    },
}

/// Whose resources are asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Whose {
    /// A jurisdiction's.
    Jurisdiction(JurisdictionId),
    /// A point's.
    Point(LonLat),
}

impl Request {
    /// Whether the same snapshot always gives the same answer, because no service outside of it is asked.
    pub fn is_of_snapshot_alone(&self) -> bool {
        match self {
            Request::ResolveAddress { .. } | Request::Screening { .. } => false,
            Request::Ask { reading } => !reading.is_address(),
            _ => true,
        }
    }
}
