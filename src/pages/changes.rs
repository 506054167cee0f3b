//! The page on what changed in the data from one snapshot to the next, as HTML, as text, and as a feed (Atom, RFC
//! 4287).

use std::fmt::Write as _;

use maud::{Markup, html};

use super::{
    layout::PageLayout,
    site::{Site, place_path},
    words::{count, date, escaped},
};
use platbook::{
    directory::{HistoryChange, HistoryEntry},
    words::thousands,
};

/// Path of the page.
const PAGE: &str = "/changes";

/// Path of the feed.
pub(super) const FEED: &str = "/changes.atom";

/// Sentence for a snapshot without a list of changes.
const UNKNOWN: &str =
    "The file behind this service was not compared with an earlier one, so no changes are listed here.";
const NONE: &str = "Nothing has changed since the first comparison.";

/// Returns the changes of the snapshot, the newest first.
///
/// # Errors
/// Returns the sentence that says why no changes are listed.
fn entries(site: Site<'_>) -> Result<Vec<HistoryEntry>, &'static str> {
    let entries = site.directory().history().ok_or(UNKNOWN)?.entries;
    if entries.is_empty() { Err(NONE) } else { Ok(entries) }
}

/// Builds the page on changes of the data.
pub(super) fn page(site: Site<'_>) -> PageLayout {
    let entries = entries(site);
    let body = html! {
        h1 { "Changes of the data" }
        p.lead { "Governments, their lines, offices, rules and pages that changed from one edition of the data to the next." }
        @match &entries {
            Err(why) => p { (why) },
            Ok(entries) => {
                @for entry in entries { (section(site, entry)) }
                p { "Each list shows the changes that concern the most people. Older editions are left out." }
            }
        }
        p {
            a href=(site.href(FEED)) type=(ATOM) { "These changes as a feed" } " "
            a href=(site.href("/data")) { "Sources and freshness" }
        }
    };
    let description =
        "Changes of the data from one edition to the next, with the number of people concerned.";
    PageLayout::new("Changes of the data", description, PAGE, body)
}

/// The media type of the feed.
pub(super) const ATOM: &str = "application/atom+xml";

fn section(site: Site<'_>, entry: &HistoryEntry) -> Markup {
    html! {
        section {
            h2 id=(entry.from_id) { (heading(entry)) }
            ul { @for total in &entry.totals { li { (total) } } }
            details {
                summary { (count(entry.changes.len(), "change", "changes")) " in words" }
                ul { @for change in &entry.changes { li { (government(site, change)) (rest(change)) } } }
                @if let Some(more) = more(entry) { p { (more) } }
            }
        }
    }
}

fn heading(entry: &HistoryEntry) -> String {
    format!("{}, compared with {}", date(&entry.to), date(&entry.from))
}

/// Returns the name of a government, with a link if it still exists.
fn government(site: Site<'_>, change: &HistoryChange) -> Markup {
    let directory = site.directory();
    let row = change.government.parse().ok().and_then(|id| directory.found(&id));
    html! {
        @match row {
            Some(row) => a href=(site.href(&place_path(directory, row))) { (change.name) },
            None => (change.name),
        }
    }
}

/// Returns the end of the sentence that begins with the name of the government.
fn rest(change: &HistoryChange) -> String {
    let people = match change.people {
        0 => String::new(),
        people => format!(" ({} people)", thousands(people.into())),
    };
    format!("{people}: {}", change.words)
}

fn more(entry: &HistoryEntry) -> Option<String> {
    (entry.more > 0)
        .then(|| format!("{} more are left out.", count(entry.more as usize, "change", "changes")))
}

/// Returns the changes as plain text.
pub(super) fn text(site: Site<'_>) -> String {
    let mut text = "Changes of the data\n".to_owned();
    match entries(site) {
        Err(why) => {
            let _ = write!(text, "\n{why}\n");
        }
        Ok(entries) => {
            for entry in &entries {
                let _ = write!(text, "\n{}\n{}", heading(entry), lines(entry));
            }
        }
    }
    text
}

/// Returns the lines of an entry, without its heading.
fn lines(entry: &HistoryEntry) -> String {
    let totals = entry.totals.iter().map(|total| format!("- {total}"));
    let changes = entry.changes.iter().map(|change| format!("  {}{}", change.name, rest(change)));
    let more = more(entry).map(|more| format!("  {more}"));
    totals.chain(changes).chain(more).map(|line| line + "\n").collect()
}

/// Returns the feed. The id of an entry is the snapshot before the change, so the entry has the same id in each later
/// feed.
pub(super) fn feed(site: Site<'_>) -> String {
    let origin = escaped(site.origin());
    let updated = escaped(site.directory().as_of());
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n\
         <title>platbook: changes of the data</title>\n<id>{origin}{PAGE}</id>\n<updated>{updated}</updated>\n\
         <author><name>platbook</name></author>\n<link href=\"{origin}{PAGE}\"/>\n<link rel=\"self\" href=\"{origin}{FEED}\"/>\n"
    );
    match entries(site) {
        Err(why) => {
            let _ = writeln!(feed, "<subtitle>{why}</subtitle>");
        }
        Ok(entries) => {
            for entry in &entries {
                let (id, to) = (escaped(&entry.from_id), escaped(&entry.to));
                let _ = write!(
                    feed,
                    "<entry>\n<title>{}</title>\n<id>{origin}{PAGE}#{id}</id>\n<updated>{to}</updated>\n\
                     <link href=\"{origin}{PAGE}#{id}\"/>\n<content type=\"text\">{}</content>\n</entry>\n",
                    escaped(&heading(entry)),
                    escaped(&lines(entry)),
                );
            }
        }
    }
    feed + "</feed>\n"
}

