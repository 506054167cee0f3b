//! The page that lists the states and territories.

use maud::html;

use super::{layout::PageLayout, map, site::Site};
use platbook::vocabulary::StateCode;

/// Builds the list of all states and territories.
pub(super) fn states(site: Site<'_>) -> PageLayout {
    let mut states: Vec<StateCode> = StateCode::all().collect();
    states.sort_by_key(|state| state.name());
    let body = html! {
        h1 { "States and territories" }
        p.lead { "The office that handles property differs from state to state: the county's in one, the town's in the next. Choose yours." }
        ul.columns { @for state in &states { li { a href=(site.state(*state)) { (state.name()) } } } }
        figure { (map::nation(site)) }
    };
    let description = "Which level of government handles property value, tax, deeds, zoning and permits in each state and territory.";
    PageLayout::new("States and territories", description, "/states", body)
}
