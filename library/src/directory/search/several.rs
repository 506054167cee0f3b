//! Finds the places of a text that names several places: "assessor of Ada and Bannock counties".
//!
//! A text is read in this way only if it is not one name, as "King and Queen County" is. Each part must be the whole
//! name of a place. A state or a plural legal word of one part also applies to the others.

use std::collections::BTreeSet;

use super::{FoundPlaces, Piece, Search, Text, idle_words::PLURALS, interpretation::stated};
use crate::{
    directory::{Directory, OtherPlace, Row},
    vocabulary::{StateCode, Topic, TopicSet},
};

/// Maximum number of parts that are looked up. Each takes up to some 50 us. Chosen, not measured.
const PIECES_MAX: usize = 12;

/// The places of a text that names several places.
pub(super) struct Several {
    /// The first place, with more than one row if several places have its name.
    pub(super) first: Vec<Row>,
    /// The topics of the tasks at the first place.
    pub(super) topics: Vec<Topic>,
    /// The other places, in the order of the text.
    pub(super) others: Vec<OtherPlace>,
    /// Whether a part of the text was not found.
    pub(super) has_more: bool,
}

/// A part of a text, with the places that have its name.
#[derive(Clone)]
pub(super) struct NamedPiece {
    pub(super) rows: Vec<Row>,
    pub(super) topics: Vec<Topic>,
}

impl Search<'_> {
    /// The places of the pieces; `None` if fewer than `known_min` pieces name a place. With `needs_evidence`, each
    /// piece must have a state or a legal word: without a task, "Jackson and Tyler" may be people.
    pub(super) fn several(
        &self,
        pieces: &[Piece],
        state: Option<StateCode>,
        known_min: usize,
        needs_evidence: bool,
    ) -> Option<Several> {
        let mut has_more = pieces.len() > PIECES_MAX;
        let pieces = in_singular(pieces.iter().take(PIECES_MAX).cloned().collect());
        let pieces = self.joined_at_commas(pieces, state);
        if pieces.len() < 2 {
            return None;
        }
        let states: Vec<Option<StateCode>> = pieces.iter().map(|piece| own_state(&piece.words)).collect();
        let mut found: Vec<NamedPiece> = Vec::new();
        for (at, piece) in pieces.into_iter().enumerate() {
            let near = states[at..].iter().chain(states[..at].iter().rev()).find_map(|state| *state);
            // A state of another piece also applies to this one: "union taxes Groton, CT" is not about Union in New
            // Jersey.
            let rows = self.rows_named(&piece.words, state.or(near));
            let is_sure =
                !needs_evidence || near.is_some() || state.is_some() || has_legal_word(&piece.words);
            match rows.is_empty() || !is_sure {
                true => has_more = true,
                false => found.push(NamedPiece { rows, topics: piece.topics }),
            }
        }
        self.keep_common_states(&mut found);
        let (first, others) = found.split_first().filter(|_| found.len() >= known_min)?;
        Some(Several {
            first: first.rows.clone(),
            topics: first.topics.clone(),
            others: others_of(self.directory, first, others),
            has_more,
        })
    }

    /// Joins a piece after a comma to the previous one if both are one name: "Reno, Nevada", "Boise, Ada County".
    fn joined_at_commas(&self, pieces: Vec<Piece>, state: Option<StateCode>) -> Vec<Piece> {
        let mut joined: Vec<Piece> = Vec::new();
        for piece in pieces {
            if let Some(before) = joined.last_mut().filter(|_| piece.is_after_comma) {
                let both = format!("{}, {}", before.words, piece.words);
                // "Minneapolis, TX" is joined although no place has this name: it does not mean Minneapolis and Texas.
                let is_state = |words: &str| Text::new(words).state().is_some();
                let is_its_state = is_state(&piece.words) && !is_state(&before.words);
                if is_its_state || !self.rows_named(&both, state).is_empty() {
                    before.words = both;
                    continue;
                }
            }
            joined.push(piece);
        }
        joined
    }

    /// The state or the places of exactly this name, best first.
    pub(super) fn rows_named(&self, name: &str, state: Option<StateCode>) -> Vec<Row> {
        let text = Text::new(name);
        let mut found = FoundPlaces::new(self.directory, self.limit);
        if let Some(named) = text.state() {
            return self.directory.state_row(named).into_iter().collect();
        }
        self.add_named(self.named_in_any_way(&text.interpretations(state)), &mut found);
        found.places.into_iter().map(|place| place.row).collect()
    }

    /// Keeps the places in states that have a place of each piece, if there are such states.
    pub(super) fn keep_common_states(&self, found: &mut [NamedPiece]) {
        let states = |piece: &NamedPiece| -> BTreeSet<StateCode> {
            piece.rows.iter().filter_map(|row| self.directory.state_of(*row)).collect()
        };
        let common = found.iter().map(states).reduce(|all, own| &all & &own).unwrap_or_default();
        if !common.is_empty() {
            let is_there =
                |row: &Row| self.directory.state_of(*row).is_some_and(|state| common.contains(&state));
            found.iter_mut().for_each(|piece| piece.rows.retain(is_there));
        }
    }
}

