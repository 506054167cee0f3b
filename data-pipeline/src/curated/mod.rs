//! Reads the hand-kept tables and checks that each is well formed.
//!
//! `curated/README.md` explains the files. A module reads one kind of file: text in, values or *all* faults
//! out, so that a contributor sees them at once. `tables` reads a whole folder. The rules of a state's file
//! become `platbook::rules`, and `expected` tests them on places with a known answer.
//!
//! Nothing here knows the published files; `check` and `build` compare names with them.

mod actions;
mod cases;
mod checker;
mod city_changes;
mod communities;
mod contact_rules;
mod contacts;
mod deadlines;
mod error;
mod expected;
mod federal;
mod file;
mod files;
mod functional_status;
mod guides;
mod hosts;
mod join;
mod labels;
mod lists;
mod load;
mod main_sites;
mod naming;
mod national;
mod precincts;
mod published_lists;
mod reading;
mod retired;
mod same_as;
mod sites;
mod sure;
mod tables;
mod tribal;

#[cfg(test)]
mod broken_tests;
#[cfg(test)]
mod evaluate_tests;
#[cfg(test)]
mod guides_tests;
#[cfg(test)]
mod national_tests;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod state_tests;

pub use actions::{ActionTable, parse_actions};
pub use checker::Label;
pub use city_changes::{CityChange, CityChanges, parse_city_changes};
pub use communities::{Community, CommunityTable, Location, add_missing, parse_communities};
pub use contact_rules::{ContactRules, Desk, names_person, parse_contact_rules};
pub use contacts::{CONTACTS, ContactTables, OfficeContact, Trust, geoid_by_length, parse_contacts};
pub use deadlines::{DatedRule, RuleText, StateDeadlines, parse_deadlines};
pub use error::{CuratedError, Fault};
pub use federal::{FederalArea, FederalTable, parse_federal};
pub use functional_status::{StatusTable, Subject};
pub use guides::{GUIDE_HEADINGS, load_guides, parse_guide};
pub use hosts::kind_of;
pub use join::{CensusNames, missing_states};
pub use labels::wrong_labels;
pub use lists::{CuratedOffice, CuratedResource, CuratedSource};
pub use load::{CuratedState, load_states, parse_state};
pub use main_sites::{MainSite, MainSites, parse_main_sites};
pub use naming::{NamingTable, parse_naming};
pub use national::{National, load_national, parse_national};
pub use precincts::{Part, PrecinctRow, PrecinctRules, StatePrecincts, parse_precincts};
pub use published_lists::{PublishedLists, parse_published_lists};
pub use retired::{RetiredId, load_retired, parse_retired};
pub use same_as::{SameGovernment, parse_same_as};
pub use sites::{CuratedSites, PageKind, SitePage, load_sites, parse_sites};
pub use tables::{AreaTables, Tables};
pub use tribal::{LandKind, Sourced, TribalTable, UnknownLsad, parse_tribal};
