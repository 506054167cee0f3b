//! The edges of a leaf, packed as 16-bit words.
//!
//! ```text
//! corner code: index into `values`                          1 or 2 words
//! number of runs                                            1 word
//! each run, a chain of edges with one label:
//!   label                                                   1 or 2 words
//!   edges (13 bits), WIDE_START, packing of the steps       1 word
//!   first vertex relative to the cell's corner, x and y     2 words, WIDE_START: 4 words
//!   a step to each next vertex                              as packed
//! ```
//! A number below 2^15 takes one word. A larger number takes two: the high part with the highest bit set, then the low
//! part.

use rkyv::rend::u16_le;

use super::{super::steps::Packing, edge::Vertex};

/// Bit of the word with the number of edges: the first vertex is given in 32-bit numbers.
const WIDE_START: u16 = 1 << 13;
/// Position of the two bits of the packing, above [`WIDE_START`].
const PACKING_SHIFT: u32 = 14;
/// Bit of a number's first word, which says that a second word follows.
const LARGE: u16 = 1 << 15;
/// Maximum number of edges in a run, which has 13 bits for it.
const EDGES_MAX: usize = WIDE_START as usize - 1;

/// Appends a leaf and returns its offset in words.
pub(super) fn write(words: &mut Vec<u16>, corner: u32, runs: &[(u32, Vec<Vertex>)]) -> u32 {
    let offset = words.len() as u32;
    push_number(words, corner);
    let count_at = words.len();
    words.push(0);
    let mut count = 0;
    for (label, vertices) in runs {
        let mut first = 0;
        while first + 1 < vertices.len() {
            let last = (first + EDGES_MAX).min(vertices.len() - 1);
            write_run(words, *label, &vertices[first..=last]);
            count += 1;
            // A longer chain continues as a run that begins at the last vertex.
            first = last;
        }
    }
    words[count_at] = count;
    offset
}

fn write_run(words: &mut Vec<u16>, label: u32, vertices: &[Vertex]) {
    let steps = vertices.windows(2).map(|edge| (edge[1].0 - edge[0].0, edge[1].1 - edge[0].1));
    let packing = Packing::shortest(steps.clone());
    let start = if Packing::shortest([vertices[0]].into_iter()) == Packing::Ones {
        Packing::Ones
    } else {
        Packing::Wide
    };
    let wide_start = if start == Packing::Wide { WIDE_START } else { 0 };
    push_number(words, label);
    words.push((vertices.len() - 1) as u16 | wide_start | packing.bits() << PACKING_SHIFT);
    start.push(words, vertices[0]);
    steps.for_each(|step| packing.push(words, step));
}

/// Writes a number as one or two words. Labels and values stay below 2^31, because each belongs to at least one edge.
fn push_number(words: &mut Vec<u16>, number: u32) {
    match u16::try_from(number) {
        Ok(number) if number & LARGE == 0 => words.push(number),
        _ => words.extend([(number >> 16) as u16 | LARGE, number as u16]),
    }
}

/// Reads a leaf from its first word. Reads beyond the end return zeros, so a malformed file with correct checksums
/// gives wrong answers, but no panic.
pub(super) struct LeafReader<'a> {
    words: &'a [u16_le],
}

/// A run: a chain of edges with one label.
pub(super) struct Run<'a> {
    pub(super) label: u32,
    pub(super) first: Vertex,
    packing: Packing,
    steps: &'a [u16_le],
}

impl<'a> LeafReader<'a> {
    /// Returns a reader after the first words of the leaf, the index of the corner's code, and the number of runs.
    #[inline]
    pub(super) fn at(words: &'a [u16_le], offset: u32) -> (LeafReader<'a>, u32, u16) {
        let mut reader = LeafReader { words: words.get(offset as usize..).unwrap_or_default() };
        let corner = reader.number();
        let runs = reader.u16();
        (reader, corner, runs)
    }

    #[inline]
    fn u16(&mut self) -> u16 {
        match self.words.split_first() {
            Some((word, rest)) => {
                self.words = rest;
                word.to_native()
            }
            None => 0,
        }
    }

    #[inline]
    fn u32(&mut self) -> u32 {
        u32::from(self.u16()) | u32::from(self.u16()) << 16
    }

    #[inline]
    fn number(&mut self) -> u32 {
        match self.u16() {
            first if first & LARGE == 0 => u32::from(first),
            first => u32::from(first & !LARGE) << 16 | u32::from(self.u16()),
        }
    }

    /// Reads the next run. [`Run::edges`] later decodes its steps.
    #[inline]
    pub(super) fn run(&mut self) -> Run<'a> {
        let label = self.number();
        let head = self.u16();
        let first = if head & WIDE_START != 0 {
            (self.u32() as i32, self.u32() as i32)
        } else {
            (i32::from(self.u16() as i16), i32::from(self.u16() as i16))
        };
        let packing = Packing::from_bits(head >> PACKING_SHIFT);
        let length = usize::from(head & (WIDE_START - 1)) * packing.words();
        let (steps, rest) = self.words.split_at_checked(length).unwrap_or_default();
        self.words = rest;
        Run { label, first, packing, steps }
    }
}

impl Run<'_> {
    /// Calls `visit` with the start and the end of each edge.
    #[inline(always)]
    pub(super) fn edges(&self, mut visit: impl FnMut(Vertex, Vertex)) {
        let mut from = self.first;
        self.packing.for_each(self.steps, |step| {
            let to = (from.0.wrapping_add(step.0), from.1.wrapping_add(step.1));
            visit(from, to);
            from = to;
        });
    }
}
