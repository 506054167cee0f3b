//! Checks the public address of a service.

use serde::{Deserialize as _, Deserializer, de::Error as _};
use url::Url;

/// The default address of `platbook serve`.
pub(super) const SITE_URL: &str = "http://127.0.0.1:8080";

/// Error for a text that cannot be the public address of a service.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected an http or https address without user, query and fragment, such as https://platbook.example, {why}"
)]
pub(super) struct BadSiteUrl {
    why: String,
}

/// Parses `--site-url`. Answers append paths to this address, so it must not have a query or fragment.
///
/// # Errors
/// Fails if the text is not an http or https address, or has a user, query or fragment.
pub(super) fn site_url(text: &str) -> Result<String, BadSiteUrl> {
    let bad = |why: String| BadSiteUrl { why };
    let url = Url::parse(text).map_err(|error| bad(format!("got {text:?}: {error}")))?;
    let is_web = ["http", "https"].contains(&url.scheme());
    let has_user = !url.username().is_empty() || url.password().is_some();
    if !is_web || has_user || url.query().is_some() || url.fragment().is_some() {
        return Err(bad(format!("got {text:?}")));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Parses `site-url` of a configuration file in the same way as the option.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| site_url(&text)).transpose().map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_a_path_can_follow_are_taken() {
        for (text, site) in [
            ("https://platbook.example", "https://platbook.example"),
            ("https://platbook.example/", "https://platbook.example"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://Example.org/plat book/", "https://example.org/plat%20book"),
        ] {
            assert_eq!(site_url(text).unwrap(), site);
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_was_expected() {
        for text in [
            "",
            "platbook.example",
            "https://",
            "ftp://platbook.example",
            "mailto:a@b.example",
            "https://user@platbook.example",
            "https://platbook.example?a=b",
            "https://platbook.example/#top",
            "https://plat book.example",
        ] {
            let error = site_url(text).unwrap_err().to_string();
            assert!(error.contains("expected an http or https address") && error.contains(text), "{error}");
        }
    }
}
