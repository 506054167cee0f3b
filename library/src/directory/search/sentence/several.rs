//! Finds the places of a sentence that names several places: "I move from Ocala to Palm Bay".
//!
//! The destination of a move is meant, then the place that is named most plainly. Of places with "or" between them,
//! both are meant: "Harrisonburg or Rockingham County?" The others are named beside the answer.

use super::{Mark, Plainness, Run, Sentence};
use crate::{
    directory::{
        Directory, Match, MatchedBy, Matches, Row,
        search::several::{NamedPiece, others_of},
    },
    vocabulary::Topic,
};

/// Maximum number of places that are found in a sentence. Chosen, not measured.
const PLACES_MAX: usize = 4;
/// Words before "to" and the destination of a move.
const MOVES: [&str; 6] = ["move", "moved", "moving", "relocate", "relocated", "relocating"];
/// Maximum number of words between "or" and the place before it: "Harrisonburg - city or Rockingham County?"
const WORDS_BEFORE_OR: usize = 1;

/// A place of a sentence.
struct Named {
    run: Run,
    piece: NamedPiece,
}

impl Directory {
    /// The places of a sentence that names several, with the pages for these topics; `None` if it names fewer than two
    /// places that lie apart.
    pub fn places_in_sentence(&self, text: &str, topics: &[Topic], limit: usize) -> Option<Matches> {
        let sentence = self.sentence(text, limit);
        let mut named = sentence.named(topics);
        if named.len() < 2 {
            return None;
        }
        let first = named.remove(sentence.meant(&named));
        named.sort_by_key(|other| other.run.start);
        // "Bend or Deschutes County?" is about both, although one lies in the other.
        let is_choice = |other: &Named| {
            sentence.is_alternative(first.run, other.run) && !self.are_one(&first.piece, &other.piece)
        };
        let second = named.iter().position(is_choice).map(|at| named.remove(at));
        named.retain(|other| !self.are_together(&first.piece, &other.piece));
        if named.is_empty() && second.is_none() {
            return None;
        }
        let mut both = [Some(&first), second.as_ref()].into_iter().flatten().collect::<Vec<_>>();
        both.sort_by_key(|one| one.run.start);
        let rows: Vec<Row> = match both[..] {
            [only] => only.piece.rows.clone(),
            _ => both.iter().filter_map(|one| one.piece.rows.first().copied()).collect(),
        };
        let others: Vec<NamedPiece> = named.into_iter().map(|other| other.piece).collect();
        let places = rows.into_iter().take(limit).map(|row| Match { row, matched_by: MatchedBy::Words });
        let places: Vec<Match> = places.collect();
        Some(Matches {
            resources: self.pages_for(&places, topics, limit),
            places,
            topics: topics.to_vec(),
            others: others_of(self, &first.piece, &others),
            are_alternatives: second.is_some(),
            is_part: true,
            ..Matches::default()
        })
    }

    /// Whether two names are first of all of one government.
    fn are_one(&self, one: &NamedPiece, other: &NamedPiece) -> bool {
        let firsts = one.rows.first().zip(other.rows.first());
        firsts.is_none_or(|(one, other)| self.is_same(*one, *other))
    }

    /// Whether one of two names may be of a place around the other place, or of the same government: "St. Louis - I live
    /// in the county, in Kirkwood".
    fn are_together(&self, one: &NamedPiece, other: &NamedPiece) -> bool {
        let lies_in = |inner: &NamedPiece, outer: &NamedPiece| {
            let Some(row) = inner.rows.first().copied() else { return true };
            let around = self.scope_of(row).into_iter().flat_map(|scope| scope.rows().collect::<Vec<_>>());
            let mut around = around.chain(self.counties_of_place(row)).chain([row]);
            around.any(|row| outer.rows.iter().any(|outer| self.is_same(row, *outer)))
        };
        lies_in(one, other) || lies_in(other, one)
    }
}

