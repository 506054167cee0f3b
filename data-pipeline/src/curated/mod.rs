//! Hand-kept files: who does each property job in each state, guides by topic, and pages for the whole country.
//!
//! `curated/README.md` explains the files. `load` reads and checks them; `platbook::rules` is what they say, and asks
//! it. `guides` and `national` are text for people.

mod cases;
mod checker;
mod error;
mod file;
mod guides;
mod join;
mod labels;
mod lists;
mod load;
mod national;
mod reading;
mod retired;
mod sites;

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

pub use checker::Label;
pub(crate) use error::line_of;
pub use error::{CuratedError, Fault};
pub use guides::{GUIDE_HEADINGS, load_guides, parse_guide};
pub use join::{CensusNames, missing_states};
pub use labels::wrong_labels;
pub use load::{CuratedOffice, CuratedResource, CuratedSource, CuratedState, load_states, parse_state};
pub use national::{National, load_national, parse_national};
pub use retired::{RetiredId, load_retired, parse_retired};
pub use sites::{CuratedSites, PageKind, SitePage, load_sites, parse_sites};
