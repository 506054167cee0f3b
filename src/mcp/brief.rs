//! The short form of structured content: the members of the contract that the text for the model also states.
//!
//! The short form is made from the whole JSON. It omits nulls, pages of this service, ids of records, values that
//! nearly all records have, and repeated pages and offices. Each remaining member has the name and the value that it
//! has in the contract. `detail: full` gives all members.

use std::collections::HashSet;

use serde_json::{Map, Value};

use platbook::vocabulary::{Function, FunctionSet, Topic};

/// Members that are omitted from all objects. `request_id` is in the header; a notice states the `border` if one is
/// near.
const OMITTED: &[&str] =
    &["page_url", "border", "request_id", "function", "values", "verified_at", "guide_url", "mode", "kind"];

/// Members of a jurisdiction that are kept. The type is not, since the id begins with it.
const OF_JURISDICTION: &[&str] = &["jurisdiction_id", "name", "legal_type", "state"];

/// Members of a resource that are kept: for a job, in a search, in the directory of a place, and in a list of pages.
const OF_RESOURCE: &[&str] = &["name", "url"];
const OF_FOUND: &[&str] = &["name", "url", "jurisdiction_id"];
const OF_PLACE: &[&str] = &["name", "url", "topics"];
const OF_LISTED: &[&str] = &[
    "name",
    "description",
    "url",
    "search_url_template",
    "topics",
    "jurisdiction_id",
    "publisher",
    "official",
];

/// Kept members of a link to an action, and of a date or an amount.
const OF_ACTION: &[&str] = &["text", "url"];
const OF_DATE: &[&str] = &["subject", "says", "remark", "jurisdiction_id", "source_url"];

/// Members of an office that are kept.
const OF_OFFICE: &[&str] = &["phone", "email", "url", "url_scope", "address", "contact_name", "contact_year"];

/// Values that nearly all records have. A member with such a value is omitted.
const USUAL: &[(&str, &str)] = &[
    ("role", "primary"),
    ("confidence", "high"),
    ("url_scope", "office"),
    ("verified_status", "not_yet_verified"),
    ("quality", "inside"),
];

/// Returns the short form of an answer's whole JSON, without its request id; `None` if it is not the JSON of an answer.
pub(super) fn of(whole: &[u8]) -> Option<Value> {
    let Ok(Value::Object(mut whole)) = serde_json::from_slice(whole) else { return None };
    let mut brief = Brief::default();
    let data = brief.shortened(whole.shift_remove("data")?);
    let mut out = Map::new();
    out.insert("data".to_owned(), data.unwrap_or_else(|| Value::Object(Map::new())));
    let sources = whole.shift_remove("sources").map(|sources| brief.sources(sources));
    out.extend(sources.flatten().map(|sources| ("sources".to_owned(), sources)));
    for name in ["as_of", "notices"] {
        let value = whole.shift_remove(name).and_then(|value| brief.shortened(value));
        out.extend(value.map(|value| (name.to_owned(), value)));
    }
    Some(Value::Object(out))
}

/// Removes all jobs but these from an answer for a place. An empty set keeps all jobs.
pub(super) fn keep_jobs(answer: &mut Value, only: FunctionSet) {
    let of_text = answer.pointer("/data/resolve").is_some();
    let at = if of_text { "/data/resolve/functions" } else { "/data/functions" };
    if let Some(Value::Object(jobs)) = answer.pointer_mut(at)
        && !only.is_empty()
    {
        let is_kept = |word: &str| Function::from_word(word).is_some_and(|function| only.has(function));
        jobs.retain(|word, _| is_kept(word));
    }
}

/// Removes the sources for whose names `is_kept` returns false.
pub(super) fn keep_sources(answer: &mut Value, is_kept: impl Fn(&str) -> bool) {
    if let Some(Value::Array(sources)) = answer.get_mut("sources") {
        sources.retain(|source| source.get("name").and_then(Value::as_str).is_none_or(&is_kept));
    }
}

/// Builds the short form, and remembers the records that it already contains.
#[derive(Default)]
struct Brief {
    /// Ids of the offices in the short form.
    offices: HashSet<String>,
    /// Addresses of the pages and laws in the short form.
    urls: HashSet<String>,
    /// Whether a row of a list already states why a body does the job itself.
    has_reason: bool,
}

