//! Monitoring for operators: metrics for Prometheus, on a listener of their own.
//!
//! Each module keeps plain counts ([`crate::counts`]) of its own work, and this module reads them on demand. Requests
//! never wait for that.

mod listener;
mod page;
mod process;

pub use listener::serve;
pub use page::figures;
