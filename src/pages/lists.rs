//! Lists of places: the states, the places within a county or a town, and all places of a state, by county or by
//! first letter.

use maud::{Markup, html};

use super::{
    layout::PageLayout,
    map,
    site::{Site, state_path},
    words::{WORDS, capital, count, full_name, titled},
};
use platbook::{
    directory::Row,
    vocabulary::{JurisdictionType, Layer, StateCode},
    words::Words as _,
};

/// Maximum number of entries in a list that is not folded: about half a screen of a phone, in two columns.
const OPEN_MAX: usize = 20;

/// Maximum number of counties that the page of a state lists unfolded. Chosen, not measured: only 8 states have more.
const COUNTIES_OPEN_MAX: usize = 100;

/// Maximum number of towns and cities that the page of a state lists below their counties. Of the states in which
/// towns do the jobs, Maine has the most, about 530. With these towns, its page is 22 kB over the wire.
const BY_COUNTY_MAX: usize = 600;

/// Number of the largest places that are offered before the letters; chosen, not measured.
const LARGEST: usize = 12;

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

/// Lists the places in a county or a town.
pub(super) fn inside(site: Site<'_>, row: Row) -> Markup {
    let directory = site.directory();
    let is_county = directory.jurisdiction(row).kind == JurisdictionType::Layer(Layer::County);
    let towns = if is_county { directory.subdivisions_in(row) } else { Vec::new() };
    let is_shown = |place: &Row| !towns.iter().chain([&row]).any(|town| directory.is_same(*town, *place));
    let places: Vec<Row> = directory.places_in(row).filter(is_shown).collect();
    let towns_id = if places.is_empty() { "inside" } else { "towns" };
    html! {
        (members(site, towns_id, "Cities, towns and townships", towns, OPEN_MAX))
        (members(site, "inside", "Cities, villages and other places", places, OPEN_MAX))
    }
}

/// Lists the counties, the places and the districts of a state.
pub(super) fn of_state(site: Site<'_>, state: StateCode) -> Markup {
    let directory = site.directory();
    let counties = directory.counties_in(state);
    let many = titled(WORDS.counties(state).1).replace(" And ", " and ").replace(" Or ", " or ");
    let towns = of_layer(site, state, Layer::Cousub);
    let all = all_places(site, state);
    let districts = directory.districts_in(state).collect();
    html! {
        @if !towns.is_empty() && all.len() <= BY_COUNTY_MAX {
            (by_county(site, &counties))
        } @else {
            (members(site, "counties", &many, counties, COUNTIES_OPEN_MAX))
            (finder(site, state, &all))
        }
        (members(site, "districts", "Districts that do a job for several governments", districts, 0))
    }
}

fn of_layer(site: Site<'_>, state: StateCode, layer: Layer) -> Vec<Row> {
    let directory = site.directory();
    directory.rows_of(layer).filter(|row| directory.state_of(*row) == Some(state)).collect()
}

/// Returns the towns and the other places of a state by name, each government once.
fn all_places(site: Site<'_>, state: StateCode) -> Vec<Row> {
    let directory = site.directory();
    let towns = of_layer(site, state, Layer::Cousub);
    let is_town =
        |place: &Row| directory.same_as(*place).any(|same| directory.layer(same) == Some(Layer::Cousub));
    let places = of_layer(site, state, Layer::Place).into_iter().filter(|place| !is_town(place));
    let mut all: Vec<Row> = towns.iter().copied().chain(places).collect();
    all.sort_by_cached_key(|row| folded(directory.name_of(*row)));
    all
}

/// Lists each county with its towns and cities, folded.
fn by_county(site: Site<'_>, counties: &[Row]) -> Markup {
    let directory = site.directory();
    html! {
        section #counties {
            h2 { "Towns and cities, by county" }
            div.columns { @for county in counties {
                @let towns = directory.subdivisions_in(*county);
                @let places = directory.places_in(*county).filter(|place| !towns.iter().any(|town| directory.is_same(*town, *place)));
                @let all: Vec<Row> = towns.iter().copied().chain(places).collect();
                details {
                    summary { (directory.name_of(*county).trim_end_matches(" County")) " (" (all.len()) ")" }
                    p { a href=(site.place(*county)) { (full_name(&directory.jurisdiction(*county))) } " itself" }
                    (columns(site, all))
                }
            } }
        }
    }
}

/// Offers ways to find a place of a state by name: a field, letters, and the largest places.
fn finder(site: Site<'_>, state: StateCode, all: &[Row]) -> Markup {
    let directory = site.directory();
    if all.len() <= OPEN_MAX {
        return members(site, "places", "Cities, towns and other places", all.to_vec(), OPEN_MAX);
    }
    let mut largest = all.to_vec();
    largest.sort_by_key(|row| std::cmp::Reverse(directory.population_of(*row)));
    largest.truncate(LARGEST);
    html! {
        section #places {
            h2 { (count(all.len(), "city, town or village", "cities, towns and villages")) }
            (named_field(site, state, ""))
            (letters(site, state, all))
            h3 { "The largest" }
            (columns(site, largest))
        }
    }
}

