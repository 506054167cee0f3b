//! A part of a whole, in percent.

use std::fmt;

/// A part of a whole, such as the people whose office is known, of all people.
///
/// Percentages are rounded down, so that 100 % means all: 99.96 % is shown as 99.9.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    part: u64,
    whole: u64,
}

impl Share {
    /// A part of a whole. A part that is larger than the whole, as in a damaged file, counts as the whole.
    pub fn new(part: impl Into<u64>, whole: impl Into<u64>) -> Share {
        let whole = whole.into();
        Share { part: part.into().min(whole), whole }
    }

    /// The part in tenths of a percent, 0 to 1,000; `None` if the whole is 0.
    pub fn tenths(self) -> Option<u16> {
        (u128::from(self.part) * 1_000).checked_div(u128::from(self.whole)).map(|tenths| tenths as u16)
    }

    /// The part in percent with one decimal; `None` if the whole is 0.
    pub fn percent(self) -> Option<f64> {
        self.tenths().map(|tenths| f64::from(tenths) / 10.0)
    }

    /// The part in whole percent; `None` if the whole is 0.
    pub fn whole_percent(self) -> Option<u16> {
        self.tenths().map(|tenths| tenths / 10)
    }
}

/// Percent with one decimal, as tables have it: `99.9`, or `-` if the whole is 0.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tenths() {
            Some(tenths) => write!(f, "{}.{}", tenths / 10, tenths % 10),
            None => f.write_str("-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_is_all_of_it() {
        let check = |part: u64, whole: u64, text: &str, percent: Option<u16>| {
            let share = Share::new(part, whole);
            assert_eq!(
                (share.to_string().as_str(), share.whole_percent()),
                (text, percent),
                "{part} of {whole}"
            );
            let shown = share.percent().map(|percent| format!("{percent:.1}"));
            assert_eq!(shown.as_deref().unwrap_or("-"), text);
        };
        check(0, 0, "-", None);
        check(0, 7, "0.0", Some(0));
        check(1, 3, "33.3", Some(33));
        check(9_999, 10_000, "99.9", Some(99));
        check(10_000, 10_000, "100.0", Some(100));
        check(12, 10, "100.0", Some(100));
        check(u64::MAX - 1, u64::MAX, "99.9", Some(99));
    }
}
