//! Names of streets, taken apart: compass points, the name itself, and the type.
//!
//! A published name and a name that a person writes are read by the same rules, so what is unusual about a name does no
//! harm as long as both are unusual in the same way. Of a person's text there are further readings.

use super::{
    compass::Compass,
    roads::{self, Word},
    street_types::{misspelled_type_of, type_of, whole_word},
    words::words_of,
};

/// The name of a street, as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreetName {
    /// Compass point before the name.
    pub before: Option<Compass>,
    /// The name without compass points and type, folded and without spaces.
    pub key: String,
    /// Standard abbreviation of the type.
    pub kind: Option<&'static str>,
    /// Compass point after the name and type.
    pub after: Option<Compass>,
    /// Whether a slip in the type was mended.
    pub(super) kind_was_mended: bool,
}

/// Numbers written out, as names of streets have them.
const ORDINALS: [(&str, &str); 20] = [
    ("first", "1"),
    ("second", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("sixth", "6"),
    ("seventh", "7"),
    ("eighth", "8"),
    ("ninth", "9"),
    ("tenth", "10"),
    ("eleventh", "11"),
    ("twelfth", "12"),
    ("thirteenth", "13"),
    ("fourteenth", "14"),
    ("fifteenth", "15"),
    ("sixteenth", "16"),
    ("seventeenth", "17"),
    ("eighteenth", "18"),
    ("nineteenth", "19"),
    ("twentieth", "20"),
];

/// Words that are written short in names, but for types of streets.
const SHORT: [(&str, &str); 12] = [
    ("ne", "northeast"),
    ("nw", "northwest"),
    ("se", "southeast"),
    ("sw", "southwest"),
    ("st", "saint"),
    ("ste", "sainte"),
    ("doctor", "drive"),
    ("mlk", "martinlutherking"),
    ("junior", "jr"),
    ("senior", "sr"),
    ("govt", "government"),
    ("cemetary", "cemetery"),
];

impl StreetName {
    /// Reads a published name, such as TIGER/Line's FULLNAME. `None` where it has no word.
    pub fn read(text: &str) -> Option<StreetName> {
        let words = roads::joined(&words_of(text));
        StreetName::from_words(&words, How::STANDARD)
    }

    /// The readings of words that a person wrote, the usual one first.
    pub(super) fn readings(words: &[String]) -> Vec<StreetName> {
        let words = roads::joined(words);
        let mut readings: Vec<StreetName> = Vec::new();
        for how in How::all() {
            let reading = StreetName::from_words(&words, how);
            readings.extend(reading.filter(|reading| !readings.contains(reading)));
        }
        readings
    }

    fn from_words(words: &[Word], how: How) -> Option<StreetName> {
        let mut rest = words;
        let before = if how.compass_before { take_before(&mut rest) } else { None };
        let after = if how.compass_after { take_after(&mut rest) } else { None };
        let (kind, kind_was_mended) = match how.kind {
            Kind::Kept => (None, false),
            Kind::Taken => (take_kind(&mut rest), false),
            Kind::Mended => (Some(take_misspelled_kind(&mut rest)?), true),
        };
        let key: String = rest.iter().map(whole).collect();
        (!key.is_empty()).then_some(StreetName { before, key, kind, after, kind_was_mended })
    }
}

/// What is taken off the words before the rest is the name.
#[derive(Clone, Copy)]
struct How {
    compass_before: bool,
    compass_after: bool,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Taken,
    Kept,
    Mended,
}

impl How {
    const STANDARD: How = How { compass_before: true, compass_after: true, kind: Kind::Taken };

    fn all() -> impl Iterator<Item = How> {
        let kinds = [Kind::Taken, Kind::Mended, Kind::Kept].into_iter();
        kinds.flat_map(|kind| {
            [(true, true), (true, false), (false, true), (false, false)]
                .map(|(compass_before, compass_after)| How { compass_before, compass_after, kind })
        })
    }
}

/// Whether words are more than a type of street and a compass point: North St is named North.
fn is_name(words: &[Word]) -> bool {
    let rest = match words {
        [rest @ .., last] if !rest.is_empty() && Compass::parse(&last.text).is_some() => rest,
        all => all,
    };
    match rest {
        [] => false,
        [rest @ .., last] => last.is_road || type_of(&last.text).is_none() || !rest.is_empty(),
    }
}

fn take_before(words: &mut &[Word]) -> Option<Compass> {
    let [first, rest @ ..] = *words else { return None };
    if let [second, further @ ..] = rest
        && let Some(point) = Compass::parse_two(&first.text, &second.text)
        && is_name(further)
    {
        *words = further;
        return Some(point);
    }
    let short = match first.text.as_str() {
        "no" => Compass::parse("n"),
        "so" => Compass::parse("s"),
        other => Compass::parse(other),
    };
    let point = short.filter(|_| is_name(rest))?;
    *words = rest;
    Some(point)
}

fn take_after(words: &mut &[Word]) -> Option<Compass> {
    let [rest @ .., last] = *words else { return None };
    if let [further @ .., second] = rest
        && let Some(point) = Compass::parse_two(&second.text, &last.text)
        && is_name(further)
    {
        *words = further;
        return Some(point);
    }
    let point = Compass::parse(&last.text).filter(|_| is_name(rest))?;
    *words = rest;
    Some(point)
}

fn take_kind(words: &mut &[Word]) -> Option<&'static str> {
    if let [rest @ .., last] = *words
        && !rest.is_empty()
        && let Some(kind) = type_of(&last.text)
    {
        *words = rest;
        return Some(kind);
    }
    // Avenue A, Road 12: the type stands first where the name is a letter or a number.
    if let [first, name] = *words
        && let Some(kind) = type_of(&first.text)
        && (name.text.len() == 1 || name.text.starts_with(|char: char| char.is_ascii_digit()))
    {
        *words = &words[1..];
        return Some(kind);
    }
    None
}

