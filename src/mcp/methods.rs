//! The methods of the protocol, in both eras.

use hyper::HeaderMap;
use serde_json::{Map, Value, json};

use super::{
    Setting, call,
    fault::Fault,
    message::Request,
    offers,
    protocol::{self, Era},
    reply::{Outcome, Reply, server_info},
    tools,
};

/// What a model should know before it calls a tool.
pub(super) const INSTRUCTIONS: &str = "\
A directory of US governments and their property offices: which ones cover a place, who does what there, and their official \
pages. Start with resolve_jurisdiction. In your answer name the office, its page, the reason and the source, and keep the \
caveats; near a line, say who is on the other side. Unknown is an answer: do not fill gaps. If a place is ambiguous, ask the \
user. It is a guide, not an authority: the named office has the final say. Never ask it about people.";

/// Answers a request. `headers` are those of HTTP; other transports have none.
pub(super) async fn answer(
    mut setting: Setting<'_>,
    request: &Request,
    headers: Option<&HeaderMap>,
) -> Reply {
    let era = match protocol::era(request, headers) {
        Ok(era) => era,
        Err(fault) => return Reply::fault(&request.id, fault),
    };
    match outcome(&mut setting, request, era).await {
        Ok(outcome) => Reply::of(&request.id, era, outcome),
        Err(fault) => Reply::fault(&request.id, fault),
    }
}

async fn outcome(setting: &mut Setting<'_>, request: &Request, era: Era) -> Result<Outcome, Fault> {
    let params = &request.params;
    match (&*request.method, era) {
        ("initialize", Era::Legacy) => Ok(Outcome::Result(initialized(params))),
        ("ping", Era::Legacy) => Ok(Outcome::Result(Map::new())),
        // Nothing is ever logged to a client, so it may ask for as little of it as it likes.
        ("logging/setLevel", Era::Legacy) if params.contains_key("level") => Ok(Outcome::Result(Map::new())),
        ("server/discover", Era::Modern) => Ok(Outcome::Cacheable(discovered())),
        ("tools/call", _) => Ok(Outcome::Tool(call::call(setting, params).await?)),
        ("tools/list", _) => page(params, "tools", || tools::descriptors().clone()),
        ("resources/list", _) => page(params, "resources", offers::resources),
        ("resources/templates/list", _) => page(params, "resourceTemplates", offers::templates),
        ("resources/read", _) => Ok(Outcome::Cacheable(only("contents", offers::read(setting, params)?))),
        ("prompts/list", _) => page(params, "prompts", offers::prompts),
        ("prompts/get", _) => Ok(Outcome::Result(only("messages", offers::prompt(params)?))),
        ("completion/complete", _) => Ok(Outcome::Result(only("completion", offers::completion(params)))),
        (method, era) => Err(Fault::no_such_method(method, era.status_of_unknown_method())),
    }
}

/// A list in its one page.
fn page(params: &Map<String, Value>, name: &str, list: impl FnOnce() -> Value) -> Result<Outcome, Fault> {
    match params.get("cursor") {
        None | Some(Value::Null) => Ok(Outcome::Cacheable(only(name, list()))),
        Some(_) => Err(Fault::invalid_params("the list has one page; ask without cursor")),
    }
}

fn only(name: &str, value: Value) -> Map<String, Value> {
    [(name.to_owned(), value)].into_iter().collect()
}

/// Nothing that is offered changes while it is served, so there is nothing to subscribe to.
fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "prompts": {}, "completions": {} })
}

fn initialized(params: &Map<String, Value>) -> Map<String, Value> {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let mut capabilities = capabilities();
    capabilities["logging"] = json!({});
    let pairs = [
        ("protocolVersion", json!(protocol::agreed(asked))),
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
