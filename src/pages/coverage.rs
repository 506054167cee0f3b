//! The part of the data page that shows how much is known and when links were checked.

use maud::{Markup, html};

use super::{
    site::Site,
    words::{WORDS, capital, function_name},
};
use platbook::{
    answers::{Answer, CoverageDetails, Data, Found, JobShares, Request},
    directory::POPULATION_YEAR,
    vocabulary::{Share, StateCode},
    words::{Known, Phrase, Units, Words as _},
};

/// Shows for which share of the people each job is known, by state, and the outlines of each layer.
pub(super) fn section(site: Site<'_>) -> Markup {
    let answer = site.answers().finish(&Request::Coverage { state: None }, Found::default());
    let Ok(Answer { data: Data::Coverage(details), notices, .. }) = answer else { return html! {} };
    html! {
        section #coverage {
            h2 { "How much is known" }
            @for notice in &notices { p { (WORDS.notice(notice, site.directory(), Units::Feet)) } }
            @if !details.jobs.is_empty() { (jobs(&details)) }
            ul {
                @for layer in &details.layers { li { (sentence(Phrase::Known(Known::Layer(layer)))) } }
                @if let Some(links) = &details.links { li { (sentence(Phrase::Known(Known::Links(links)))) } }
                @if let Some((first, last)) = &details.rules_checked {
                    li { (sentence(Phrase::Known(Known::Rules(first, last)))) }
                }
            }
            @if !details.states.is_empty() { (states(site, &details.states)) }
            p { a href=(site.href("/v1/coverage")) { "These figures as JSON" } }
        }
    }
}

fn sentence(phrase: Phrase<'_>) -> String {
    capital(&WORDS.phrase(phrase)) + "."
}

fn jobs(details: &CoverageDetails) -> Markup {
    html! {
        p { (sentence(Phrase::People(details.people, POPULATION_YEAR))) " Percentages are of them, rounded down." }
        table {
            thead { tr {
                th scope="col" { "Job" } th scope="col" { "Office" } th scope="col" { "Page" } th scope="col" { "Telephone" }
            } }
            tbody { @for (function, shares) in &details.jobs {
                tr { th scope="row" { (function_name(*function)) } (cells(shares)) }
            } }
        }
    }
}

fn states(site: Site<'_>, states: &[(StateCode, JobShares)]) -> Markup {
    html! {
        details {
            summary { "State by state, over all jobs" }
            table {
                thead { tr {
                    th scope="col" { "State" } th scope="col" { "Office" } th scope="col" { "Page" } th scope="col" { "Telephone" }
                } }
                tbody { @for (state, shares) in states {
                    tr {
                        th scope="row" { a href=(site.href(&format!("/v1/coverage?state={state}"))) { (state.name()) } }
                        (cells(shares))
                    }
                } }
            }
        }
    }
}

fn cells(JobShares { office, page, phone, .. }: &JobShares) -> Markup {
    let cell = |share: &Share| share.tenths().map_or("not known".to_owned(), |_| format!("{share}%"));
    html! { @for share in [office, page, phone] { td.figure { (cell(share)) } } }
}
