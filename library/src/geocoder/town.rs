//! The part of an address that names its town, where the address itself was not found.

use super::{compass::Compass, street_types::type_of};
use crate::vocabulary::{state_called, without_country, zip_at_end};

/// What follows the first comma, unless that is no more than the state; else what follows the street. The ZIP code and the
/// country are left out; a text that names no town is returned whole.
pub fn town_of(text: &str) -> &str {
    let text = text.trim();
    let after_comma = text.split_once(',').map(|(_, rest)| without_end(rest)).filter(|rest| !is_state(rest));
    let town = after_comma.unwrap_or_else(|| without_end(after_street(text).unwrap_or(text)));
    if town.is_empty() { text } else { town }
}

/// What follows the word that ends the name of a street: "350 S 5th St Minneapolis". The word after the number ends none: it
/// begins the name, as in "100 St Charles Ave". Of "Park Ave" the second ends it; but in "Main St St Paul" the second begins
/// the town.
fn after_street(text: &str) -> Option<&str> {
    let (mut rest, mut read) = (text, 0);
    while let Some((word, further)) = rest.split_once(' ') {
        let further = further.trim_start();
        let next = plain(further.split(' ').next().unwrap_or_default());
        let goes_on = type_of(&next).is_some() && next != "st";
        if read >= 2 && type_of(&plain(word)).is_some() && !goes_on {
            return Some(without_quarter(further));
        }
        (rest, read) = (further, read + 1);
    }
    None
}

/// "NW Washington DC" after "Pennsylvania Ave": the quarter belongs to the street. "North Adams" is a town.
fn without_quarter(text: &str) -> &str {
    match text.split_once(' ') {
        Some((quarter, town)) if quarter.len() <= 2 && Compass::parse(&plain(quarter)).is_some() => town,
        _ => text,
    }
}

/// The text before its ZIP code and its country.
fn without_end(text: &str) -> &str {
    let mut rest = text.trim();
    for _ in 0..2 {
        let words: Vec<String> = rest.split(' ').map(plain).collect();
        let left = without_country(&words).or_else(|| zip_at_end(&words).map(|(left, _)| left));
        let Some(left) = left else { break };
        let dropped = words.len() - left.len();
        rest = rest.rsplitn(dropped + 1, ' ').nth(dropped).unwrap_or_default();
        rest = rest.trim_end_matches([' ', ',']);
    }
    rest
}

fn is_state(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    state_called(&words).is_some()
}

fn plain(word: &str) -> String {
    word.trim_end_matches([',', '.']).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_town_is_found_in_an_address() {
        for (text, town) in [
            ("350 S 5th St, Minneapolis, MN 55415", "Minneapolis, MN"),
            ("350 S 5th St, Minneapolis MN 55415-1316", "Minneapolis MN"),
            ("350 S 5th St, Minneapolis, MN 55415, USA", "Minneapolis, MN"),
            ("350 S 5th St", "350 S 5th St"),
            ("350 S 5th St, MN", "MN"),
            ("350 S 5th St Minneapolis MN 55415", "Minneapolis MN"),
            ("100 St Charles Ave New Orleans", "New Orleans"),
            ("200 N Park Ave Helena MT", "Helena MT"),
            ("1 Dr Carlton B Goodlett Pl San Francisco, CA", "San Francisco, CA"),
            ("10 elm st norwalk ct", "norwalk ct"),
            ("12 Main St. St. Paul Minnesota", "St. Paul Minnesota"),
            ("1600 Pennsylvania Ave NW Washington DC", "Washington DC"),
            ("10 Church St North Adams MA", "North Adams MA"),
            ("12 Broadway New York", "12 Broadway New York"),
            ("55415", "55415"),
            ("  ,", ","),
        ] {
            assert_eq!(town_of(text), town, "{text}");
        }
    }
}
