//! The directory's content: hand-kept tables and feeds of pages, on their way into a snapshot.
//!
//! Precedence: pages of counties and cities, then state files, then the nation's, then feeds. A record is shown with the
//! source that vouches for it; without one it is withheld and counted.

mod districts;
mod documented;
mod feeds;
pub mod ids;
pub mod opendata;
mod pack;
pub mod records;
mod sources;
mod tables;
pub mod websites;

use std::{collections::BTreeMap, path::Path};

use platbook::{
    directory::{Directory, Row},
    rules::{Guide, StateBook},
    snapshot::NewJurisdiction,
    vocabulary::{Geoid, JurisdictionId, Layer},
};

use crate::{
    boundaries::load::Loaded,
    curated::{
        CensusNames, CuratedError, CuratedSites, CuratedState, Fault, National, RetiredId, load_guides,
        load_national, load_retired, load_sites, load_states, missing_states,
    },
    directory::records::Records,
    input::manifest::Manifest,
};

pub use documented::{Hosts, host};
pub use feeds::Feeds;
pub use pack::{Packed, pack};
pub use sources::SourceTable;

/// What stands before the ids of the nation's sources in keys.
const NATIONAL: &str = "national";

/// Everything that is kept by hand, checked.
#[derive(Debug)]
pub struct Tables {
    /// A file a state.
    pub states: Vec<CuratedState>,
    /// Pages of counties and cities.
    pub sites: Vec<CuratedSites>,
    /// Pages of the nation.
    pub national: National,
    /// A guide a topic.
    pub guides: Vec<Guide>,
    /// Ids that are out of use.
    pub retired: Vec<RetiredId>,
}

impl Tables {
    /// Reads the tables below `folder`.
    ///
    /// # Errors
    /// With the faults of all files, each with its file and line.
    pub fn load(folder: &Path, loaded: &Loaded) -> Result<Tables, CuratedError> {
        let tables = Tables {
            states: load_states(&folder.join("states"))?,
            sites: load_sites(&folder.join("sites"))?,
            national: load_national(&folder.join("national.toml"))?,
            guides: load_guides(&folder.join("guides"))?,
            retired: load_retired(&folder.join("retired_ids.toml"))?,
        };
        let names = CensusNames::of(loaded.names());
        let mut faults = missing_states(&folder.join("states"), &tables.states);
        for state in &tables.states {
            let file = folder.join(format!("states/{}.toml", state.rules.state));
            faults.extend(names.faults(&file.display().to_string(), &state.labels));
        }
        for sites in &tables.sites {
            faults.extend(names.faults(&sites.file, &sites.labels));
        }
        if faults.is_empty() { Ok(tables) } else { Err(CuratedError::Faults(faults)) }
    }
}

/// The hand-kept half of a snapshot: what does not depend on feeds.
#[derive(Debug)]
pub struct Content {
    /// Sources by row.
    pub sources: SourceTable,
    /// Rules and sentences.
    pub books: Vec<StateBook>,
    /// Bodies that are no Census units.
    pub districts: Vec<NewJurisdiction>,
}

impl Content {
    /// Numbers the sources, and makes books and districts.
    pub fn of(tables: &Tables, manifest: &Manifest, governments: &[NewJurisdiction]) -> Content {
        let mut sources = SourceTable::new(manifest);
        let (mut books, mut found) = (Vec::new(), Vec::new());
        for state in &tables.states {
            let rows = sources.cite(state.rules.state.usps(), &state.sources);
            found.extend(districts::districts(&state.rules, &rows, governments));
            books.push(StateBook {
                rules: state.rules.clone(),
                sources: rows,
                checked: state.checked.clone(),
                summary: state.summary.clone(),
                quirks: state.quirks.clone(),
            });
        }
        for sites in &tables.sites {
            sources.cite(&sites.file, &sites.sources);
        }
        sources.cite(NATIONAL, &tables.national.sources);
        Content { sources, books, districts: found }
    }
}

/// The county of each place at its inner point, where one is known.
pub fn counties_of_places(directory: &Directory) -> BTreeMap<Geoid, Geoid> {
    let census = |row: Row| match directory.jurisdiction(row).id {
        JurisdictionId::Census(geoid) => Some(geoid),
        JurisdictionId::Country | JurisdictionId::District(_) => None,
    };
    let places = directory.snapshot().jurisdictions().rows_of(Layer::Place).map(Row);
    places.filter_map(|row| Some((census(row)?, census(directory.chain_of_place(row)?.county)?))).collect()
}

/// All records, in the order of precedence. `counties` gives places their county.
///
/// # Errors
/// A fault for each page that nobody vouches for and whose table says that somebody must.
pub fn records(
    tables: &Tables,
    feeds: Feeds,
    governments: &[NewJurisdiction],
    counties: &BTreeMap<Geoid, Geoid>,
) -> Result<Records, CuratedError> {
    let (hosts, feeds) = feeds.join(governments, counties);
    let hosts: &dyn Hosts = &hosts;
    let mut records = Records::default();
    let mut faults: Vec<Fault> = Vec::new();
    for sites in &tables.sites {
        faults.extend(tables::of_sites(sites, hosts, &mut records).err().unwrap_or_default());
    }
    for state in &tables.states {
        let file = state.rules.state.usps();
        tables::of_offices(file, &state.offices, &state.sources, &mut records);
        tables::of_resources(file, &state.resources, &state.sources, hosts, &mut records);
    }
    let national = &tables.national;
    tables::of_resources(NATIONAL, &national.resources, &national.sources, hosts, &mut records);
    for feed in feeds {
        records.websites.extend(feed.websites);
        records.pages.extend(feed.pages);
        records.withheld.extend(feed.withheld);
        records.rejected.extend(feed.rejected);
    }
    if faults.is_empty() { Ok(records) } else { Err(CuratedError::Faults(faults)) }
}
