//! The bytes of a body, in up to four parts.

use bytes::{Buf, Bytes, buf::Chain};

/// The bytes of a body, around the id of its request.
#[derive(Clone, Debug, Default)]
pub struct BodyParts {
    /// What comes before the id and is the body's own, or all of the body.
    pub(super) head: Bytes,
    /// What stands between that and the id and is shared with other bodies, where it stands whole.
    pub(super) shared: Bytes,
    /// The request id, in quotation marks.
    pub(super) id: Bytes,
    /// What comes after it.
    pub(super) tail: Bytes,
}

/// A body on its way to the client: each part is a slice of one vectored write.
pub type BodyBuf = Chain<Bytes, Chain<Bytes, Chain<Bytes, Bytes>>>;

impl BodyParts {
    /// The same body for a request with this id, which needs no JSON escapes.
    pub fn with_id(&self, request_id: &str) -> BodyParts {
        BodyParts { id: [r#"""#, request_id, r#"""#].concat().into(), ..self.clone() }
    }

    /// The parts in their order.
    pub fn parts(&self) -> [&Bytes; 4] {
        [&self.head, &self.shared, &self.id, &self.tail]
    }

    /// How many bytes in all.
    pub fn len(&self) -> usize {
        self.parts().into_iter().map(Bytes::len).sum()
    }

    /// Whether there is not one byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes in one piece; copied where there are several parts.
    pub fn into_contiguous(self) -> Bytes {
        let bytes = self.len();
        self.into_buf().copy_to_bytes(bytes)
    }

    /// To be sent.
    pub fn into_buf(self) -> BodyBuf {
        self.head.chain(self.shared.chain(self.id.chain(self.tail)))
    }
}

impl<B: Into<Bytes>> From<B> for BodyParts {
    fn from(bytes: B) -> BodyParts {
        BodyParts { head: bytes.into(), ..BodyParts::default() }
    }
}
