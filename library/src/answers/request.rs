//! Requests, fully parsed: their values need no further checks.

use super::{cursor::Paging, reading::Reading};
use crate::{
    geometry::LonLat,
    vocabulary::{JurisdictionId, StateCode, Topic},
};

/// A request. Its values were checked when it was parsed.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The governments that cover a point.
    Resolve {
        /// The point, in WGS84 degrees.
        point: LonLat,
    },
    /// The governments that cover an address.
    ResolveAddress {
        /// Free text, not blank.
        address: String,
    },
    /// The governments that cover the place of a name.
    ResolveName {
        /// Name of a county, city, town or township.
        place: String,
        /// The state that the place lies in.
        state: StateCode,
    },
    /// Places and resources by name.
    Search {
        /// The name, as it was typed.
        text: String,
        /// A state to which results are limited; `None` for all.
        state: Option<StateCode>,
        /// Most results of each kind, 1 to 50.
        limit: usize,
    },
    /// The answer for a free text.
    Ask {
        /// The subject and the task that were read from the text.
        reading: Reading,
    },
    /// Everything on this place.
    Place {
        /// Id of the place.
        id: JurisdictionId,
        /// The part of its resources.
        paging: Paging,
    },
    /// Resources for a place or a point.
    Resources {
        /// The place or the point.
        whose: Whose,
        /// The topic; without one, the answer has the place's own resources for all topics.
        topic: Option<Topic>,
        /// The part of the list.
        paging: Paging,
    },
    /// Facts that maps give for a point.
    Screening {
        /// The point, in WGS84 degrees.
        point: LonLat,
    },
    /// All topics, with whether each has a guide.
    Topics,
    /// The guide of a topic, with a state's rules.
    Guide {
        /// The topic that the guide explains.
        topic: Topic,
        /// The state whose rules are added; `None` for no rules.
        state: Option<StateCode>,
    },
}

/// The subject of a request for resources.
#[derive(Clone, Debug, PartialEq)]
pub enum Whose {
    /// A jurisdiction, by its id.
    Jurisdiction(JurisdictionId),
    /// A point, for the governments that cover it.
    Point(LonLat),
}

impl Request {
    /// Whether the same snapshot always gives the same answer, because the operation needs no lookup outside it.
    pub fn is_of_snapshot_alone(&self) -> bool {
        match self {
            Request::ResolveAddress { .. } | Request::Screening { .. } => false,
            Request::Ask { reading } => !reading.is_address(),
            _ => true,
        }
    }
}
