//! Pages of guides in plain language, with the rules of a state.

use maud::{Markup, html};

use super::{
    dates,
    layout::PageLayout,
    reach::not_official,
    site::Site,
    words::{WORDS, capital, date, function_name, is_web},
};
use platbook::{
    answers::{Answer, Data, GuideDetails, Source},
    vocabulary::{StateCode, Topic},
    words::{Phrase, Words as _},
};

/// Builds the list of all guides. `None` if the answer is of another kind.
pub(super) fn list(site: Site<'_>, answer: &Answer<'_>) -> Option<PageLayout> {
    let Data::Topics(topics) = &answer.data else { return None };
    let text = |topic: Topic| site.directory().guides().iter().find(|guide| guide.topic == topic);
    let body = html! {
        h1 { "Guides in plain words" }
        dl.topics {
            @for guide in topics.iter().filter_map(|info| text(info.topic)) {
                dt { a href=(site.guide(guide.topic, None)) { (guide.title) } }
                dd { (guide.summary) }
            }
        }
    };
    Some(PageLayout {
        json: Some("/v1/topics".to_owned()),
        ..PageLayout::new(
            "Guides in plain words",
            "Property tax, deeds, zoning, permits, flood maps and more, explained in plain words.",
            "/guides",
            body,
        )
    })
}

/// Builds the page of a guide. `None` if the answer is of another kind.
pub(super) fn page(site: Site<'_>, answer: &Answer<'_>) -> Option<PageLayout> {
    let Data::Guide(guide) = &answer.data else { return None };
    let (name, summary) = WORDS.guide(guide);
    let title = guide.state.map_or_else(|| name.to_owned(), |state| format!("{name} ({})", state.name()));
    let body = html! {
        h1 { (name) }
        p.lead { (summary) }
        (switch(site, guide))
        (rules(site, guide))
        (sections(guide))
        (further(site, guide))
        (sources(site, answer))
        @if let Some(text) = guide.text { p.status { (WORDS.phrase(Phrase::GuideChecked(&date(&text.checked)))) } }
    };
    let query = guide.state.map_or_else(String::new, |state| format!("?state={state}"));
    let path = format!("/guides/{}{query}", guide.topic.as_str());
    Some(PageLayout {
        trail: vec![("Guides".to_owned(), site.href("/guides"))],
        json: Some(format!("/v1{path}")),
        ..PageLayout::new(title, summary, path, body)
    })
}

/// Offers the states whose rules the guide can show.
fn switch(site: Site<'_>, guide: &GuideDetails<'_>) -> Markup {
    let mut states: Vec<StateCode> = StateCode::all().collect();
    states.sort_by_key(|state| state.name());
    html! {
        form.switch action=(site.guide(guide.topic, None)) method="get" {
            label for="state" { "Rules of" }
            div.row {
                select #state name="state" {
                    option value="" { "no state in particular" }
                    @for state in &states {
                        option value=(state.usps()) selected[guide.state == Some(*state)] { (state.name()) }
                    }
                }
                button type="submit" { "Show" }
            }
        }
    }
}

/// Shows which office does the guide's job in the state.
fn rules(site: Site<'_>, guide: &GuideDetails<'_>) -> Markup {
    let (Some(state), Some(_)) = (guide.state, guide.ruled) else { return html! {} };
    html! {
        section.state-rules {
            h2 { "In " (state.name()) }
            @if let Some(summary) = guide.state_summary(site.directory()) { p { (summary) } }
            (offices(guide))
            (dates::open_list(site, &guide.dates))
            (dates::list(site, &guide.local_dates))
            p { a href=(site.state(state)) { "Everything on " (state.name()) } }
        }
    }
}

fn offices(guide: &GuideDetails<'_>) -> Markup {
    html! {
        dl { @for rule in guide.rules() {
            dt { (function_name(rule.function)) }
            dd { (rule.office) ": " (rule.place_words) "." @if let Some(note) = &rule.note { " " (capital(note)) } }
        } }
    }
}

fn sections(guide: &GuideDetails<'_>) -> Markup {
    html! {
        @for section in guide.text.map_or(&[][..], |text| &text.sections) {
            section {
                h2 { (section.heading) }
                @if section.text.len() > 3 { ul { @for item in &section.text { li { (item) } } } }
                @else { @for paragraph in &section.text { p { (paragraph) } } }
            }
        }
    }
}

fn further(site: Site<'_>, guide: &GuideDetails<'_>) -> Markup {
    html! {
        section {
            h2 { "Next" }
            ul {
                li { a href=(site.topic(guide.topic)) { "Official pages on this topic" } }
                @for other in &guide.also { li { a href=(site.guide(other.topic, guide.state)) { (other.title) } } }
                li { a href=(site.href("/")) { "Find the office for your place" } }
            }
        }
    }
}

fn sources(site: Site<'_>, answer: &Answer<'_>) -> Markup {
    let sources = site.answers().sources(answer);
    let rows = sources.iter().filter_map(|source| match source {
        Source::Snapshot(row) => Some(site.directory().source(*row)),
        Source::Outside(_) => None,
    });
    let views: Vec<_> = rows.collect();
    html! {
        @if !views.is_empty() {
            details {
                summary { "Where the rules are written" }
                ul { @for view in &views {
                    li { @if is_web(view.url) { a href=(view.url) rel="external" { (view.name) } } @else { (view.name) } ", " (view.publisher) (not_official(view)) }
                } }
            }
        }
    }
}
