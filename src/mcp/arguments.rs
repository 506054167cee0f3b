//! Turns the arguments of a tool into text that the parsers of the operations read.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    fault::word,
    tools::{DETAIL, FULL, SEVERAL, SEVERAL_MAX, SHORT, Tool},
};
use crate::encode::Detail;
use platbook::answers::Refusal;

/// Names and values of arguments, as in a query.
pub(super) type Given<'a> = Vec<(&'static str, Cow<'a, str>)>;

/// Returns the arguments that were given. Null and empty text count as not given, because models fill in every field of a
/// form.
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

/// Whether an argument is one that REST does not have.
fn is_own(tool: &Tool, name: &str) -> bool {
    (tool.has_detail() && name == DETAIL) || (tool.takes_several() && name == SEVERAL)
}

/// Returns the governments that the call compares; `None` if it gives none.
///
/// # Errors
/// `bad-parameter` if they are not a list of ids, or too many.
pub(super) fn several<'a>(
    tool: &Tool,
    arguments: &'a Map<String, Value>,
) -> Result<Option<Vec<&'a str>>, Refusal> {
    let expected = |got: String| {
        Refusal::bad_parameter(format!(
            "expected {SEVERAL} as a list of at most {SEVERAL_MAX} ids, got {got}"
        ))
    };
    let ids: Vec<&str> = match arguments.get(SEVERAL).filter(|_| tool.takes_several()) {
        None | Some(Value::Null) => return Ok(None),
        // Some clients send a list as one text.
        Some(Value::String(text)) => text.split(',').map(str::trim).filter(|id| !id.is_empty()).collect(),
        Some(Value::Array(ids)) => {
            let id = |id: &'a Value| id.as_str().ok_or_else(|| expected(word(&id.to_string()).into_owned()));
            ids.iter().map(id).collect::<Result<_, _>>()?
        }
        Some(other) => return Err(expected(word(&other.to_string()).into_owned())),
    };
    match ids.len() {
        0 => Ok(None),
        count if count > SEVERAL_MAX => Err(expected(count.to_string())),
        _ => Ok(Some(ids)),
    }
}

/// Returns the length of answer that the call requests: `short` by default, always full for tools without the choice.
///
/// # Errors
/// `bad-parameter` if it is neither of the two words.
pub(super) fn detail(tool: &Tool, arguments: &Map<String, Value>) -> Result<Detail, Refusal> {
    if !tool.has_detail() {
        return Ok(Detail::Full);
    }
    match arguments.get(DETAIL) {
        None | Some(Value::Null) => Ok(Detail::Short),
        Some(Value::String(text)) if text.is_empty() || text == SHORT => Ok(Detail::Short),
        Some(Value::String(text)) if text == FULL => Ok(Detail::Full),
        Some(other) => {
            // Shortened before it is quoted: otherwise escapes of text beyond the limit would remain.
            let got = match other {
                Value::String(text) => format!("{:?}", word(text)),
                other => word(&other.to_string()).into_owned(),
            };
            Err(Refusal::bad_parameter(format!("expected {DETAIL} {SHORT} or {FULL}, got {got}")))
        }
    }
}

fn unknown(tool: &Tool, name: &str) -> Refusal {
    let known = tool.parameters().map(|parameter| parameter.name);
    let several = tool.takes_several().then_some(SEVERAL);
    let known: Vec<&str> = known.chain(several).chain(tool.has_detail().then_some(DETAIL)).collect();
    Refusal::bad_parameter(format!("{} takes no {:?}; it takes {}", tool.name, word(name), known.join(", ")))
}

/// Returns the text of a value; `None` for null and for empty text.
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

/// Writes a number. `5.0` is the whole number 5, as in JSON Schema.
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
    use crate::mcp::tools;

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
    fn what_no_query_can_hold_is_refused_by_name() {
        for (arguments, said) in [
            (json!({ "lat": [1] }), "expected lat as text or a number, got a list"),
            (json!({ "lat": {} }), "got an object"),
            (json!({ "lat": true }), "got true or false"),
            (json!({ "resources": 1 }), "place, state, jurisdiction_id, detail"),
            (
                json!({ "latitude": 1 }),
                "resolve_jurisdiction takes no \"latitude\"; it takes lat, lon, address, place, state",
            ),
        ] {
            let refused = given_to("resolve_jurisdiction", arguments.clone()).unwrap_err();
            assert!(refused.contains(said), "{arguments}: {refused}");
        }
    }
}
