//! Dates and amounts that an office goes by, each with its source and its remark.

use maud::{Markup, html};

use super::{
    site::Site,
    words::{WORDS, full_name, is_web},
};
use platbook::{directory::DateRef, words::Words as _};

/// Lists dates and amounts.
pub(super) fn list(site: Site<'_>, dates: &[DateRef]) -> Markup {
    let directory = site.directory();
    let views: Vec<_> = dates.iter().filter_map(|date| directory.date(*date)).collect();
    html! {
        @if !views.is_empty() {
            ul.dates {
                @for view in &views {
                    li {
                        strong { (WORDS.dated_kind(view.kind)) }
                        @if let Some(row) = view.area { " (" (full_name(&directory.jurisdiction(row))) ")" }
                        ": " (view.text.says) " " (WORDS.dated_remark(view.text, directory.as_of()))
                        @let source = directory.source(view.source);
                        @if is_web(source.url) { " " a href=(source.url) rel="external" { (source.name) } }
                    }
                }
            }
        }
    }
}
