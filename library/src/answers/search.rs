//! Places and resources by name.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};

use super::{
    Answers, Form, Parameter, RawParameters, Refusal, Request,
    model::{Answer, Data},
    notices,
    parameters::{self, bad},
};
use crate::{
    budget::{Budget, CacheFigures, Kept},
    directory::{Directory, Match, Matches, Unlisted},
    vocabulary::StateCode,
};

const LIMIT_MAX: usize = 50;
const LIMIT_DEFAULT: usize = 10;

/// The parameters of `/search`.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::query("q", 200, "Name of a county, city, town, township or web resource; never of a person")
        .required()
        .of(Form::Text, "saint paul"),
    Parameter::query("state", 20, "Two-letter state code; only what is in this state").of(Form::State, "MN"),
    Parameter::query("limit", 20, "Places and resources at most, 1 to 50 of each; 10 where it is left out")
        .of(Form::Whole { min: 1, max: LIMIT_MAX, default: LIMIT_DEFAULT }, "3"),
];

/// Parses the parameters of `/search`.
///
/// # Errors
/// `bad-parameter`, `unknown-state`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let text = given.get("q").map(str::trim).unwrap_or_default();
    if text.is_empty() {
        return Err(bad("q is missing; give the name of a place or of a web resource"));
    }
    let state = given.get("state").map(parameters::state).transpose()?;
    let limit = parameters::limit(given, LIMIT_MAX, LIMIT_DEFAULT)?;
    Ok(Request::Search { text: text.to_owned(), state, limit })
}

/// Answers `/search`.
pub(super) fn search<'a>(
    answers: &'a Answers,
    text: &str,
    state: Option<StateCode>,
    limit: usize,
) -> Answer<'a> {
    let matches = answers.searches.find(answers.directory(), text, state, limit);
    let notices = notices::search_notices(&matches);
    answers.answer(Data::Search(matches), notices)
}

/// A question: text, state and limit.
type Question = (Box<str>, Option<StateCode>, usize);

/// What texts have found lately.
pub(super) struct SearchCache(Cache<Question, Arc<Matches>, ByBytes>);

#[derive(Clone)]
struct ByBytes;

impl Weighter<Question, Arc<Matches>> for ByBytes {
    fn weight(&self, (text, ..): &Question, matches: &Arc<Matches>) -> u64 {
        let Matches { places, resources, unlisted } = &**matches;
        let lists = places.capacity() * size_of::<Match>()
            + resources.capacity() * size_of::<usize>()
            + unlisted.capacity() * size_of::<Unlisted>();
        (text.len() + lists + size_of::<(Question, Matches)>()) as u64
    }
}

impl SearchCache {
    pub(super) fn new(budget: Budget) -> SearchCache {
        SearchCache(budget.cache(Kept::Searches, ByBytes))
    }

    fn find(
        &self,
        directory: &Directory,
        text: &str,
        state: Option<StateCode>,
        limit: usize,
    ) -> Arc<Matches> {
        let question = (text.into(), state, limit);
        self.0.get(&question).unwrap_or_else(|| {
            let matches = Arc::new(directory.search(text, state, limit));
            self.0.insert(question, Arc::clone(&matches));
            matches
        })
    }

    pub(super) fn figures(&self) -> CacheFigures {
        CacheFigures::of(Kept::Searches, &self.0)
    }

    pub(super) fn forget(&self) {
        self.0.clear();
    }
}

impl std::fmt::Debug for SearchCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SearchCache").field(&self.0.len()).finish()
    }
}
