//! Answers free text: reads the text once and calls the operation that fits.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Answers, Form, Notice, Paging, Parameter, RawParameters, Refusal, Request, Whose,
    beside_jobs::topic_notices,
    lookup::Found,
    model::{Answer, Asked, Data},
    narrow::{keep_county, keep_state, keep_zip},
    places,
    reading::{Reading, Subject, has_address, outside_of, zip_beside},
    resolve, search,
    zip::{self, OfZip},
};
use crate::{
    directory::{Directory, Match, MatchedBy, Matches, Row, state_in_sentence},
    geocoder::town_of,
    geometry::LonLat,
    vocabulary::{Folded, Function, FunctionSet, Layer, ProblemKind, Topic},
};

/// Maximum number of characters of a text: links to a place in Google Maps have up to 600.
pub const TEXT_CHARS_MAX: usize = 1_000;
/// Maximum number of characters of an address or a name; `/search` and `/jurisdictions/resolve` have the same limit.
pub const WORDS_CHARS_MAX: usize = 200;
/// Maximum number of places to find for a name. Fewer states than this have a Springfield.
pub const PLACES_MAX: usize = 20;
/// Minimum number of words of a text that is read as a sentence although a search found a place. Chosen, not
/// measured: a name with tasks has fewer words.
const SENTENCE_WORDS_MIN: usize = 8;
/// Maximum number of pages on a topic at a point; chosen, not measured.
const PAGES_MAX: usize = 10;

/// The parameters of `/ask`.
pub const PARAMETERS: &[Parameter] = &[Parameter::query(
    "q",
    TEXT_CHARS_MAX,
    "Coordinates, a link to a map, a ZIP code, a street address, or a place, perhaps with a task",
)
.required()
.of(Form::Text, "building permit 55415")];

/// Parses the parameters of `/ask`.
///
/// # Errors
/// `bad-parameter`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    Request::ask(given.get("q").unwrap_or_default())
}

impl Request {
    /// Reads a free text and makes its request.
    ///
    /// # Errors
    /// `bad-parameter` for a blank text, and for an address or a name of more than [`WORDS_CHARS_MAX`] characters.
    pub fn ask(text: &str) -> Result<Request, Refusal> {
        let reading = Reading::new(text);
        match &reading.subject {
            Subject::Name(words) if words.is_empty() => Err(Refusal::bad_parameter(
                "q is missing; give coordinates, a ZIP code, an address or the name of a place",
            )),
            Subject::Address(words) | Subject::Name(words) if words.chars().count() > WORDS_CHARS_MAX => Err(
                Refusal::bad_parameter(format!("q is longer than {WORDS_CHARS_MAX} characters; shorten it")),
            ),
            _ => Ok(Request::Ask { reading }),
        }
    }
}

/// Answers `/ask`.
///
/// # Errors `bad-point` and `outside-coverage` for coordinates; `ambiguous` if several addresses match. For an
/// address, also the reason why neither it nor a place with its town's name was found.
pub(super) fn ask<'a>(answers: &'a Answers, reading: &Reading, found: Found) -> Result<Answer<'a>, Refusal> {
    let empty = || Asked {
        reading: reading.clone(),
        resolved: None,
        matches: Arc::default(),
        counties: Vec::new(),
        refusal: None,
        is_outside_towns: false,
    };
    let mut answer = match &reading.subject {
        Subject::Point(coordinates) => {
            resolved(answers, resolve::by_coordinates(answers, *coordinates, None)?, empty())
        }
        Subject::Zip(zip) => by_zip(answers, *zip, empty()),
        Subject::Address(text) => by_address(answers, text, found, empty())?,
        Subject::Name(text) => by_name(answers, text, empty()),
    };
    let beside = match &answer.data {
        Data::Ask(asked) => asked.beside(answers),
        _ => Vec::new(),
    };
    answer.notices.extend(beside);
    Ok(answer)
}

/// Wraps the answer for a point or an address, and adds the pages of the tasks there.
fn resolved<'a>(answers: &'a Answers, mut answer: Answer<'a>, asked: Asked) -> Answer<'a> {
    let Data::Resolve(resolved) = answer.data else { return answer };
    let topics = &asked.reading.topics;
    let pages = |point: LonLat| topics.iter().flat_map(move |topic| pages_at(answers, point, *topic));
    let resources = zip::each_once(resolved.point.into_iter().flat_map(pages));
    answer.notices.extend(topic_notices(answers.directory(), resolved.lineage.first().copied(), topics));
    let matches = Arc::new(Matches { resources, ..Matches::default() });
    let asked = Asked { resolved: Some(resolved), matches, ..asked };
    Answer { data: Data::Ask(Box::new(asked)), ..answer }
}

