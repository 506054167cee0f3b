//! Whole texts with what a cache needs to know of them: documents, and what doors serve beside the operations.

use std::sync::OnceLock;

use bytes::Bytes;
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{self, HeaderValue},
};

use super::{
    door::{Body, whole},
    encoding::{self, Coding},
    etag::ETag,
    headers,
};

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

    /// The bytes of the text, not packed.
    pub fn bytes(&self) -> usize {
        self.body.len()
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
        let packed = self.packed[coding as usize].get_or_init(|| coding.pack(&self.body).map(Bytes::from));
        packed.clone()
    }
}
