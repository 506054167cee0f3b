//! Parses the address of a page into a route.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{
    discovery::WellKnown,
    docs::{self, Language},
    zoom::Zoom,
};
use platbook::{
    answers::{
        Form, Parameter, RawParameters, Refusal, Request, TEXT_CHARS_MAX, WORDS_CHARS_MAX, parse_point,
    },
    geometry::LonLat,
    vocabulary::{JurisdictionId, ProblemKind, RecordId, StateCode, Topic},
};

/// A route: the page at an address, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Route {
    /// The front page, with the search field.
    Front,
    /// The text that a person typed into the search field, and the request that it means.
    Ask(String, Request),
    /// A click on a map, and its position on the drawing in units.
    Click(Clicked, (f64, f64)),
    /// The answer for a point, whether to show facts of hazard maps, and the zoom of its map.
    Point(LonLat, Screen, Zoom),
    /// Suggestions: places whose names begin with this text.
    Suggest(String),
    /// A jurisdiction, with the cursor in the list of its pages.
    Place(JurisdictionId, Option<String>),
    /// The list of all states.
    States,
    /// One state, with the cursor in the list of its pages.
    State(StateCode, Option<String>),
    /// The places of a state whose names begin with a letter or contain a text.
    Named(StateCode, String),
    /// The list of all topics.
    Topics,
    /// One topic, with the place whose pages are listed and the cursor in that list.
    Topic(Topic, Whose, Option<String>),
    /// The list of all guides.
    Guides,
    /// One guide, with the rules of a state if one is chosen.
    Guide(Topic, Option<StateCode>),
    /// An office, by its id.
    Office(RecordId),
    /// A resource, by its id.
    Resource(RecordId),
    /// The list of all kinds of problems.
    Problems,
    /// One kind of problem.
    Problem(ProblemKind),
    /// Sources of the data, and their age.
    Data,
    /// A part of the list of sources other than boundaries, counted from 1.
    Sources(usize),
    /// The page on the API, with code in one language.
    Docs(Language),
    /// An API request that a person edited on the API page: its address.
    Tried(String),
    /// The changes of the interface.
    Changelog,
    /// The changes of the data.
    Changes,
    /// The changes of the data as a feed.
    ChangesFeed,
    /// The page about the service.
    About,
    /// An outline as a GeoJSON file.
    Boundary(JurisdictionId),
    /// The index of the sitemaps, for search engines.
    Sitemap,
    /// One sitemap, by its number.
    SitemapPart(usize),
    /// The rules for crawlers: `robots.txt`.
    Robots,
    /// The guide for language models: `llms.txt`.
    Llms,
    /// A file in `/.well-known/`.
    WellKnown(WellKnown),
    /// A style sheet, script or picture, by its name.
    Asset(String),
}

/// Whether the page of a point shows hazard maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Screen {
    /// With hazard maps: this takes seconds, and calls outside services.
    Asked,
    /// Without hazard maps, but with a link to them.
    NotAsked,
}

/// The map on which a person clicked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Clicked {
    /// The map of a jurisdiction.
    Place(JurisdictionId),
    /// The map around a point, with its zoom.
    Spot(LonLat, Zoom),
}

/// The place whose pages on a topic are listed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Whose {
    /// The nation as a whole.
    Nation,
    /// A jurisdiction, by its id.
    Place(JurisdictionId),
    /// A point, for the governments that cover it.
    Point(LonLat),
}

/// Maximum number of characters of a name that are compared: the longest name of a place has 50.
const NAME_CHARS_MAX: usize = 60;

