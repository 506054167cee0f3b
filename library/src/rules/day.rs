//! Days that recur each year, such as May 15 or the fourth Tuesday of May.

use serde::{Deserialize, Serialize};

/// English names of the months, which tables and answers use.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// English names of the weekdays, which tables and answers use.
pub(super) const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// The index of Saturday in [`WEEKDAYS`].
const SATURDAY: u8 = 5;

/// A day that recurs each year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Day {
    /// Month and day of the month, both counted from 1.
    Fixed(u8, u8),
    /// Weekday (0 is Monday), its number in the month (from 1), and the month (from 1).
    Nth(u8, u8, u8),
}

impl Day {
    /// Returns month and day of the occurrence in this year.
    pub fn in_year(self, year: u16) -> (u8, u8) {
        match self {
            Day::Fixed(month, day) => (month, day),
            Day::Nth(weekday, nth, month) => {
                let first = weekday_of(year, month, 1);
                (month, 1 + (7 + weekday - first) % 7 + 7 * (nth - 1))
            }
        }
    }

    /// Year, month and day of the first occurrence on this date or later. `None` if the text does not begin with a
    /// date, such as `2026-11-26`.
    pub fn on_or_after(self, date: &str) -> Option<(u16, u8, u8)> {
        let number = |from: usize, to: usize| date.get(from..to)?.parse::<u16>().ok();
        let (year, today) = (number(0, 4)?, (number(5, 7)?, number(8, 10)?));
        let at = |year: u16| {
            let (month, day) = self.in_year(year);
            (year, month, day)
        };
        let (_, month, day) = at(year);
        Some(if (u16::from(month), u16::from(day)) >= today { at(year) } else { at(year.checked_add(1)?) })
    }
}

/// "Saturday" or "Sunday" if the date falls on one, because many offices are closed then; else `None`.
pub fn weekend_day((year, month, day): (u16, u8, u8)) -> Option<&'static str> {
    let weekday = weekday_of(year, month, day);
    WEEKDAYS.get(usize::from(weekday)).copied().filter(|_| weekday >= SATURDAY)
}

/// The weekday of a date, 0 for Monday, by Sakamoto's method (1993).
fn weekday_of(year: u16, month: u8, day: u8) -> u8 {
    const SHIFTS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = u32::from(year) - u32::from(month < 3);
    let shift = SHIFTS[usize::from(month.clamp(1, 12) - 1)];
    // In Sakamoto's method, 0 is Sunday.
    ((year + year / 4 - year / 100 + year / 400 + shift + u32::from(day) + 6) % 7) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_fall_where_calendars_have_them() {
        for (day, date, expected) in [
            (Day::Fixed(5, 15), "2026-05-15", (2026, 5, 15)),
            (Day::Fixed(5, 15), "2026-05-16T00:00:00Z", (2027, 5, 15)),
            // The fourth Tuesday of May 2026 and the first Monday of October 2023.
            (Day::Nth(1, 4, 5), "2026-01-01", (2026, 5, 26)),
            (Day::Nth(0, 1, 10), "2023-10-02", (2023, 10, 2)),
            (Day::Nth(0, 1, 10), "2023-10-03", (2024, 10, 7)),
            (Day::Nth(0, 3, 8), "2026-08-18", (2027, 8, 16)),
        ] {
            assert_eq!(day.on_or_after(date), Some(expected), "{day:?} {date}");
        }
        for date in ["", "2026", "2026-0x-01", "99999-01-01"] {
            assert_eq!(Day::Fixed(1, 1).on_or_after(date), None, "{date}");
        }
        assert_eq!((weekday_of(2026, 11, 26), weekday_of(2024, 2, 29), weekday_of(2000, 1, 1)), (3, 3, 5));
    }
}