fn named_field(site: Site<'_>, state: StateCode, typed: &str) -> Markup {
    html! {
        form.switch action=(site.state(state)) method="get" {
            label for="named" { "Places of " (state.name()) " with this in their name" }
            div.row {
                input #named name="q" type="text" value=(typed) maxlength="60" autocomplete="off" spellcheck="false";
                button type="submit" { "Show" }
            }
        }
    }
}

/// Links the letters with which the names of places begin.
fn letters(site: Site<'_>, state: StateCode, all: &[Row]) -> Markup {
    let first = |row: &Row| folded(site.directory().name_of(*row)).chars().next();
    let mut letters: Vec<char> = all.iter().filter_map(first).filter(char::is_ascii_alphabetic).collect();
    letters.dedup();
    html! {
        nav aria-label="By first letter" {
            ul.plain.letters { @for letter in letters {
                li { a href=(format!("{}?q={letter}", site.state(state))) { (letter.to_uppercase()) } }
            } }
        }
    }
}

/// Builds the page of the places of a state whose names contain a text, or begin with a letter.
pub(super) fn named(site: Site<'_>, state: StateCode, text: &str) -> PageLayout {
    let directory = site.directory();
    let all = all_places(site, state);
    let wanted = folded(text.trim());
    let is_letter = wanted.chars().count() < 2;
    let fits = |row: &&Row| {
        let name = folded(directory.name_of(**row));
        if is_letter { name.starts_with(&wanted) } else { name.contains(&wanted) }
    };
    let found: Vec<Row> = all.iter().filter(fits).copied().collect();
    let name = state.name();
    let heading = if is_letter {
        format!("Places of {name} that begin with {}", wanted.to_uppercase())
    } else {
        format!("Places of {name} with “{}” in their name", text.trim())
    };
    let body = html! {
        h1 { (heading) }
        (letters(site, state, &all))
        @if found.is_empty() { p { "No city, town or village of " (name) " has this in its name." } }
        ul.columns.wide { @for row in &found {
            li { a href=(site.place(*row)) { (full_name(&directory.jurisdiction(*row))) } " " span.where { (county_of(site, *row)) } }
        } }
        (named_field(site, state, text))
    };
    let trail = vec![("States".to_owned(), site.href("/states")), (name.to_owned(), site.state(state))];
    let path = format!("{}?q={}", state_path(state), super::site::in_query(text));
    PageLayout {
        trail,
        listed: false,
        ..PageLayout::new(heading, "Cities, towns and villages by name.", path, body)
    }
}

fn county_of(site: Site<'_>, row: Row) -> &str {
    let directory = site.directory();
    let county = directory.county_around(row).filter(|county| !directory.is_same(*county, row));
    county.map_or("", |county| directory.name_of(county))
}

/// Lists jurisdictions by name below a heading. The list is folded if it has more than `open_max` entries.
fn members(site: Site<'_>, id: &str, heading: &str, rows: Vec<Row>, open_max: usize) -> Markup {
    let number = rows.len();
    html! {
        @if number > open_max {
            details { summary { (capital(heading)) ": " (number) } div id=(id) { (columns(site, rows)) } }
        } @else if number > 0 {
            section id=(id) { h2 { (heading) } (columns(site, rows)) }
        }
    }
}

/// Lists jurisdictions in columns by their short names, or by their full names if several share a short name.
fn columns(site: Site<'_>, mut rows: Vec<Row>) -> Markup {
    let directory = site.directory();
    rows.sort_by_cached_key(|row| folded(directory.name_of(*row)));
    let is_shared = |at: usize| {
        let name = |at: usize| rows.get(at).map(|row| directory.name_of(*row));
        name(at) == name(at + 1) || at.checked_sub(1).is_some_and(|before| name(before) == name(at))
    };
    html! {
        ul.columns { @for (at, row) in rows.iter().enumerate() {
            li { a href=(site.place(*row)) {
                @if is_shared(at) { (full_name(&directory.jurisdiction(*row))) } @else { (directory.name_of(*row)) }
            } }
        } }
    }
}

/// Returns a name for comparison: in lower case, without the accents in Spanish and French names.
fn folded(name: &str) -> String {
    let plain = |letter: char| match letter {
        'á' | 'à' | 'â' => 'a',
        'é' | 'è' | 'ê' => 'e',
        'í' => 'i',
        'ó' | 'ô' => 'o',
        'ú' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        letter => letter,
    };
    name.chars().flat_map(char::to_lowercase).map(plain).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_compared_without_accents() {
        for (name, folded) in [("Añasco", "anasco"), ("La Cañada", "la canada"), ("STOWE", "stowe")] {
            assert_eq!(super::folded(name), folded);
        }
    }
}
