//! The service as its users meet it: over a socket and on the command line.
#![expect(clippy::unwrap_used, reason = "in a test, to panic is to fail")]
#![expect(unreachable_pub, reason = "the modules of a test crate share freely")]

mod command_line; // what the binary prints, and how it exits
mod connections; // half-sent requests, stopping, panics, many requests on one connection
mod harness; // a server on a free port, and a client that sends exactly the bytes it is told
mod limits; // how much a caller may ask, by address and by key
mod nation; // the built-in snapshot: real points, every border, published figures
mod requests; // one request, one response: a table of cases
