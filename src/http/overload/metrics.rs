//! Counts of connections and requests, for `/metrics`.

use std::time::{Duration, Instant};

use hyper::StatusCode;

use crate::{
    counts::{Count, Durations, Histogram, Sharded},
    operations::OPERATIONS,
};

/// Number of doors that are counted separately; further doors count as the last one. The service has two: pages and
/// the protocol for language models.
const DOORS_MAX: usize = 4;

/// Statuses that are counted separately: those of the table of problems and of doors. Other statuses count as 499 or
/// 599.
const STATUSES: [u16; 20] =
    [200, 202, 204, 301, 303, 304, 308, 400, 401, 403, 404, 405, 409, 413, 415, 429, 499, 500, 503, 599];

const ENDPOINTS: usize = OPERATIONS.len() + 2 + DOORS_MAX;

/// Counts since the service was made.
#[derive(Debug)]
pub struct Metrics {
    /// The time when the service was made.
    pub started: Instant,
    /// Counts of connections by outcome.
    pub connections: ConnectionMetrics,
    /// Requests that ended in a panic.
    pub panics: Count,
    requests: Sharded<[RequestMetrics; ENDPOINTS]>,
}

/// Counts of connections by outcome.
#[derive(Debug, Default)]
pub struct ConnectionMetrics {
    /// Connections that are open now.
    pub open: Count,
    /// Connections that were served.
    pub served: Count,
    /// Connections that were rejected because all connection slots were taken.
    pub full: Count,
    /// Connections that were rejected because the address had its maximum number.
    pub address_full: Count,
    /// Connections that were rejected because work waited too long.
    pub overloaded: Count,
    /// Connections that the service ended because they were idle.
    pub idle: Count,
    /// Idle connections whose slot a new connection took.
    pub evicted: Count,
    /// Connections that the service ended at the deadline of a stop.
    pub stopped: Count,
    /// TLS handshakes that were completed.
    pub handshakes: Count,
    /// TLS handshakes that failed, for example because the client supports no common protocol.
    pub handshakes_failed: Count,
    /// Connections without TLS to an address that requires it.
    pub without_tls: Count,
    /// Connections that use HTTP/2 now, or may choose it in their handshake.
    pub http_2: Count,
    /// Number of times that the system failed to accept a connection.
    pub accept_errors: Count,
}

/// The endpoint for which a request counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Endpoint {
    /// An operation, by its index in the table.
    Operation(usize),
    /// A document, or `OPTIONS`.
    Document,
    /// A request that was refused before its path was found.
    Unknown,
    /// A door, by its number.
    Door(usize),
}

impl Endpoint {
    fn index(self) -> usize {
        match self {
            Endpoint::Operation(at) => at,
            Endpoint::Document => OPERATIONS.len(),
            Endpoint::Unknown => OPERATIONS.len() + 1,
            Endpoint::Door(at) => OPERATIONS.len() + 2 + at.min(DOORS_MAX - 1),
        }
    }

    /// Returns the endpoint's name. `doors` returns the name of a door by its number.
    pub(in crate::http) fn name(self, doors: impl Fn(usize) -> &'static str) -> &'static str {
        match self {
            Endpoint::Operation(at) => OPERATIONS[at].id,
            Endpoint::Document => "document",
            Endpoint::Unknown => "unknown",
            Endpoint::Door(at) => doors(at),
        }
    }
}

#[derive(Debug, Default)]
struct RequestMetrics {
    statuses: [Count; STATUSES.len()],
    durations: Durations,
}

/// The counts of one endpoint.
#[derive(Clone, Debug)]
pub struct EndpointFigures {
    /// The id of an operation, the name of a door, `document`, or `unknown`.
    pub name: &'static str,
    /// Counts of responses by status.
    pub statuses: Vec<(u16, u64)>,
    /// Times from the complete head of a request until its response is ready to be sent.
    pub durations: Histogram,
}

impl Metrics {
    pub(in crate::http) fn new() -> Metrics {
        Metrics {
            started: Instant::now(),
            connections: ConnectionMetrics::default(),
            panics: Count::default(),
            requests: Sharded::default(),
        }
    }

    /// Counts a request with its response.
    pub(in crate::http) fn add(&self, endpoint: Endpoint, status: StatusCode, took: Duration) {
        let metrics = &self.requests.own()[endpoint.index()];
        metrics.statuses[status_index(status.as_u16())].one();
        metrics.durations.add(took);
    }

    /// Returns the counts of each endpoint that was requested.
    pub(in crate::http) fn read(&self, doors: impl Fn(usize) -> &'static str) -> Vec<EndpointFigures> {
        let operations = (0..OPERATIONS.len()).map(Endpoint::Operation);
        let doors_at = (0..DOORS_MAX).map(Endpoint::Door);
        let all = operations.chain([Endpoint::Document, Endpoint::Unknown]).chain(doors_at);
        let figures = all.map(|endpoint| {
            let shards = self.requests.all().map(|shard| &shard[endpoint.index()]);
            let count = |at: usize| shards.clone().map(|metrics| metrics.statuses[at].get()).sum();
            let statuses = STATUSES.iter().enumerate().map(|(at, status)| (*status, count(at)));
            EndpointFigures {
                name: endpoint.name(&doors),
                statuses: statuses.filter(|(_, count)| *count > 0).collect(),
                durations: Durations::sum(shards.clone().map(|metrics| &metrics.durations)),
            }
        });
        figures.filter(|figures| figures.durations.count > 0).collect()
    }
}

fn status_index(status: u16) -> usize {
    let find = |wanted: u16| STATUSES.iter().position(|known| *known == wanted);
    find(status).or_else(|| find(if status < 500 { 499 } else { 599 })).expect("both stand in the table")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_endpoint_and_status() {
        let metrics = Metrics::new();
        for (endpoint, status) in [
            (Endpoint::Operation(0), 200),
            (Endpoint::Operation(0), 200),
            (Endpoint::Operation(0), 404),
            (Endpoint::Unknown, 405),
            (Endpoint::Door(1), 418),
            (Endpoint::Door(9), 504),
        ] {
            metrics.add(endpoint, StatusCode::from_u16(status).unwrap(), Duration::from_micros(30));
        }
        let read = metrics.read(|door| ["pages", "mcp", "c", "d"][door]);
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
