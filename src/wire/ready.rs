//! Shapes that are serialised once and sent many times.

use std::marker::PhantomData;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// The JSON of a `T` that does not depend on the question: copied into an answer, not written again.
pub struct Ready<T: ?Sized> {
    json: Box<RawValue>,
    shape: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Ready<T> {
    /// Serialises a shape, which may borrow what the result no longer needs: `T` only names it.
    pub fn of(shape: &(impl Serialize + ?Sized)) -> Ready<T> {
        let json = to_raw_value(shape).expect("shapes have string keys and finite numbers");
        Ready { json, shape: PhantomData }
    }
}

impl<T: ?Sized> Ready<T> {
    /// Bytes of JSON.
    pub fn len(&self) -> usize {
        self.json.get().len()
    }

    /// Whether there is none; JSON never is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