/// The parameters of all pages. They share one table, so no name may have two meanings.
const PARAMETERS: &[Parameter] = &[
    Parameter::query(
        "q",
        TEXT_CHARS_MAX,
        "What someone typed: an address, a place, a ZIP code, coordinates or a link",
    ),
    Parameter::query("address", 200, "An address"),
    Parameter::query("place", 200, "Name of a place, or a jurisdiction id"),
    Parameter::query("at", 64, "Latitude and longitude"),
    Parameter::query("state", 20, "Two-letter state code").of(Form::State, "VT"),
    Parameter::query("cursor", 200, "Where the next part of a list begins").cursor(),
    Parameter::query("screening", 8, "Whether hazard maps are looked up"),
    Parameter::query(
        "zoom",
        40,
        "How much the map of a point shows: block, walk, town, or a view such as 44.98_-93.25_1200",
    ),
    Parameter::query("lang", 12, "The language of code: curl, python, javascript or r"),
    Parameter::query("map", 100, "Whose map was clicked, and where: an id and two numbers"),
];

/// Returns whether a path belongs to a page.
pub(super) fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    const FOLDERS: [&str; 22] = [
        "",
        "at",
        "suggest",
        "places",
        "states",
        "topics",
        "guides",
        "offices",
        "resources",
        "problems",
        "data",
        "docs",
        "changelog",
        "changes",
        "changes.atom",
        "about",
        "boundaries",
        "sitemaps",
        "assets",
        "sitemap.xml",
        "robots.txt",
        "llms.txt",
    ];
    // Other files of that folder belong to other doors.
    let well_known = path.strip_prefix("/.well-known/").and_then(WellKnown::find);
    FOLDERS.contains(&first) || well_known.is_some()
}

/// Returns the path of a page whose text is wanted: `/guides/zoning` for `/guides/zoning.txt`. `None` for other paths.
pub(super) fn of_text(path: &str) -> Option<&str> {
    const WITH_ANSWERS: [&str; 5] = ["at", "guides", "places", "states", "topics"];
    let page = path.strip_suffix(".txt")?;
    let (folder, name) = page.strip_prefix('/')?.split_once('/')?;
    (WITH_ANSWERS.contains(&folder) && !name.is_empty()).then_some(page)
}

/// Returns whether a path belongs to the API, which returns refusals as JSON to every caller.
pub(super) fn is_for_programs(path: &str) -> bool {
    matches!(path.split('/').nth(1), Some("v1" | "mcp"))
}

/// Parses path and query into a route.
///
/// # Errors
/// `bad-parameter`, `bad-point`, `unknown-topic`, `unknown-state`; `not-found` if there is no such page.
pub(super) fn parse(path: &str, query: &str) -> Result<Route, Refusal> {
    let query = spaced(query);
    let given = RawParameters::from_query(PARAMETERS, &query)?;
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let folder = decoded(parts.next().unwrap_or_default())?;
    let rest = parts.next().map(decoded).transpose()?;
    match rest.as_deref().filter(|rest| !rest.is_empty()) {
        None => listing(&folder, &given).ok_or_else(|| no_page(path))?,
        Some(id) if folder == "docs" => {
            docs::address(id, &query).map(Route::Tried).ok_or_else(|| no_page(path))
        }
        Some(rest) => single(&folder, rest, &given).ok_or_else(|| no_page(path))?,
    }
}

/// Returns a query with spaces in place of tabs and line ends, which a cell copied from a spreadsheet contains.
fn spaced(query: &str) -> Cow<'_, str> {
    if !query.contains("%0") {
        return Cow::Borrowed(query);
    }
    let codes = ["%09", "%0A", "%0a", "%0D", "%0d"];
    Cow::Owned(codes.iter().fold(query.to_owned(), |query, code| query.replace(code, "+")))
}

/// Returns the text that a person typed, for another try: the text of the field, or the end of the path.
pub(super) fn typed(path: &str, query: &str) -> String {
    let of_query = query.split('&').filter_map(|pair| pair.split_once('='));
    let field = of_query
        .into_iter()
        .find(|(name, _)| matches!(*name, "q" | "address" | "place"))
        .map(|(_, value)| value.replace('+', " "));
    let text = field.unwrap_or_else(|| path.rsplit('/').next().unwrap_or_default().to_owned());
    let text = percent_decode_str(&text).decode_utf8_lossy().into_owned();
    visible(&text).trim().chars().take(WORDS_CHARS_MAX).collect()
}

/// Returns a text without control characters, and without characters that change the direction of writing.
fn visible(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    text.chars().filter(|letter| !letter.is_control() && !turns(*letter)).collect()
}

