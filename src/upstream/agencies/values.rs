//! Reads values as agencies write them: numbers as text, and many spellings of a missing value.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::Deserialize;
use serde_json::Value;

use platbook::{
    facts::{stated_number, stated_text},
    vocabulary::{OUTSIDE_CHARS_MAX, clean_text},
};

/// A text from a service, cleaned when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "String")]
pub(super) struct CleanText(pub(super) String);

impl From<String> for CleanText {
    fn from(text: String) -> CleanText {
        CleanText(clean_text(&text, OUTSIDE_CHARS_MAX))
    }
}

/// Returns the value; cleans it if it is a text.
pub(super) fn cleaned(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(CleanText::from(text).0),
        other => other,
    }
}

/// Returns the text of a value; `None` for spellings of a missing value.
pub(super) fn text(value: &Value) -> Option<&str> {
    stated_text(value.as_str()?)
}

/// Returns the number of a value, which may be written as text; `None` for spellings of a missing value.
pub(super) fn number(value: &Value) -> Option<f64> {
    stated_number(match value {
        Value::String(_) => text(value)?.parse().ok()?,
        other => other.as_f64()?,
    })
}

/// Converts milliseconds since 1970 to a date such as `2014-11-19`. `None` for an implausible date, which services
/// send in place of a missing one.
pub(super) fn date_of_millis(value: &Value) -> Option<String> {
    let millis = value.as_i64()?;
    let date = Timestamp::from_millisecond(millis).ok()?.to_zoned(TimeZone::UTC).date();
    plausible(date)
}

/// Converts a text that begins with a date such as `3/1/2020` (month, day, year) to `2020-03-01`.
pub(super) fn date_of_american(text: &str) -> Option<String> {
    let first = text.split_whitespace().next()?;
    let mut parts = first.split('/');
    let [month, day, year] = [parts.next()?, parts.next()?, parts.next()?];
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    plausible(date).filter(|_| parts.next().is_none())
}

/// Returns the date if it is from 1900 to 2099. Services write other years for a missing date.
fn plausible(date: Date) -> Option<String> {
    (1900..2100).contains(&date.year()).then(|| date.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_has_many_spellings() {
        for value in [
            json!(null),
            json!(""),
            json!(" "),
            json!("<Null>"),
            json!("-9999"),
            json!(-9999),
            json!(-9999.0),
        ] {
            assert_eq!((text(&value), number(&value)), (None, None), "{value}");
        }
        for value in [json!("NaN"), json!("inf"), json!("x"), json!(-1_000_000), json!("-1000000")] {
            assert_eq!(number(&value), None, "{value}");
        }
    }

    #[test]
    fn numbers_may_be_text() {
        for (value, expected) in
            [(json!("208.36"), 208.36), (json!(13.5), 13.5), (json!(" 0.5 "), 0.5), (json!(0), 0.0)]
        {
            assert_eq!(number(&value), Some(expected), "{value}");
        }
        assert_eq!(text(&json!(" AE ")), Some("AE"));
    }

    #[test]
    fn dates_are_read_in_both_forms() {
        assert_eq!(date_of_millis(&json!(1_416_355_200_000_i64)).as_deref(), Some("2014-11-19"));
        for value in [
            json!(253_402_300_799_000_i64),
            json!(null),
            json!("x"),
            json!(-9_999_999_999_999_i64),
            json!(0.5),
        ] {
            assert_eq!(date_of_millis(&value), None, "{value}");
        }
        for (text, expected) in [
            ("3/1/2020", Some("2020-03-01")),
            ("9/7/2023 3:37:46 PM", Some("2023-09-07")),
            ("13/1/2020", None),
            ("2/30/2020", None),
            ("2020-03-01", None),
            ("3/1/2020/5", None),
            ("3/1/9999", None),
            ("", None),
        ] {
            assert_eq!(date_of_american(text).as_deref(), expected, "{text}");
        }
    }
}
