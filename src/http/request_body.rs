//! Bodies of requests: read where a door takes them, and thrown away where nobody does.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::{Version, header, http::request::Parts};
use tokio::time::timeout;

use super::door::BodyFault;

/// Most bytes of an unwanted request body that are read, only to be thrown away: a client that is cut off while it still
/// sends may never see the answer.
const UNWANTED_BYTES_MAX: usize = 64 * 1024;

/// How long the rest of such a body is waited for.
const UNWANTED_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a body is waited for that a door takes.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads the rest of a body that nobody wants. Who waits to be asked for it is not asked: hyper would do so as soon as
/// the body is read.
pub(super) async fn discard<B>(head: &Parts, body: B) -> Option<B>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let expected = head.headers.get(header::EXPECT);
    let is_held_back = head.version >= Version::HTTP_11
        && expected.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    if !is_held_back {
        let _ = timeout(UNWANTED_TIMEOUT, Limited::new(body, UNWANTED_BYTES_MAX).collect()).await;
    }
    None
}

/// Reads a body that a door takes. One that its own length tells to be too long is not waited for.
pub(super) async fn read<B>(head: &Parts, body: B, max: usize) -> Result<Bytes, BodyFault>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if body.size_hint().lower() > max as u64 {
        discard(head, body).await;
        return Err(BodyFault::TooLong { max });
    }
    match timeout(BODY_TIMEOUT, Limited::new(body, max).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyFault::TooLong { max }),
        Ok(Err(_)) | Err(_) => Err(BodyFault::Broken),
    }
}
