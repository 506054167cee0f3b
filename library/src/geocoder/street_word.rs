//! A word of a street's name, with all its possible meanings.
//!
//! A text has many readings: the city begins at one word or another, and a type or a compass point is removed or not.
//! All readings share their words, so the meanings of a word are looked up once.

use std::borrow::Cow;

use super::{
    compass::Compass,
    road_forms::{Form, forms_of},
    street_types::{StreetType, street_type},
};

/// A word of a street's name. A numbered road is one word, such as `us17`.
#[derive(Clone, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) is_road: bool,
    /// The compass point that the word may be.
    pub(super) compass: Option<Compass>,
    /// The type of street that the word may be.
    pub(super) kind: Option<&'static StreetType>,
    /// Forms of numbered roads that begin with the word.
    pub(super) roads: &'static [Form],
    /// The word's form in a key: street types written out, numbers without their ending.
    pub(super) key: Cow<'t, str>,
}

/// Ordinal numbers that names of streets write out.
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

/// Short forms and variants of words in names, other than street types.
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

impl<'t> Word<'t> {
    /// Looks up the meanings of a folded word.
    pub(super) fn new(text: &'t str) -> Word<'t> {
        let kind = street_type(text);
        Word {
            text: Cow::Borrowed(text),
            is_road: false,
            compass: Compass::parse(text),
            kind,
            roads: forms_of(text),
            key: Cow::Borrowed(key_form(text, kind)),
        }
    }

    /// Makes the single word of a numbered road, such as `us17`.
    pub(super) fn road(text: String) -> Word<'t> {
        Word {
            is_road: true,
            compass: Compass::parse(&text),
            kind: street_type(&text),
            roads: &[],
            key: Cow::Owned(text.clone()),
            text: Cow::Owned(text),
        }
    }

    /// Looks up the meanings of consecutive words.
    pub(super) fn all(words: &'t [String]) -> Vec<Word<'t>> {
        words.iter().map(|word| Word::new(word)).collect()
    }

    /// The standard abbreviation of the type of street that the word may be.
    pub(super) fn short_kind(&self) -> Option<&'static str> {
        self.kind.map(|kind| kind.short)
    }
}

/// The form of a word in a key: short forms and street types written out, ordinals as digits.
fn key_form<'t>(text: &'t str, kind: Option<&'static StreetType>) -> &'t str {
    let named = |table: &[(&'static str, &'static str)]| {
        table.iter().find(|(short, _)| *short == text).map(|(_, long)| *long)
    };
    named(&SHORT)
        .or_else(|| named(&ORDINALS))
        .or_else(|| kind.map(|kind| kind.word))
        .unwrap_or_else(|| without_ordinal(text))
}

/// The digits of an ordinal such as `1st`; other words unchanged.
fn without_ordinal(text: &str) -> &str {
    let ends = ["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end));
    ends.filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        .unwrap_or(text)
}
