//! The page of a point: its governments and offices, hazards to check before building, and how reliable these facts
//! are.

use maud::{Markup, html};

use super::{
    confidence, front,
    layout::PageLayout,
    map, nearby, reasons, screening,
    site::{Site, point_path, point_text, trail},
    topics,
    words::{WORDS, chain, nearest_first, short_place},
    zoom::Zoom,
};
use platbook::{
    answers::{Answer, Assignments, Data, Matched, Resolved, Territory},
    directory::{BorderLine, Borders},
    geometry::LonLat,
    vocabulary::StateCode,
    words::{Label, Phrase, Words as _},
};

/// Builds the page of a point. `answer` must be for a resolved point or address.
pub(super) fn page(
    site: Site<'_>,
    answer: &Answer<'_>,
    zoom: Zoom,
    screened: Option<&Answer<'_>>,
) -> PageLayout {
    let (Data::Resolve(resolved), Some(point)) = (&answer.data, point_of(answer)) else {
        return front::page(site);
    };
    let nearest = nearest_first(site.directory(), &resolved.lineage);
    let title = nearest.first().map(|row| short_place(site.directory(), *row)).unwrap_or_default();
    let path = point_path(point);
    let assignments = site.answers().assignments(resolved.territory);
    let state = resolved.lineage.first().and_then(|row| site.directory().state_of(*row));
    let body = html! {
        div.split {
            div { (head(site, answer, resolved, &assignments, point)) }
            (beside(site, resolved, point, zoom))
        }
        (screening::section(site, point, screened))
        (reasons::section(site, &assignments))
        (topics::folded(site, &format!("?at={}", point_text(point)), state))
        (confidence::section(site, answer, Some(&assignments)))
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

/// Shows where the point is, caveats that may change the answer, and the tasks with their offices.
fn head(
    site: Site<'_>,
    answer: &Answer<'_>,
    resolved: &Resolved,
    assignments: &Assignments,
    point: LonLat,
) -> Markup {
    let nearest = nearest_first(site.directory(), &resolved.lineage);
    let sides = nearby::other_sides(site, answer, resolved);
    let state = resolved.lineage.first().and_then(|row| site.directory().state_of(*row)).map(StateCode::name);
    let names = nearest.first().map(|row| nearby::names(site, *row, assignments, &sides)).unwrap_or_default();
    html! {
        h1 { (names) @if let Some(state) = state.filter(|state| *state != names) { ", " (state) } }
        @if let Matched::Address { found, .. } = &resolved.matched {
            p.sub { (WORDS.phrase(Phrase::AddressRead(found))) }
        }
        @let is_own = matches!(resolved.matched, Matched::Point { .. });
        p.sub { "Point " @if is_own { (point_text(point)) } @else { a href=(site.point(point)) { (point_text(point)) } } ". "
            a.narrow href="#map" { "See it on the map" } }
        (nearby::cautions(site, answer))
        @let is_tribal = matches!(resolved.territory, Territory::TribalLand(_));
        (nearby::list(site, (assignments, &nearest), &sides, if is_tribal { Label::TasksInFee } else { Label::Tasks }))
    }
}

/// Shows the part beside the answer on a wide screen and below it on a phone: the map, and the search field.
fn beside(site: Site<'_>, resolved: &Resolved, point: LonLat, zoom: Zoom) -> Markup {
    html! {
        div.beside {
            @if let Some(borders) = borders(&resolved.matched) {
                @let (map, remark) = map::spot(site, point, &resolved.lineage, borders, zoom);
                figure #map {
                    (map)
                    (map::steps(site, point, &resolved.lineage, borders, zoom))
                    figcaption {
                        (caption(resolved, borders)) " Wrong spot? Click the map to move the point. "
                        (remark)
                    }
                }
            }
            (front::field(site, "", false))
        }
    }
}

fn borders(matched: &Matched) -> Option<&Borders> {
    match matched {
        Matched::Point { borders, .. } | Matched::Address { borders, .. } => Some(borders),
        Matched::Name { .. } => None,
    }
}

/// Explains the signs on the map.
fn caption(resolved: &Resolved, borders: &Borders) -> Markup {
    let is_near = [borders.place, borders.county].iter().flatten().any(BorderLine::is_doubtful);
    // State and county come first in the lineage, and only a smaller government is drawn in yellow.
    let has_own = resolved.lineage.len() > 2;
    html! {
        "The dot is the point" @if has_own && !is_near { ", in the smallest government around it (yellow)" } ". "
        @if is_near { "The brown band is where the line may really run. " }
        @if matches!(resolved.territory, Territory::TribalLand(_)) { "Thin brown lines cover land of a nation. " }
        "Thick lines are county lines" @if !is_near { "; blue is water or land outside the United States" } "."
    }
}
