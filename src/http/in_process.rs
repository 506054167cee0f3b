//! Requests without a connection, for benches.

use std::net::{IpAddr, Ipv4Addr};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};

use super::{door::Body, service::Service};

impl Service {
    /// The response to a request of this machine, as a connection would send it.
    #[doc(hidden)]
    pub async fn respond_in_process(&self, request: Request<Full<Bytes>>) -> Response<Body> {
        let (head, body) = request.into_parts();
        self.respond(&head, body, IpAddr::V4(Ipv4Addr::LOCALHOST)).await
    }
}
