//! Answers `/jurisdictions` and `/offices`: lists of jurisdictions, and of the bodies that perform a function.

use super::{
    Answers, Entry, Form, ListRequest, ListRows, Notice, Parameter, RawParameters, Refusal, Remarks, Request,
    by_name::row_of_id,
    cursor::Question,
    model::{Answer, Data, ListedRow, Listing},
    notices,
    parameters::{self, LIMIT_AND_CURSOR},
};
use crate::{
    directory::{Directory, Order, Row, Selection},
    vocabulary::{Coverage, Function, JurisdictionId, JurisdictionType, Layer, StateCode},
};

/// Maximum number of rule evaluations for one page of a list. A row takes one; a state's row takes one for each
/// county. An evaluation takes 2 to 4 us, so a page stays below the 5 ms that an answering thread may take.
const EVALUATIONS_MAX: usize = 600;

const STATE: Parameter =
    Parameter::query("state", 20, "Two-letter state code; all states by default").of(Form::State, "WY");
const TYPE: Parameter = Parameter::query("type", 20, "Layer of the jurisdictions; all by default")
    .of(Form::Word(TYPES), "county");
const WITHIN: Parameter = Parameter::query(
    "within",
    parameters::ID_CHARS_MAX,
    "Id of the nation, a state, a county or a county subdivision whose parts are listed",
)
.of(Form::Id, "state:56");
const ORDER: Parameter =
    Parameter::query("order", 20, "Order of the list; by id by default").of(Form::Word(ORDERS), "population");
const FUNCTION: Parameter = Parameter::query("function", 20, "The function whose office is listed")
    .of(Form::Word(FUNCTIONS), "recording");

/// The parameters of `/jurisdictions`.
pub const JURISDICTION_PARAMETERS: &[Parameter] =
    &[STATE, TYPE, WITHIN, ORDER, FUNCTION, LIMIT_AND_CURSOR[0], LIMIT_AND_CURSOR[1]];

/// The parameters of `/offices`.
pub const OFFICE_PARAMETERS: &[Parameter] =
    &[FUNCTION.required(), STATE, TYPE, WITHIN, LIMIT_AND_CURSOR[0], LIMIT_AND_CURSOR[1]];

const TYPES: &[&str] = &["country", "state", "county", "cousub", "place", "district"];
const ORDERS: &[&str] = &["id", "name", "population"];
const FUNCTIONS: &[&str] =
    &["assessment", "tax_collection", "recording", "zoning", "permits", "gis", "exemptions"];

/// Parses the parameters of `/jurisdictions`.
///
/// # Errors
/// `bad-parameter`, `unknown-state`.
pub fn parse_jurisdictions(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let order = word(given, "order", ORDERS, |word| {
        Order::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, order)| order)
    })?;
    let function = word(given, "function", FUNCTIONS, Function::from_word)?;
    parse(given, ListRows::Jurisdictions(order.unwrap_or_default(), function))
}

/// Parses the parameters of `/offices`.
///
/// # Errors
/// `bad-parameter`, `unknown-state`.
pub fn parse_offices(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let function = word(given, "function", FUNCTIONS, Function::from_word)?;
    let missing =
        || Refusal::bad_parameter(format!("function is missing; give one of {}", FUNCTIONS.join(", ")));
    parse(given, ListRows::Offices(function.ok_or_else(missing)?))
}

fn parse(given: &RawParameters<'_>, rows: ListRows) -> Result<Request, Refusal> {
    let within = given.get("within").map(|text| {
        let id: Result<JurisdictionId, _> = text.parse();
        id.map_err(|error| Refusal::bad_parameter(format!("within: {error}")))
    });
    Ok(Request::List(ListRequest {
        state: given.get("state").map(parameters::state).transpose()?,
        kind: word(given, "type", TYPES, JurisdictionType::from_word)?,
        within: within.transpose()?,
        rows,
        paging: parameters::paging(given)?,
    }))
}

