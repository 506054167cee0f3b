//! Reads the meaning of a host's own label: the part before its public ending.

use platbook::vocabulary::StateCode;

use super::{
    office::{self, Part},
    words::{spellings, state_words},
};

/// The host without public ending, dots and hyphens: `cityofbend` of `www.city-of-bend.or.us`.
pub(super) fn label(host: &str) -> String {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let pieces: Vec<&str> = host.split('.').collect();
    let ending = match pieces.as_slice() {
        [.., state, "us"] if state.len() == 2 && pieces.len() > 2 => 2,
        _ => 1,
    };
    pieces[..pieces.len().saturating_sub(ending)].concat().replace('-', "")
}

/// A host's label compared with a government's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Beside {
    /// Whether the label contains the name.
    pub(super) named: bool,
    /// Whether the label is made of name, legal words and state only.
    pub(super) pure: bool,
    /// Whether the label contains a legal word.
    pub(super) worded: bool,
    /// Whether the label contains the state.
    pub(super) stated: bool,
    /// The meaning of the rest of the label.
    pub(super) part: Part,
}

/// Legal words and their short forms, as labels have them.
const WORDS: [&str; 21] = [
    "county",
    "parish",
    "borough",
    "boro",
    "township",
    "twp",
    "village",
    "town",
    "city",
    "countyof",
    "cityof",
    "townof",
    "villageof",
    "boroughof",
    "townshipof",
    "co",
    "ci",
    "vil",
    "cnty",
    "municipality",
    "charter",
];
/// Words that may stand beside a name without changing its meaning.
const FILLERS: [&str; 8] = ["of", "the", "gov", "govt", "government", "govoffice", "govoffice2", "usa"];

/// Finds the name in the label and judges the rest. The first occurrence with nothing else in the label
/// counts.
pub(super) fn beside(label: &str, name: &[String], state: StateCode) -> Beside {
    let states = state_words(state);
    let mut best: Option<Beside> = None;
    for spelling in spellings(name) {
        for (at, _) in label.match_indices(&spelling) {
            let sides = [&label[..at], &label[at + spelling.len()..]];
            let [Some(left), Some(right)] = sides.map(|side| peel(side, &states)) else {
                let part =
                    sides.map(|side| said(side, &states)).into_iter().find(|part| *part != Part::Unknown);
                let here = Beside {
                    named: true,
                    pure: false,
                    worded: false,
                    stated: false,
                    part: part.unwrap_or(Part::Unknown),
                };
                best = best.or(Some(here));
                continue;
            };
            let (worded, stated) = (left.0 || right.0, left.1 || right.1);
            return Beside { named: true, pure: true, worded, stated, part: Part::Whole };
        }
    }
    best.unwrap_or_else(|| Beside {
        named: false,
        pure: false,
        worded: false,
        stated: false,
        part: said(label, &states),
    })
}

/// The meaning of a piece of a label, as it is or without legal words and state.
fn said(text: &str, states: &[String]) -> Part {
    let bare = strip(text, states);
    let tries = [text, bare.as_str(), bare.strip_prefix("co").unwrap_or(&bare)];
    tries.into_iter().map(office::piece).find(|part| *part != Part::Unknown).unwrap_or(Part::Unknown)
}

/// Reads a text that consists of legal words, fillers and the state only: whether it has a legal word, and whether it
/// has the state. `None` for any other text.
///
/// All splits are tried, because one word may begin another ("co", "county").
fn peel(text: &str, states: &[String]) -> Option<(bool, bool)> {
    if text.is_empty() {
        return Some((false, false));
    }
    let mut found = None;
    let mut try_word = |word: &str, worded: bool, stated: bool| {
        if let Some((more_words, more_state)) = text.strip_prefix(word).and_then(|rest| peel(rest, states)) {
            let (old_words, old_state) = found.unwrap_or_default();
            found = Some((old_words || worded || more_words, old_state || stated || more_state));
        }
    };
    WORDS.iter().for_each(|word| try_word(word, true, false));
    FILLERS.iter().for_each(|word| try_word(word, false, false));
    states.iter().for_each(|word| try_word(word, false, true));
    found
}

/// The text without legal words and the state at its ends, so that "njpd" becomes "pd". "county" comes twice
/// to remove it from both ends.
fn strip(text: &str, states: &[String]) -> String {
    let mut text = text;
    for word in ["county", "county", "parish", "township", "twp", "village", "town", "city", "of"] {
        text = text.strip_prefix(word).or_else(|| text.strip_suffix(word)).unwrap_or(text);
    }
    for state in states.iter().filter(|state| state.len() > 1) {
        let shorter = text.strip_prefix(state.as_str()).or_else(|| text.strip_suffix(state.as_str()));
        text = shorter.filter(|rest| !rest.is_empty()).unwrap_or(text);
    }
    text.to_owned()
}
