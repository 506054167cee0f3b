//! Splits one line of text into a US address: house number, street, unit, city, state, ZIP code.
//!
//! Parts are separated here only where the text leaves no doubt. Without commas, the end of the street is uncertain.
//! Street and city then both stay in [`Address::street`], and [`super::Geocoder`] tries each division.

use super::{
    compass::Compass,
    street_types::type_of,
    units::{is_unit_part, take_unit},
    words::parts_of,
};
use crate::vocabulary::{StateCode, state_called, without_country, zip_at_end};

/// A US address, split into its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// House number with its prefix.
    pub number: HouseNumber,
    /// Folded words of the street, followed by the city's words if no comma separates the two.
    pub street: Vec<String>,
    /// Unit within the building, such as `apt 4`.
    pub unit: Option<String>,
    /// Folded words of the city, if a comma precedes it.
    pub city: Option<Vec<String>>,
    /// State, if the text names one.
    pub state: Option<StateCode>,
    /// ZIP code, 5 digits, if the text has one.
    pub zip: Option<u32>,
}

/// A house number: `P99`, `117-01`, `100 1/2`, `100A`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseNumber {
    /// The number as written, folded.
    pub text: String,
    /// Text before the last digits, such as `p` or `117-`; usually empty.
    pub prefix: String,
    /// The last digits as a number.
    pub number: u32,
    /// The first of two hyphenated numbers, as in `100-104`, which may be a row of houses.
    pub first: Option<u32>,
}

/// The reason why a text is not an address with a house number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotAnAddress {
    /// The text has no words.
    #[error("the text has no words")]
    Empty,
    /// A post office box, which is not a place.
    #[error("a PO box is not a place on a map; use the street address of the land")]
    PoBox,
    /// A box on a rural or highway contract route.
    #[error(
        "a box on a rural or highway contract route is not a place on a map; use the street address of the land"
    )]
    RuralRoute,
    /// Mail that waits at a post office.
    #[error("general delivery is not a place on a map; use the street address of the land")]
    GeneralDelivery,
    /// A military mailbox (APO, FPO, DPO).
    #[error("a military mailbox (APO, FPO, DPO) is not a place in the United States; use a street address")]
    Military,
    /// A latitude and longitude.
    #[error("the text looks like a coordinate; use lat and lon")]
    Coordinate,
    /// An email or web address.
    #[error("the text looks like an email or web address; use a street address")]
    Web,
    /// A crossing of two streets.
    #[error("a crossing of two streets cannot be looked up; use a house number, or lat and lon")]
    Crossing,
    /// The text does not begin with a house number.
    #[error(
        "the text does not begin with a house number; use an address such as 350 S 5th St, Minneapolis, MN"
    )]
    NoNumber,
    /// The text is from Puerto Rico and does not begin with a house number. The number may stand elsewhere there.
    #[error(
        "the text does not begin with a house number; local files cannot find such addresses in Puerto Rico"
    )]
    NumberElsewhere,
    /// No street follows the house number.
    #[error("no street follows the house number; use an address such as 350 S 5th St, Minneapolis, MN")]
    NoStreet,
    /// The text has neither a ZIP code nor a state.
    #[error("the text names neither a ZIP code nor a city with its state; add one of them")]
    NoPlace,
}

impl NotAnAddress {
    /// Whether no service could find such a text, so that it is not looked up at all. Services may find texts for the
    /// other reasons: a city without its state, or a house without a number.
    pub fn is_certain(self) -> bool {
        !matches!(self, NotAnAddress::NumberElsewhere | NotAnAddress::NoPlace | NotAnAddress::NoNumber)
    }
}

