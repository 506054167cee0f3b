//! What someone typed: read as coordinates, an address or a name, and led to its answer or to a choice.

use hyper::StatusCode;
use maud::{Markup, html};
use serde_json::json;

use super::{
    door::{Asking, Made},
    front, point,
    sheet::Sheet,
    site::{Site, in_query, place_path, point_path},
    words::{capital, count, full_name},
};
use platbook::{
    answers::{Answer, Choice, Data, Notice, Refusal, Request, parse_point},
    directory::{Directory, Match, MatchedBy, Matches, ResourceView, Row, Unlisted},
    vocabulary::{JurisdictionType, Layer, ProblemKind, StateCode},
    words::{English, Units, Words as _},
};

/// Suggestions as one types.
pub(super) const SUGGESTIONS_MAX: usize = 8;

/// Places and resources on the page of a choice.
const CHOICES_MAX: usize = 20;

/// Words that end the names of most streets.
const STREET_WORDS: [&str; 30] = [
    "ave",
    "avenue",
    "blvd",
    "boulevard",
    "cir",
    "circle",
    "court",
    "ct",
    "dr",
    "drive",
    "highway",
    "hwy",
    "lane",
    "ln",
    "loop",
    "parkway",
    "pike",
    "pkwy",
    "pl",
    "place",
    "plaza",
    "rd",
    "road",
    "square",
    "st",
    "street",
    "ter",
    "terrace",
    "trail",
    "way",
];

/// Parts of a city that may follow the name of a street.
const QUARTERS: [&str; 4] = ["ne", "nw", "se", "sw"];

/// Digits of a ZIP code.
const ZIP_DIGITS: usize = 5;

/// What someone typed into the field.
pub(super) async fn typed(site: Site<'_>, asking: &mut Asking<'_, '_>, text: &str) -> Result<Made, Refusal> {
    if let Some(path) = coordinates(text)? {
        return Ok(Made::Elsewhere(StatusCode::SEE_OTHER, path));
    }
    if let Some(made) = zip(site, text) {
        return Ok(made);
    }
    if is_street_address(text) || zip_of(text).is_some() {
        return address(site, asking, text).await;
    }
    let mut answer = asking.answer(&search(text)).await?;
    let is_empty = matches!(&answer.data, Data::Search(found) if found.is_empty());
    if let (true, Some(place)) = (is_empty, place_of_question(text)) {
        answer = asking.answer(&search(place)).await?;
    }
    let Data::Search(matches) = &answer.data else {
        return Ok(choice(site, text, &Matches::default(), None));
    };
    match the_one(site.directory(), matches).filter(|_| matches.unlisted.is_empty()) {
        Some(row) => Ok(Made::Elsewhere(StatusCode::SEE_OTHER, place_path(site.directory(), row))),
        None => Ok(choice(site, text, matches, None)),
    }
}

/// The place that a whole question names: "Who do I call about a fence in Stowe, Vermont?".
fn place_of_question(text: &str) -> Option<&str> {
    let at = text.to_ascii_lowercase().rfind(" in ")?;
    let place = text[at + " in ".len()..].trim().trim_end_matches(['?', '.', '!']);
    (!place.is_empty()).then_some(place)
}

fn search(text: &str) -> Request {
    Request::Search { text: text.to_owned(), state: None, limit: CHOICES_MAX }
}

/// An address: its answer, or the places of its town where the address itself was not found.
pub(super) async fn address(
    site: Site<'_>,
    asking: &mut Asking<'_, '_>,
    text: &str,
) -> Result<Made, Refusal> {
    let outcome = asking.answer(&Request::ResolveAddress { address: text.to_owned() }).await;
    let refusal = match outcome {
        Ok(answer) => return Ok(Made::Sheet(Box::new(point::page(site, &answer, None)))),
        Err(refusal) => refusal,
    };
    match refusal.kind {
        ProblemKind::Ambiguous => Ok(several_addresses(site, text, &refusal.choices)),
        ProblemKind::AddressNotFound | ProblemKind::UpstreamUnavailable | ProblemKind::OutsideCoverage => {
            let answer = asking.answer(&search(town_of(text))).await?;
            let Data::Search(matches) = &answer.data else { return Err(refusal) };
            Ok(choice(site, text, matches, Some(&refusal)))
        }
        _ => Err(refusal),
    }
}

