//! Remarks on dates and amounts of the property tax, in English.

use super::English;
use crate::{
    rules::{DatedText, Deadline, weekend_day},
    vocabulary::Confidence,
    words::figures::{day_of_month, day_of_year},
};

impl English {
    pub(super) fn remark_on_date(text: &DatedText, as_of: &str) -> String {
        let past = text.days_of_past_year(as_of).map(|(year, days)| day_of_past_year(year, &days));
        let is_past = past.is_some();
        let next = text.next_day(as_of).and_then(|next| next_day(text, next, as_of));
        let change = (text.may_change && !is_past).then(|| "This may change, so ask the office.".to_owned());
        let doubt = (text.confidence < Confidence::High && !text.may_change)
            .then(|| "This was not checked against an official text, so ask the office.".to_owned());
        let year = text.tax_year.filter(|_| !is_past).map(|year| format!("As of tax year {year}."));
        Vec::from_iter([past, next, change, doubt, year].into_iter().flatten()).join(" ")
    }

    pub(super) fn certain_next_day(text: &DatedText, as_of: &str) -> Option<String> {
        let is_certain = text.confidence >= Confidence::High && !text.may_change;
        let deadline = text.deadline.as_ref().filter(|_| is_certain)?;
        let day = day_of_year(text.next_day(as_of)?);
        let later = if deadline.later { " or later" } else { "" };
        let exceptions = if deadline.exceptions().is_some() { " (with exceptions)" } else { "" };
        Some(format!("{day}{later}{exceptions}"))
    }
}

/// A sentence on days that are set anew each year, of which only those of an earlier year are on record.
fn day_of_past_year(year: u16, days: &[(u16, u8, u8)]) -> String {
    let named: Vec<String> = days.iter().map(|(_, month, day)| day_of_month(*month, *day)).collect();
    match &named[..] {
        [day] => format!("In {year} it was {day}; the new day is not on record, so ask the office."),
        [first @ .., last] => format!(
            "In {year} they were {} and {last}; the new days are not on record, so ask the office.",
            first.join(", ")
        ),
        [] => String::new(),
    }
}

/// A sentence on the next day of a time limit, as of the date of the data. For a limit with a single day, the
/// sentence also says if this year's day has passed. It never says so if days after a notice count as well, because
/// that notice may still come. States differ on days that fall on a weekend.
fn next_day(text: &DatedText, next: (u16, u8, u8), as_of: &str) -> Option<String> {
    let deadline = text.deadline.as_ref()?;
    let year: u16 = as_of.get(..4)?.parse().ok()?;
    let exceptions = deadline.exceptions().map_or(String::new(), |words| format!(" ({words})"));
    let weekend = weekend_day(next);
    let named = weekend.map_or(String::new(), |name| format!(", a {name}"));
    let end = weekend.map_or(".".to_owned(), |_| on_weekend(text, deadline));
    let day = format!("{}{named}{exceptions}", day_of_year(next));
    let is_passed = next.0 > year && deadline.days().len() == 1;
    Some(match deadline.after.as_ref().filter(|_| deadline.later) {
        Some((days, event)) if is_passed => {
            format!("You are still in time within {days} days after {event}. The next fixed date is {day}.")
        }
        _ if is_passed => format!("The date in {year} has passed; the next is {day}{end}"),
        _ => format!("The next date is {day}{end}"),
    })
}

