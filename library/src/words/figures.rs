//! Lengths, dates, counts and lists, written as people say them.

use super::Units;
use crate::{
    geometry::{FEET_PER_MILE, METERS_PER_FOOT},
    rules::MONTHS,
    vocabulary::GroupedText,
};

/// A length on the ground in feet or miles.
pub fn feet(meters: f64) -> String {
    let feet = meters / METERS_PER_FOOT;
    if feet < 1.5 {
        return "1 foot".to_owned();
    }
    if feet < 1_000.0 {
        let step = if feet < 100.0 { 1.0 } else { 10.0 };
        return format!("{:.0} feet", (feet / step).round() * step);
    }
    format!("{:.1} miles", feet / FEET_PER_MILE)
}

/// A length on the ground in these units.
pub(super) fn ground_length(meters: f64, units: Units) -> String {
    match units {
        Units::Feet => feet(meters),
        Units::Both => format!("{meters:.0} m ({})", feet(meters)),
    }
}

/// The text with a capital at the start of each word.
pub fn titled(words: &str) -> String {
    words.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// The text with a capital at its start.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

/// A day as "May 15, 2027"; the month is counted from 1.
pub(super) fn day_of_year((year, month, day): (u16, u8, u8)) -> String {
    format!("{}, {year}", day_of_month(month, day))
}

/// A day as "May 15"; the month is counted from 1.
pub(super) fn day_of_month(month: u8, day: u8) -> String {
    let name = MONTHS.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default();
    format!("{name} {day}")
}

/// The day of a time in RFC 3339, such as `2026-11-21`; returns a shorter text unchanged.
pub fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// Writes `2026-11-21` as "November 21, 2026"; returns other texts unchanged.
pub fn date(text: &str) -> String {
    let mut parts = day(text).split('-').map(|part| part.parse::<usize>().ok());
    let (year, month, day) = (parts.next().flatten(), parts.next().flatten(), parts.next().flatten());
    let month = month.and_then(|month| MONTHS.get(month.wrapping_sub(1)));
    match (year, month, day) {
        (Some(year), Some(month), Some(day)) => format!("{month} {day}, {year}"),
        _ => text.to_owned(),
    }
}

/// Joins several things into a part of a sentence: "a, b and c".
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A count with its noun: "1 county", "14 counties".
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number as u64), if number == 1 { one } else { many })
}

/// Writes a number with commas: 1265843 as "1,265,843".
pub fn thousands(number: u64) -> String {
    GroupedText::new(number).as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_put_as_people_say_them() {
        for (meters, text) in [
            (0.2, "1 foot"),
            (9.0, "30 feet"),
            (36.0, "120 feet"),
            (76.2, "250 feet"),
            (1_609.3, "1.0 miles"),
        ] {
            assert_eq!(feet(meters), text);
        }
        assert_eq!(ground_length(76.2, Units::Both), "76 m (250 feet)");
        assert_eq!(
            (date("2026-11-21"), date("2026-11-20T00:00:00Z")),
            ("November 21, 2026".into(), "November 20, 2026".into())
        );
        assert_eq!(
            (date("2026"), date("2026-13-01"), date("é")),
            ("2026".into(), "2026-13-01".into(), "é".into())
        );
        assert_eq!(
            (count(1, "county", "counties"), count(3_144, "county", "counties")),
            ("1 county".into(), "3,144 counties".into())
        );
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
