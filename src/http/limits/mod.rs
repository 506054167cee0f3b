//! Rate limits: identifies the caller, counts its uses, and writes the header fields about them.
//!
//! A caller is a key, or else a network address (an IPv6 /64 counts as one; see [`Proxies`] for those behind a
//! proxy). Each caller has a minute window and a day window per [`Bucket`]. A window begins with the caller's first
//! request in it and ends 60 s or 86,400 s later, so resets are spread over time. A request counts in both windows if
//! both have room, and otherwise in neither.
//!
//! Requests for operations (`GET` and `HEAD`) count, unless the status is 401 or 429. Tool calls, pages and
//! suggestions count in buckets of their own. Messages of language models share a bucket with documents, so large
//! that no honest client empties it. A message counts before it is read.
//!
//! The counts are in a [`Table`] of this process, or with the feature `fleet` in a store that several servers share.
//!
//! `OPTIONS`, unknown paths and methods, styles and pictures of pages, and unusable keys do not count. Such requests
//! cost no more than a 429, and their responses show the limits that the address has left. Only hyper's own 400 and
//! 431 do not show these, since hyper sends them before it has read a request head.

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