/// The end of a sentence that names a weekend, with what to do then. It adds nothing that the reader sees in the rule.
fn on_weekend(text: &DatedText, deadline: &Deadline) -> String {
    match text.on_weekend() {
        None => ". Ask if the Monday after still counts.".to_owned(),
        Some(clause) if text.says.contains(clause) || deadline.exceptions().is_some() => ".".to_owned(),
        Some(clause) => format!("; {clause}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Day;

    const MAY: Option<Day> = Some(Day::Fixed(5, 15));

    fn text(on: Option<Day>, confidence: Confidence, may_change: bool) -> DatedText {
        DatedText {
            is_none: false,
            says: "Appeal by May 15.".to_owned(),
            with: None,
            deadline: Some(Deadline { on, ..Deadline::default() }),
            amount: None,
            applies: None,
            statute: None,
            source: 0,
            seen: "2026-11-24".to_owned(),
            tax_year: Some(2025),
            may_change,
            confidence,
        }
    }

    fn with(deadline: Deadline) -> DatedText {
        DatedText { deadline: Some(deadline), ..text(None, Confidence::High, false) }
    }

    fn varying(words: &str) -> Deadline {
        Deadline { on: MAY, varies: Some(words.into()), ..Deadline::default() }
    }

    #[test]
    fn a_day_that_has_passed_is_named() {
        for (text, as_of, expected, day) in [
            (
                text(MAY, Confidence::High, false),
                "2026-05-15",
                "The next date is May 15, 2026.",
                Some("May 15, 2026"),
            ),
            (
                text(MAY, Confidence::High, false),
                "2026-11-25T00:00:00Z",
                "The date in 2026 has passed; the next is May 15, 2027, a Saturday. Ask if the Monday after still counts.",
                Some("May 15, 2027"),
            ),
            (text(None, Confidence::High, true), "2026-11-25", "This may change, so ask the office.", None),
            (
                text(MAY, Confidence::High, true),
                "2026-05-01",
                "The next date is May 15, 2026. This may change, so ask the office.",
                None,
            ),
            (
                text(None, Confidence::Medium, false),
                "2026-11-25",
                "This was not checked against an official text, so ask the office.",
                None,
            ),
        ] {
            let remark = English::remark_on_date(&text, as_of);
            assert_eq!(remark, format!("{expected} As of tax year 2025."));
            assert_eq!(English::certain_next_day(&text, as_of).as_deref(), day);
        }
        let halves = with(varying("second half October 15"));
        for (as_of, expected) in [
            ("2026-06-01", "October 15, 2026."),
            ("2026-11-25", "May 15, 2027, a Saturday. Ask if the Monday after still counts."),
        ] {
            let expected = format!("The next date is {expected} As of tax year 2025.");
            assert_eq!(English::remark_on_date(&halves, as_of), expected);
        }
        let elsewhere = with(varying("many counties set May 1"));
        let remark = English::remark_on_date(&elsewhere, "2026-05-01");
        assert_eq!(remark, "The next date is May 15, 2026 (many counties set May 1). As of tax year 2025.");
        let day = English::certain_next_day(&elsewhere, "2026-05-01").unwrap();
        assert_eq!(day, "May 15, 2026 (with exceptions)");
    }

    #[test]
    fn the_rule_says_what_a_weekend_does_and_which_year_is_known() {
        let moves = with(varying("second half October 15; a weekend moves the day"));
        let says = "Appeal by May 15, or the next business day.".to_owned();
        let said = DatedText { says, ..with(Deadline { on: MAY, ..Deadline::default() }) };
        let anew = with(varying("the board sets the day each year"));
        let after = Some((60, "the notice is mailed".into()));
        let or_later = with(Deadline { on: MAY, after, later: true, ..Deadline::default() });
        let as_of_year = "As of tax year 2025.";
        for (text, as_of, expected, day) in [
            (
                &moves,
                "2026-11-25",
                format!("The next date is May 15, 2027, a Saturday; a weekend moves the day. {as_of_year}"),
                Some("May 15, 2027"),
            ),
            (
                &said,
                "2026-11-25",
                format!("The date in 2026 has passed; the next is May 15, 2027, a Saturday. {as_of_year}"),
                Some("May 15, 2027"),
            ),
            (
                &anew,
                "2026-11-25",
                "In 2025 it was May 15; the new day is not on record, so ask the office.".to_owned(),
                None,
            ),
            (
                &or_later,
                "2026-05-01",
                format!("The next date is May 15, 2026. {as_of_year}"),
                Some("May 15, 2026 or later"),
            ),
            (
                &or_later,
                "2026-11-25",
                [
                    "You are still in time within 60 days after the notice is mailed.",
                    "The next fixed date is May 15, 2027, a Saturday.",
                    as_of_year,
                ]
                .join(" "),
                Some("May 15, 2027 or later"),
            ),
        ] {
            assert_eq!(English::remark_on_date(text, as_of), expected);
            assert_eq!(English::certain_next_day(text, as_of).as_deref(), day);
        }
    }
}