fn pages_at(answers: &Answers, point: LonLat, topic: Topic) -> Vec<usize> {
    let paging = Paging { limit: PAGES_MAX, cursor: None };
    match places::resources(answers, &Whose::Point(point), Some(topic), &paging).map(|answer| answer.data) {
        Ok(Data::Resources(list)) => list.resources.iter().map(|view| view.number).collect(),
        _ => Vec::new(),
    }
}

/// Answers a ZIP code with the counties that it reaches, each with its pages for the tasks.
fn by_zip(answers: &Answers, zip: u32, asked: Asked) -> Answer<'_> {
    let OfZip { counties, matches, notices } = zip::of_zip(answers, zip, None, &asked.reading.topics);
    answers.answer(Data::Ask(Box::new(Asked { counties, matches: Arc::new(matches), ..asked })), notices)
}

/// Answers an address. If it was not found, lists the places that have the name of its town.
fn by_address<'a>(
    answers: &'a Answers,
    text: &str,
    found: Found,
    asked: Asked,
) -> Result<Answer<'a>, Refusal> {
    let lifetime_s = found.lifetime_s;
    let refusal = match resolve::by_address(answers, found, None) {
        Ok(answer) => return Ok(resolved(answers, answer, asked)),
        Err(refusal) => refusal,
    };
    use ProblemKind::{AddressNotFound, OutsideCoverage, UpstreamUnavailable};
    if !matches!(refusal.kind, AddressNotFound | UpstreamUnavailable | OutsideCoverage) {
        return Err(refusal);
    }
    let (town, topics) = (town_of(text), &asked.reading.topics);
    let for_tasks =
        (!topics.is_empty()).then(|| answers.directory().search_for_tasks(topics, town, PLACES_MAX));
    let answer = match for_tasks.filter(|found| !found.is_empty()) {
        Some(found) => search::answer_of(answers, found, None),
        None => search::search(answers, town, None, PLACES_MAX),
    };
    match answer.data {
        Data::Search(matches) if !matches.places.is_empty() => {
            let notices = std::iter::once(Notice::TownOfAddress).chain(answer.notices).collect();
            let asked = Asked { matches, refusal: Some(refusal), ..asked };
            Ok(Answer { lifetime_s, ..answers.answer(Data::Ask(Box::new(asked)), notices) })
        }
        _ => Err(refusal),
    }
}

/// Answers a name by a search, and by a second search for the place in a sentence. Keeps the places that the rest of
/// the text allows.
fn by_name<'a>(answers: &'a Answers, text: &str, mut asked: Asked) -> Answer<'a> {
    let directory = answers.directory();
    let mut answer = search::search(answers, text, None, PLACES_MAX);
    if is_name(&answer) {
        asked.reading.topics.clear();
    } else {
        search_again(answers, text, &asked.reading.topics, &mut answer);
    }
    // Each of several places has a state of its own.
    if is_sentence(text) && !has_several(&answer) {
        keep_state(answers, text, &mut answer);
    }
    let folded = Folded::of(text);
    keep_county(answers, &folded, &mut answer);
    let zip = zip_beside(text);
    let zip_elsewhere = zip.filter(|zip| keep_zip(answers, *zip, &mut answer));
    stand_in_state(answers, text, &asked.reading.topics, &mut answer);
    let first = first_place(&answer).map_or("", |row| directory.name_of(row));
    if let Some(layer) = outside_of(&folded, &Folded::of(first)) {
        leave_city(answers, layer, &asked.reading.topics, &mut answer);
        asked.is_outside_towns = layer == Layer::Cousub;
        if asked.is_outside_towns {
            answer.notices.extend(outside_towns(directory, &asked.reading.topics, &answer.data));
        }
    }
    if has_address(text) {
        answer.notices.push(Notice::AddressInSentence);
    }
    let Data::Search(matches) = answer.data else { return answer };
    // The search knows which words are a name: the text "zoning register ga" has one task, at Register in Georgia.
    if !matches.topics.is_empty() {
        asked.reading.topics.clone_from(&matches.topics);
    }
    if matches.is_part && asked.reading.topics.is_empty() && asked.reading.uncovered.is_none() {
        answer.notices.push(Notice::TaskNotRead);
    }
    match zip_elsewhere {
        Some(zip) if !asked.reading.topics.is_empty() => by_zip(answers, zip, asked),
        _ => Answer { data: Data::Ask(Box::new(Asked { matches, ..asked })), ..answer },
    }
}

/// Whether a text is so long that it is read as a sentence although a search found a place.
fn is_sentence(text: &str) -> bool {
    text.split_whitespace().nth(SENTENCE_WORDS_MIN - 1).is_some()
}

