//! The rule engine: a chain and a state's rules in, one outcome per function out. Pure.
//!
//! `state_rules` is what a state file says, `evaluate` asks it; `state_file` adds what people read, `wording` how names stand in sentences. `data-pipeline/curated/README.md` explains the files.

mod evaluate;
mod state_file;
mod state_rules;
mod wording;

pub use evaluate::{ChainFacts, LegalArea, Outcome, Part, evaluate, evaluate_one, jobs_of};
pub use state_file::{Guide, GuideSection, StateFile};
pub use state_rules::{
    Case, Conditions, District, DistrictPerCounty, FunctionRule, Governing, Performer, StateRules,
};
