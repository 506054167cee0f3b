//! Finds what a sentence says beside the name of a place: land outside a city, an address, a kind of exemption.

use crate::{
    geocoder::StreetName,
    vocabulary::{DatedKind, Folded, Layer},
};

/// Words for land outside a city: "just outside Bozeman".
const OUTSIDE: [&str; 2] = ["outside", "unincorporated"];
/// The word for land outside cities and towns: "unorganized territory near Greenville".
const UNORGANIZED: &str = "unorganized";
/// Words for those whom an exemption is for, with its kind. The first kind counts: a disabled veteran asks about veterans.
const RELIEF_WORDS: [(DatedKind, &[&str]); 4] = [
    (DatedKind::ExemptionVeteran, &["veteran", "veterans", "veterano", "veteranos"]),
    (
        DatedKind::ExemptionFarm,
        &["ag", "agricultural", "farm", "farmer", "farmland", "greenbelt", "ranch", "timber", "williamson"],
    ),
    (DatedKind::ExemptionSenior, &["65", "elderly", "older", "senior", "seniors"]),
    (DatedKind::ExemptionDisability, &["blind", "disabled", "disability"]),
];
/// Most words of a street's name with its type, such as "St". Chosen, not measured.
const STREET_WORDS_MAX: usize = 4;
/// Most digits of a house number.
const DIGITS_MAX: usize = 6;

/// The layer of the government outside of which a text speaks of land: a city, or a town and any city. `None` if it does
/// not.
pub(in crate::answers) fn outside_of(text: &str) -> Option<Layer> {
    let text = Folded::of(text);
    let has = |wanted: &str| text.words().any(|word| word == wanted);
    let of_city = || OUTSIDE.iter().any(|word| has(word)).then_some(Layer::Place);
    if has(UNORGANIZED) { Some(Layer::Cousub) } else { of_city() }
}

/// The kind of relief that a text asks about; `None` where it names none.
pub(super) fn relief_in(text: &str) -> Option<DatedKind> {
    let text = Folded::of(text);
    let names = |words: &[&str]| text.words().any(|word| words.contains(&word));
    RELIEF_WORDS.iter().find(|(_, words)| names(words)).map(|(kind, _)| *kind)
}

/// Whether a text has a house number before the capitalized name of a street.
pub(in crate::answers) fn has_address(text: &str) -> bool {
    let is_mark = |letter: char| [',', ';', ':', '?', '!', '(', ')', '"'].contains(&letter);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| {
        (1..=DIGITS_MAX).contains(&word.len()) && word.bytes().all(|letter| letter.is_ascii_digit())
    };
    let is_street = |at: usize| {
        let rest = &words[at + 1..];
        // A mark ends the name of a street: "in 2025, Main Street".
        let count = rest.iter().position(|word| word.ends_with(is_mark)).map_or(rest.len(), |last| last + 1);
        (2..=count.min(STREET_WORDS_MAX)).any(|count| {
            let name = rest[..count].join(" ");
            let has_type = || {
                StreetName::read(name.trim_end_matches(is_mark)).is_some_and(|street| street.kind.is_some())
            };
            name.starts_with(char::is_uppercase) && has_type()
        })
    };
    words.iter().enumerate().any(|(at, word)| is_number(word) && is_street(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_relief_is_read() {
        for (text, expected) in [
            ("100 percent disabled veteran in Ohio", Some(DatedKind::ExemptionVeteran)),
            ("ag exemption 78624", Some(DatedKind::ExemptionFarm)),
            ("over 65 freeze, Harris County", Some(DatedKind::ExemptionSenior)),
            ("blind owner in Ohio", Some(DatedKind::ExemptionDisability)),
            ("homestead exemption Pensacola", None),
        ] {
            assert_eq!(relief_in(text), expected, "{text}");
        }
    }

    #[test]
    fn land_outside_a_city_and_addresses_are_noticed() {
        for (text, expected) in [
            ("building permit just outside Bozeman, Montana", (Some(Layer::Place), false)),
            ("unorganized territory near Greenville, Maine", (Some(Layer::Cousub), false)),
            ("I own a house at 1400 S Main St, Moab, Utah. who is the recorder", (None, true)),
            ("reassessment at 1600 Euclid St NW Washington DC", (None, true)),
            ("100 percent disabled veteran in Mountain Home, Arkansas", (None, false)),
            ("4 acres on Miller Road near Boone NC", (None, false)),
            ("taxes for 2025, Main Street, Utah", (None, false)),
            ("recorder Moab Utah", (None, false)),
            ("", (None, false)),
        ] {
            assert_eq!((outside_of(text), has_address(text)), expected, "{text}");
        }
    }
}
