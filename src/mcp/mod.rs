//! The same answers for language models: the Model Context Protocol, over HTTP and over standard input and output.
//!
//! A thin layer of our own instead of `rmcp`: that costs 40 µs of processor time a call where a whole REST request costs
//! about 10, and its handlers must outlive the request, so they cannot use the caller's limits and lookups of a door.
//!
//! Two eras of the protocol are spoken side by side, each request by itself, without sessions: the revision of 2026-07-28,
//! which says everything in each request, and those before, which begin with `initialize`. A message becomes a
//! [`message::Request`]; [`methods`] answers it; a call of a tool becomes a request of an operation, parsed by the same
//! parser as REST, and its answer goes out twice: as the JSON of the contract and as a short text ([`text`]).

mod arguments;
mod call;
mod card;
mod door;
mod envelope;
mod fault;
mod message;
mod methods;
mod offers;
mod origin;
mod property;
mod protocol;
mod ready;
mod reply;
mod run;
mod stdio;
mod text;
mod tools;

use std::{future::Future, pin::Pin};

use crate::edition::Edition;
use platbook::answers::{Answers, Found, Lookup, Refusal};

pub use door::McpDoor;
pub use stdio::serve_lines;
pub use tools::{TOOLS, Tool};

/// What a caller may use to have a tool called: their limits, and lookups outside of the snapshot.
pub trait Access: Send {
    /// Counts a call of a tool.
    ///
    /// # Errors
    /// `rate-limited`.
    fn admit(&mut self) -> Result<(), Refusal>;

    /// Looks something up for these answers.
    fn look_up<'a>(&'a mut self, answers: &'a Answers, lookup: Lookup) -> LookingUp<'a>;
}

/// A lookup on its way; `lookup-limit` where the caller has no more of them.
pub type LookingUp<'a> = Pin<Box<dyn Future<Output = Result<Found, Refusal>> + Send + 'a>>;

/// What a message is answered from.
struct Setting<'a> {
    edition: &'a Edition,
    access: &'a mut dyn Access,
    /// Stands in answers as `request_id`; needs no JSON escapes.
    request_id: &'a str,
}
