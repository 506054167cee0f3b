//! Whole texts with entity tags and compressed forms: documents, and texts that doors serve beside the operations.

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

/// Length of a body in bytes that takes a millisecond to compress: level 1 of gzip compresses some 60 MB/s (outlines,
/// `benches/dearest.rs`, 2026-11-24).
const LONG_BYTES: usize = 64 << 10;

/// Maximum size of the compressed form of a long body that is kept, as a fraction of the body. A larger form saves
/// too little to be worth its memory. Outlines, which consist of digits, shrink to a half.
const PACKED_MAX: (usize, usize) = (5, 8);

/// A text that is the same for every caller. The tag is computed at creation, and each compressed form when a caller
/// first requests it.
#[derive(Debug)]
pub struct Content {
    media_type: HeaderValue,
    max_age_s: u32,
    body: Bytes,
    etag: ETag,
    /// Compressed bodies by [`Coding`]; `None` for a body that does not shrink.
    packed: [OnceLock<Option<Bytes>>; 2],
}

impl Content {
    /// Makes a text with its media type, and the seconds for which caches may keep it.
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

    /// Returns the maximum memory in bytes that the text takes with all its compressed forms.
    pub fn bytes_max(&self) -> usize {
        let (part, whole) = PACKED_MAX;
        self.body.len() + self.packed.len() * self.body.len() * part / whole
    }

    /// Returns the coding that a caller prefers for a large body; `None` for no coding.
    pub fn liked(asked: &HeaderMap) -> Option<Coding> {
        encoding::chosen(asked, usize::MAX)
    }

    /// Returns whether a response in this coding would take a millisecond or more: the body is long and not
    /// compressed yet.
    pub fn is_slow(&self, liked: Option<Coding>) -> bool {
        self.body.len() >= LONG_BYTES
            && liked.is_some_and(|coding| self.packed[coding as usize].get().is_none())
    }

    /// Compresses a long body now, so that a later response in this coding is fast.
    pub fn prepare(&self, liked: Option<Coding>) {
        if let Some(coding) = liked.filter(|_| self.is_slow(liked)) {
            self.packed(coding);
        }
    }

    /// Returns the response to a request with these headers: the text, or `304` if the caller already has it. Headers
    /// that every response has are added later.
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

    /// Returns the text with another status, for this caller only: no cache may store it.
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

    /// Returns the body in the coding that the caller prefers, and sets `Content-Encoding`.
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