/// The path of a point, where the text is two numbers; an error where they are no point of the globe.
fn coordinates(text: &str) -> Result<Option<String>, Refusal> {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || b".-+".contains(&byte));
    let parts: Vec<&str> = text.split([',', ' ', ';']).filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [lat, lon]
            if is_number(lat) && is_number(lon) && !(zip_of(lat).is_some() && zip_of(lon).is_some()) =>
        {
            parse_point(Some(lat), Some(lon)).map(|point| Some(point_path(point)))
        }
        _ => Ok(None),
    }
}

/// A house number with words after it. Names of places do not begin so, but for a few such as "96 Corners".
fn is_street_address(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    first.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) && words.count() >= 2
}

/// The five digits of a ZIP code; the four after a hyphen name a block or a box.
fn zip_of(text: &str) -> Option<&str> {
    let (zip, block) = text.trim().split_once('-').unwrap_or((text.trim(), "0000"));
    let is_all = |digits: &str, count: usize| {
        digits.len() == count && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    (is_all(zip, ZIP_DIGITS) && is_all(block, 4)).then_some(zip)
}

/// The counties that a ZIP code reaches, to choose from; `None` where the text is no code, or none that is known.
fn zip(site: Site<'_>, text: &str) -> Option<Made> {
    let code = zip_of(text)?;
    let counties = site.directory().counties_of_zip(code.parse().ok()?);
    let place = |row: Row, share: u64| {
        html! { (choice_link(site, row)) @if counties.len() > 1 { " " span { (share_in_words(share)) } } }
    };
    let heading = format!("ZIP code {code}: which county is it?");
    let body = html! {
        h1 { (heading) }
        p.lead {
            "A ZIP code is a mail route. It often crosses town and county lines, so it cannot say who governs one piece of land. \
             Type a street address or a town for an exact answer, or choose the county:"
        }
        ul.choices { @for (row, share) in &counties { li { (place(*row, *share)) } } }
        (front::field(site, "", false))
    };
    let path = format!("/?q={}", in_query(code));
    let sheet = Sheet::new(heading, "The counties of a ZIP code, to choose from.", path, body);
    (!counties.is_empty()).then(|| Made::Sheet(Box::new(Sheet { listed: false, ..sheet })))
}

fn share_in_words(percent: u64) -> String {
    let share = if percent == 0 { "less than 1 %".to_owned() } else { format!("about {percent} %") };
    format!("({share} of its addresses)")
}

/// The part of an address that names its town: what follows the first comma, unless that is no more than the state; else what
/// follows the street. Without the ZIP code.
fn town_of(text: &str) -> &str {
    let after_comma = text.split_once(',').map(|(_, rest)| without_zip(rest)).filter(|rest| !is_state(rest));
    let town = after_comma.unwrap_or_else(|| without_zip(after_street(text).unwrap_or(text)));
    if town.is_empty() { text } else { town }
}

/// What follows the word that ends the name of a street: "350 S 5th St Minneapolis". The word after the number ends none: it
/// begins the name, as in "100 St Charles Ave".
fn after_street(text: &str) -> Option<&str> {
    let (mut rest, mut read) = (text.trim_start(), 0);
    while let Some((word, further)) = rest.split_once(' ') {
        let word = word.trim_end_matches([',', '.']).to_ascii_lowercase();
        if read >= 2 && STREET_WORDS.contains(&word.as_str()) {
            return Some(without_quarter(further.trim_start()));
        }
        (rest, read) = (further.trim_start(), read + 1);
    }
    None
}

/// "NW Washington DC" after "Pennsylvania Ave": the quarter belongs to the street.
fn without_quarter(text: &str) -> &str {
    match text.split_once(' ') {
        Some((quarter, town)) if QUARTERS.iter().any(|known| known.eq_ignore_ascii_case(quarter)) => town,
        _ => text,
    }
}

fn without_zip(text: &str) -> &str {
    let rest = text.trim().trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-');
    rest.trim().trim_end_matches(',')
}

fn is_state(text: &str) -> bool {
    StateCode::all()
        .any(|state| [state.usps(), state.name()].iter().any(|name| name.eq_ignore_ascii_case(text)))
}

/// The one government that a text names: the only one of the whole name, or all that have it are one government.
fn the_one(directory: &Directory, matches: &Matches) -> Option<Row> {
    let mut whole =
        matches.places.iter().filter(|found| found.matched_by == MatchedBy::Whole).map(|found| found.row);
    let first = whole.next()?;
    whole.all(|other| directory.is_same(first, other)).then_some(first)
}

/// A page of places to choose from.
fn choice(site: Site<'_>, text: &str, matches: &Matches, refusal: Option<&Refusal>) -> Made {
    let places = &matches.places;
    let resources: Vec<_> =
        matches.resources.iter().filter_map(|number| site.directory().resource(*number)).take(5).collect();
    let heading = match (refusal, places.is_empty()) {
        (None, false) if !matches.unlisted.is_empty() => heading_of_unlisted(matches),
        (None, false) => "Which one do you mean?",
        (None, true) if !resources.is_empty() => "Official pages for this",
        (None, true) => "Nothing found",
        (Some(_), false) => "Which town is it in?",
        (Some(_), true) => "No answer for this address",
    };
    let body = html! {
        h1 { (heading) }
        @if let Some(refusal) = refusal { (why_no_address(text, refusal, !places.is_empty())) }
        @for one in &matches.unlisted { (unlisted(site, *one)) }
        @if places.is_empty() && resources.is_empty() && refusal.is_none() { (nothing(text)) }
        (front::field(site, text, false))
        @if !places.is_empty() {
            p { (lead_in(site.directory(), places)) }
            ul.choices { @for found in places { li { (choice_link(site, found.row)) } } }
        }
        @if !resources.is_empty() {
            @if !places.is_empty() { h2 { "Official pages of this name" } }
            ul { @for view in &resources {
                li { a href=(site.resource(view)) { (view.name) } " " span.where { (of_whom(site.directory(), view)) } }
            } }
        }
        p { a href=(site.href("/")) { "Find it on the map instead" } }
    };
    let path = format!("/?q={}", in_query(text));
    let description = "Places of this name, to choose from.";
    let sheet =
        Sheet { listed: false, ..Sheet::new(format!("{heading} {text:.60}"), description, path, body) };
    Made::Sheet(Box::new(sheet))
}

fn heading_of_unlisted(matches: &Matches) -> &'static str {
    match matches.unlisted.first() {
        Some(Unlisted::YoungCity(_)) => "This city is younger than our lines",
        Some(Unlisted::TribalLand(_)) => "This is land of a nation",
        Some(Unlisted::Community(_)) | None => "This is a community without a government",
    }
}

