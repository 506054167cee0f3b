//! The rule engine: a chain and a state's rules in, one outcome per function out. Pure.
//!
//! `state_rules` is what a state file says and `chain` what it is asked about; `truth` tells which cases hold, `performers` whom they
//! mean and why nobody, `evaluate` what comes of it; `state_file` adds what people read, `wording` how names stand in sentences.
//! `data-pipeline/curated/README.md` explains the files.

mod chain;
mod evaluate;
mod performers;
mod state_file;
mod state_rules;
mod truth;
mod wording;

pub use chain::{ChainFacts, LegalArea, Part};
pub use evaluate::{Job, Outcome, candidates, evaluate, evaluate_one, jobs_of};
pub use state_file::{Guide, GuideSection, StateFile};
pub use state_rules::{
    Case, Conditions, District, DistrictPerCounty, FunctionRule, Governing, Performer, StateRules,
};
