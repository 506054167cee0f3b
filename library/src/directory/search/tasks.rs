//! Reads the tasks of a text, and the words beside them: "zoning and permits in Bend OR".
//!
//! Each word is folded and keeps its position in the text. Phrases of the tables in `job_words.rs` are marked, the
//! longest first. The words between phrases, without idle ones at both ends, may be a place. Reading needs no
//! directory, and takes time in proportion to the text.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use super::{
    idle_words::{BETWEEN, ENDS, IDLE_BEFORE, IDLE_WORDS, LEGAL_WORDS, THINGS},
    interpretation::STATE_WORDS_MAX,
    job_words::{AGENCIES, JOBS, TITLES},
    relief_words::{APPEALS, RELIEF},
    spanish::{ARTICLES, SPANISH_BETWEEN, SPANISH_DIRECTIONS, SPANISH_IDLE, SPANISH_JOBS},
};
use crate::vocabulary::{Folded, Spelling, Topic, has_phrase, state_called};

/// Minimum number of letters of a job word that may have a slip. Chosen, not measured.
const SLIP_LETTERS_MIN: usize = 7;
/// Maximum number of words of a text that are checked for a misspelled task. Each is compared with about a hundred
/// phrases. Chosen, not measured.
const SLIP_WORDS_MAX: usize = 24;
/// Number of words of the longest phrase; a test checks it.
const PHRASE_WORDS_MAX: usize = 5;
/// Maximum number of phrases that are tried as the only task of a text: "zoning register ga" is about Register in
/// Georgia. Chosen, not measured.
const ALONE_MAX: usize = 3;
/// Phrases for the tax itself. The next two lists have words between a relief and its tax: "exemption from my
/// property tax".
const TAXES: [&str; 4] = ["property tax", "property taxes", "tax", "taxes"];
const LED_TO_TAXES: [&str; 5] = ["against", "for", "from", "of", "on"];
const OWNERS: [&str; 4] = ["his", "my", "our", "the"];
/// Phrases for the value that a tax rests on: "protest my valuation".
const VALUES: [&str; 2] = ["property valuation", "valuation"];
/// Marks that separate tasks or places.
const SEPARATORS: [char; 4] = [',', ';', '/', '|'];

/// A folded word, and the part of the text that it comes from.
#[derive(Debug)]
struct Word {
    folded: String,
    from: usize,
    to: usize,
    /// Whether a separator stands before the word.
    is_first: bool,
}

/// The words of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Phrase {
    start: usize,
    end: usize,
    topic: Topic,
}

/// A text with at least one task.
#[derive(Debug)]
pub struct Tasks<'t> {
    text: &'t str,
    words: Vec<Word>,
    /// The longest phrase first, and equally long phrases in the order of the text.
    phrases: Vec<Phrase>,
    idle: Idle,
}

/// One way to read a text with tasks: its tasks, and the other words as one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TaskReading {
    /// The topics of the tasks, the most certain first.
    pub(super) topics: Vec<Topic>,
    /// The other words, to be read as the name of a place; empty if the text names no place.
    pub(super) place: String,
    /// The other words with the Spanish article before them; `None` without an article.
    pub(super) with_article: Option<String>,
}

/// Words that may name one of several places, with the tasks there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The topics of the tasks at the place; empty if the text has no task.
    pub(super) topics: Vec<Topic>,
    /// The words of the piece, folded and joined by spaces.
    pub(super) words: String,
    /// Whether only a separator stands before the piece, so that it may belong to the previous one: "Reno, Nevada".
    pub(super) is_after_comma: bool,
}

/// The agency whose short name is in a text: its topic, and the place that it serves.
pub(super) fn agency_in(text: &str) -> Option<(Topic, &'static str)> {
    let folded = Folded::of(text);
    let named = AGENCIES.iter().find(|(name, ..)| folded.words().any(|word| word == *name));
    named.map(|(_, topic, place)| (*topic, *place))
}

