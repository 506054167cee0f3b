//! Documents that depend on no question: the OpenAPI description, and a page for each type of problem.

use std::sync::OnceLock;

use bytes::Bytes;
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{self, HeaderValue},
};

use maud::{DOCTYPE, PreEscaped, html};

use super::{
    door::{Body, whole},
    encoding::{self, Coding},
    etag::ETag,
    headers,
};
use crate::{
    openapi,
    operations::{self, PREFIX, QUARTER_HOUR_S},
    vocabulary::ProblemKind,
};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// A document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// The OpenAPI document.
    OpenApi,
    /// What a problem means.
    Problem(ProblemKind),
}

impl Document {
    /// The document at a path.
    pub(super) fn at(path: &str) -> Option<Document> {
        if path.strip_prefix(PREFIX).unwrap_or(path) == "/openapi.json" {
            return Some(Document::OpenApi);
        }
        let slug = path.strip_prefix("/problems/")?;
        ProblemKind::all().find(|kind| kind.slug() == slug).map(Document::Problem)
    }
}

/// The documents of a site.
#[derive(Debug)]
pub(super) struct Documents {
    site: String,
    /// Made when it is first asked for, with its tag.
    openapi: OnceLock<(Bytes, ETag)>,
    /// The document, by [`Coding`]. It is large, asked for without a limit, and never changes.
    packed: [OnceLock<Option<Bytes>>; 2],
}

impl Documents {
    pub(super) fn new(site: &str) -> Documents {
        Documents { site: site.to_owned(), openapi: OnceLock::new(), packed: Default::default() }
    }

    /// The response to a request for a document, still without the headers of every response.
    pub(super) fn respond(&self, document: Document, asked: &HeaderMap) -> Response<Body> {
        let (content_type, (body, etag)) = match document {
            Document::OpenApi => (headers::JSON, self.openapi().clone()),
            Document::Problem(kind) => (HTML, tagged(problem_page(kind))),
        };
        let known = etag.is_known_to(asked);
        let mut headers = headers::success(etag.header(), QUARTER_HOUR_S);
        headers.insert(header::CONTENT_TYPE, content_type);
        let body = if known {
            headers.remove(header::CONTENT_TYPE);
            Bytes::new()
        } else if let Some((coding, packed)) = self.packed(document, &body, asked) {
            headers.insert(header::CONTENT_ENCODING, coding.header());
            packed
        } else {
            body
        };
        let mut response = Response::new(whole(body));
        *response.status_mut() = if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        *response.headers_mut() = headers;
        response
    }

    /// Documents for people are small: they go as they are.
    fn packed(&self, document: Document, body: &[u8], asked: &HeaderMap) -> Option<(Coding, Bytes)> {
        let coding = encoding::chosen(asked, body.len()).filter(|_| document == Document::OpenApi)?;
        let packed = self.packed[coding as usize].get_or_init(|| coding.pack(body).map(Bytes::from));
        Some((coding, packed.clone()?))
    }

    fn openapi(&self) -> &(Bytes, ETag) {
        self.openapi.get_or_init(|| tagged(openapi::document(&self.site).to_string()))
    }
}

fn tagged(text: String) -> (Bytes, ETag) {
    let etag = ETag::of(text.as_bytes());
    (text.into(), etag)
}

const STYLE: &str = "body{font:1.05rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;\
                     color-scheme:light dark}code{font-size:.95em}";

/// Meaning, remedy and an example, for people.
fn problem_page(kind: ProblemKind) -> String {
    let (slug, title, help) = (kind.slug(), kind.title(), kind.help());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width";
            title { (slug) ": " (title) }
            style { (PreEscaped(STYLE)) }
            h1 { (title) }
            p { "Problem type " code { (slug) } ", status " (operations::status_of(kind)) "." }
            h2 { "What it means" }
            p { (help.meaning) }
            h2 { "What to do" }
            p { (help.remedy) }
            h2 { "A detail that comes with it" }
            p { code { (help.detail) } }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_their_path() {
        for (path, page) in [
            ("/openapi.json", Some(Document::OpenApi)),
            ("/v1/openapi.json", Some(Document::OpenApi)),
            ("/v1/v1/openapi.json", None),
            ("/problems/busy", Some(Document::Problem(ProblemKind::Busy))),
            ("/problems/", None),
            ("/problems/busy/", None),
            ("/v1/problems/busy", None),
            ("/problems/Busy", None),
        ] {
            assert_eq!(Document::at(path), page, "{path}");
        }
    }
}
