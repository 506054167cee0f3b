//! HTTP/1.1 in front of the answers.
//!
//! A request is a straight line of steps: host, method, path, key, limits, parameters, data; each may end it with a problem.
//! Knows no snapshot rows and speaks of nothing that [`crate::operations`] does not list.

mod access_log;
mod body_budget;
mod connection;
mod content;
mod crowd;
mod deprecation;
mod documents;
mod door;
mod encoding;
mod etag;
mod first_head;
mod framing;
mod headers;
mod host;
mod in_process;
pub mod limits;
mod listener;
mod offload;
mod path;
mod probe;
mod ready_refusal;
mod request_body;
mod request_id;
mod respond;
mod server;
mod service;
mod tally;
mod turning_away;
mod valve;
mod vitals;
mod waiting;

pub use access_log::AccessLog;
pub use content::Content;
pub use door::{Admission, Body, BodyFault, Call, Door, Responding, Takes, whole};
pub use encoding::Coding;
pub use listener::Listener;
pub use server::{Capacity, Drained, listen, serve};
pub use service::{Planner, Service};
pub use tally::SurfaceFigures;
pub use valve::MAX_WAIT;
pub use vitals::{Freshness, Looked, Readiness, VitalFigures, Vitals};
pub use waiting::Waiting;
