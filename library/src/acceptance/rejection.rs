//! The reasons why a snapshot is rejected.

/// The reason why a snapshot may not be served, or may not replace another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// No county has an outline, so no point can have an answer.
    #[error(
        "expected counties with outlines, found none; build the snapshot with boundary files of counties"
    )]
    Empty,
    /// Lookups of points in counties do not return these counties.
    #[error(
        "expected counties to be found at their own points, found {found} of {tested}; the snapshot was built wrongly: \
         inspect it with `platbook verify FILE --cross-check 100000`"
    )]
    Lost {
        /// Number of counties that were found.
        found: usize,
        /// Number of counties that were tested.
        tested: usize,
    },
    /// A known point has a wrong answer.
    #[error("expected {place} to lie in {expected}, got {got}; the snapshot was built wrongly")]
    KnownPoint {
        /// Description of the point.
        place: &'static str,
        /// The correct id of the point's county or city.
        expected: String,
        /// The id that the lookup returned, or "none".
        got: String,
    },
    /// A text is not safe to show.
    #[error(
        "expected texts of a bounded length without control and direction characters, and addresses that begin with \
         https:// or http://, got {what} with {text:?}"
    )]
    Text {
        /// The kind of record that has the text.
        what: &'static str,
        /// The start of the text, without unsafe characters.
        text: String,
    },
    /// The snapshot is older than the one that is served now.
    #[error("it is dated {as_of}, older than the one served, dated {served}; send SIGHUP to serve it anyway")]
    Older {
        /// Date of the rejected snapshot.
        as_of: String,
        /// Date of the snapshot that is served.
        served: String,
    },
    /// The snapshot has far fewer records of a kind than the one that is served now.
    #[error(
        "expected about {had} {what}, as in the one served, found {has}; if this is intended, restart the service with it"
    )]
    Fewer {
        /// Description of the records.
        what: String,
        /// Number of records in the snapshot that is served now.
        had: usize,
        /// Number of records in the rejected snapshot.
        has: usize,
    },
    /// The snapshot has no rules for a state, but the one that is served now has them.
    #[error("the rules of {state} are missing; if this is intended, restart the service with it")]
    NoRules {
        /// Postal code of the state.
        state: String,
    },
    /// The positions of counties differ from those in the snapshot that is served now.
    #[error(
        "expected points inside the counties served to lie in the same counties, found {found} of {tested}; if this is \
         intended, restart the service with it"
    )]
    Moved {
        /// Number of points that lie in the same county.
        found: usize,
        /// Number of points that were tested.
        tested: usize,
    },
}
