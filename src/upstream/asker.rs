//! The caller of a lookup, and the caller's share of the concurrent lookups of one service.

/// The caller of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// Whoever runs this program, or a server without limits: no share.
    Operator,
    /// A caller with a number that no other caller has.
    Caller {
        /// The number.
        identity: u64,
        /// Whether the caller has a key.
        has_key: bool,
    },
}

/// Lookups of one service that a caller without a key may have under way at one time. A lookup makes up to three calls
/// (wetlands), so these take 12 of the 16 that a service has from us, and others are still served.
const SHARE: usize = 4;

/// The same with a key. Partners have 200 lookups a minute; those of 3 s each, as the flood maps take them, are 10 at a time.
const SHARE_WITH_KEY: usize = 12;

impl Asker {
    /// The number of the caller and the share; `None` where there is no share.
    pub(super) fn share(self) -> Option<(u64, usize)> {
        match self {
            Asker::Operator => None,
            Asker::Caller { identity, has_key } => {
                Some((identity, if has_key { SHARE_WITH_KEY } else { SHARE }))
            }
        }
    }
}
