//! Finds the part of a text that names a place: "a deck in Omaha", "scout Spokane County".

use super::{Search, Text, whole::Named, words::WORDS_MAX};
use crate::vocabulary::StateCode;

/// Words that precede the name of a place, one of them in Spanish.
pub(super) const LEADING: [&str; 6] = ["at", "en", "for", "in", "near", "of"];

/// The evidence that a part of a text must have to be a place: the rest of "john smith deed" is a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// A legal word in the part: "spokane county".
    LegalWord,
    /// A legal word, a state, or a preceding word: "in omaha".
    Any,
}

impl Search<'_> {
    /// The places named by the longest part of folded words that has the evidence. Of equally long parts, the last
    /// one counts.
    pub(super) fn named_in_part(
        &self,
        words: &[&str],
        state: Option<StateCode>,
        evidence: Evidence,
    ) -> Vec<Named> {
        let lengths = (1..words.len()).rev().filter(|_| words.len() <= WORDS_MAX);
        let parts = lengths
            .flat_map(|length| (0..=words.len() - length).rev().map(move |start| (start, start + length)));
        let mut named = parts.filter(|(start, end)| may_be_place(words, *start, *end)).map(|(start, end)| {
            let is_led_to = start > 0 && LEADING.contains(&words[start - 1]);
            self.named_with_evidence(&words[start..end].join(" "), state, evidence, is_led_to)
        });
        named.find(|named| !named.is_empty()).unwrap_or_default()
    }

    fn named_with_evidence(
        &self,
        part: &str,
        state: Option<StateCode>,
        evidence: Evidence,
        is_led_to: bool,
    ) -> Vec<Named> {
        let text = Text::new(part);
        if text.state().is_some() {
            return Vec::new();
        }
        let mut interpretations = text.interpretations(state);
        interpretations.retain(|one| {
            let has_state = is_led_to || (state.is_none() && one.state.is_some());
            (evidence == Evidence::Any && has_state) || one.without_legal_word().next().is_some()
        });
        self.named(&interpretations)
    }
}

/// Whether a part may be a place. No place begins with a word such as "in", or ends with one if more words follow. In
/// "a deck in Omaha", "in" does not mean Indiana.
fn may_be_place(words: &[&str], start: usize, end: usize) -> bool {
    let ends_open = end < words.len() && LEADING.contains(&words[end - 1]);
    !ends_open && !LEADING.contains(&words[start])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_does_not_break_off_before_its_place() {
        let words = ["deck", "in", "omaha"];
        for (start, end, expected) in [(0, 2, false), (1, 3, false), (2, 3, true), (0, 1, true)] {
            assert_eq!(may_be_place(&words, start, end), expected, "{:?}", &words[start..end]);
        }
        assert!(may_be_place(&["gary", "in"], 0, 2));
    }
}
