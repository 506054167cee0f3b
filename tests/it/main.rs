//! Tests the service as its users meet it: over a socket and on the command line.
#![expect(clippy::unwrap_used, reason = "in a test, to panic is to fail")]
#![expect(unreachable_pub, reason = "the modules of a test crate share freely")]

mod ask; // free texts: their readings and answers
mod batch; // files of points: no row is lost, and the columns' content
mod batch_answers; // rows of a file equal single answers
mod bodies; // limits on callers' bodies, messages, and words in answers
mod columnar; // files of Parquet and Arrow: the rows of text, in order, and damaged files
mod command_line; // the binary's output and exit codes
mod conditions; // If-None-Match, in all its spellings, and lifetimes
mod connections; // half-sent requests, stopping, panics, many requests on one connection
mod contract; // every response that a test sees, checked against the OpenAPI document
mod dear; // slow answers: made once, off the threads that answer, and cached
mod documents; // the examples of README.md and docs/, run as they are written
mod doors; // foundations of front ends: slow lookups, request bodies, swaps
mod encodings; // compressed bodies equal the plain ones
mod faults; // a full disk, and an output without a reader
mod fuzzed; // the targets of fuzz/, on bytes that are nearly valid
mod golden; // whole answers over all states, re-blessed by `make bless`
mod ground; // maps of points with roads and water
mod growth; // no work grows faster than the text that causes it
mod harness; // a server on a free port, and a client that sends exact bytes
mod hostile_pages; // texts that would be dangerous on a page without escapes
mod inputs; // places as people and models write them
mod limits; // limits of a caller, by address and by key
mod lists; // whole lists and many points: pages, rows, commands
mod lookups; // addresses and facts that are looked up outside
mod mcp; // the tools for language models, in both eras of the protocol, over HTTP and standard input
mod mcp_app; // the app of an answer in the window of a chat
mod mcp_batches; // batches of messages, and pages of other sites
mod mcp_campaigns; // the tools against REST: equal answers, few bytes, broken messages
mod mcp_cost; // the cost of a tool call, compared with a request
mod mcp_requests; // requests of people: one call, the office first, only what was asked
mod names; // places and resources by name: a table of searches
mod nation; // the built-in snapshot: real points, every border, published figures
mod on_day; // answers for a given day: what the parameter changes, and what it does not
mod openapi; // the committed document, and its examples
mod pages; // texts that a person must find at each address
mod paging; // pages join to the whole list, and foreign cursors are refused
mod places; // places, resources, topics and guides: hard cases, ranking, problems
mod points; // the office for each job at real points, by tables from other sources
mod problem_pages; // every operation's problems
mod requests; // one request, one response: a table of cases
mod same_government; // governments that have several ids
mod screening; // facts, with and without a map to ask
mod seen; // probes, figures, logs and status, as an operator sees them
mod set_pages; // pages of a server with lookups and an address for reports
mod shipping; // fresh snapshots: refusals, swaps under load, and rollback
mod sketches; // a sketch of each front end that is planned
#[path = "../../fuzz/sweep.rs"]
mod sweep; // how many steps long tests take
mod table; // requests of every kind, from table.toml
mod tasks; // tasks on pages: their order, their offices and their links
mod tls; // TLS without a proxy: handshakes, HTTP/2, new certificates, and an authority that issues them
mod water; // points on the water of counties, and on land beside it