/// The best place of each further piece, each government once.
pub(super) fn others_of(directory: &Directory, first: &NamedPiece, others: &[NamedPiece]) -> Vec<OtherPlace> {
    let mut known: Vec<OtherPlace> = Vec::new();
    for piece in others {
        let Some(row) = piece.rows.first().copied() else { continue };
        let is_same = |other: Row| directory.is_same(other, row);
        let topics: TopicSet = piece.topics.iter().copied().collect();
        let is_first = first.rows.iter().any(|row| is_same(*row)) && piece.topics == first.topics;
        if !is_first && !known.iter().any(|other| is_same(other.row) && other.topics == topics) {
            known.push(OtherPlace { row, topics });
        }
    }
    known
}

fn own_state(words: &str) -> Option<StateCode> {
    let text = Text::new(words);
    text.state().or_else(|| stated(&text.interpretations(None)))
}

fn has_legal_word(words: &str) -> bool {
    Text::new(words).interpretations(None).iter().any(|one| one.without_legal_word().next().is_some())
}

/// The pieces with a plural legal word replaced by the singular at each: "ada", "bannock counties" are "ada county",
/// "bannock county".
fn in_singular(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let word = pieces.iter_mut().find_map(|piece| {
        let (words, word) = without_plural(&piece.words)?;
        piece.words = words;
        Some(word)
    });
    let Some(word) = word else { return pieces };
    for piece in pieces.iter_mut().filter(|piece| !has_legal_word(&piece.words)) {
        piece.words = format!("{} {word}", piece.words);
    }
    pieces
}

/// Replaces a plural legal word behind a name by the singular ("bannock counties idaho"), and removes one before a
/// name ("counties of ada"). Also returns the singular. `None` without a plural legal word.
fn without_plural(words: &str) -> Option<(String, &'static str)> {
    let words: Vec<&str> = words.split(' ').collect();
    let (at, word) = words.iter().enumerate().find_map(|(at, word)| {
        let (_, one) = PLURALS.iter().find(|(several, _)| several == word)?;
        Some((at, *one))
    })?;
    let rest = match (&words[..at], &words[at + 1..]) {
        ([], ["of" | "de", name @ ..]) if !name.is_empty() => name.join(" "),
        ([], _) => return None,
        (name, rest) => [name, &[word], rest].concat().join(" "),
    };
    Some((rest, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plural_holds_for_each_piece() {
        for (pieces, expected) in [
            (&["ada", "bannock counties"][..], "ada county, bannock county"),
            (&["counties of ada", "bannock"], "ada county, bannock county"),
            (&["condados de broward", "orange"], "broward county, orange county"),
            (&["bend", "redmond"], "bend, redmond"),
            (&["cities"], "cities"),
            (&["adams", "clark counties idaho"], "adams county, clark county idaho"),
        ] {
            let piece = |words: &&str| Piece {
                topics: Vec::new(),
                words: (*words).to_owned(),
                is_after_comma: false,
            };
            let read = in_singular(pieces.iter().map(piece).collect());
            let words: Vec<String> = read.into_iter().map(|piece| piece.words).collect();
            assert_eq!(words.join(", "), expected);
        }
    }
}
