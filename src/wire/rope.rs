//! The bytes of a body, in up to three parts.

use bytes::{Buf, Bytes, buf::Chain};

/// The bytes of a body. What many bodies share is not copied into each: it stands between what comes before and after.
#[derive(Clone, Debug, Default)]
pub struct Rope {
    /// All but the shared part, or what comes before it.
    pub(super) head: Bytes,
    /// The shared part.
    pub(super) shared: Bytes,
    /// What comes after it.
    pub(super) tail: Bytes,
}

/// A rope on its way to the client: each part is a slice of one vectored write.
pub type RopeBuf = Chain<Bytes, Chain<Bytes, Bytes>>;

impl Rope {
    /// How many bytes in all.
    pub fn len(&self) -> usize {
        self.head.len() + self.shared.len() + self.tail.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes in one piece; copied where there are several parts.
    pub fn into_contiguous(self) -> Bytes {
        let bytes = self.len();
        self.into_buf().copy_to_bytes(bytes)
    }

    /// To be sent.
    pub fn into_buf(self) -> RopeBuf {
        self.head.chain(self.shared.chain(self.tail))
    }
}

impl<B: Into<Bytes>> From<B> for Rope {
    fn from(bytes: B) -> Rope {
        Rope { head: bytes.into(), ..Rope::default() }
    }
}
