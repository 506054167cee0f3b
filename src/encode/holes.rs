//! JSON with holes: places that are left open while the rest is written, and filled later.
//!
//! A hole knows what it is for (`F`), so that a text with many holes can be filled in the order in which it was written.

use std::{
    cell::{Cell, RefCell},
    io::{self, Write},
};

use serde::{Serialize, Serializer};

/// What stands in a hole until it is filled.
pub(super) const OPEN: &[u8] = b"null";

/// Where the holes of one JSON text are.
///
/// serde_json writes through to its writer in the order of the text and keeps nothing back. So when a hole's turn comes,
/// the count of bytes written so far is where it begins.
#[derive(Debug)]
pub(super) struct Holes<F = ()> {
    written: Cell<usize>,
    at: RefCell<Vec<(usize, F)>>,
}

/// A place in a shape that is left open, and what for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole<'h, F = ()> {
    holes: &'h Holes<F>,
    what_for: F,
}

impl<F> Default for Holes<F> {
    fn default() -> Holes<F> {
        Holes { written: Cell::default(), at: RefCell::default() }
    }
}

impl<F: Copy> Holes<F> {
    /// A hole for this, to be put into a shape.
    pub(super) fn hole(&self, what_for: F) -> Hole<'_, F> {
        Hole { holes: self, what_for }
    }

    /// Writes a shape behind what `out` holds, and tells where its holes begin, counted from there.
    pub(super) fn write(&self, out: &mut Vec<u8>, shape: &impl Serialize) -> Vec<(usize, F)> {
        self.written.set(0);
        let writer = Counting { out, written: &self.written };
        serde_json::to_writer(writer, shape).expect("shapes have string keys and finite numbers");
        self.at.take()
    }
}

impl<F: Copy> Serialize for Hole<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Hole { holes, what_for } = self;
        holes.at.borrow_mut().push((holes.written.get(), *what_for));
        serializer.serialize_unit()
    }
}

struct Counting<'w> {
    out: &'w mut Vec<u8>,
    written: &'w Cell<usize>,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.extend_from_slice(bytes);
        self.written.set(self.written.get() + bytes.len());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Serialize)]
    struct Shape<'a> {
        before: &'a [String],
        first: Hole<'a, u8>,
        between: Option<&'a str>,
        inner: Inner<'a>,
        after: &'a str,
    }

    #[derive(Serialize)]
    struct Inner<'a> {
        second: Hole<'a, u8>,
    }

    proptest! {
        #[test]
        fn what_fills_a_hole_lands_there(texts in proptest::collection::vec(".{0,20}", 3), between in any::<bool>()) {
            let holes = Holes::default();
            let shape = Shape {
                before: &texts,
                first: holes.hole(1),
                between: between.then_some(&*texts[0]),
                inner: Inner { second: holes.hole(2) },
                after: &texts[1],
            };
            let mut json = Vec::new();
            let at = holes.write(&mut json, &shape);
            let [(first, 1), (second, 2)] = at[..] else { panic!("{at:?}") };
            prop_assert_eq!(&json[first..first + OPEN.len()], OPEN);
            let filled = [&json[..first], b"1", &json[first + OPEN.len()..second], b"2", &json[second + OPEN.len()..]];
            let value: Value = serde_json::from_slice(&filled.concat()).unwrap();
            let between = between.then_some(&texts[0]);
            let expected = json!({
                "before": texts, "first": 1, "between": between, "inner": { "second": 2 }, "after": texts[1],
            });
            prop_assert_eq!(value, expected);
        }
    }
}
