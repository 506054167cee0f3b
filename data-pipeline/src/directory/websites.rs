//! Finds official websites: joins the registry of .gov domains, and an older list of other addresses, to
//! governments.
//!
//! Neither list has ids, so rows are joined by state, legal word and name. A row is rejected with its reason
//! if two governments could own it, or if only a part of a government runs it. No link is opened.

use std::collections::BTreeMap;

use platbook::{
    snapshot::write::NewJurisdiction,
    vocabulary::{FuncStat, Geoid, JurisdictionId, Layer, StateCode},
};

use crate::{
    curated::PublishedLists,
    directory::records::Records,
    input::{
        dotgov::DotGovRow,
        gsa::{GsaRow, Retired},
    },
};

mod choose;
mod hosts;
mod index;
mod judge;
mod label;
mod office;
mod parse;
mod words;

pub use hosts::Hosts;

/// Key of the registry in the manifest.
pub const DOTGOV: &str = "dotgov";
/// Key of the older list in the manifest.
pub const GSA: &str = "gsa-govt-urls";

/// A government with the facts that the join compares.
#[derive(Clone, Debug, PartialEq)]
pub struct Government {
    /// GEOID of a county, subdivision or place.
    pub id: Geoid,
    /// Name as people write it.
    pub name: String,
    /// Legal word, lower case; `None` where the Census has none.
    pub legal_type: Option<String>,
    /// Open Civic Data id; `None` where the list has none.
    pub ocd_id: Option<String>,
    /// State of the government.
    pub state: StateCode,
    /// Other GEOIDs of the same government.
    pub same_as: Vec<Geoid>,
    /// Residents, for ranking; 0 if unknown.
    pub population: u32,
    /// Functional status, which decides whether the area governs.
    pub func_stat: FuncStat,
    /// County of a place; `None` for other layers and where it is not known.
    pub county: Option<Geoid>,
}

/// The result of joining both lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    /// Websites, and rows that gave no website.
    pub records: Records,
    /// Owners of hosts, from both lists.
    pub hosts: Hosts,
    /// Number of rows by result.
    pub counts: BTreeMap<&'static str, usize>,
}

/// The counties, subdivisions and places of a snapshot's rows. `counties` gives the county of each place.
pub fn governments(rows: &[NewJurisdiction], counties: &BTreeMap<Geoid, Geoid>) -> Vec<Government> {
    let census = |id: &JurisdictionId| match id {
        JurisdictionId::Census(geoid) => Some(*geoid),
        _ => None,
    };
    let government = |row: &NewJurisdiction| {
        let id = census(&row.id).filter(|id| id.layer() != Layer::State)?;
        let same_as = row.same_as.iter().filter_map(census).filter(|id| id.layer() != Layer::State).collect();
        Some(Government {
            id,
            name: row.name.clone(),
            legal_type: row.legal_type.clone(),
            ocd_id: row.ocd_id.clone(),
            state: StateCode::from_fips(id.state_fips())?,
            same_as,
            population: row.population,
            func_stat: row.func_stat,
            county: counties.get(&id).copied(),
        })
    };
    rows.iter().filter_map(government).collect()
}

/// Joins both lists to the governments. The registry counts first; the older list fills gaps.
pub fn join(
    governments: &[Government],
    lists: &PublishedLists,
    dotgov: &[DotGovRow],
    gsa: &[GsaRow],
    retired: &Retired,
) -> Joined {
    let index = index::Index::new(governments);
    let mut choice = choose::Choice::new(&index, lists);
    dotgov.iter().for_each(|row| choice.dotgov(row));
    choice.settle_dotgov();
    gsa.iter().for_each(|row| choice.gsa(row, retired));
    choice.finish()
}

#[cfg(test)]
mod tests;