/// Parses paths of one segment, most of which are lists.
fn listing(folder: &str, given: &RawParameters<'_>) -> Option<Result<Route, Refusal>> {
    Some(match folder {
        "" => front(given),
        "at" => given.get("map").map(click)?,
        "suggest" => {
            let words = given.get("q").filter(|text| text.chars().count() <= WORDS_CHARS_MAX);
            Ok(Route::Suggest(words.unwrap_or_default().to_owned()))
        }
        "states" => Ok(Route::States),
        "topics" => Ok(Route::Topics),
        "guides" => Ok(Route::Guides),
        "problems" => Ok(Route::Problems),
        "data" => Ok(Route::Data),
        "docs" => {
            let language = given.get("lang").map_or(Some(Language::Curl), Language::from_word);
            let wrong =
                || Refusal::bad_parameter("expected lang as curl, python, javascript or r".to_owned());
            language.map(Route::Docs).ok_or_else(wrong)
        }
        "changelog" => Ok(Route::Changelog),
        "changes" => Ok(Route::Changes),
        "changes.atom" => Ok(Route::ChangesFeed),
        "about" => Ok(Route::About),
        "sitemap.xml" => Ok(Route::Sitemap),
        "robots.txt" => Ok(Route::Robots),
        "llms.txt" => Ok(Route::Llms),
        _ => return None,
    })
}

/// Parses paths of two segments: a folder, and one item in it.
fn single(folder: &str, name: &str, given: &RawParameters<'_>) -> Option<Result<Route, Refusal>> {
    let cursor = || given.get("cursor").map(str::to_owned);
    Some(match folder {
        "at" => point(name, given),
        "places" => id(name).map(|id| Route::Place(id, cursor())),
        "states" => state(name).map(|state| match given.get("q").map(str::trim) {
            Some(text) if !text.is_empty() => {
                Route::Named(state, text.chars().take(NAME_CHARS_MAX).collect())
            }
            _ => Route::State(state, cursor()),
        }),
        "topics" => topic(name).and_then(|topic| Ok(Route::Topic(topic, whose(given)?, cursor()))),
        "guides" => {
            let of_state = || given.get("state").filter(|text| !text.is_empty()).map(state).transpose();
            topic(name).and_then(|topic| Ok(Route::Guide(topic, of_state()?)))
        }
        "offices" => Ok(Route::Office(RecordId::from_text(name.strip_prefix("off_")?)?)),
        "resources" => Ok(Route::Resource(RecordId::from_text(name.strip_prefix("res_")?)?)),
        "problems" => Ok(Route::Problem(ProblemKind::all().find(|kind| kind.slug() == name)?)),
        "data" => Ok(Route::Sources(name.parse().ok()?)),
        ".well-known" => Ok(Route::WellKnown(WellKnown::find(name)?)),
        "boundaries" => id(name.strip_suffix(".geojson")?).map(Route::Boundary),
        "sitemaps" => Ok(Route::SitemapPart(name.strip_suffix(".xml")?.parse().ok()?)),
        "assets" => Ok(Route::Asset(name.to_owned())),
        _ => return None,
    })
}

