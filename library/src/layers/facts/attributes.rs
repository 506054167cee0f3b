//! Attributes of a polygon, as their publishers write them.

use crate::{
    answers::FactValue,
    snapshot::ArchivedPolygons,
    vocabulary::{OUTSIDE_CHARS_MAX, is_clean_text},
};

/// A polygon with its attributes.
#[derive(Clone, Copy)]
pub(super) struct Feature<'a> {
    pub(super) polygons: &'a ArchivedPolygons,
    pub(super) number: usize,
}

impl<'a> Feature<'a> {
    /// A text; `None` for the many ways in which maps write that there is none, and for one that no map has: longer than any
    /// documented value, or with characters that control or hide.
    pub(super) fn text(&self, field: &str) -> Option<&'a str> {
        let text = self.polygons.value(self.number, field).trim();
        let is_none = text.is_empty() || text.eq_ignore_ascii_case("<null>") || text.starts_with("-9999");
        (!is_none && is_clean_text(text, OUTSIDE_CHARS_MAX)).then_some(text)
    }

    /// A number; `None` for the values that stand for none.
    pub(super) fn number(&self, field: &str) -> Option<f64> {
        let number: f64 = self.text(field)?.parse().ok()?;
        (number.is_finite() && number > -9_000.0).then_some(number)
    }

    /// A text as a value for machines.
    pub(super) fn value(&self, name: &'static str, field: &str) -> Option<(&'static str, FactValue)> {
        self.text(field).map(|text| (name, FactValue::Text(text.to_owned())))
    }
}
