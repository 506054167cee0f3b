//! Why a service outside gave no facts.

use std::time::Duration;

/// Why a service gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No connection, or one that broke.
    Unreachable,
    /// No answer in time.
    Late,
    /// A status that is not a success; also a redirect, which is not followed.
    Status(u16),
    /// The status that the service documents for a question that it cannot take apart. A service that is down may answer so
    /// to all, so its control question decides what it means.
    Refused(u16),
    /// Nothing where the service must have something: its control question was not answered right.
    Empty,
    /// An answer of the service that says that it failed, under the status of a success.
    Failed,
    /// An answer that is not in the service's form.
    Unreadable,
    /// An answer that is longer than any that is expected.
    TooLong,
    /// It failed several times in a row and rests for this long.
    Resting(Duration),
    /// As much is under way there as a polite caller asks at one time.
    Crowded,
    /// As many lookups of this caller are under way there as one caller may have.
    OverShare,
}

/// Seconds after which a service that failed may be asked again: as long as the outcome of its control question counts.
const RETRY_S: u32 = 30;

impl Fault {
    /// Seconds after which to ask again.
    pub fn retry_after_s(&self) -> u32 {
        match self {
            Fault::Resting(rest) => u32::try_from(rest.as_secs()).map_or(RETRY_S, |rest_s| rest_s + 1),
            _ => RETRY_S,
        }
    }

    /// Whether the same call may succeed when it is made again at once.
    pub fn may_pass(&self) -> bool {
        match self {
            Fault::Unreachable => true,
            Fault::Status(status) => (500..=504).contains(status),
            _ => false,
        }
    }
}
