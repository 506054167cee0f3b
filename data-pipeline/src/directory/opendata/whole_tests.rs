//! Tests the whole list, if `PLATBOOK_DATA` names the data directory.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use platbook::{
    directory::{Directory, Resolution},
    snapshot::Snapshot,
    vocabulary::{Geoid, JurisdictionId},
};

use super::*;

/// Minimum number of counties with a page of their own. Today there are many more; fewer would mean that the list
/// lost some.
const COUNTIES_MIN: usize = 1_100;

fn directory() -> Directory {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/default.platbook");
    Directory::new(Snapshot::open(std::path::Path::new(path)).unwrap())
}

/// Every jurisdiction of the default snapshot.
fn governments(directory: &Directory) -> Vec<NewJurisdiction> {
    let row = |row| {
        let view = directory.jurisdiction(row);
        let same_as = directory.same_as(view.row).map(|row| directory.jurisdiction(row).id.clone());
        NewJurisdiction {
            id: view.id.clone(),
            name: view.name.to_owned(),
            legal_type: view.legal_type.map(str::to_owned),
            ocd_id: None,
            same_as: same_as.collect(),
            population: view.population,
            point: view.point,
            bbox: None,
            source: 0,
            vintage: 0,
            func_stat: view.func_stat,
            area_off_percent: 0,
        }
    };
    directory.rows().map(row).collect()
}

/// Hosts of the list of government addresses outside .gov.
fn listed_hosts(data: &str) -> HashSet<String> {
    let path = format!("{data}/directory/gsa_govt_urls/1_govt_urls_full.csv");
    let mut table = csv::ReaderBuilder::new().flexible(true).from_path(path).unwrap();
    let hosts = table.byte_records().filter_map(|row| {
        let cell = String::from_utf8_lossy(row.ok()?.get(0)?).to_lowercase();
        let host = cell.split('/').next()?.trim().to_owned();
        Some(host.strip_prefix("www.").map_or(host.clone(), str::to_owned))
    });
    hosts.collect()
}

/// The county that a page serves, and whether the page is the county's own.
fn county(directory: &Directory, rows: &[NewJurisdiction], id: &JurisdictionId) -> Option<(Geoid, bool)> {
    let JurisdictionId::Census(geoid) = id else { return None };
    if let Some(county) = geoid.county() {
        return Some((county, geoid.layer() == Layer::County));
    }
    let row = rows.iter().find(|row| row.id == *id)?;
    let Resolution::Inside(chain) = directory.resolve(row.point?) else { return None };
    let JurisdictionId::Census(county) = directory.jurisdiction(chain.county).id else { return None };
    Some((county, false))
}

#[test]
fn the_whole_list_serves_many_counties() {
    let Ok(data) = std::env::var("PLATBOOK_DATA") else {
        println!("not run: PLATBOOK_DATA is not set");
        return;
    };
    let file = format!("{data}/directory/openaddresses/openaddresses_sources_us.tar.gz");
    let sources = crate::input::openaddresses::sources(&file, &std::fs::read(&file).unwrap()).unwrap();
    let directory = directory();
    let (rows, hosts) = (governments(&directory), listed_hosts(&data));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut own, mut any, mut with_parcels) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (records, class) in classed(&sources, &rows, &super::tests::lists(), &|host| hosts.contains(host)) {
        for page in &records.pages {
            assert!(page.name.len() <= 75 && !page.topics.is_empty(), "{page:?}");
            assert!((1..=160).contains(&page.description.len()), "{page:?}");
            assert!(page.official || page.publisher.is_empty() || class != Some(Class::Official), "{page:?}");
            *counts.entry(format!("page, {:?}, official {}", class.unwrap(), page.official)).or_default() +=
                1;
            *counts.entry(format!("status {:?}", page.status)).or_default() += 1;
            if let Some((county, itself)) = county(&directory, &rows, &page.jurisdiction) {
                any.insert(county);
                own.extend(itself.then_some(county));
                with_parcels.extend((itself && page.topics.has(Topic::ParcelMap)).then_some(county));
            }
            println!("page\t{class:?}\t{page:?}");
        }
        for row in &records.withheld {
            *counts.entry(format!("withheld: {}", row.reason)).or_default() += 1;
            println!("withheld\t{}\t{}\t{}", row.reason, row.body, row.what);
        }
        for row in &records.rejected {
            *counts.entry(format!("rejected: {}", row.reason)).or_default() += 1;
            println!("rejected\t{}\t{}", row.reason, row.what);
        }
    }
    counts.iter().for_each(|(what, count)| println!("count {count:6} {what}"));
    let (own, any, parcels) = (own.len(), any.len(), with_parcels.len());
    println!(
        "count {own:6} counties with a page of their own, {parcels} with parcels; {any} with one of a place in it"
    );
    assert!(own >= COUNTIES_MIN, "{own} counties");
}
