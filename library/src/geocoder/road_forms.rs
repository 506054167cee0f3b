//! The ways to write a class of numbered roads before the number: `US Highway`, `State Rd`, `County Trunk`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A written form of a road class: the class in a key, and the words before the number.
pub(super) type Form = (&'static str, &'static [&'static str]);

/// Forms of the classes with many ways of writing.
const CLASSES: [Form; 44] = [
    ("us", &["united", "states", "highway"]),
    ("us", &["us", "highway"]),
    ("us", &["us", "hwy"]),
    ("us", &["us", "route"]),
    ("us", &["us", "rte"]),
    ("us", &["us", "rt"]),
    ("us", &["us"]),
    ("i", &["interstate", "highway"]),
    ("i", &["interstate", "hwy"]),
    ("i", &["interstate"]),
    ("i", &["i"]),
    ("sr", &["state", "highway"]),
    ("sr", &["state", "hwy"]),
    ("sr", &["state", "route"]),
    ("sr", &["state", "rte"]),
    ("sr", &["state", "rt"]),
    ("sr", &["state", "road"]),
    ("sr", &["state", "rd"]),
    ("sr", &["state", "trunk", "highway"]),
    ("sr", &["st", "hwy"]),
    ("sr", &["st", "rte"]),
    ("sr", &["st", "rd"]),
    ("sr", &["sr"]),
    ("sr", &["sh"]),
    ("sr", &["sth"]),
    ("cr", &["county", "trunk", "highway"]),
    ("cr", &["county", "trunk"]),
    ("cr", &["county", "highway"]),
    ("cr", &["county", "hwy"]),
    ("cr", &["county", "route"]),
    ("cr", &["county", "rte"]),
    ("cr", &["county", "road"]),
    ("cr", &["county", "rd"]),
    ("cr", &["co", "highway"]),
    ("cr", &["co", "hwy"]),
    ("cr", &["co", "rte"]),
    ("cr", &["co", "road"]),
    ("cr", &["co", "rd"]),
    ("cr", &["cr"]),
    ("cr", &["cth"]),
    ("fm", &["farm", "to", "market", "road"]),
    ("fm", &["farm", "to", "market", "rd"]),
    ("fm", &["farm", "to", "market"]),
    ("fm", &["fm"]),
];

/// Forms of the classes that are written in few ways.
const RARE: [Form; 16] = [
    ("rm", &["ranch", "to", "market", "rd"]),
    ("rm", &["ranch", "to", "market", "road"]),
    ("rm", &["ranch", "road"]),
    ("rm", &["ranch", "rd"]),
    ("rm", &["rm"]),
    ("twp", &["township", "highway"]),
    ("twp", &["township", "hwy"]),
    ("twp", &["township", "road"]),
    ("twp", &["township", "rd"]),
    ("twp", &["twp", "hwy"]),
    ("twp", &["twp", "rd"]),
    ("hwy", &["highway"]),
    ("hwy", &["hwy"]),
    ("hwy", &["route"]),
    ("hwy", &["rte"]),
    ("hwy", &["rt"]),
];

/// All forms by their first word, the longest first.
static FORMS: LazyLock<FxHashMap<&'static str, Vec<Form>>> = LazyLock::new(|| {
    let mut forms: FxHashMap<&str, Vec<Form>> = FxHashMap::default();
    for form in CLASSES.iter().chain(&RARE) {
        forms.entry(form.1[0]).or_default().push(*form);
    }
    forms.values_mut().for_each(|forms| forms.sort_by_key(|(_, words)| std::cmp::Reverse(words.len())));
    forms
});

/// The forms that begin with this word.
pub(super) fn forms_of(word: &str) -> &'static [Form] {
    FORMS.get(word).map_or(&[], Vec::as_slice)
}
