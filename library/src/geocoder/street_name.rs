//! Splits names of streets into compass points, the name itself, and the type.
//!
//! The same rules read published names and the names that people write. So an unusual name does no harm if both are
//! read in the same unusual way. A person's text gets further readings.

use super::{compass::Compass, roads, street_types::misspelled_type_of, street_word::Word, words::words_of};

/// The name of a street in the form for comparisons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreetName {
    /// Compass point before the name, if any.
    pub before: Option<Compass>,
    /// The name without compass points and type, folded and without spaces.
    pub key: String,
    /// Standard abbreviation of the type, if any.
    pub kind: Option<&'static str>,
    /// Compass point after the name and type, if any.
    pub after: Option<Compass>,
    /// Whether a slip in the type was corrected.
    pub(super) kind_was_corrected: bool,
}

impl StreetName {
    /// Reads a published name, such as TIGER/Line's FULLNAME; `None` if it has no words.
    pub fn read(text: &str) -> Option<StreetName> {
        let words = words_of(text);
        let words = Word::all(&words);
        Frame::new(&roads::joined(&words), true, true).name(Kind::Taken)
    }

    /// The readings of words that a person wrote, the most usual first.
    pub(super) fn readings(words: &[Word<'_>]) -> Vec<StreetName> {
        let words = roads::joined(words);
        let mut frames: Vec<Frame<'_, '_>> = Vec::with_capacity(4);
        // "Lazy W Ln" has no compass point, so each point is also read as part of the name.
        for (before, after) in [(true, true), (true, false), (false, true), (false, false)] {
            let frame = Frame::new(&words, before, after);
            if frames.iter().all(|other| !other.is_same_as(&frame)) {
                frames.push(frame);
            }
        }
        let mut readings: Vec<StreetName> = Vec::with_capacity(2 * frames.len());
        for kind in [Kind::Taken, Kind::Corrected, Kind::Kept] {
            for frame in &frames {
                readings.extend(frame.name(kind).filter(|reading| !readings.contains(reading)));
            }
        }
        readings
    }
}

/// Whether a street with the type `published`, possibly empty, fits a name with the type `said`.
pub(super) fn fits_kind(said: Option<&str>, published: &str) -> bool {
    said.is_none_or(|said| published.is_empty() || said == published)
}

/// The treatment of a word that may be the street's type.
#[derive(Clone, Copy)]
enum Kind {
    Taken,
    Kept,
    Corrected,
}

/// A name and its type between compass points.
struct Frame<'w, 't> {
    before: Option<Compass>,
    rest: &'w [Word<'t>],
    after: Option<Compass>,
}

impl<'w, 't> Frame<'w, 't> {
    /// The words with or without compass points removed from their ends.
    fn new(words: &'w [Word<'t>], takes_before: bool, takes_after: bool) -> Frame<'w, 't> {
        let mut rest = words;
        let before = if takes_before { take_before(&mut rest) } else { None };
        let after = if takes_after { take_after(&mut rest) } else { None };
        Frame { before, rest, after }
    }

    /// Whether both frames are the same part of one text, between the same compass points.
    fn is_same_as(&self, other: &Frame<'_, '_>) -> bool {
        (self.before, self.after) == (other.before, other.after) && self.rest.len() == other.rest.len()
    }

    fn name(&self, kind: Kind) -> Option<StreetName> {
        let mut rest = self.rest;
        let (kind, kind_was_corrected) = match kind {
            Kind::Kept => (None, false),
            Kind::Taken => (take_kind(&mut rest), false),
            Kind::Corrected => (Some(take_misspelled_kind(&mut rest)?), true),
        };
        let key: String = rest.iter().map(|word| &*word.key).collect();
        let &Frame { before, after, .. } = self;
        (!key.is_empty()).then_some(StreetName { before, key, kind, after, kind_was_corrected })
    }
}

/// Whether words are more than a street type and a compass point. North St is named North, because "St" is not a
/// name.
fn is_name(words: &[Word<'_>]) -> bool {
    let rest = match words {
        [rest @ .., last] if !rest.is_empty() && last.compass.is_some() => rest,
        all => all,
    };
    match rest {
        [] => false,
        [rest @ .., last] => last.is_road || last.kind.is_none() || !rest.is_empty(),
    }
}

/// Removes a compass point from the start if a name remains.
fn take_before(words: &mut &[Word<'_>]) -> Option<Compass> {
    let [first, rest @ ..] = *words else { return None };
    if let [second, further @ ..] = rest
        && let Some(point) = Compass::of_two(first.compass, second.compass)
        && is_name(further)
    {
        *words = further;
        return Some(point);
    }
    let short = match &*first.text {
        "no" => Compass::parse("n"),
        "so" => Compass::parse("s"),
        _ => first.compass,
    };
    let point = short.filter(|_| is_name(rest))?;
    *words = rest;
    Some(point)
}

/// Removes a compass point from the end if a name remains.
fn take_after(words: &mut &[Word<'_>]) -> Option<Compass> {
    let [rest @ .., last] = *words else { return None };
    if let [further @ .., second] = rest
        && let Some(point) = Compass::of_two(second.compass, last.compass)
        && is_name(further)
    {
        *words = further;
        return Some(point);
    }
    let point = last.compass.filter(|_| is_name(rest))?;
    *words = rest;
    Some(point)
}

/// Removes the street type from the end, or from the start of a name such as Avenue A.
fn take_kind(words: &mut &[Word<'_>]) -> Option<&'static str> {
    if let [rest @ .., last] = *words
        && !rest.is_empty()
        && let Some(kind) = last.short_kind()
    {
        *words = rest;
        return Some(kind);
    }
    // Avenue A, Road 12: the type comes first if the name is a letter or a number.
    if let [first, name] = *words
        && let Some(kind) = first.short_kind()
        && (name.text.len() == 1 || name.text.starts_with(|char: char| char.is_ascii_digit()))
    {
        *words = &words[1..];
        return Some(kind);
    }
    None
}

fn take_misspelled_kind(words: &mut &[Word<'_>]) -> Option<&'static str> {
    let [rest @ .., last] = *words else { return None };
    let kind = misspelled_type_of(&last.text).filter(|_| !rest.is_empty())?;
    *words = rest;
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts as `before|key|kind|after`.
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
            let readings: Vec<String> = StreetName::readings(&Word::all(&words)).iter().map(shown).collect();
            assert!(readings.iter().any(|reading| reading == parts), "{text}: {readings:?}");
        }
    }
}
