//! Pages that explain problems, and the page of a refusal.

use maud::html;

use super::{
    front,
    layout::PageLayout,
    site::{Site, point_text},
};
use crate::{operations, wire::help_with};
use platbook::{
    answers::Refusal,
    directory::{Directory, Resolution},
    geometry::LonLat,
    vocabulary::{ProblemKind, holds_key},
};

/// Builds the list of all kinds of problems.
pub(super) fn list(site: Site<'_>) -> PageLayout {
    let body = html! {
        h1 { "Problems that the API reports" }
        p.lead { "Each error has one of these types, and a text with the value received and the value expected." }
        dl.topics {
            @for kind in ProblemKind::all() {
                dt { a href=(site.href(&format!("/problems/{}", kind.slug()))) { (kind.slug()) } }
                dd { (kind.title()) }
            }
        }
    };
    PageLayout::new(
        "Problems",
        "The problem types of the API, what each means and what to do.",
        "/problems",
        body,
    )
}

/// Builds the page that explains one kind of problem.
pub(super) fn page(site: Site<'_>, kind: ProblemKind) -> PageLayout {
    let (slug, title, help) = (kind.slug(), kind.title(), help_with(kind));
    let body = html! {
        h1 { (title) }
        p { "Problem type " code { (slug) } ", status " (operations::status_of(kind)) "." }
        h2 { "What it means" }
        p { (help.meaning) }
        h2 { "What to do" }
        p { (help.remedy) }
        h2 { "Example of its detail" }
        p { code { (help.detail) } }
    };
    let trail = vec![("Problems".to_owned(), site.href("/problems"))];
    PageLayout {
        trail,
        ..PageLayout::new(format!("{slug}: {title}"), help.meaning, format!("/problems/{slug}"), body)
    }
}

/// Builds the page of a refusal, with the point that was probably meant, and the search field for another try.
pub(super) fn refused(site: Site<'_>, refusal: &Refusal, typed: &str) -> PageLayout {
    let (heading, advice) = words(refusal.kind);
    let is_point = matches!(refusal.kind, ProblemKind::BadPoint | ProblemKind::OutsideCoverage);
    let meant = if is_point { meant_point(site.directory(), typed) } else { None };
    let body = html! {
        h1 { (heading) }
        @if let Some(point) = meant {
            p.lead { "Do you mean " a href=(site.point(point)) { (point_text(point)) } "? That is in " (whereabouts(site.directory(), point)) "." }
        }
        p { (advice) }
        @if refusal.kind == ProblemKind::BadParameter {
            p { "The exact fault: " (refusal.detail) "." }
        }
        (front::field(site, if refusal.kind == ProblemKind::NotFound || holds_key(typed) { "" } else { typed }, false))
        p { a href=(site.href("/")) { "Find it on the map" } }
    };
    PageLayout { listed: false, ..PageLayout::new(heading, advice, "", body) }
}

/// Returns the covered point that two numbers probably mean, if their order is wrong or the minus sign of the west is
/// missing.
fn meant_point(directory: &Directory, typed: &str) -> Option<LonLat> {
    let (first, second) = typed.split_once(',')?;
    let [a, b] =
        [first, second].map(|part| part.trim().parse::<f64>().ok().filter(|number| number.is_finite()));
    let (a, b) = (a?, b?);
    let points =
        [(b, a), (a, -b), (b, -a)].into_iter().filter_map(|(lat, lon)| LonLat::from_lat_lon(lat, lon).ok());
    points.into_iter().find(|point| !matches!(directory.resolve(*point), Resolution::Outside))
}

fn whereabouts(directory: &Directory, point: LonLat) -> String {
    match directory.resolve(point) {
        Resolution::Inside(chain) => super::words::chain(directory, &chain.rows().collect::<Vec<_>>()),
        Resolution::Outside => String::new(),
    }
}

/// Returns a heading and advice on a problem, for a person.
fn words(kind: ProblemKind) -> (&'static str, &'static str) {
    match kind {
        ProblemKind::OutsideCoverage => (
            "This point is outside the United States",
            "States, the District of Columbia and five territories are covered, up to the shore. Check the coordinates, or type a place.",
        ),
        ProblemKind::BadPoint => (
            "This is not a point",
            "Coordinates are two numbers, latitude then longitude, such as 44.9773, -93.2655.",
        ),
        ProblemKind::UnknownJurisdiction => (
            "No place has this address",
            "The id is not known, or is of an older list. Type the name of the place.",
        ),
        ProblemKind::UnknownTopic => ("No such topic", "The list of topics has them all."),
        ProblemKind::UnknownState => {
            ("No such state", "Use the two letters of a state or territory, such as VT.")
        }
        ProblemKind::BadCursor => {
            ("This part of the list is gone", "The list has changed since. Begin again at its first page.")
        }
        ProblemKind::RateLimited | ProblemKind::LookupLimit => {
            ("Too many look-ups for now", "Wait a little, then ask again. A click on the map always works.")
        }
        ProblemKind::UpstreamUnavailable | ProblemKind::Busy => {
            ("The look-up did not answer", "Ask again in a minute, or find the place on the map.")
        }
        ProblemKind::NotFound => {
            ("There is no page here", "The link may be old. Type a place, or begin at the front page.")
        }
        ProblemKind::BadParameter => (
            "This link is not whole",
            "A part of the address in the browser is missing or wrong. Type a place, or find it on the map.",
        ),
        ProblemKind::AddressNotFound => {
            ("This address is not known", "Check its number, street and ZIP code, or find it on the map.")
        }
        ProblemKind::PlaceNotFound => {
            ("No place has this name", "Check its spelling, add the state, or find it on the map.")
        }
        ProblemKind::Ambiguous => ("Several places have this name", "Add the state or the county to it."),
        ProblemKind::InvalidKey => ("This key is not valid", "Pages need no key: ask without one."),
        ProblemKind::MethodNotAllowed => {
            ("Pages can only be read", "Open this address in a browser, or begin at the front page.")
        }
        ProblemKind::InternalError => {
            ("A fault of this site", "Your input is not the cause. Ask again later, or type another place.")
        }
    }
}