impl Sentence<'_, '_> {
    /// The places that have the name of a run, the plainest first. No two runs share a word.
    fn named(&self, topics: &[Topic]) -> Vec<Named> {
        let mut found: Vec<Named> = Vec::new();
        for run in self.runs() {
            let is_taken =
                found.iter().any(|other| run.start < other.run.end() && other.run.start < run.end());
            if is_taken || !self.may_stand_beside(run) {
                continue;
            }
            // A community has no row. Its words are taken all the same: in "to Fort Stewart", "Fort" is no place.
            let Some(name) = self.name_of(run) else { continue };
            let piece = NamedPiece { rows: self.search.rows_named(&name, None), topics: topics.to_vec() };
            found.push(Named { run, piece });
            if found.len() == PLACES_MAX {
                break;
            }
        }
        found.retain(|one| !one.piece.rows.is_empty());
        let mut pieces: Vec<NamedPiece> = found.iter().map(|one| one.piece.clone()).collect();
        // People move from one state to another: Illinois has a Nashville, too.
        if !found.iter().any(|one| self.is_led_by(one.run, &["from"])) {
            self.search.keep_common_states(&mut pieces);
        }
        found.iter_mut().zip(pieces).for_each(|(one, piece)| one.piece = piece);
        found
    }

    /// Whether a run may be one of several places. A name such as "Hope" has to be of a place with many people; at the
    /// beginning of a clause, "or" has to follow.
    fn may_stand_beside(&self, run: Run) -> bool {
        let last = self.words[run.end() - 1].text;
        // In "I live in Bend or Redmond", Bend is not in Oregon.
        let ends = !self.has_capitals || last.starts_with(char::is_uppercase);
        match run.plainness {
            Plainness::State | Plainness::LegalWord => true,
            Plainness::IsLedTo if run.length.0 > 1 => ends,
            Plainness::IsLedTo | Plainness::IsAlone => ends && self.search.names_many(&self.written(run)),
            Plainness::Begins => self.words.get(run.end()).is_some_and(|next| next.text == "or"),
        }
    }

    /// The index of the place that the text asks about.
    fn meant(&self, named: &[Named]) -> usize {
        let is_from = |one: &&Named| self.is_led_by(one.run, &["from"]) && !self.is_distance(one.run);
        let has_from = named.iter().any(|one| is_from(&one));
        let is_to = |one: &Named| self.is_led_by(one.run, &["to"]) && (has_from || self.is_move(one.run));
        let to = named.iter().position(is_to);
        to.or_else(|| named.iter().position(|one| !is_from(&one))).unwrap_or(0)
    }

    /// Whether a word for a move stands before "to" and a run.
    fn is_move(&self, run: Run) -> bool {
        let verb = run.start.checked_sub(2).map(|at| self.words[at].text);
        verb.is_some_and(|verb| MOVES.iter().any(|known| verb.eq_ignore_ascii_case(known)))
    }

    /// Whether "from" before a run belongs to a distance: "20 miles from Bozeman".
    fn is_distance(&self, run: Run) -> bool {
        let far = run.start.checked_sub(2).map(|at| self.words[at].text);
        far.is_some_and(|far| ["hour", "hours", "mi", "miles", "minutes"].contains(&far))
    }

    /// Whether "or" stands between two places.
    fn is_alternative(&self, one: Run, other: Run) -> bool {
        let (before, behind) = if one.start < other.start { (one, other) } else { (other, one) };
        let between = &self.words[before.end()..behind.start];
        let is_of_one_clause = self.words[behind.start].before == Mark::Blank;
        let is_or = between.last().is_some_and(|word| word.text.eq_ignore_ascii_case("or"));
        is_or && is_of_one_clause && between.len() <= WORDS_BEFORE_OR + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_sentence_names_several_places() {
        let directory = testing::directory();
        for (text, places, others) in [
            ("a freeze when we move from Adams County to Baker County", "Baker County", "Adams County"),
            ("we move to Baker County from Adams County, who taxes us", "Baker County", "Adams County"),
            ("is it Adams County or Baker County?", "Adams County, Baker County", ""),
            ("land in Adams County, and I live in Baker County", "Adams County", "Baker County"),
            ("do I live in Rivertown or Adams County?", "Rivertown, Adams County", ""),
            ("my lot in Rivertown, Adams County", "", ""),
            ("land in Adams County", "", ""),
            ("", "", ""),
        ] {
            let found = directory.places_in_sentence(text, &[], 10).unwrap_or_default();
            let names = |rows: Vec<Row>| {
                rows.into_iter().map(|row| directory.name_of(row)).collect::<Vec<_>>().join(", ")
            };
            let shown = (
                names(found.places.iter().map(|place| place.row).collect()),
                names(found.others.iter().map(|other| other.row).collect()),
            );
            assert_eq!(shown, (places.to_owned(), others.to_owned()), "{text}");
        }
    }
}
