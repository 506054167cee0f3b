//! Finds what a sentence says beside the name of a place: an address, a ZIP code, or a kind of exemption. Also finds a
//! subject that no topic covers, and the wish for a telephone number or for opening hours.

use crate::{
    geocoder::StreetName,
    vocabulary::{DatedKind, Folded, has_phrase, zip_code},
};

/// Words for the people or land that an exemption is for, with the kind of exemption.
const RELIEF_WORDS: [(DatedKind, &[&str]); 4] = [
    (DatedKind::ExemptionVeteran, &["veteran", "veterans", "veterano", "veteranos"]),
    (
        DatedKind::ExemptionFarm,
        &[
            "ag",
            "agricultural",
            "cauv",
            "conservation use",
            "current use",
            "cuva",
            "farm",
            "farmer",
            "farmland",
            "greenbelt",
            "present use",
            "ranch",
            "timber",
            "williamson",
        ],
    ),
    (DatedKind::ExemptionSenior, &["65", "elderly", "older", "senior", "seniors"]),
    (DatedKind::ExemptionDisability, &["blind", "disabled", "disability"]),
];
/// Words that ask for a telephone number.
const TELEPHONE_WORDS: [&str; 6] = ["call", "phone", "tel", "telefono", "telephone", "telefonico"];
/// Phrases that ask for opening hours.
const HOURS: [&str; 8] = [
    "business hours",
    "horario",
    "horarios",
    "hours",
    "open on saturday",
    "open on saturdays",
    "open today",
    "what time",
];
/// Words that begin a question, and no street.
const QUESTIONS: [&str; 6] = ["how", "what", "when", "where", "which", "who"];
/// Words before a number that is not of a house: "Prop 19 Grass Valley" is not about Grass Valley street.
const NUMBERED: [&str; 9] =
    ["act", "article", "chapter", "class", "form", "measure", "prop", "proposition", "section"];
/// Words before the year that a text asks about: "who issued permits in Kokomo in 2019", "in June 2019".
const BEFORE_YEARS: [&str; 16] = [
    "april",
    "august",
    "december",
    "during",
    "en",
    "february",
    "in",
    "january",
    "july",
    "june",
    "march",
    "may",
    "november",
    "october",
    "september",
    "year",
];
/// Phrases for subjects that no topic covers, folded.
const UNCOVERED: [(Uncovered, &[&str]); 6] = [
    (
        Uncovered::RentalLicense,
        &[
            "airbnb",
            "landlord license",
            "rental inspection",
            "rental license",
            "rental permit",
            "rental registration",
            "short term rental",
            "short term rentals",
            "vacation rental",
        ],
    ),
    (Uncovered::BusinessLicense, &["business license", "contractor license", "liquor license"]),
    (
        Uncovered::Vehicle,
        &[
            "boat",
            "car",
            "car tax",
            "driver license",
            "drivers license",
            "license plate",
            "tags",
            "truck",
            "vehicle",
            "vehicles",
        ],
    ),
    (
        Uncovered::VitalRecord,
        &[
            "birth certificate",
            "death certificate",
            "divorce records",
            "marriage license",
            "marriage records",
        ],
    ),
    (Uncovered::Utility, &["electric bill", "sewer bill", "trash pickup", "water bill"]),
    (Uncovered::Association, &["condo association", "hoa", "homeowners association"]),
];
/// Maximum number of words of a street's name with its type, such as "St". Chosen, not measured.
const STREET_WORDS_MAX: usize = 4;
/// Maximum number of digits of a house number.
const DIGITS_MAX: usize = 6;

/// A subject that people ask about beside property, and that no topic of the directory covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is its own word; words/en/asks.rs names it")]
pub enum Uncovered {
    RentalLicense,
    BusinessLicense,
    Vehicle,
    VitalRecord,
    Utility,
    Association,
}

/// The first subject of a text that no topic covers; `None` if the text names none.
pub(super) fn uncovered_in(text: &Folded) -> Option<Uncovered> {
    UNCOVERED.iter().find(|(_, phrases)| names_one(text, phrases)).map(|(subject, _)| *subject)
}

/// Whether a text has one of these phrases.
fn names_one(text: &Folded, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| has_phrase(text.as_str(), phrase))
}

/// Returns the year that a text asks about; `None` for a number that may be that of a house or a ZIP code.
pub(super) fn year_in(text: &Folded) -> Option<u16> {
    let words: Vec<&str> = text.words().collect();
    words.windows(2).find_map(|pair| {
        let year = (pair[1].len() == 4).then(|| pair[1].parse().ok()).flatten()?;
        (BEFORE_YEARS.contains(&pair[0]) && (1900..2100).contains(&year)).then_some(year)
    })
}

/// Whether a text asks for a telephone number.
pub(super) fn asks_telephone(text: &Folded) -> bool {
    names_one(text, &TELEPHONE_WORDS)
}

/// Whether a text asks for opening hours.
pub(super) fn asks_hours(text: &Folded) -> bool {
    names_one(text, &HOURS)
}

/// The kinds of relief that a text asks about; empty if it names none. A disabled veteran asks only about veterans.
pub(super) fn relief_in(text: &Folded) -> Vec<DatedKind> {
    let named = RELIEF_WORDS.iter().filter(|(_, words)| names_one(text, words)).map(|(kind, _)| *kind);
    let mut kinds: Vec<DatedKind> = named.collect();
    if kinds.contains(&DatedKind::ExemptionVeteran) {
        kinds.retain(|kind| *kind != DatedKind::ExemptionDisability);
    }
    kinds
}

