//! Turns the arguments of a tool into text that the parsers of the operations read.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    fault::word,
    tools::{self, DETAIL, FULL, JOBS, PLACES_MAX, POINTS, SEVERAL, SHORT, Tool},
};
use crate::encode::Detail;
use platbook::{
    answers::Refusal,
    vocabulary::{Function, FunctionSet, StateCode},
};

/// Names and values of arguments, as in a query.
pub(super) type Given<'a> = Vec<(&'static str, Cow<'a, str>)>;

/// Returns the arguments that the call sets. Null and empty text do not count, because models fill in every field of
/// a form.
///
/// # Errors
/// `bad-parameter` if the tool has no such argument, or its value is neither text nor a number.
pub(super) fn given<'a>(tool: &Tool, arguments: &'a Map<String, Value>) -> Result<Given<'a>, Refusal> {
    let mut given = Given::new();
    for (name, value) in arguments.iter().filter(|(name, _)| !is_own(tool, name)) {
        let known = tool.parameters().map(|parameter| parameter.name).find(|known| known == name);
        let name = known.ok_or_else(|| unknown(tool, name))?;
        if let Some(text) = text(name, value)? {
            given.push((name, text));
        }
    }
    Ok(given)
}

/// Returns whether an argument exists only for tools and not in REST.
fn is_own(tool: &Tool, name: &str) -> bool {
    tool.own_arguments().any(|own| own == name)
}

/// Returns whether a text is meant as the id of a government: names of places have no colon.
pub(super) fn is_id(text: &str) -> bool {
    text.contains(':')
}

/// Returns the governments of the call, by id or by name; `None` if the call names none.
///
/// # Errors
/// `bad-parameter` if they are not a list of texts, or if there are too many.
pub(super) fn several<'a>(
    tool: &Tool,
    arguments: &'a Map<String, Value>,
) -> Result<Option<Vec<&'a str>>, Refusal> {
    let max = tool.several_max();
    let expected = |got: String| {
        Refusal::bad_parameter(format!(
            "expected {SEVERAL} as a list of at most {max} ids, or of {PLACES_MAX} names such as \"Boise, ID\", got {got}"
        ))
    };
    let ids: Vec<&str> = match arguments.get(SEVERAL).filter(|_| max > 0) {
        None | Some(Value::Null) => return Ok(None),
        // Some clients send a list as one text.
        Some(Value::String(text)) => places_in(text),
        Some(Value::Array(ids)) => {
            let id = |id: &'a Value| id.as_str().ok_or_else(|| expected(word(&id.to_string()).into_owned()));
            ids.iter().map(id).collect::<Result<_, _>>()?
        }
        Some(other) => return Err(expected(word(&other.to_string()).into_owned())),
    };
    match ids.len() {
        0 => Ok(None),
        count if count > max => Err(expected(count.to_string())),
        _ => match ids.iter().filter(|id| !is_id(id)).count() {
            names if names > PLACES_MAX => Err(expected(format!("{names} names"))),
            _ => Ok(Some(ids)),
        },
    }
}

/// Splits a text into ids and names. A name and its state, as in "Boise, ID", stay together.
fn places_in(text: &str) -> Vec<&str> {
    if text.contains(';') {
        return text.split(';').map(str::trim).filter(|place| !place.is_empty()).collect();
    }
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let end = start + part.len();
        let is_state = part.trim().parse::<StateCode>().is_ok();
        match places.last_mut() {
            Some((first, last)) if is_state && !is_id(&text[*first..*last]) => *last = end,
            _ => places.push((start, end)),
        }
        start = end + 1;
    }
    let texts = places.into_iter().map(|(start, end)| text[start..end].trim());
    texts.filter(|place| !place.is_empty()).collect()
}

/// Splits a text into points, each of which is a latitude and a longitude. `None` if the text is not a list of
/// points, or has too many.
fn points_in(text: &str) -> Option<Vec<(String, String)>> {
    let numbers: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    let pairs = numbers.chunks_exact(2);
    let is_whole = pairs.remainder().is_empty() && numbers.len() <= 2 * PLACES_MAX;
    let points = pairs.map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
    is_whole.then(|| points.collect())
}

