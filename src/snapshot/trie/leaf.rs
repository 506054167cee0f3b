//! The edges of a leaf, packed as 16-bit words.
//!
//! ```text
//! corner code: index into `values`                          2 words
//! number of runs                                            1 word
//! each run, a chain of edges with one label:
//!   label                                                   2 words
//!   edges (lower 15 bits), highest bit: wide steps          1 word
//!   first vertex relative to the cell's corner, x and y     4 words
//!   a step to each next vertex: x and y                     2 words, wide: 4 words
//! ```

use super::edge::Vertex;

/// Highest bit of a run's edge count: steps are 32-bit numbers.
const WIDE: u16 = 1 << 15;
/// Longest run.
const EDGES_MAX: usize = WIDE as usize - 1;

/// Appends a leaf; gives its offset in words.
pub(super) fn write(words: &mut Vec<u16>, corner: u32, runs: &[(u32, Vec<Vertex>)]) -> u32 {
    let offset = words.len() as u32;
    push_u32(words, corner);
    let count_at = words.len();
    words.push(0);
    let mut count = 0;
    for (label, vertices) in runs {
        let mut first = 0;
        while first + 1 < vertices.len() {
            let last = (first + EDGES_MAX).min(vertices.len() - 1);
            write_run(words, *label, &vertices[first..=last]);
            count += 1;
            first = last;
        }
    }
    words[count_at] = count;
    offset
}

fn write_run(words: &mut Vec<u16>, label: u32, vertices: &[Vertex]) {
    let steps = || vertices.windows(2).map(|edge| (edge[1].0 - edge[0].0, edge[1].1 - edge[0].1));
    let wide = steps().any(|(x, y)| i16::try_from(x).is_err() || i16::try_from(y).is_err());
    push_u32(words, label);
    words.push((vertices.len() - 1) as u16 | if wide { WIDE } else { 0 });
    push_u32(words, vertices[0].0 as u32);
    push_u32(words, vertices[0].1 as u32);
    for (x, y) in steps() {
        if wide {
            push_u32(words, x as u32);
            push_u32(words, y as u32);
        } else {
            words.extend([x as i16 as u16, y as i16 as u16]);
        }
    }
}

fn push_u32(words: &mut Vec<u16>, number: u32) {
    words.extend([number as u16, (number >> 16) as u16]);
}

/// Reads a leaf from its first word on. Reading past the end yields zeros: a file that passed its checksums
/// but was written wrongly gives wrong answers, never a panic.
#[derive(Clone)]
pub(super) struct LeafReader<'a> {
    words: &'a [rkyv::rend::u16_le],
}

/// The head of a run.
pub(super) struct Run {
    pub(super) label: u32,
    pub(super) edges: u16,
    wide: bool,
    pub(super) first: Vertex,
}

impl<'a> LeafReader<'a> {
    /// A reader at the leaf, its corner value and its number of runs.
    #[inline]
    pub(super) fn at(words: &'a [rkyv::rend::u16_le], offset: u32) -> (LeafReader<'a>, u32, u16) {
        let mut reader = LeafReader { words: words.get(offset as usize..).unwrap_or_default() };
        let corner = reader.u32();
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
        match self.words.split_first_chunk::<2>() {
            Some(([low, high], rest)) => {
                self.words = rest;
                u32::from(low.to_native()) | u32::from(high.to_native()) << 16
            }
            None => 0,
        }
    }

    /// The head of the next run; its steps must be read before the next head.
    #[inline]
    pub(super) fn run(&mut self) -> Run {
        let label = self.u32();
        let head = self.u16();
        let first = (self.u32() as i32, self.u32() as i32);
        Run { label, edges: head & !WIDE, wide: head & WIDE != 0, first }
    }

    /// Passes over the edges of the run.
    #[inline]
    pub(super) fn skip(&mut self, run: &Run) {
        let words = usize::from(run.edges) * if run.wide { 4 } else { 2 };
        self.words = self.words.get(words..).unwrap_or_default();
    }

    /// Calls `visit` with both ends of each edge of the run.
    #[inline]
    pub(super) fn edges(&mut self, run: &Run, mut visit: impl FnMut(Vertex, Vertex)) {
        let mut from = run.first;
        if run.wide {
            for _ in 0..run.edges {
                let step = (self.u32() as i32, self.u32() as i32);
                let to = (from.0.wrapping_add(step.0), from.1.wrapping_add(step.1));
                visit(from, to);
                from = to;
            }
            return;
        }
        let Some((steps, rest)) = self.words.split_at_checked(2 * usize::from(run.edges)) else { return };
        self.words = rest;
        for step in steps.as_chunks::<2>().0 {
            let (x, y) = (step[0].to_native() as i16, step[1].to_native() as i16);
            let to = (from.0.wrapping_add(i32::from(x)), from.1.wrapping_add(i32::from(y)));
            visit(from, to);
            from = to;
        }
    }
}
