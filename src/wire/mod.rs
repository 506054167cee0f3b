//! The JSON types of the contract, called shapes. Field order and nullability are exactly as published, and each type
//! is defined once.
//!
//! The types do not depend on the source of the values. They borrow strings, so that an answer copies each byte only
//! once, into its JSON. Optional members that may be null are always present.

mod ask;
mod coverage;
mod dates;
mod download;
mod envelope;
mod functions;
mod guides;
mod jurisdiction;
mod lists;
mod places;
mod problem;
mod problem_help;
mod records;
mod resolve;
#[macro_use] // of the schemas of shapes
pub mod schema;
mod screening;
mod search;
mod shape_schemas;
mod text;
mod words;

pub use ask::{AskResult, ReadAs, ZipCounty};
pub use coverage::{
    CheckedBetween, CoverageReport, JobCoverage, LayerCoverage, LinkCoverage, StateCoverage, StateShares,
};
pub use dates::{DatedRule, Deadline};
pub use download::{DataFile, Download, LicenseCount, SnapshotFile, TABLE_FORMATS, TableCommand};
pub use envelope::{Envelope, Source};
pub use functions::{ActionLink, FunctionEntry, Functions};
pub use guides::{FurtherGuide, Guide, Rule, Section, StateRules, TopicInfo, TopicList};
pub use jurisdiction::{Jurisdiction, Point};
pub use lists::{Body, ChainList, ChainRow, JurisdictionList, ListedJurisdiction, RowError};
pub use places::{PlacePage, ResourcePage};
pub use problem::{Choice, Problem, ProblemType};
pub use problem_help::{ProblemHelp, help_with};
pub use records::{Office, Resource};
pub use resolve::{Border, BorderLine, Match, MatchMode, MatchQuality, ResolveResult};
pub use screening::{Decider, Fact, Facts, Screening};
pub use search::SearchResult;
pub use text::{Folder, PageUrl};
