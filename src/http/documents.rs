//! Serves the documents that are the same for every request: the OpenAPI description.

use std::{net::IpAddr, sync::Arc};

use hyper::{HeaderMap, Response};
use tokio::sync::OnceCell;

use super::{content::Content, overload::Offload, respond::Body};
use crate::{
    openapi,
    operations::{PREFIX, QUARTER_HOUR_S},
};
use platbook::answers::Refusal;

/// A document that the service serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// The OpenAPI description of the interface.
    OpenApi,
}

impl Document {
    /// Returns the document at a path; `None` at other paths.
    pub(super) fn at(path: &str) -> Option<Document> {
        let below = path.strip_prefix(PREFIX).unwrap_or(path);
        (below == "/openapi.json").then_some(Document::OpenApi)
    }
}

/// The documents of a site.
#[derive(Debug)]
pub(super) struct Documents {
    site: String,
    /// Made on the first request, since it is large. Kept afterwards, since it never changes.
    openapi: OnceCell<Arc<Content>>,
}

impl Documents {
    pub(super) fn new(site: &str) -> Documents {
        Documents { site: site.to_owned(), openapi: OnceCell::new() }
    }

    /// Returns the response with a document. Headers that every response has are added later.
    ///
    /// # Errors
    /// `busy` if the document is not ready and too much work waits.
    pub(super) async fn respond(
        &self,
        document: Document,
        asked: &HeaderMap,
        offload: &Offload,
        caller: IpAddr,
    ) -> Result<Response<Body>, Refusal> {
        let Document::OpenApi = document;
        let (site, liked) = (self.site.clone(), Content::liked(asked));
        let make = || {
            offload.run(caller, move || {
                let content =
                    Content::new("application/json", QUARTER_HOUR_S, openapi::document(&site).to_string());
                content.prepare(liked);
                Arc::new(content)
            })
        };
        let content = self.openapi.get_or_try_init(make).await?;
        if content.is_slow(liked) {
            let content = Arc::clone(content);
            offload.run(caller, move || content.prepare(liked)).await?;
        }
        Ok(content.respond(asked))
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
