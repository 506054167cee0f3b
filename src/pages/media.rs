//! Chooses the form that the caller wants to read: a page, plain text, or the API's JSON (RFC 9110 section 12.5.1).

use hyper::{HeaderMap, header::ACCEPT};

/// The forms in which an answer can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Media {
    /// HTML, for people in a browser.
    Html,
    /// Plain text, as the command line shows it.
    Text,
    /// JSON, which the API has at another address.
    Json,
}

impl Media {
    /// Returns whether `Accept` names HTML itself, as browsers do.
    pub(super) fn is_page_named(headers: &HeaderMap) -> bool {
        let mut names =
            headers.get_all(ACCEPT).iter().flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
        let is_named = names
            .any(|member| range(member).is_some_and(|(name, _)| name.eq_ignore_ascii_case(b"text/html")));
        is_named && Media::wanted(headers) == Media::Html
    }

    /// Returns the preferred form; HTML if no other form is preferred.
    pub(super) fn wanted(headers: &HeaderMap) -> Media {
        let lines = headers.get_all(ACCEPT);
        let ranges: Vec<(&[u8], u16)> = lines
            .iter()
            .flat_map(|line| line.as_bytes().split(|byte| *byte == b','))
            .filter_map(range)
            .collect();
        let weight = |names: [&str; 3]| {
            let named =
                |name: &str| ranges.iter().find(|range| range.0.eq_ignore_ascii_case(name.as_bytes()));
            names.into_iter().find_map(named).map_or(0, |range| range.1)
        };
        let html = if ranges.is_empty() { 1000 } else { weight(["text/html", "text/*", "*/*"]) };
        let text = weight(["text/plain", "text/*", "*/*"]);
        let json = weight(["application/json", "application/*", "*/*"]);
        if html >= text && html >= json {
            Media::Html
        } else if text >= json {
            Media::Text
        } else {
            Media::Json
        }
    }
}

/// Parses a member of the list, such as `text/html;q=0.9`. Returns the media type with its weight in thousandths.
/// Ignores other parameters.
fn range(member: &[u8]) -> Option<(&[u8], u16)> {
    let mut parts = member.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let weight = parts.find_map(|part| {
        let text = part.strip_prefix(b"q=").or(part.strip_prefix(b"Q="))?;
        std::str::from_utf8(text).ok()?.parse::<f32>().ok()
    });
    let weight =
        weight.filter(|weight| (0.0..=1.0).contains(weight)).map_or(1000, |weight| (weight * 1000.0) as u16);
    Some((name, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_get_what_they_like_best() {
        for (accept, media) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Media::Html),
            ("*/*", Media::Html),
            ("", Media::Html),
            ("application/json", Media::Json),
            ("application/json, text/html;q=0.5", Media::Json),
            ("text/html, application/json", Media::Html),
            ("text/plain", Media::Text),
            ("text/plain;q=0.9, application/json;q=0.8", Media::Text),
            ("text/*", Media::Html),
            ("image/png", Media::Html),
            ("text/html;q=x, text/plain", Media::Html),
            (";;q=1,,", Media::Html),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, accept.parse().unwrap())]);
            assert_eq!(Media::wanted(&headers), media, "{accept}");
            let is_named = accept.starts_with("text/html") && media == Media::Html;
            assert_eq!(Media::is_page_named(&headers), is_named, "{accept}");
        }
        assert_eq!(Media::wanted(&HeaderMap::new()), Media::Html);
        assert!(!Media::is_page_named(&HeaderMap::new()));
    }
}
