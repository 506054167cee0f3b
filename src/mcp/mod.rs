//! Answers for language models: the Model Context Protocol, over HTTP and over standard input and output.
//!
//! The service does not use `rmcp`. A call with `rmcp` takes 40 µs of processor time; a whole REST request takes
//! about
//! 10. Handlers of `rmcp` must also outlive the request, so they could not use the caller's limits and lookups.
//!
//! The service speaks two eras of the protocol side by side, without sessions. Requests of revision 2026-07-28 carry
//! all metadata themselves; earlier revisions begin with `initialize`. A message becomes a [`message::Request`], and
//! [`methods`] answers it. A call of a tool becomes a request of an operation, parsed by REST's parser. The result
//! has the answer twice: as the JSON of the contract and as a short text ([`text`]).

mod about;
mod app;
mod arguments;
mod brief;
mod call;
mod card;
mod door;
mod envelope;
mod fault;
mod message;
mod methods;
mod offers;
mod origin;
mod prefer;
mod property;
mod protocol;
mod ready;
mod related;
mod reply;
mod run;
mod several;
mod stdio;
mod text;
mod tools;

use std::{future::Future, pin::Pin};

use crate::edition::Edition;
use platbook::{
    answers::{Answers, Found, Lookup, Refusal},
    geometry::LonLat,
};

pub use door::McpDoor;
pub use stdio::serve_lines;
pub use tools::{TOOLS, Tool};

/// The resources that a tool call may use for its caller: rate limits, and lookups outside of the snapshot.
pub trait Access: Send {
    /// Counts a call of a tool against the caller's limit.
    ///
    /// # Errors
    /// `rate-limited` with the seconds to wait.
    fn admit(&mut self) -> Admitting<'_>;

    /// Starts a lookup for a request to these answers.
    fn look_up<'a>(&'a mut self, answers: &'a Answers, lookup: Lookup) -> LookingUp<'a>;

    /// Draws the map of a point; `None` if no government covers the point. Drawing takes several milliseconds.
    fn draw<'a>(&'a mut self, edition: &'a Edition, point: LonLat) -> Drawing<'a>;
}

/// A future that counts a call. Fails with `rate-limited` if the caller has no calls left.
pub type Admitting<'a> = Pin<Box<dyn Future<Output = Result<(), Refusal>> + Send + 'a>>;

/// A future that draws a map. Fails with `busy` if too much work waits.
pub type Drawing<'a> = Pin<Box<dyn Future<Output = Result<Option<String>, Refusal>> + Send + 'a>>;

/// A future that runs a lookup. Fails with `lookup-limit` if the caller has no lookups left.
pub type LookingUp<'a> = Pin<Box<dyn Future<Output = Result<Found, Refusal>> + Send + 'a>>;

/// The context in which a message is answered.
struct Setting<'a> {
    edition: &'a Edition,
    access: &'a mut dyn Access,
    /// The `request_id` of answers; must need no JSON escapes.
    request_id: &'a str,
}
