//! The page of a point: its governments and offices, hazards to check before building, and how reliable all that is.

use maud::{Markup, html};

use super::{
    cards, confidence, front,
    layout::PageLayout,
    map, nearby, screening, short,
    site::{Site, point_path, point_text},
    words::{WORDS, chain, full_name, nearest_first, short_place, topic_name},
};
use platbook::{
    answers::{Answer, Assignments, Data, Matched, Resolved},
    directory::{Borders, Row},
    geometry::LonLat,
    vocabulary::{StateCode, Topic},
    words::{Phrase, Words as _},
};

/// Builds the page of a point. `answer` must be for a resolved point or address.
pub(super) fn page(site: Site<'_>, answer: &Answer<'_>, screened: Option<&Answer<'_>>) -> PageLayout {
    let (Data::Resolve(resolved), Some(point)) = (&answer.data, point_of(answer)) else {
        return front::page(site);
    };
    let nearest = nearest_first(site.directory(), &resolved.lineage);
    let title = nearest.first().map(|row| short_place(site.directory(), *row)).unwrap_or_default();
    let path = point_path(point);
    let assignments = site.answers().assignments(resolved.territory);
    let body = html! {
        (place(site, answer, resolved, &assignments, point))
        section #who {
            h2 { "Why these offices, and where to begin" }
            (cards::cards(site, &assignments, &nearest))
        }
        (screening::section(site, point, screened))
        (more(site, resolved, point))
        (confidence::section(site, answer))
    };
    let json = format!("/v1/jurisdictions/resolve?lat={}&lon={}", point.lat_degrees(), point.lon_degrees());
    let description = format!(
        "The offices that handle property tax, deeds, zoning, permits and maps at {}, in {}.",
        point_text(point),
        chain(site.directory(), &resolved.lineage)
    );
    PageLayout {
        trail: trail(site, &resolved.lineage),
        json: Some(json),
        listed: false,
        ..PageLayout::new(
            format!("Property offices at {} ({title})", point_text(point)),
            description,
            path,
            body,
        )
    }
}

fn point_of(answer: &Answer<'_>) -> Option<LonLat> {
    match &answer.data {
        Data::Resolve(resolved) => resolved.point,
        _ => None,
    }
}

/// Returns links to the jurisdictions around this one, and to itself at the end.
pub(super) fn trail(site: Site<'_>, lineage: &[Row]) -> Vec<(String, String)> {
    let rows = nearest_first(site.directory(), lineage);
    rows.iter().rev().map(|row| (full_name(&site.directory().jurisdiction(*row)), site.place(*row))).collect()
}

/// Shows where the point is, doubts first.
fn place(
    site: Site<'_>,
    answer: &Answer<'_>,
    resolved: &Resolved,
    assignments: &Assignments,
    point: LonLat,
) -> Markup {
    let place = chain(site.directory(), &resolved.lineage);
    html! {
        div.split {
            div {
                h1 { "In " (place) }
                @if let Matched::Address { found, .. } = &resolved.matched {
                    p { (WORDS.phrase(Phrase::AddressRead(found))) }
                }
                (nearby::doubts(site, answer, resolved))
                h2 { "Who to call" }
                (short::list(site, assignments, &nearest_first(site.directory(), &resolved.lineage)))
                p.point { "Point " (point_text(point)) " (latitude, longitude). "
                    a href=(site.point(point)) { "Link to this answer" } }
                (front::field(site, "", false))
            }
            @if let Some(borders) = borders(&resolved.matched) {
                figure { (map::spot(site, point, &resolved.lineage, borders)) figcaption { (caption(borders)) } }
            }
        }
    }
}

fn borders(matched: &Matched) -> Option<&Borders> {
    match matched {
        Matched::Point { borders, .. } | Matched::Address { borders, .. } => Some(borders),
        Matched::Name { .. } => None,
    }
}

fn caption(borders: &Borders) -> &'static str {
    let is_near = |line: &platbook::directory::BorderLine| line.distance_m <= line.uncertainty_m;
    if [borders.place, borders.county].iter().flatten().any(is_near) {
        "The dot is the point. The shaded band is where the line may really run."
    } else {
        "The dot is the point; the shaded area is the smallest government around it."
    }
}

/// Links topics and guides for this place, and its governments.
fn more(site: Site<'_>, resolved: &Resolved, point: LonLat) -> Markup {
    let state = resolved.lineage.first().and_then(|row| site.directory().state_of(*row));
    let at = point_text(point);
    html! {
        section {
            h2 { "Official pages for this place, by topic" }
            ul.columns {
                @for topic in Topic::all() {
                    li { a href=(format!("{}?at={at}", site.topic(topic))) { (topic_name(topic)) } }
                }
            }
        }
        section {
            h2 { "Guides" @if let Some(state) = state { ", with the rules of " (state.name()) } }
            (guides(site, state))
        }
        section {
            h2 { "Governments of this place" }
            ul { @for row in nearest_first(site.directory(), &resolved.lineage) {
                li { a href=(site.place(row)) { (full_name(&site.directory().jurisdiction(row))) } }
            } }
        }
    }
}

/// Links the guides, with the rules of a state.
pub(super) fn guides(site: Site<'_>, state: Option<StateCode>) -> Markup {
    html! {
        ul.columns {
            @for guide in site.directory().guides() { li { a href=(site.guide(guide.topic, state)) { (guide.title) } } }
        }
    }
}