/// Searches again if the first search finds nothing, or no place for the tasks. The second text has only the tasks,
/// and the words that most plainly name a place. A text that names several places is searched again. So is a long one
/// that plainly names a place: "Huntington WV - assessor, my street may be in Wayne county".
fn search_again<'a>(answers: &'a Answers, text: &str, topics: &[Topic], answer: &mut Answer<'a>) {
    let directory = answers.directory();
    if has_several(answer) {
        return;
    }
    let is_without = is_without_place(answer, topics);
    let again = directory.places_in_sentence(text, topics, PLACES_MAX).or_else(|| {
        let may = is_without || is_sentence(text);
        let place = directory.place_in_sentence(text).filter(|_| may)?;
        if !is_without && !place.is_plain {
            return None;
        }
        let found = match topics.is_empty() {
            true => directory.search(&place.words, None, PLACES_MAX),
            false => directory.search_for_tasks(topics, &place.words, PLACES_MAX),
        };
        Some(Matches { is_part: place.words.len() < text.trim().len(), ..found })
    });
    if let Some(again) = again.filter(|again| !again.is_empty()) {
        *answer = search::answer_of(answers, again, None);
    }
}

fn first_place(answer: &Answer<'_>) -> Option<Row> {
    let Data::Search(matches) = &answer.data else { return None };
    matches.places.first().map(|place| place.row)
}

/// Answers for the state that the text names if no place was found for the tasks, or in a sentence without a task. The
/// state's rules hold at the place, too.
fn stand_in_state<'a>(answers: &'a Answers, text: &str, topics: &[Topic], answer: &mut Answer<'a>) {
    let Data::Search(matches) = &answer.data else { return };
    let is_wanted = matches.is_empty() && (!topics.is_empty() || is_sentence(text));
    let state = state_in_sentence(text).and_then(|state| answers.directory().state_row(state));
    let Some(row) = state.filter(|_| is_wanted) else { return };
    let places = vec![Match { row, matched_by: MatchedBy::Words }];
    let found = Matches { places, topics: topics.to_vec(), is_part: true, ..Matches::default() };
    *answer = search::answer_of(answers, found, (!topics.is_empty()).then_some(Notice::NoSuchName));
}

/// Replaces the best place by its county, because the text is about land outside that city. With the layer of towns
/// as `layer`, replaces a town as well.
fn leave_city<'a>(answers: &'a Answers, layer: Layer, topics: &[Topic], answer: &mut Answer<'a>) {
    let directory = answers.directory();
    let Data::Search(matches) = &answer.data else { return };
    let Some(city) = first_place(answer) else { return };
    if !directory.layer(city).is_some_and(|of| of == Layer::Place || of == layer) {
        return;
    }
    let county = directory.county_around(city).filter(|county| !directory.is_same(city, *county));
    let Some(county) = county else { return };
    let topics = if matches.topics.is_empty() { topics } else { &matches.topics };
    let places = vec![Match { row: county, matched_by: MatchedBy::Words }];
    let found = Matches {
        resources: directory.pages_for(&places, topics, PAGES_MAX),
        places,
        topics: topics.to_vec(),
        others: matches.others.clone(),
        is_part: matches.is_part,
        ..Matches::default()
    };
    *answer = search::answer_of(answers, found, Some(Notice::OutsideCity { city, county }));
}

/// The caveats that name the offices for land of a county that no town covers, if a county was found.
fn outside_towns(directory: &Directory, topics: &[Topic], data: &Data<'_>) -> Vec<Notice> {
    let Data::Search(matches) = data else { return Vec::new() };
    let county = matches.places.first().map(|place| place.row);
    let Some(county) = county.filter(|row| directory.layer(*row) == Some(Layer::County)) else {
        return Vec::new();
    };
    let topics = if matches.topics.is_empty() { topics } else { &matches.topics };
    let has_office = |function: &Function| {
        directory.outside_towns(county, *function).is_some_and(|one| one.office.is_some())
    };
    let mut offices = BTreeSet::new();
    let is_further = |function: &Function| {
        offices.insert(directory.outside_towns(county, *function).and_then(|one| one.office))
    };
    let functions = FunctionSet::of_topics(topics).iter().filter(has_office).filter(is_further);
    functions.map(|function| Notice::RestOfCounty { county, function }).collect()
}

/// Whether several places of the text were found.
fn has_several(answer: &Answer<'_>) -> bool {
    matches!(&answer.data, Data::Search(found) if found.are_alternatives || !found.others.is_empty())
}

/// Whether the search found nothing, or the text has tasks and the search recognized none of them.
fn is_without_place(answer: &Answer<'_>, topics: &[Topic]) -> bool {
    let Data::Search(found) = &answer.data else { return false };
    found.is_empty() || (found.topics.is_empty() && !topics.is_empty())
}

