//! Escapes text in the query of an address.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that must be escaped in a query.
const IN_QUERIES: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b':').remove(b',');

/// Escapes a text for use as a part of a query.
pub(super) fn in_query(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, IN_QUERIES).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_caller_ends_no_value() {
        assert_eq!(in_query("350 S 5th St, \"A\"&<b>"), "350%20S%205th%20St,%20%22A%22%26%3Cb%3E");
    }
}
