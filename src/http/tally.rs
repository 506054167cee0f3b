//! How requests were answered, and in which time, by what they asked for.

use std::time::Duration;

use hyper::StatusCode;

use crate::{
    counts::{Count, Durations, Histogram, Sharded},
    operations::OPERATIONS,
};

/// Most doors beside the operations that are told apart; further ones count as the last.
const DOORS_MAX: usize = 4;

/// Statuses that are told apart; others count as 499 or 599.
const STATUSES: [u16; 19] =
    [200, 202, 204, 301, 303, 304, 400, 401, 403, 404, 405, 409, 413, 415, 429, 499, 500, 503, 599];

const SURFACES: usize = OPERATIONS.len() + 2 + DOORS_MAX;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surface {
    /// An operation, by its place in the table.
    Operation(usize),
    /// A document, or which methods there are.
    Document,
    /// Nothing that is known: it was refused before.
    Unknown,
    /// What a door has, by its number.
    Door(usize),
}

impl Surface {
    fn index(self) -> usize {
        match self {
            Surface::Operation(at) => at,
            Surface::Document => OPERATIONS.len(),
            Surface::Unknown => OPERATIONS.len() + 1,
            Surface::Door(at) => OPERATIONS.len() + 2 + at.min(DOORS_MAX - 1),
        }
    }

    /// Its name, given those of the doors.
    pub(super) fn name(self, doors: impl Fn(usize) -> &'static str) -> &'static str {
        match self {
            Surface::Operation(at) => OPERATIONS[at].id,
            Surface::Document => "document",
            Surface::Unknown => "unknown",
            Surface::Door(at) => doors(at),
        }
    }
}

/// Counts of requests.
#[derive(Debug, Default)]
pub(super) struct Tally(Sharded<[Line; SURFACES]>);

#[derive(Debug, Default)]
struct Line {
    statuses: [Count; STATUSES.len()],
    durations: Durations,
}

/// What came of the requests for one thing.
#[derive(Clone, Debug)]
pub struct SurfaceFigures {
    /// What was asked for: the id of an operation, the name of a door, `document`, or `unknown`.
    pub name: &'static str,
    /// How many were answered with each status.
    pub statuses: Vec<(u16, u64)>,
    /// How long it took from the head of the request to the answer, still to be sent.
    pub durations: Histogram,
}

impl Tally {
    /// Counts a request that was answered.
    pub(super) fn add(&self, surface: Surface, status: StatusCode, took: Duration) {
        let line = &self.0.own()[surface.index()];
        line.statuses[class(status.as_u16())].one();
        line.durations.add(took);
    }

    /// What was counted of all that was ever asked for.
    pub(super) fn read(&self, doors: impl Fn(usize) -> &'static str) -> Vec<SurfaceFigures> {
        let operations = (0..OPERATIONS.len()).map(Surface::Operation);
        let doors_at = (0..DOORS_MAX).map(Surface::Door);
        let all = operations.chain([Surface::Document, Surface::Unknown]).chain(doors_at);
        let figures = all.map(|surface| self.read_one(surface, surface.name(&doors)));
        figures.filter(|figures| figures.durations.count > 0).collect()
    }

    fn read_one(&self, surface: Surface, name: &'static str) -> SurfaceFigures {
        let lines = self.0.all().map(|lines| &lines[surface.index()]);
        let count = |at: usize| lines.clone().map(|line| line.statuses[at].get()).sum();
        let statuses = STATUSES.iter().enumerate().map(|(at, status)| (*status, count(at)));
        SurfaceFigures {
            name,
            statuses: statuses.filter(|(_, count)| *count > 0).collect(),
            durations: Durations::sum(lines.clone().map(|line| &line.durations)),
        }
    }
}

fn class(status: u16) -> usize {
    let find = |wanted: u16| STATUSES.iter().position(|known| *known == wanted);
    find(status).or_else(|| find(if status < 500 { 499 } else { 599 })).expect("both stand in the table")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_what_they_ask_for() {
        let tally = Tally::default();
        for (surface, status) in [
            (Surface::Operation(0), 200),
            (Surface::Operation(0), 200),
            (Surface::Operation(0), 404),
            (Surface::Unknown, 405),
            (Surface::Door(1), 418),
            (Surface::Door(9), 504),
        ] {
            tally.add(surface, StatusCode::from_u16(status).unwrap(), Duration::from_micros(30));
        }
        let read = tally.read(|door| ["pages", "mcp", "c", "d"][door]);
        let read: Vec<_> =
            read.into_iter().map(|one| (one.name, one.statuses, one.durations.count)).collect();
        let expected = [
            (OPERATIONS[0].id, vec![(200, 2), (404, 1)], 3),
            ("unknown", vec![(405, 1)], 1),
            ("mcp", vec![(499, 1)], 1),
            ("d", vec![(599, 1)], 1),
        ];
        assert_eq!(read, expected);
    }
}
