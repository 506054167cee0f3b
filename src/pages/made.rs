//! What comes of the address of a page.

use hyper::StatusCode;

use super::{assets, sheet::Sheet};

/// What comes of a route.
pub(super) enum Made {
    /// A page.
    Sheet(Box<Sheet>),
    /// Another text, with its media type and lifetime in seconds.
    Text(&'static str, u32, String),
    /// A file that is built in.
    Asset(&'static assets::Asset),
    /// Another address, as path and query: for ever, or for this question.
    Elsewhere(StatusCode, String),
}

impl Made {
    /// A page.
    pub(super) fn sheet(sheet: Sheet) -> Made {
        Made::Sheet(Box::new(sheet))
    }
}
