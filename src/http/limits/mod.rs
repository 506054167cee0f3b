//! Rate limits: identifies the caller, counts its uses, and writes the header fields about them.
//!
//! A caller is a key, or else a network address (an IPv6 /64 counts as one; see [`Proxies`] for those behind a
//! proxy). Each has a minute window and a day window per [`Bucket`]. A window begins with the caller's first
//! request in it and ends 60 s or 86,400 s later, so resets are spread by themselves. A request counts when both
//! windows have room, else in neither.
//!
//! Requests for operations count (`GET` and `HEAD`), whatever the status except 401 and 429. Tool calls, pages and
//! suggestions count in buckets of their own. Messages of language models and documents share a bucket so large that no
//! honest client empties it. A message counts before it is read.
//!
//! The counts are in a [`Table`] of this process, or with the feature `fleet` in a store that several servers share.
//!
//! `OPTIONS`, unknown paths and methods, styles and pictures of pages, and unusable keys do not count. They cost no
//! more than a 429, and their responses show the standing of the address. Only hyper's own 400 and 431, sent before a
//! head is read, do not show it.

mod caller;
mod clock;
mod fields;
mod network;
mod proxies;
mod quota;
mod rate_limiter;
#[cfg(feature = "fleet")]
mod shared;
mod store;
mod table;

pub use caller::{Caller, Tier};
pub use clock::{Clock, ManualClock, Monotonic};
pub use network::{BadNetwork, Network};
pub use proxies::Proxies;
pub use quota::{Bucket, Quota};
pub use rate_limiter::{LookupAdmission, Permit, RateLimiter, UseFigures};
#[cfg(feature = "fleet")]
pub use shared::{BadStoreAddress, Fleet, SharedTable, StoreAddress};
pub use store::{Asking, Sharing, Standing, Store, Window};
pub use table::Table;