impl<'t> Tasks<'t> {
    /// Reads the tasks of a text; `None` for a text without a task.
    pub fn read(text: &'t str) -> Option<Tasks<'t>> {
        let words = words_of(text);
        let phrases = phrases_in(&words);
        let is_spanish = phrases.iter().any(|phrase| {
            let name = joined(&words[phrase.start..phrase.end]);
            SPANISH_JOBS.iter().any(|(known, _)| *known == name)
        });
        let idle = if is_spanish { SPANISH } else { ENGLISH };
        (!phrases.is_empty()).then_some(Tasks { text, words, phrases, idle })
    }

    /// The topics of all tasks, each once, the most certain first.
    pub fn topics(&self) -> Vec<Topic> {
        topics_of(&self.phrases)
    }

    /// Whether the text names nothing but tasks.
    pub fn is_alone(&self) -> bool {
        self.runs(&self.phrases).is_empty()
    }

    /// For each way to read the tasks, the parts of the text beside them, as they are written.
    pub fn rest(&self) -> impl Iterator<Item = (Vec<Topic>, Vec<&'t str>)> {
        self.ways().rev().map(|phrases| {
            let runs = self.runs(phrases).into_iter();
            let parts = runs.filter_map(|run| {
                let words = &self.words[run.words];
                Some(&self.text[words.first()?.from..words.last()?.to])
            });
            (topics_of(phrases), parts.collect())
        })
    }

    /// The ways to read the tasks: each of the likeliest phrases alone, then all of them.
    fn ways(&self) -> impl DoubleEndedIterator<Item = &[Phrase]> {
        let alone = if self.phrases.len() > 1 { ALONE_MAX.min(self.phrases.len()) } else { 0 };
        self.phrases[..alone].chunks(1).chain([&self.phrases[..]])
    }

    /// The readings that leave words for a place, in the order of [`Self::ways`].
    pub(super) fn readings(&self) -> Vec<TaskReading> {
        let readings = self.ways().map(|phrases| {
            let runs = self.runs(phrases);
            let with_article = match &runs[..] {
                [run] => self.article_before(run).map(|at| self.joined(at..run.words.end)),
                _ => None,
            };
            let place: Vec<String> = runs.iter().map(|run| self.joined(run.words.clone())).collect();
            TaskReading { topics: topics_of(phrases), place: place.join(" "), with_article }
        });
        readings.filter(|reading| !reading.place.is_empty()).collect()
    }

    /// Whether a task is an auditor's, whose job differs between states.
    pub(super) fn is_auditor(&self) -> bool {
        self.phrases.iter().any(|phrase| self.joined(phrase.start..phrase.end) == "auditor")
    }

    /// The title of an office that only some states have, folded; `None` if the text has none.
    pub(super) fn title(&self) -> Option<&'static str> {
        let names = self.phrases.iter().map(|phrase| self.joined(phrase.start..phrase.end));
        let names: Vec<String> = names.collect();
        let is_typed = |title: &str| names.iter().any(|name| has_phrase(name, title));
        TITLES.iter().find(|(title, _)| is_typed(title)).map(|(_, meant)| *meant)
    }

