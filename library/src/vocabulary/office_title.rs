//! Titles of offices that list kinds of governments, such as "City or town planning office".

use std::{borrow::Cow, ops::Range};

/// Kinds of governments that titles list.
const KINDS: [&str; 8] = ["city", "town", "village", "township", "borough", "county", "parish", "state"];

/// Returns the title for a government of this kind: "City planning office" for "City or town planning office". A title
/// that does not list the kind stays as it is.
pub fn title_of_kind<'t>(title: &'t str, kind: &str) -> Cow<'t, str> {
    match list_of_kinds(title) {
        Some(list) if kinds(&title[list.clone()]).any(|listed| listed.eq_ignore_ascii_case(kind)) => {
            let mut named = kind.to_owned();
            if title[list.clone()].starts_with(char::is_uppercase) {
                named[..1].make_ascii_uppercase();
            }
            Cow::Owned([&title[..list.start], &named, &title[list.end..]].concat())
        }
        _ => Cow::Borrowed(title),
    }
}

/// Finds several kinds with "or" before the last one in a title; `None` without such a list.
fn list_of_kinds(title: &str) -> Option<Range<usize>> {
    let at_or = title.find(" or ")?;
    let last = title[at_or + 4..].split(|letter: char| !letter.is_alphanumeric()).next()?;
    let mut start = at_or;
    while let Some(kind) = kind_at_end(&title[..start]) {
        start -= kind.len();
        match title[..start].strip_suffix(", ") {
            Some(before) if kind_at_end(before).is_some() => start = before.len(),
            _ => break,
        }
    }
    (start < at_or && is_kind(last)).then_some(start..at_or + 4 + last.len())
}

fn kind_at_end(text: &str) -> Option<&str> {
    text.rsplit(|letter: char| !letter.is_alphanumeric()).next().filter(|word| is_kind(word))
}

fn is_kind(word: &str) -> bool {
    KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind))
}

fn kinds(list: &str) -> impl Iterator<Item = &str> {
    list.split(|letter: char| !letter.is_alphanumeric()).filter(|word| is_kind(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_the_kind_of_its_government() {
        for (title, kind, expected) in [
            ("City or town planning office", "city", "City planning office"),
            ("City or Town Planning and Zoning", "town", "Town Planning and Zoning"),
            ("City, town or village hall", "village", "Village hall"),
            (
                "Village, township, county or state building department",
                "county",
                "County building department",
            ),
            ("Building department of the city, county or state", "state", "Building department of the state"),
            ("City or town planning office", "village", "City or town planning office"),
            ("City or joint planning commission", "city", "City or joint planning commission"),
            (
                "Town, Butte-Silver Bow or state building office",
                "town",
                "Town, Butte-Silver Bow or state building office",
            ),
            ("County Treasurer or finance department", "county", "County Treasurer or finance department"),
            ("City Treasurer", "city", "City Treasurer"),
        ] {
            assert_eq!(title_of_kind(title, kind), expected, "{kind}");
        }
    }
}
