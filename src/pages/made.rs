//! The result of a page's address: a page, a text, a file or a redirect.

use hyper::StatusCode;

use super::{assets, layout::PageLayout};

/// The result of a route.
pub(super) enum Made {
    /// A page, without its layout.
    Page(Box<PageLayout>),
    /// Another text, with its media type and its lifetime in seconds.
    Text(&'static str, u32, String),
    /// A built-in file, such as the script.
    Asset(&'static assets::Asset),
    /// A redirect to another path and query: permanent, or for this request only.
    Elsewhere(StatusCode, String),
}

impl Made {
    /// Wraps the layout of a page.
    pub(super) fn page(layout: PageLayout) -> Made {
        Made::Page(Box::new(layout))
    }
}
