//! Why a snapshot may not be served.

/// Why a snapshot may not be served, or may not take the place of another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// No county has an outline: no point would have an answer.
    #[error(
        "expected counties with outlines, found none; build the snapshot with boundary files of counties"
    )]
    Empty,
    /// Counties are not found at points inside of them.
    #[error(
        "expected counties to be found at their own points, found {found} of {asked}; the snapshot was built wrongly: look \
         at it with `platbook verify FILE --cross-check 100000`"
    )]
    Lost {
        /// Counties that were found.
        found: usize,
        /// Counties that were asked about.
        asked: usize,
    },
    /// A point whose answer is known has another.
    #[error("expected {place} to lie in {expected}, got {got}; the snapshot was built wrongly")]
    KnownPoint {
        /// What the point is.
        place: &'static str,
        /// The id that is known.
        expected: String,
        /// The id that is answered, or a word.
        got: String,
    },
    /// A text that must not be shown.
    #[error(
        "expected texts of a bounded length without control and direction characters, and addresses that begin with \
         https:// or http://, got {what} with {text:?}"
    )]
    Text {
        /// Which record has it.
        what: &'static str,
        /// The start of the text, cleaned.
        text: String,
    },
    /// It is older.
    #[error("it is of {as_of}, older than the one served, of {served}; send SIGHUP to serve it all the same")]
    Older {
        /// Its date.
        as_of: String,
        /// The date of the one that is served.
        served: String,
    },
    /// There is much less of something.
    #[error(
        "expected some {had} {what}, as in the one served, found {has}; if that is meant, start the service anew with it"
    )]
    Fewer {
        /// What there is less of.
        what: String,
        /// How many are served.
        had: usize,
        /// How many there are.
        has: usize,
    },
    /// A state has lost its rules.
    #[error("the rules of {state} are missing; if that is meant, start the service anew with it")]
    NoRules {
        /// The state.
        state: String,
    },
    /// It is of another world.
    #[error(
        "expected points inside the counties served to lie in the same counties, found {found} of {asked}; if that is \
         meant, start the service anew with it"
    )]
    Moved {
        /// Points that lie in the same county.
        found: usize,
        /// Points asked about.
        asked: usize,
    },
}
