//! The rule engine: a chain and a state's rules in, one outcome per function out. Pure.
//!
//! `state_rules` is what a state file says, `evaluate` asks it. `data-pipeline/curated/README.md` explains the files.

mod evaluate;
mod state_rules;

pub use evaluate::{Area, ChainFacts, Cousub, Outcome, evaluate};
pub use state_rules::{
    Case, Conditions, District, DistrictPerCounty, FunctionRule, Governing, Performer, StateRules,
};
