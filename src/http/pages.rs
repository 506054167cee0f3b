//! What depends on no question: the OpenAPI document, and a page for each type of problem.

use std::{fmt::Write, sync::OnceLock};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{self, HeaderValue},
};

use super::{
    encoding::{self, Coding},
    etag::ETag,
    headers,
    service::Body,
};
use crate::{
    openapi,
    operations::PREFIX,
    wire::{ProblemKind, Rope},
};

/// A quarter of an hour, as everything that has no lifetime of its own.
const CACHE_CONTROL: &str = "public, max-age=900";

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The OpenAPI document.
    OpenApi,
    /// What a problem means.
    Problem(ProblemKind),
}

impl Page {
    /// The page at a path.
    pub(super) fn at(path: &str) -> Option<Page> {
        if path.strip_prefix(PREFIX).unwrap_or(path) == "/openapi.json" {
            return Some(Page::OpenApi);
        }
        let slug = path.strip_prefix("/problems/")?;
        ProblemKind::all().find(|kind| kind.slug() == slug).map(Page::Problem)
    }
}

/// The pages of a site.
#[derive(Debug)]
pub(super) struct Pages {
    site: String,
    /// Made when it is first asked for, with its tag.
    openapi: OnceLock<(Bytes, ETag)>,
    /// The document, by [`Coding`]. It is large, asked for without a limit, and never changes.
    packed: [OnceLock<Option<Bytes>>; 2],
}

impl Pages {
    pub(super) fn new(site: &str) -> Pages {
        Pages { site: site.to_owned(), openapi: OnceLock::new(), packed: Default::default() }
    }

    /// The response to a request for a page, still without the headers of every response.
    pub(super) fn respond(&self, page: Page, asked: &HeaderMap) -> Response<Body> {
        let (content_type, (body, etag)) = match page {
            Page::OpenApi => (headers::JSON, self.openapi().clone()),
            Page::Problem(kind) => (HTML, tagged(problem_page(kind))),
        };
        let known = etag.is_known_to(asked);
        let mut headers = headers::success(etag.header(), CACHE_CONTROL);
        headers.insert(header::CONTENT_TYPE, content_type);
        let body = if known {
            headers.remove(header::CONTENT_TYPE);
            Bytes::new()
        } else if let Some((coding, packed)) = self.packed(page, &body, asked) {
            headers.insert(header::CONTENT_ENCODING, coding.header());
            packed
        } else {
            body
        };
        let mut response = Response::new(Full::new(Rope::from(body).into_buf()));
        *response.status_mut() = if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        *response.headers_mut() = headers;
        response
    }

    /// Pages for people are small: they go as they are.
    fn packed(&self, page: Page, body: &[u8], asked: &HeaderMap) -> Option<(Coding, Bytes)> {
        let coding = encoding::chosen(asked, body.len()).filter(|_| page == Page::OpenApi)?;
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
    let mut page = String::with_capacity(2048);
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{slug}: {title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n\
         <p>Problem type <code>{slug}</code>, status {status}.</p>\n<h2>What it means</h2>\n<p>{meaning}</p>\n\
         <h2>What to do</h2>\n<p>{remedy}</p>\n<h2>A detail that comes with it</h2>\n<p><code>{detail}</code></p>\n\
         </html>\n",
        status = kind.status(),
        meaning = help.meaning,
        remedy = help.remedy,
        detail = help.detail,
    )
    .expect("writing to memory does not fail");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_their_path() {
        for (path, page) in [
            ("/openapi.json", Some(Page::OpenApi)),
            ("/v1/openapi.json", Some(Page::OpenApi)),
            ("/v1/v1/openapi.json", None),
            ("/problems/busy", Some(Page::Problem(ProblemKind::Busy))),
            ("/problems/", None),
            ("/problems/busy/", None),
            ("/v1/problems/busy", None),
            ("/problems/Busy", None),
        ] {
            assert_eq!(Page::at(path), page, "{path}");
        }
    }

    /// The table is plain text; nothing in it may look like markup.
    #[test]
    fn problem_pages_need_no_escapes() {
        for kind in ProblemKind::all() {
            let help = kind.help();
            for text in [kind.title(), help.meaning, help.remedy, help.detail] {
                assert!(!text.contains(['<', '>', '&']), "{text}");
            }
        }
    }
}
