//! The shapes of the contract: field order and nullability exactly as published, each defined once.
//!
//! Knows nothing of where the values come from. Strings are borrowed, so that an answer copies each byte once,
//! into its JSON. A key that the contract lists as optional but nullable is always present.

mod envelope;
mod functions;
mod guides;
mod jurisdiction;
mod places;
mod problem;
mod problem_help;
mod ready;
mod records;
mod resolve;
mod rope;
pub mod schema;
mod screening;
mod search;
mod slot;
mod text;
mod words;

pub use envelope::{Envelope, Notice, Source};
pub use functions::{FunctionEntry, Functions};
pub use guides::{FurtherGuide, Guide, Rule, Section, StateRules, TopicInfo, TopicList};
pub use jurisdiction::{Jurisdiction, Point};
pub use places::{PlacePage, ReadyEntry, ReadyFunctions, ResourcePage};
pub use problem::{Choice, Problem, ProblemKind, ProblemType};
pub use problem_help::ProblemHelp;
pub use ready::{Ready, Shared};
pub use records::{Office, Resource, UrlScope};
pub use resolve::{Border, BorderLine, Match, MatchMode, MatchQuality, ResolveResult};
pub use rope::{Rope, RopeBuf};
pub use screening::{
    Decider, Elevation, Fact, Facts, Flood, Radon, Screening, Shoreland, Soils, Status, Wetlands,
};
pub use search::SearchResult;
pub use slot::{RequestIdSlot, SlottedJson};
pub use text::{Folder, IdText, PageUrl};