/// Returns the points of the call, each as latitude and longitude; `None` if the call has none.
///
/// # Errors
/// `bad-parameter` if they are not a list of points, or if there are too many. The numbers are checked later.
pub(super) fn points(
    tool: &Tool,
    arguments: &Map<String, Value>,
) -> Result<Option<Vec<(String, String)>>, Refusal> {
    let expected = |got: &str| {
        Refusal::bad_parameter(format!(
            "expected {POINTS} as a list of at most {PLACES_MAX} texts \"lat,lon\", got {}",
            word(got)
        ))
    };
    let items: Vec<&Value> = match arguments.get(POINTS).filter(|_| tool.takes_jobs()) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(items)) => items.iter().collect(),
        Some(Value::String(text)) if text.is_empty() => return Ok(None),
        // Some clients send a list as one text.
        Some(Value::String(text)) => return points_in(text).map(Some).ok_or_else(|| expected(text)),
        Some(other) => return Err(expected(&other.to_string())),
    };
    if items.len() > PLACES_MAX {
        return Err(expected(&items.len().to_string()));
    }
    let pair = |item: &Value| match item {
        Value::String(text) => {
            let (lat, lon) = text.split_once(',')?;
            Some((lat.trim().to_owned(), lon.trim().to_owned()))
        }
        Value::Array(pair) => match &pair[..] {
            [Value::Number(lat), Value::Number(lon)] => Some((digits(lat), digits(lon))),
            _ => None,
        },
        _ => None,
    };
    let pairs = items.into_iter().map(|item| pair(item).ok_or_else(|| expected(&item.to_string())));
    let pairs: Vec<(String, String)> = pairs.collect::<Result<_, _>>()?;
    Ok(Some(pairs).filter(|pairs| !pairs.is_empty()))
}

/// Returns the jobs that the call requests; an empty set stands for all jobs.
///
/// # Errors
/// `bad-parameter` for a word that is not a job.
pub(super) fn jobs(tool: &Tool, arguments: &Map<String, Value>) -> Result<FunctionSet, Refusal> {
    let words: Vec<Cow<'_, str>> = match arguments.get(JOBS).filter(|_| tool.takes_jobs()) {
        None | Some(Value::Null) => Vec::new(),
        // Some clients send a list as one text.
        Some(Value::String(text)) => text.split(',').map(|word| Cow::Borrowed(word.trim())).collect(),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| Cow::Owned(item.to_string()), Cow::Borrowed))
            .collect(),
        Some(other) => vec![Cow::Owned(other.to_string())],
    };
    let known = Function::ALL.iter().map(|function| function.as_str());
    let function = |text: &Cow<'_, str>| {
        Function::from_word(text).ok_or_else(|| {
            let known: Vec<&str> = known.clone().collect();
            let known = known.join(", ");
            Refusal::bad_parameter(format!("expected {JOBS} as a list of {known}, got {:?}", word(text)))
        })
    };
    words.iter().filter(|word| !word.is_empty()).map(function).collect()
}

/// Returns the length of answer that the call requests. The default is `short`. Tools without this argument always
/// give full answers.
///
/// # Errors
/// `bad-parameter` if the argument is neither `short` nor `full`.
pub(super) fn detail(tool: &Tool, arguments: &Map<String, Value>) -> Result<Detail, Refusal> {
    if !tool.has_detail() {
        return Ok(Detail::Full);
    }
    match arguments.get(DETAIL) {
        None | Some(Value::Null) => Ok(Detail::Short),
        Some(Value::String(text)) if text.is_empty() || text == SHORT => Ok(Detail::Short),
        Some(Value::String(text)) if text == FULL => Ok(Detail::Full),
        Some(other) => {
            // The text is cleaned and shortened before it is quoted. Quoting turns unsafe characters into escapes,
            // which `word` would keep or cut in two.
            let got = match other {
                Value::String(text) => format!("{:?}", word(text)),
                other => word(&other.to_string()).into_owned(),
            };
            Err(Refusal::bad_parameter(format!("expected {DETAIL} {SHORT} or {FULL}, got {got}")))
        }
    }
}

/// Refuses an argument that a tool does not have. Names the argument that is probably meant, or else the tools that
/// have the argument.
fn unknown(tool: &Tool, name: &str) -> Refusal {
    let own: Vec<&str> = arguments_of(tool).collect();
    let meant = own.iter().find(|known| is_meant(known, name));
    let others: Vec<&str> = tools::TOOLS
        .iter()
        .filter(|other| arguments_of(other).any(|known| known == name || is_meant(known, name)))
        .map(|other| other.name)
        .collect();
    let instead = match (meant, &others[..]) {
        (Some(meant), _) => format!("give {meant} instead; "),
        (None, []) => String::new(),
        (None, others) => format!("{} has it; ", others.join(" or ")),
    };
    Refusal::bad_parameter(format!(
        "{} takes no {:?}; {instead}it takes {}",
        tool.name,
        word(name),
        own.join(", ")
    ))
}

