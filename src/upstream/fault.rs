//! Why a service outside gave no findings.

use std::time::Duration;

/// Why a service gave no findings. Its words end a sentence that begins with what was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// No connection, or one that broke.
    #[error("the service cannot be reached")]
    Unreachable,
    /// Nothing came in time.
    #[error("the service did not answer in time")]
    Late,
    /// A status that is no success; also a redirect, which is not followed.
    #[error("the service answered with an error (status {0})")]
    Status(u16),
    /// The status that the service documents for a question that it cannot take apart. A service that is down may answer so
    /// to all, so its control question decides what it means.
    #[error("the service refused the question (status {0})")]
    Refused(u16),
    /// Nothing where the service must have something: its control question was not answered right.
    #[error("the service finds nothing, not even what it is known to have")]
    Empty,
    /// An answer of the service that says that it failed, under the status of a success.
    #[error("the service answered that it failed")]
    Failed,
    /// An answer that is not in the service's form.
    #[error("the answer of the service could not be read")]
    Unreadable,
    /// An answer that is longer than any that is expected.
    #[error("the answer of the service was too long")]
    TooLong,
    /// It failed several times in a row and is left alone for a while.
    #[error("the service has failed several times and is not asked for a while")]
    Resting(Duration),
    /// As much is under way there as a polite caller asks at one time.
    #[error("too many others are waiting for the service")]
    Crowded,
}

/// Seconds after which a service that failed may be asked again.
const RETRY_S: u32 = 30;

impl Fault {
    /// Seconds after which to ask again.
    pub(super) fn retry_after_s(&self) -> u32 {
        match self {
            Fault::Resting(rest) => u32::try_from(rest.as_secs()).map_or(RETRY_S, |rest_s| rest_s + 1),
            _ => RETRY_S,
        }
    }

    /// Whether the same call may succeed when it is made again at once.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Fault::Unreachable => true,
            Fault::Status(status) => (500..=504).contains(status),
            _ => false,
        }
    }
}
