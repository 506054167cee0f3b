//! The caller of a lookup, the admission of new lookups, and the caller's share of a service's concurrent lookups.

use std::future::ready;

use platbook::answers::Refusal;

/// The caller of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// The operator of this program, or any caller of a server without limits. Has no limit on lookups.
    Operator,
    /// A caller with a unique number.
    Caller {
        /// The caller's number, unique among callers.
        identity: u64,
        /// Whether the caller has a key.
        has_key: bool,
    },
}

/// Counts a new outside lookup against the limit of its caller. A closure that implements this decides at once.
pub trait Admit: Send {
    /// Makes a store outside of this process count the lookup in advance, since [`Admit::admit`] cannot wait for the
    /// store. Called only if a lookup is new.
    fn reserve(&mut self) -> impl Future<Output = ()> + Send {
        ready(())
    }

    /// Admits the lookup, and returns its caller. Called at most once. Without this call, the reservation ends when
    /// this value is dropped.
    ///
    /// # Errors
    /// `lookup-limit`.
    fn admit(&mut self) -> Result<Asker, Refusal>;
}

impl<F: FnMut() -> Result<Asker, Refusal> + Send> Admit for F {
    fn admit(&mut self) -> Result<Asker, Refusal> {
        self()
    }
}

/// Maximum number of concurrent lookups at one service for a caller without a key. A lookup makes up to three calls
/// (wetlands). So a caller takes at most 12 of the `CALLS_MAX` calls, and other callers are still served.
const SHARE: usize = 4;

/// Maximum number of concurrent lookups at one service for a caller with a key. Partners have 200 lookups a minute.
/// Flood maps take 3 s each, which makes 10 lookups at a time.
const SHARE_WITH_KEY: usize = 12;

impl Asker {
    /// Returns the caller's number and maximum number of concurrent lookups; `None` without a limit.
    pub(super) fn share(self) -> Option<(u64, usize)> {
        match self {
            Asker::Operator => None,
            Asker::Caller { identity, has_key } => {
                Some((identity, if has_key { SHARE_WITH_KEY } else { SHARE }))
            }
        }
    }
}
