//! Keeps the service responsive when more requests arrive than it can answer.
//!
//! The server (`server.rs`) accepts a connection, a burst in portions, and takes a [`ConnectionSlot`] for it. A
//! connection of an address at its maximum is reset. If all slots are taken, an idle connection of the address with the
//! most loses its slot. If none is idle, the new connection gets a prerendered 503 ([`Rejections`]), and a probe is
//! served from a reserve. The [`AdmissionController`] measures how long work waits for a thread, and sheds a share of
//! the requests while that is too long. If a connection's request has already arrived, the controller decides before it
//! is read, which costs least. An accepted connection is a [`WatchedStream`]. Its first head is held in memory of its
//! own size until it is whole, and it takes turns with others in writing. `/healthz` and `/readyz` ([`Health`]) are
//! answered whatever the load. Every other request is admitted or rejected by the same controller, then counted against
//! the limits of its caller (`limits`). The bytes of its body are a lease of a second [`AddressQuota`]. Work of
//! milliseconds runs on threads of its own ([`Offload`]), in a fair order of addresses. [`Metrics`] count the outcome
//! of each connection and each request.

mod activity;
mod address_quota;
mod admission;
mod connection_slots;
mod health;
mod metrics;
mod offload;
mod paced_writes;
mod reject;
mod watched_stream;

pub use admission::{AdmissionController, MAX_WAIT};
pub use health::{Freshness, Health, Looked, Readiness};
pub use metrics::{ConnectionMetrics, EndpointFigures, Metrics};
pub use offload::Offload;

pub(super) use activity::{Activity, InFlight};
pub(super) use address_quota::{AddressQuota, Exceeded, Lease};
pub(super) use admission::{Admitted, run_last};
pub(super) use connection_slots::{ConnectionSlot, ConnectionSlots};
pub(super) use health::Probe;
pub(super) use metrics::Endpoint;
pub(super) use paced_writes::{PacedWrites, WriteTurns};
pub(super) use reject::{PrerenderedResponse, Rejections, Sent, at_once, in_time, overloaded};
pub(super) use watched_stream::{Doubtful, HEAD_BYTES_MAX, WatchedStream, has_bytes};
