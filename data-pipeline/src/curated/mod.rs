//! Hand-kept files: who does each property job in each state, guides by topic, and pages for the whole country.
//!
//! `curated/README.md` explains the files. `load` reads and checks them, `rules` is what they say,
//! `evaluate` asks them; `guides` and `national` are text for people.

mod cases;
mod checker;
mod error;
mod evaluate;
mod file;
mod guides;
mod join;
mod labels;
mod lists;
mod load;
mod national;
mod reading;
mod rules;

#[cfg(test)]
mod broken_tests;
#[cfg(test)]
mod evaluate_tests;
#[cfg(test)]
mod guides_tests;
#[cfg(test)]
mod national_tests;
#[cfg(test)]
mod state_tests;

pub use checker::{Label, TOPICS};
pub(crate) use error::line_of;
pub use error::{CuratedError, Fault};
pub use evaluate::{Area, ChainFacts, Cousub, Outcome, evaluate};
pub use guides::{GUIDE_HEADINGS, Guide, GuideSection, load_guides, parse_guide};
pub use join::load_checked;
pub use labels::wrong_labels;
pub use load::{CuratedOffice, CuratedResource, CuratedSource, CuratedState, load_states, parse_state};
pub use national::{National, load_national, parse_national};
pub use rules::{
    Case, Conditions, Confidence, District, DistrictPerCounty, Function, FunctionRule, Governing, Level,
    LevyScope, Performer, Role, StateRules,
};
