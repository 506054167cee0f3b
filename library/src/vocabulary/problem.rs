//! The contract's problem types: the reasons why a request has no answer.

/// A problem type of the contract, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is described by its title in PROBLEMS")]
pub enum ProblemKind {
    BadParameter,
    BadPoint,
    BadCursor,
    UnknownTopic,
    UnknownState,
    InvalidKey,
    UnknownJurisdiction,
    OutsideCoverage,
    AddressNotFound,
    PlaceNotFound,
    NotFound,
    MethodNotAllowed,
    Ambiguous,
    RateLimited,
    LookupLimit,
    InternalError,
    Busy,
    UpstreamUnavailable,
}

/// Slug and title of each problem, in the order of [`ProblemKind`].
const PROBLEMS: [(ProblemKind, &str, &str); 18] = {
    use ProblemKind as P;
    [
        (P::BadParameter, "bad-parameter", "A parameter is missing, malformed or out of range"),
        (P::BadPoint, "bad-point", "lat and lon are not a WGS84 point in decimal degrees"),
        (P::BadCursor, "bad-cursor", "The cursor does not belong to this request"),
        (P::UnknownTopic, "unknown-topic", "The topic is not in the vocabulary"),
        (P::UnknownState, "unknown-state", "The state is not covered"),
        (P::InvalidKey, "invalid-key", "The API key is not valid"),
        (P::UnknownJurisdiction, "unknown-jurisdiction", "No jurisdiction has this id"),
        (P::OutsideCoverage, "outside-coverage", "The point is outside the covered states and territories"),
        (P::AddressNotFound, "address-not-found", "No address matched"),
        (P::PlaceNotFound, "place-not-found", "No place of this name is in the state"),
        (P::NotFound, "not-found", "No endpoint at this path"),
        (P::MethodNotAllowed, "method-not-allowed", "Only GET, HEAD and OPTIONS are answered"),
        (P::Ambiguous, "ambiguous", "Several candidates match"),
        (P::RateLimited, "rate-limited", "The request limit is used up"),
        (P::LookupLimit, "lookup-limit", "The limit for new outside lookups is used up"),
        (P::InternalError, "internal-error", "The request could not be finished"),
        (P::Busy, "busy", "The service is busy"),
        (P::UpstreamUnavailable, "upstream-unavailable", "An outside service did not answer"),
    ]
};

impl ProblemKind {
    /// All problem types, in the contract's order.
    pub fn all() -> impl Iterator<Item = ProblemKind> {
        PROBLEMS.iter().map(|row| row.0)
    }

    /// The last segment of the problem's `type`, such as `bad-point`.
    pub fn slug(self) -> &'static str {
        PROBLEMS[self as usize].1
    }

    /// The problem's `title`, which never changes.
    pub fn title(self) -> &'static str {
        PROBLEMS[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_stands_at_its_kind() {
        for (at, kind) in ProblemKind::all().enumerate() {
            assert_eq!(kind as usize, at, "{kind:?}");
        }
    }
}