/// Returns the names of all arguments of a tool.
fn arguments_of(tool: &Tool) -> impl Iterator<Item = &'static str> {
    tool.parameters().map(|parameter| parameter.name).chain(tool.own_arguments())
}

/// Returns whether other services use this name for the argument `known`.
fn is_meant(known: &str, name: &str) -> bool {
    let names: &[&str] = match known {
        "lat" => &["latitude", "y"],
        "lon" => &["lng", "long", "longitude", "x"],
        "place" => &["name", "city", "county", "town", "location", "jurisdiction", "place_name"],
        "jurisdiction_id" => &["id", "geoid", "fips", "place_id"],
        "jurisdiction_ids" => &["ids", "places", "jurisdictions", "counties", "cities"],
        "functions" => &["jobs", "job"],
        "function" => &["functions", "job", "office", "role"],
        "q" => &["query", "text", "search", "question", "prompt"],
        "state" => &["state_code", "state_name"],
        "address" => &["street", "street_address", "zip", "zip_code", "zipcode", "postal_code"],
        "topic" => &["topics", "subject", "category"],
        "limit" => &["count", "max", "max_results", "page_size", "per_page"],
        "cursor" => &["page", "offset", "next_cursor", "page_token"],
        "within" => &["in", "parent", "parent_id"],
        "order" => &["sort", "order_by", "sort_by"],
        "type" => &["kind", "layer", "types"],
        "points" => &["coordinates", "coords"],
        "detail" => &["verbose", "verbosity", "format"],
        _ => &[],
    };
    names.contains(&name)
}

/// Returns the text of a value; `None` for null and for an empty text.
fn text<'a>(name: &str, value: &'a Value) -> Result<Option<Cow<'a, str>>, Refusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.is_empty() => Ok(None),
        Value::String(text) => Ok(Some(Cow::Borrowed(text))),
        Value::Number(number) => Ok(Some(Cow::Owned(digits(number)))),
        Value::Bool(_) => Err(other(name, "true or false")),
        Value::Array(_) => Err(other(name, "a list")),
        Value::Object(_) => Err(other(name, "an object")),
    }
}

/// Writes a number. `5.0` becomes the whole number 5, as in JSON Schema.
fn digits(number: &serde_json::Number) -> String {
    const WHOLE_MAX: f64 = 1e15;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < WHOLE_MAX => {
            format!("{float:.0}")
        }
        _ => number.to_string(),
    }
}

