//! One answer per operation: the only module that joins data of the directory with the results of lookups outside.
//!
//! A front end parses a [`Request`] once; all front ends share the parsers. [`Answers::plan`] answers it, or returns
//! what must be looked up first. The front end makes that lookup, however long it takes, and passes the result to
//! [`Answers::finish`]. Both are plain functions: the same snapshot, question and results give the same [`Answer`]. An
//! answer holds values; renderers make JSON, pages and plain text from it.

mod ask;
mod asked;
mod assignments;
mod at_point;
mod beside_jobs;
mod by_name;
mod caches;
mod chains;
mod coverage;
mod cursor;
mod download;
mod guides;
mod job_pages;
mod links;
mod lists;
mod locality;
mod lookup;
mod model;
mod narrow;
mod notice;
mod notices;
mod number;
mod offices;
mod on_day;
pub mod operations;
mod parameters;
mod parcel;
mod places;
mod raw_parameters;
mod reading;
mod refusal;
mod relief;
mod request;
mod resolve;
mod screening;
mod search;
mod shares;
mod sources;
mod titles;
mod zip;

use std::sync::OnceLock;

use crate::{
    directory::{Directory, Row},
    vocabulary::Date,
};

pub use ask::{PLACES_MAX, TEXT_CHARS_MAX, WORDS_CHARS_MAX};
pub use assignments::{Assignments, Entry, Territory, assignment};
pub use at_point::Ground;
pub use beside_jobs::{office_beside_jobs, sentences_beside_jobs, state_page_beside_jobs, topic_notices};
pub use by_name::name_with_surroundings;
pub use caches::{BoundedCache, Budget, CacheFigures, CacheKind, Weigh};
pub use cursor::Paging;
pub use download::{CHECK, CHECKSUMS, FileTable, TABLES, Table, WRITE};
pub use links::{Link, LinkKind};
pub use locality::Locality;
pub use lookup::{AddressAnswer, Finder, Found, FoundAddress, Lookup, Spot};
pub use model::{
    Answer, Asked, ChainAt, ChainRow, Data, GuideDetails, ListedRow, Listing, Matched, PlaceDetails,
    Resolved, ResourceList, Screened, ScreenedFact, TopicInfo,
};
pub use notice::Notice;
pub use number::whole_meters;
pub use offices::{Office, Remarks};
pub use on_day::{check as check_day, check_existed};
pub use parameters::PAGE_LIMIT_MAX;
pub use parcel::{PARCEL_FIELDS, ParcelAnswer, ParcelFacts, ParcelForm};
pub use raw_parameters::{Form, PARAMETERS_MAX, Parameter, RawParameters, is_pair_of};
pub use reading::{Coordinates, Named, Reading, Subject, Uncovered};
pub use refusal::{Choice, Refusal};
pub use request::{GivenPoint, ListRequest, ListRows, Request, Whose};
pub use resolve::parse_point;
pub use screening::national_page;
pub use shares::{CoverageDetails, JobShares, LayerCoverage, LinkCoverage};
pub use sources::Source;

/// A directory, and caches of values that several answers share.
#[derive(Debug)]
pub struct Answers {
    directory: Directory,
    /// Remarks by territory. An answer with a cached text needs only the remarks, so its assignments, which take 20
    /// us, are not made.
    remarks: BoundedCache<Territory, Remarks>,
    /// Whether a jurisdiction reaches beyond the county of its inner point, by row. Computed once, by a walk along its
    /// lines.
    reach_beyond: Box<[OnceLock<bool>]>,
}

/// The result of planning a request.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a plan is taken apart where it is made, and never stored")]
pub enum Plan<'a> {
    /// The answer: no lookup is necessary.
    Done(Result<Answer<'a>, Refusal>),
    /// The lookup outside of the snapshot that must be made first. [`Answers::finish`] then answers.
    Needs(Lookup),
}

impl Answers {
    /// Makes answers from this directory, with the default budget for caches.
    pub fn new(directory: Directory) -> Answers {
        Answers::within(Budget::default(), directory)
    }

    /// Makes answers whose caches stay within their shares of a budget.
    pub fn within(budget: Budget, directory: Directory) -> Answers {
        Answers {
            reach_beyond: directory.rows().map(|_| OnceLock::new()).collect(),
            directory,
            remarks: BoundedCache::new(budget, CacheKind::Remarks, |_, _| 0),
        }
    }

