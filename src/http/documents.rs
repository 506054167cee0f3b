//! The document that depends on no question: the OpenAPI description.

use std::sync::OnceLock;

use hyper::{HeaderMap, Response};

use super::{content::Content, door::Body};
use crate::{
    openapi,
    operations::{PREFIX, QUARTER_HOUR_S},
};

/// A document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// The OpenAPI document.
    OpenApi,
}

impl Document {
    /// The document at a path.
    pub(super) fn at(path: &str) -> Option<Document> {
        let below = path.strip_prefix(PREFIX).unwrap_or(path);
        (below == "/openapi.json").then_some(Document::OpenApi)
    }
}

/// The documents of a site.
#[derive(Debug)]
pub(super) struct Documents {
    site: String,
    /// Made when it is first asked for. It is large, asked for without a limit, and never changes.
    openapi: OnceLock<Content>,
}

impl Documents {
    pub(super) fn new(site: &str) -> Documents {
        Documents { site: site.to_owned(), openapi: OnceLock::new() }
    }

    /// The response to a request for a document, still without the headers of every response.
    pub(super) fn respond(&self, document: Document, asked: &HeaderMap) -> Response<Body> {
        match document {
            Document::OpenApi => self.openapi().respond(asked),
        }
    }

    fn openapi(&self) -> &Content {
        let make = || openapi::document(&self.site).to_string();
        self.openapi.get_or_init(|| Content::new("application/json", QUARTER_HOUR_S, make()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_found_by_their_path() {
        for (path, document) in [
            ("/openapi.json", Some(Document::OpenApi)),
            ("/v1/openapi.json", Some(Document::OpenApi)),
            ("/v1/v1/openapi.json", None),
            ("/openapi.json/", None),
        ] {
            assert_eq!(Document::at(path), document, "{path}");
        }
    }
}
