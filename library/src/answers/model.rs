//! What an answer says: rows of the directory, outcomes of the rules, notices with their figures.
//!
//! Nothing here is text of a protocol. The JSON, a page and a terminal's text are all made from these values and the
//! directory that they point into; what is written how is the affair of what renders them.

use std::{borrow::Cow, sync::Arc};

use super::{
    assignments::{Assignments, Entry, Office, Territory},
    lookup::FoundAddress,
    notice::Notice,
    reading::Reading,
    refusal::Refusal,
};
use crate::{
    directory::{Borders, Matches, Quality, ResourceView, Row, RuledState},
    facts::Fact,
    geometry::LonLat,
    rules,
    vocabulary::{StateCode, Topic},
};

/// A successful answer.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// What was asked for.
    pub data: Data<'a>,
    /// Plain-language caveats, the most telling first.
    pub notices: Vec<Notice>,
    /// How fresh it is, RFC 3339: the date of the snapshot, or the time of the lookup that it rests on.
    pub as_of: Cow<'a, str>,
    /// Seconds for which it may be kept, where that is less than the operation's own lifetime.
    pub lifetime_s: Option<u32>,
}

/// What was asked for, one kind for each operation.
#[derive(Clone, Debug)]
pub enum Data<'a> {
    /// Which governments cover a point, an address or a named place.
    Resolve(Resolved),
    /// Everything on one place.
    Place(PlaceDetails<'a>),
    /// Resources for a place or a point.
    Resources(ResourceList<'a>),
    /// Places and resources by name.
    Search(Arc<Matches>),
    /// What a free text stands for.
    Ask(Box<Asked>),
    /// What the maps say of a point.
    Screening(Screened<'a>),
    /// All topics.
    Topics(Vec<TopicInfo>),
    /// The guide of a topic.
    Guide(GuideDetails<'a>),
}

/// Which governments cover a place, and which body performs each function there.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// How the question was matched.
    pub matched: Matched,
    /// The point; `None` when resolved by name.
    pub point: Option<LonLat>,
    /// State, county, county subdivision, place: what there is of it, largest first.
    pub lineage: Vec<Row>,
    /// The area whose bodies and offices apply; [`Answers::assignments`](super::Answers::assignments) lists them.
    pub territory: Territory,
}

/// What a free text stands for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// How it was read.
    pub reading: Reading,
    /// The answer for its point or its address; `None` for a name, a ZIP code and an address that was not found.
    pub resolved: Option<Resolved>,
    /// Places of its name, or of the town of an address that was not found; the pages of its name or its task.
    pub matches: Arc<Matches>,
    /// The counties that its ZIP code reaches, each with its share of the addresses in percent, the largest first.
    pub counties: Vec<(Row, u64)>,
    /// Why its address has no answer.
    pub refusal: Option<Refusal>,
}

/// How a question was matched.
#[derive(Clone, Debug)]
pub enum Matched {
    /// By its coordinates.
    Point {
        /// How the point met its areas.
        quality: Quality,
        /// The nearest lines.
        borders: Borders,
    },
    /// By its address.
    Address {
        /// What the geocoder found.
        found: FoundAddress,
        /// How the found point met its areas.
        quality: Quality,
        /// The lines nearest to the found point.
        borders: Borders,
    },
    /// By its name.
    Name {
        /// The place of this name.
        place: Row,
    },
}

/// Everything on one place.
#[derive(Clone, Debug)]
pub struct PlaceDetails<'a> {
    /// The place.
    pub place: Row,
    /// What it lies in, largest first, itself at the end.
    pub lineage: Vec<Row>,
    /// Its offices.
    pub offices: Vec<Office>,
    /// A page of its own resources, best first.
    pub resources: Vec<ResourceView<'a>>,
    /// Who does what there.
    pub assignments: Assignments,
    /// The cursor of the next page of resources.
    pub next_cursor: Option<String>,
}

/// Resources for a place or a point.
#[derive(Clone, Debug)]
pub struct ResourceList<'a> {
    /// The place, or the smallest jurisdiction at the point.
    pub place: Row,
    /// The point.
    pub point: Option<LonLat>,
    /// The topic.
    pub topic: Option<Topic>,
    /// A page of them, best first.
    pub resources: Vec<ResourceView<'a>>,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
}

/// What the maps say of a point.
#[derive(Clone, Debug)]
pub struct Screened<'a> {
    /// The point.
    pub point: LonLat,
    /// State, county, county subdivision, place: what there is of it, largest first.
    pub lineage: Vec<Row>,
    /// A fact for each key that applies here, in the order of the answer.
    pub facts: Vec<ScreenedFact<'a>>,
}

/// A fact, and who decides. Never an official determination.
#[derive(Clone, Debug)]
pub struct ScreenedFact<'a> {
    /// What the map says.
    pub fact: Fact,
    /// The local body that decides, where one does.
    pub decider: Option<Entry>,
    /// Pages to confirm the fact, best first.
    pub resources: Vec<ResourceView<'a>>,
}

/// A topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopicInfo {
    /// The topic.
    pub topic: Topic,
    /// Whether there is a guide on it.
    pub has_guide: bool,
}

/// The guide of a topic. One without a text of its own is the topic's description with the rules of the state.
#[derive(Clone, Debug)]
pub struct GuideDetails<'a> {
    /// The topic.
    pub topic: Topic,
    /// The state that was asked for.
    pub state: Option<StateCode>,
    /// The text.
    pub text: Option<&'a rules::Guide>,
    /// The rules of the state.
    pub ruled: Option<&'a RuledState>,
    /// Other guides on the same topic.
    pub also: Vec<&'a rules::Guide>,
}

impl Answer<'_> {
    /// The cursor of the next page, where there is one.
    pub fn next_cursor(&self) -> Option<&str> {
        match &self.data {
            Data::Place(place) => place.next_cursor.as_deref(),
            Data::Resources(list) => list.next_cursor.as_deref(),
            Data::Resolve(_)
            | Data::Search(_)
            | Data::Ask(_)
            | Data::Screening(_)
            | Data::Topics(_)
            | Data::Guide(_) => None,
        }
    }
}
