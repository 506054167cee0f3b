//! The values of an answer: rows of the directory, outcomes of the rules, notices with their figures.
//!
//! Nothing here is text of a protocol. Renderers make JSON, pages and plain text from these values and the directory
//! that the rows point into.

use std::{borrow::Cow, sync::Arc};

use super::{
    assignments::{Assignments, Entry, Territory},
    lookup::FoundAddress,
    notice::Notice,
    offices::Office,
    reading::Reading,
    refusal::Refusal,
    shares::CoverageDetails,
};
use crate::{
    directory::{Borders, DateRef, Matches, Quality, ResourceView, Row, RuledState},
    facts::Fact,
    geometry::LonLat,
    rules::{self, Outcome},
    vocabulary::{Date, Function, StateCode, Topic},
};

/// The answer to a request that succeeded; others get a [`Refusal`].
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The content, by operation.
    pub data: Data<'a>,
    /// Plain-language caveats, the most important first.
    pub notices: Vec<Notice>,
    /// Date of the answer, RFC 3339: that of the snapshot, or of the lookup that it rests on.
    pub as_of: Cow<'a, str>,
    /// Seconds for which the answer may be cached; `None` where the operation's own lifetime is shorter.
    pub lifetime_s: Option<u32>,
}

/// The content of an answer, one kind for each operation.
#[derive(Clone, Debug)]
pub enum Data<'a> {
    /// Governments that cover a point, an address or a named place.
    Resolve(Resolved),
    /// Everything on one place.
    Place(PlaceDetails<'a>),
    /// Resources for a place or a point.
    Resources(ResourceList<'a>),
    /// Jurisdictions, or the bodies that perform a function.
    List(Listing),
    /// A row for each point of a request with many points, in their order.
    Chains(Vec<ChainRow>),
    /// Places and resources by name.
    Search(Arc<Matches>),
    /// The reading of a free text, and its answer.
    Ask(Box<Asked>),
    /// Facts that maps give for a point.
    Screening(Screened<'a>),
    /// The snapshot itself, as a file.
    Download,
    /// How much is known about the nation or a state.
    Coverage(CoverageDetails),
    /// All topics, in the contract's order.
    Topics(Vec<TopicInfo>),
    /// The guide of a topic, with a state's rules.
    Guide(GuideDetails<'a>),
}

/// The governments that cover a place, and the territory whose bodies perform each function there.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The way in which the question was matched.
    pub matched: Matched,
    /// The point; `None` when resolved by name.
    pub point: Option<LonLat>,
    /// The day of the request; `None` for an answer about today.
    pub date: Option<Date>,
    /// State and county, then county subdivision and place if they exist.
    pub lineage: Vec<Row>,
    /// The area whose bodies and offices apply; [`Answers::assignments`](super::Answers::assignments) lists them.
    pub territory: Territory,
}

/// The reading of a free text, and its answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The subject and the task of the text.
    pub reading: Reading,
    /// The answer for a point or an address in the text; `None` for a name, a ZIP code and an address that was not
    /// found.
    pub resolved: Option<Resolved>,
    /// Places that have the name in the text. For an address that was not found, places that have the name of its town.
    /// Also pages that have that name, or that serve the tasks.
    pub matches: Arc<Matches>,
    /// The counties that a ZIP code in the text reaches, each with its share of the addresses in percent, the largest
    /// first.
    pub counties: Vec<(Row, u64)>,
    /// The reason why an address in the text has no answer; `None` for other texts.
    pub refusal: Option<Refusal>,
    /// Whether the text is about land of a county that no town covers.
    pub is_outside_towns: bool,
}

/// The way in which a question was matched.
#[derive(Clone, Debug)]
pub enum Matched {
    /// By the coordinates of the request.
    Point {
        /// Whether the areas at the point agreed.
        quality: Quality,
        /// The lines nearest to the point.
        borders: Borders,
    },
    /// By the street address of the request.
    Address {
        /// The address as the geocoder found it.
        found: FoundAddress,
        /// Whether the areas at the found point agreed.
        quality: Quality,
        /// The lines nearest to the found point.
        borders: Borders,
    },
    /// By the name of a place.
    Name {
        /// The place of this name.
        place: Row,
    },
}

/// Everything on one place.
#[derive(Clone, Debug)]
pub struct PlaceDetails<'a> {
    /// The place, by its row.
    pub place: Row,
    /// The day of the request; `None` for an answer about today.
    pub date: Option<Date>,
    /// Jurisdictions that contain the place, largest first, the place itself last.
    pub lineage: Vec<Row>,
    /// The counties of a place that reaches into several; empty for others.
    pub counties: Vec<Row>,
    /// Offices that the rules name at the place.
    pub offices: Vec<Office>,
    /// A page of the place's own resources, best first.
    pub resources: Vec<ResourceView<'a>>,
    /// The body that performs each function there.
    pub assignments: Assignments,
    /// The cursor of the next page of resources; `None` on the last.
    pub next_cursor: Option<String>,
}

