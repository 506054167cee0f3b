//! Reads country, ZIP code and state at the end of a text, for addresses, names of places and questions alike.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{StateCode, name_key, state_abbreviations};

/// Names of the United States that may follow a state or a ZIP code, as folded words.
const COUNTRY: [&[&str]; 5] =
    [&["united", "states", "of", "america"], &["united", "states"], &["u", "s", "a"], &["usa"], &["us"]];

/// The words before a country at the end; `None` if the text does not end in the country.
pub fn without_country<S: AsRef<str>>(words: &[S]) -> Option<&[S]> {
    COUNTRY.iter().find_map(|country| {
        let rest = words.len().checked_sub(country.len())?;
        let is_country = words[rest..].iter().zip(*country).all(|(word, part)| word.as_ref() == *part);
        is_country.then(|| &words[..rest])
    })
}

/// The words before a ZIP code at the end, and its five digits. The four digits of ZIP+4 may be a separate word.
/// `None` if the text does not end in a ZIP code.
pub fn zip_at_end<S: AsRef<str>>(words: &[S]) -> Option<(&[S], u32)> {
    let (last, rest) = words.split_last()?;
    if let (true, Some((zip, rest))) = (is_digits(last.as_ref(), 4), rest.split_last())
        && is_digits(zip.as_ref(), 5)
    {
        return Some((rest, zip.as_ref().parse().ok()?));
    }
    Some((rest, zip_code(last.as_ref())?))
}

/// The five digits of a ZIP code written `55415`, `55415-1234` or `554151234`; `None` for other words.
pub fn zip_code(word: &str) -> Option<u32> {
    let five = match word.split_once('-') {
        Some((five, four)) => is_digits(four, 4).then_some(five)?,
        None if is_digits(word, 9) => &word[..5],
        None => word,
    };
    if is_digits(five, 5) { five.parse().ok() } else { None }
}

fn is_digits(word: &str, count: usize) -> bool {
    word.len() == count && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Spanish names of states that differ from the English ones, as keys.
const SPANISH_STATES: [(&str, &str); 23] = [
    ("carolinadelnorte", "NC"),
    ("carolinadelsur", "SC"),
    ("dacotadelnorte", "ND"),
    ("dacotadelsur", "SD"),
    ("dakotadelnorte", "ND"),
    ("dakotadelsur", "SD"),
    ("distritodecolumbia", "DC"),
    ("hawai", "HI"),
    ("islasmarianasdelnorte", "MP"),
    ("islasvirgenes", "VI"),
    ("luisiana", "LA"),
    ("misisipi", "MS"),
    ("misuri", "MO"),
    ("nuevajersey", "NJ"),
    ("nuevahampshire", "NH"),
    ("nuevayork", "NY"),
    ("nuevohampshire", "NH"),
    ("nuevomexico", "NM"),
    ("pensilvania", "PA"),
    ("samoaamericana", "AS"),
    ("tejas", "TX"),
    ("virginiadeloeste", "WV"),
    ("virginiaoccidental", "WV"),
];

/// The state with this code, name or abbreviation, in folded words, and whether the words are an abbreviation such as
/// `mich`. `None` if the words name no state.
pub fn state_called<S: AsRef<str>>(words: &[S]) -> Option<(StateCode, bool)> {
    static STATES: LazyLock<FxHashMap<String, (StateCode, bool)>> = LazyLock::new(|| {
        let keys = |state: StateCode| {
            [state.usps().to_ascii_lowercase(), name_key(state.name())].map(|key| (key, state))
        };
        // The Census name is "U.S. Virgin Islands", and "CNMI" stands for the Commonwealth of the Northern Mariana
        // Islands.
        let also = [(78, "virginislands"), (78, "usvi"), (69, "cnmi")];
        let also =
            also.iter().filter_map(|(fips, key)| Some(((*key).to_owned(), StateCode::from_fips(*fips)?)));
        let spanish =
            SPANISH_STATES.iter().filter_map(|(key, code)| Some(((*key).to_owned(), code.parse().ok()?)));
        let named = StateCode::all().flat_map(keys).chain(also).chain(spanish);
        let short = state_abbreviations().map(|(short, state)| (short.to_owned(), (state, true)));
        named.map(|(key, state)| (key, (state, false))).chain(short).collect()
    });
    match words {
        [] => None,
        [word] => STATES.get(word.as_ref()).copied(),
        _ => STATES.get(&words.iter().map(AsRef::as_ref).collect::<String>()).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_is_read() {
        for (text, country, zip, state) in [
            ("mn", false, None, Some("MN")),
            ("new york", false, None, Some("NY")),
            ("mich", false, None, Some("MI")),
            ("virgin islands", false, None, Some("VI")),
            ("nueva york", false, None, Some("NY")),
            ("islas marianas del norte", false, None, Some("MP")),
            ("austin tx usa", true, None, None),
            ("united states of america", true, None, None),
            ("austin 78701", false, Some(78701), None),
            ("78701 1234", false, Some(78701), None),
            ("78701-1234", false, Some(78701), None),
            ("787011234", false, Some(78701), None),
            ("78701-12", false, None, None),
            ("1234", false, None, None),
            ("", false, None, None),
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            let read = (
                without_country(&words).is_some(),
                zip_at_end(&words).map(|(_, zip)| zip),
                state_called(&words).map(|(state, _)| state.usps()),
            );
            assert_eq!(read, (country, zip, state), "{text}");
        }
    }
}
