//! Attributes of a map's features, in the form that their publishers use.

use std::collections::HashMap;

/// Attributes of one feature of a map, by their field names in lower case.
pub trait Attributes {
    /// A text; `None` if there is no value, or only the publisher's mark for no value. See [`stated_text`].
    fn text(&self, field: &str) -> Option<&str>;

    /// A number; `None` if there is no value, or only the publisher's mark for no value. See [`stated_number`].
    fn number(&self, field: &str) -> Option<f64> {
        stated_number(self.text(field)?.parse().ok()?)
    }

    /// The text of the first of these fields that has a value. Several names are needed because publishers rename
    /// fields, and shapefiles cut names at ten letters.
    fn first_text(&self, fields: &[&str]) -> Option<String> {
        fields.iter().find_map(|field| self.text(field)).map(str::to_owned)
    }
}

/// Numbers that flood maps and elevation data use for "no value".
const NO_NUMBERS: [f64; 3] = [-9_999.0, -8_888.0, -1_000_000.0];

/// The text, trimmed; `None` for marks that mean "no value" in maps.
pub fn stated_text(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_nothing = text.is_empty()
        || text.eq_ignore_ascii_case("<null>")
        || text.parse().is_ok_and(|number: f64| NO_NUMBERS.contains(&number));
    (!is_nothing).then_some(text)
}

/// The number; `None` for the numbers that mean "no value".
pub fn stated_number(number: f64) -> Option<f64> {
    (number.is_finite() && !NO_NUMBERS.contains(&number)).then_some(number)
}

/// A row of a table whose cells are texts.
impl Attributes for HashMap<&str, &str> {
    fn text(&self, field: &str) -> Option<&str> {
        stated_text(self.get(field)?)
    }
}
