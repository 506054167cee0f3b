//! The rule engine: a chain and a state's rules in, one outcome per function out. Pure.
//!
//! `state_rules` is what a state file says and `chain` what it is asked about; `truth` decides which cases hold, `performers` whom they
//! mean, `evaluate` what the outcome is and `basis` why; `state_file` adds what people read. Sentences are made in `words`.
//! `data-pipeline/curated/README.md` explains the files.

mod basis;
mod chain;
mod evaluate;
mod performers;
mod state_file;
mod state_rules;
mod truth;

pub use basis::{Basis, ChainNames, Gap, Missing, Reason, Unit};
pub use chain::{ChainFacts, LegalArea, Part};
pub use evaluate::{Job, Outcome, candidates, evaluate, evaluate_one, jobs_of};
pub use state_file::{Guide, GuideSection, StateFile};
pub use state_rules::{
    Case, Conditions, District, DistrictPerCounty, FunctionRule, Governing, Performer, StateRules,
};
