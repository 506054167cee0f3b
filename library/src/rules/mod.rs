//! The rule engine. It takes a chain and the rules of a state, and returns one outcome per function. All functions are
//! pure.
//!
//! `state_rules` has the rules of a state file, and `chain` has the areas around a point. `truth` decides which cases
//! hold, `past` has cases that held on earlier days, and `performers` finds the bodies that these cases name.
//! `evaluate` builds the outcomes, each with its `basis`. `state_file` adds texts for people, and `words` writes the
//! sentences. A body is a government or a district.

mod basis;
mod chain;
mod dated;
mod day;
mod day_words;
mod evaluate;
mod installments;
mod past;
mod performers;
mod state_file;
mod state_rules;
mod truth;

pub use basis::{Basis, ChainNames, Gap, Missing, Reason, Unit};
pub use chain::{ChainFacts, LegalArea, Part};
pub use dated::{DatedRule, DatedText, Deadline, StateDates};
pub use day::{Day, MONTHS, weekend_day};
pub use evaluate::{Job, Outcome, candidates, evaluate, evaluate_one, jobs_of, outcome_by};
pub use past::{PastCase, PastCases};
pub use state_file::{Guide, GuideSection, StateFile};
pub use state_rules::{
    Case, Conditions, District, DistrictPerCounty, FunctionRule, Governing, Performer, StateRules,
};
