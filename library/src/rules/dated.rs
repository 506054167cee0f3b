//! Dates and amounts of the property tax, each as a text of a state or a locality, with its source and its age.

use serde::{Deserialize, Serialize};

use super::{day::Day, installments};
use crate::vocabulary::{Confidence, DatedKind, Geoid, StateCode};

/// The dates and amounts of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateDates {
    /// The state that the rules are about.
    pub state: StateCode,
    /// The rules, in the order in which answers show them.
    pub rules: Vec<DatedRule>,
}

/// A date or an amount for a state, with the areas where it differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedRule {
    /// The subject of the rule.
    pub kind: DatedKind,
    /// The counties that the rule is limited to; empty if it holds in the whole state.
    pub only_in: Vec<Geoid>,
    /// The rule for the state as a whole.
    pub general: DatedText,
    /// The areas where the rule differs, each with the complete text that holds there.
    pub local: Vec<(Geoid, DatedText)>,
}

/// The text of a rule and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedText {
    /// Whether the text says that the state has nothing of the kind, such as no transfer tax.
    pub is_none: bool,
    /// The rule, in one or two sentences.
    pub says: String,
    /// The office or board that takes the filing or payment; `None` if it is not known.
    pub with: Option<String>,
    /// The time limit; `None` if the rule has none.
    pub deadline: Option<Deadline>,
    /// The amount in words, such as `$5 first page`; `None` if the rule has none.
    pub amount: Option<String>,
    /// The property or the case that the rule is limited to; `None` if it applies to all.
    pub applies: Option<String>,
    /// The law, by its title and section; `None` if it is not known.
    pub statute: Option<String>,
    /// Row of the source in the snapshot's `meta`.
    pub source: u16,
    /// Day on which the source was read, `YYYY-MM-DD`.
    pub seen: String,
    /// The newest year that the text mentions; `None` if it mentions none.
    pub tax_year: Option<u16>,
    /// Whether a change of the law was under way, or the day is set again each year.
    pub may_change: bool,
    /// Certainty of the rule; answers leave out [`Confidence::Low`].
    pub confidence: Confidence,
}

/// The time limit of a rule. At least one field has a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// Month and day on which the period begins.
    pub opens: Option<(u8, u8)>,
    /// The last day of the period, in each year.
    pub on: Option<Day>,
    /// A number of days after an event, and the event in words.
    pub after: Option<(u16, String)>,
    /// For a rule with both `on` and `after`: `true` if the later of the two is the limit, `false` if the earlier is.
    pub later: bool,
    /// In words: the localities that set another day, or the days of further installments.
    pub varies: Option<String>,
}

impl DatedRule {
    /// Finds the text that holds in these areas. Returns the index in `local` for the first area that has a text.
    /// `Some(None)` stands for `general`; `None` means that no text may be shown. Texts of low confidence are never
    /// shown.
    pub fn place_in(&self, areas: &[Geoid]) -> Option<Option<usize>> {
        let place = |area: &Geoid| self.local.iter().position(|(of, text)| of == area && text.is_shown());
        let local = areas.iter().find_map(place);
        let holds = self.only_in.is_empty() || areas.iter().any(|area| self.only_in.contains(area));
        (local.is_some() || (holds && self.general.is_shown())).then_some(local)
    }

    /// The indexes in `local` of the texts that may be shown.
    pub fn shown_local(&self) -> impl Iterator<Item = usize> {
        self.local.iter().enumerate().filter(|(_, (_, text))| text.is_shown()).map(|(place, _)| place)
    }
}

impl DatedText {
    fn is_shown(&self) -> bool {
        self.confidence > Confidence::Low
    }

    /// The confidence that answers show. For a rule that may change, it is at most medium.
    pub fn shown_confidence(&self) -> Confidence {
        if self.may_change { self.confidence.min(Confidence::Medium) } else { self.confidence }
    }
}

