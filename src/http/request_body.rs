//! Reads request bodies for doors, and drops all other bodies.

use std::{net::IpAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::{
    Uri, Version, header,
    header::HeaderValue,
    http::{request::Parts, uri},
};
use tokio::time::timeout;

use super::{
    door::{BodyFault, Takes},
    limits::{Bucket, Permit, RateLimiter},
    overload::{AddressQuota, Lease},
    respond::busy,
};
use platbook::answers::Refusal;

/// Maximum number of bytes of an unwanted request body that are read and dropped. A client that is disconnected while
/// it sends may never see the response. Chosen, not measured.
const UNWANTED_BYTES_MAX: usize = 64 * 1024;

/// Maximum time to wait for the rest of an unwanted body. Chosen, not measured.
const UNWANTED_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time to wait for the body of a door's request: at 22 KB/s, a second-generation mobile connection, 64 KB
/// arrive in this time.
const BODY_TIMEOUT: Duration = Duration::from_secs(3);

/// Number of bytes of each body that are not counted, so that a caller that uses up the budget cannot block short
/// messages. `initialize` and tool calls of known clients have 200 to 1,200 bytes. For 10,000 connections, this
/// amounts to 20 MiB.
const UNCOUNTED_BYTES: usize = 2 * 1024;

/// Maximum number of counted bytes of all bodies: a twelfth of the memory of 10,000 connections (200 MiB), or 260 of
/// the longest bodies. Bytes count when they arrive: a client that announces 64 KB and sends nothing uses no budget.
const BYTES_MAX: usize = 16 << 20;

/// Maximum number of counted bytes of one address: an eighth, so that it takes eight addresses to use up the budget.
const BYTES_EACH_MAX: usize = BYTES_MAX / 8;

/// Seconds after which a client may try again if the budget was used up: bodies are held for at most
/// [`BODY_TIMEOUT`].
const NO_ROOM_RETRY_S: u32 = 5;

/// Makes the budget of all request bodies.
pub(super) fn budget() -> Arc<AddressQuota> {
    AddressQuota::new(BYTES_MAX, BYTES_EACH_MAX)
}

/// Reads and drops the rest of a body. Does not read a body that the client holds back (`Expect: 100-continue`),
/// since hyper would then request it.
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

/// Reads the body of a request for a door, or returns the reason why it is missing. The request counts as a message
/// before its body is read.
///
/// # Errors
/// `rate-limited`, or `busy` if the budget of bodies is used up; the rest of the body is not read.
pub(super) async fn take<B>(
    takes: &Takes,
    (head, peer): (&Parts, IpAddr),
    body: B,
    (limiter, budget): (&RateLimiter, &Arc<AddressQuota>),
    permit: &mut Permit,
) -> Result<Result<Bytes, BodyFault>, Refusal>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let max = takes.body_bytes_max;
    if max > 0 {
        limiter.admit_beside(Bucket::Messages, &head.headers, peer, permit).await?;
    }
    if body.is_end_stream() {
        return Ok(Ok(Bytes::new()));
    }
    if body.size_hint().lower() > max as u64 {
        discard(head, body).await;
        return Ok(Err(BodyFault::TooLong { max }));
    }
    let no_room = || {
        let detail =
            "there is no room for so long a message now; ask again in a moment, or with a shorter one";
        busy(NO_ROOM_RETRY_S, detail)
    };
    let address = limiter.address(&head.headers, peer).identity();
    let lease = budget.lease(Some(address), 0).map_err(|_| no_room())?;
    match timeout(BODY_TIMEOUT, collect(body, max, lease)).await {
        Ok(Err(Uncollected::NoRoom)) => Err(no_room()),
        Ok(Err(Uncollected::Fault(fault))) => Ok(Err(fault)),
        Ok(Ok(bytes)) => Ok(Ok(bytes)),
        Err(_) => Ok(Err(BodyFault::Broken)),
    }
}

/// The reason why a body was not read completely.
enum Uncollected {
    NoRoom,
    Fault(BodyFault),
}

