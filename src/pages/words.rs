//! The language of pages, and the forms of names on them.

use platbook::{
    directory::{Directory, Row},
    vocabulary::{Function, StateCode, Topic, VerifiedStatus},
    words::{English, Phrase, Words as _},
};

pub(super) use platbook::words::{capital, count, date, full_name, listed, titled, with_article};

/// The language of pages: they are only in English.
pub(super) const WORDS: English = English;

/// Returns the name of a function in plain words.
pub(super) fn function_name(function: Function) -> &'static str {
    WORDS.function(function).name
}

/// Returns the name of a topic in plain words.
pub(super) fn topic_name(topic: Topic) -> &'static str {
    WORDS.topic(topic).name
}

/// Escapes a text for XML that is written without a template: sitemaps and feeds.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the governments of a chain, the nearest first, each government once.
pub(super) fn nearest_first(directory: &Directory, lineage: &[Row]) -> Vec<Row> {
    directory.each_government_once(lineage.iter().rev().copied())
}

/// Returns a chain as a part of a sentence: "the City of Stowe, Lamoille County, Vermont".
pub(super) fn chain(directory: &Directory, lineage: &[Row]) -> String {
    let rows = nearest_first(directory, lineage);
    let names = rows.iter().enumerate().map(|(at, row)| {
        let view = directory.jurisdiction(*row);
        if at == 0 { with_article(&view) } else { full_name(&view) }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Returns a place in short form, as for a title: "Stowe, Vermont".
pub(super) fn short_place(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    match view.state.map(StateCode::name).filter(|state| *state != view.name) {
        Some(state) => format!("{}, {state}", view.name),
        None => view.name.to_owned(),
    }
}

/// Returns the host of an address, without `www.`.
pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    host.strip_prefix("www.").unwrap_or(host)
}

/// Returns whether a page may link to an address: only web addresses are safe.
pub(super) fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Returns a sentence on whether a link was checked.
pub(super) fn link_status(status: VerifiedStatus, listed: &str) -> String {
    capital(&WORDS.phrase(Phrase::Link(status, listed))) + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_off_addresses() {
        for (url, host) in
            [("https://www.hennepin.us/tax?a", "hennepin.us"), ("http://x.gov", "x.gov"), ("x", "x")]
        {
            assert_eq!(super::host(url), host);
        }
        assert!(is_web("https://x.gov") && !is_web("javascript:alert(1)"));
    }
}