impl Deadline {
    /// The days in each year on which a part is due: `on`, then the days of further installments. Empty without `on`.
    pub fn days(&self) -> Vec<Day> {
        let Some(on) = self.on else { return Vec::new() };
        let mut days = installments::days(self.varies.as_deref().unwrap_or_default());
        days.retain(|day| *day != on);
        days.insert(0, on);
        days
    }

    /// The places or cases where the fixed day differs, in words such as "many counties set May 1". `None` without such
    /// a day, or if the words name further installments.
    pub fn exceptions(&self) -> Option<&str> {
        self.varies.as_deref().filter(|_| self.days().len() == 1)
    }

    /// Year, month and day of the first due day on this date or later. `None` without a due day, or for a text that is
    /// not a date.
    pub fn next_on_or_after(&self, date: &str) -> Option<(u16, u8, u8)> {
        self.days().into_iter().filter_map(|day| day.on_or_after(date)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_day_is_that_of_the_next_installment() {
        let deadline =
            |on, varies: &str| Deadline { on, varies: Some(varies.to_owned()), ..Deadline::default() };
        let quarters = deadline(Some(Day::Fixed(7, 1)), "then October 1, January 1 and April 1");
        let halves = deadline(Some(Day::Fixed(4, 30)), "second half October 31");
        let elsewhere = deadline(Some(Day::Fixed(6, 1)), "many counties set May 1");
        let nowhere = deadline(None, "then October 1");
        for (deadline, date, expected) in [
            (&quarters, "2026-11-26", Some((2027, 1, 1))),
            (&quarters, "2027-01-02", Some((2027, 4, 1))),
            (&quarters, "2027-06-30", Some((2027, 7, 1))),
            (&halves, "2026-05-01", Some((2026, 10, 31))),
            (&halves, "2026-11-26", Some((2027, 4, 30))),
            (&elsewhere, "2026-11-26", Some((2027, 6, 1))),
            (&nowhere, "2026-11-26", None),
        ] {
            assert_eq!(deadline.next_on_or_after(date), expected, "{deadline:?} {date}");
        }
        let exceptions = [&quarters, &halves, &elsewhere, &nowhere].map(|deadline| deadline.exceptions());
        assert_eq!(exceptions, [None, None, Some("many counties set May 1"), None]);
    }

    #[test]
    fn the_nearest_area_that_differs_is_chosen() {
        let text = |says: &str, confidence| DatedText {
            is_none: false,
            says: says.to_owned(),
            with: None,
            deadline: None,
            amount: None,
            applies: None,
            statute: None,
            source: 0,
            seen: "2026-11-24".to_owned(),
            tax_year: None,
            may_change: false,
            confidence,
        };
        let area = |digits: &str| Geoid::parse(crate::vocabulary::Layer::County, digits).unwrap();
        let (hennepin, ramsey, anoka) = (area("27053"), area("27123"), area("27003"));
        let rule = |only_in: Vec<Geoid>, confidence| DatedRule {
            kind: DatedKind::Appeal,
            only_in,
            general: text("state", confidence),
            local: vec![
                (hennepin, text("county", Confidence::High)),
                (ramsey, text("doubtful", Confidence::Low)),
            ],
        };
        for (only_in, confidence, areas, expected) in [
            (vec![], Confidence::High, vec![], Some("state")),
            (vec![], Confidence::High, vec![anoka, hennepin], Some("county")),
            (vec![], Confidence::High, vec![ramsey], Some("state")),
            (vec![], Confidence::Low, vec![anoka], None),
            (vec![ramsey], Confidence::High, vec![anoka], None),
            (vec![ramsey], Confidence::High, vec![ramsey], Some("state")),
        ] {
            let rule = rule(only_in.clone(), confidence);
            let found = rule.place_in(&areas);
            let says =
                found.map(|local| local.map_or(&rule.general, |local| &rule.local[local].1).says.as_str());
            assert_eq!(says, expected, "{only_in:?} {areas:?}");
            assert!(rule.shown_local().eq([0]));
        }
    }
}