/// Returns the value of a parameter that takes one of a few words; `None` where it was not given.
fn word<T>(
    given: &RawParameters<'_>,
    name: &str,
    words: &[&str],
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    let Some(text) = given.get(name) else { return Ok(None) };
    let known = read(text).ok_or_else(|| {
        Refusal::bad_parameter(format!("expected {name} as one of {}, got {text:?}", words.join(", ")))
    });
    known.map(Some)
}

/// Answers `/jurisdictions` and `/offices`.
///
/// # Errors
/// `unknown-jurisdiction`, `bad-parameter` for an area without parts, `bad-cursor`.
pub(super) fn list<'a>(answers: &'a Answers, asked: &ListRequest) -> Result<Answer<'a>, Refusal> {
    let directory = answers.directory();
    let rows = directory.selected(&selection(directory, asked)?);
    let question = Question { text: question_text(asked), snapshot: directory.snapshot_id() };
    let start = question.offset(asked.paging.cursor.as_deref())?;
    let part = match asked.rows {
        ListRows::Jurisdictions(order, function) => {
            let count = rows.len();
            let end = start + asked.paging.limit;
            let shown = directory.ordered(&rows, order, start, end);
            let row =
                |row| ListedRow { row, entry: function.and_then(|function| answers.entry_at(row, function)) };
            let next = (end < count).then_some(end);
            Part { rows: shown.into_iter().map(row).collect(), count: Some(count), next }
        }
        ListRows::Offices(function) => performing(answers, &rows, function, start, asked.paging.limit),
    };
    let notices = listing_notices(answers, asked, &part.rows);
    let next_cursor = part.next.map(|next| question.cursor(next));
    let function = match asked.rows {
        ListRows::Jurisdictions(_, function) => function,
        ListRows::Offices(function) => Some(function),
    };
    Ok(answers
        .answer(Data::List(Listing { rows: part.rows, count: part.count, function, next_cursor }), notices))
}

fn selection(directory: &Directory, asked: &ListRequest) -> Result<Selection, Refusal> {
    let within = asked.within.as_ref().map(|id| {
        let row = row_of_id(directory, id)?;
        directory.within(row).ok_or_else(|| {
            let kinds = "the nation, a state, a county or a county subdivision";
            Refusal::bad_parameter(format!("expected within as the id of {kinds}, got {id}"))
        })
    });
    Ok(Selection { state: asked.state, kind: asked.kind, within: within.transpose()? })
}

/// Returns a text that identifies the request; a cursor is valid only for the text that it was made for.
fn question_text(asked: &ListRequest) -> String {
    let ListRequest { state, kind, within, rows, paging } = asked;
    format!("list {state:?} {kind:?} {within:?} {rows:?} {}", paging.limit)
}

/// A page of a list.
struct Part {
    rows: Vec<ListedRow>,
    /// The number of rows of the whole list; `None` if it was not counted.
    count: Option<usize>,
    /// The position at which the next page begins.
    next: Option<usize>,
}

/// Collects the bodies that perform the function, from position `start` on. Ends the page early after
/// [`EVALUATIONS_MAX`] evaluations.
fn performing(answers: &Answers, rows: &[Row], function: Function, start: usize, limit: usize) -> Part {
    let directory = answers.directory();
    let mut part = Part { rows: Vec::new(), count: None, next: None };
    let mut evaluations = 0;
    for (at, row) in rows.iter().enumerate().skip(start) {
        if !directory.may_perform(*row, function) {
            continue;
        }
        if evaluations >= EVALUATIONS_MAX {
            part.next = Some(at);
            break;
        }
        evaluations += match directory.state_code_of(*row) {
            Some(state) => directory.counties_in(state).len(),
            None => 1,
        };
        let Some(entry) = answers.entry_of_body(*row, function) else { continue };
        if part.rows.len() == limit {
            part.next = Some(at);
            break;
        }
        part.rows.push(ListedRow { row: *row, entry: Some(entry) });
    }
    part
}

