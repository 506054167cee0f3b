//! One answer per operation: the only place that turns what the directory knows into what the contract shows.
//!
//! A [`Request`] is parsed once, at the rim, by the same parser for every door. After that nothing is checked
//! again, and the only refusals left are those of the data (such as a point outside the coverage).

mod given;
mod notices;
mod number;
mod pieces;
mod refusal;
pub mod resolve;
mod shown;

use serde::Serialize;

use crate::{
    directory::{Directory, Row},
    geometry::LonLat,
    wire::{Envelope, ResolveResult},
};

use pieces::{JurisdictionPiece, Pieces};

pub use given::{Given, PARAMETERS_MAX, Parameter};
pub use refusal::Refusal;

/// What answers are made of.
#[derive(Debug)]
pub struct Answers {
    directory: Directory,
    site: String,
    pieces: Pieces,
}

impl Answers {
    /// `site` is the public address of the service, such as `https://platbook.example`.
    pub fn new(directory: Directory, site: &str) -> Answers {
        let pieces = Pieces::new(&directory);
        Answers { directory, site: site.trim_end_matches('/').to_owned(), pieces }
    }

    /// Where the service's pages are, without a slash at the end.
    pub fn site(&self) -> &str {
        &self.site
    }

    fn piece(&self, row: Row) -> &JurisdictionPiece {
        self.pieces.jurisdiction(&self.directory, &self.site, row)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When the data has no answer.
    pub fn answer(&self, request: &Request) -> Result<Reply<'_>, Refusal> {
        match request {
            Request::Resolve { point } => resolve::by_point(self, *point).map(Reply::Resolve),
            Request::ResolveAddress { .. } => Err(resolve::no_address_lookups()),
            Request::ResolveName { .. } => Err(resolve::no_name_lookups()),
        }
    }
}

/// A question, fully parsed.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Which governments cover this point.
    Resolve {
        /// The point.
        point: LonLat,
    },
    /// Which governments cover this address.
    ResolveAddress {
        /// Free text.
        address: String,
    },
    /// Which governments cover the place of this name.
    ResolveName {
        /// Name of a county, city, town or township.
        place: String,
        /// State code as given.
        state: String,
    },
}

/// A successful answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Reply<'a> {
    /// To any of the resolve requests.
    Resolve(Envelope<'a, ResolveResult<'a>>),
}
