//! Remarks on dates and amounts of the property tax, in English.

use super::English;
use crate::{
    rules::{DatedText, Deadline, weekend_day},
    vocabulary::Confidence,
    words::figures::day_of_year,
};

impl English {
    pub(super) fn remark_on_date(text: &DatedText, as_of: &str) -> String {
        let next = text.deadline.as_ref().and_then(|deadline| next_day(deadline, as_of));
        let change = text.may_change.then(|| "This may change, so ask the office.".to_owned());
        let doubt = (text.confidence < Confidence::High && !text.may_change)
            .then(|| "This was not checked against an official text, so ask the office.".to_owned());
        let year = text.tax_year.map(|year| format!("As of tax year {year}."));
        Vec::from_iter([next, change, doubt, year].into_iter().flatten()).join(" ")
    }

    pub(super) fn certain_next_day(text: &DatedText, as_of: &str) -> Option<String> {
        let is_certain = text.confidence >= Confidence::High && !text.may_change;
        let deadline = text.deadline.as_ref().filter(|_| is_certain)?;
        let day = day_of_year(deadline.next_on_or_after(as_of)?);
        Some(if deadline.exceptions().is_some() { format!("{day} (with exceptions)") } else { day })
    }
}

/// A sentence on the next day of a time limit, as of the date of the data. For a limit with a single day, the
/// sentence also says if this year's day has passed. States differ on days that fall on a weekend.
fn next_day(deadline: &Deadline, as_of: &str) -> Option<String> {
    let next = deadline.next_on_or_after(as_of)?;
    let year: u16 = as_of.get(..4)?.parse().ok()?;
    let exceptions = deadline.exceptions().map_or(String::new(), |words| format!(" ({words})"));
    let (weekend, ask) = match weekend_day(next) {
        Some(name) => (format!(", a {name}"), " Ask if the Monday after still counts."),
        None => (String::new(), ""),
    };
    let text = format!("{}{weekend}{exceptions}", day_of_year(next));
    Some(if next.0 > year && deadline.days().len() == 1 {
        format!("The date in {year} has passed; the next is {text}.{ask}")
    } else {
        format!("The next date is {text}.{ask}")
    })
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
        let elsewhere = with(varying("many counties set May 1"));
        let remark = English::remark_on_date(&elsewhere, "2026-05-01");
        assert_eq!(remark, "The next date is May 15, 2026 (many counties set May 1). As of tax year 2025.");
        let day = English::certain_next_day(&elsewhere, "2026-05-01").unwrap();
        assert_eq!(day, "May 15, 2026 (with exceptions)");
    }
}
