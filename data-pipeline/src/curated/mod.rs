//! Hand-kept state files: who does each property job, where, why, and on whose word.
//!
//! `curated/README.md` explains the files. `load` reads and checks them; `platbook::rules` is what they say, and asks
//! it.

mod cases;
mod checker;
mod error;
mod file;
mod join;
mod labels;
mod lists;
mod load;
mod sites;

#[cfg(test)]
mod broken_tests;
#[cfg(test)]
mod evaluate_tests;
#[cfg(test)]
mod state_tests;

pub use checker::Label;
pub(crate) use error::line_of;
pub use error::{CuratedError, Fault};
pub use join::load_checked;
pub use labels::wrong_labels;
pub use load::{CuratedOffice, CuratedResource, CuratedSource, CuratedState, load_states, parse_state};
pub use sites::{CuratedSites, PageKind, SitePage, load_sites, parse_sites};
