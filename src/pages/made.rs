//! The outcome of a page's address: a page, a text, a file or a redirect.

use hyper::StatusCode;

use super::{assets, layout::PageLayout};

/// The outcome of a route.
pub(super) enum Made {
    /// A page, without its layout.
    Page(Box<PageLayout>),
    /// Another text, with its media type and lifetime in seconds.
    Text(&'static str, u32, String),
    /// A built-in file, such as the script.
    Asset(&'static assets::Asset),
    /// Another address, as path and query: permanent, or for this request alone.
    Elsewhere(StatusCode, String),
}

impl Made {
    /// Wraps a page that was built.
    pub(super) fn page(layout: PageLayout) -> Made {
        Made::Page(Box::new(layout))
    }
}
