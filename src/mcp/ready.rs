//! Results that are the same for all callers. Their text is made once for each era; only the id of the request is
//! added.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{
    offers,
    protocol::{self, Era},
    reply::{cacheable, marked, server_info},
    tools,
};

/// Instructions that a model reads before it calls a tool.
pub(super) const INSTRUCTIONS: &str = "\
A directory of US governments and their property offices: which ones cover a place, who does what there, and their official \
pages. Start with resolve_jurisdiction. In your answer name the office, its page, the reason and the source, and keep the \
caveats. Near a line, say who is on the other side. Unknown is an answer: do not fill gaps. If a place is ambiguous, ask the \
user. It is a guide, not an authority: the named office has the final say. Ids hold Census GEOIDs: place:2743000 has the GEOID \
2743000. On download, license, age or coverage of the data, call ask_directory. Never ask it about people.";

/// A list that fits on one page: its method, the name of its member, and the function that makes its entries.
type List = (&'static str, &'static str, fn() -> Value);

/// All methods that list something.
const LISTS: [List; 4] = [
    ("tools/list", "tools", tools::descriptors),
    ("resources/list", "resources", offers::resources),
    ("resources/templates/list", "resourceTemplates", offers::templates),
    ("prompts/list", "prompts", offers::prompts),
];

/// Returns whether a method returns a list, and therefore accepts a cursor.
pub(super) fn is_list(method: &str) -> bool {
    LISTS.iter().any(|(list, ..)| *list == method)
}

/// A result as JSON text, and its key: a method, or `initialize` with a revision of the protocol.
struct Ready {
    method: &'static str,
    revision: Option<&'static str>,
    era: Era,
    text: String,
}

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    let of = |method, revision, era, result: Map<String, Value>| {
        let text = Value::Object(result).to_string();
        Ready { method, revision, era, text }
    };
    let mut ready = Vec::new();
    for (method, name, list) in LISTS {
        for era in [Era::Legacy, Era::Modern] {
            let result = [(name.to_owned(), list())].into_iter().collect();
            ready.push(of(method, None, era, cacheable(result, era)));
        }
    }
    // The service sends no log messages to clients, so it accepts every log level.
    for method in ["ping", "logging/setLevel"] {
        ready.push(of(method, None, Era::Legacy, marked(Map::new(), Era::Legacy)));
    }
    for revision in protocol::LEGACY {
        let result = marked(initialized(revision), Era::Legacy);
        ready.push(of("initialize", Some(revision), Era::Legacy, result));
    }
    ready.push(of("server/discover", None, Era::Modern, cacheable(discovered(), Era::Modern)));
    ready
});

/// Returns a method's prepared result; `None` if the era has no such method.
pub(super) fn result(method: &str, revision: Option<&'static str>, era: Era) -> Option<&'static str> {
    let is_it = |ready: &&Ready| ready.method == method && ready.revision == revision && ready.era == era;
    READY.iter().find(is_it).map(|ready| &*ready.text)
}

/// Returns the capabilities. The offers never change while the service runs, so clients cannot subscribe to changes.
fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "prompts": {}, "completions": {} })
}

fn initialized(revision: &str) -> Map<String, Value> {
    let mut capabilities = capabilities();
    capabilities["logging"] = json!({});
    let pairs = [
        ("protocolVersion", json!(revision)),
        ("capabilities", capabilities),
        ("serverInfo", server_info()),
        ("instructions", json!(INSTRUCTIONS)),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn discovered() -> Map<String, Value> {
    let pairs = [
        ("supportedVersions", protocol::supported()),
        ("capabilities", capabilities()),
        ("instructions", json!(INSTRUCTIONS)),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
