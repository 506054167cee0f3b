//! The app that shows an answer in the window of a chat (MCP Apps extension): its tasks with their offices, and a
//! map.
//!
//! A tool names the app's address. A client reads the app as a resource, shows it in a frame, and gives it the result
//! of the call. The app reads its map as a second resource, so that clients without apps get only the result. The app
//! loads nothing else.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::{edition::Edition, maps};
use platbook::{
    answers::parse_point,
    directory::Resolution,
    geometry::LonLat,
    vocabulary::Function,
    words::{English, Label, Words as _},
};

/// Address of the app.
const APP_URI: &str = "ui://platbook/answer";

/// Media type of an app, which the extension requires.
const APP_TYPE: &str = "text/html;profile=mcp-app";

const MAP_SCHEME: &str = "map://";
const MAP_TEMPLATE: &str = "map://{lat},{lon}";
const MAP_TYPE: &str = "image/svg+xml";

/// The app as an HTML file, with placeholders for its words and for the address of the service.
const TEMPLATE: &str = include_str!("app.html");

/// The app with its words filled in, but not the address of the service.
static WORDED: LazyLock<String> = LazyLock::new(|| {
    let tasks =
        Function::AS_TASKS.map(|function| json!([function.as_str(), English.function(function).task]));
    let words = json!({
        "main_site": English.label(Label::StartAtMainSite),
        "office_page": English.label(Label::OfficePage),
        "no_office": English.label(Label::NoOffice),
        "own_page": English.label(Label::WhyThese),
    });
    TEMPLATE
        .replacen("/*tasks*/[]", &in_script(&json!(tasks)), 1)
        .replacen("/*words*/{}", &in_script(&words), 1)
        .replacen("/*version*/\"\"", &in_script(&json!(env!("CARGO_PKG_VERSION"))), 1)
});

/// Returns a value as text for a script element. The text cannot contain the end tag of that element.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Returns the metadata with which a tool's descriptor names the app.
pub(super) fn of_tool() -> Value {
    json!({ "ui": { "resourceUri": APP_URI } })
}

/// Returns the app's entry in `resources/list`.
pub(super) fn resource() -> Value {
    json!({
        "uri": APP_URI,
        "name": APP_URI,
        "title": "Answer with its map",
        "description": "Shows the result of resolve_jurisdiction in a chat: each task with its office, and a map.",
        "mimeType": APP_TYPE,
    })
}

/// Returns the map's entry in `resources/templates/list`.
pub(super) fn template() -> Value {
    json!({
        "uriTemplate": MAP_TEMPLATE,
        "name": "map of a point",
        "title": "Map of a point",
        "description": "The lines of governments around a point, as a drawing.",
        "mimeType": MAP_TYPE,
    })
}

/// Returns the contents of the app's resource; `None` for another address.
pub(super) fn read(edition: &Edition, uri: &str) -> Option<Value> {
    let site = in_script(&json!(edition.encoder().site()));
    let text = || WORDED.replacen("/*site*/\"\"", &site, 1);
    (uri == APP_URI).then(|| json!([{ "uri": uri, "mimeType": APP_TYPE, "text": text() }]))
}

/// Returns the point in a map's address; `None` for another address.
pub(super) fn point_of(uri: &str) -> Option<LonLat> {
    let (lat, lon) = uri.strip_prefix(MAP_SCHEME)?.split_once(',')?;
    parse_point(Some(lat), Some(lon)).ok()
}

/// Draws the map of a point; `None` if no government covers it.
pub(super) fn map(edition: &Edition, point: LonLat) -> Option<String> {
    let directory = edition.answers().directory();
    let Resolution::Inside(chain) = directory.resolve(point) else { return None };
    Some(maps::sketch(directory, point, &chain))
}

/// Returns the contents of a map's resource.
pub(super) fn map_contents(uri: &str, drawn: String) -> Value {
    json!([{ "uri": uri, "mimeType": MAP_TYPE, "text": drawn }])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The app contains no placeholder, and sends requests only to the client that shows it.
    #[test]
    fn the_app_is_whole_and_loads_nothing() {
        for left in ["/*tasks*/", "/*words*/", "/*version*/"] {
            assert!(!WORDED.contains(left), "{left}");
        }
        assert!(WORDED.contains("/*site*/\"\"") && WORDED.len() <= 60_000, "{} bytes", WORDED.len());
        for load in [" src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "WebSocket", "import("]
        {
            assert!(!WORDED.contains(load), "{load}");
        }
    }
}
