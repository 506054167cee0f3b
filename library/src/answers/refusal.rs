//! Refusals: requests that have no answer, with the reason and what to do.

use std::borrow::Cow;

use crate::{
    geometry::LonLat,
    vocabulary::{JurisdictionId, ProblemKind, echoed},
};

/// Maximum number of characters of a detail. The longest of our own sentences has 400; the rest is room for a
/// caller's text.
const DETAIL_CHARS_MAX: usize = 1_000;

/// A request that has no answer, before a front end states it in its protocol. The status follows from the kind and
/// the operation: see `operations`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    /// The kind of problem, from the contract's list.
    pub kind: ProblemKind,
    /// The detail in plain words: the value received, the value expected, and what to do.
    pub detail: String,
    /// Candidates to choose from, the likeliest first; only with `ambiguous`.
    pub choices: Vec<Choice>,
    /// Seconds after which the same request may be repeated; `None` where repeating would not help, or where the rate
    /// limits determine the time.
    pub retry_after_s: Option<u32>,
}

/// One of several candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// A name for people to read and to send as the next request.
    pub label: String,
    /// A point inside the place, or the location of the address.
    pub point: Option<LonLat>,
    /// The id of the jurisdiction; `None` for an address.
    pub jurisdiction: Option<JurisdictionId>,
}

impl Refusal {
    /// Makes a refusal without choices. The detail may repeat what a caller sent: see [`echoed`].
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Refusal {
        let detail = detail.into();
        let detail = match echoed(&detail, DETAIL_CHARS_MAX) {
            Cow::Borrowed(_) => detail,
            Cow::Owned(readable) => readable,
        };
        Refusal { kind, detail, choices: Vec::new(), retry_after_s: None }
    }

    /// Makes a refusal of kind `bad-parameter`. The detail says what was expected.
    pub fn bad_parameter(detail: impl Into<String>) -> Refusal {
        Refusal::new(ProblemKind::BadParameter, detail)
    }
}