    /// The parts that may each name a place, in the order of the text, with the tasks that stand beside them.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let mut phrases: Vec<Phrase> = self.phrases.clone();
        phrases.sort_by_key(|phrase| phrase.start);
        let mut items: Vec<(usize, Item)> =
            phrases.iter().map(|phrase| (phrase.start, Item::Task(phrase.topic))).collect();
        for run in self.runs(&self.phrases) {
            items
                .extend(self.idle.pieces(&self.words, run.words).map(|(at, piece)| (at, Item::Place(piece))));
        }
        items.sort_by_key(|(at, _)| *at);
        with_tasks(items.into_iter().map(|(_, item)| item).collect())
    }

    /// The words between phrases, without idle words at both ends; empty ones are left out.
    fn runs(&self, phrases: &[Phrase]) -> Vec<Run> {
        let mut sorted = phrases.to_vec();
        sorted.sort_by_key(|phrase| phrase.start);
        let mut runs = Vec::new();
        let mut before: Option<Phrase> = None;
        for next in sorted.into_iter().map(Some).chain([None]) {
            let from = before.map_or(0, |phrase| phrase.end);
            let run = self.run(from, before, next);
            if !run.is_empty() {
                runs.push(Run { from, words: run });
            }
            before = next;
        }
        runs
    }

    fn run(&self, from: usize, before: Option<Phrase>, next: Option<Phrase>) -> Range<usize> {
        let to = next.map_or(self.words.len(), |phrase| phrase.start);
        let mut run = self.idle.trimmed(&self.words, from..to);
        // The legal word stays with the name before it: "St. Louis County recorder" is not about the city.
        if let Some(legal) = self.words.get(to).filter(|word| LEGAL_WORDS.contains(&word.as_str()))
            && takes_legal_word(&self.words[run.clone()], legal)
        {
            run = self.idle.trimmed(&self.words, from..to + 1);
        }
        // "What county is Naperville in" does not mean Indiana.
        let asks =
            before.is_some_and(|phrase| ["what", "which"].contains(&self.words[phrase.start].as_str()));
        if asks && run.len() > 1 && self.words[run.end - 1].folded == "in" {
            run.end -= 1;
        }
        // "Zoning or permits" does not mean Oregon.
        let is_or = run.len() == 1 && self.words[run.start].folded == "or";
        if (is_or && before.is_some() && next.is_some()) || self.idle.are_things(&self.words[run.clone()]) {
            return run.start..run.start;
        }
        run
    }

    /// The position of a Spanish article before a run; the article may belong to the run's name: "los angeles".
    fn article_before(&self, run: &Run) -> Option<usize> {
        let at = run.words.start.checked_sub(1).filter(|at| *at >= run.from)?;
        ARTICLES.contains(&self.words[at].as_str()).then_some(at)
    }

    fn joined(&self, range: Range<usize>) -> String {
        joined(&self.words[range])
    }
}

/// The parts of a text without a task that may each name a place.
pub(super) fn pieces_of(text: &str) -> Vec<Piece> {
    let words = words_of(text);
    let all = ENGLISH.trimmed(&words, 0..words.len());
    ENGLISH.pieces(&words, all).map(|(_, piece)| piece).collect()
}

/// Words between two phrases.
struct Run {
    /// The end of the phrase before the run.
    from: usize,
    words: Range<usize>,
}

/// A part of a text with tasks.
enum Item {
    Task(Topic),
    Place(Piece),
}

/// Gives each piece its tasks: in a text that begins with a task, the tasks before the piece, otherwise those after
/// it.
fn with_tasks(mut items: Vec<Item>) -> Vec<Piece> {
    let begins_with_task = matches!(items.first(), Some(Item::Task(_)));
    if !begins_with_task {
        items.reverse();
    }
    let (mut group, mut is_open): (Vec<Topic>, bool) = (Vec::new(), false);
    let mut pieces: Vec<Piece> = Vec::new();
    for item in items {
        match item {
            Item::Task(topic) => {
                if !is_open {
                    group.clear();
                }
                is_open = true;
                group.push(topic);
            }
            Item::Place(piece) => {
                is_open = false;
                pieces.push(Piece { topics: group.clone(), ..piece });
            }
        }
    }
    if let (true, Some(last)) = (is_open, pieces.last_mut()) {
        last.topics.append(&mut group);
    }
    if !begins_with_task {
        pieces.reverse();
    }
    let known = pieces.iter().find(|piece| !piece.topics.is_empty()).map(|piece| piece.topics.clone());
    let without = pieces.iter_mut().filter(|piece| piece.topics.is_empty());
    without.for_each(|piece| piece.topics = known.clone().unwrap_or_default());
    pieces.iter_mut().for_each(|piece| keep_first_of_each(&mut piece.topics));
    pieces
}

fn keep_first_of_each(topics: &mut Vec<Topic>) {
    let mut seen = Vec::new();
    topics.retain(|topic| {
        !seen.contains(topic) && {
            seen.push(*topic);
            true
        }
    });
}

/// The topics of phrases, each once. The first phrase is the most certain; the others follow in the order of the
/// text.
fn topics_of(phrases: &[Phrase]) -> Vec<Topic> {
    let Some((first, others)) = phrases.split_first() else { return Vec::new() };
    let mut others = others.to_vec();
    others.sort_by_key(|phrase| phrase.start);
    let mut topics: Vec<Topic> = [*first].iter().chain(&others).map(|phrase| phrase.topic).collect();
    keep_first_of_each(&mut topics);
    // "Appeal the value of my house" is about the appeal, even if another phrase is longer.
    let at = |wanted: Topic| topics.iter().position(|topic| *topic == wanted);
    if let (Some(value), Some(appeal)) = (at(Topic::Assessor), at(Topic::Appeals))
        && value < appeal
    {
        topics.swap(value, appeal);
    }
    topics
}

