//! Reads texts that are given as an address or as a name: ZIP codes, coordinates, and names with their state.

use super::{Coordinates, coordinates};
use crate::{
    directory::state_in_name,
    geocoder::{NotAnAddress, parse},
    vocabulary::{StateCode, zip_code},
};

/// Words that people write before a ZIP code.
const ZIP_WORDS: [&str; 3] = ["zip code", "zipcode", "zip"];

/// A text that names a place without a street address.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// Coordinates in any writing.
    Point(Coordinates),
    /// A ZIP code, 5 digits.
    Zip(u32),
    /// A state, by its name or its code.
    State {
        /// The state that the text names.
        state: StateCode,
        /// Whether the text can mean only the state, as "VT" and "State of Utah" do. A name such as "New York" may also
        /// be that of a county or city.
        is_code: bool,
    },
    /// The name of a place with its state, and perhaps a ZIP code.
    Place {
        /// The whole text; the search also reads the state at its end.
        text: String,
        /// The state at the end of the text.
        state: StateCode,
        /// The ZIP code at the end of the text.
        zip: Option<u32>,
    },
}

impl Named {
    /// Reads the name of a place; `None` if the text names no state and is not a ZIP code.
    pub fn in_name(text: &str) -> Option<Named> {
        let text = text.trim();
        if let Some(zip) = zip_alone(text) {
            return Some(Named::Zip(zip));
        }
        if let Some(state) = after_ignoring_case(text, "state of ").and_then(whole_state) {
            return Some(Named::State { state, is_code: true });
        }
        let (state, is_whole) = state_in_name(text)?;
        if is_whole {
            return Some(Named::State { state, is_code: text.eq_ignore_ascii_case(state.usps()) });
        }
        Some(Named::Place { text: text.to_owned(), state, zip: zip_at_end(text) })
    }

    /// Reads a text that was given as an address; `None` for street addresses and for all texts that only a geocoder
    /// can judge.
    pub fn in_address(text: &str) -> Option<Named> {
        if let Some(point) = coordinates::read(text) {
            return Some(Named::Point(point));
        }
        let named = Named::in_name(text)?;
        let is_address = matches!(named, Named::Place { .. }) && parse(text) != Err(NotAnAddress::NoNumber);
        if is_address { None } else { Some(named) }
    }
}

/// Returns the ZIP code of a text that has only a ZIP code, perhaps with its state: "MN 55404", "ZIP 55404".
fn zip_alone(text: &str) -> Option<u32> {
    let named = ZIP_WORDS.iter().find_map(|word| after_ignoring_case(text, word)).unwrap_or(text);
    let (before, last) = named.rsplit_once([' ', ',']).unwrap_or(("", named));
    let before = before.trim_matches([' ', ',', ':']);
    let is_alone = before.is_empty() || whole_state(before).is_some();
    zip_code(last.trim()).filter(|_| is_alone)
}

fn zip_at_end(text: &str) -> Option<u32> {
    zip_code(text.rsplit([' ', ',']).next()?)
}

fn whole_state(text: &str) -> Option<StateCode> {
    state_in_name(text).filter(|(_, is_whole)| *is_whole).map(|(state, _)| state)
}

/// Returns the text after an ASCII beginning in upper or lower case; `None` if the text begins otherwise.
fn after_ignoring_case<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(beginning.len())?;
    start.eq_ignore_ascii_case(beginning).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(named: Option<Named>) -> String {
        match named {
            None => "-".to_owned(),
            Some(Named::Point(point)) => format!("{} {}", point.lat, point.lon),
            Some(Named::Zip(zip)) => format!("zip {zip:05}"),
            Some(Named::State { state, is_code }) => format!("{state}{}", if is_code { "" } else { "?" }),
            Some(Named::Place { text, state, zip }) => {
                let zip = zip.map_or(String::new(), |zip| format!(" {zip:05}"));
                format!("{text} in {state}{zip}")
            }
        }
    }

    #[test]
    fn names_and_addresses_are_read_alike() {
        for (text, in_name, in_address) in [
            ("55404", "zip 55404", "zip 55404"),
            (" 55404-1234 ", "zip 55404", "zip 55404"),
            ("MN 55404", "zip 55404", "zip 55404"),
            ("Minnesota, 55404", "zip 55404", "zip 55404"),
            ("ZIP code 02134", "zip 02134", "zip 02134"),
            ("zip: 02134", "zip 02134", "zip 02134"),
            ("Zip 2134", "-", "-"),
            (
                "Minneapolis, MN 55404",
                "Minneapolis, MN 55404 in MN 55404",
                "Minneapolis, MN 55404 in MN 55404",
            ),
            ("Travis County, TX", "Travis County, TX in TX", "Travis County, TX in TX"),
            ("Austin TX", "Austin TX in TX", "Austin TX in TX"),
            ("Texas", "TX?", "TX?"),
            ("VT", "VT", "VT"),
            ("vt", "VT", "VT"),
            ("State of Utah", "UT", "UT"),
            ("Austin", "-", "-"),
            ("Lake Washington", "-", "-"),
            ("44.97, -93.26", "-", "44.97 -93.26"),
            // The geocoder judges these.
            ("350 S 5th St, Minneapolis, MN", "350 S 5th St, Minneapolis, MN in MN", "-"),
            ("350 S 5th St, Minneapolis, MN 55415", "350 S 5th St, Minneapolis, MN 55415 in MN 55415", "-"),
            ("PO Box 5, Austin, TX", "PO Box 5, Austin, TX in TX", "-"),
            ("5th St & Main St, Austin, TX", "5th St & Main St, Austin, TX in TX", "-"),
            ("é", "-", "-"),
            ("", "-", "-"),
        ] {
            assert_eq!(shown(Named::in_name(text)), in_name, "{text:?}");
            assert_eq!(shown(Named::in_address(text)), in_address, "{text:?} as an address");
        }
    }
}
