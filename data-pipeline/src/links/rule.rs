//! The rule by which observations of a link become its state.
//!
//! A page that works counts at once. A link counts as possibly broken after failures on three days, the last a week
//! or more after the first. It also counts as possibly broken after two days on which the server gave the same page for
//! an address that cannot exist. A site that belongs to someone else counts at once. All other answers leave the state
//! unchanged: servers refuse programs, are overloaded, or are away for months.

use jiff::civil::Date;
use platbook::vocabulary::VerifiedStatus;
use serde::{Deserialize, Serialize};

/// Number of days with failures after which a link counts as possibly broken. Chosen, not measured.
const FAILED_DAYS: u32 = 3;

/// Number of days from the first of these failures to the last. County servers are often away for a weekend. Chosen,
/// not measured.
const FAILED_SPAN_DAYS: i32 = 7;

/// Number of days with a soft 404 after which a link counts as possibly broken. Chosen, not measured.
const SOFT_DAYS: u32 = 2;

/// Number of equal permanent redirects after which a new address is proposed. Chosen, not measured.
pub(super) const MOVED_TIMES: u32 = 3;

/// Number of days for which a result counts. A link is checked about once a week, so it has several tries in this
/// time. Chosen, not measured.
pub const VALID_DAYS: i32 = 30;

/// The result of one look at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The page is there and speaks of its subject.
    Works,
    /// The server says that there is no such page, or no such host exists.
    Gone,
    /// The server gives the same page for an address that cannot exist.
    SoftMissing,
    /// The site belongs to someone else.
    TakenOver,
    /// The look shows nothing about the page.
    Unknown,
}

/// An observation of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// URL of the link.
    pub url: String,
    /// Day of the observation.
    pub day: Date,
    /// The finding on that day.
    #[serde(flatten)]
    pub finding: Finding,
}

/// The finding of one look at a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The meaning for the link.
    pub outcome: Outcome,
    /// The HTTP status; `None` if no server answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// The target, if the server says that the page has moved for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// The entity tag of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The reason why nothing can be said, or the page's title if the site belongs to someone else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Finding {
    /// A finding without an answer of a server.
    pub(super) fn new(outcome: Outcome, note: impl Into<Option<String>>) -> Finding {
        Finding { outcome, http_status: None, moved_to: None, etag: None, note: note.into() }
    }
}

/// The state of a link after all observations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkState {
    /// The result of all observations.
    pub status: Status,
    /// The day of the observation that led to the result; `None` before any result.
    pub day: Option<Date>,
    /// The HTTP status of the observation that led to the result.
    pub http_status: Option<u16>,
    /// The day of the last observation, whatever it said.
    pub looked: Date,
    /// Failures since the page last worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Days>,
    /// Soft 404s since the page last worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft: Option<Days>,
    /// The permanent redirect of the last observations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// The entity tag of the page when it worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
}

/// The result of all observations of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No observation has given a result.
    NotYetVerified,
    /// The page works and speaks of its subject.
    Verified,
    /// The page is probably gone.
    PossiblyBroken,
    /// The site belongs to someone else.
    TakenOver,
}

/// Days of observations of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Days {
    first: Date,
    last: Date,
    count: u32,
}

/// A permanent redirect that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Target of the redirect.
    pub to: String,
    /// Number of looks in a row that saw the redirect.
    pub times: u32,
}

impl Days {
    /// Adds a day; the same day counts once.
    fn with(days: Option<Days>, day: Date) -> Days {
        match days {
            None => Days { first: day, last: day, count: 1 },
            Some(days) if days.last == day => days,
            Some(days) => Days { last: day, count: days.count + 1, ..days },
        }
    }

    fn span(self) -> i32 {
        (self.last - self.first).get_days()
    }
}

impl LinkState {
    /// A link that was never observed.
    fn new(day: Date) -> LinkState {
        LinkState {
            status: Status::NotYetVerified,
            day: None,
            http_status: None,
            looked: day,
            failed: None,
            soft: None,
            moved: None,
            etag: None,
        }
    }

