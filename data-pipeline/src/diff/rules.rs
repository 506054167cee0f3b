//! Lists changes of states' files: rules, districts and sentences.

use platbook::{
    directory::{Directory, RuledState},
    rules::{Case, StateFile, StateRules},
    vocabulary::{Function, StateCode, bare_url},
};

use super::{Change, Kind, past_changes};

/// Compares the file of each state that the new snapshot has.
pub(super) fn changes(old: &Directory, new: &Directory) -> Vec<Change> {
    StateCode::all().filter_map(|state| change(old, new, state)).collect()
}

fn change(old: &Directory, new: &Directory, state: StateCode) -> Option<Change> {
    let row = new.state_row(state)?;
    let what = match (old.ruled_state(state), new.ruled_state(state)) {
        (None, None) => return None,
        (None, Some(_)) => vec!["has rules now".to_owned()],
        (Some(_), None) => vec!["no longer has rules".to_owned()],
        (Some(was), Some(is)) => {
            let mut what = differences(&was.file, &is.file);
            what.extend(of_past_cases((old, was), (new, is)));
            what
        }
    };
    (!what.is_empty()).then(|| Change::of(new, row, Kind::Rules, what.join("; ")))
}

fn of_past_cases(
    (old, was): (&Directory, &RuledState),
    (new, is): (&Directory, &RuledState),
) -> impl Iterator<Item = String> {
    let address = |directory: &Directory, ruled: &RuledState, number: usize| {
        let source = directory.rule_source(ruled.file.rules.state, number)?;
        Some(bare_url(directory.source(source).url))
    };
    let changes = past_changes(
        (&was.past().cases, |number| address(old, was, number)),
        (&is.past().cases, |number| address(new, is, number)),
    );
    changes.into_iter().map(|(function, what)| format!("{}: {what}", function.as_str().replace('_', " ")))
}

fn differences(was: &StateFile, is: &StateFile) -> Vec<String> {
    let of_rule = |function: &Function| rule(&was.rules, &is.rules, *function);
    let mut what: Vec<String> = Function::ALL.iter().filter_map(of_rule).collect();
    let governing =
        |rules: &StateRules| (rules.counties.clone(), rules.cousubs.clone(), rules.places.clone());
    for (is_other, words) in [
        (governing(&was.rules) != governing(&is.rules), "which areas act as governments"),
        (
            was.rules.districts != is.rules.districts || was.rules.per_county != is.rules.per_county,
            "its districts",
        ),
        (was.summary != is.summary || was.quirks != is.quirks, "the sentences about it"),
    ] {
        if is_other {
            what.push(format!("{words} changed"));
        }
    }
    what
}

/// Returns the parts of a function's rule that differ. Source numbers differ between snapshots, so they are
/// not compared.
fn rule(was: &StateRules, is: &StateRules, function: Function) -> Option<String> {
    let word = function.as_str().replace('_', " ");
    let (was, is) = match (was.rule(function), is.rule(function)) {
        (None, None) => return None,
        (None, Some(_)) => return Some(format!("{word}: has a rule now")),
        (Some(_), None) => return Some(format!("{word}: no longer has a rule")),
        (Some(was), Some(is)) => (was, is),
    };
    let without_sources = |cases: &[Case]| -> Vec<Case> {
        cases.iter().cloned().map(|case| Case { source: 0, ..case }).collect()
    };
    let cases = without_sources(&was.cases) != without_sources(&is.cases);
    let also = without_sources(&was.also) != without_sources(&is.also);
    let words = (&was.office, &was.level, &was.place_words, &was.note, &was.summary)
        != (&is.office, &is.level, &is.place_words, &is.note, &is.summary);
    match (cases || also, words) {
        (true, _) if was.cases.len() != is.cases.len() => {
            Some(format!("{word}: {} cases, were {}", is.cases.len(), was.cases.len()))
        }
        (true, _) => Some(format!("{word}: who does it, or why")),
        (false, true) => Some(format!("{word}: its words")),
        (false, false) => None,
    }
}