/// Collects the pieces of a body in memory that grows with them. Keeping hyper's own pieces would keep its read
/// buffers, 8 to 16 KiB per connection, until the last piece arrives.
async fn collect<B>(mut body: B, max: usize, mut lease: Lease) -> Result<Bytes, Uncollected>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
{
    let mut held = Vec::new();
    loop {
        let piece = match body.frame().await {
            None => break,
            Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
            Some(Err(_)) => return Err(Uncollected::Fault(BodyFault::Broken)),
        };
        let length = held.len() + piece.len();
        if length > max {
            return Err(Uncollected::Fault(BodyFault::TooLong { max }));
        }
        if held.is_empty() && body.is_end_stream() {
            // Nearly all bodies arrive in one piece, which is returned without a copy.
            return Ok(piece);
        }
        if length > held.capacity() {
            let room = length.next_power_of_two().clamp(UNCOUNTED_BYTES / 2, max.max(length));
            lease.grow_to(room.saturating_sub(UNCOUNTED_BYTES)).map_err(|_| Uncollected::NoRoom)?;
            held.reserve_exact(room - held.len());
        }
        held.extend_from_slice(&piece);
    }
    Ok(Bytes::from_owner(Counted { held, _lease: lease }))
}

/// A body with its lease of the budget; dropping the body returns the lease.
struct Counted {
    held: Vec<u8>,
    _lease: Lease,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.held
    }
}

/// Copies a head out of hyper's read buffer. A value that refers to that buffer makes hyper allocate another 8 KiB
/// for the body: 77 MiB for 9,900 bodies that never arrive.
pub(super) fn detach(head: &mut Parts) {
    for value in head.headers.values_mut() {
        if let Ok(copy) = HeaderValue::from_bytes(value.as_bytes()) {
            *value = copy;
        }
    }
    let is_plain = head.uri.scheme().is_none() && head.uri.authority().is_none();
    let target = head.uri.path_and_query().map(|target| target.as_str().as_bytes());
    if let Some(copy) =
        target.filter(|_| is_plain).and_then(|target| uri::PathAndQuery::try_from(target).ok())
    {
        head.uri = Uri::from(copy);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::stream;
    use http_body_util::StreamBody;
    use hyper::{Request, body::Frame};

    use super::*;

    /// Makes a body of these pieces.
    fn body(pieces: &[usize]) -> impl hyper::body::Body<Data = Bytes, Error = Infallible> + Unpin + use<> {
        let pieces: Vec<_> = pieces.iter().map(|bytes| Ok(Frame::data(vec![b'x'; *bytes].into()))).collect();
        StreamBody::new(stream::iter(pieces))
    }

    #[tokio::test]
    async fn bodies_grow_within_the_budget_of_their_caller_and_give_it_back() {
        let (head, ()) = Request::post("/mcp").body(()).unwrap().into_parts();
        let (budget, limiter, max) = (budget(), RateLimiter::unlimited(None), 64 << 10);
        let takes = Takes { methods: &[], request_headers: "", body_bytes_max: max };
        let take_from = async |pieces: &[usize], number| {
            let peer = IpAddr::from([192, 0, 2, number]);
            take(&takes, (&head, peer), body(pieces), (&limiter, &budget), &mut Permit::default()).await
        };
        let take = async |pieces: &[usize], number| {
            Some(take_from(pieces, number).await.ok()?.map(|bytes| bytes.len()))
        };
        for (pieces, taken) in [
            (&[][..], Ok(0)),
            (&[1], Ok(1)),
            (&[1, 2, 3], Ok(6)),
            (&[8_000; 8], Ok(64_000)),
            (&[65_536], Ok(65_536)),
            (&[65_536, 1], Err(BodyFault::TooLong { max })),
            (&[65_537], Err(BodyFault::TooLong { max })),
        ] {
            assert_eq!(take(pieces, 1).await, Some(taken), "{pieces:?}");
        }
        let mut held = Vec::new();
        while let Ok(Ok(bytes)) = take_from(&[8_000; 8], 1).await {
            held.push(bytes);
        }
        assert!((20..=64).contains(&held.len()), "{} bodies of one caller", held.len());
        assert_eq!(take(&[8_000; 8], 1).await, None);
        assert_eq!(take(&[500, 500], 1).await, Some(Ok(1_000)), "short ones need no room");
        assert_eq!(take(&[8_000; 8], 2).await, Some(Ok(64_000)), "other callers have theirs");
        held.pop();
        assert_eq!(take(&[8_000; 8], 1).await, Some(Ok(64_000)));
    }

    #[test]
    fn a_detached_head_says_the_same() {
        for target in ["/", "/mcp?x=%20y", "*", "http://h.example:1/p?q", "/a/b"] {
            let request = Request::post(target).header("Host", "h").header("X-A", "b").header("x-a", "c");
            let (mut head, ()) = request.body(()).unwrap().into_parts();
            let before = (head.uri.clone(), head.headers.clone());
            detach(&mut head);
            assert_eq!((head.uri, head.headers), before, "{target}");
        }
    }
}
