//! Compares the rules of the tables with those of the snapshot, job by job, for every area of a state.
//!
//! Only states whose rules differ are compared. Both rules run on the same scopes, so that each difference
//! comes from the rules.

use platbook::{
    directory::{Directory, Row, RuledState, Scope},
    rules::{FunctionRule, Guide, Outcome, StateFile, StateRules},
    vocabulary::{Function, JurisdictionId, Layer, bare_url},
    words::{English, Words as _},
};

use super::report::{Change, differences, grouped, named_id};
use crate::{
    curated::{CuratedState, Tables},
    diff::past_changes,
};

/// Changes that the state files and guides would make.
pub(super) fn changes(tables: &Tables, directory: &Directory) -> Vec<Change> {
    let mut changes = Vec::new();
    for state in &tables.states {
        let code = state.rules.state;
        match directory.ruled_state(code) {
            Some(ruled) => changes.extend(of_state(directory, ruled, state)),
            None => changes.push(Change::of_state(code.usps(), "rules", "the snapshot has none")),
        }
    }
    changes.extend(guides(directory.guides(), &tables.guides));
    changes
}

fn of_state(directory: &Directory, ruled: &RuledState, new: &CuratedState) -> Vec<Change> {
    let comparison = Comparison { directory, old: &ruled.file, new };
    let mut changes = comparison.texts();
    changes.extend(comparison.past_cases(ruled));
    if comparison.rules_differ() {
        changes.extend(comparison.districts());
        changes.extend(grouped(comparison.answers()));
    }
    changes
}

/// A state's rules in the snapshot, and those of the tables.
struct Comparison<'a> {
    directory: &'a Directory,
    old: &'a StateFile,
    new: &'a CuratedState,
}

impl Comparison<'_> {
    /// Rules cite sources by their number in the file, so equal rules may cite different sources. That is why the
    /// addresses of the sources are compared as well.
    fn rules_differ(&self) -> bool {
        let today = (0..self.old.sources.len()).map(|number| self.old_source(number));
        let tomorrow = (0..self.new.sources.len()).map(|number| self.new_source(number));
        self.old.rules != self.new.rules || !today.eq(tomorrow)
    }

    fn old_source(&self, number: usize) -> Option<String> {
        let row = self.directory.rule_source(self.old.rules.state, number)?;
        Some(bare_url(self.directory.source(row).url))
    }

    fn new_source(&self, number: usize) -> Option<String> {
        self.new.sources.get(number).map(|source| bare_url(&source.url))
    }

    /// Changes of texts about the state and its jobs.
    fn texts(&self) -> Vec<Change> {
        let (old, new) = (self.old, self.new);
        let mut changed: Vec<(String, &str)> = Vec::new();
        for (what, differs) in [
            ("summary", old.summary != new.summary),
            ("quirks", old.quirks != new.quirks),
            ("day of the last check", old.checked != new.checked),
        ] {
            changed.extend(differs.then(|| ("state".to_owned(), what)));
        }
        for function in Function::ALL {
            let words = |rules: &StateRules| rules.rule(function).map(words);
            let differs = words(&old.rules) != words(&new.rules);
            changed.extend(differs.then(|| (function.as_str().to_owned(), "words of the state's guide")));
        }
        let state = new.rules.state.usps();
        let change =
            |(about, what): (String, &str)| Change::of_state(state, &about, format!("{what} changed"));
        changed.into_iter().map(change).collect()
    }

    /// Changes of cases that held until a day.
    fn past_cases(&self, ruled: &RuledState) -> impl Iterator<Item = Change> {
        let changes = past_changes(
            (&ruled.past().cases, |number| self.old_source(number)),
            (&self.new.past.cases, |number| self.new_source(number)),
        );
        let state = self.new.rules.state.usps();
        changes.into_iter().map(move |(function, what)| Change::of_state(state, function.as_str(), what))
    }

    /// Listed districts that are added, removed or renamed.
    fn districts(&self) -> Vec<Change> {
        let state = self.new.rules.state.usps();
        let (old, new) = (&self.old.rules.districts, &self.new.rules.districts);
        let of = |what: String| Change::of_state(state, "district", what);
        let gone = old.iter().filter(|one| new.iter().all(|other| other.id != one.id));
        let mut changes: Vec<Change> =
            gone.map(|gone| of(format!("{} {:?} removed", gone.id, gone.name))).collect();
        for one in new {
            match old.iter().find(|other| other.id == one.id) {
                None => changes.push(of(format!("{} {:?} added", one.id, one.name))),
                Some(other) if other.name != one.name => {
                    changes.push(of(format!("{} name {:?} -> {:?}", one.id, other.name, one.name)));
                }
                Some(_) => {}
            }
        }
        if self.old.rules.per_county != self.new.rules.per_county {
            changes.push(of("districts that follow the counties changed".to_owned()));
        }
        changes
    }

    /// Changes of each job of each area of the state.
    fn answers(&self) -> Vec<Change> {
        let layers = [Layer::County, Layer::Cousub, Layer::Place];
        let rows = layers.into_iter().flat_map(|layer| self.directory.rows_of(layer));
        let own = rows.filter(|row| self.directory.state_of(*row) == Some(self.new.rules.state));
        let mut changes = Vec::new();
        for row in own {
            let Some(scope) = self.directory.scope_of(row) else { continue };
            for function in Function::ALL {
                changes.extend(self.answer(row, scope, function));
            }
        }
        changes
    }

    fn answer(&self, row: Row, scope: Scope, function: Function) -> Option<Change> {
        let old = self.directory.who_does(scope, function)?;
        let new = self.directory.who_would_do(&self.new.rules, scope, function)?;
        let words = AreaWords { directory: self.directory, row, scope };
        let what = self.difference(&words, &old, &new)?;
        Some(Change::of_body(self.directory, row, function.as_str(), what))
    }

    fn difference(&self, words: &AreaWords<'_>, old: &Outcome, new: &Outcome) -> Option<String> {
        let (old_body, new_body) = (words.body(old), words.body(new));
        let (old_why, new_why) = (words.general(old), words.general(new));
        let (old_source, new_source) = (self.old_source(old.source), self.new_source(new.source));
        let (old_sure, new_sure) = (format!("{:?}", old.confidence), format!("{:?}", new.confidence));
        let (old_also, new_also) = (words.also(old), words.also(new));
        differences(&[
            ("body", Some(&old_body), Some(&new_body)),
            ("office", old.office.as_deref(), new.office.as_deref()),
            ("why", Some(&old_why), Some(&new_why)),
            ("statute", old.statute.as_deref(), new.statute.as_deref()),
            ("source", old_source.as_deref(), new_source.as_deref()),
            ("confidence", Some(&old_sure), Some(&new_sure)),
            ("further bodies", Some(&old_also), Some(&new_also)),
        ])
    }
}

