//! Reads the days of installments from the words of a time limit, such as "then October 1, January 1 and April 1".
//!
//! The table of dates has the first day in figures, but further installments only in words. Without the words, the next
//! quarterly day in New York would always be July 1.

use super::day::{Day, MONTHS, WEEKDAYS};

/// The beginnings of words about installments. Words that begin in another way name days of other places, such as "some
/// counties set April 30".
const BEGINNINGS: [&str; 6] =
    ["then ", "first half ", "second half ", "quarters: ", "thirds: ", "installments: "];
const NUMBERS: [&str; 4] = ["first", "second", "third", "fourth"];

/// The days of installments that these words name; empty if the words are about something else. Only words before the
/// first semicolon count, because those after it are remarks.
pub(super) fn days(words: &str) -> Vec<Day> {
    let list = words.split(';').next().unwrap_or_default();
    if !BEGINNINGS.iter().any(|beginning| list.starts_with(beginning)) {
        return Vec::new();
    }
    let words: Vec<&str> =
        list.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    // In "first Mondays of October, January and March", the weekday holds for all months that follow.
    let mut weekday = None;
    for (at, word) in words.iter().enumerate() {
        let after = words.get(at + 1).copied().unwrap_or_default();
        let named = number_in(&WEEKDAYS, after.strip_suffix('s').unwrap_or(after));
        if let (Some(nth), Some(named)) = (number_in(&NUMBERS, word), named) {
            weekday = Some((named, nth + 1));
        }
        let Some(month) = number_in(&MONTHS, word).map(|month| month + 1) else { continue };
        match (after.parse::<u8>(), weekday) {
            (Ok(day @ 1..=31), _) => found.push(Day::Fixed(month, day)),
            (_, Some((weekday, nth))) => found.push(Day::Nth(weekday, nth, month)),
            (_, None) => {}
        }
    }
    found
}

fn number_in(names: &[&str], word: &str) -> Option<u8> {
    names.iter().position(|name| *name == word).map(|at| at as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_from_words_on_installments_alone() {
        let fixed = |days: &[(u8, u8)]| days.iter().map(|(month, day)| Day::Fixed(*month, *day)).collect();
        let nevada = vec![Day::Nth(0, 3, 8), Day::Nth(0, 1, 10), Day::Nth(0, 1, 1), Day::Nth(0, 1, 3)];
        for (words, expected) in [
            (
                "then October 1, January 1 and April 1; twice a year (July 1)",
                fixed(&[(10, 1), (1, 1), (4, 1)]),
            ),
            ("second half March 31, if the first half was paid by December 31", fixed(&[(3, 31), (12, 31)])),
            ("second half May 10, or all by December 31", fixed(&[(5, 10), (12, 31)])),
            ("quarters: February 1, May 1, August 1, November 1", fixed(&[(2, 1), (5, 1), (8, 1), (11, 1)])),
            (
                "installments: third Monday of August, first Mondays of October, January and March; 10 days",
                nevada,
            ),
            ("delinquent on March 1; cities may set other dates", Vec::new()),
            ("each town votes its dates; August 15 is common", Vec::new()),
            ("then March 99, May and 12", Vec::new()),
            ("", Vec::new()),
        ] {
            assert_eq!(days(words), expected, "{words}");
        }
    }
}
