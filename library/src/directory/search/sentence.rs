//! Finds the words of a place in a sentence: "we own land in Damascus, Oregon - the city got dissolved".
//!
//! The rest of a search reads all words beside a task as one name. A sentence has more words than a name. So this
//! module tries each short run of words that has a sign of a place (`Plainness`). The plainest sign wins, then the
//! longest run, then the first.

mod several;

use std::{borrow::Cow, cmp::Reverse};

use super::{
    FoundPlaces, Interpretation, Match, Search, Text, idle_words::LEGAL_WORDS,
    interpretation::STATE_WORDS_MAX, parts::LEADING, tasks::is_task,
};
use crate::{
    directory::Directory,
    vocabulary::{Folded, StateCode, state_called},
};

/// Number of words of the longest run that is tried: "Coeur d'Alene, Kootenai County, Idaho". Chosen, not measured.
const RUN_WORDS_MAX: usize = 6;
/// Maximum number of words of a text that are read: the longest name or question has 200 characters.
const SENTENCE_WORDS_MAX: usize = 60;
/// Minimum number of people of a place whose name is not capitalized, in a text without capitals. "The house in
/// front" is not about Front. Chosen, not measured.
const PEOPLE_MIN: u32 = 5_000;
/// Minimum number of letters of a word that may misspell a state: each is compared with all states. Chosen, not
/// measured.
const MISSPELLED_LETTERS_MIN: usize = 7;
/// Further words that precede the name of a place in a sentence.
const FURTHER_LEADING: [&str; 6] = ["around", "from", "on", "or", "outside", "to"];
/// Marks that end a clause.
const CLAUSE_ENDS: [char; 10] = ['?', '!', ';', ':', '(', ')', '"', '\n', '—', '–'];
/// Codes and short forms of states that are also common words. They count only in capitals or behind a comma.
const WORDS_TOO: [&str; 20] = [
    "al", "as", "co", "de", "hi", "id", "ill", "in", "la", "ma", "mass", "me", "miss", "mo", "oh", "ok",
    "or", "pa", "so", "wash",
];

/// A word of the text.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    from: usize,
    to: usize,
    /// The mark between this word and the previous one.
    before: Mark,
    /// The state whose name the word misspells; determined only if the text names no state.
    misspelled: Option<StateCode>,
}

/// The separator of two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Blank,
    Comma,
    ClauseEnd,
}

/// A sign that a run of words names a place, the plainest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Plainness {
    /// A state stands behind the run.
    State,
    /// The run has a legal word.
    LegalWord,
    /// A word such as "in" stands before the run.
    IsLedTo,
    /// The run stands alone between marks.
    IsAlone,
    /// A clause begins with the run.
    Begins,
}

/// The words of a text that name a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceInSentence<'t> {
    /// The words as they are written, with a misspelled state corrected.
    pub words: Cow<'t, str>,
    /// Whether a state or a legal word shows that the words are a place.
    pub is_plain: bool,
}

/// A run of words, with the sign that it names a place. The plainest run is the least, then the longest, then the
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    plainness: Plainness,
    length: Reverse<usize>,
    start: usize,
}

impl Run {
    fn end(self) -> usize {
        self.start + self.length.0
    }
}

/// A text whose runs of words are looked up.
struct Sentence<'d, 't> {
    text: &'t str,
    words: Vec<Word<'t>>,
    has_capitals: bool,
    /// The state that the text names.
    stated: Option<StateCode>,
    search: Search<'d>,
}

/// The state that a sentence names; `None` without one.
pub fn state_in_sentence(text: &str) -> Option<StateCode> {
    state_in(&words_of(text))
}

impl Directory {
    /// The part of a text that most plainly names a place; `None` without one. A similar spelling before a state
    /// counts if no part has a known name.
    pub fn place_in_sentence<'t>(&self, text: &'t str) -> Option<PlaceInSentence<'t>> {
        let sentence = self.sentence(text, 1);
        let runs = sentence.runs();
        let is_place = |run: &&Run| sentence.name_of(**run).is_some();
        let is_near = |run: &&Run| sentence.is_near(**run);
        let found = runs.iter().find(is_place).or_else(|| runs.iter().find(is_near));
        found.map(|run| PlaceInSentence {
            words: sentence.written(*run),
            is_plain: run.plainness <= Plainness::LegalWord,
        })
    }

    fn sentence<'t>(&self, text: &'t str, limit: usize) -> Sentence<'_, 't> {
        let mut words = words_of(text);
        let stated = state_in(&words);
        if stated.is_none() {
            let long = words.iter_mut().filter(|word| word.text.len() >= MISSPELLED_LETTERS_MIN);
            long.for_each(|word| word.misspelled = Text::new(word.text).misspelled_state());
        }
        let has_capitals = text.chars().any(char::is_uppercase);
        Sentence { text, words, has_capitals, stated, search: self.searching(limit) }
    }
}

