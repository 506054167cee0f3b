//! Keeps the service responsive when more requests arrive than it can answer.
//!
//! The server (`server.rs`) accepts connections, a burst of them in portions, and takes a [`ConnectionSlot`] for
//! each. A connection from an address that has reached its maximum is reset. The address with the most connections
//! loses the slot of an idle one if all slots are taken. Without an idle connection, the new one gets a prerendered
//! 503 ([`Rejections`]), but a probe is served from a reserve. The [`AdmissionController`] measures how long work
//! waits for a thread, and rejects a share of the requests while that time is too long. A request that arrives with
//! its connection is admitted or rejected before it is read, which costs least. An accepted connection is a
//! [`WatchedStream`]. Memory no larger than the first head holds that head until it is complete. Connections take
//! turns to write. `/healthz` and `/readyz` ([`Health`]) are answered whatever the load. Every other request is
//! admitted or rejected by the same controller, then counted against the limits of its caller (`limits`). The bytes
//! of its body are a lease of a second [`AddressQuota`]. Work of milliseconds runs on threads of its own
//! ([`Offload`]), in a fair order of addresses. [`Metrics`] count the outcome of each connection and each request.

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