/// Splits a text into the parts of an address.
///
/// # Errors
/// [`NotAnAddress`] with the reason, if the text is not an address with a house number.
pub fn parse(text: &str) -> Result<Address, NotAnAddress> {
    if text.contains('@') || text.contains("://") || text.contains("www.") {
        return Err(NotAnAddress::Web);
    }
    if is_coordinate(text) {
        return Err(NotAnAddress::Coordinate);
    }
    let mut parts = parts_of(text);
    if parts.is_empty() {
        return Err(NotAnAddress::Empty);
    }
    refuse_mail(&parts)?;
    let place = take_place(&mut parts);
    drop_before_number(&mut parts);
    let number = parts.first_mut().and_then(take_number).ok_or_else(|| without_number(&parts, &place))?;
    let mut street = parts.remove(0);
    let unit = take_unit(&mut street).or_else(|| take_unit_part(&mut parts));
    if street.iter().all(|word| word == "#") {
        return Err(NotAnAddress::NoStreet);
    }
    if has_two_streets(&street) {
        return Err(NotAnAddress::Crossing);
    }
    // A city without its state is not enough: many states have a Springfield.
    if place.zip.is_none() && place.state.is_none() {
        return Err(NotAnAddress::NoPlace);
    }
    // "Hertford, Perquimans County": the county is not the city.
    parts.retain(|part| !is_unit_part(part) && part.last().is_none_or(|word| word != "county"));
    Ok(Address { number, street, unit, city: parts.pop(), state: place.state, zip: place.zip })
}

/// The reason why a text has no number at its start.
fn without_number(parts: &[Vec<String>], place: &Place) -> NotAnAddress {
    if place.state.is_some_and(|state| state.usps() == "PR") {
        NotAnAddress::NumberElsewhere
    } else if parts.iter().any(|part| has_two_streets(part)) {
        NotAnAddress::Crossing
    } else {
        NotAnAddress::NoNumber
    }
}

/// Removes a unit that stands by itself between commas.
fn take_unit_part(parts: &mut Vec<Vec<String>>) -> Option<String> {
    let at = parts.iter().position(|part| is_unit_part(part))?;
    Some(parts.remove(at).join(" "))
}

/// Whether a text is two decimal numbers, with or without degree signs and directions.
fn is_coordinate(text: &str) -> bool {
    let numbers =
        text.split(|char: char| char == ',' || char.is_whitespace()).filter(|word| !word.is_empty());
    let numbers: Vec<&str> = numbers.collect();
    let decimal = |word: &&str| {
        let word = word.trim_end_matches(['°', 'N', 'S', 'E', 'W', 'n', 's', 'e', 'w']);
        word.contains('.') && word.parse::<f64>().is_ok()
    };
    (2..=4).contains(&numbers.len()) && numbers.iter().filter(|word| decimal(word)).count() == 2
}

/// Rejects mail addresses that have no place on a map.
fn refuse_mail(parts: &[Vec<String>]) -> Result<(), NotAnAddress> {
    let words: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    let numbered = |word: &str| word.starts_with(|char: char| char.is_ascii_digit()) || word.len() == 1;
    let box_after = |rest: &[&str]| rest.windows(2).any(|two| two[0] == "box" && numbered(two[1]));
    for (at, word) in words.iter().enumerate() {
        let rest = &words[at + 1..];
        match (*word, rest) {
            ("po" | "pob" | "pobox", ["box" | "drawer" | "bin", ..]) | ("pob" | "pobox", _) => {
                return Err(NotAnAddress::PoBox);
            }
            ("p", ["o", "box" | "drawer" | "bin", ..]) | ("post", ["office", "box", ..] | ["box", ..]) => {
                return Err(NotAnAddress::PoBox);
            }
            ("box", [number, ..]) if at == 0 && numbered(number) => return Err(NotAnAddress::PoBox),
            // "RD 2 Box 15" is a rural delivery route; without a box the same words may begin a street.
            ("rr" | "hc" | "rfd" | "rd" | "star", [..]) if at == 0 && box_after(rest) => {
                return Err(NotAnAddress::RuralRoute);
            }
            ("rural", ["route" | "rte", ..]) | ("highway", ["contract", ..]) if at == 0 => {
                return Err(NotAnAddress::RuralRoute);
            }
            ("general", ["delivery", ..]) => return Err(NotAnAddress::GeneralDelivery),
            ("apo" | "fpo" | "dpo", ["aa" | "ae" | "ap", ..]) => return Err(NotAnAddress::Military),
            _ => {}
        }
    }
    Ok(())
}

