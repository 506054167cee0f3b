//! Decodes the parameters of a request once, from a query, a path segment or command-line flags.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::Refusal;
use crate::vocabulary::ProblemKind;

/// Maximum number of parameters of an operation or of the pages; no table has more.
pub const PARAMETERS_MAX: usize = 10;

/// A parameter of an operation, for parsers and the OpenAPI description.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name in the query and on the command line.
    pub name: &'static str,
    /// Maximum number of characters of a value.
    pub chars_max: usize,
    /// The parameter's meaning and the values that it takes.
    pub description: &'static str,
    /// Whether the parameter is the last segment of the path and not part of the query.
    pub in_path: bool,
    /// Whether the parameter is the cursor of a paged operation, which only this service can make.
    pub is_cursor: bool,
    /// Whether a request without the parameter is refused.
    pub required: bool,
    /// The form of the values that the parameter takes.
    pub form: Form,
    /// A valid value, for documentation.
    pub example: &'static str,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Text that is not blank.
    Text,
    /// Text that the service made before, such as a cursor.
    Opaque,
    /// Decimal degrees from `-max` to `max`.
    Degrees {
        /// The largest absolute value, in degrees.
        max: f64,
    },
    /// A whole number from `min` to `max`.
    Whole {
        /// The smallest value allowed.
        min: usize,
        /// The largest value allowed.
        max: usize,
        /// The value if the parameter is left out.
        default: usize,
    },
    /// A jurisdiction id such as `county:27053`.
    Id,
    /// A two-letter state code such as `MN`.
    State,
    /// A key of a topic, such as `zoning`.
    Topic,
    /// A day such as `2019-05-01`.
    Day,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl Parameter {
    /// Makes an optional text parameter of the query.
    pub const fn query(name: &'static str, chars_max: usize, description: &'static str) -> Parameter {
        Parameter {
            name,
            chars_max,
            description,
            in_path: false,
            is_cursor: false,
            required: false,
            form: Form::Text,
            example: "",
        }
    }

    /// Makes a required text parameter in the last segment of the path.
    pub const fn path(name: &'static str, chars_max: usize, description: &'static str) -> Parameter {
        Parameter { in_path: true, required: true, ..Parameter::query(name, chars_max, description) }
    }

    /// Sets the form and an example of a value.
    pub const fn of(self, form: Form, example: &'static str) -> Parameter {
        Parameter { form, example, ..self }
    }

    /// Marks the parameter as the cursor of a paged operation.
    pub const fn cursor(self) -> Parameter {
        Parameter { form: Form::Opaque, is_cursor: true, ..self }
    }

    /// Marks the parameter as required: a request without it is refused.
    pub const fn required(self) -> Parameter {
        Parameter { required: true, ..self }
    }
}

/// Values of an operation's parameters. Unknown parameters are ignored.
#[derive(Debug)]
pub struct RawParameters<'q> {
    table: &'static [Parameter],
    values: [Option<Cow<'q, str>>; PARAMETERS_MAX],
}

impl<'q> RawParameters<'q> {
    /// Decodes a query string such as `lat=44.97&lon=-93.26`.
    ///
    /// # Errors
    /// When a known parameter is repeated, too long, or not percent-encoded UTF-8 without control characters.
    pub fn from_query(table: &'static [Parameter], query: &'q str) -> Result<RawParameters<'q>, Refusal> {
        let mut given = RawParameters { table, values: Default::default() };
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let Some(at) = decode(name, true).and_then(|name| given.position(&name)) else { continue };
            if table[at].in_path {
                continue;
            }
            let value = decode(value, true).ok_or_else(|| not_utf8(table[at].name))?;
            given.put(at, value)?;
        }
        Ok(given)
    }

    /// Takes the last segment of the path, as it was sent.
    ///
    /// # Errors
    /// As for [`RawParameters::from_query`].
    pub fn with_segment(mut self, segment: &'q str) -> Result<RawParameters<'q>, Refusal> {
        if let Some(at) = self.table.iter().position(|parameter| parameter.in_path) {
            let value = decode(segment, false).ok_or_else(|| not_utf8(self.table[at].name))?;
            self.put(at, value)?;
        }
        Ok(self)
    }

    /// Takes pairs that need no decoding: command-line flags.
    ///
    /// # Errors
    /// When a known parameter is repeated, too long, or holds control characters.
    pub fn from_pairs(
        table: &'static [Parameter],
        pairs: impl IntoIterator<Item = (&'q str, &'q str)>,
    ) -> Result<RawParameters<'q>, Refusal> {
        let mut given = RawParameters { table, values: Default::default() };
        for (name, value) in pairs {
            if let Some(at) = given.position(name) {
                given.put(at, Cow::Borrowed(value))?;
            }
        }
        Ok(given)
    }

    /// Returns the value of a parameter of the table; `None` where it was not given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values[self.position(name)?].as_deref()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.table.iter().position(|parameter| parameter.name == name)
    }

    fn put(&mut self, at: usize, value: Cow<'q, str>) -> Result<(), Refusal> {
        let Parameter { name, chars_max, is_cursor, .. } = self.table[at];
        if self.values[at].is_some() {
            return Err(Refusal::bad_parameter(format!("{name} is given more than once; give it once")));
        }
        if value.chars().any(char::is_control) {
            return Err(Refusal::bad_parameter(format!("{name} holds a control character; send plain text")));
        }
        if value.len() > chars_max && value.chars().count() > chars_max {
            return Err(too_long(name, chars_max, is_cursor));
        }
        self.values[at] = Some(value);
        Ok(())
    }
}