impl<'t> Sentence<'_, 't> {
    /// The runs that have a sign of a place, the plainest first.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = runs(&self.words).collect();
        runs.sort_unstable();
        runs
    }

    /// The words of a run as they are written, with a misspelled state corrected.
    fn written(&self, run: Run) -> Cow<'t, str> {
        let last = self.words[run.end() - 1];
        let from = self.words[run.start].from;
        match last.misspelled.filter(|_| run.length.0 > 1) {
            Some(state) => {
                let name = &self.text[from..self.words[run.end() - 2].to];
                Cow::Owned(format!("{name}, {}", state.name()))
            }
            None => Cow::Borrowed(&self.text[from..last.to]),
        }
    }

    /// The name under which a run is known, with the state of the text; `None` if no place has it.
    fn name_of(&self, run: Run) -> Option<String> {
        let (search, written) = (&self.search, self.written(run));
        let is_capital = written.starts_with(char::is_uppercase);
        let there = in_state(&written, self.stated);
        let is_place = match run.plainness {
            Plainness::State => {
                return search
                    .names_one(&Text::new(&written), |one| one.state.is_some())
                    .then(|| written.into_owned());
            }
            Plainness::LegalWord => {
                search.names_one(&Text::new(&there), |one| one.without_legal_word().next().is_some())
            }
            Plainness::IsLedTo if !is_capital => !self.has_capitals && search.names_many(&written),
            Plainness::IsLedTo | Plainness::IsAlone => is_capital && search.knows(&there),
            Plainness::Begins => is_capital && search.names_many(&there),
        };
        // The state may be that of another place in the text, unless it stands behind this one.
        let is_far = || {
            let is_large = run.plainness == Plainness::IsLedTo && search.names_many(&written);
            let is_end = self.is_led_by(run, &["from", "to"]) && search.knows(&written);
            is_capital && (is_large || is_end) && !self.has_own_state(run)
        };
        if is_place { Some(there) } else { is_far().then(|| written.into_owned()) }
    }

    /// Whether a run has a similar spelling as the name of a place in its state.
    fn is_near(&self, run: Run) -> bool {
        let written = self.written(run);
        let is_capital = !self.has_capitals || written.starts_with(char::is_uppercase);
        run.plainness == Plainness::State && is_capital && self.search.names_near(&written)
    }

    /// Whether a state stands directly behind a run: no Rivertown is meant in "Rivertown, Ohio" but that of Ohio.
    fn has_own_state(&self, run: Run) -> bool {
        (1..=STATE_WORDS_MAX).any(|more| {
            let with_state = self.words.get(run.start..run.end() + more);
            with_state
                .is_some_and(|words| words[run.length.0].before != Mark::ClauseEnd && ends_in_state(words))
        })
    }

    /// Whether one of these words stands directly before a run.
    fn is_led_by(&self, run: Run, leading: &[&str]) -> bool {
        let before = run.start.checked_sub(1).filter(|_| self.words[run.start].before == Mark::Blank);
        before.is_some_and(|at| leading.iter().any(|word| self.words[at].text.eq_ignore_ascii_case(word)))
    }
}

impl Search<'_> {
    /// Whether a reading of this kind is the whole name of a place or a named area.
    fn names_one(&self, text: &Text, is_wanted: impl Fn(&Interpretation<'_>) -> bool) -> bool {
        let mut readings = text.interpretations(None);
        readings.retain(is_wanted);
        let is_area = || !self.unlisted(&readings, &mut FoundPlaces::new(self.directory, 1)).is_empty();
        text.state().is_none() && (!self.named_in_any_way(&readings).is_empty() || is_area())
    }

    /// Whether a name is that of a place or a named area.
    fn knows(&self, name: &str) -> bool {
        self.names_one(&Text::new(name), |_| true)
    }

    /// Whether a name is spelled like the name of a place in its state.
    fn names_near(&self, name: &str) -> bool {
        let text = Text::new(name);
        let mut found = FoundPlaces::new(self.directory, 1);
        let readings = text.interpretations(None);
        readings.iter().filter(|one| one.state.is_some()).for_each(|one| self.spelled(one, &mut found));
        text.state().is_none() && !found.places.is_empty()
    }

    /// Whether a name is that of a place with many people.
    fn names_many(&self, name: &str) -> bool {
        let text = Text::new(name);
        let named = self.named_in_any_way(&text.interpretations(None));
        let mut found = FoundPlaces::new(self.directory, self.limit);
        self.add_named(named, &mut found);
        // The part of Nashville that is the first of the name has no population of its own.
        let is_large = |place: &Match| self.directory.population_of(place.row) >= PEOPLE_MIN;
        text.state().is_none() && found.places.iter().any(is_large)
    }
}

