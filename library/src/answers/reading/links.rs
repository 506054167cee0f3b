//! Reads the coordinates or the text in links that map programs share.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::coordinates::Coordinates;

/// The target of a link to a map.
#[derive(Debug, PartialEq)]
pub(super) enum Target {
    /// Coordinates that the link holds.
    Point(Coordinates),
    /// Text that was typed in the map program: an address or a name.
    Text(String),
}

/// Names of parameters whose value is a pair of coordinates. Google has `q`, `query`, `ll`, `center`, `daddr` and
/// `destination`; Apple `q`, `ll` and `coordinate`; Bing `cp` and `where1`.
const PAIRS: [&str; 9] = ["q", "query", "coordinate", "destination", "daddr", "where1", "ll", "center", "cp"];
/// Names of parameters that hold only a latitude: OpenStreetMap's marker, and names that many other programs use.
const LATS: [&str; 3] = ["mlat", "lat", "latitude"];
const LONS: [&str; 5] = ["mlon", "lon", "lng", "long", "longitude"];

/// Returns the text from the start of its link to the end; `None` without a link.
pub(super) fn link_in(text: &str) -> Option<&str> {
    let is_link = |word: &&str| {
        let start = word.get(..4).unwrap_or_default();
        start.eq_ignore_ascii_case("geo:") || start == "www." || word.contains("://")
    };
    let word = text.split_whitespace().find(is_link)?;
    Some(&text[word.as_ptr() as usize - text.as_ptr() as usize..])
}

/// Returns the target of a link; `None` if it holds neither coordinates nor a text.
pub(super) fn target_of(link: &str) -> Option<Target> {
    let link = decoded(link);
    let (address, fragment) = link.split_once('#').unwrap_or((&link, ""));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let value = |names: &[&str]| names.iter().find_map(|name| parameter(query, name));
    let points = [
        pin(&link),
        value(&LATS).zip(value(&LONS)).and_then(|(lat, lon)| labeled(lat, lon)),
        PAIRS.iter().find_map(|name| pair(parameter(query, name)?)),
        on_map(fragment),
        in_path(path),
        path.get(4..)
            .filter(|_| path.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("geo:")))
            .and_then(pair),
    ];
    // "geo:0,0?q=..." has its point in the query.
    let point = points.into_iter().flatten().find(|point| (point.lat, point.lon) != (0.0, 0.0));
    let typed = || value(&PAIRS[..6]).or_else(|| after_folder(path));
    let typed = || typed().map(|text| text.replace('+', " ")).filter(|text| !text.trim().is_empty());
    point.map(Target::Point).or_else(|| typed().map(Target::Text))
}

fn decoded(link: &str) -> Cow<'_, str> {
    percent_decode_str(link).decode_utf8().unwrap_or(Cow::Borrowed(link))
}

fn parameter<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query
        .split('&')
        .find_map(|given| given.split_once('=').filter(|(given, _)| *given == name))
        .map(|(_, value)| value)
}

/// Reads Google's pin: `!3d44.9773!4d-93.2655`. The last pin is the place itself; others are places near it.
fn pin(link: &str) -> Option<Coordinates> {
    let (_, lat) = link.rsplit_once("!3d")?;
    let (lat, lon) = lat.split_once("!4d")?;
    labeled(lat, lon.split(['!', '?', '&', '#']).next()?)
}

/// Reads the fragment of OpenStreetMap's links: `map=16/44.9773/-93.2655`.
fn on_map(fragment: &str) -> Option<Coordinates> {
    let map = fragment.split('&').find_map(|part| part.strip_prefix("map="))?;
    let mut parts = map.split('/').skip(1);
    labeled(parts.next()?, parts.next()?)
}

/// Reads a path segment such as Google's `@44.9773,-93.2655,17z`, or one that is only a pair of numbers.
fn in_path(path: &str) -> Option<Coordinates> {
    path.split('/').find_map(|segment| pair(segment.strip_prefix('@').unwrap_or(segment)))
}

/// Returns the name in Google's `/maps/place/` and `/maps/search/`.
fn after_folder(path: &str) -> Option<&str> {
    let folder = |name| path.split_once(name).map(|(_, rest)| rest.split('/').next().unwrap_or_default());
    folder("/maps/place/").or_else(|| folder("/maps/search/"))
}

/// Reads latitude and longitude in one value, perhaps with text after them: `loc:44.9773,-93.2655`,
/// `44.9773~-93.2655`.
fn pair(value: &str) -> Option<Coordinates> {
    let value = value.strip_prefix("loc:").unwrap_or(value);
    let mut parts = value.split([',', '~', ';', '(']);
    labeled(parts.next()?, parts.next()?)
}

/// Reads two numbers as links have them. In a query a plus sign is a space.
fn labeled(lat: &str, lon: &str) -> Option<Coordinates> {
    let number = |text: &str| {
        let text = text.trim_matches(['+', ' ']);
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
        // A number of 310 or more digits is read as infinity.
        text.parse::<f64>().ok().filter(|number| is_plain && number.is_finite())
    };
    Some(Coordinates { lat: number(lat)?, lon: number(lon)?, is_labeled: true })
}
