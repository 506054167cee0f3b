//! Serves the answers over HTTP/1.1, and over HTTP/2 if the service itself terminates TLS.
//!
//! A request passes checks in this order: host, method, path, key, limits, parameters, data. Each check may end the
//! request with a problem. This module does not know rows of snapshots, and serves only operations that
//! [`crate::operations`] lists.

mod access_log;
mod changes;
mod connection;
mod content;
mod date;
mod documents;
mod door;
mod encoding;
mod etag;
mod headers;
mod host;
#[cfg(feature = "tls")]
mod http_2;
pub mod limits;
mod listener;
mod one_answer;
mod overload;
mod path;
#[cfg(feature = "tls")]
mod redirect;
mod request_body;
mod request_id;
mod respond;
#[cfg(feature = "tls")]
mod secure;
mod server;
mod service;
mod waiting;

pub use access_log::AccessLog;
pub use changes::{CHANGES, Change, End};
pub use content::Content;
pub use door::{Admission, BodyFault, Call, Door, Responding, Takes};
pub use encoding::Coding;
pub use listener::Listener;
pub use overload::{
    AdmissionController, ConnectionMetrics, EndpointFigures, Freshness, Health, Looked, MAX_WAIT, Metrics,
    Offload, Readiness,
};
#[cfg(feature = "tls")]
pub use redirect::serve_redirects;
pub use respond::{Body, whole};
pub use server::{Capacity, Drained, listen, serve};
pub use service::{Planner, Service};
pub use waiting::Waiting;