/// The words of a text, at most [`SENTENCE_WORDS_MAX`].
fn words_of(text: &str) -> Vec<Word<'_>> {
    let is_part = |letter: char| letter.is_alphanumeric() || ['\'', '’', '.', '-'].contains(&letter);
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut mark = Mark::ClauseEnd;
    let mut from = 0;
    for token in text.split_inclusive(|letter: char| !is_part(letter)) {
        let next = from + token.len();
        let word = token.trim_end_matches(|letter: char| !is_part(letter));
        let bare = word.trim_matches(['\'', '’', '-', '.']);
        if bare.is_empty() {
            // This is a dash between blanks.
            mark = if word.is_empty() { mark } else { Mark::ClauseEnd };
        } else if words.len() == SENTENCE_WORDS_MAX {
            break;
        } else {
            let at = from + (bare.as_ptr() as usize - token.as_ptr() as usize);
            words.push(Word { text: bare, from: at, to: at + bare.len(), before: mark, misspelled: None });
            // "St. Charles" and "P.A." continue after the full stop; a longer word with one ends its sentence.
            let is_whole = (bare.len() > 3 && !bare.contains('.')) || capital_state(bare).is_some();
            let ends = word.ends_with('.') && is_whole;
            mark = if ends { Mark::ClauseEnd } else { Mark::Blank };
        }
        for letter in token[word.len()..].chars() {
            mark = match letter {
                ',' if mark == Mark::Blank => Mark::Comma,
                letter if CLAUSE_ENDS.contains(&letter) => Mark::ClauseEnd,
                _ => mark,
            };
        }
        from = next;
    }
    words
}

