//! Lists changes of cases that held until a day. No answer for today has them, so nothing else shows such a change.

use platbook::{
    rules::{Case, PastCase},
    vocabulary::Function,
};

/// Compares the past cases of a state, in words for each case that is new or gone. The numbers of sources differ
/// between files, so the arguments turn them into addresses.
pub fn past_changes(
    (was, was_source): (&[PastCase], impl Fn(usize) -> Option<String>),
    (is, is_source): (&[PastCase], impl Fn(usize) -> Option<String>),
) -> Vec<(Function, String)> {
    let was: Vec<_> = was.iter().map(|past| named(past, was_source(past.case.source))).collect();
    let is: Vec<_> = is.iter().map(|past| named(past, is_source(past.case.source))).collect();
    let gone = was.iter().filter(|past| !is.contains(past)).map(|past| in_words(past, "removed"));
    let new = is.iter().filter(|past| !was.contains(past)).map(|past| in_words(past, "added"));
    let mut changes: Vec<_> = gone.chain(new).collect();
    if let (true, Some((first, _))) = (changes.is_empty() && was != is, is.first().or(was.first())) {
        changes.push((first.function, "order or number of past cases changed".to_owned()));
    }
    changes
}

fn named(past: &PastCase, source: Option<String>) -> (PastCase, Option<String>) {
    (PastCase { case: Case { source: 0, ..past.case.clone() }, ..past.clone() }, source)
}

fn in_words((past, source): &(PastCase, Option<String>), what: &str) -> (Function, String) {
    let (year, month, day) = (past.until / 10_000, past.until / 100 % 100, past.until % 100);
    let (office, source) = (past.case.office.as_deref().unwrap_or("-"), source.as_deref().unwrap_or("-"));
    let why = &past.case.why;
    let words = format!("past case until {year}-{month:02}-{day:02} {what}: {office} | {why} | {source}");
    (past.function, words)
}