impl Brief {
    /// Returns a value without the omitted parts; `None` if no part remains.
    fn shortened(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Null => None,
            Value::Array(items) => {
                let items: Vec<Value> = items.into_iter().filter_map(|item| self.shortened(item)).collect();
                (!items.is_empty()).then_some(Value::Array(items))
            }
            Value::Object(object) => self.object(object),
            other => Some(other),
        }
    }

    fn object(&mut self, object: Map<String, Value>) -> Option<Value> {
        let is = |name| object.contains_key(name);
        let object = match () {
            () if is("action") => return self.resource(object, OF_ACTION),
            () if is("says") => picked(object, OF_DATE),
            () if is("resource_id") => return self.resource(object, OF_LISTED),
            () if is("office_id") => return self.office(object, OF_OFFICE),
            () if is("ocd_id") => self.jurisdiction(object),
            () if is("office_name") => self.entry(object),
            () if is("caveat") => self.fact(object),
            () if is("state_rules") => self.guide(object),
            () => self.members(object),
        };
        (!object.is_empty()).then_some(Value::Object(object))
    }

    fn members(&mut self, mut object: Map<String, Value>) -> Map<String, Value> {
        let resources = object.shift_remove("resources");
        let kept = match () {
            () if object.contains_key("places") => OF_FOUND,
            () if object.contains_key("offices") => OF_PLACE,
            () => OF_LISTED,
        };
        // `offices` is handled last, so that only offices that no entry contains are listed.
        let offices = object.shift_remove("offices");
        let topic = object.get("topic").cloned();
        let mut out = Map::new();
        for (name, value) in object {
            if OMITTED.contains(&&*name) || is_usual(&name, &value) {
                continue;
            }
            out.extend(self.shortened(value).map(|value| (name, value)));
        }
        let pages: Vec<Value> =
            items(resources).filter_map(|page| self.page(page, kept, topic.as_ref())).collect();
        if !pages.is_empty() {
            out.insert("resources".to_owned(), pages.into());
        }
        let further: Vec<Value> = items(offices).filter_map(|office| self.further_office(office)).collect();
        if !further.is_empty() {
            out.insert("offices".to_owned(), further.into());
        }
        out
    }

    /// Shortens an office of a place; `None` if an entry already contains it.
    fn further_office(&mut self, office: Value) -> Option<Value> {
        let named: Vec<&str> = ["name", "kind"].iter().chain(OF_OFFICE).copied().collect();
        match office {
            Value::Object(office) => self.office(office, &named),
            _ => None,
        }
    }

    /// Shortens a jurisdiction. In a list, the jurisdiction has an entry. Omits the legal type if the name ends with
    /// it.
    fn jurisdiction(&mut self, mut object: Map<String, Value>) -> Map<String, Value> {
        let entry = object.shift_remove("entry");
        let mut out = picked(object, OF_JURISDICTION);
        let text = |name: &str| out.get(name).and_then(Value::as_str).unwrap_or_default();
        if text("name").to_lowercase().ends_with(text("legal_type")) {
            out.shift_remove("legal_type");
        }
        if let Some(Value::Object(mut entry)) = entry.and_then(|entry| self.shortened(entry)) {
            let is_own = entry.get("jurisdiction_id") == out.get("jurisdiction_id");
            // Further bodies that do the job themselves have the same reason, with another name.
            if is_own && std::mem::replace(&mut self.has_reason, true) {
                ["basis", "evidence_url", "jurisdiction_id"]
                    .iter()
                    .for_each(|name| drop(entry.shift_remove(*name)));
            }
            out.insert("entry".to_owned(), entry.into());
        }
        out
    }

    /// Shortens the entry of a job. Omits pages and laws that the answer already contains.
    fn entry(&mut self, mut object: Map<String, Value>) -> Map<String, Value> {
        let resources = object.shift_remove("resources");
        let evidence = object.shift_remove("evidence_url");
        let mut out = self.members(object);
        if let Some(url) = evidence.as_ref().and_then(Value::as_str)
            && self.urls.insert(url.to_owned())
        {
            out.insert("evidence_url".to_owned(), url.into());
        }
        let pages: Vec<Value> =
            items(resources).filter_map(|page| self.page(page, OF_RESOURCE, None)).collect();
        if !pages.is_empty() {
            out.insert("resources".to_owned(), pages.into());
        }
        out
    }

    /// Shortens a resource in a list. Omits its topics if the requested topic is one of them.
    fn page(&mut self, page: Value, kept: &[&str], topic: Option<&Value>) -> Option<Value> {
        let Value::Object(page) = page else { return None };
        let mut page = self.resource(page, kept)?;
        let is_on_topic = |topics: &Value| {
            topics.as_array().is_some_and(|topics| topics.iter().any(|own| Some(own) == topic))
        };
        if page.get("topics").is_some_and(is_on_topic)
            && let Value::Object(page) = &mut page
        {
            page.shift_remove("topics");
        }
        Some(page)
    }

    /// Shortens a resource; `None` if the answer already contains it.
    fn resource(&mut self, object: Map<String, Value>, kept: &[&str]) -> Option<Value> {
        let url = object.get("url").and_then(Value::as_str).unwrap_or_default();
        if !self.urls.insert(url.to_owned()) {
            return None;
        }
        let mut out = picked(object, kept);
        if out.get("official") == Some(&Value::Bool(true)) {
            out.shift_remove("official");
        }
        Some(Value::Object(out))
    }

    /// Shortens an office; `None` if the answer already contains it. Omits its title and body, which stand beside the
    /// office.
    fn office(&mut self, object: Map<String, Value>, kept: &[&str]) -> Option<Value> {
        let id = object.get("office_id").and_then(Value::as_str).unwrap_or_default();
        if !self.offices.insert(id.to_owned()) {
            return None;
        }
        let out = picked(object, kept);
        self.urls.extend(out.get("url").and_then(Value::as_str).map(str::to_owned));
        (!out.is_empty()).then_some(Value::Object(out))
    }

    /// Shortens a fact. For a fact that was not checked, keeps only the office that decides and the pages to look at:
    /// a notice says why.
    fn fact(&mut self, mut object: Map<String, Value>) -> Map<String, Value> {
        let is_known = object.get("status").is_some_and(|status| status != "unknown");
        if !is_known {
            object = picked(object, &["status", "decided_by", "resources"]);
        }
        let resources = object.shift_remove("resources");
        if let Some(Value::Object(decider)) = object.get_mut("decided_by")
            && !is_known
        {
            decider.shift_remove("description");
        }
        let mut out = self.members(object);
        if let Some(Value::Object(entry)) =
            out.get_mut("decided_by").and_then(|decider| decider.get_mut("office"))
        {
            ["basis", "evidence_url", "resources", "also"]
                .iter()
                .for_each(|name| drop(entry.shift_remove(*name)));
            if !is_known {
                entry.shift_remove("office");
            }
        }
        let page = items(resources).find_map(|page| self.page(page, OF_RESOURCE, None));
        out.extend(page.map(|page| ("resources".to_owned(), Value::Array(vec![page]))));
        out
    }

    /// Shortens a guide. Keeps only the state's rules on the topic.
    fn guide(&mut self, mut object: Map<String, Value>) -> Map<String, Value> {
        let topic = object.get("topic").and_then(Value::as_str).and_then(Topic::from_word);
        let jobs = topic.map_or(&[][..], Topic::functions);
        if let Some(Value::Object(rules)) = object.get_mut("state_rules") {
            let others = Function::ALL.iter().filter(|function| !jobs.contains(function));
            others.for_each(|function| drop(rules.shift_remove(function.as_str())));
        }
        self.members(object)
    }

    /// Returns the names of the sources whose address the answer does not contain.
    fn sources(&self, sources: Value) -> Option<Value> {
        let is_new = |source: &Value| source["url"].as_str().is_none_or(|url| !self.urls.contains(url));
        let named = |source: Value| match source {
            Value::Object(source) => Value::Object(picked(source, &["name"])),
            other => other,
        };
        let sources: Vec<Value> = items(Some(sources)).filter(is_new).map(named).collect();
        (!sources.is_empty()).then_some(Value::Array(sources))
    }
}

fn is_usual(name: &str, value: &Value) -> bool {
    USUAL.iter().any(|(known, usual)| *known == name && value == *usual)
}

/// Returns the members with these names, in this order, without nulls.
fn picked(object: Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let is_kept =
        |name: &str, value: &Value| names.contains(&name) && !value.is_null() && !is_usual(name, value);
    object.into_iter().filter(|(name, value)| is_kept(name, value)).collect()
}

fn items(list: Option<Value>) -> impl Iterator<Item = Value> {
    let items = match list {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    items.into_iter()
}
