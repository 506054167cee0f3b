//! Checks of links: the result that a program or a person found at a URL, and the time.
//!
//! Snapshots hold no checks yet. A directory that receives some adds them to each answer with such a link.

use rustc_hash::FxHashMap;

use super::Directory;
use crate::vocabulary::{VerificationMethod, VerifiedStatus};

/// The last check of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkCheck {
    /// The result of the check.
    pub status: VerifiedStatus,
    /// Time of the check, RFC 3339.
    pub at: String,
    /// The method of the check.
    pub method: VerificationMethod,
    /// The HTTP status; `None` if no server answered.
    pub http_status: Option<u16>,
}

/// The last check of each link, by its URL as answers show it.
pub type LinkChecks = FxHashMap<String, LinkCheck>;

impl Directory {
    /// The same directory with these checks of its links.
    #[must_use]
    pub fn with_link_checks(self, link_checks: LinkChecks) -> Directory {
        Directory { link_checks, ..self }
    }

    pub(super) fn link_check(&self, url: &str) -> Option<&LinkCheck> {
        // Without checks no URL needs to be hashed.
        if self.link_checks.is_empty() { None } else { self.link_checks.get(url) }
    }
}
