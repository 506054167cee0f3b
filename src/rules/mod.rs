//! The rule engine: a chain and a state's rules in, one outcome per function out. Pure.
//!
//! `state_rules` is what a state file says, `evaluate` asks it; `book` has what people read. `data-pipeline/curated/README.md` explains the files.

mod book;
mod evaluate;
mod state_rules;

pub use book::{Guide, GuideSection, StateBook};
pub use evaluate::{Area, ChainFacts, Outcome, Part, evaluate, evaluate_one, jobs_of};
pub use state_rules::{
    Case, Conditions, District, DistrictPerCounty, FunctionRule, Governing, Performer, StateRules,
};
