//! Compares dates of snapshots with each other and with this machine's clock.
//!
//! A snapshot from the far future would make every later one look older. So a snapshot dated ahead of the clock is
//! refused. If an operator requests it all the same, it does not count as newer than others.
//!
//! The clock of a machine without a battery may start in 1970, so that all snapshots would be dated ahead of it. A
//! clock that is behind a date known to be past is therefore ignored.

use std::{fmt, sync::Arc, time::SystemTime};

use jiff::{SignedDuration, Timestamp};

use super::{Refusal, built_in};
use platbook::{
    acceptance::{self, Rejection},
    directory::Directory,
};

/// Maximum time by which a snapshot may be dated ahead of the clock. Publishers date a file by their own calendar, at
/// most 14 hours ahead of UTC, and some by the day of its first use. A clock that is not synchronized may be hours
/// behind.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(48);

/// The date of the first built-in snapshot, in seconds since 1970: no correct clock shows an earlier time.
const FIRST: Timestamp = Timestamp::constant(1_795_132_800, 0);

/// This machine's clock, or one that a test sets.
#[derive(Clone)]
pub struct Clock {
    now: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// A date known to be past: a clock that shows an earlier time is wrong.
    past: Timestamp,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(SystemTime::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

impl Clock {
    /// Makes a clock from a function. The built-in snapshot is older than the binary, so its date is past.
    pub fn new(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Clock {
        let built_in = built_in().ok().and_then(|snapshot| snapshot.meta().as_of.parse().ok());
        Clock { now: Arc::new(now), past: built_in.map_or(FIRST, |built_in| FIRST.max(built_in)) }
    }

    /// Returns why this clock is ignored; `None` if it is plausible.
    pub fn fault(&self) -> Option<String> {
        let (now, past) = (self.now(), self.past);
        self.checked().is_none().then(|| {
            format!(
                "the clock of this machine says {now}, before {past}: until it is set, snapshots dated ahead of it are taken"
            )
        })
    }

    /// Returns the latest date that the clock accepts; `None` if the clock is wrong.
    fn checked(&self) -> Option<Timestamp> {
        let latest = self.now().checked_add(AHEAD_MAX).unwrap_or(Timestamp::MAX);
        (latest >= self.past).then_some(latest)
    }

    /// Returns whether the clock has reached a date. For a text that is not a date, returns false.
    pub(super) fn has_reached(&self, as_of: &str) -> bool {
        match (as_of.parse::<Timestamp>(), self.checked()) {
            (Ok(dated), Some(latest)) => dated <= latest,
            (dated, _) => dated.is_ok(),
        }
    }

    /// Returns the time of the clock if it is later than a date. `None` if it is not, or if the clock is wrong.
    pub(super) fn later_than(&self, date: &str) -> Option<Timestamp> {
        let now = self.now();
        let is_later = date.parse::<Timestamp>().is_ok_and(|date| now > date);
        (is_later && self.checked().is_some()).then_some(now)
    }

    fn now(&self) -> Timestamp {
        Timestamp::try_from((self.now)()).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// The dates with which a new snapshot is compared before it is served.
#[derive(Debug)]
pub(super) struct Against<'d> {
    /// The directory that is served now; `None` before the first one.
    pub(super) served: Option<&'d Directory>,
    /// Whether the served directory came from the same source. Otherwise, only its date is compared: an operator who
    /// names another source wants the content of that source.
    pub(super) is_of_source: bool,
    /// Whether an operator requested the new snapshot, which may then have any date.
    pub(super) is_asked: bool,
    /// The clock with which dates are compared.
    pub(super) clock: &'d Clock,
}

impl Against<'_> {
    /// Checks that the snapshot may be served in place of the current one.
    ///
    /// # Errors
    /// If it is dated ahead of the clock, is older than the one served, or fails the acceptance checks.
    pub(super) fn check(&self, new: &Directory) -> Result<(), Refusal> {
        let has_reached = |directory: &Directory| self.clock.has_reached(directory.as_of());
        if !self.is_asked && !has_reached(new) {
            return Err(Refusal::Ahead { as_of: new.as_of().to_owned(), now: self.clock.now().to_string() });
        }
        let Some(served) = self.served else { return Ok(()) };
        // A served snapshot that is dated ahead of the clock would lock out all others.
        if !self.is_asked && has_reached(served) && new.as_of() < served.as_of() {
            let (as_of, served) = (new.as_of().to_owned(), served.as_of().to_owned());
            return Err(Rejection::Older { as_of, served }.into());
        }
        if self.is_of_source {
            acceptance::may_follow(new, served, true)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Clock {
        let now = SystemTime::from(time.parse::<Timestamp>().unwrap());
        Clock { past: FIRST, ..Clock::new(move || now) }
    }

    #[test]
    fn dates_are_held_against_a_clock_that_can_be_right() {
        for (now, as_of, has_reached) in [
            ("2027-03-01T00:00:00Z", "2027-02-28T00:00:00Z", true),
            ("2027-03-01T00:00:00Z", "2027-03-03T00:00:00Z", true),
            ("2027-03-01T00:00:00Z", "2027-03-03T00:00:01Z", false),
            ("2027-03-01T00:00:00Z", "2099-01-01T00:00:00Z", false),
            ("2027-03-01T00:00:00Z", "not a date", false),
            ("2027-03-01T00:00:00Z", "", false),
            // Two days before the date of the first snapshot, a clock may still be right.
            ("2026-11-18T00:00:00Z", "2026-11-21T00:00:00Z", false),
            // This clock starts in 1970, so it is ignored.
            ("1970-01-01T00:00:00Z", "2026-11-21T00:00:00Z", true),
            ("1970-01-01T00:00:00Z", "2099-01-01T00:00:00Z", true),
            ("1970-01-01T00:00:00Z", "not a date", false),
            ("9999-12-30T22:00:00Z", "9999-12-30T21:00:00Z", true),
        ] {
            assert_eq!(at(now).has_reached(as_of), has_reached, "{as_of:?} at {now}");
        }
    }

    #[test]
    fn a_clock_that_cannot_be_right_is_named() {
        let fault = at("1970-01-01T00:00:00Z").fault().unwrap();
        assert!(fault.contains("1970-01-01") && fault.contains("before 20"), "{fault}");
        assert_eq!(at("2199-01-01T00:00:00Z").fault(), None);
        assert_eq!(FIRST.to_string(), "2026-11-20T00:00:00Z");
    }
}
