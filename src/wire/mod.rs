//! The shapes of the contract: field order and nullability exactly as published, each defined once.
//!
//! Knows nothing of where the values come from. Strings are borrowed, so that an answer copies each byte once,
//! into its JSON. A key that the contract lists as optional but nullable is always present.

mod envelope;
mod functions;
mod jurisdiction;
mod problem;
mod ready;
mod records;
mod resolve;
mod slot;
mod text;

pub use envelope::{Envelope, Notice, Source};
pub use functions::{FunctionEntry, Functions};
pub use jurisdiction::{Jurisdiction, Point};
pub use problem::{Choice, Problem, ProblemKind, ProblemType};
pub use ready::Ready;
pub use records::{Office, Resource};
pub use resolve::{Border, BorderLine, Match, MatchMode, MatchQuality, ResolveResult};
pub use slot::{RequestIdSlot, SlottedJson};
pub use text::{IdText, PageUrl};