/// Resources for a place or a point.
#[derive(Clone, Debug)]
pub struct ResourceList<'a> {
    /// The place, or the smallest jurisdiction at the point.
    pub place: Row,
    /// The point; `None` for a place.
    pub point: Option<LonLat>,
    /// The topic; without one, the list has the place's own resources for all topics.
    pub topic: Option<Topic>,
    /// A page of the resources, best first.
    pub resources: Vec<ResourceView<'a>>,
    /// The cursor of the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

/// A page of a list of jurisdictions.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The rows of the page, in the order of the request.
    pub rows: Vec<ListedRow>,
    /// The number of rows of the whole list; `None` where counting would take long.
    pub count: Option<usize>,
    /// The function whose entries the rows have; `None` for a list that has only jurisdictions.
    pub function: Option<Function>,
    /// The cursor of the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

/// A jurisdiction of a list.
#[derive(Clone, Debug)]
pub struct ListedRow {
    /// The jurisdiction, by its row.
    pub row: Row,
    /// The entry of the function; `None` without a function, or where no rule covers it.
    pub entry: Option<Entry>,
}

/// The answer for one point of several.
#[derive(Clone, Debug)]
pub struct ChainRow {
    /// The point as it was written, shortened.
    pub given: String,
    /// The governments and bodies of the point, or the reason why the point has none.
    pub found: Result<ChainAt, Refusal>,
}

/// The governments and bodies of a point.
#[derive(Clone, Debug)]
pub struct ChainAt {
    /// The point of the row, WGS84.
    pub point: LonLat,
    /// State and county of the row, then county subdivision and place if they exist.
    pub lineage: Vec<Row>,
    /// Whether the areas at the point agreed.
    pub quality: Quality,
    /// The area whose bodies and offices apply.
    pub territory: Territory,
    /// The outcome of each function, in the contract's order.
    pub outcomes: Vec<Outcome>,
    /// Caveats that make chain or bodies doubtful.
    pub notices: Vec<Notice>,
}

/// Facts that maps give for a point.
#[derive(Clone, Debug)]
pub struct Screened<'a> {
    /// The point of the request, WGS84.
    pub point: LonLat,
    /// State and county, then county subdivision and place if they exist.
    pub lineage: Vec<Row>,
    /// A fact for each key that applies here, in the order of the answer.
    pub facts: Vec<ScreenedFact<'a>>,
}

/// A fact and the office that decides. The fact itself is never an official determination.
#[derive(Clone, Debug)]
pub struct ScreenedFact<'a> {
    /// The fact as the map has it, or why it is missing.
    pub fact: Fact,
    /// The local body that decides; `None` where no local body does.
    pub decider: Option<Entry>,
    /// Pages to confirm the fact, best first.
    pub resources: Vec<ResourceView<'a>>,
}

/// A topic, and whether it has a guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopicInfo {
    /// The topic, by its key.
    pub topic: Topic,
    /// Whether there is a guide on the topic.
    pub has_guide: bool,
}

/// The guide of a topic. A topic without a hand-written text has its description and the rules of the state.
#[derive(Clone, Debug)]
pub struct GuideDetails<'a> {
    /// The topic that the guide explains.
    pub topic: Topic,
    /// The state from the request; `None` without one.
    pub state: Option<StateCode>,
    /// The hand-written text; `None` where the topic has none.
    pub text: Option<&'a rules::Guide>,
    /// The rules of the state; `None` without a state.
    pub ruled: Option<&'a RuledState>,
    /// Dates and amounts of the topic in the state as a whole; empty without a state.
    pub dates: Vec<DateRef>,
    /// Dates and amounts of the topic in areas of the state that differ.
    pub local_dates: Vec<DateRef>,
    /// Guides of related topics.
    pub also: Vec<&'a rules::Guide>,
}

impl Answer<'_> {
    /// The cursor of the next page; `None` on the last page and for lists without pages.
    pub fn next_cursor(&self) -> Option<&str> {
        match &self.data {
            Data::Place(place) => place.next_cursor.as_deref(),
            Data::Resources(list) => list.next_cursor.as_deref(),
            Data::List(list) => list.next_cursor.as_deref(),
            Data::Resolve(_)
            | Data::Chains(_)
            | Data::Search(_)
            | Data::Ask(_)
            | Data::Screening(_)
            | Data::Download
            | Data::Coverage(_)
            | Data::Topics(_)
            | Data::Guide(_) => None,
        }
    }
}