/// Whether a text has a house number before the capitalized name of a street.
pub(in crate::answers) fn has_address(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| {
        (1..=DIGITS_MAX).contains(&word.len()) && word.bytes().all(|letter| letter.is_ascii_digit())
    };
    let is_capitalized = |word: &&str| word.starts_with(char::is_uppercase);
    (1..words.len()).any(|at| {
        let is_of_house = is_number(words[at - 1]) && is_capitalized(&words[at]);
        is_of_house && !is_numbered(&words[..at - 1]) && begin_with_street(&words[at..])
    })
}

/// Whether a number after these words counts laws or forms.
fn is_numbered(before: &[&str]) -> bool {
    before.last().is_some_and(|word| NUMBERED.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The first ZIP code among the words of a text; `None` without one. A number before the name of a street is not a
/// ZIP code.
pub(in crate::answers) fn zip_beside(text: &str) -> Option<u32> {
    let is_mark = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
    let words: Vec<&str> = text.split_whitespace().collect();
    (0..words.len()).find_map(|at| {
        let zip = zip_code(words[at].trim_matches(is_mark))?;
        (!begin_with_street(&words[at + 1..]) && !is_numbered(&words[..at])).then_some(zip)
    })
}

/// Whether the first words are the name of a street that has a type, such as "St". In "62703 - who is my assessor", no
/// street named Who begins.
pub(super) fn begin_with_street(words: &[&str]) -> bool {
    let is_name = |word: &&str| {
        word.contains(char::is_alphanumeric)
            && !QUESTIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    if !words.first().is_some_and(is_name) {
        return false;
    }
    let is_mark = |letter: char| [',', ';', ':', '?', '!', '(', ')', '"'].contains(&letter);
    // A punctuation mark ends the name of a street: "in 2025, Main Street".
    let count = words.iter().position(|word| word.ends_with(is_mark)).map_or(words.len(), |last| last + 1);
    (2..=count.min(STREET_WORDS_MAX)).any(|count| {
        let name = words[..count].join(" ");
        StreetName::read(name.trim_end_matches(is_mark)).is_some_and(|street| street.kind.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_relief_is_read() {
        for (text, expected) in [
            ("100 percent disabled veteran in Ohio", &[DatedKind::ExemptionVeteran][..]),
            ("ag exemption 78624", &[DatedKind::ExemptionFarm]),
            (
                "veterans tax credit and current use in Conway",
                &[DatedKind::ExemptionVeteran, DatedKind::ExemptionFarm],
            ),
            ("over 65 freeze, Harris County", &[DatedKind::ExemptionSenior]),
            ("blind owner in Ohio", &[DatedKind::ExemptionDisability]),
            ("homestead exemption Pensacola", &[]),
        ] {
            assert_eq!(relief_in(&Folded::of(text)), expected, "{text}");
        }
    }

    #[test]
    fn years_are_noticed_behind_their_words() {
        for (text, expected) in [
            ("who issued building permits in Kokomo, Indiana in 2019", Some(2019)),
            ("recorder of St. George LA in June 2021?", Some(2021)),
            ("2019 Main St, Moab, Utah", None),
            ("permits in 20191 or Kokomo 2019", None),
            ("", None),
        ] {
            assert_eq!(year_in(&Folded::of(text)), expected, "{text}");
        }
    }

    #[test]
    fn subjects_of_no_topic_and_telephones_are_noticed() {
        for (text, expected) in [
            ("do I need a rental license in Dover", (Some(Uncovered::RentalLicense), false)),
            ("assess my car and land, Hot Springs, phone?", (Some(Uncovered::Vehicle), true)),
            ("Carson City", (None, false)),
            ("who do I call about zoning in Vehicletown", (None, true)),
            ("teléfono del tasador", (None, true)),
        ] {
            let folded = Folded::of(text);
            assert_eq!((uncovered_in(&folded), asks_telephone(&folded)), expected, "{text}");
        }
    }

    #[test]
    fn addresses_and_zip_codes_are_noticed() {
        for (text, expected) in [
            ("I own a house at 1400 S Main St, Moab, Utah. who is the recorder", (true, None)),
            ("reassessment at 1600 Euclid St NW Washington DC", (true, None)),
            ("100 percent disabled veteran in Mountain Home, Arkansas", (false, None)),
            ("4 acres on Miller Road near Boone NC", (false, None)),
            ("taxes for 2025, Main Street, Utah", (false, None)),
            ("Prop 19 Grass Valley CA", (false, None)),
            ("duplex in Detroit 48205: who assesses", (false, Some(48_205))),
            ("62703 - who is my assessor", (false, Some(62_703))),
            ("62703 who is my assessor", (false, Some(62_703))),
            ("(Omaha, 68107-1234)", (false, Some(68_107))),
            ("12345 Main St, Utah", (true, None)),
            ("", (false, None)),
        ] {
            assert_eq!((has_address(text), zip_beside(text)), expected, "{text}");
        }
    }

    #[test]
    fn opening_hours_are_noticed() {
        for (text, expected) in [
            ("town clerk hours/phone Brattleboro", true),
            ("horario del tasador", true),
            ("when is the open book in Minocqua", false),
        ] {
            assert_eq!(asks_hours(&Folded::of(text)), expected, "{text}");
        }
    }
}