/// A caveat about a name without an area of its own, and the county that stands for it.
fn unlisted(site: Site<'_>, unlisted: Unlisted) -> Markup {
    let directory = site.directory();
    let county = match unlisted {
        Unlisted::Community(row) => directory.community(row).map(|known| known.county),
        Unlisted::YoungCity(city) => Some(city.county),
        Unlisted::TribalLand(_) => None,
    };
    html! {
        p.lead {
            (English.notice(&unlisted.into(), directory, Units::Feet))
            @if let Some(row) = county { " " a href=(site.place(row)) { (full_name(&directory.jurisdiction(row))) } }
        }
    }
}

fn lead_in(directory: &Directory, places: &[Match]) -> String {
    if places.iter().all(|found| found.matched_by == MatchedBy::Spelling) {
        return English.notice(&Notice::SpelledNearlySo, directory, Units::Feet);
    }
    let count = count(places.len(), "place matches", "places match");
    if places.len() < CHOICES_MAX {
        format!("{count}:")
    } else {
        "The largest places that match; add the state to see fewer:".to_owned()
    }
}

/// Whose a page is, with the state.
fn of_whom(directory: &Directory, view: &ResourceView<'_>) -> String {
    let owner = directory.jurisdiction(view.jurisdiction);
    let state = owner.state.map(StateCode::name).filter(|state| *state != owner.name);
    [Some(full_name(&owner).as_str()), state].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A place with what it lies in.
fn choice_link(site: Site<'_>, row: Row) -> Markup {
    html! { a href=(site.place(row)) { (full_name(&site.directory().jurisdiction(row))) } " " span.where { (whereabouts(site.directory(), row)) } }
}

/// The county and the state of a place, and what it is where its name does not say so.
pub(super) fn whereabouts(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    let county = directory.county_around(row).filter(|county| !directory.is_same(*county, row));
    let county = county.map(|county| directory.name_of(county).to_owned());
    let state = view.state.map(StateCode::name).filter(|state| *state != view.name).map(str::to_owned);
    let kind = match (view.kind, view.legal_type) {
        (JurisdictionType::Layer(Layer::State), _) => Some("State".to_owned()),
        (_, Some(word)) if !full_name(&view).to_lowercase().contains(word) => Some(capital(word)),
        _ => None,
    };
    [kind, county, state].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Why an address has no answer, and what to do instead.
fn why_no_address(text: &str, refusal: &Refusal, has_places: bool) -> Markup {
    html! {
        div.note.caution {
            @if zip_of(text).is_some() {
                p { "A ZIP code is a mail route. It often crosses town and county lines, so it cannot say who governs one piece \
                     of land. Type a street address, a town, or find the place on the map." }
            } @else if refusal.kind == ProblemKind::UpstreamUnavailable {
                p { "Street addresses cannot be looked up here right now. Choose the town" @if has_places { " below" } @else { " by its name" } ", then click on \
                     its map where the land is: that is as exact as an address. A phone’s location or two coordinates do as well." }
            } @else {
                p { "No address matched " q { (text) } ". Check the number and the street, add the town and the state, or choose the \
                     town below." }
            }
            @if refusal.kind == ProblemKind::AddressNotFound { p { "The look-up says: " (refusal.detail) "." } }
        }
    }
}

fn nothing(text: &str) -> Markup {
    html! {
        p { "Nothing on record is named " q { (text) } ". Names of counties, cities, towns and townships are known here, and names of \
             official pages; people are not. Check the spelling, or add the state." }
    }
}

/// Addresses that match alike.
fn several_addresses(site: Site<'_>, text: &str, choices: &[Choice]) -> Made {
    let body = html! {
        h1 { "Which address do you mean?" }
        ul.choices {
            @for choice in choices {
                @if let Some(point) = choice.point { li { a href=(site.point(point)) { (choice.label) } } }
            }
        }
        (front::field(site, text, false))
    };
    let sheet = Sheet::new(
        "Which address do you mean?",
        "Addresses to choose from.",
        format!("/?q={}", in_query(text)),
        body,
    );
    Made::Sheet(Box::new(Sheet { listed: false, ..sheet }))
}

/// What the field suggests as one types: names with their whereabouts, and where they lead.
pub(super) fn suggestions(site: Site<'_>, text: &str, answer: &Answer<'_>) -> String {
    let Data::Search(matches) = &answer.data else { return "[]".to_owned() };
    let mut rows: Vec<Row> = matches.places.iter().map(|found| found.row).collect();
    if rows.is_empty() {
        rows = with_unfinished_state(site, text);
    }
    let mut entries = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if rows[..at].iter().any(|known| site.directory().is_same(*known, *row)) {
            continue;
        }
        let view = site.directory().jurisdiction(*row);
        entries.push(json!({
            "name": full_name(&view),
            "where": whereabouts(site.directory(), *row),
            "href": site.place(*row),
        }));
    }
    json!(entries).to_string()
}

/// Places of a name with a state that is not written out yet: "stowe, v".
fn with_unfinished_state(site: Site<'_>, text: &str) -> Vec<Row> {
    let Some((name, state)) = text.rsplit_once(',') else { return Vec::new() };
    let begun = state.trim().to_lowercase();
    let is_begun = |state: StateCode| {
        [state.name(), state.usps()].iter().any(|word| word.to_lowercase().starts_with(&begun))
    };
    let found = site.directory().search(name, None, CHOICES_MAX);
    let rows = found.places.into_iter().map(|found| found.row);
    rows.filter(|row| site.directory().state_of(*row).is_some_and(is_begun)).take(SUGGESTIONS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_told_apart() {
        for (text, address, zip) in [
            ("350 S 5th St, Minneapolis MN", true, false),
            ("55415", false, true),
            ("55415-1234", false, true),
            ("55415-12", false, false),
            ("55415 Minneapolis", false, false),
            ("Stowe, Vermont", false, false),
            ("29 Palms", false, false),
            ("", false, false),
        ] {
            assert_eq!((is_street_address(text), zip_of(text).is_some()), (address, zip), "{text}");
        }
        for (text, path) in [
            ("44.9773, -93.2655", Some("/at/44.9773,-93.2655")),
            ("44.9773 -93.2655", Some("/at/44.9773,-93.2655")),
            ("44.9773;-93.2655", Some("/at/44.9773,-93.2655")),
            ("Stowe, VT", None),
            ("44.9", None),
        ] {
            assert_eq!(coordinates(text).unwrap().as_deref(), path, "{text}");
        }
        assert_eq!(coordinates("99, 99").unwrap_err().kind, ProblemKind::BadPoint);
    }

    #[test]
    fn the_place_is_found_in_a_question() {
        for (text, place) in [
            ("Who do I call about a fence in Stowe, Vermont?", Some("Stowe, Vermont")),
            ("zoning In Lake in the Hills IN Illinois", Some("Illinois")),
            ("deeds in ?", None),
            ("fences", None),
        ] {
            assert_eq!(place_of_question(text), place, "{text}");
        }
    }

    #[test]
    fn small_shares_are_not_nothing() {
        assert_eq!(share_in_words(0), "(less than 1 % of its addresses)");
        assert_eq!(share_in_words(97), "(about 97 % of its addresses)");
    }

    #[test]
    fn the_town_is_found_in_an_address() {
        for (text, town) in [
            ("350 S 5th St, Minneapolis, MN 55415", "Minneapolis, MN"),
            ("350 S 5th St, Minneapolis MN 55415-1316", "Minneapolis MN"),
            ("350 S 5th St", "350 S 5th St"),
            ("350 S 5th St Minneapolis MN 55415", "Minneapolis MN"),
            ("100 St Charles Ave New Orleans", "New Orleans"),
            ("1 Dr Carlton B Goodlett Pl San Francisco, CA", "San Francisco, CA"),
            ("10 elm st norwalk ct", "norwalk ct"),
            ("12 Main St. St. Paul Minnesota", "St. Paul Minnesota"),
            ("1600 Pennsylvania Ave NW Washington DC", "Washington DC"),
            ("12 Broadway New York", "12 Broadway New York"),
            ("55415", "55415"),
        ] {
            assert_eq!(town_of(text), town);
        }
    }
}