impl Answers {
    /// The entry of a function for a jurisdiction as a whole; `None` where no rule covers it.
    fn entry_at(&self, row: Row, function: Function) -> Option<Entry> {
        self.assignment(self.territory_of(row), function)
    }

    /// The entry of a function that a body performs, as the body's own page shows it. The entry is for a part of the
    /// area where this body performs the function if that page shows another body.
    fn entry_of_body(&self, row: Row, function: Function) -> Option<Entry> {
        let outcome = self.directory().performs(row, function)?;
        let main = self.entry_at(row, function);
        match main.as_ref().and_then(|main| main.all().find(|entry| entry.body == Some(row))) {
            Some(own) => {
                let mut entry = own.clone();
                // Other bodies have rows of their own.
                entry.also.clear();
                Some(entry)
            }
            None => self.entry_of(row, outcome),
        }
    }
}

/// The reason why a list has no rows.
fn why_empty(directory: &Directory, asked: &ListRequest) -> Notice {
    let around = asked.within.as_ref().and_then(|id| directory.found(id));
    let state = asked.state.or_else(|| directory.state_of(around?));
    match state.filter(|_| asked.kind == Some(JurisdictionType::Layer(Layer::Cousub))) {
        Some(state) => match directory.cousub_coverage(state) {
            Coverage::Missing => Notice::NoTownBoundaries { state },
            Coverage::NotApplicable | Coverage::Complete if has_no_towns(directory, state) => {
                Notice::NoTownsGovern { state }
            }
            Coverage::NotApplicable | Coverage::Complete | Coverage::Partial => Notice::NothingListed,
        },
        None => Notice::NothingListed,
    }
}

fn has_no_towns(directory: &Directory, state: StateCode) -> bool {
    directory.rows_of(Layer::Cousub).all(|row| directory.state_of(row) != Some(state))
}

/// Returns the caveats of a page of a list.
fn listing_notices(answers: &Answers, asked: &ListRequest, rows: &[ListedRow]) -> Vec<Notice> {
    let directory = answers.directory();
    let is_place = |listed: &ListedRow| directory.layer(listed.row) == Some(Layer::Place);
    let by_inner_point = asked.within.as_ref().is_some_and(|id| {
        let kind = id.jurisdiction_type();
        kind == JurisdictionType::Layer(Layer::County) || kind == JurisdictionType::Layer(Layer::Cousub)
    });
    let mut notices = Vec::new();
    notices.extend((rows.is_empty() && asked.paging.cursor.is_none()).then(|| why_empty(directory, asked)));
    notices.extend((by_inner_point && rows.iter().any(is_place)).then_some(Notice::ListedByInnerPoint));
    if let ListRows::Jurisdictions(_, Some(function)) = asked.rows {
        let differs = |listed: &ListedRow| notices::cities_differ_in(answers, listed.row, function);
        notices.extend(rows.iter().any(differs).then_some(Notice::CountyLandOnly));
        notices.extend(rest_of_county(answers, asked, rows, function));
    }
    let entries = rows.iter().filter_map(|listed| listed.entry.as_ref());
    let mut remarks = Remarks::default();
    entries.for_each(|entry| remarks.add(entry.remarks()));
    notices.extend(notices::record_notices(remarks));
    notices
}

