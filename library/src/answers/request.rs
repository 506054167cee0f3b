//! Requests, fully parsed: their values need no further checks.

use super::{Refusal, cursor::Paging, locality::Locality, reading::Reading};
use crate::{
    directory::Order,
    geometry::LonLat,
    vocabulary::{Date, Function, JurisdictionId, JurisdictionType, StateCode, Topic},
};

/// Number of points that count as one request against the rate limits.
const POINTS_PER_REQUEST: usize = 10;

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
    /// The governments that cover a place, given by name or id.
    ResolvePlace {
        /// The place, as the request names it.
        place: Locality,
    },
    /// Another request, to be answered as of a day.
    OnDay {
        /// The day whose governments are meant.
        date: Date,
        /// The request; only for a point, points, an address or a place.
        request: Box<Request>,
    },
    /// Places and resources by name.
    Search {
        /// The name, as it was typed.
        text: String,
        /// A state to which results are limited; `None` for all.
        state: Option<StateCode>,
        /// Maximum number of results of each kind, 1 to 50.
        limit: usize,
    },
    /// The answer for a free text.
    Ask {
        /// The subject and the task that were read from the text.
        reading: Reading,
    },
    /// Jurisdictions, or the bodies that perform a function.
    List(ListRequest),
    /// The governments that cover each of these points.
    Chains {
        /// The points, in their order.
        points: Vec<GivenPoint>,
    },
    /// Everything on this place.
    Place {
        /// Id of the place.
        id: JurisdictionId,
        /// The page of the place's resources to return.
        paging: Paging,
    },
    /// Resources for a place or a point.
    Resources {
        /// The place or the point.
        whose: Whose,
        /// The topic; without one, the answer has the place's own resources for all topics.
        topic: Option<Topic>,
        /// The page of the list to return.
        paging: Paging,
    },
    /// Facts that maps give for a point.
    Screening {
        /// The point, in WGS84 degrees.
        point: LonLat,
    },
    /// Facts that maps give for the county of a place.
    ScreenPlace {
        /// The place, as the request names it.
        place: Locality,
    },
    /// The snapshot file that all answers are made from.
    Download,
    /// How much is known about the nation or a state.
    Coverage {
        /// The state; `None` for the nation.
        state: Option<StateCode>,
    },
    /// All topics, each with whether it has a guide.
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

/// A list of jurisdictions, or of the bodies that perform a function.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRequest {
    /// The state whose jurisdictions are listed; `None` for all.
    pub state: Option<StateCode>,
    /// The type of the jurisdictions; `None` for all.
    pub kind: Option<JurisdictionType>,
    /// The area that the jurisdictions lie in; `None` for any area.
    pub within: Option<JurisdictionId>,
    /// The rows of the list, and what each row has.
    pub rows: ListRows,
    /// The page of the list to return.
    pub paging: Paging,
}

/// The rows of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRows {
    /// Every jurisdiction, in this order, with the entry of a function if one is given.
    Jurisdictions(Order, Option<Function>),
    /// Only bodies that perform this function, each once with its entry.
    Offices(Function),
}

/// A point of a request with many points.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenPoint {
    /// The point as it was written, shortened.
    pub text: String,
    /// The point, or the reason why the text is not one.
    pub point: Result<LonLat, Refusal>,
}

impl Request {
    /// Asks for the governments that cover the place of this name in a state.
    pub fn named(place: &str, state: StateCode) -> Request {
        Request::ResolvePlace { place: Locality::Name { place: place.to_owned(), state } }
    }

    /// Asks for the governments that cover the jurisdiction with this id.
    pub fn of_id(id: JurisdictionId) -> Request {
        Request::ResolvePlace { place: Locality::Id(id) }
    }

    /// The same request as of a day; without a day, the request itself.
    #[must_use]
    pub fn on_day(self, date: Option<Date>) -> Request {
        match date {
            Some(date) => Request::OnDay { date, request: Box::new(self) },
            None => self,
        }
    }

    /// The request without its day.
    pub fn undated(&self) -> &Request {
        match self {
            Request::OnDay { request, .. } => request,
            request => request,
        }
    }

    /// The day of the request; `None` for an answer about today.
    pub fn date(&self) -> Option<Date> {
        match self {
            Request::OnDay { date, .. } => Some(*date),
            _ => None,
        }
    }

    /// The number of requests for which this one counts against a caller's rate limits.
    pub fn weight(&self) -> u32 {
        match self.undated() {
            Request::Chains { points } => points.len().div_ceil(POINTS_PER_REQUEST).max(1) as u32,
            _ => 1,
        }
    }

    /// Whether the same snapshot always gives the same answer, because the operation needs no lookup outside it.
    pub fn is_of_snapshot_alone(&self) -> bool {
        match self.undated() {
            Request::ResolveAddress { .. } | Request::Screening { .. } | Request::ScreenPlace { .. } => false,
            Request::Ask { reading } => !reading.is_address(),
            _ => true,
        }
    }
}
