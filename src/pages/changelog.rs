//! The page on the changes of the interface. Its table also yields the headers of operations that end.

use maud::html;

use super::{layout::PageLayout, site::Site};
use crate::http::{CHANGES, Change, End};

/// Builds the page on the changes of the interface.
pub(super) fn page(site: Site<'_>) -> PageLayout {
    let ending: Vec<(&Change, &End)> =
        CHANGES.iter().filter_map(|change| Some((change, change.ends.as_ref()?))).collect();
    let body = html! {
        h1 { "Changes of the interface" }
        p.lead { "Fields, topics and operations are added without notice. Nothing is removed or changed in meaning within twelve months of its \
                  announcement here." }
        h2 { "What will end" }
        @if ending.is_empty() {
            p { "Nothing." }
        } @else {
            p { "Answers of these operations say so in the headers " code { "Deprecation" } " and " code { "Sunset" } "." }
            dl { @for (change, end) in ending {
                dt { code { (end.operation) } ", until " (end.sunset) }
                dd { (change.summary) " Announced " (change.since) "." }
            } }
        }
        h2 { "What changed" }
        dl { @for day in CHANGES.chunk_by(|one, next| one.since == next.since) {
            dt { (day[0].since) }
            @for change in day { dd { (change.summary) } }
        } }
        p { a href=(site.href("/docs")) { "The interface for programs" } }
    };
    PageLayout::new(
        "Changes of the interface",
        "Additions to the interface for programs, and operations that will end.",
        "/changelog",
        body,
    )
}
