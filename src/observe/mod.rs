//! The service as it is seen by who runs it: figures for Prometheus, on a listener of their own.
//!
//! Whoever counts something keeps plain counts ([`crate::counts`]) beside what it does; they are read here, when somebody asks.
//! Nothing on the way of a request waits for it.

mod listener;
mod page;
mod process;

pub use listener::serve;
pub use page::figures;
