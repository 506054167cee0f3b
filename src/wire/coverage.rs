//! The JSON types for the answer of `/coverage`. They go beyond the contract.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{schema, words::Word};
use platbook::vocabulary::Function;

/// How much is known, and how fresh it is. Percentages are rounded down, so that 100 means all.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CoverageReport<'a> {
    /// Postal code of the state in the request; null for the nation.
    #[schemars(with = "Option<schema::State>")]
    pub state: Option<&'a str>,
    /// Number of people whom the shares refer to; null where people are not counted.
    pub people: Option<u32>,
    /// Year of the population estimates.
    pub people_year: u16,
    /// Percentages of people by job; empty where people are not counted.
    pub jobs: Vec<JobCoverage>,
    /// Outlines by layer; a layer that the nation or the state lacks is left out.
    pub layers: Vec<LayerCoverage<'a>>,
    /// Checks of web addresses; null where they are not counted.
    pub links: Option<LinkCoverage<'a>>,
    /// The days on which the rules of states were last checked; null where that is not known.
    pub rules_checked: Option<CheckedBetween<'a>>,
    /// Percentages of people by state, each the mean of all jobs; null for a state.
    #[schemars(with = "Option<BTreeMap<String, StateCoverage>>")]
    pub states: Option<StateShares>,
}

/// Percentages of people for one job.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JobCoverage {
    /// The job that the percentages are about.
    #[schemars(with = "Word<Function>")]
    pub function: Function,
    /// The office is known, with the government that runs it.
    pub office: Option<f64>,
    /// The rules say that no office does the job there.
    pub no_office: Option<f64>,
    /// The first link is a page to do the job on.
    pub action: Option<f64>,
    /// The first link is a page to do the job on, or the office's own.
    pub page: Option<f64>,
    /// A telephone of the office, or the main line of its government, is known.
    pub phone: Option<f64>,
    /// The first link was verified.
    pub verified: Option<f64>,
}

/// Counts of the outlines of a layer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LayerCoverage<'a> {
    /// The type of the jurisdictions.
    #[schemars(with = "schema::TypeWord")]
    pub layer: &'a str,
    /// Number of jurisdictions, with an outline or without.
    pub jurisdictions: u32,
    /// Number of jurisdictions with an outline; no point finds the others.
    pub outlines: u32,
    /// Percentage of jurisdictions that are found at a point inside of them; null where it is not known.
    pub own_point: Option<f64>,
    /// Oldest year of the outlines; the year of a state is that of the source with most of its outlines. Null without
    /// outlines.
    pub oldest: Option<u16>,
    /// Newest year of the outlines; null without outlines.
    pub newest: Option<u16>,
}

/// Checks of web addresses. Each address counts once in a state.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LinkCoverage<'a> {
    /// Number of addresses of pages and offices.
    pub addresses: u32,
    /// Number of addresses that were opened and speak of their subject.
    pub verified: u32,
    /// Number of addresses whose check is not on record.
    pub not_yet_verified: u32,
    /// Number of addresses that may be broken.
    pub possibly_broken: u32,
    /// Day on which an address was last checked; null if none was.
    #[schemars(with = "Option<schema::Time>")]
    pub last_look: Option<&'a str>,
}

/// The first and the last day of checks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedBetween<'a> {
    /// The day of the oldest check.
    #[schemars(with = "schema::Time")]
    pub first: &'a str,
    /// The day of the newest check.
    #[schemars(with = "schema::Time")]
    pub last: &'a str,
}

/// Whole percentages of people in a state, over all jobs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StateCoverage {
    /// The office is known, with the government that runs it.
    pub office: Option<u16>,
    /// The first link is a page to do the job on, or the office's own.
    pub page: Option<u16>,
    /// A telephone of the office, or the main line of its government, is known.
    pub phone: Option<u16>,
}

/// Percentages by postal code, in the order of FIPS codes.
#[derive(Debug)]
pub struct StateShares(pub Vec<(&'static str, StateCoverage)>);

impl Serialize for StateShares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(state, shares)| map.serialize_entry(state, shares))?;
        map.end()
    }
}
