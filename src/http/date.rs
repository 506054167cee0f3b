//! The `Date` of a response (RFC 9110 6.6.1), which follows the clock of the machine forward and back.
//!
//! hyper writes a new value only when the clock has passed the second of the last value. After a clock that was ahead
//! is set back, hyper's value stays ahead until the clock catches up. Caches compute the age of a response from
//! `Date`.

use std::{cell::RefCell, time::SystemTime};

use hyper::header::HeaderValue;
use jiff::{Timestamp, fmt::rfc2822::DateTimePrinter};

/// The last second since 1970 for which a header was written, and that header.
type Written = Option<(u64, HeaderValue)>;

thread_local!(static WRITTEN: RefCell<Written> = const { RefCell::new(None) });

/// Returns the header for the current second; `None` if the clock shows a time before 1970 or after 9999.
pub(super) fn date() -> Option<HeaderValue> {
    let second = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
    WRITTEN.with_borrow_mut(|written| date_at(second, written))
}

fn date_at(second: u64, written: &mut Written) -> Option<HeaderValue> {
    if written.as_ref().is_none_or(|(at, _)| *at != second) {
        let time = Timestamp::from_second(i64::try_from(second).ok()?).ok()?;
        let text = DateTimePrinter::new().timestamp_to_rfc9110_string(&time).ok()?;
        *written = Some((second, HeaderValue::try_from(text).ok()?));
    }
    written.as_ref().map(|(_, header)| header.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_goes_forward_and_back_with_the_clock() {
        let mut written = None;
        for (second, expected) in [
            (784_111_777, Some("Sun, 06 Nov 1994 08:49:37 GMT")),
            (784_111_778, Some("Sun, 06 Nov 1994 08:49:38 GMT")),
            (784_111_778, Some("Sun, 06 Nov 1994 08:49:38 GMT")),
            (0, Some("Thu, 01 Jan 1970 00:00:00 GMT")),
            (u64::MAX, None),
        ] {
            let date = date_at(second, &mut written);
            assert_eq!(date.as_ref().map(|date| date.to_str().unwrap()), expected, "{second}");
        }
    }
}