fn other(name: &str, got: &str) -> Refusal {
    Refusal::bad_parameter(format!("expected {name} as text or a number, got {got}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn given_to(tool: &str, arguments: Value) -> Result<Vec<(&'static str, String)>, String> {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        let given = given(tools::find(tool).unwrap(), &arguments).map_err(|refusal| refusal.detail)?;
        Ok(given.into_iter().map(|(name, text)| (name, text.into_owned())).collect())
    }

    #[test]
    fn values_are_as_in_a_query() {
        for (value, text) in [
            (json!(44.9773), "44.9773"),
            (json!(-93), "-93"),
            (json!(5.0), "5"),
            (json!(-93.0), "-93"),
            (json!(1e300), "1e+300"),
            (json!(1e-7), "1e-7"),
            (json!("44.9773"), "44.9773"),
            (json!(" "), " "),
        ] {
            let given = given_to("resolve_jurisdiction", json!({ "lat": value, "lon": null, "address": "" }));
            assert_eq!(given, Ok(vec![("lat", text.to_owned())]), "{value}");
        }
    }

    #[test]
    fn answers_are_short_unless_full_is_given() {
        for (tool, value, expected) in [
            ("resolve_jurisdiction", json!({}), Some(Detail::Short)),
            ("resolve_jurisdiction", json!({ "detail": null }), Some(Detail::Short)),
            ("resolve_jurisdiction", json!({ "detail": "" }), Some(Detail::Short)),
            ("get_place_directory", json!({ "detail": "short" }), Some(Detail::Short)),
            ("screen_location", json!({ "detail": "full" }), Some(Detail::Full)),
            ("screen_location", json!({ "detail": "all" }), None),
            ("screen_location", json!({ "detail": 1 }), None),
            ("search_directory", json!({}), Some(Detail::Short)),
            ("get_property_facts", json!({}), Some(Detail::Full)),
        ] {
            let Value::Object(arguments) = &value else { panic!("an object") };
            let got = detail(tools::find(tool).unwrap(), arguments);
            assert_eq!(got.ok(), expected, "{tool} {value}");
        }
    }

    #[test]
    fn points_and_jobs_are_lists() {
        let tool = tools::find("resolve_jurisdiction").unwrap();
        let lists = |arguments: &Value| {
            let Value::Object(arguments) = arguments else { panic!("an object") };
            let points = points(tool, arguments).map_err(|refusal| refusal.detail)?;
            let pairs = points.unwrap_or_default().into_iter().map(|(lat, lon)| format!("{lat} {lon}"));
            let jobs = jobs(tool, arguments).map_err(|refusal| refusal.detail)?;
            let jobs: Vec<&str> = jobs.iter().map(Function::as_str).collect();
            Ok::<_, String>(format!("{} | {}", Vec::from_iter(pairs).join("; "), jobs.join(" ")))
        };
        for (arguments, expected) in [
            (json!({ "points": ["44.9,-93.2", [36, -115.1]] }), "44.9 -93.2; 36 -115.1 | "),
            (json!({ "points": "44.9, -93.2" }), "44.9 -93.2 | "),
            (json!({ "points": "44.9,-93.2,36,-115.1" }), "44.9 -93.2; 36 -115.1 | "),
            (json!({ "points": "44.9,-93.2; 36,-115.1" }), "44.9 -93.2; 36 -115.1 | "),
            (json!({ "points": null, "functions": [] }), " | "),
            (json!({ "functions": ["recording", "assessment"] }), " | assessment recording"),
            (json!({ "functions": "recording, zoning" }), " | recording zoning"),
        ] {
            assert_eq!(lists(&arguments).as_deref(), Ok(expected), "{arguments}");
        }
        for (arguments, said) in [
            (json!({ "points": [1] }), "expected points as a list of at most 10 texts \"lat,lon\", got 1"),
            (json!({ "points": ["44.9"] }), "expected points as a list"),
            (json!({ "points": "44.9" }), "expected points as a list"),
            (json!({ "points": vec!["1,2"; 11] }), "got 11"),
            (json!({ "functions": ["deeds"] }), "expected functions as a list of assessment, tax_collection"),
            (json!({ "functions": 7 }), "got \"7\""),
        ] {
            let refused = lists(&arguments).unwrap_err();
            assert!(refused.contains(said), "{arguments}: {refused}");
        }
    }

    #[test]
    fn ids_and_names_are_read_from_one_text() {
        for (text, expected) in [
            ("county:16001, county:16005", "county:16001|county:16005"),
            ("Boise, ID, Twin Falls County, ID,county:16005", "Boise, ID|Twin Falls County, ID|county:16005"),
            ("county:16005,Boise", "county:16005|Boise"),
            ("Boise; Pocatello", "Boise|Pocatello"),
            (" , ;", ","),
            ("", ""),
        ] {
            assert_eq!(places_in(text).join("|"), expected, "{text}");
        }
    }

    #[test]
    fn what_no_query_can_hold_is_refused_by_name() {
        for (arguments, said) in [
            (json!({ "lat": [1] }), "expected lat as text or a number, got a list"),
            (json!({ "lat": {} }), "got an object"),
            (json!({ "lat": true }), "got true or false"),
            (
                json!({ "resources": 1 }),
                "place, state, jurisdiction_id, date, jurisdiction_ids, points, functions, detail",
            ),
            (
                json!({ "latitude": 1 }),
                "resolve_jurisdiction takes no \"latitude\"; give lat instead; it takes lat, lon, address, place, state",
            ),
            (json!({ "zip": "55404" }), "give address instead"),
            (
                json!({ "topic": "zoning" }),
                "takes no \"topic\"; find_official_resource or get_guide has it; it",
            ),
            (json!({ "q": "Boise" }), "search_directory or ask_directory has it"),
            (json!({ "fish": 1 }), "takes no \"fish\"; it takes lat"),
        ] {
            let refused = given_to("resolve_jurisdiction", arguments.clone()).unwrap_err();
            assert!(refused.contains(said), "{arguments}: {refused}");
        }
    }
}
