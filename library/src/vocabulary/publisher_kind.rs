//! Kinds of publishers of sources.

use serde::{Deserialize, Serialize};

/// The kind of a source's publisher, judged by the host of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum PublisherKind {
    /// A government or its office.
    Official = 1,
    /// A company or a school that prints statutes, ordinances and court decisions.
    LawPublisher = 2,
    /// An association of officials, governments, lawyers or planners.
    Association = 3,
    /// A company that runs pages for governments, or sells data that it gathered.
    Vendor = 4,
    /// A newspaper, a station or a magazine.
    News = 5,
    /// A text that anybody may write.
    Encyclopedia = 6,
    /// A copy on another site: for documents, of an open source project, of a company or of a private person.
    Other = 7,
}

impl PublisherKind {
    const ALL: [PublisherKind; 7] = {
        use PublisherKind as P;
        [P::Official, P::LawPublisher, P::Association, P::Vendor, P::News, P::Encyclopedia, P::Other]
    };

    /// The kind stored as this number; `None` for 0, which is a source without a kind, and for other numbers.
    pub fn from_u8(number: u8) -> Option<PublisherKind> {
        PublisherKind::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Whether a page of this kind may be a government's own: vendors run pages for governments.
    pub fn may_be_official(self) -> bool {
        matches!(self, PublisherKind::Official | PublisherKind::Vendor)
    }
}
