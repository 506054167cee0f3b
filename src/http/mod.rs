//! HTTP/1.1 in front of the answers.
//!
//! A request is a straight line of steps: host, method, path, key, limits, parameters, data; each may end it with a problem.
//! Knows no snapshot rows and speaks of nothing that [`crate::operations`] does not list.

mod connection;
mod deprecation;
mod encoding;
mod etag;
mod headers;
mod host;
mod known_tags;
pub mod limits;
mod pages;
mod path;
mod request_id;
mod server;
mod service;

pub use server::{Drained, Limits, serve};
pub use service::{Answerer, Service};
