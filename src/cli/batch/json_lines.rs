//! Reads rows of JSON lines. The members of the first object are the columns, in their order.
//!
//! A value stays as its JSON text, so numbers stay numbers.

use std::{borrow::Cow, collections::HashMap, fmt};

use csv::ByteRecord;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of the first object, which are the columns of the file.
pub(super) struct JsonHeader {
    /// The number of each column. Hashing is randomized, since the names come from a file.
    numbers: HashMap<String, usize>,
    columns: usize,
}

/// The members of an object, in the order of the file.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// Returns whether a file holds JSON lines: its first character that is not a space opens an object.
pub(super) fn begins(head: &[u8]) -> bool {
    head.trim_ascii_start().first() == Some(&b'{')
}

/// Returns the names of the members in the first line.
///
/// # Errors
/// If the line is not a JSON object.
pub(super) fn header(head: &[u8]) -> Result<ByteRecord, String> {
    let line = head.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    let members: Members<'_> = serde_json::from_slice(line)
        .map_err(|error| format!("line 1: expected a JSON object on each line, got {error}"))?;
    Ok(members.0.iter().map(|(name, _)| name.as_bytes()).collect::<Vec<_>>().into())
}

impl JsonHeader {
    pub(super) fn new(header: &ByteRecord) -> JsonHeader {
        let names = header.iter().map(|name| String::from_utf8_lossy(name).into_owned());
        JsonHeader { numbers: names.zip(0..).collect(), columns: header.len() }
    }

    /// Appends the JSON texts of a line's members to `bytes`, and their ends to `ends`. Members without a column
    /// become one object at the end. Appends nothing if the line is not an object or repeats a member's name.
    pub(super) fn split(&self, line: &[u8], bytes: &mut Vec<u8>, ends: &mut Vec<usize>) {
        let Ok(Members(members)) = serde_json::from_slice::<Members<'_>>(line) else { return };
        let mut values: Vec<Option<&RawValue>> = vec![None; self.columns];
        let mut others = serde_json::Map::new();
        for (name, value) in members {
            let is_new = match self.numbers.get(name.as_ref()) {
                Some(at) => values[*at].replace(value).is_none(),
                None => serde_json::from_str(value.get())
                    .is_ok_and(|value| others.insert(name.into_owned(), value).is_none()),
            };
            if !is_new {
                return;
            }
        }
        let start = bytes.len();
        for value in values {
            bytes.extend_from_slice(value.map_or("null", RawValue::get).as_bytes());
            ends.push(bytes.len() - start);
        }
        if !others.is_empty() {
            bytes.extend(serde_json::Value::Object(others).to_string().bytes());
            ends.push(bytes.len() - start);
        }
    }
}

/// Returns the text of a JSON value: a string without quotes, an empty text for null, and JSON for other values.
pub(super) fn text_of(json: &[u8]) -> Cow<'_, str> {
    match json {
        b"null" => Cow::Borrowed(""),
        [b'"', ..] => serde_json::from_slice::<String>(json).map_or(Cow::Borrowed(""), Cow::Owned),
        other => String::from_utf8_lossy(other),
    }
}

/// Returns whether a CSV field may be written as a JSON number without a change of its value. A number with leading
/// zeros is a code. Most programs round a number of more than 15 digits.
pub(super) fn is_number(field: &[u8]) -> bool {
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    let has_code_zeros = matches!(digits, [b'0', b'0'..=b'9', ..]);
    let count = digits.iter().filter(|byte| byte.is_ascii_digit()).count();
    let has_plain_bytes = digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let points = digits.iter().filter(|byte| **byte == b'.').count();
    let has_ends =
        digits.first().is_some_and(u8::is_ascii_digit) && digits.last().is_some_and(u8::is_ascii_digit);
    has_plain_bytes && has_ends && points <= 1 && count <= 15 && !has_code_zeros
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        struct Ordered;
        impl<'de> Visitor<'de> for Ordered {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Ordered).map(Members)
    }
}

/// The name of a member, borrowed unless it has escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_lose_nothing() {
        for (field, expected) in [
            ("0", true),
            ("-93.2655", true),
            ("0.50", true),
            ("123456789012345", true),
            ("1234567890123456", false),
            ("00123", false),
            ("-01", false),
            ("1.", false),
            (".5", false),
            ("1e5", false),
            ("+1", false),
            ("1.2.3", false),
            ("-", false),
            ("", false),
            ("NaN", false),
            (" 1", false),
        ] {
            assert_eq!(is_number(field.as_bytes()), expected, "{field:?}");
        }
    }

    #[test]
    fn members_stand_in_the_order_of_the_first_object() {
        let header = JsonHeader::new(&header(b"{\"lat\":1,\"a\\u0062\":2}\n").unwrap());
        for (line, expected) in [
            (r#"{"ab":"x,\"y","lat":44.90}"#, &["44.90", r#""x,\"y""#][..]),
            (r#"{"lat":1,"n":[1, 2],"m":null}"#, &["1", "null", r#"{"n":[1,2],"m":null}"#]),
            (r#"{"lat":1,"lat":2}"#, &[]),
            ("[1]", &[]),
            ("{\"lat\":1", &[]),
            ("{}", &["null", "null"]),
        ] {
            let (mut bytes, mut ends) = (b"before".to_vec(), Vec::new());
            header.split(line.as_bytes(), &mut bytes, &mut ends);
            let starts = [0].into_iter().chain(ends.iter().copied());
            let texts = &bytes[6..];
            let got: Vec<&str> = starts
                .zip(&ends)
                .map(|(start, end)| std::str::from_utf8(&texts[start..*end]).unwrap())
                .collect();
            assert_eq!(got, expected, "{line}");
        }
    }
}