/// Refuses a value that is too long. A cursor that is too long did not come from this service, so the caller is not
/// advised to shorten it.
fn too_long(name: &str, chars_max: usize, is_cursor: bool) -> Refusal {
    if is_cursor {
        let detail = format!("{name} is longer than {chars_max} characters; pass next_cursor back unchanged");
        return Refusal::new(ProblemKind::BadCursor, detail);
    }
    Refusal::bad_parameter(format!("{name} is longer than {chars_max} characters; shorten it"))
}

/// Whether a pair of a query, such as `limit=5`, belongs to this parameter, even if its name is percent-encoded.
pub fn is_pair_of(pair: &str, name: &str) -> bool {
    let given = pair.split_once('=').map_or(pair, |(given, _)| given);
    decode(given, true).is_some_and(|given| given == name)
}

fn not_utf8(name: &str) -> Refusal {
    Refusal::bad_parameter(format!(
        "{name} is not percent-encoded UTF-8; encode it as %XX bytes of UTF-8 text"
    ))
}

/// Decodes `%XX` as a byte and, in a query (`form`), `+` as a space. `None` if an escape is broken or the bytes are not
/// UTF-8.
fn decode(text: &str, form: bool) -> Option<Cow<'_, str>> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Some(Cow::Borrowed(text));
    }
    // The library leaves a broken escape as it is, so the answer would be to a question that the caller did not send.
    let is_whole = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    if !text.split('%').skip(1).all(is_whole) {
        return None;
    }
    let spaced = if form { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    percent_decode_str(&spaced).decode_utf8().ok().map(|decoded| Cow::Owned(decoded.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Parameter] =
        &[Parameter::query("lat", 40, ""), Parameter::query("place", 5, ""), Parameter::path("id", 12, "")];

    #[test]
    fn queries_are_decoded_once() {
        for (query, lat, place) in [
            ("", None, None),
            ("lat", Some(""), None),
            ("lat=1&&place=a", Some("1"), Some("a")),
            ("place=a%20b+c", None, Some("a b c")),
            ("place=%2525", None, Some("%25")),
            ("pl%61ce=%C3%A9", None, Some("é")),
            ("place=a=b", None, Some("a=b")),
            ("other=%FF&other=%zz&%FF=1&lat=2", Some("2"), None),
            ("LAT=1", None, None),
            ("place=ééééé", None, Some("ééééé")),
        ] {
            let given = RawParameters::from_query(TABLE, query).unwrap();
            assert_eq!((given.get("lat"), given.get("place")), (lat, place), "{query}");
        }
    }

    #[test]
    fn a_segment_of_the_path_is_no_form() {
        for (segment, id) in
            [("county:27053", "county:27053"), ("county%3A27053", "county:27053"), ("a+b", "a+b")]
        {
            let given =
                RawParameters::from_query(TABLE, "id=other&lat=1").unwrap().with_segment(segment).unwrap();
            assert_eq!((given.get("id"), given.get("lat")), (Some(id), Some("1")), "{segment}");
        }
        for segment in ["%", "a%00", "thirteen_long"] {
            assert!(
                RawParameters::from_query(TABLE, "").unwrap().with_segment(segment).is_err(),
                "{segment}"
            );
        }
    }

    #[test]
    fn spoilt_parameters_are_named() {
        for (query, named) in [
            ("lat=1&lat=1", "lat is given more than once"),
            ("lat=1&l%61t=1", "lat is given more than once"),
            ("place=%", "place is not percent-encoded"),
            ("place=%4", "place is not percent-encoded"),
            ("place=%+4", "place is not percent-encoded"),
            ("place=%C3", "place is not percent-encoded"),
            ("place=a%00", "place holds a control character"),
            ("place=%C2%85", "place holds a control character"),
            ("place=abcdef", "place is longer than 5 characters"),
        ] {
            let refusal = RawParameters::from_query(TABLE, query).unwrap_err();
            assert_eq!(refusal.kind, ProblemKind::BadParameter);
            assert!(refusal.detail.starts_with(named), "{query}: {}", refusal.detail);
        }
    }

    #[test]
    fn a_cursor_that_is_too_long_is_no_cursor() {
        const CURSOR: &[Parameter] = &[Parameter::query("cursor", 3, "").cursor()];
        assert!(RawParameters::from_query(CURSOR, "cursor=abc").is_ok());
        assert_eq!(
            RawParameters::from_query(CURSOR, "cursor=abcd").unwrap_err().kind,
            ProblemKind::BadCursor
        );
    }

    #[test]
    fn pairs_are_known_by_the_decoded_name() {
        for (pair, is) in [
            ("cursor=1", true),
            ("cursor", true),
            ("%63ursor=", true),
            ("cursors=1", false),
            ("x=cursor", false),
        ] {
            assert_eq!(is_pair_of(pair, "cursor"), is, "{pair}");
        }
    }
}
