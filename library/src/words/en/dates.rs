//! Remarks on dates and amounts of the property tax, in English.

use super::English;
use crate::{
    rules::{DatedText, Deadline, weekend_day},
    vocabulary::Confidence,
    words::{
        capital,
        figures::{day_of_month, day_of_year},
    },
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
    let ask = weekend.map_or(String::new(), |_| on_weekend(text, deadline));
    let day = format!("{}{named}{exceptions}", day_of_year(next));
    let is_passed = next.0 > year && deadline.days().len() == 1;
    Some(match deadline.after.as_ref().filter(|_| deadline.later) {
        Some((days, event)) if is_passed => {
            format!(
                "You are still in time within {days} days after {event}. The next fixed date is {day}.{ask}"
            )
        }
        _ if is_passed => format!("The date in {year} has passed; the next is {day}.{ask}"),
        _ => format!("The next date is {day}.{ask}"),
    })
}

/// A sentence on what a weekend does, with a space before it. Empty if the reader sees it in the rule itself.
fn on_weekend(text: &DatedText, deadline: &Deadline) -> String {
    match text.on_weekend() {
        None => " Ask if the Monday after still counts.".to_owned(),
        Some(clause) if text.says.contains(clause) || deadline.exceptions().is_some() => String::new(),
        Some(clause) => format!(" {}.", capital(clause)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Day;

    #[test]
    fn a_day_that_has_passed_is_named() {
        let text = |on, confidence, may_change| DatedText {
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
        };
        let may = Some(Day::Fixed(5, 15));
        let varying = |words: &str| Deadline { on: may, varies: Some(words.into()), ..Deadline::default() };
        for (text, as_of, expected, day) in [
            (
                text(may, Confidence::High, false),
                "2026-05-15",
                "The next date is May 15, 2026.",
                Some("May 15, 2026"),
            ),
            (
                text(may, Confidence::High, false),
                "2026-11-25T00:00:00Z",
                "The date in 2026 has passed; the next is May 15, 2027, a Saturday. Ask if the Monday after still counts.",
                Some("May 15, 2027"),
            ),
            (text(None, Confidence::High, true), "2026-11-25", "This may change, so ask the office.", None),
            (
                text(may, Confidence::High, true),
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
        let with = |deadline| DatedText { deadline: Some(deadline), ..text(None, Confidence::High, false) };
        let halves = with(varying("second half October 15"));
        for (as_of, expected) in [
            ("2026-06-01", "October 15, 2026."),
            ("2026-11-25", "May 15, 2027, a Saturday. Ask if the Monday after still counts."),
        ] {
            let expected = format!("The next date is {expected} As of tax year 2025.");
            assert_eq!(English::remark_on_date(&halves, as_of), expected);
        }
        let moves = with(varying("second half October 15; a weekend moves the day"));
        let remark = English::remark_on_date(&moves, "2026-11-25");
        assert_eq!(
            remark,
            "The next date is May 15, 2027, a Saturday. A weekend moves the day. As of tax year 2025."
        );
        let said =
            DatedText { says: "Appeal by May 15, or the next business day.".into(), ..with(varying("then")) };
        let remark = English::remark_on_date(&said, "2026-11-25");
        assert_eq!(
            remark,
            "The date in 2026 has passed; the next is May 15, 2027, a Saturday (then). As of tax year 2025."
        );
        let anew = with(varying("the board sets the day each year"));
        let remark = English::remark_on_date(&anew, "2026-11-25");
        assert_eq!(remark, "In 2025 it was May 15; the new day is not on record, so ask the office.");
        assert_eq!(English::certain_next_day(&anew, "2026-11-25"), None);
        let notice = Some((60, "the notice is mailed".into()));
        let or_later = with(Deadline { on: may, after: notice, later: true, ..Deadline::default() });
        for (as_of, expected) in [
            ("2026-05-01", "The next date is May 15, 2026."),
            (
                "2026-11-25",
                "You are still in time within 60 days after the notice is mailed. The next fixed date is May 15, 2027, a \
                 Saturday. Ask if the Monday after still counts.",
            ),
        ] {
            let remark = English::remark_on_date(&or_later, as_of);
            assert_eq!(remark, format!("{expected} As of tax year 2025."));
        }
        assert_eq!(
            English::certain_next_day(&or_later, "2026-11-25").as_deref(),
            Some("May 15, 2027 or later")
        );
        let elsewhere = with(varying("many counties set May 1"));
        let remark = English::remark_on_date(&elsewhere, "2026-05-01");
        assert_eq!(remark, "The next date is May 15, 2026 (many counties set May 1). As of tax year 2025.");
        let day = English::certain_next_day(&elsewhere, "2026-05-01").unwrap();
        assert_eq!(day, "May 15, 2026 (with exceptions)");
    }
}