#[cfg(test)]
mod tests {
    use platbook::{
        directory::History,
        testing::{self, directory_with},
    };

    use super::*;
    use crate::{edition::Edition, pages::site::Operator};

    /// Makes a history of the test world, in which one page is new and one town is gone.
    fn history(count: usize) -> History {
        let change = |government: &str, words: &str| HistoryChange {
            government: government.to_owned(),
            words: words.to_owned(),
            name: format!("{government} & <Co>"),
            people: 1_234,
        };
        let entry = |number: usize| HistoryEntry {
            from_id: format!("id{number}"),
            from: format!("2026-11-0{number}T00:00:00Z"),
            to: format!("2026-11-0{}T00:00:00Z", number + 1),
            totals: vec!["governments with web pages new or gone: 1".to_owned()],
            changes: vec![change("county:27001", "new: a page"), change("place:2799999", "is gone")],
            more: 7,
        };
        History { entries: (1..=count).rev().map(entry).collect() }
    }

    #[test]
    fn changes_are_shown_in_three_forms() {
        let plain = testing::directory();
        let with = |count| directory_with(|contents| contents.pages.history = Some(history(count)));
        for (directory, count, said) in
            [(plain, 0, Some(UNKNOWN)), (with(0), 0, Some(NONE)), (with(2), 2, None)]
        {
            let (edition, operator) = (Edition::new(directory, "https://a.example"), Operator::default());
            let site = Site::new(&edition, &operator);
            let (html, text, feed) = (page(site).render(site), text(site), feed(site));
            for form in [&html, &text, &feed] {
                assert_eq!(form.contains(UNKNOWN), said == Some(UNKNOWN), "{form}");
                assert_eq!(form.contains(NONE), said == Some(NONE), "{form}");
                assert_eq!(form.matches("(1,234 people): new: a page").count(), count, "{form}");
                assert_eq!(form.matches("7 changes more are left out.").count(), count, "{form}");
                assert!(!form.contains("<Co>") || *form == text, "{form}");
            }
            assert_eq!(html.matches("href=\"/places/county:27001\"").count(), count, "{html}");
            assert!(!html.contains("href=\"/places/place:2799999\""), "{html}");
            assert_eq!(feed.matches("<entry>").count(), count, "{feed}");
            let newest = feed.find("<id>https://a.example/changes#id2</id>");
            assert!(count == 0 || newest < feed.find("<id>https://a.example/changes#id1</id>"), "{feed}");
        }
    }
}
