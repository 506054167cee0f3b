//! Walks over the names: the best with a prefix, and those that are spelled nearly so.

use std::{cell::Cell, cmp::Reverse, collections::BinaryHeap};

use fst::raw::{CompiledAddr, Fst};

use super::{ArchivedNames, RankList, Space, below};
use crate::vocabulary::{Reached, Spelling};

/// How much a question may still look at: nodes and entries, and where spelling counts the ways out of nodes. What is
/// found before it is used up stands.
#[derive(Debug)]
pub struct Work(Cell<u32>);

impl Work {
    /// As many steps.
    pub fn new(steps: u32) -> Work {
        Work(Cell::new(steps))
    }

    /// Takes one step, if one is left.
    pub fn step(&self) -> bool {
        self.steps(1)
    }

    /// Takes several steps, if as many are left; else all.
    fn steps(&self, steps: usize) -> bool {
        let left = self.0.get();
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.0.set(left.saturating_sub(steps));
        left >= steps
    }

    /// At most as many of the steps that are left, to be spent apart.
    pub fn part(&self, steps: u32) -> Work {
        let part = steps.min(self.0.get());
        self.0.set(self.0.get() - part);
        Work::new(part)
    }

    /// Takes back what is left of a part.
    pub fn take_back(&self, part: Work) {
        self.0.set(self.0.get() + part.0.get());
    }
}

/// Something that has not been looked at, with the best rank that can come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    /// A list, from its entry `at` on.
    List { number: u64, at: u32 },
    /// A node of the transducer, with the least value of the keys below.
    Node { address: CompiledAddr, value: u64 },
}

/// A node that is still to be looked at: its key is `length` bytes of the one looked at before it, and `last`.
struct Open {
    address: CompiledAddr,
    value: u64,
    reached: Reached,
    length: usize,
    last: Option<u8>,
}

/// Ranks of all names with a prefix, the best first; one that has several such names comes once.
pub struct Ranks<'a> {
    names: &'a ArchivedNames,
    fst: Option<Fst<&'a [u8]>>,
    waiting: BinaryHeap<Reverse<(u32, Waiting)>>,
    last: Option<u32>,
    work: &'a Work,
}

impl ArchivedNames {
    /// Ranks of the names of a kind that begin so.
    pub fn beginning<'a>(&'a self, space: Space, prefix: &str, work: &'a Work) -> Ranks<'a> {
        let fst = self.fst();
        let start = fst.as_ref().and_then(|fst| {
            let (node, value) = below(fst, space, prefix)?;
            Some((self.best(value)?, Waiting::Node { address: node.addr(), value }))
        });
        let waiting = start.map(Reverse).into_iter().collect();
        Ranks { names: self, fst, waiting, last: None, work }
    }

    /// Calls `each` with the slips, the key and the ranks of each name of a kind that is spelled nearly so, in no order that matters.
    /// Names that do not begin with `same_start` are passed over.
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
            if !work.steps(1 + node.len()) {
                return;
            }
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

    /// The best rank of a list.
    fn best(&self, number: u64) -> Option<u32> {
        self.list(number).get(0)
    }
}

impl Ranks<'_> {
    fn wait_for(&mut self, waiting: Waiting) {
        let best = match waiting {
            Waiting::List { number, at } => self.names.list(number).get(at as usize),
            Waiting::Node { value, .. } => self.names.best(value),
        };
        self.waiting.extend(best.map(|best| Reverse((best, waiting))));
    }

    /// Opens a node and, below it, whatever has the best of its ranks: that would be next anyway.
    fn open(&mut self, address: CompiledAddr, value: u64) {
        let Some(fst) = self.fst.take() else { return };
        let mut next = Some(address);
        while let Some(address) = next.take() {
            let node = fst.node(address);
            if node.is_final() {
                self.wait_for(Waiting::List { number: value + node.final_output().value(), at: 0 });
            }
            for step in node.transitions() {
                if step.out.value() == 0 && next.is_none() && self.work.step() {
                    next = Some(step.addr);
                } else {
                    self.wait_for(Waiting::Node { address: step.addr, value: value + step.out.value() });
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
            let Reverse((rank, waiting)) = self.waiting.pop()?;
            match waiting {
                Waiting::Node { address, value } => self.open(address, value),
                Waiting::List { number, at } => {
                    self.wait_for(Waiting::List { number, at: at + 1 });
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
