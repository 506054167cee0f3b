//! Builds the trie from labeled lines.
//!
//! Each root cell gets the edges that touch it, and is cut until each part has few edges. The code at one corner of a
//! cell gives the code at the next: XOR the labels of the edges between the two corners.

use std::collections::HashMap;

use super::{
    COLUMNS, LEAF, MIN_SHIFT, Node, ROOT_SHIFT, ROWS, SOUTH, Trie, VALUE, WEST,
    edge::{EXTENT_MAX, Vertex, crosses_between_corners, touches_cell},
    leaf,
};
use crate::{geometry::LonLat, snapshot::write_error::WriteError};

/// A label: the properties that its edges share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSet {
    /// XOR of the codes of `areas`.
    pub code: u64,
    /// The numbers of the areas that have these edges in their rings.
    pub areas: Vec<u32>,
    /// A combination of bits of [`crate::snapshot::line_kind`].
    pub kinds: u8,
}

/// A chain of edges with one label. Each edge is in exactly one chain.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Index into the list of labels.
    pub label: u32,
    /// The vertices of the chain, at least two.
    pub vertices: &'a [LonLat],
}

/// Builds a trie from all lines of all layers.
#[derive(Debug)]
pub struct TrieBuilder {
    /// A cell with more edges than this is cut into parts.
    leaf_edges_max: usize,
    trie: Trie,
    vertices: Vec<LonLat>,
    /// Label of the edge from vertex `i` to vertex `i + 1`; `None` if vertex `i` ends a line.
    labels: Vec<Option<u32>>,
    values: HashMap<u64, u32>,
}

/// A cell under construction: its south-west corner, its size, the code at the corner, and the numbers of the edges
/// that touch the cell.
struct Cell {
    corner: (i64, i64),
    shift: u32,
    code: u64,
    edges: Vec<u32>,
}

impl TrieBuilder {
    /// Creates a builder. A smaller `leaf_edges_max` makes a larger file, a larger one makes slower lookups;
    /// `data-pipeline` records the measurements.
    pub fn new(leaf_edges_max: usize) -> TrieBuilder {
        TrieBuilder {
            leaf_edges_max,
            trie: Trie::default(),
            vertices: Vec::new(),
            labels: Vec::new(),
            values: HashMap::new(),
        }
    }

