//! Searches in the names: the best names with a prefix, and the names with similar spelling.

use std::{cell::Cell, cmp::Reverse, collections::BinaryHeap};

use fst::raw::{CompiledAddr, Fst};

use super::{ArchivedNames, RankList, Space, below};
use crate::vocabulary::{Reached, Spelling};

/// The number of steps that a query may still take. A step is a node or list entry; a spelling search also counts the
/// transitions of a node. A query without steps left keeps the results that it has found.
#[derive(Debug)]
pub struct Work(Cell<u32>);

impl Work {
    /// Creates a budget with this number of steps.
    pub fn new(steps: u32) -> Work {
        Work(Cell::new(steps))
    }

    /// Takes one step; `false` if none is left.
    pub fn step(&self) -> bool {
        self.steps(1)
    }

    /// Takes several steps. Returns `false` if fewer are left, and takes these.
    fn steps(&self, steps: usize) -> bool {
        let left = self.0.get();
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.0.set(left.saturating_sub(steps));
        left >= steps
    }

    /// Splits off up to `steps` of the steps left, as a separate budget.
    pub fn part(&self, steps: u32) -> Work {
        let part = steps.min(self.0.get());
        self.0.set(self.0.get() - part);
        Work::new(part)
    }

    /// Adds the unused steps of a split-off part back to this budget.
    pub fn take_back(&self, part: Work) {
        self.0.set(self.0.get() + part.0.get());
    }
}

/// A list or node that the search has not visited yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pending {
    /// The part of a list that begins with its entry `at`.
    List { number: u64, at: u32 },
    /// A node of the transducer, with the least value of the keys below the node.
    Node { address: CompiledAddr, value: u64 },
}

/// A node that a spelling search still has to visit. The key of the node is the first `length` bytes of the current
/// key, then `last`.
struct Open {
    address: CompiledAddr,
    value: u64,
    reached: Reached,
    length: usize,
    last: Option<u8>,
}

/// Iterates over the ranks of all names with a prefix, the best first. A rank with several such names is returned once.
pub struct Ranks<'a> {
    names: &'a ArchivedNames,
    fst: Option<Fst<&'a [u8]>>,
    pending: BinaryHeap<Reverse<(u32, Pending)>>,
    last: Option<u32>,
    work: &'a Work,
}

impl ArchivedNames {
    /// The ranks of the names in a space that begin with `prefix`. The search takes its steps from `work`.
    pub fn beginning<'a>(&'a self, space: Space, prefix: &str, work: &'a Work) -> Ranks<'a> {
        let fst = self.fst();
        let start = fst.as_ref().and_then(|fst| {
            let (node, value) = below(fst, space, prefix)?;
            Some((self.best(value)?, Pending::Node { address: node.addr(), value }))
        });
        let pending = start.map(Reverse).into_iter().collect();
        Ranks { names: self, fst, pending, last: None, work }
    }

    /// Calls `each` for each name in a space with similar spelling, in no particular order. The arguments are the
    /// number of slips, the key and the ranks. Names that do not begin with `same_start` are skipped.
    pub fn similar(
        &self,
        space: Space,
        spelling: &Spelling,
        same_start: &str,
        work: &Work,
        mut each: impl FnMut(usize, &str, RankList<'_>),
    ) {
        let Some(fst) = self.fst() else { return };
        let Some((node, value)) = below(&fst, space, same_start) else { return };
        let reached =
            same_start.bytes().fold(spelling.start(), |reached, byte| spelling.step(&reached, byte));
        let mut key = same_start.as_bytes().to_vec();
        let mut open = vec![Open { address: node.addr(), value, reached, length: key.len(), last: None }];
        while let Some(Open { address, value, reached, length, last }) = open.pop() {
            let node = fst.node(address);
            // The search tests each transition below, so each one counts as a step.
            if !work.steps(1 + node.len()) {
                return;
            }
            // Nodes are visited depth first, so only the end of the key changes.
            key.truncate(length);
            key.extend(last);
            if let Some(slips) = spelling.slips_at_end(&reached).filter(|_| node.is_final()) {
                let list = self.list(value + node.final_output().value());
                each(slips, std::str::from_utf8(&key).unwrap_or_default(), list);
            }
            for step in node.transitions() {
                let reached = spelling.step(&reached, step.inp);
                if spelling.can_go_on(&reached) {
                    let value = value + step.out.value();
                    open.push(Open {
                        address: step.addr,
                        value,
                        reached,
                        length: key.len(),
                        last: Some(step.inp),
                    });
                }
            }
        }
    }

    /// The best rank of a list; `None` for an empty or unknown list.
    fn best(&self, number: u64) -> Option<u32> {
        self.list(number).get(0)
    }
}

impl Ranks<'_> {
    fn enqueue(&mut self, pending: Pending) {
        let best = match pending {
            Pending::List { number, at } => self.names.list(number).get(at as usize),
            Pending::Node { value, .. } => self.names.best(value),
        };
        self.pending.extend(best.map(|best| Reverse((best, pending))));
    }

    /// Opens a node and follows the transition that keeps the node's best rank. A transition without output leads to a
    /// node with the same least value, and the queue would return this node next anyway.
    fn open(&mut self, address: CompiledAddr, value: u64) {
        let Some(fst) = self.fst.take() else { return };
        let mut next = Some(address);
        while let Some(address) = next.take() {
            let node = fst.node(address);
            if node.is_final() {
                self.enqueue(Pending::List { number: value + node.final_output().value(), at: 0 });
            }
            for step in node.transitions() {
                if step.out.value() == 0 && next.is_none() && self.work.step() {
                    next = Some(step.addr);
                } else {
                    self.enqueue(Pending::Node { address: step.addr, value: value + step.out.value() });
                }
            }
        }
        self.fst = Some(fst);
    }
}

impl Iterator for Ranks<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.work.step() {
            let Reverse((rank, pending)) = self.pending.pop()?;
            match pending {
                Pending::Node { address, value } => self.open(address, value),
                Pending::List { number, at } => {
                    // The next entry is queued first, so the queue always has the best rank that is not visited yet.
                    self.enqueue(Pending::List { number, at: at + 1 });
                    // Ranks are visited in ascending order, so equal ranks from several names follow each other.
                    if self.last != Some(rank) {
                        self.last = Some(rank);
                        return Some(rank);
                    }
                }
            }
        }
        None
    }
}
