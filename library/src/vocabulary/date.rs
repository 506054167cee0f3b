//! Days of the calendar, such as 2019-05-01.

use std::{fmt, str::FromStr};

/// A day from year 1 to 9999 of the Gregorian calendar. Its number is the digits of its text, such as 20190501.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(u32);

/// The text is not a day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a day as YYYY-MM-DD, such as 2019-05-01")]
pub struct DateError;

impl Date {
    /// The day of a year, month and day, each from 1; `None` if the calendar has no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let last = match month {
            4 | 6 | 9 | 11 => 30,
            2 if is_leap => 29,
            2 => 28,
            1..=12 => 31,
            _ => return None,
        };
        let is_day = (1..=9_999).contains(&year) && (1..=last).contains(&day);
        is_day.then(|| Date(u32::from(year) * 10_000 + u32::from(month) * 100 + u32::from(day)))
    }

    /// The day of a number such as 20190501, as snapshots store it.
    pub fn from_number(number: u32) -> Option<Date> {
        let year = u16::try_from(number / 10_000).ok()?;
        Date::new(year, (number / 100 % 100) as u8, (number % 100) as u8)
    }

    /// The number that snapshots store, such as 20190501.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Year, month and day.
    pub fn parts(self) -> (u16, u8, u8) {
        ((self.0 / 10_000) as u16, (self.0 / 100 % 100) as u8, (self.0 % 100) as u8)
    }

    /// January 1 of the year that is this many years before the date's own year.
    pub fn start_of_year_before(self, years: u16) -> Date {
        Date(u32::from(self.parts().0.saturating_sub(years).max(1)) * 10_000 + 101)
    }
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Date, DateError> {
        let bytes = text.as_bytes();
        let has_form = bytes.len() == 10
            && bytes.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let number = |from: usize, to: usize| text[from..to].parse::<u16>().ok();
        let parts = || Date::new(number(0, 4)?, number(5, 7)? as u8, number(8, 10)? as u8);
        has_form.then(parts).flatten().ok_or(DateError)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_read() {
        for text in ["2019-05-01", "2020-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            let date: Date = text.parse().unwrap();
            assert_eq!((date.to_string(), Date::from_number(date.number())), (text.to_owned(), Some(date)));
        }
        for text in [
            "",
            "2019",
            "2019-5-1",
            "2019-02-29",
            "1900-02-29",
            "2019-13-01",
            "2019-00-01",
            "2019-01-00",
            "2019-04-31",
            "0000-01-01",
            "2019/05/01",
            "+019-05-01",
            "2019-05-01T",
            " 2019-05-1",
            "01-05-2019",
        ] {
            assert_eq!(text.parse::<Date>(), Err(DateError), "{text}");
        }
        assert!([0, 20_190_000, 20_191_301, u32::MAX].map(Date::from_number).iter().all(Option::is_none));
        let start = "2026-11-26".parse::<Date>().unwrap().start_of_year_before(10);
        assert_eq!(start.to_string(), "2016-01-01");
    }
}