    /// Size and use of the cache of remarks.
    pub fn figures(&self) -> CacheFigures {
        self.remarks.figures()
    }

    /// Empties the cache of remarks.
    pub fn forget(&self) {
        self.remarks.clear();
    }

    /// The directory that rows of answers point into.
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Answers a request, or returns what must be looked up first.
    pub fn plan(&self, request: &Request) -> Plan<'_> {
        match request.undated() {
            Request::ResolveAddress { address } => {
                match resolve::without_lookup(self, address, request.date()) {
                    Some(answer) => Plan::Done(self.of_day(request.date(), answer)),
                    None => Plan::Needs(Lookup::Address(address.clone())),
                }
            }
            Request::Ask { reading: Reading { subject: Subject::Address(address), .. } } => {
                Plan::Needs(Lookup::Address(address.clone()))
            }
            Request::ScreenPlace { place } => match screening::lookup_of_place(self, place) {
                Ok(lookup) => Plan::Needs(lookup),
                Err(refusal) => Plan::Done(Err(refusal)),
            },
            Request::Screening { point } => match screening::lookup(self, *point) {
                Ok(lookup) => Plan::Needs(lookup),
                Err(refusal) => Plan::Done(Err(refusal)),
            },
            _ => Plan::Done(self.finish(request, Found::default())),
        }
    }

    /// Answers a request with the results of its lookup. [`Found::default`] stands for no lookup, for programs without
    /// a network.
    ///
    /// # Errors
    /// The problem, if the data has no answer.
    pub fn finish(&self, request: &Request, found: Found) -> Result<Answer<'_>, Refusal> {
        self.of_day(request.date(), self.finish_on(request.undated(), found, request.date()))
    }

    /// Completes an answer of a day, if one is given: refuses days that are not answered, and says how much is known.
    fn of_day<'a>(
        &'a self,
        date: Option<Date>,
        answer: Result<Answer<'a>, Refusal>,
    ) -> Result<Answer<'a>, Refusal> {
        let Some(date) = date else { return answer };
        on_day::check(&self.directory, date)?;
        let mut answer = answer?;
        answer.notices.insert(0, on_day::notice(&self.directory, date));
        Ok(answer)
    }

    /// Answers a request, as of a day if one is given.
    fn finish_on(&self, request: &Request, found: Found, date: Option<Date>) -> Result<Answer<'_>, Refusal> {
        match request {
            Request::Resolve { point } => resolve::by_point(self, *point, date),
            Request::ResolveAddress { address } => resolve::without_lookup(self, address, date)
                .unwrap_or_else(|| resolve::by_address(self, found, date)),
            Request::ResolvePlace { place } => locality::by_locality(self, place, date),
            Request::OnDay { request, .. } => self.finish_on(request, found, date),
            Request::Place { id, paging } => places::place(self, id, paging, date),
            Request::Resources { whose, topic, paging } => places::resources(self, whose, *topic, paging),
            Request::List(asked) => lists::list(self, asked),
            Request::Chains { points } => Ok(chains::chains(self, points, date)),
            Request::Search { text, state, limit } => Ok(search::search(self, text, *state, *limit)),
            Request::Ask { reading } => ask::ask(self, reading, found),
            Request::Screening { point } => screening::screening(self, *point, found),
            Request::Download => Ok(download::download(self)),
            Request::ScreenPlace { place } => screening::of_place(self, place, found),
            Request::Coverage { state } => Ok(coverage::coverage(self, *state)),
            Request::Topics => Ok(guides::topics(self)),
            Request::Guide { topic, state } => Ok(guides::guide_for(self, *topic, *state)),
        }
    }

    /// Makes an answer that rests only on the snapshot.
    fn answer<'a>(&'a self, data: Data<'a>, notices: Vec<Notice>) -> Answer<'a> {
        Answer { data, notices, as_of: self.directory.as_of().into(), lifetime_s: None }
    }

    /// Whether a place reaches into a county other than that of its inner point.
    fn reaches_beyond(&self, place: Row, county: Row) -> bool {
        let known = &self.reach_beyond[place.index()];
        *known.get_or_init(|| self.directory.reaches_beyond(place, county))
    }
}
