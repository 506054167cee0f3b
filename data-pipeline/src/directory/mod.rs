//! Turns hand-kept tables and published lists into the rules, offices and pages of a snapshot.
//!
//! Precedence: main sites, then pages of counties and cities, then state files, then the nation's, then published
//! lists. A record is shown with the source that documents it; without a source it is withheld and counted. Areas and
//! lines come from `boundaries`; nothing here changes them.

mod actions;
pub mod contacts;
mod dates;
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
    rules::{PastCases, StateDates, StateFile},
    snapshot::write::{NewCityChange, NewCommunity, NewDatedChange, NewJurisdiction},
    vocabulary::{Date, Geoid, JurisdictionId, Layer, SourceKind, StateCode, VerifiedStatus},
};

use crate::{
    curated::{CONTACTS, CityChange, Community, CuratedError, CuratedState, Fault, Location, Tables},
    directory::{
        contacts::Contacts,
        records::{Records, Website},
    },
    input::manifest::{Manifest, Role},
};

pub use documented::{Hosts, above, host};
pub use feeds::Feeds;
pub use pack::{OfficesTaken, PackError, Packed, pack};
pub use sources::SourceTable;

/// Prefix of the keys of the nation's sources.
const NATIONAL: &str = "national";
/// Prefix of the keys of the main sites' sources.
const MAIN_SITES: &str = "main_sites";
/// Prefix of the keys of the sources on land of American Indian nations.
const TRIBAL: &str = "tribal";
/// Prefix of the keys of the sources on federal land.
const FEDERAL: &str = "federal";
/// Prefix of the keys of the sources on communities.
const COMMUNITIES: &str = "communities";
/// Prefix of the keys of the sources on changed cities.
const CITY_CHANGES: &str = "city_changes";

/// The part of a snapshot that comes only from hand-kept tables.
#[derive(Debug)]
pub struct Content {
    /// Sources by row, with the keys that records use.
    pub sources: SourceTable,
    /// Rules and sentences of each state.
    pub books: Vec<StateFile>,
    /// Cases of each state that held until a day.
    pub past: Vec<PastCases>,
    /// Dates and amounts of each state.
    pub dates: Vec<StateDates>,
    /// Bodies that are not Census units, as jurisdictions.
    pub districts: Vec<NewJurisdiction>,
    /// Rows of the sources on land of American Indian nations.
    pub tribal_sources: Vec<u16>,
    /// Rows of the sources on federal land, table by table.
    pub federal_sources: Vec<Vec<u16>>,
    /// Row of the source of military installations; 0 without such a source.
    pub installations_source: u16,
    /// Cities that began or ended after their lines were drawn.
    pub city_changes: Vec<NewCityChange>,
    /// The changes of `city_changes` and earlier ones, with their days, and the day from which all changes are known.
    pub change_days: Option<(Vec<NewDatedChange>, Date)>,
}

impl Content {
    /// Numbers the sources, and converts rules and districts.
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
        let federal_sources =
            tables.federal.iter().map(|table| sources.cite(FEDERAL, &table.sources)).collect();
        let installations_source =
            sources.rows_of(manifest, Role::Installations).first().copied().unwrap_or_default();
        sources.cite(COMMUNITIES, &tables.communities.sources);
        let rows = sources.cite(CITY_CHANGES, &tables.city_changes.sources);
        let all = &tables.city_changes.changes;
        let later = all.iter().filter(|change| change.is_later());
        let city_changes = later.map(|change| new_city_change(change, &rows)).collect();
        let dated = |change: &CityChange| NewDatedChange {
            change: new_city_change(change, &rows),
            days: change.days,
        };
        let change_days =
            tables.city_changes.known_since.map(|since| (all.iter().map(dated).collect(), since));
        let dates = tables.deadlines.iter().map(|state| dates::dates(state, &mut sources)).collect();
        let past = tables.states.iter().map(|state| &state.past);
        let past = past.filter(|past| !past.cases.is_empty()).cloned().collect();
        Content {
            sources,
            books,
            past,
            dates,
            districts: found,
            tribal_sources,
            federal_sources,
            installations_source,
            city_changes,
            change_days,
        }
    }
}

fn new_city_change(change: &CityChange, sources: &[u16]) -> NewCityChange {
    let CityChange { name, what, year, source, .. } = change.clone();
    NewCityChange { name, what, year, source: sources[source] }
}

/// The county of each place at its inner point; places without a county are missing.
pub fn counties_of_places(directory: &Directory) -> BTreeMap<Geoid, Geoid> {
    let census = |row: Row| match directory.jurisdiction(row).id {
        JurisdictionId::Census(geoid) => Some(geoid),
        JurisdictionId::Country | JurisdictionId::District(_) => None,
    };
    let places = directory.rows_of(Layer::Place);
    places.filter_map(|row| Some((census(row)?, census(directory.chain_of_place(row)?.county)?))).collect()
}

/// The pairs of a place and a county that it reaches, as rows. Pairs outside of the snapshot are left out.
pub fn place_counties(pairs: &[(Geoid, Geoid)], directory: &Directory) -> Vec<(u32, u32)> {
    let row = |geoid: Geoid| directory.found(&JurisdictionId::Census(geoid)).map(Row::number);
    pairs.iter().filter_map(|(place, county)| Some((row(*place)?, row(*county)?))).collect()
}

/// Communities, each with the government that stands for it. For a point this is the city, else the town or township
/// if it governs, else the county. Communities outside of the snapshot are left out.
pub fn communities(found: Vec<Community>, directory: &Directory) -> Vec<NewCommunity> {
    let body_at = |point: LonLat, state: StateCode| {
        let Resolution::Inside(chain) = directory.resolve(point) else { return None };
        let town = chain.cousub.filter(|town| directory.governs(*town));
        let is_there = directory.state_of(chain.county) == Some(state);
        is_there.then(|| chain.place.or(town).unwrap_or(chain.county))
    };
    let community = |Community { state, name, at, known }: Community| {
        let body = match at {
            Location::Point(point) => body_at(point, state)?,
            Location::PartOf(geoid) => directory.found(&JurisdictionId::Census(geoid))?,
        };
        Some(NewCommunity { name, body: body.number(), state: state.fips(), known })
    };
    found.into_iter().filter_map(community).collect()
}

/// Joins all records in the order of precedence. Pages that come with contacts only fill gaps. `counties` gives the
/// county of each place.
///
/// # Errors
/// A fault for each page of a table that must be documented and is not.
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

/// Makes an office without an address in each county, for officers outside of the county's government.
///
/// This office comes last and takes the jobs without a known page. Otherwise the main site of the county would stand
/// for these jobs.
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

/// The records of the hand-kept tables in the order of precedence, and a fault for each page that must be
/// documented and is not.
pub fn hand_kept(tables: &Tables, hosts: &dyn Hosts) -> (Records, Vec<Fault>) {
    let mut records = Records { actions: tables.actions.clone(), ..Records::default() };
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
