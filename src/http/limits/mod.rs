//! How many requests a caller may make: who it is, what it may, what is left, and the header fields that say so.
//!
//! A caller is a key, or else a network address (an IPv6 /64 counts as one; see [`Proxies`] for those behind a
//! proxy). Each has a minute window and a day window per [`Bucket`]. A window begins with the caller's first
//! request in it and ends 60 s or 86,400 s later, so resets are spread by themselves. A request counts when both
//! windows have room, else in neither.
//!
//! What counts: `GET` and `HEAD` of an operation, whatever the answer's status but 401 and 429; calls of tools, pages,
//! and what pages suggest, each apart from them; messages of language models, before they are read, and documents, in a
//! bucket so wide that no honest client empties it. What does not: `OPTIONS`, paths and methods that are not answered, the
//! style and the pictures of pages, an unusable key. Those cost no more than a 429 would, and
//! their answers say how the address stands. (The bare 400 and 431 that hyper sends before a head is read say nothing.)

mod caller;
mod clock;
mod fields;
mod network;
mod proxies;
mod quota;
mod rate_limiter;
mod store;
mod table;

pub use caller::{Caller, Tier};
pub use clock::{Clock, ManualClock, Monotonic};
pub use network::{BadNetwork, Network};
pub use proxies::Proxies;
pub use quota::{Bucket, Quota};
pub use rate_limiter::{Permit, RateLimiter, UseFigures};
pub use store::{Standing, Store, Window};
pub use table::Table;