/// State and ZIP code at the end of an address.
#[derive(Default)]
struct Place {
    state: Option<StateCode>,
    zip: Option<u32>,
}

/// Removes country, ZIP code and state from the end.
fn take_place(parts: &mut Vec<Vec<String>>) -> Place {
    let mut place = Place::default();
    take_country(parts);
    place.zip = take_zip(parts);
    place.state = take_state(parts, place.zip);
    if place.zip.is_none() {
        // The reverse order: 27944 NC.
        place.zip = take_zip(parts);
    }
    place
}

fn take_country(parts: &mut Vec<Vec<String>>) {
    let Some(last) = parts.last_mut() else { return };
    if let Some(rest) = without_country(last).map(<[String]>::len) {
        last.truncate(rest);
    }
    drop_empty(parts);
}

/// Removes the ZIP code from the end. Keeps it if at most one other word would remain, because it may be the house
/// number.
fn take_zip(parts: &mut Vec<Vec<String>>) -> Option<u32> {
    let is_only_word = parts.len() == 1 && parts[0].len() < 3;
    let last = parts.last_mut().filter(|_| !is_only_word)?;
    let (rest, zip) = zip_at_end(last).map(|(rest, zip)| (rest.len(), zip))?;
    last.truncate(rest);
    drop_empty(parts);
    Some(zip)
}

/// Removes the state from the end: a code or a name of up to three words.
fn take_state(parts: &mut Vec<Vec<String>>, zip: Option<u32>) -> Option<StateCode> {
    let is_first = parts.len() == 1;
    let last = parts.last_mut()?;
    // The longest name is tried first: "West Virginia" ends in the name of another state.
    for count in (1..=last.len().min(3)).rev() {
        let rest = last.len() - count;
        if is_first && rest < 2 {
            continue;
        }
        let Some(state) = state_of(&last[rest..]) else { continue };
        if is_first && count == 1 && may_be_street(last, rest, zip) {
            return None;
        }
        last.truncate(rest);
        drop_empty(parts);
        return Some(state);
    }
    None
}

/// Whether a postal code such as CT or NE belongs to the street and is not the state at the end: `100 Cedar Ct`.
fn may_be_street(words: &[String], at: usize, zip: Option<u32>) -> bool {
    let word = &words[at];
    let is_both = type_of(word).is_some() || Compass::parse(word).is_some();
    // With another street type before the city, the code is the state: `100 Main St Hartford CT`. A ZIP code from
    // another region shows that it is not.
    let has_type = words[1..at].iter().rev().skip(1).any(|word| type_of(word).is_some());
    let is_elsewhere =
        zip.is_some_and(|zip| ZIP_REGIONS.iter().any(|(code, first)| code == word && zip / 10_000 != *first));
    is_both && (!has_type || is_elsewhere)
}

/// The first digit of the ZIP codes of states whose code is also a street type or compass point. Source: U.S. Postal
/// Service, Publication 65.
const ZIP_REGIONS: [(&str, u32); 5] = [("ct", 0), ("ky", 4), ("mt", 5), ("ne", 6), ("pr", 0)];

/// The state that words name; `None` for other words. A postal code must be one word: "N C" is not accepted.
fn state_of(words: &[String]) -> Option<StateCode> {
    let is_code = words.iter().map(String::len).sum::<usize>() <= 2;
    state_called(words).map(|(state, _)| state).filter(|_| !is_code || words.len() == 1)
}

