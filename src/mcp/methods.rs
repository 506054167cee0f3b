//! Answers the methods of the protocol, in both eras.

use hyper::HeaderMap;
use serde_json::{Map, Value};

use super::{
    Setting, call,
    fault::Fault,
    message::{Message, Request, Unread},
    offers,
    protocol::{self, Era},
    ready,
    reply::{Outcome, Reply},
};

/// Answers what was read from the client: a message, or the messages of a batch in their order.
pub(super) async fn answer_message(
    setting: Setting<'_>,
    message: Result<Message, Unread>,
    headers: Option<&HeaderMap>,
) -> Reply {
    let Ok(Message::Batch(messages)) = message else { return answer_one(setting, message, headers).await };
    let Setting { edition, access, request_id } = setting;
    let mut replies = Vec::with_capacity(messages.len());
    for message in messages {
        let setting = Setting { edition, access: &mut *access, request_id };
        replies.push(answer_one(setting, message, headers).await);
        // Yields here, so that other requests on this thread wait for one message and not for the whole batch.
        tokio::task::yield_now().await;
    }
    Reply::of_batch(replies)
}

async fn answer_one(
    setting: Setting<'_>,
    message: Result<Message, Unread>,
    headers: Option<&HeaderMap>,
) -> Reply {
    match message {
        Ok(Message::Request(request)) => answer(setting, &request, headers).await,
        Ok(Message::Notification | Message::Response) => Reply::accepted(),
        // The reader refuses a batch within a batch.
        Ok(Message::Batch(_)) => Reply::accepted(),
        Err((fault, id)) => Reply::fault(&id, fault),
    }
}

/// Answers a request. `headers` are the HTTP headers; other transports have none.
async fn answer(mut setting: Setting<'_>, request: &Request, headers: Option<&HeaderMap>) -> Reply {
    let era = match protocol::era(request, headers) {
        Ok(era) => era,
        Err(fault) => return Reply::fault(&request.id, fault),
    };
    match outcome(&mut setting, request, era).await {
        Ok(outcome) => Reply::with_outcome(&request.id, era, outcome),
        Err(fault) => Reply::fault(&request.id, fault),
    }
}

async fn outcome(setting: &mut Setting<'_>, request: &Request, era: Era) -> Result<Outcome, Fault> {
    let params = &request.params;
    match &*request.method {
        "tools/call" => Ok(Outcome::Tool(call::call(setting, params).await?)),
        "resources/read" => Ok(Outcome::Cacheable(only("contents", offers::read(setting, params).await?))),
        "prompts/get" => Ok(Outcome::Result(only("messages", offers::prompt(params)?))),
        "completion/complete" => Ok(Outcome::Result(only("completion", offers::completion(params)))),
        method => ready(method, params, era),
    }
}

/// Returns a prepared result, which needs no data of the snapshot.
fn ready(method: &str, params: &Map<String, Value>, era: Era) -> Result<Outcome, Fault> {
    if ready::is_list(method) && params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(Fault::invalid_params("the list has one page; ask without cursor"));
    }
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let revision = (method == "initialize").then(|| protocol::agreed(asked));
    let has_all = method != "logging/setLevel" || params.contains_key("level");
    let result = ready::result(method, revision, era).filter(|_| has_all);
    let unknown = || Fault::no_such_method(method, era.status_of_unknown_method());
    result.map(Outcome::Ready).ok_or_else(unknown)
}

fn only(name: &str, value: Value) -> Map<String, Value> {
    [(name.to_owned(), value)].into_iter().collect()
}