    /// Builds the trie from lines, whose labels are indexes into `labels`.
    ///
    /// # Errors
    /// [`WriteError::LongEdge`] if an edge spans 2^28 steps (26.8 degrees) or more, which no real border does.
    pub fn build(mut self, labels: &[LabelSet], lines: &[Line<'_>]) -> Result<Trie, WriteError> {
        self.take_labels(labels);
        for line in lines {
            self.take_line(line)?;
        }
        let mut cells = self.edges_by_root_cell();
        self.trie.root = vec![VALUE; COLUMNS * ROWS];
        // Index 0 holds code 0. A new entry is 0, so it means that no area covers the cell.
        self.value(0);
        for row in 0..ROWS {
            // No area lies west of the grid, so the path along each row begins with code 0.
            let mut code = 0;
            for column in 0..COLUMNS {
                let corner = (WEST + ((column as i64) << ROOT_SHIFT), SOUTH + ((row as i64) << ROOT_SHIFT));
                let edges = std::mem::take(&mut cells[row * COLUMNS + column]);
                let cell = Cell { corner, shift: ROOT_SHIFT, code, edges };
                // The edges that cross the cell's south side change the code here into the code at the next corner.
                code = self.code_after(&cell, (1 << ROOT_SHIFT, 0));
                self.trie.root[row * COLUMNS + column] = self.entry(&cell);
            }
        }
        Ok(self.trie)
    }

    fn take_labels(&mut self, labels: &[LabelSet]) {
        self.trie.label_starts.push(0);
        for label in labels {
            self.trie.labels.push(label.code);
            self.trie.label_kinds.push(label.kinds);
            self.trie.label_areas.extend(&label.areas);
            self.trie.label_starts.push(self.trie.label_areas.len() as u32);
        }
    }

    fn take_line(&mut self, line: &Line<'_>) -> Result<(), WriteError> {
        for edge in line.vertices.windows(2) {
            let (dx, dy) = (
                i64::from(edge[1].lon()) - i64::from(edge[0].lon()),
                i64::from(edge[1].lat()) - i64::from(edge[0].lat()),
            );
            if dx.abs() >= EXTENT_MAX || dy.abs() >= EXTENT_MAX {
                return Err(WriteError::LongEdge { from: edge[0], to: edge[1] });
            }
        }
        self.vertices.extend_from_slice(line.vertices);
        self.labels.extend(std::iter::repeat_n(Some(line.label), line.vertices.len() - 1));
        self.labels.push(None);
        Ok(())
    }

    fn edges_by_root_cell(&self) -> Vec<Vec<u32>> {
        let mut cells = vec![Vec::new(); COLUMNS * ROWS];
        for edge in (0..self.labels.len()).filter(|edge| self.labels[*edge].is_some()) {
            let (a, b) = (self.vertices[edge], self.vertices[edge + 1]);
            // An edge is listed in every cell that it touches, because the search for near edges relies on this.
            let columns = span(a.lon(), b.lon(), WEST, ROOT_SHIFT);
            for row in span(a.lat(), b.lat(), SOUTH, ROOT_SHIFT) {
                for column in columns.clone() {
                    let corner = (WEST + (column << ROOT_SHIFT), SOUTH + (row << ROOT_SHIFT));
                    if touches_cell(relative(a, corner), relative(b, corner), 1 << ROOT_SHIFT) {
                        cells[row as usize * COLUMNS + column as usize].push(edge as u32);
                    }
                }
            }
        }
        cells
    }

    fn entry(&mut self, cell: &Cell) -> u32 {
        if cell.edges.is_empty() {
            return VALUE | self.value(cell.code);
        }
        let fan = self.fan(cell);
        if fan == 0 {
            let corner = self.value(cell.code);
            let runs = self.runs(cell);
            return LEAF | leaf::write(&mut self.trie.leaves, corner, &runs);
        }
        let node = Node { first: self.trie.nodes.len(), fan };
        // The entries of a node must be consecutive, so they are reserved before its parts append theirs.
        self.trie.nodes.resize(node.first + (1 << (2 * fan)), VALUE);
        for (at, child) in self.children(cell, fan).iter().enumerate() {
            let entry = self.entry(child);
            self.trie.nodes[node.first + at] = entry;
        }
        node.entry()
    }

    /// Returns `fan`: the cell is cut into 2^fan by 2^fan parts, or not at all if `fan` is 0. A line crosses about 1.5
    /// x 2^fan parts. Cells with more edges therefore get more parts, and the leaves stay well filled.
    fn fan(&self, cell: &Cell) -> u32 {
        let fan = match cell.edges.len() / self.leaf_edges_max.max(1) {
            _ if cell.edges.len() <= self.leaf_edges_max => 0,
            0..2 => 1,
            2..5 => 2,
            _ => 3,
        };
        fan.min(cell.shift.saturating_sub(MIN_SHIFT))
    }

    /// The parts of a cell with the codes at their corners. Codes are computed north from the cell's corner along the
    /// first column, and from there east along each row.
    fn children(&self, cell: &Cell, fan: u32) -> Vec<Cell> {
        let (shift, side) = (cell.shift - fan, 1i64 << fan);
        let mut edges = self.edges_by_child(cell, fan);
        let mut children = Vec::with_capacity(edges.len());
        let mut row_code = cell.code;
        for row in 0..side {
            let mut code = row_code;
            for column in 0..side {
                let corner = (cell.corner.0 + (column << shift), cell.corner.1 + (row << shift));
                let child = Cell {
                    corner,
                    shift,
                    code,
                    edges: std::mem::take(&mut edges[(row * side + column) as usize]),
                };
                if column == 0 {
                    row_code = self.code_after(&child, (0, 1 << shift));
                }
                code = self.code_after(&child, (1 << shift, 0));
                children.push(child);
            }
        }
        children
    }

    fn edges_by_child(&self, cell: &Cell, fan: u32) -> Vec<Vec<u32>> {
        let (shift, side) = (cell.shift - fan, 1i64 << fan);
        let mut parts = vec![Vec::new(); 1 << (2 * fan)];
        for &edge in &cell.edges {
            let (a, b) = (self.vertices[edge as usize], self.vertices[edge as usize + 1]);
            let clip =
                |span: std::ops::RangeInclusive<i64>| (*span.start()).max(0)..=(*span.end()).min(side - 1);
            let columns = clip(span(a.lon(), b.lon(), cell.corner.0, shift));
            for row in clip(span(a.lat(), b.lat(), cell.corner.1, shift)) {
                for column in columns.clone() {
                    let corner = (cell.corner.0 + (column << shift), cell.corner.1 + (row << shift));
                    if touches_cell(relative(a, corner), relative(b, corner), 1 << shift) {
                        parts[(row * side + column) as usize].push(edge);
                    }
                }
            }
        }
        parts
    }

    /// The code at another corner of the cell. `way` is the offset from the cell's own corner to the other one.
    fn code_after(&self, cell: &Cell, way: (i64, i64)) -> u64 {
        let crossed = cell.edges.iter().filter(|edge| {
            let (a, b) = self.edge(**edge, cell.corner);
            crosses_between_corners(a, b, (0, 0), way)
        });
        crossed.fold(cell.code, |code, edge| code ^ self.label_code(*edge))
    }

    /// Joins consecutive edges of a line into a run, which stores each shared vertex once.
    fn runs(&self, cell: &Cell) -> Vec<(u32, Vec<Vertex>)> {
        let mut runs: Vec<(u32, Vec<Vertex>)> = Vec::new();
        let mut next = None;
        for &edge in &cell.edges {
            let (a, b) = self.edge(edge, cell.corner);
            let label = self.labels[edge as usize].unwrap_or_default();
            match runs.last_mut() {
                Some((_, vertices)) if next == Some(edge) => vertices.push(b),
                _ => runs.push((label, vec![a, b])),
            }
            next = Some(edge + 1);
        }
        runs
    }

    fn edge(&self, edge: u32, corner: (i64, i64)) -> (Vertex, Vertex) {
        (relative(self.vertices[edge as usize], corner), relative(self.vertices[edge as usize + 1], corner))
    }

    fn label_code(&self, edge: u32) -> u64 {
        self.labels[edge as usize].map_or(0, |label| self.trie.labels[label as usize])
    }

    fn value(&mut self, code: u64) -> u32 {
        *self.values.entry(code).or_insert_with(|| {
            self.trie.values.push(code);
            self.trie.values.len() as u32 - 1
        })
    }
}

/// The indexes of the cells of this size between two coordinates. No vertex lies on a cell's side, so the edge stays
/// between the cells of its ends.
fn span(a: i32, b: i32, origin: i64, shift: u32) -> std::ops::RangeInclusive<i64> {
    let cell = |value: i64| (value - origin) >> shift;
    cell(i64::from(a.min(b)))..=cell(i64::from(a.max(b)))
}

fn relative(vertex: LonLat, corner: (i64, i64)) -> Vertex {
    ((i64::from(vertex.lon()) - corner.0) as i32, (i64::from(vertex.lat()) - corner.1) as i32)
}
