//! Monitoring for operators: Prometheus metrics on a separate listener.
//!
//! Each module keeps plain counts ([`crate::counts`]) of its own work, and this module reads them on demand. Requests
//! never wait for these reads.

mod listener;
mod page;
mod process;

pub use listener::serve;
pub use page::figures;
