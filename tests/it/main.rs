//! The service as its users meet it: over a socket and on the command line.
#![expect(clippy::unwrap_used, reason = "in a test, to panic is to fail")]
#![expect(unreachable_pub, reason = "the modules of a test crate share freely")]

mod ask; // free texts: how each is read and answered
mod batch; // files of points: nothing is lost, and what the columns say
mod batch_answers; // rows of a file say what single answers say
mod bodies; // what callers send: bodies, messages, and their words in answers
mod command_line; // what the binary prints, and how it exits
mod conditions; // If-None-Match, in all its spellings, and lifetimes
mod connections; // half-sent requests, stopping, panics, many requests on one connection
mod contract; // every response that a test sees, held against the OpenAPI document
mod dear; // what takes long: made once, off the threads that answer, and kept
mod documents; // the examples of README.md and docs/, run as they stand
mod doors; // what doors stand on: slow lookups, request bodies, swaps, points in bulk
mod encodings; // compressed bodies are the plain ones
mod faults; // a disk that is full, and an output that nobody takes
mod fuzzed; // the targets of fuzz/, on bytes that are nearly good
mod golden; // whole answers over all states, re-blessed by `make bless`
mod growth; // no work grows faster than the text that causes it
mod harness; // a server on a free port, and a client that sends exactly the bytes it is told
mod hostile_pages; // texts that would do harm where a page showed them as they are
mod limits; // how much a caller may ask, by address and by key
mod lookups; // addresses and facts that are looked up outside
mod mcp; // the tools for language models, in both eras, over HTTP and standard input
mod mcp_campaigns; // they say what REST says, in few bytes, whatever is sent
mod mcp_cost; // what a call costs beside a request: a measure
mod names; // places and resources by name: a table of questions
mod nation; // the built-in snapshot: real points, every border, published figures
mod openapi; // the committed document, and its examples
mod pages; // what a person finds at each address
mod paging; // pages make the whole, and other cursors are refused
mod places; // places, resources, topics and guides: hard cases, ranking, problems
mod points; // who does each job at real points, by tables from other sources
mod problem_pages; // every operation's problems
mod requests; // one request, one response: a table of cases
mod same_government; // governments that have several ids
mod screening; // facts, with and without a map to ask
mod seen; // probes, figures, logs and status, as an operator sees them
mod shipping; // fresh snapshots: what is refused, swaps under load, the way back
mod sketches; // a sketch of each door that is to come
#[path = "../../fuzz/sweep.rs"]
mod sweep; // how far tests walk
mod table; // requests of every kind, from table.toml
mod water; // points on the water of counties, and on land beside it
