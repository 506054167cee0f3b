//! Checks the links of a snapshot politely, records the results in a ledger, and decides by one rule which links
//! work.
//!
//! A run sends a host at most one request a second, obeys its robots.txt, and writes each observation to a file
//! before it goes on. So an interrupted run continues where it stopped. [`Table`] folds the observations of all runs;
//! a build takes the result of each link from that table.

mod crawl;
mod host;
mod ledger;
mod moves;
mod page;
mod round;
mod rule;
mod subject;

pub use crawl::{Crawler, Manners};
pub use ledger::{Ledger, LedgerError, Run, Table};
pub use moves::patch;
pub use round::{Looked, Part, Plan, Round, plan};
pub use rule::{Finding, LinkState, Observation, Outcome, VALID_DAYS};
pub use subject::{Link, checks, links};
