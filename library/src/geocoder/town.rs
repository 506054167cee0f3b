//! Finds the part of an address that names its town, if the address itself could not be found.

use super::{compass::Compass, street_types::type_of};
use crate::vocabulary::{state_called, without_country, zip_at_end};

/// The text after the first comma, or after the street if only the state follows the comma. ZIP code and country are
/// removed. A text that names no town is returned unchanged.
pub fn town_of(text: &str) -> &str {
    let text = text.trim();
    let after_comma = text.split_once(',').map(|(_, rest)| without_end(rest)).filter(|rest| !is_state(rest));
    let town = after_comma.unwrap_or_else(|| without_end(after_street(text).unwrap_or(text)));
    if town.is_empty() { text } else { town }
}

/// The text after the word that ends the street's name, as in "350 S 5th St Minneapolis". `None` if no word ends it.
///
/// The word after the number begins the name and cannot end it: "100 St Charles Ave". The second of two types in a
/// row ends the name: "Park Ave". In "Main St St Paul", however, the second type begins the town.
fn after_street(text: &str) -> Option<&str> {
    let (mut rest, mut read) = (text, 0);
    while let Some((word, further)) = rest.split_once(' ') {
        let further = further.trim_start();
        let next = folded_word(further.split(' ').next().unwrap_or_default());
        let goes_on = type_of(&next).is_some() && next != "st";
        if read >= 2 && type_of(&folded_word(word)).is_some() && !goes_on {
            return Some(without_quadrant(further));
        }
        (rest, read) = (further, read + 1);
    }
    None
}

/// Removes the quadrant that belongs to the street, as in "NW Washington DC" after "Pennsylvania Ave". "North Adams"
/// is a town and stays.
fn without_quadrant(text: &str) -> &str {
    match text.split_once(' ') {
        Some((quadrant, town)) if quadrant.len() <= 2 && Compass::parse(&folded_word(quadrant)).is_some() => {
            town
        }
        _ => text,
    }
}

/// The text without the ZIP code and country at its end.
fn without_end(text: &str) -> &str {
    let mut rest = text.trim();
    for _ in 0..2 {
        let words: Vec<String> = rest.split(' ').map(folded_word).collect();
        let left = without_country(&words).or_else(|| zip_at_end(&words).map(|(left, _)| left));
        let Some(left) = left else { break };
        let dropped = words.len() - left.len();
        rest = rest.rsplitn(dropped + 1, ' ').nth(dropped).unwrap_or_default();
        rest = rest.trim_end_matches([' ', ',']);
    }
    rest
}

fn is_state(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(folded_word).collect();
    state_called(&words).is_some()
}

fn folded_word(word: &str) -> String {
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
