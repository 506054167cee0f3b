//! Finds whether a text is about land outside a city: "farm near Decorah", "zoning just outside Bozeman".

use crate::vocabulary::{Folded, Layer, has_phrase};

/// Phrases for land outside a city, wherever they stand in a text.
const OUTSIDE: [&str; 10] = [
    "in the country",
    "outside city",
    "outside of city",
    "outside of the city",
    "outside of town",
    "outside the city",
    "outside the town",
    "outside town",
    "rural",
    "unincorporated",
];
/// The word for land outside cities and towns: "unorganized territory near Greenville".
const UNORGANIZED: &str = "unorganized";
/// Words before "near" that make it a wish for an office close by: "permit office near Decorah".
const OFFICES: [&str; 21] = [
    "agency",
    "appraiser",
    "assessor",
    "auditor",
    "center",
    "clerk",
    "collector",
    "courthouse",
    "department",
    "dept",
    "hall",
    "inspector",
    "location",
    "notary",
    "oficina",
    "office",
    "offices",
    "officer",
    "recorder",
    "someone",
    "treasurer",
];
/// Words behind "near" that are no place: "zoning office near me".
const NO_PLACES: [&str; 8] = ["by", "downtown", "here", "me", "my", "our", "this", "us"];
const DIRECTIONS: [&str; 4] = ["east", "north", "south", "west"];
const DISTANCES: [&str; 4] = ["mi", "mile", "miles", "minutes"];

/// The layer of the government that the land in a text lies outside of: [`Layer::Place`] for a city,
/// [`Layer::Cousub`] for a town and any city. `None` for other texts. `city` is the name of the city that was found.
pub(in crate::answers) fn outside_of(text: &Folded, city: &Folded) -> Option<Layer> {
    let names = |phrase: &str| has_phrase(text.as_str(), phrase) && !has_phrase(city.as_str(), phrase);
    if names(UNORGANIZED) {
        return Some(Layer::Cousub);
    }
    let words: Vec<&str> = text.words().collect();
    let name: Vec<&str> = city.words().collect();
    let at_name: Vec<usize> =
        (1..words.len()).filter(|at| !name.is_empty() && words[*at..].starts_with(&name)).collect();
    // The text may have another name of the city, or misspell it.
    let is_beside = match at_name.is_empty() {
        true => (1..words.len()).any(|at| !NO_PLACES.contains(&words[at]) && leads_outside(&words[..at])),
        false => at_name.iter().any(|at| leads_outside(&words[..*at])),
    };
    (is_beside || OUTSIDE.iter().any(|phrase| names(phrase))).then_some(Layer::Place)
}

/// Whether the words before the name of a city say that land outside it is meant.
fn leads_outside(before: &[&str]) -> bool {
    let before = match before {
        [before @ .., "the", "city" | "town" | "village", "of"] => before,
        [before @ .., "city" | "town" | "village", "of"] | [before @ .., "the"] => before,
        before => before,
    };
    match before {
        [.., "outside"] | [.., "outside", "of"] | [.., "fuera", "de"] => true,
        [.., far, "from"] => DISTANCES.contains(far),
        [.., far, direction, "of"] => DISTANCES.contains(far) && DIRECTIONS.contains(direction),
        [rest @ .., "near"] | [rest @ .., "close", "to"] | [rest @ .., "cerca", "de"] => {
            rest.last().is_none_or(|word| !OFFICES.contains(word))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn land_outside_a_city_is_noticed() {
        for (text, city, expected) in [
            ("building permit just outside Bozeman, Montana", "Bozeman", Some(Layer::Place)),
            ("acreage outside of the City of Bend", "Bend", Some(Layer::Place)),
            ("who zones a township near Minot", "Minot", Some(Layer::Place)),
            ("Farmer near Decorah Iowa, zoning", "Decorah", Some(Layer::Place)),
            ("zoning near Boise", "Boise City", Some(Layer::Place)),
            ("zoning 5 miles north of Bend", "Bend", Some(Layer::Place)),
            ("rural house, Decorah", "Decorah", Some(Layer::Place)),
            ("unorganized territory near Greenville, Maine", "Greenville", Some(Layer::Cousub)),
            ("zonificación cerca de Bend", "Bend", Some(Layer::Place)),
            ("permit office near Decorah", "Decorah", None),
            ("zoning office near me, Decorah", "Decorah", None),
            ("a house in Bend near Sunriver", "Bend", None),
            ("a deck outside my house in Bend", "Bend", None),
            ("Rural Hall zoning", "Rural Hall", None),
            ("near", "", None),
            ("", "", None),
        ] {
            assert_eq!(outside_of(&Folded::of(text), &Folded::of(city)), expected, "{text}");
        }
    }
}
