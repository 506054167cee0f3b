//! Whole texts with what a cache needs to know of them: documents, and what doors serve beside the operations.

use std::sync::OnceLock;

use bytes::Bytes;
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{self, HeaderValue},
};

use super::{
    encoding::{self, Coding},
    etag::ETag,
    headers,
    respond::{Body, whole},
};

/// A body from which on it takes longer than a millisecond to pack: level 1 of gzip packs some 60 MB/s (outlines,
/// `benches/dearest.rs`, 2026-11-24).
const LONG_BYTES: usize = 64 << 10;

/// The most that a packed form of a long body may be, as a part of the body: less is not worth the memory. Outlines, which are
/// all digits, shrink to a half.
const PACKED_MAX: (usize, usize) = (5, 8);

/// A text that is the same for every caller. It is tagged when it is made, and packed when it is first asked for so.
#[derive(Debug)]
pub struct Content {
    media_type: HeaderValue,
    max_age_s: u32,
    body: Bytes,
    etag: ETag,
    /// The body, by [`Coding`]; `None` where it does not shrink.
    packed: [OnceLock<Option<Bytes>>; 2],
}

impl Content {
    /// The text with its media type, and the seconds for which it may be kept.
    pub fn new(media_type: &'static str, max_age_s: u32, body: impl Into<Bytes>) -> Content {
        let body = body.into();
        Content {
            media_type: HeaderValue::from_static(media_type),
            max_age_s,
            etag: ETag::of(&body),
            body,
            packed: Default::default(),
        }
    }

    /// Bytes that it takes at most, with all its packed forms.
    pub fn bytes_max(&self) -> usize {
        let (part, whole) = PACKED_MAX;
        self.body.len() + self.packed.len() * self.body.len() * part / whole
    }

    /// The coding that a caller likes best, if a body is worth it.
    pub fn liked(asked: &HeaderMap) -> Option<Coding> {
        encoding::chosen(asked, usize::MAX)
    }

    /// Whether a response in this coding would take a millisecond or more, since the body is long and not packed so yet.
    pub fn is_slow(&self, liked: Option<Coding>) -> bool {
        self.body.len() >= LONG_BYTES
            && liked.is_some_and(|coding| self.packed[coding as usize].get().is_none())
    }

    /// Packs a long body, so that a response in this coding is quick.
    pub fn prepare(&self, liked: Option<Coding>) {
        if let Some(coding) = liked.filter(|_| self.is_slow(liked)) {
            self.packed(coding);
        }
    }

    /// The response to a request with these headers, still without the headers of every response: the text, or
    /// `304` where the caller has it.
    pub fn respond(&self, asked: &HeaderMap) -> Response<Body> {
        let known = self.etag.is_known_to(asked);
        let mut headers = headers::success(self.etag.header(), self.max_age_s);
        let (status, body) = if known {
            headers.remove(header::CONTENT_TYPE);
            (StatusCode::NOT_MODIFIED, Bytes::new())
        } else {
            headers.insert(header::CONTENT_TYPE, self.media_type.clone());
            (StatusCode::OK, self.packed_for(asked, &mut headers))
        };
        let mut response = Response::new(whole(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }

    /// The same text with another status, for this caller alone: no cache may keep it.
    pub fn respond_once(&self, status: StatusCode, asked: &HeaderMap) -> Response<Body> {
        let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
        headers.insert(header::CONTENT_TYPE, self.media_type.clone());
        headers.insert(header::CACHE_CONTROL, headers::NO_STORE);
        let body = self.packed_for(asked, &mut headers);
        let mut response = Response::new(whole(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }

    /// The body as the caller likes it best.
    fn packed_for(&self, asked: &HeaderMap, headers: &mut HeaderMap) -> Bytes {
        let coding = encoding::chosen(asked, self.body.len());
        let packed = coding.and_then(|coding| Some((coding, self.packed(coding)?)));
        let Some((coding, packed)) = packed else { return self.body.clone() };
        headers.insert(header::CONTENT_ENCODING, coding.header());
        packed
    }

    fn packed(&self, coding: Coding) -> Option<Bytes> {
        let (part, whole) = PACKED_MAX;
        let is_worth_it =
            |packed: &Vec<u8>| self.body.len() < LONG_BYTES || packed.len() * whole <= self.body.len() * part;
        let pack = || coding.pack(&self.body).filter(is_worth_it).map(Bytes::from);
        self.packed[coding as usize].get_or_init(pack).clone()
    }
}
