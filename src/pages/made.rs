//! What comes of the address of a page.

use hyper::StatusCode;

use super::{assets, layout::PageLayout};

/// What comes of a route.
pub(super) enum Made {
    /// A page.
    Page(Box<PageLayout>),
    /// Another text, with its media type and lifetime in seconds.
    Text(&'static str, u32, String),
    /// A file that is built in.
    Asset(&'static assets::Asset),
    /// Another address, as path and query: for ever, or for this question.
    Elsewhere(StatusCode, String),
}

impl Made {
    /// A page.
    pub(super) fn page(layout: PageLayout) -> Made {
        Made::Page(Box::new(layout))
    }
}
