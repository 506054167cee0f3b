//! One answer per operation: the only place that turns what the directory knows into what the contract shows.
//!
//! A [`Request`] is parsed once, at the rim, by the same parser for every door. After that nothing is checked
//! again, and the only refusals left are those of the data (such as a point outside the coverage).

mod by_name;
mod cursor;
mod functions;
mod given;
pub mod guides;
mod lookups;
mod notices;
mod number;
mod parameters;
mod pieces;
pub mod places;
mod refusal;
pub mod resolve;
pub mod screening;
pub mod search;
mod shown;

use serde::Serialize;

use crate::{
    directory::{Directory, Row},
    geometry::LonLat,
    vocabulary::{JurisdictionId, StateCode, Topic},
    wire::{
        Envelope, Guide, PlacePage, Ready, ResolveResult, Resource, ResourcePage, Screening, SearchResult,
        SlottedJson, TopicList,
    },
};

use functions::JobsCache;
use pieces::{JurisdictionPiece, Pieces};

pub use cursor::Paging;
pub use given::{Form, Given, PARAMETERS_MAX, Parameter, is_pair_of};
pub use lookups::{Finding, Findings, Lookups, NotConfigured};
pub use refusal::Refusal;

/// What answers are made of.
#[derive(Debug)]
pub struct Answers {
    directory: Directory,
    site: String,
    pieces: Pieces,
    jobs: JobsCache,
    lookups: Box<dyn Lookups>,
}

impl Answers {
    /// `site` is the public address of the service, such as `https://platbook.example`.
    pub fn new(directory: Directory, site: &str) -> Answers {
        let pieces = Pieces::new(&directory);
        let site = site.trim_end_matches('/').to_owned();
        Answers { directory, site, pieces, jobs: JobsCache::new(), lookups: Box::new(NotConfigured) }
    }

    /// The same answers, with services to look up what is not in the snapshot.
    pub fn with_lookups(self, lookups: Box<dyn Lookups>) -> Answers {
        Answers { lookups, ..self }
    }

    /// Where the service's pages are, without a slash at the end.
    pub fn site(&self) -> &str {
        &self.site
    }

    fn piece(&self, row: Row) -> &JurisdictionPiece {
        self.pieces.jurisdiction(&self.directory, &self.site, row)
    }

    fn resource_piece(&self, number: usize) -> &Ready<Resource<'static>> {
        self.pieces.resource(&self.directory, &self.site, number)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When the data has no answer.
    pub fn answer(&self, request: &Request) -> Result<Reply<'_>, Refusal> {
        match request {
            Request::Resolve { point } => resolve::by_point(self, *point).map(Reply::Resolve),
            Request::ResolveAddress { address } => lookups::by_address(self, address).map(Reply::Resolve),
            Request::ResolveName { place, state } => {
                by_name::by_name(self, place, *state).map(Reply::Resolve)
            }
            Request::Place { id, paging } => places::place(self, id, paging).map(Reply::Place),
            Request::Resources { whose, topic, paging } => {
                places::resources(self, whose, *topic, paging).map(Reply::Resources)
            }
            Request::Search { text, state, limit } => {
                Ok(Reply::Search(search::search(self, text, *state, *limit)))
            }
            Request::Screening { point } => screening::screening(self, *point).map(Reply::Screening),
            Request::Topics => Ok(Reply::Topics(guides::topics(self))),
            Request::Guide { topic, state } => Ok(Reply::Guide(guides::guide_for(self, *topic, *state))),
        }
    }
}

/// A question, fully parsed.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Which governments cover this point.
    Resolve {
        /// The point.
        point: LonLat,
    },
    /// Which governments cover this address.
    ResolveAddress {
        /// Free text.
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
    /// Everything on this place.
    Place {
        /// Which.
        id: JurisdictionId,
        /// Which part of its resources.
        paging: Paging,
    },
    /// Resources for a place or a point.
    Resources {
        /// Whose.
        whose: places::Whose,
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
        /// Which.
        topic: Topic,
        /// Whose rules to add.
        state: Option<StateCode>,
    },
}

impl Request {
    /// Whether the same snapshot always gives the same answer: no service outside of it is asked.
    pub fn is_of_snapshot_alone(&self) -> bool {
        !matches!(self, Request::ResolveAddress { .. } | Request::Screening { .. })
    }
}

/// A successful answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "a reply is serialised where it is made, and never stored")]
pub enum Reply<'a> {
    /// To any of the resolve requests.
    Resolve(Envelope<'a, ResolveResult<'a>>),
    /// To a place.
    Place(Envelope<'a, PlacePage<'a>>),
    /// To resources.
    Resources(Envelope<'a, ResourcePage<'a>>),
    /// To a search.
    Search(Envelope<'a, SearchResult<'a>>),
    /// To screening.
    Screening(Envelope<'a, Screening<'a>>),
    /// To topics.
    Topics(Envelope<'a, TopicList<'a>>),
    /// To a guide.
    Guide(Envelope<'a, Guide<'a>>),
}

impl Reply<'_> {
    /// The body, still without the id of the request.
    pub fn to_json(&self) -> SlottedJson {
        match self {
            Reply::Resolve(envelope) => SlottedJson::sharing(envelope, &envelope.data.functions),
            Reply::Place(envelope) => SlottedJson::sharing(envelope, &envelope.data.functions),
            Reply::Resources(envelope) => SlottedJson::of(envelope),
            Reply::Search(envelope) => SlottedJson::of(envelope),
            Reply::Screening(envelope) => SlottedJson::of(envelope),
            Reply::Topics(envelope) => SlottedJson::of(envelope),
            Reply::Guide(envelope) => SlottedJson::of(envelope),
        }
    }

    /// The cursor of the next page, where there is one.
    pub fn next_cursor(&self) -> Option<&str> {
        match self {
            Reply::Place(envelope) => envelope.data.next_cursor.as_deref(),
            Reply::Resources(envelope) => envelope.data.next_cursor.as_deref(),
            Reply::Resolve(_)
            | Reply::Search(_)
            | Reply::Screening(_)
            | Reply::Topics(_)
            | Reply::Guide(_) => None,
        }
    }
}
