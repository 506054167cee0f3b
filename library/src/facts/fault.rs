//! The reasons why an online service gave no facts.

use std::time::Duration;

/// The reason why an online service gave no facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection failed or broke.
    Unreachable,
    /// No answer arrived in time.
    Late,
    /// An HTTP status that is not a success. Redirects are in this case, because they are not followed.
    Status(u16),
    /// The HTTP status that the service documents for a query that it cannot parse. A service that is down may give
    /// this status for every query. Then a control question, whose answer is known, decides what the status means.
    Refused(u16),
    /// An empty answer. The control question also gets an empty answer, so the service does not have its data.
    Empty,
    /// An error message of the service, sent with a success status.
    Failed,
    /// An answer that does not have the service's form.
    Unreadable,
    /// An answer that is longer than expected.
    TooLong,
    /// The service failed several times in a row and is not called for this long.
    Resting(Duration),
    /// The number of simultaneous calls to this service is at its limit.
    Crowded,
    /// This caller has as many simultaneous lookups at the service as one caller may have.
    OverShare,
}

/// Seconds before a service that failed is called again. A failed control question counts for the same time.
const RETRY_S: u32 = 30;

impl Fault {
    /// Seconds after which to try again.
    pub fn retry_after_s(&self) -> u32 {
        match self {
            Fault::Resting(rest) => u32::try_from(rest.as_secs()).map_or(RETRY_S, |rest_s| rest_s + 1),
            _ => RETRY_S,
        }
    }

    /// Whether the same call may succeed if it is repeated at once.
    pub fn may_pass(&self) -> bool {
        match self {
            Fault::Unreachable => true,
            Fault::Status(status) => (500..=504).contains(status),
            _ => false,
        }
    }
}