/// The runs of words that may name a place.
fn runs<'w>(words: &'w [Word<'w>]) -> impl Iterator<Item = Run> + 'w {
    (0..words.len()).flat_map(move |start| {
        let more = words[start + 1..].iter().take(RUN_WORDS_MAX - 1);
        let longest = 1 + more.take_while(|word| word.before != Mark::ClauseEnd).count();
        (1..=longest).filter_map(move |length| {
            let plainness = plainness(words, start, start + length)?;
            Some(Run { plainness, length: Reverse(length), start })
        })
    })
}

fn plainness(words: &[Word<'_>], start: usize, end: usize) -> Option<Plainness> {
    let run = &words[start..end];
    let leading = || LEADING.iter().chain(&FURTHER_LEADING);
    let before = start.checked_sub(1).filter(|_| words[start].before == Mark::Blank).map(|at| words[at].text);
    let is_led_to = before.is_some_and(|before| leading().any(|word| before.eq_ignore_ascii_case(word)));
    let next = words.get(end).map_or(Mark::ClauseEnd, |next| next.before);
    // "Or Deschutes County" is not a county of Oregon.
    if run.iter().any(|word| is_task(word.text)) || leading().any(|word| run[0].text == *word) {
        return None;
    }
    if ends_in_state(run) {
        return Some(Plainness::State);
    }
    match run {
        [_, .., last] if is_legal(last) => Some(Plainness::LegalWord),
        [first, of, _, ..] if is_legal(first) && of.text == "of" => Some(Plainness::LegalWord),
        _ if is_led_to => Some(Plainness::IsLedTo),
        _ if words[start].before != Mark::Blank && next != Mark::Blank => Some(Plainness::IsAlone),
        _ if words[start].before == Mark::ClauseEnd => Some(Plainness::Begins),
        _ => None,
    }
}

fn is_legal(word: &Word<'_>) -> bool {
    LEGAL_WORDS.iter().chain(&["parish", "village"]).any(|legal| word.text.eq_ignore_ascii_case(legal))
}

/// Whether a run ends in words that mean a state.
fn ends_in_state(run: &[Word<'_>]) -> bool {
    if run.len() > 1 && run.last().is_some_and(|last| last.misspelled.is_some()) {
        return true;
    }
    let longest = run.len().saturating_sub(1).min(STATE_WORDS_MAX);
    (1..=longest).any(|count| {
        let state = &run[run.len() - count..];
        let folded: Vec<String> = state.iter().map(|word| joined(word.text)).collect();
        let Some((_, is_short)) = state_called(&folded) else { return false };
        let [only] = state else { return true };
        let is_capital = only.text.chars().all(|letter| letter.is_uppercase() || letter == '.');
        let is_plain = !WORDS_TOO.contains(&folded[0].as_str())
            && (!is_short || only.text.starts_with(char::is_uppercase));
        is_plain || is_capital || only.before == Mark::Comma
    })
}

/// The first state that the words name, by a code in capitals or by its full name. A full name counts only at the end
/// of a clause or behind a comma: "Washington County" names no state.
fn state_in(words: &[Word<'_>]) -> Option<StateCode> {
    let named = |start: usize| {
        let longest = STATE_WORDS_MAX.min(words.len() - start);
        (1..=longest).rev().find_map(|count| {
            let name: Vec<String> =
                words[start..start + count].iter().map(|word| joined(word.text)).collect();
            let next = words.get(start + count);
            let ends = next.is_none_or(|next| next.before != Mark::Blank);
            let is_behind_comma = words[start].before == Mark::Comma && !next.is_some_and(is_legal);
            let is_whole = name.concat().len() > 2 && (ends || is_behind_comma);
            state_called(&name).filter(|(_, is_short)| is_whole && !is_short).map(|(state, _)| state)
        })
    };
    let code = words.iter().find_map(|word| capital_state(word.text));
    code.or_else(|| (0..words.len()).find_map(named))
}

/// The folded letters of a word, without spaces.
fn joined(word: &str) -> String {
    Folded::of(word).as_str().replace(' ', "")
}

/// The state whose code is this word; `None` if the word is not in capitals.
fn capital_state(word: &str) -> Option<StateCode> {
    let is_code = word.len() == 2 && word.chars().all(|letter| letter.is_ascii_uppercase());
    word.parse().ok().filter(|_| is_code)
}

fn in_state(name: &str, state: Option<StateCode>) -> String {
    state.map_or_else(|| name.to_owned(), |state| format!("{name}, {}", state.usps()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_sentence_names_its_place() {
        let directory = testing::directory();
        for (text, place) in [
            (
                "We own land in Rivertown, Minnesota - the city got dissolved. Who zones it?",
                Some("Rivertown, Minnesota"),
            ),
            ("Rivertown MN - my street may be in Adams or Baker county", Some("Rivertown MN")),
            ("who fixes the road near rivertown minnesota, it washed out", Some("rivertown minnesota")),
            ("My dad left us a farm near Rivertown. Who signs off on it?", Some("Rivertown")),
            ("the treasurer of Adams County, or whoever collects there", Some("Adams County")),
            ("a homeowner, Rivertown - by when and where", Some("Rivertown")),
            ("Rivertown - where do I go", Some("Rivertown")),
            ("a freeze for seniors, Rivertwon Minnesota", Some("Rivertwon Minnesota")),
            ("when is the tax due in rivertown minesota, and how", Some("rivertown, Minnesota")),
            ("my lot is in Rivertown, Ohio", None),
            ("is it in or near me, or is it not", None),
            ("", None),
        ] {
            let found = directory.place_in_sentence(text).map(|found| found.words.into_owned());
            assert_eq!(found.as_deref(), place, "{text}");
        }
    }

    #[test]
    fn a_sentence_names_its_state() {
        for (text, state) in [
            ("who zones Damascus, Oregon - it was dissolved", Some("OR")),
            ("Washington County - who records deeds", None),
            ("a deed in Washington County, west virginia?", Some("WV")),
            ("my aunt in Kansas City, MO died", Some("MO")),
            ("Kyle, South Dakota Pine Ridge Reservation building permit", Some("SD")),
            ("is it in or near me, or is it not", None),
        ] {
            assert_eq!(state_in_sentence(text).map(StateCode::usps), state, "{text}");
        }
    }

    #[test]
    fn marks_part_words() {
        for (text, expected) in [
            ("St. Charles, MO. Who", "|St Charles,MO|Who"),
            ("Macon-Bibb - where? (there)", "|Macon-Bibb|where|there"),
            ("the house. It's", "|the house|It's"),
            ("a, b", "|a,b"),
            (" - ", ""),
        ] {
            let marked = words_of(text).into_iter().map(|word| {
                let mark = match word.before {
                    Mark::Blank => " ",
                    Mark::Comma => ",",
                    Mark::ClauseEnd => "|",
                };
                format!("{mark}{}", word.text)
            });
            assert_eq!(marked.collect::<String>(), expected, "{text}");
        }
    }
}
