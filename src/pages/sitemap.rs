//! Files for search engines: sitemaps with the addresses of pages, and the rules for crawlers.

use std::{fmt::Write, ops::Range};

use super::{
    site::{Site, place_path, state_path},
    words::escaped,
};
use platbook::vocabulary::{StateCode, Topic};

/// Maximum number of addresses in a sitemap; the standard (sitemaps.org) allows 50,000. This many are made and
/// compressed in 3 ms.
const LIST_MAX: usize = 5_000;

/// Returns the index of the sitemaps.
pub(super) fn index(site: Site<'_>) -> String {
    let count = paths(site).div_ceil(LIST_MAX);
    let mut text = head("sitemapindex");
    for part in 0..count {
        entry(&mut text, "sitemap", &format!("{}/sitemaps/{part}.xml", site.origin()));
    }
    text + "</sitemapindex>\n"
}

/// Returns one sitemap; `None` if no sitemap has this number.
pub(super) fn part(site: Site<'_>, part: usize) -> Option<String> {
    let (count, fixed) = (paths(site), fixed_paths());
    let places = places(part, count)?;
    let mut text = head("urlset");
    for at in places {
        let path = fixed.get(at).cloned().unwrap_or_else(|| path(site, at - fixed.len()));
        entry(&mut text, "url", &format!("{}{path}", site.origin()));
    }
    Some(text + "</urlset>\n")
}

/// Returns the range of one sitemap within a list of `count` addresses; `None` for a sitemap that would be empty.
fn places(part: usize, count: usize) -> Option<Range<usize>> {
    let start = part.checked_mul(LIST_MAX).filter(|start| *start < count)?;
    Some(start..(start + LIST_MAX).min(count))
}

/// Returns the rules for crawlers: they must skip answers for single points, outside lookups, and lists of choices.
pub(super) fn robots(site: Site<'_>) -> String {
    let disallowed = [
        "/at/",
        "/at?",
        "/suggest",
        "/*?q=",
        "/*?address=",
        "/*?at=",
        "/*?place=",
        "/*cursor=",
        "/boundaries/",
        "/v1/",
    ];
    let mut text = "User-agent: *\n".to_owned();
    for path in disallowed {
        text.push_str(&format!("Disallow: {}\n", site.href(path)));
    }
    text + &format!("Sitemap: {}/sitemap.xml\n", site.origin())
}

/// Pages that no list contains.
const ALONE: [&str; 10] =
    ["/", "/states", "/topics", "/guides", "/data", "/changes", "/docs", "/changelog", "/about", "/problems"];

/// Returns the number of addresses. Omits offices, because listing them takes a second; pages of governments link to
/// them.
fn paths(site: Site<'_>) -> usize {
    fixed_paths().len() + site.directory().jurisdiction_count() + site.directory().resource_count()
}

/// Returns the addresses that come before those of places: single pages, states, topics, guides of each state.
fn fixed_paths() -> Vec<String> {
    let states = StateCode::all().map(state_path);
    let topics = Topic::all().flat_map(|topic| {
        let word = topic.as_str();
        let guides = StateCode::all().map(move |state| format!("/guides/{word}?state={state}"));
        [format!("/topics/{word}"), format!("/guides/{word}")].into_iter().chain(guides)
    });
    ALONE.into_iter().map(str::to_owned).chain(states).chain(topics).collect()
}

/// Returns the path at this index of the list that follows the fixed addresses.
fn path(site: Site<'_>, at: usize) -> String {
    let directory = site.directory();
    let Some(at) = at.checked_sub(directory.jurisdiction_count()) else {
        return directory.row(at as u32).map(|row| place_path(directory, row)).unwrap_or_default();
    };
    directory.resource(at).map(|view| format!("/resources/{}", view.id.text("res_"))).unwrap_or_default()
}

fn head(element: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{element} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
}

fn entry(text: &mut String, element: &str, address: &str) {
    writeln!(text, "<{element}><loc>{}</loc></{element}>", escaped(address))
        .expect("writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_each_place_once_and_none_is_empty() {
        for (part, count, expected) in [
            (0, 12, Some(0..12)),
            (0, LIST_MAX, Some(0..LIST_MAX)),
            (1, LIST_MAX, None),
            (1, LIST_MAX + 1, Some(LIST_MAX..LIST_MAX + 1)),
            (0, 0, None),
            (usize::MAX, 12, None),
        ] {
            assert_eq!(places(part, count), expected, "list {part} of {count}");
        }
    }
}