/// Whether a legal word belongs to the words before it. It does not if they are a state, a ZIP code, an address or
/// coordinates.
fn takes_legal_word(words: &[Word], legal: &Word) -> bool {
    let [first, .., last] = words else { return words.first().is_some_and(|word| !word.is_number()) };
    let ends = (1..words.len().min(STATE_WORDS_MAX + 1)).map(|count| &words[words.len() - count..]);
    let mut states =
        ends.filter(|end| state_called(&end.iter().map(Word::as_str).collect::<Vec<_>>()).is_some());
    last.folded != legal.folded && !first.is_number() && !last.is_number() && states.next().is_none()
}

fn joined(words: &[Word]) -> String {
    words.iter().map(Word::as_str).collect::<Vec<_>>().join(" ")
}

impl Word {
    fn as_str(&self) -> &str {
        &self.folded
    }

    fn is_number(&self) -> bool {
        self.folded.starts_with(|letter: char| letter.is_ascii_digit())
    }
}

/// The folded words of a text. Some text between blanks has several: "Miami-Dade".
fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut from, mut is_first) = (0, true);
    for token in text.split(|letter: char| letter.is_whitespace() || SEPARATORS.contains(&letter)) {
        let to = from + token.len();
        for folded in Folded::of(token).words() {
            words.push(Word { folded: folded.to_owned(), from, to, is_first: std::mem::take(&mut is_first) });
        }
        let after = text[to..].chars().next();
        is_first |= after.is_some_and(|letter| SEPARATORS.contains(&letter));
        from = to + after.map_or(0, char::len_utf8);
    }
    words
}

/// The topic of each phrase.
static TOPICS: LazyLock<HashMap<&str, Topic>> =
    LazyLock::new(|| english_jobs().chain(SPANISH_JOBS).copied().collect());

/// The English phrases of all jobs.
fn english_jobs() -> impl Iterator<Item = &'static (&'static str, Topic)> {
    JOBS.iter().chain(APPEALS).chain(RELIEF)
}

/// Whether a word, as written, is a task by itself: "Recorder".
pub(super) fn is_task(word: &str) -> bool {
    TOPICS.contains_key(Folded::of(word).as_str())
}

/// The phrases of a text, the longest first, none within another. Without a phrase, the first word that has a slip.
fn phrases_in(words: &[Word]) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut is_taken = vec![false; words.len()];
    for count in (1..=PHRASE_WORDS_MAX.min(words.len())).rev() {
        for start in 0..=words.len() - count {
            let end = start + count;
            let is_parted = words[start + 1..end].iter().any(|word| word.is_first);
            if is_parted || is_taken[start..end].contains(&true) {
                continue;
            }
            if let Some(topic) = TOPICS.get(joined(&words[start..end]).as_str()) {
                is_taken[start..end].fill(true);
                phrases.push(Phrase { start, end, topic: *topic });
            }
        }
    }
    if phrases.is_empty() {
        let mut slips = words.iter().enumerate().take(SLIP_WORDS_MAX);
        let slip = slips.find_map(|(start, word)| Some((start, misspelled_job(&word.folded)?)));
        phrases.extend(slip.map(|(start, topic)| Phrase { start, end: start + 1, topic }));
    }
    join_taxes(words, &mut phrases);
    phrases
}

