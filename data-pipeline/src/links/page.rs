//! Reads the parts of a web page that the check of a link needs: its title, and whether the page mentions its
//! subject.

use platbook::vocabulary::{OUTSIDE_CHARS_MAX, clean_text};

/// Words of sites that sell their own name, as found on parked domains.
const PARKED: [&str; 8] = [
    "domain is for sale",
    "domain may be for sale",
    "buy this domain",
    "this domain has expired",
    "domain name is available",
    "hugedomains",
    "sedoparking",
    "parkingcrew",
];

/// Words in titles of pages that do not exist.
const MISSING: [&str; 5] = ["not found", "page missing", "404", "no longer available", "cannot be found"];

/// Two pages with one title are alike if their lengths differ by at most this fraction (one in n). The lengths differ
/// because a page often shows its address. Chosen, not measured.
const LIKE: usize = 10;

/// A page that was read.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Title of the page, cleaned and in lower case.
    pub(super) title: String,
    /// The whole page with its tags, in lower case.
    text: String,
}

impl Page {
    /// Reads the bytes of a page.
    pub(super) fn read(body: &[u8]) -> Page {
        let text = String::from_utf8_lossy(body).to_lowercase();
        let title = text.split_once("<title").and_then(|(_, rest)| rest.split_once('>'));
        let title = title.and_then(|(_, rest)| rest.split_once('<')).map_or("", |(title, _)| title);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        Page { title: clean_text(&title, OUTSIDE_CHARS_MAX), text }
    }

    /// Whether the page has one of these words, which are in lower case.
    pub(super) fn speaks_of(&self, words: &[String]) -> bool {
        words.iter().any(|word| self.text.contains(word.as_str()))
    }

    /// Whether the site sells its own name.
    pub(super) fn is_parked(&self) -> bool {
        PARKED.iter().any(|words| self.text.contains(words))
    }

    /// Whether the title says that the page does not exist.
    pub(super) fn says_missing(&self) -> bool {
        MISSING.iter().any(|words| self.title.contains(words))
    }

    /// Whether this is the same page as another one, up to small differences.
    pub(super) fn is_like(&self, other: &Page) -> bool {
        let (longer, shorter) =
            (self.text.len().max(other.text.len()), self.text.len().min(other.text.len()));
        self.title == other.title && (longer - shorter) * LIKE <= longer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_differ_by_title_and_length() {
        let page = |title: &str, text: &str| {
            Page::read(format!("<html><TITLE lang=en>\n {title} </TITLE><p>{text}</p>").as_bytes())
        };
        let assessor = page("Assessor  | Adams County", &"Values in Adams County. ".repeat(20));
        assert_eq!(assessor.title, "assessor | adams county");
        assert!(assessor.speaks_of(&["adams".to_owned()]) && !assessor.speaks_of(&["brown".to_owned()]));
        assert!(!assessor.is_parked() && !assessor.says_missing());
        let missing =
            |path: &str| page("Page not found | Adams County", &format!("There is no {path} here."));
        assert!(missing("a").says_missing() && missing("a").is_like(&missing("abc")));
        assert!(!assessor.is_like(&missing("a")));
        assert!(page("adams.example", "Buy this domain").is_parked());
        // A page whose title does not end, and bytes that are not a page.
        assert_eq!(
            (Page::read(b"<title>x").title.as_str(), Page::read(b"\xff\xfe").title.as_str()),
            ("", "")
        );
    }
}