/// The caveat on land of a county that none of the listed governments covers, if the rules name another body there. In
/// Maine's unorganized territory the state assesses.
fn rest_of_county(
    answers: &Answers,
    asked: &ListRequest,
    rows: &[ListedRow],
    function: Function,
) -> Option<Notice> {
    let directory = answers.directory();
    let is_county = |id: &&JurisdictionId| id.jurisdiction_type() == JurisdictionType::Layer(Layer::County);
    let county = directory.found(asked.within.as_ref().filter(is_county)?)?;
    let outcome = directory.outside_towns(county, function).filter(|outcome| outcome.office.is_some())?;
    let body = directory.found(outcome.body.as_ref()?)?;
    let has = |listed: &ListedRow| listed.entry.as_ref().is_some_and(|entry| entry.body == Some(body));
    (!rows.iter().any(has)).then_some(Notice::RestOfCounty { county, function })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::directory, vocabulary::ProblemKind};

    fn parsed(table: &'static [Parameter], query: &str) -> Result<Request, Refusal> {
        let given = RawParameters::from_query(table, query)?;
        if table.len() == OFFICE_PARAMETERS.len() {
            parse_offices(&given)
        } else {
            parse_jurisdictions(&given)
        }
    }

    #[test]
    fn words_are_those_of_the_vocabulary() {
        assert!(JurisdictionType::ALL.iter().map(|kind| kind.as_str()).eq(TYPES.iter().copied()));
        assert!(Function::ALL.iter().map(|function| function.as_str()).eq(FUNCTIONS.iter().copied()));
        assert!(Order::WORDS.iter().map(|(word, _)| *word).eq(ORDERS.iter().copied()));
    }

    #[test]
    fn spoilt_requests_say_what_was_expected() {
        for (table, query, said) in [
            (OFFICE_PARAMETERS, "", "function is missing; give one of assessment, tax_collection"),
            (OFFICE_PARAMETERS, "function=deeds", "expected function as one of assessment"),
            (JURISDICTION_PARAMETERS, "type=town", "expected type as one of country, state"),
            (
                JURISDICTION_PARAMETERS,
                "order=size",
                "expected order as one of id, name, population, got \"size\"",
            ),
            (JURISDICTION_PARAMETERS, "within=MN", "within: expected state:NN"),
            (JURISDICTION_PARAMETERS, "limit=101", "limit from 1 to 100"),
            (JURISDICTION_PARAMETERS, "state=Z", "two-letter state code"),
        ] {
            let refusal = parsed(table, query).unwrap_err();
            assert!(refusal.detail.contains(said), "{query}: {}", refusal.detail);
        }
    }

    /// Rivertown does the zoning inside its limits, and the counties do it elsewhere.
    #[test]
    fn each_body_is_listed_once_with_its_office() {
        let answers = Answers::new(directory());
        let listed = |query: &str| {
            let table = if query.contains("order") { JURISDICTION_PARAMETERS } else { OFFICE_PARAMETERS };
            let Request::List(asked) = parsed(table, query).unwrap() else { panic!("a list") };
            let answer = list(&answers, &asked).unwrap();
            let Data::List(listing) = answer.data else { panic!("a list") };
            listing
        };
        let mut bodies = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = listed(&format!("function=zoning&state=MN&limit=1{cursor}"));
            assert!(page.rows.len() <= 1 && page.count.is_none());
            for row in &page.rows {
                let entry = row.entry.as_ref().unwrap();
                assert!(entry.body == Some(row.row) && entry.office.is_some());
            }
            bodies.extend(page.rows.iter().map(|row| answers.directory().name_of(row.row).to_owned()));
            let Some(next) = page.next_cursor else { break };
            cursor = format!("&cursor={next}");
        }
        bodies.sort();
        assert_eq!(bodies, ["Adams County", "Baker County", "Rivertown"]);
        let all = listed("order=name&type=county&state=MN&function=zoning");
        assert_eq!((all.count, all.rows.len(), all.next_cursor), (Some(2), 2, None));
        assert!(all.rows.iter().all(|row| row.entry.is_some()));
    }

    #[test]
    fn an_area_without_parts_is_refused() {
        let answers = Answers::new(directory());
        let refused = |within: &str| {
            let Request::List(asked) = parsed(JURISDICTION_PARAMETERS, &format!("within={within}")).unwrap()
            else {
                panic!("a list")
            };
            list(&answers, &asked).unwrap_err()
        };
        assert_eq!(refused("county:27998").kind, ProblemKind::UnknownJurisdiction);
        let place = answers.directory().rows_of(Layer::Place).next().unwrap();
        let refusal = refused(&answers.directory().id_of(place).to_string());
        assert!(refusal.detail.contains("expected within as the id of"), "{}", refusal.detail);
    }
}
