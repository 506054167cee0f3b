//! The part of a page with hazard maps. The facts are looked up only if a person requests them.

use maud::{Markup, html};

use super::{
    reach::page_link,
    site::{Site, point_text},
    words::{WORDS, date, full_name},
};
use platbook::{
    answers::{Answer, Data, Notice, ScreenedFact},
    facts::FactKey,
    geometry::LonLat,
    words::{FactText, Units, Words as _, capital, listed},
};

/// Shows facts to check before buying or building, or the offer to look them up.
pub(super) fn section(site: Site<'_>, point: LonLat, screened: Option<&Answer<'_>>) -> Markup {
    html! {
        section #screening {
            h2 { "Before you buy or build here" }
            @match screened.map(|answer| &answer.data) {
                Some(Data::Screening(screened)) => (facts(site, &screened.facts)),
                _ => (offer(site, point)),
            }
        }
    }
}

fn offer(site: Site<'_>, point: LonLat) -> Markup {
    let path = site.href(&format!("/at/{}", point_text(point)));
    html! {
        p {
            (titles()) " at this exact point. This asks federal and state map services, and takes a few seconds. It is \
             a first look, never an official determination."
        }
        form action=(format!("{path}#screening")) method="get" {
            input type="hidden" name="screening" value="1";
            button type="submit" { "Check this point" }
        }
    }
}

/// Names the facts of all states: "Flood zone, wetlands and radon".
fn titles() -> String {
    let everywhere = FactKey::ALL.into_iter().filter(|key| key.row().only_in.is_none());
    let titles: Vec<String> = everywhere.map(|key| WORDS.fact_kind(key).title.to_lowercase()).collect();
    capital(&listed(&titles))
}

fn facts(site: Site<'_>, facts: &[ScreenedFact<'_>]) -> Markup {
    html! {
        p { (WORDS.notice(&Notice::ScreeningOnly, site.directory(), Units::Feet)) }
        div.cards { @for screened in facts { (fact(site, screened)) } }
    }
}

fn fact(site: Site<'_>, screened: &ScreenedFact<'_>) -> Markup {
    let ScreenedFact { fact, decider, resources } = screened;
    let (FactText { summary, detail }, kind) = (WORDS.fact(fact), WORDS.fact_kind(fact.key));
    let office = decider.as_ref().and_then(|entry| entry.office.as_ref());
    html! {
        section.card {
            h3 { (kind.title) }
            p.who { (summary) }
            @if let Some(detail) = detail { p { (detail) } }
            p { (kind.decider) }
            @if let Some(office) = office {
                p { a href=(site.office(office)) { (office.title) } ", " (full_name(&site.directory().jurisdiction(office.body))) }
            }
            @if !resources.is_empty() { ul.pages { @for view in resources { li { (page_link(view)) } } } }
            p.status { (kind.caveat) " Source: " (fact.source().name) ", " (fact.source().publisher)
                @if let Some(as_of) = &fact.as_of { ", " (date(as_of)) } "." }
        }
    }
}