/// The texts of a function outside of its cases.
fn words(rule: &FunctionRule) -> impl PartialEq + use<> {
    (rule.office.clone(), rule.level, rule.place_words.clone(), rule.note.clone(), rule.summary.clone())
}

/// Describes an area's answers in words that other areas may share: "its county" for Hennepin County.
struct AreaWords<'a> {
    directory: &'a Directory,
    row: Row,
    scope: Scope,
}

impl AreaWords<'_> {
    fn body(&self, outcome: &Outcome) -> String {
        let Some(id) = &outcome.body else { return "none".to_owned() };
        let is = |row: Row| self.directory.jurisdiction(row).id == *id;
        if is(self.row) {
            "itself".to_owned()
        } else if is(self.scope.county) {
            "its county".to_owned()
        } else if self.scope.cousub.area().is_some_and(is) {
            "its subdivision".to_owned()
        } else if matches!(id, JurisdictionId::Census(geoid) if geoid.layer() == Layer::State) {
            "the state".to_owned()
        } else {
            named_id(self.directory, id)
        }
    }

    /// A reason with the names of the chain replaced by placeholders, as the file writes it.
    fn general(&self, outcome: &Outcome) -> String {
        let name = |row: Row| self.directory.jurisdiction(row).name;
        let mut text = English.basis(&outcome.basis);
        let parts = [
            (Some(self.scope.county), "{county}"),
            (self.scope.place.area(), "{place}"),
            (self.scope.cousub.area(), "{cousub}"),
        ];
        for (row, field) in parts {
            if let Some(row) = row {
                text = text.replace(name(row), field);
            }
        }
        text
    }

    /// The further bodies as one line of text.
    fn also(&self, outcome: &Outcome) -> String {
        let one = |also: &Outcome| {
            let (office, why) = (also.office.as_deref().unwrap_or("-"), self.general(also));
            format!("{} | {office} | {:?} | {why}", self.body(also), also.role)
        };
        outcome.also.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

fn guides(old: &[Guide], new: &[Guide]) -> Vec<Change> {
    let changed = new.iter().filter(|guide| !old.contains(guide));
    changed
        .map(|guide| Change::of_state("US", "guide", format!("{} changed", guide.topic.as_str())))
        .collect()
}
