//! Monitoring for operators: metrics for Prometheus, on a listener of their own.
//!
//! Each module keeps plain counts ([`crate::counts`]) of its own work, which are read here on demand. Requests never
//! wait for it.

mod listener;
mod page;
mod process;

pub use listener::serve;
pub use page::figures;
