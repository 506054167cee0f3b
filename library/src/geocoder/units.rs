//! Recognizes units within a building, which do not change the building's place.
//!
//! Source of the words: U.S. Postal Service, Publication 28, Appendix C2 "Secondary Unit Designators".

use super::{compass::Compass, street_types::type_of};

/// Unit words that stand before a number or letter.
const NUMBERED: [&str; 25] = [
    "apt",
    "apartment",
    "apartments",
    "bldg",
    "building",
    "dept",
    "department",
    "fl",
    "floor",
    "hngr",
    "hangar",
    "lot",
    "no",
    "ofc",
    "office",
    "rm",
    "room",
    "space",
    "spc",
    "ste",
    "suite",
    "trlr",
    "trailer",
    "unit",
    "slip",
];

/// Unit words without a number or letter after them.
const ALONE: [&str; 13] = [
    "basement",
    "bsmt",
    "front",
    "frnt",
    "lobby",
    "lbby",
    "lower",
    "lowr",
    "penthouse",
    "ph",
    "rear",
    "upper",
    "uppr",
];

/// Whether the words are a complete unit: `apt 4`, `# 4`, `rear`, `2nd floor`.
pub(super) fn is_unit_part(words: &[String]) -> bool {
    match words {
        [only] => ALONE.contains(&only.as_str()) || is_joined(only),
        [mark, id] if mark == "#" => is_id(id),
        [word, id] if NUMBERED.contains(&word.as_str()) => is_id(id),
        [word, mark, id] if NUMBERED.contains(&word.as_str()) && mark == "#" => is_id(id),
        [ordinal, word] => matches!(word.as_str(), "floor" | "fl") && is_id(ordinal),
        _ => false,
    }
}

/// Removes a unit from the words of a street, or from the words of a city after it.
pub(super) fn take_unit(words: &mut Vec<String>) -> Option<String> {
    // At least one word of the street comes first.
    for at in 1..words.len() {
        let lengths = [3, 2, 1].into_iter().filter(|length| at + length <= words.len());
        let fits = |length: &usize| {
            let is_unit = is_unit_part(&words[at..at + length]);
            // A single word such as `front` may be part of a name, so it must end the text after a street.
            is_unit && (*length > 1 || follows_street(&words[..at]) && at + 1 == words.len())
        };
        if let Some(length) = lengths.into_iter().find(fits) {
            return Some(words.drain(at..at + length).collect::<Vec<_>>().join(" "));
        }
    }
    // 100 Main St 4B, 100 Main St 4: a number without a unit word, directly after the street type.
    let bare = (2..words.len()).find(|at| is_bare(words, *at))?;
    Some(words.remove(bare))
}

/// Whether the word at `at` is a unit number without a unit word. Highways are excluded: `hwy 17` is a name.
fn is_bare(words: &[String], at: usize) -> bool {
    let word = &words[at];
    let numbered = word.len() <= 5 && word.bytes().any(|byte| byte.is_ascii_digit());
    let is_type = |word: &str| {
        type_of(word).is_some() && !matches!(word, "hwy" | "highway" | "rte" | "route" | "road" | "rd")
    };
    numbered && is_type(&words[at - 1]) && at + 1 == words.len()
}

fn follows_street(before: &[String]) -> bool {
    before.last().is_some_and(|word| type_of(word).is_some() || Compass::parse(word).is_some())
        && before.len() >= 2
}

/// Whether a word is a number, a letter, or both.
fn is_id(word: &str) -> bool {
    word.len() <= 2 && type_of(word).is_none()
        || word.len() <= 8 && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a word joins unit and number: `apt4`, `unit12b`.
fn is_joined(word: &str) -> bool {
    ["apt", "unit", "ste", "rm"].iter().any(|start| {
        word.strip_prefix(start).is_some_and(|id| id.starts_with(|char: char| char.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_taken_out() {
        for (text, left, unit) in [
            ("main st apt 4", "main st", Some("apt 4")),
            ("main st # 4", "main st", Some("# 4")),
            ("main st apt # 4b hertford", "main st hertford", Some("apt # 4b")),
            ("main st unit b", "main st", Some("unit b")),
            ("main st 4b", "main st", Some("4b")),
            ("main st rear", "main st", Some("rear")),
            ("main st 2nd floor", "main st", Some("2nd floor")),
            ("n front st", "n front st", None),
            ("us hwy 17", "us hwy 17", None),
            ("lower rd", "lower rd", None),
            ("road 12", "road 12", None),
            ("building supply rd", "building supply rd", None),
        ] {
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let found = take_unit(&mut words);
            assert_eq!((words.join(" ").as_str(), found.as_deref()), (left, unit), "{text}");
        }
    }
}
