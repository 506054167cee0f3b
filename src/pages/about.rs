//! The page about the service: what it answers, and its limits.

use maud::html;

use super::{layout::PageLayout, site::Site};

/// Builds the page about the service.
pub(super) fn page(site: Site<'_>) -> PageLayout {
    let body = html! {
        h1 { "About platbook" }
        p.lead { "A plat book is a county’s book of land maps. platbook is one for offices: it says which governments cover a piece of US land, \
                  and which office does each property job there." }
        h2 { "How an answer is made" }
        p { "Published boundaries say which state, county, town and city a point lies in. Rules that are kept by hand, one file for each \
             state, say who does each job there and which law says so. Lists of government websites give the links." }
        p { "If an office is not known, the answer says so. A wrong office is worse than none." }
        h2 { "What it is not" }
        ul {
            li { "It is a guide, not an authority. The office that is named has the final say." }
            li { "It is not a survey. Near a line, the answer says how far off the line may be." }
            li { "It is not a flood, wetland or soil determination. The named offices make those." }
            li { "It knows no people: no owners, no officials by name." }
            li { "No office pays to be listed or to come first." }
        }
        h2 { "What it stores about you" }
        p { "Nothing. There are no cookies, no accounts and no visitor counts, and a page loads nothing from anyone else. An address \
             that you type is sent to a geocoder if this server has one, and to nobody else." }
        h2 { "API" }
        p { "Every answer is also there as JSON: " a href=(site.href("/docs")) { "the API" } ". " a href=(site.href("/data")) { "Sources and freshness" } " says what the answers are made from." }
    };
    PageLayout::new(
        "About",
        "About platbook: how an answer is made, what it is not, and what it stores about you: nothing.",
        "/about",
        body,
    )
}
