//! Dates and amounts of the property tax at a place: appeal days, exemptions, due days, fees.

use super::{Directory, Row, Scope, SourceRow};
use crate::{
    rules::{DatedText, StateDates},
    vocabulary::{DatedKind, Geoid, JurisdictionId, StateCode},
};

/// A date or an amount by its position in a state's list. Only a [`Directory`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateRef {
    state: StateCode,
    rule: usize,
    /// Position in the rule's list of areas; `None` for the state's own text.
    local: Option<usize>,
}

/// A date or an amount with its fields read.
#[derive(Clone, Copy, Debug)]
pub struct DateView<'a> {
    /// The subject, such as an appeal or an exemption.
    pub kind: DatedKind,
    /// The county, town or city that has this rule; `None` for the rule of the state.
    pub area: Option<Row>,
    /// The rule as its table states it.
    pub text: &'a DatedText,
    /// The source that the text cites.
    pub source: SourceRow,
}

impl<'a> DateView<'a> {
    /// The board or office that takes an appeal or a claim. `None` if the rule itself names it, or if it is not
    /// known.
    pub fn taken_by(&self) -> Option<&'a str> {
        let with = self.text.with.as_deref().filter(|_| self.kind.is_taken() && !self.text.is_none)?;
        let name = with.strip_prefix("the ").unwrap_or(with);
        // "The county board of revision, through the county auditor" adds nothing to a rule that names the board.
        let head = name.split([',', '(']).next().unwrap_or(name).trim();
        (!self.text.says.contains(head)).then_some(with)
    }
}

impl Directory {
    /// The dates and amounts of a state; `None` if the snapshot has none.
    pub fn state_dates(&self, state: StateCode) -> Option<&StateDates> {
        let decode = || self.snapshot.dates()?.state(state).map(Box::new);
        self.state_dates.get(state).get_or_init(decode).as_deref()
    }

    /// The dates and amounts of these kinds in a scope. Each has the text of the nearest government with a text of
    /// its own, else the state's.
    pub fn dates_in(&self, scope: Scope, kinds: &[DatedKind]) -> Vec<DateRef> {
        let rows = scope.rows().flat_map(|row| self.with_same(row));
        let census = rows.filter_map(|row| match self.id_of(row) {
            JurisdictionId::Census(geoid) => Some(geoid),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        });
        let areas: Vec<Geoid> = census.collect();
        self.state_of(scope.county).map_or_else(Vec::new, |state| self.dates_of(state, kinds, &areas))
    }

    /// The dates and amounts of these kinds in a state as a whole.
    pub fn dates_of_state(&self, state: StateCode, kinds: &[DatedKind]) -> Vec<DateRef> {
        self.dates_of(state, kinds, &[])
    }

    fn dates_of(&self, state: StateCode, kinds: &[DatedKind], areas: &[Geoid]) -> Vec<DateRef> {
        let Some(dates) = self.state_dates(state) else { return Vec::new() };
        let mut found = Vec::new();
        for kind in kinds {
            let rules = dates.rules.iter().enumerate().filter(|(_, rule)| rule.kind == *kind);
            found
                .extend(rules.filter_map(|(rule, dated)| {
                    Some(DateRef { state, rule, local: dated.place_in(areas)? })
                }));
        }
        found
    }

    /// The areas of a state whose rule of these kinds differs from the state's.
    pub fn local_dates(&self, state: StateCode, kinds: &[DatedKind]) -> Vec<DateRef> {
        let Some(dates) = self.state_dates(state) else { return Vec::new() };
        let rules = dates.rules.iter().enumerate().filter(|(_, rule)| kinds.contains(&rule.kind));
        rules
            .flat_map(|(rule, dated)| {
                dated.shown_local().map(move |local| DateRef { state, rule, local: Some(local) })
            })
            .collect()
    }

    /// The kinds of these dates, each once, in the order of their first dates.
    pub fn kinds_of(&self, dates: &[DateRef]) -> Vec<DatedKind> {
        let mut kinds: Vec<DatedKind> =
            dates.iter().filter_map(|date| self.date(*date)).map(|view| view.kind).collect();
        kinds.dedup();
        kinds
    }

    /// The fields of a date; `None` for a date of another snapshot's directory.
    pub fn date(&self, date: DateRef) -> Option<DateView<'_>> {
        let rule = self.state_dates(date.state)?.rules.get(date.rule)?;
        let (area, text) = match date.local {
            Some(local) => {
                let (geoid, text) = rule.local.get(local)?;
                (self.row_of(*geoid), text)
            }
            None => (None, &rule.general),
        };
        Some(DateView { kind: rule.kind, area, text, source: self.source_row(text.source)? })
    }
}
