//! The reasons of an answer, folded below the tasks: for each task the rule, the law, and further pages.

use maud::{Markup, html};

use super::{
    reach::{self, not_official, page_link},
    site::Site,
    words::{WORDS, function_name, is_web},
};
use platbook::{
    answers::{Assignments, Entry},
    directory::ResourceView,
    vocabulary::Function,
    words::{Label, Phrase, Words as _},
};

/// Shows the reasons for all offices, folded.
pub(super) fn section(site: Site<'_>, assignments: &Assignments) -> Markup {
    let known =
        Function::AS_TASKS.into_iter().filter_map(|function| Some((function, assignments.get(function)?)));
    let known: Vec<_> = known.collect();
    html! {
        @if !known.is_empty() {
            details #why {
                summary { (WORDS.label(Label::WhyThese)) }
                @for (function, main) in known {
                    h3 { (function_name(function)) }
                    (reason(site, main))
                    @for also in &main.also {
                        p.role { (WORDS.phrase(Phrase::Role(also.outcome.role, also.outcome.levy_scope))) ":" }
                        (reason(site, also))
                    }
                }
            }
        }
    }
}

/// Shows why the rules name a body, with the law, and further pages on the task.
fn reason(site: Site<'_>, entry: &Entry) -> Markup {
    let evidence = entry.evidence.map(|row| site.directory().source(row)).filter(|source| is_web(source.url));
    let resources = entry.resources.iter().filter_map(|number| site.directory().resource(*number));
    let pages: Vec<ResourceView<'_>> = resources.collect();
    html! {
        p { (reach::reason(site, entry)) }
        @if let Some(source) = &evidence {
            p { a href=(source.url) rel="external" { (source.name) } ", " (source.publisher) (not_official(source)) }
        }
        @if !pages.is_empty() { ul.pages { @for view in &pages { li { (page_link(view)) } } } }
    }
}
