//! Shapes that are serialised once and sent many times.

use std::{marker::PhantomData, sync::Arc};

use bytes::Bytes;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use xxhash_rust::xxh3::xxh3_64;

/// The JSON of a `T` that does not depend on the question: copied into an answer, not written again.
pub struct Ready<T: ?Sized> {
    json: Box<RawValue>,
    shape: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Ready<T> {
    /// Serialises a shape, which may borrow what the result no longer needs: `T` only names it.
    pub fn of(shape: &(impl Serialize + ?Sized)) -> Ready<T> {
        Ready { json: raw(shape), shape: PhantomData }
    }
}

impl<T: ?Sized> Serialize for Ready<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl<T: ?Sized> std::fmt::Debug for Ready<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.json.get())
    }
}

/// The same for what is large and in many answers: it can be sent from where it is kept, and its hash is known.
pub struct Shared<T: ?Sized> {
    json: Arc<RawValue>,
    hash: u64,
    shape: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Shared<T> {
    /// As [`Ready::of`].
    pub fn of(shape: &(impl Serialize + ?Sized)) -> Shared<T> {
        let json: Arc<RawValue> = raw(shape).into();
        Shared { hash: xxh3_64(json.get().as_bytes()), json, shape: PhantomData }
    }

    /// The JSON, where it is kept.
    pub fn bytes(&self) -> Bytes {
        Bytes::from_owner(Kept(Arc::clone(&self.json)))
    }

    /// The JSON, where it is kept, to be told from a copy.
    pub(super) fn json(&self) -> &[u8] {
        self.json.get().as_bytes()
    }

    /// Bytes of JSON.
    pub fn len(&self) -> usize {
        self.json().len()
    }

    /// Whether there is none; JSON never is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hash of the JSON, by which the tags of answers are made.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared { json: Arc::clone(&self.json), ..*self }
    }
}

impl<T: ?Sized> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl<T: ?Sized> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.json.get())
    }
}

/// JSON that is kept as long as someone still sends it.
struct Kept(Arc<RawValue>);

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        self.0.get().as_bytes()
    }
}

fn raw(shape: &(impl Serialize + ?Sized)) -> Box<RawValue> {
    to_raw_value(shape).expect("shapes have string keys and finite numbers")
}