    /// The state after an observation.
    #[must_use]
    pub fn after(before: Option<LinkState>, seen: &Observation) -> LinkState {
        let mut state = before.unwrap_or_else(|| LinkState::new(seen.day));
        state.looked = seen.day;
        let finding = &seen.finding;
        let decided = match finding.outcome {
            Outcome::Works => {
                (state.failed, state.soft) = (None, None);
                state.etag.clone_from(&finding.etag);
                state.moved = finding.moved_to.clone().map(|to| {
                    let times =
                        state.moved.as_ref().filter(|moved| moved.to == to).map_or(0, |moved| moved.times);
                    Moved { to, times: times + 1 }
                });
                Some(Status::Verified)
            }
            Outcome::Gone => {
                let days = Days::with(state.failed, seen.day);
                state.failed = Some(days);
                let is_broken = days.count >= FAILED_DAYS && days.span() >= FAILED_SPAN_DAYS;
                is_broken.then_some(Status::PossiblyBroken)
            }
            Outcome::SoftMissing => {
                let days = Days::with(state.soft, seen.day);
                state.soft = Some(days);
                (days.count >= SOFT_DAYS).then_some(Status::PossiblyBroken)
            }
            Outcome::TakenOver => Some(Status::TakenOver),
            Outcome::Unknown => None,
        };
        if let Some(status) = decided {
            (state.status, state.day, state.http_status) = (status, Some(seen.day), finding.http_status);
        }
        state
    }

    /// The result that answers show on a day; `None` if nothing is known, or the result is too old.
    pub fn result(&self, today: Date) -> Option<(VerifiedStatus, Date)> {
        let status = match self.status {
            Status::NotYetVerified => return None,
            Status::Verified => VerifiedStatus::Verified,
            Status::PossiblyBroken | Status::TakenOver => VerifiedStatus::PossiblyBroken,
        };
        let day = self.day.filter(|day| (today - *day).get_days() <= VALID_DAYS)?;
        Some((status, day))
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Gone, SoftMissing, TakenOver, Unknown, Works};
    use jiff::civil::date;

    use super::*;

    fn folded(seen: &[(i8, Outcome)]) -> LinkState {
        let observation = |(day, outcome): &(i8, Outcome)| Observation {
            url: "https://a.example/".to_owned(),
            day: date(2026, 10, *day),
            finding: Finding::new(*outcome, None),
        };
        let fold = |state, seen: Observation| Some(LinkState::after(state, &seen));
        seen.iter().map(observation).fold(None, fold).unwrap()
    }

    #[test]
    fn a_link_is_broken_only_after_a_week_of_failures() {
        use Status::{NotYetVerified, PossiblyBroken, Verified};
        for (seen, expected) in [
            (&[(1, Works)][..], Verified),
            (&[(1, Unknown)], NotYetVerified),
            (&[(1, Works), (2, Unknown), (9, Unknown)], Verified),
            (&[(1, Gone), (2, Gone), (3, Gone)], NotYetVerified),
            (&[(1, Gone), (1, Gone), (8, Gone)], NotYetVerified),
            (&[(1, Gone), (4, Gone), (7, Gone)], NotYetVerified),
            (&[(1, Gone), (4, Gone), (8, Gone)], PossiblyBroken),
            (&[(1, Works), (2, Gone), (4, Gone)], Verified),
            (&[(1, Works), (2, Gone), (4, Gone), (9, Gone)], PossiblyBroken),
            (&[(1, Gone), (4, Gone), (5, Works), (8, Gone)], Verified),
            (&[(1, Gone), (4, Gone), (8, Gone), (9, Unknown)], PossiblyBroken),
            (&[(1, Gone), (4, Gone), (8, Gone), (9, Works)], Verified),
            (&[(1, SoftMissing), (1, SoftMissing)], NotYetVerified),
            (&[(1, SoftMissing), (2, SoftMissing)], PossiblyBroken),
            (&[(1, SoftMissing), (2, Works), (3, SoftMissing)], Verified),
            (&[(1, TakenOver)], Status::TakenOver),
            (&[(1, TakenOver), (2, Works)], Verified),
        ] {
            assert_eq!(folded(seen).status, expected, "{seen:?}");
        }
    }

    #[test]
    fn results_end_after_a_month() {
        let works = folded(&[(1, Works), (20, Unknown)]);
        for (today, is_known) in [(date(2026, 10, 31), true), (date(2026, 11, 1), false)] {
            let expected = is_known.then_some((VerifiedStatus::Verified, date(2026, 10, 1)));
            assert_eq!(works.result(today), expected, "{today}");
        }
        assert_eq!(folded(&[(1, Unknown)]).result(date(2026, 10, 1)), None);
    }
}
