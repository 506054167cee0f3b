//! What the maps of hazards say of a point, asked only where a person wants it.

use maud::{Markup, html};

use super::{
    cards::page_link,
    site::{Site, point_text},
    words::{date, full_name},
};
use platbook::{
    answers::{Answer, Data, Fact, Facts},
    geometry::LonLat,
    vocabulary::FactStatus,
};

/// What to look at before buying or building: an offer to ask, or what was found.
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
            "Flood zone, wetlands, soil, elevation and radon at this exact point. This asks federal and state map services \
             outside, and takes a few seconds. It is a first look, never an official determination."
        }
        form action=(format!("{path}#screening")) method="get" {
            input type="hidden" name="screening" value="1";
            button type="submit" { "Check this point" }
        }
    }
}

fn facts(site: Site<'_>, facts: &Facts<'_>) -> Markup {
    html! {
        p { "A first look at this exact point, never an official determination. The office named with a fact decides." }
        div.cards {
            (fact(site, "Flood zone", &facts.flood))
            (fact(site, "Wetlands", &facts.wetlands))
            (fact(site, "Soil", &facts.soils))
            (fact(site, "Elevation", &facts.elevation))
            @if let Some(shoreland) = &facts.shoreland { (fact(site, "Shoreland", shoreland)) }
            (fact(site, "Radon", &facts.radon))
        }
    }
}

fn fact<S: FactStatus>(site: Site<'_>, name: &str, fact: &Fact<'_, S>) -> Markup {
    let detail = fact.finding.as_ref().and_then(|finding| finding.detail.as_deref());
    let as_of = fact.finding.as_ref().and_then(|finding| finding.as_of.as_deref());
    let office = fact.decider.as_ref().and_then(|decider| decider.main.office.as_ref());
    html! {
        section.card {
            h3 { (name) }
            p.who { (fact.summary()) }
            @if let Some(detail) = detail { p { (detail) } }
            p { (fact.kind.decider) }
            @if let Some(office) = office {
                p { a href=(site.office(office)) { (office.title) } ", " (full_name(&site.directory().jurisdiction(office.body))) }
            }
            @if !fact.resources.is_empty() { ul.pages { @for view in &fact.resources { li { (page_link(view)) } } } }
            p.status { (fact.kind.caveat) " Source: " (fact.source().name) ", " (fact.source().publisher)
                @if let Some(as_of) = as_of { ", " (date(as_of)) } "." }
        }
    }
}
