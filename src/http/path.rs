//! Normalizes different spellings of the same path.

use std::borrow::Cow;

use super::documents::Document;
use crate::operations;
use platbook::{answers::Form, vocabulary::JurisdictionId};

/// Decodes each escape of an unreserved character (RFC 3986, section 6.2.2.2). A path with a broken escape stays
/// unchanged, since a partly decoded path could become a valid one.
pub(super) fn normal(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut plain = String::with_capacity(path.len());
    let mut parts = path.split('%');
    plain.extend(parts.next());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            return Cow::Borrowed(path);
        };
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            plain.push(char::from(byte));
            plain.push_str(&part[2..]);
        } else {
            plain.push('%');
            plain.push_str(part);
        }
    }
    Cow::Owned(plain)
}

/// Returns the usual spelling of a path of an operation or a document, for a redirect. It has no slash at its end, and
/// its ids are in lower case. `None` if the path already has this spelling, or does not exist.
pub(super) fn usual(path: &str) -> Option<String> {
    let plain = path.trim_end_matches('/');
    let (operation, segment) = match operations::find(plain) {
        Some(found) => found,
        None => return Document::at(plain).filter(|_| plain != path).map(|_| plain.to_owned()),
    };
    let is_id = operation.parameters.iter().any(|parameter| parameter.in_path && parameter.form == Form::Id);
    let lower = segment.filter(|_| is_id).map(str::to_ascii_lowercase);
    let respelled = lower.filter(|lower| lower.parse::<JurisdictionId>().is_ok());
    let usual = match (segment, respelled) {
        (Some(segment), Some(lower)) => format!("{}{lower}", &plain[..plain.len() - segment.len()]),
        _ => plain.to_owned(),
    };
    (usual != path).then_some(usual)
}

#[cfg(test)]
mod tests {
    use super::{normal, usual};

    #[test]
    fn slashes_and_capitals_lead_to_the_usual_path() {
        for (path, expected) in [
            ("/v1/topics", None),
            ("/v1/topics/", Some("/v1/topics")),
            ("/v1/topics///", Some("/v1/topics")),
            ("/v1/openapi.json/", Some("/v1/openapi.json")),
            ("/openapi.json", None),
            ("/v1/places/county:27053", None),
            ("/v1/places/County:27053", Some("/v1/places/county:27053")),
            ("/v1/places/COUNTRY:US/", Some("/v1/places/country:us")),
            ("/v1/places/county:27053/", Some("/v1/places/county:27053")),
            ("/v1/guides/zoning/", Some("/v1/guides/zoning")),
            // These paths are not redirected: they are refused, or not found.
            ("/v1/guides/Zoning", None),
            ("/v1/places/County:1", None),
            ("/v1/places/", None),
            ("/v1/places/a/b/", None),
            ("/v1/", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(usual(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn unreserved_escapes_alone_are_decoded() {
        for (path, expected) in [
            ("/v1/topics", "/v1/topics"),
            ("/v1/%74op%69cs", "/v1/topics"),
            ("/v1%2Ftopics", "/v1%2Ftopics"),
            ("/%7E%2d%5F%2e%41%7a%30", "/~-_.Az0"),
            ("/places/county%3A27053", "/places/county%3A27053"),
            ("/%2574", "/%2574"),
            ("/%%37%34", "/%%37%34"),
            ("/%74%", "/%74%"),
            ("/%74%7", "/%74%7"),
            ("/%74%+4", "/%74%+4"),
            ("/%74%é", "/%74%é"),
            ("/%C3%A9", "/%C3%A9"),
        ] {
            assert_eq!(normal(path), expected);
        }
    }
}
