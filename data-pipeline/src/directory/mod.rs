//! The directory's content: hand-kept tables and feeds of pages, on their way into a snapshot.
//!
//! Precedence: pages of counties and cities, then state files, then the nation's, then feeds. A record is shown with the
//! source that vouches for it; without one it is withheld and counted.

pub mod contacts;
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

use std::collections::BTreeMap;

use platbook::{
    directory::{Directory, Resolution, Row},
    geometry::LonLat,
    rules::StateFile,
    snapshot::write::{NewCityChange, NewCommunity, NewJurisdiction},
    vocabulary::{Geoid, JurisdictionId, Layer, SourceKind, VerifiedStatus},
};

use crate::{
    curated::{CONTACTS, CityChange, CuratedError, CuratedState, Fault, Tables},
    directory::{
        contacts::Contacts,
        records::{Records, Website},
    },
    input::manifest::Manifest,
};

pub use documented::{Hosts, host};
pub use feeds::Feeds;
pub use pack::{OfficesTaken, PackError, Packed, pack};
pub use sources::SourceTable;

/// What stands before the ids of the nation's sources in keys.
const NATIONAL: &str = "national";
/// Of the table of main sites.
const MAIN_SITES: &str = "main_sites";
/// And before those on land of nations.
const TRIBAL: &str = "tribal";
/// And before those of changed cities.
const CITY_CHANGES: &str = "city_changes";

/// The hand-kept half of a snapshot: what does not depend on feeds.
#[derive(Debug)]
pub struct Content {
    /// Sources by row.
    pub sources: SourceTable,
    /// Rules and sentences.
    pub books: Vec<StateFile>,
    /// Bodies that are not Census units.
    pub districts: Vec<NewJurisdiction>,
    /// Rows of the sources on land of nations.
    pub tribal_sources: Vec<u16>,
    /// Cities that began or ended after their lines were drawn.
    pub city_changes: Vec<NewCityChange>,
}

impl Content {
    /// Numbers the sources, and makes books and districts.
    pub fn of(tables: &Tables, manifest: &Manifest, governments: &[NewJurisdiction]) -> Content {
        let mut sources = SourceTable::new(manifest);
        let (mut books, mut found) = (Vec::new(), Vec::new());
        for state in &tables.states {
            let rows = sources.cite(state.rules.state.usps(), &state.sources);
            found.extend(districts::districts(&state.rules, &rows, governments));
            books.push(StateFile {
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
        sources.cite(MAIN_SITES, &tables.main_sites.sources);
        sources.cite(CONTACTS, &tables.contacts.cited());
        let tribal_sources = sources.cite(TRIBAL, &tables.tribal.sources);
        let rows = sources.cite(CITY_CHANGES, &tables.city_changes.sources);
        let city_changes =
            tables.city_changes.changes.iter().map(|change| new_city_change(change, &rows)).collect();
        Content { sources, books, districts: found, tribal_sources, city_changes }
    }
}

fn new_city_change(change: &CityChange, sources: &[u16]) -> NewCityChange {
    let CityChange { name, what, year, source } = change.clone();
    NewCityChange { name, what, year, source: sources[source] }
}

/// The county of each place at its inner point, where one is known.
pub fn counties_of_places(directory: &Directory) -> BTreeMap<Geoid, Geoid> {
    let census = |row: Row| match directory.jurisdiction(row).id {
        JurisdictionId::Census(geoid) => Some(geoid),
        JurisdictionId::Country | JurisdictionId::District(_) => None,
    };
    let places = directory.rows_of(Layer::Place);
    places.filter_map(|row| Some((census(row)?, census(directory.chain_of_place(row)?.county)?))).collect()
}

/// Communities without a government, each with the county of its point.
pub fn communities(found: Vec<(Geoid, String, LonLat)>, directory: &Directory) -> Vec<NewCommunity> {
    let community = |(geoid, name, point): (Geoid, String, LonLat)| {
        let Resolution::Inside(chain) = directory.resolve(point) else { return None };
        Some(NewCommunity { name, county: chain.county.number(), state: geoid.state_fips() })
    };
    found.into_iter().filter_map(community).collect()
}

/// All records, in the order of precedence; pages that come with contacts fill what no other has. `counties` gives places their
/// county.
///
/// # Errors
/// A fault for each page that nobody vouches for and whose table says that somebody must.
pub fn records(
    tables: &Tables,
    feeds: Feeds,
    governments: &[NewJurisdiction],
    counties: &BTreeMap<Geoid, Geoid>,
    contacts: &Contacts,
) -> Result<Records, CuratedError> {
    let (hosts, feeds) = feeds.join(&tables.lists, governments, counties);
    let (mut records, faults) = hand_kept(tables, &hosts);
    for feed in feeds {
        records.websites.extend(feed.websites);
        records.pages.extend(feed.pages);
        records.withheld.extend(feed.withheld);
        records.rejected.extend(feed.rejected);
    }
    records.websites.extend(contacts.pages(&hosts));
    records.websites.extend(tables.states.iter().flat_map(|state| apart(state, governments)));
    if faults.is_empty() { Ok(records) } else { Err(CuratedError(faults)) }
}

/// An office without an address in each county, for officers who stand apart from the county's government: last of all, it has
/// the jobs for which nobody knows a page, so that the main site of the county does not stand in for one.
fn apart(state: &CuratedState, governments: &[NewJurisdiction]) -> Vec<Website> {
    let Some(source) = state.sources.first().filter(|_| !state.apart.is_empty()) else { return Vec::new() };
    let is_county = |id: &JurisdictionId| match id {
        JurisdictionId::Census(geoid) => {
            geoid.layer() == Layer::County && geoid.state_fips() == state.rules.state.fips()
        }
        JurisdictionId::Country | JurisdictionId::District(_) => false,
    };
    let website = |government: &NewJurisdiction| Website {
        body: government.id.clone(),
        functions: state.apart,
        office: None,
        url: String::new(),
        phone: None,
        email: None,
        address: None,
        source: format!("{}/{}", state.rules.state.usps(), source.id),
        kind: SourceKind::Curated,
        status: VerifiedStatus::NotYetVerified,
    };
    governments.iter().filter(|government| is_county(&government.id)).map(website).collect()
}

/// The records of the hand-kept tables alone, in the order of precedence, and a fault for each page that nobody vouches
/// for and whose table says that somebody must.
pub fn hand_kept(tables: &Tables, hosts: &dyn Hosts) -> (Records, Vec<Fault>) {
    let mut records = Records::default();
    let mut faults: Vec<Fault> = Vec::new();
    tables::of_main_sites(MAIN_SITES, &tables.main_sites, &mut records);
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
    (records, faults)
}
