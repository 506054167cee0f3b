//! Reads what the words of a rule say of its day: what a weekend does, and whether the day is that of one year.
//!
//! The table of dates has the day in figures, but the rest only in words.

use super::{DatedText, day::MONTHS};

/// Words of a clause on a day when offices are closed.
const WEEKEND: [&str; 5] = ["weekend", "business day", "working day", "next Monday", "Saturday"];

/// Words of a clause on a body that sets the day anew: one of the first, and one of the second.
const SETS_ANEW: ([&str; 2], [&str; 2]) = (["sets ", "names "], ["each year", "each base year"]);

/// Words of a clause on a day in the past.
const IN_THE_PAST: [&str; 4] = [" was ", " were ", " ran ", " collected "];

/// A day and its year.
pub(super) type Date = (u16, u8, u8);

impl DatedText {
    /// The first due day on this date or later. `None` without a day, or if the rule names the day of an earlier year
    /// alone: see [`DatedText::days_of_past_year`].
    pub fn next_day(&self, date: &str) -> Option<Date> {
        let next = self.deadline.as_ref()?.next_on_or_after(date)?;
        self.year_before(next).is_none().then_some(next)
    }

    /// The year and its due days, if the day is set anew each year, and only that of an earlier year is on record.
    pub fn days_of_past_year(&self, date: &str) -> Option<(u16, Vec<Date>)> {
        let deadline = self.deadline.as_ref()?;
        let year = self.year_before(deadline.next_on_or_after(date)?)?;
        let date_of = |(month, day)| (year, month, day);
        Some((year, deadline.days().into_iter().map(|day| date_of(day.in_year(year))).collect()))
    }

    /// The clause that says what a weekend does to the day; `None` if the rule says nothing of it.
    pub fn on_weekend(&self) -> Option<&str> {
        self.clauses().find(|clause| has(clause, &WEEKEND))
    }

    fn year_before(&self, next: Date) -> Option<u16> {
        self.tax_year.filter(|year| *year < next.0).filter(|year| self.is_of_one_year(*year))
    }

    fn is_of_one_year(&self, year: u16) -> bool {
        let is_anew = |clause: &str| has(clause, &SETS_ANEW.0) && has(clause, &SETS_ANEW.1);
        let years = [format!("in {year}"), format!("In {year}"), format!("or {year}"), format!(", {year}")];
        let days = self.deadline.iter().filter_map(|deadline| deadline.on).map(|on| on.in_year(year));
        let named: Vec<String> = days.map(named_day).collect();
        // "In 2025 it was due July 2", "for 2026 the last day was March 1".
        let was_then = |clause: &str| {
            has(clause, &IN_THE_PAST)
                && (clause.contains("in one year") || years.iter().any(|of_year| clause.contains(of_year)))
                && named.iter().any(|day| names_day(clause, day))
        };
        self.clauses().any(is_anew) || clauses(&self.says).any(was_then)
    }

    fn clauses(&self) -> impl Iterator<Item = &str> {
        let varies = self.deadline.as_ref().and_then(|deadline| deadline.varies.as_deref());
        clauses(&self.says).chain(varies.into_iter().flat_map(clauses))
    }
}

fn has(clause: &str, words: &[&str]) -> bool {
    words.iter().any(|word| clause.contains(word))
}

fn named_day((month, day): (u8, u8)) -> String {
    let name = MONTHS.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default();
    format!("{name} {day}")
}

/// Whether a clause names a day: "March 15" does not name March 1.
fn names_day(clause: &str, day: &str) -> bool {
    clause
        .match_indices(day)
        .any(|(at, _)| !clause[at + day.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

/// The clauses of a text, without the signs that end them.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', ';', ':']).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::{Day, Deadline},
        vocabulary::Confidence,
    };

    fn text(says: &str, varies: &str, tax_year: Option<u16>) -> DatedText {
        let varies = Some(varies.to_owned()).filter(|words| !words.is_empty());
        DatedText {
            is_none: false,
            says: says.to_owned(),
            with: None,
            deadline: Some(Deadline { on: Some(Day::Fixed(2, 5)), varies, ..Deadline::default() }),
            amount: None,
            applies: None,
            statute: None,
            source: 0,
            seen: "2026-11-24".to_owned(),
            tax_year,
            may_change: false,
            confidence: Confidence::High,
        }
    }

    #[test]
    fn the_day_of_one_year_is_not_that_of_the_next() {
        let anew = "second half June 20; the treasurer sets the days each year";
        for (says, varies, tax_year, expected) in [
            ("Pay by February 5.", "", Some(2024), None),
            ("Pay by February 5 each year.", "the bill shows the day", Some(2024), None),
            ("Pay by February 5.", anew, None, None),
            ("Pay by February 5.", anew, Some(2027), None),
            ("Pay by February 5.", anew, Some(2025), Some((2025, vec![(2025, 2, 5), (2025, 6, 20)]))),
            ("In 2025 claims were due February 5.", "", Some(2025), Some((2025, vec![(2025, 2, 5)]))),
            ("In 2025 claims were due February 50.", "", Some(2025), None),
            ("Bills are due February 5; in 2025 it was March 5.", "", Some(2025), None),
            ("The last day was February 5, by a list of 2025.", "", Some(2025), None),
        ] {
            let text = text(says, varies, tax_year);
            assert_eq!(text.days_of_past_year("2026-11-26"), expected, "{says} {varies}");
            assert_eq!(text.next_day("2026-11-26").is_none(), expected.is_some(), "{says} {varies}");
        }
    }

    #[test]
    fn the_clause_on_a_weekend_is_found() {
        for (says, varies, expected) in [
            ("Pay by February 5.", "", None),
            (
                "File it. Pay by February 5, or the next business day.",
                "",
                Some("Pay by February 5, or the next business day"),
            ),
            (
                "Pay by February 5.",
                "second half June 5; a weekend moves the day",
                Some("a weekend moves the day"),
            ),
        ] {
            assert_eq!(text(says, varies, None).on_weekend(), expected, "{says} {varies}");
        }
    }
}