fn take_misspelled_kind(words: &mut &[Word]) -> Option<&'static str> {
    let [rest @ .., last] = *words else { return None };
    let kind = misspelled_type_of(&last.text).filter(|_| !rest.is_empty())?;
    *words = rest;
    Some(kind)
}

/// A word of a name in its one form: types of streets written out, numbers without their ending.
fn whole(word: &Word) -> &str {
    let text = word.text.as_str();
    if word.is_road {
        return text;
    }
    let named = |table: &[(&'static str, &'static str)]| {
        table.iter().find(|(short, _)| *short == text).map(|(_, long)| *long)
    };
    named(&SHORT)
        .or_else(|| named(&ORDINALS))
        .or_else(|| whole_word(text))
        .unwrap_or_else(|| without_ordinal(text))
}

fn without_ordinal(text: &str) -> &str {
    let ends = ["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end));
    ends.filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `before|key|kind|after`.
    fn shown(name: &StreetName) -> String {
        let compass = |point: Option<Compass>| point.map_or("", Compass::short);
        format!("{}|{}|{}|{}", compass(name.before), name.key, name.kind.unwrap_or(""), compass(name.after))
    }

    #[test]
    fn published_names_are_taken_apart() {
        for (name, parts) in [
            ("Main St", "|main|st|"),
            ("N Church St", "N|church|st|"),
            ("Academy St E", "|academy|st|E"),
            ("N River Cir E", "N|river|cir|E"),
            ("Ocean Hwy N", "|ocean|hwy|N"),
            ("Old US 17 Rd", "|oldus17|rd|"),
            ("State Hwy 360", "|sr360||"),
            ("US Hwy 12 W", "|us12||W"),
            ("Dempsey-White Ln", "|dempseywhite|ln|"),
            ("Holiday Knoll", "|holiday|knl|"),
            ("Lazy W Ln", "|lazyw|ln|"),
            ("1st St", "|1|st|"),
            ("Avenue A", "|a|ave|"),
            ("Avenue E", "|e|ave|"),
            ("N Park St", "N|park|st|"),
            ("N E St", "N|e|st|"),
            ("NW Hwy", "|northwest|hwy|"),
            ("North St", "|north|st|"),
            ("E St NW", "|e|st|NW"),
            ("St Marys Church Rd", "|saintmaryschurch|rd|"),
            ("South West Main St", "SW|main|st|"),
            ("Broadway", "|broadway||"),
            ("Meagher Ave", "|meagher|ave|"),
            ("S 500 E", "S|500||E"),
            ("Long Branch Ct", "|longbranch|ct|"),
        ] {
            assert_eq!(StreetName::read(name).map(|name| shown(&name)).as_deref(), Some(parts), "{name}");
        }
        assert_eq!(StreetName::read(" , "), None);
    }

    #[test]
    fn what_people_write_has_further_readings() {
        for (text, parts) in [
            ("old mill", "|oldmill||"),
            ("lazy w", "|lazyw||"),
            ("churhc stret", "|churhc|st|"),
            ("academy e", "|academy||E"),
            ("first street", "|1|st|"),
        ] {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let readings: Vec<String> = StreetName::readings(&words).iter().map(shown).collect();
            assert!(readings.iter().any(|reading| reading == parts), "{text}: {readings:?}");
        }
    }
}