/// Whether all words of the text are the name of a place: "Fence, Wisconsin" is a town, not a task.
fn is_name(answer: &Answer<'_>) -> bool {
    let Data::Search(found) = &answer.data else { return false };
    found.places.first().is_some_and(|place| place.matched_by < MatchedBy::Words)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::testing;

    fn answered(text: &str) -> Result<String, ProblemKind> {
        static WORLD: LazyLock<Answers> = LazyLock::new(|| Answers::new(testing::directory()));
        let answers = &*WORLD;
        let given = RawParameters::from_pairs(PARAMETERS, [("q", text)]).map_err(|refusal| refusal.kind)?;
        let request = parse(&given).map_err(|refusal| refusal.kind)?;
        let answer = answers.finish(&request, Found::default()).map_err(|refusal| refusal.kind)?;
        let Data::Ask(asked) = &answer.data else { panic!("{text}") };
        let name = |row: Row| answers.directory().name_of(row);
        let lineage = asked.resolved.iter().filter_map(|resolved| resolved.lineage.last().copied());
        let places = asked.matches.places.iter().map(|found| found.row);
        let named: Vec<&str> = lineage.chain(places).map(name).collect();
        let is_swapped = answer.notices.contains(&Notice::LongitudeFirst);
        let pages = asked.matches.resources.len();
        let also = asked.matches.others.iter().map(|other| format!("; also {}", name(other.row)));
        let also: String = also.collect();
        Ok(format!("{}{} {pages}{also}", named.join(", "), if is_swapped { " swapped" } else { "" }))
    }

    /// The answer is the same whether a task stands before or behind its place, for each topic.
    #[test]
    fn the_order_of_task_and_place_does_not_matter() {
        let shown = |text: &str| {
            let topics = match parse(&RawParameters::from_pairs(PARAMETERS, [("q", text)]).unwrap()) {
                Ok(Request::Ask { reading }) => reading.topics,
                _ => Vec::new(),
            };
            (topics, answered(text))
        };
        let mut tasks: Vec<String> = Topic::all().map(|topic| topic.as_str().replace('_', " ")).collect();
        tasks.extend(["zoning and permits", "who do I ask about a fence"].map(str::to_owned));
        for task in &tasks {
            for place in [
                "Adams County",
                "Rivertown, Minnesota",
                "Adams and Baker counties",
                "the hollow mn",
                "55415",
                "45.025, -93.95",
                "https://maps.google.com/?q=45.025,-93.95",
                "1 Main St, Rivertown",
            ] {
                let (before, behind) = (shown(&format!("{task} {place}")), shown(&format!("{place} {task}")));
                assert!(!before.0.is_empty(), "{task} {place}");
                assert_eq!(before, behind, "{task} {place}");
            }
        }
    }

    #[test]
    fn each_reading_is_answered() {
        use ProblemKind::{BadParameter, BadPoint, OutsideCoverage, UpstreamUnavailable};
        let long = "x".repeat(201);
        for (text, expected) in [
            ("45.025, -93.95", Ok("Elm town 0")),
            ("-93.95, 45.025", Ok("Elm town swapped 0")),
            ("https://maps.google.com/?q=45.025,-93.95", Ok("Elm town 0")),
            ("https://maps.google.com/?q=-93.95,45.025", Err(BadPoint)),
            ("10, 10", Err(OutsideCoverage)),
            ("99, 99", Err(BadPoint)),
            ("Rivertown", Ok("Rivertown 0")),
            ("Adams County parcel map", Ok("Adams County 1")),
            ("what may a shed cost in Rivertown?", Ok("Rivertown 0")),
            ("zzzz", Ok(" 0")),
            ("55415", Ok(" 0")),
            ("1 Main St, Rivertown", Ok("Rivertown 0")),
            ("1 Main St, Zzzz", Err(UpstreamUnavailable)),
            // Several places, and several tasks.
            ("parcel map of Adams and Baker counties", Ok("Adams County 1; also Baker County")),
            ("Adams County and Baker County", Ok("Adams County 0; also Baker County")),
            ("zoning in Rivertown, MN and Zzzz", Ok("Rivertown 0")),
            ("zoning in Rivertown and Zzzz", Ok("Rivertown 0")),
            ("a question about zoning - my lot is in Rivertown, where do I go?", Ok("Rivertown 0")),
            ("parcel map and zoning of Adams County", Ok("Adams County 1")),
            ("https://maps.google.com/?q=45.025,-93.95 zoning", Ok("Elm town 0")),
            ("state of minnesota zoning", Ok("Minnesota 0")),
            // The county values property in the city, but the text does not name the county, so the city is found.
            ("assessor Rivertown", Ok("Rivertown 0")),
            (" ", Err(BadParameter)),
            (long.as_str(), Err(BadParameter)),
        ] {
            assert_eq!(answered(text), expected.map(str::to_owned), "{text}");
        }
    }
}