fn front(given: &RawParameters<'_>) -> Result<Route, Refusal> {
    let filled = |name: &str| {
        given.get(name).map(visible).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    Ok(match (filled("q"), filled("address"), filled("place")) {
        (Some(text), ..) | (None, Some(text), _) => ask(text)?,
        (None, None, Some(place)) => match given.get("state").filter(|text| !text.is_empty()) {
            Some(text) => ask(format!("{place}, {}", state(text)?))?,
            None => ask(place)?,
        },
        (None, None, None) => Route::Front,
    })
}

fn ask(text: String) -> Result<Route, Refusal> {
    let request = Request::ask(&text)?;
    Ok(Route::Ask(text, request))
}

fn point(text: &str, given: &RawParameters<'_>) -> Result<Route, Refusal> {
    let screen = if given.get("screening").is_some() { Screen::Asked } else { Screen::NotAsked };
    let zoom = given.get("zoom").map_or(Ok(Zoom::Fitting), Zoom::parse)?;
    coordinates(text).map(|point| Route::Point(point, screen, zoom))
}

/// Parses the coordinates of a point, such as `44.9773,-93.2655`.
fn coordinates(text: &str) -> Result<LonLat, Refusal> {
    let (lat, lon) = text.split_once(',').unwrap_or((text, ""));
    parse_point(Some(lat.trim()), Some(lon.trim()))
}

fn whose(given: &RawParameters<'_>) -> Result<Whose, Refusal> {
    match (given.get("at"), given.get("place")) {
        (Some(at), _) => coordinates(at).map(Whose::Point),
        (None, Some(place)) => id(place).map(Whose::Place),
        (None, None) => Ok(Whose::Nation),
    }
}

/// Parses a click such as `county:27053,640,212` or `at:44.9773,-93.2655:town,640,212`.
fn click(text: &str) -> Result<Route, Refusal> {
    let mut parts = text.rsplitn(3, ',');
    let mut number =
        || parts.next().and_then(|part| part.parse::<f64>().ok()).filter(|number| number.is_finite());
    let (y, x) = (number(), number());
    let wrong = || {
        Refusal::bad_parameter(
            "expected map as a jurisdiction id and two numbers, such as county:27053,640,212".to_owned(),
        )
    };
    let place = x.zip(y).ok_or_else(wrong)?;
    let map = parts.next().unwrap_or_default();
    let map = match map.strip_prefix("at:").and_then(|rest| rest.rsplit_once(':')) {
        Some((point, word)) => Clicked::Spot(coordinates(point)?, Zoom::parse(word)?),
        None => Clicked::Place(id(map)?),
    };
    Ok(Route::Click(map, place))
}

fn id(text: &str) -> Result<JurisdictionId, Refusal> {
    text.parse().map_err(|error| Refusal::bad_parameter(format!("jurisdiction id: {error}")))
}

fn topic(text: &str) -> Result<Topic, Refusal> {
    let unknown = || Refusal::new(ProblemKind::UnknownTopic, format!("{text:?} is no topic"));
    Topic::from_word(text).ok_or_else(unknown)
}

fn state(text: &str) -> Result<StateCode, Refusal> {
    text.parse().map_err(|error| Refusal::new(ProblemKind::UnknownState, format!("state: {error}")))
}

/// Decodes a segment of a path.
fn decoded(segment: &str) -> Result<String, Refusal> {
    const SEGMENT: &[Parameter] = &[Parameter::path("page", 200, "The last part of a page's address")];
    let raw = RawParameters::from_query(SEGMENT, "")?.with_segment(segment)?;
    Ok(raw.get("page").unwrap_or_default().to_owned())
}

fn no_page(path: &str) -> Refusal {
    Refusal::new(ProblemKind::NotFound, format!("there is no page at {path:.200}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(target: &str) -> Result<Route, ProblemKind> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        assert!(is_page(path), "{path}");
        parse(path, query).map_err(|refusal| refusal.kind)
    }

    #[test]
    fn addresses_lead_to_pages() {
        let point = LonLat::from_lat_lon(44.97, -93.26).unwrap();
        let county: JurisdictionId = "county:27053".parse().unwrap();
        for (target, route) in [
            ("/", Route::Front),
            ("/?q=+", Route::Front),
            ("/?q=stowe%2C+vt", ask("stowe, vt".to_owned()).unwrap()),
            ("/?place=Stowe&state=vt", ask("Stowe, VT".to_owned()).unwrap()),
            ("/?address=1+Main+St", ask("1 Main St".to_owned()).unwrap()),
            ("/at/44.97,-93.26", Route::Point(point, Screen::NotAsked, Zoom::Fitting)),
            ("/at/44.97,-93.26?screening=1", Route::Point(point, Screen::Asked, Zoom::Fitting)),
            ("/at/44.97,-93.26?zoom=walk", Route::Point(point, Screen::NotAsked, Zoom::Walk)),
            (
                "/at/44.97,-93.26?zoom=44.97_-93.26_1200",
                Route::Point(point, Screen::NotAsked, Zoom::View(point, 1_200)),
            ),
            (
                "/at?map=at:44.97,-93.26:44.97_-93.26_900,9,8",
                Route::Click(Clicked::Spot(point, Zoom::View(point, 900)), (9.0, 8.0)),
            ),
            ("/at?map=county:27053,640,212.5", Route::Click(Clicked::Place(county.clone()), (640.0, 212.5))),
            ("/at?map=at:44.97,-93.26:town,9,8", Route::Click(Clicked::Spot(point, Zoom::Town), (9.0, 8.0))),
            ("/places/county:27053", Route::Place(county.clone(), None)),
            ("/places/county%3A27053?cursor=x", Route::Place(county.clone(), Some("x".to_owned()))),
            ("/states/vt", Route::State("VT".parse().unwrap(), None)),
            ("/states/", Route::States),
            ("/docs", Route::Docs(Language::Curl)),
            ("/changes", Route::Changes),
            ("/changes.atom", Route::ChangesFeed),
            ("/docs?lang=r", Route::Docs(Language::R)),
            ("/docs/search?q=elm&state=", Route::Tried("/v1/search?q=elm".to_owned())),
            ("/states/tx?q=h", Route::Named("TX".parse().unwrap(), "h".to_owned())),
            ("/states/tx?q=+", Route::State("TX".parse().unwrap(), None)),
            ("/?q=stowe%09vt%0D%0A", ask("stowe vt".to_owned()).unwrap()),
            ("/?q=%E2%80%AEstowe", ask("stowe".to_owned()).unwrap()),
            ("/topics/deeds?at=44.97,-93.26", Route::Topic(Topic::RecorderDeeds, Whose::Point(point), None)),
            ("/guides/zoning?state=", Route::Guide(Topic::Zoning, None)),
            ("/boundaries/county:27053.geojson", Route::Boundary(county)),
            ("/offices/off_0000000000000000", Route::Office(RecordId([0; 10]))),
        ] {
            assert_eq!(parsed(target), Ok(route), "{target}");
        }
    }

    #[test]
    fn what_was_typed_is_kept_for_another_try() {
        for (target, text) in [
            ("/?q=91,+200", "91, 200"),
            ("/at/-93.2655,44.9773", "-93.2655,44.9773"),
            ("/places/x%00%E2%80%AEy", "xy"),
            ("/?state=zz&place=Stowe%20", "Stowe"),
            ("/", ""),
        ] {
            let (path, query) = target.split_once('?').unwrap_or((target, ""));
            assert_eq!(typed(path, query), text, "{target}");
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        use ProblemKind as P;
        for (target, kind) in [
            ("/places", P::NotFound),
            ("/places/x", P::BadParameter),
            ("/places/county:27053/x", P::BadParameter),
            ("/places/%", P::BadParameter),
            ("/at", P::NotFound),
            ("/at/here", P::BadPoint),
            ("/at/91,0", P::BadPoint),
            ("/at?map=county:27053,1", P::BadParameter),
            ("/at?map=county:27053,nan,1", P::BadParameter),
            ("/at?map=at:91,0:town,1,1", P::BadPoint),
            ("/at?map=at:44,-93,1,1", P::BadParameter),
            ("/at/44,-93?zoom=9", P::BadParameter),
            ("/docs?lang=cobol", P::BadParameter),
            ("/docs/nothing", P::NotFound),
            ("/states/zz", P::UnknownState),
            ("/topics/fishing", P::UnknownTopic),
            ("/guides/zoning?state=zz", P::UnknownState),
            ("/offices/off_x", P::NotFound),
            ("/offices/off_000000000000000U", P::NotFound),
            ("/resources/off_0000000000000000", P::NotFound),
            ("/problems/nothing", P::NotFound),
            ("/boundaries/county:27053", P::NotFound),
            ("/sitemaps/x.xml", P::NotFound),
            ("/?q=a&q=b", P::BadParameter),
        ] {
            assert_eq!(parsed(target), Err(kind), "{target}");
        }
    }
}