fn drop_empty(parts: &mut Vec<Vec<String>>) {
    parts.retain(|part| !part.is_empty());
}

/// Removes a unit or a building's name before the number, if a comma separates the two.
fn drop_before_number(parts: &mut Vec<Vec<String>>) {
    let numbered = |part: &Vec<String>| part.len() >= 2 && house_number(part).is_some();
    let is_dropped = |part: &Vec<String>| is_unit_part(part) || house_number(part).is_none();
    if parts.len() >= 2 && is_dropped(&parts[0]) && numbered(&parts[1]) {
        parts.remove(0);
    }
    if let Some(first) = parts.first_mut()
        && let Some(taken) = unit_before_number(first)
    {
        first.drain(..taken);
    }
}

/// The number of words of a unit before the house number: `apt 4 100 main st`, `# 4 100 main st`.
fn unit_before_number(words: &[String]) -> Option<usize> {
    let is_unit = words.len() >= 4 && is_unit_part(&words[..2]) && house_number(&words[2..]).is_some();
    is_unit.then_some(2)
}

/// Removes the house number from the words, with a fraction such as `1/2`.
fn take_number(words: &mut Vec<String>) -> Option<HouseNumber> {
    let (mut number, mut taken) = house_number(words)?;
    if words.get(taken).is_some_and(|word| is_fraction(word)) {
        number.text = format!("{} {}", number.text, words[taken]);
        taken += 1;
    }
    words.drain(..taken);
    Some(number)
}

fn is_fraction(word: &str) -> bool {
    let digits = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('/').is_some_and(|(above, below)| digits(above) && digits(below))
}

/// The number at the start of the words, and how many words it takes.
fn house_number(words: &[String]) -> Option<(HouseNumber, usize)> {
    const WRITTEN: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let first = words.first()?;
    if let Some(at) = WRITTEN.iter().position(|word| word == first) {
        return (words.len() > 1).then(|| (HouseNumber::plain(at as u32 + 1), 1));
    }
    if is_grid(first) && words.get(1).is_some_and(|second| is_grid(second)) {
        return HouseNumber::read(&format!("{first}{}", words[1])).map(|number| (number, 2));
    }
    HouseNumber::read(first).map(|number| (number, 1))
}

/// Whether a word is half of a grid number as used in Wisconsin: `W175 S7660`.
fn is_grid(word: &str) -> bool {
    word.len() >= 2
        && word.starts_with(['n', 's', 'e', 'w'])
        && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}

impl HouseNumber {
    fn plain(number: u32) -> HouseNumber {
        HouseNumber { text: number.to_string(), prefix: String::new(), number, first: None }
    }

    /// Reads one word as a house number, in the forms that TIGER/Line's ranges also use. `None` for other words.
    pub fn read(word: &str) -> Option<HouseNumber> {
        let word = word.to_ascii_lowercase();
        let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|end| word.ends_with(end));
        // A letter after the digits is a part of the lot: 100A lies at 100.
        let digits = word.trim_end_matches(|char: char| char.is_ascii_lowercase());
        let letters = word.len() - digits.len();
        let end = digits.len() - digits.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, last) = digits.split_at(end);
        let known = prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_ordinal || letters > 2 || last.is_empty() || last.len() > 8 || prefix.len() > 6 || !known {
            return None;
        }
        let first = prefix.strip_suffix('-').and_then(|first| first.parse().ok());
        let number = last.parse().ok()?;
        Some(HouseNumber { prefix: prefix.to_owned(), number, first, text: word })
    }
}

/// Whether street types stand on both sides of an `and` or `at`.
fn has_two_streets(words: &[String]) -> bool {
    let Some(at) = words.iter().position(|word| matches!(word.as_str(), "and" | "at")) else { return false };
    let typed = |words: &[String]| words.iter().any(|word| type_of(word).is_some());
    typed(&words[..at]) && typed(&words[at + 1..])
}

#[cfg(test)]
mod tests;
