//! The front page: one search field, one button, one map.

use maud::{Markup, html};

use super::{
    layout::PageLayout,
    linked, map, nearby,
    site::Site,
    tasks,
    words::{short_place, topic_name},
};
use platbook::{
    answers::TEXT_CHARS_MAX,
    vocabulary::{Function, JurisdictionId, Topic},
};

/// The city in the example, Minneapolis: its answer has a page to act on, a telephone number and dates.
const EXAMPLE: &str = "place:2743000";

/// Topics that people need most, below the map; chosen, not measured.
const TOPICS: [Topic; 6] = [
    Topic::ParcelMap,
    Topic::PropertyTaxPayment,
    Topic::RecorderDeeds,
    Topic::Zoning,
    Topic::BuildingPermits,
    Topic::Floodplain,
];

/// Builds the front page.
pub(super) fn page(site: Site<'_>) -> PageLayout {
    let body = html! {
        div.split.even {
            div {
                h1 { "Who do I call about my property?" }
                p.lead {
                    "Find the offices that handle property tax, deeds, zoning, permits and maps for a piece of land in the \
                     United States, with the reasons."
                }
                (field(site, "", true))
                (example(site))
            }
            figure {
                (map::nation(site))
                figcaption {
                    "Or find it on the map: choose a state, then a county, then a town. Blue is water or land outside the United States. "
                    a href=(site.href("/states")) { "All states as a list" }
                }
            }
        }
        section {
            h2 { "Guides in plain words" }
            ul.columns {
                @for topic in TOPICS { li { a href=(site.guide(topic, None)) { (topic_name(topic)) } } }
            }
        }
    };
    let description = "Which office handles property tax, deeds, zoning, permits and maps for a piece of land in the \
                       United States: the name, the reason, the link.";
    PageLayout {
        linked: vec![linked::service(site)],
        ..PageLayout::new("platbook: who do I call about my property?", description, "/", body)
    }
}

/// Shows a part of a real answer. Shows nothing if the snapshot does not have the city.
fn example(site: Site<'_>) -> Markup {
    let row = EXAMPLE.parse::<JurisdictionId>().ok().and_then(|id| site.directory().found(&id));
    html! {
        @if let Some((row, assignments)) = row.and_then(|row| Some((row, nearby::assignments_of(site, row)?))) {
            section {
                h2 { "An answer looks like this: " a href=(site.place(row)) { (short_place(site.directory(), row)) } }
                (tasks::list(site, &assignments, &[row], &[Function::TaxCollection, Function::Permits], &site.place(row)))
            }
        }
    }
}

/// Shows the search field with the text typed before. On the front page, it has examples; on other pages, it is
/// smaller.
pub(super) fn field(site: Site<'_>, typed: &str, is_large: bool) -> Markup {
    let (label, hint) = match (is_large, site.takes_addresses()) {
        (true, true) => (
            "Town, county, ZIP code, address or coordinates",
            "44.9773, -93.2655; or 350 S 5th St, Minneapolis MN",
        ),
        (true, false) => (
            "Town, county, ZIP code or coordinates",
            "or 44.9773, -93.2655. For an address, type its town, then click the town’s map.",
        ),
        (false, true) => ("Look up another place or address", ""),
        (false, false) => ("Look up another place", ""),
    };
    html! {
        form.ask.large[is_large] action=(site.href("/")) method="get" role="search" {
            label for="q" { (label) }
            @if is_large { p.hint #q-hint { "For example: Stowe, Vermont; Bucks County PA; 33012; " (hint) } }
            div.row {
                input #q name="q" type="text" value=(typed) maxlength=(TEXT_CHARS_MAX) autocomplete="off" autocapitalize="words"
                    spellcheck="false" enterkeyhint="search" aria-describedby=[is_large.then_some("q-hint")] data-suggest=(site.href("/suggest"));
                button type="submit" { "Look it up" }
            }
            button.quiet type="button" hidden data-locate=(site.href("/at/")) { "Use my location" }
            p.live role="status" data-status {}
        }
    }
}