/// Gives the phrase of a tax the topic of the relief or appeal that it follows, and adds the words between them to
/// it. So "senior freeze on property taxes" does not ask how to pay. A value follows an appeal in the same way.
fn join_taxes(words: &[Word], phrases: &mut [Phrase]) {
    let ends: Vec<(usize, Topic)> = phrases.iter().map(|phrase| (phrase.end, phrase.topic)).collect();
    let topic_before = |end: usize| ends.iter().find(|(at, _)| *at == end).map(|(_, topic)| *topic);
    let is_one = |at: usize, known: &[&str]| at > 0 && known.contains(&words[at - 1].as_str());
    for phrase in phrases.iter_mut() {
        let name = joined(&words[phrase.start..phrase.end]);
        let end = phrase.start - usize::from(is_one(phrase.start, &OWNERS));
        let led = is_one(end, &LED_TO_TAXES).then(|| end - 1);
        let of = match () {
            () if TAXES.contains(&name.as_str()) => led,
            () if VALUES.contains(&name.as_str()) => led.or(Some(end)),
            () => None,
        };
        let topic = of.and_then(topic_before);
        let is_value = phrase.topic == Topic::Assessor;
        if let (Some(start), Some(topic @ (Topic::Exemptions | Topic::Appeals))) = (of, topic)
            && (topic == Topic::Appeals || !is_value)
        {
            *phrase = Phrase { start, topic, ..*phrase };
        }
    }
}

/// The topic of a job word with one slip.
fn misspelled_job(word: &str) -> Option<Topic> {
    let is_long = |text: &str| text.len() >= SLIP_LETTERS_MIN;
    let spelling = Spelling::new(word, 1).filter(|_| is_long(word))?;
    let mut phrases = english_jobs().filter(|(phrase, _)| is_long(phrase));
    phrases.find(|(phrase, _)| spelling.slips_to(phrase).is_some()).map(|(_, topic)| *topic)
}

/// Words without meaning around a task or a place, in one language.
#[derive(Clone, Copy, Debug)]
struct Idle {
    /// Words without meaning before a place. After a place, only those of [`ENDS`] may have a meaning.
    before: &'static [&'static str],
    /// Words without meaning before or after a place.
    both: &'static [&'static str],
    /// Words between two tasks or places.
    between: &'static [&'static str],
    /// Words of direction after "al": "al norte de Bend".
    directions: &'static [&'static str],
}

const ENGLISH: Idle = Idle { before: &IDLE_BEFORE, both: &IDLE_WORDS, between: &BETWEEN, directions: &[] };
const SPANISH: Idle =
    Idle { before: &[], both: &SPANISH_IDLE, between: &SPANISH_BETWEEN, directions: &SPANISH_DIRECTIONS };

impl Idle {
    /// The range of words without the words at both ends that have no meaning.
    fn trimmed(self, words: &[Word], range: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = range;
        while start < end {
            let word = words[start].as_str();
            if word == "al" && start + 2 < end && self.directions.contains(&words[start + 1].as_str()) {
                start += 2;
            } else if self.both.contains(&word) || self.before.contains(&word) {
                start += 1;
            } else {
                break;
            }
        }
        let is_idle_at_end =
            |word: &str| self.both.contains(&word) || (self.before.contains(&word) && !ENDS.contains(&word));
        while start < end && is_idle_at_end(words[end - 1].as_str()) {
            end -= 1;
        }
        start..end
    }

    /// Whether the words name only things that are taxed or built. "House and car taxes" is not about House, New Mexico.
    fn are_things(self, words: &[Word]) -> bool {
        let is_thing = |word: &Word| {
            let word = word.as_str();
            THINGS.contains(&word) || self.both.contains(&word) || self.between.contains(&word)
        };
        words.iter().all(is_thing)
    }

    /// The parts of a run between separators or words such as "and", each with its position in the text.
    fn pieces(self, words: &[Word], run: Range<usize>) -> impl Iterator<Item = (usize, Piece)> {
        let is_between = move |at: usize| self.between.contains(&words[at].as_str());
        let starts_part = move |at: usize| at > run.start && (words[at].is_first || is_between(at));
        let mut starts: Vec<usize> = run.clone().filter(|at| *at == run.start || starts_part(*at)).collect();
        starts.push(run.end);
        let parts: Vec<Range<usize>> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
        parts.into_iter().filter_map(move |part| {
            let is_after_comma = words.get(part.start)?.is_first && !is_between(part.start);
            let part = self.trimmed(words, part);
            let piece = Piece { topics: Vec::new(), words: joined(&words[part.clone()]), is_after_comma };
            (!part.is_empty()).then_some((part.start, piece))
        })
    }
}

#[cfg(test)]
mod tests;
