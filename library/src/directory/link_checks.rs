//! Checks of links: what a program or a person saw at an address, and when.
//!
//! No snapshot holds checks yet. A directory that is given some says them in each answer with such a link.

use rustc_hash::FxHashMap;

use super::Directory;
use crate::vocabulary::{VerificationMethod, VerifiedStatus};

/// The last check of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkCheck {
    /// What it found.
    pub status: VerifiedStatus,
    /// When it was made, as RFC 3339 has it.
    pub at: String,
    /// How it was made.
    pub method: VerificationMethod,
    /// The status of HTTP; `None` where no server answered.
    pub http_status: Option<u16>,
}

/// The last check of each link, by its address as answers show it.
pub type LinkChecks = FxHashMap<String, LinkCheck>;

impl Directory {
    /// The same directory with these checks of its links.
    #[must_use]
    pub fn with_link_checks(self, link_checks: LinkChecks) -> Directory {
        Directory { link_checks, ..self }
    }

    pub(super) fn link_check(&self, url: &str) -> Option<&LinkCheck> {
        // Without checks no address is hashed.
        if self.link_checks.is_empty() { None } else { self.link_checks.get(url) }
    }
}
