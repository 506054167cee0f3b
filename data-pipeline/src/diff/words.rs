//! Writes the report for people: totals first, then each state with examples.

use std::fmt::Write as _;

use platbook::words::thousands;

use super::{Diff, Edition, Kind, KindDiff, KindTotal, StateDiff};

/// Kinds in the order of a report, each with words for its count.
const KINDS: [(Kind, &str); 5] = [
    (Kind::Jurisdictions, "governments and areas new, gone or renamed"),
    (Kind::Borders, "outlines new, gone or moved"),
    (Kind::Offices, "governments with a job that another body or office does"),
    (Kind::Rules, "states with other rules or sentences"),
    (Kind::Links, "governments with web pages new or gone"),
];

/// Maximum length of a line about one change, in characters. Chosen, not measured.
const LINE_MAX: usize = 240;

impl Diff {
    /// The report in plain words, with at most `examples` of each kind in each state.
    pub fn in_words(&self, examples: usize) -> String {
        let shown = |edition: &Edition| format!("{} of {}", edition.id, edition.as_of);
        let mut text = format!("from {}\nto   {}\n\n", shown(&self.old), shown(&self.new));
        if self.states.is_empty() {
            text.push_str("No differences.\n");
            return text;
        }
        for total in self.totals() {
            text.push_str(&total);
            text.push('\n');
        }
        for state in &self.states {
            text.push_str(&of_state(state, examples));
        }
        text
    }

    /// A sentence for each kind of change, with the number of governments and people.
    pub fn totals(&self) -> Vec<String> {
        let total = |(kind, words): &(Kind, &str)| {
            let KindTotal { governments, people, moved_km2, .. } = self.total(*kind);
            format!("{words}: {governments}{}{}", where_people(people), where_moved(moved_km2))
        };
        KINDS.iter().map(total).collect()
    }
}

fn of_state(state: &StateDiff, examples: usize) -> String {
    let mut text = format!("\n{}, {} people\n", state.state, thousands(state.people));
    for found in &state.kinds {
        text.push_str(&of_kind(found, examples));
    }
    text
}

fn of_kind(found: &KindDiff, examples: usize) -> String {
    let (_, words) = KINDS.iter().find(|(kind, _)| *kind == found.kind).expect("all kinds have words");
    let people = where_people(if found.kind == Kind::Rules { 0 } else { found.people });
    let mut text = format!("  {words}: {}{people}{}\n", found.governments, where_moved(found.moved_km2));
    for change in found.changes.iter().take(examples) {
        let people =
            if change.people > 0 { format!(" ({} people)", thousands(change.people)) } else { String::new() };
        let line: String = format!("{}{people}, {}: {}", change.name, change.id, change.what);
        let end = if line.chars().count() > LINE_MAX { "..." } else { "" };
        let _ = writeln!(text, "    {}{end}", line.chars().take(LINE_MAX).collect::<String>());
    }
    let more = found.changes.len().saturating_sub(examples);
    if more > 0 {
        let _ = writeln!(text, "    and {} more; --json has all", thousands(more as u64));
    }
    text
}

fn where_people(people: u64) -> String {
    if people > 0 { format!(", where {} people live", thousands(people)) } else { String::new() }
}

fn where_moved(km2: f64) -> String {
    if km2 > 0.0 {
        format!(
            "; {km2:.2} km2 passed from one to another (counted for each government that gained or lost it)"
        )
    } else {
        String::new()
    }
}
