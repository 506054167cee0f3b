//! Each rule on rows of the real list, and the whole list where it is at hand.
use std::collections::{BTreeMap, BTreeSet, HashSet};

use platbook::{
    directory::{Directory, Resolution},
    snapshot::Snapshot,
    vocabulary::{Geoid, JurisdictionId},
};

use super::*;

/// Every jurisdiction of the built-in snapshot.
fn governments() -> (Directory, Vec<NewJurisdiction>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/default.platbook");
    let directory = Directory::new(Snapshot::open(std::path::Path::new(path)).unwrap());
    let rows = (0..directory.jurisdiction_count() as u32).map(|row| {
        let view = directory.jurisdiction(platbook::directory::Row(row));
        NewJurisdiction {
            id: view.id.clone(),
            name: view.name.to_owned(),
            legal_type: view.legal_type.map(str::to_owned),
            ocd_id: None,
            same_as: directory.same_as(view.row).map(|row| directory.jurisdiction(row).id.clone()).collect(),
            population: view.population,
            point: view.point,
            bbox: None,
            source: 0,
            vintage: 0,
            func_stat: view.func_stat,
        }
    });
    let rows = rows.collect();
    (directory, rows)
}

/// Hosts of the list of government addresses outside .gov.
fn listed_hosts(data: &str) -> HashSet<String> {
    let path = format!("{data}/directory/gsa_govt_urls/1_govt_urls_full.csv");
    let mut table = csv::ReaderBuilder::new().flexible(true).from_path(path).unwrap();
    let hosts = table.byte_records().filter_map(|row| {
        let cell = String::from_utf8_lossy(row.ok()?.get(0)?).to_lowercase();
        let host = cell.split('/').next()?.trim().to_owned();
        Some(host.strip_prefix("www.").map(str::to_owned).unwrap_or(host))
    });
    hosts.collect()
}

/// Counties that a page is for: itself, or the county that its place lies in.
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
fn the_whole_list() {
    let Ok(data) = std::env::var("PLATBOOK_DATA") else { return };
    let file = format!("{data}/directory/openaddresses/openaddresses_sources_us.tar.gz");
    let sources = crate::read::openaddresses::sources(&file, &std::fs::read(&file).unwrap()).unwrap();
    let (directory, rows) = governments();
    let hosts = listed_hosts(&data);
    let bodies = Bodies::new(&rows);
    for source in &sources {
        if let Ok(at) = bodies.find(source) {
            let id = rows[at].id.to_string();
            let given = source.geoid.clone().unwrap_or_default();
            if !id.ends_with(&format!(":{given}")) {
                println!(
                    "BODY {} {given} {:?} {:?} {:?} -> {id} {}",
                    source.member, source.county, source.locality, source.census_name, rows[at].name
                );
            }
        }
    }
    let all = classed(&sources, &rows, &|host| hosts.contains(host));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut own, mut any, mut parcels) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (records, class) in &all {
        for page in &records.pages {
            *counts.entry(format!("page, {:?}, official {}", class.unwrap(), page.official)).or_default() +=
                1;
            *counts.entry(format!("status {:?}", page.status)).or_default() += 1;
            if let Some((county, itself)) = county(&directory, &rows, &page.body) {
                any.insert(county);
                if itself {
                    own.insert(county);
                    if page.topics.has(Topic::ParcelMap) {
                        parcels.insert(county);
                    }
                }
            }
            println!(
                "PAGE\t{}\t{}\t{}\t{:?}\t{:?}\t{:?}\t{:?}\t{}",
                page.body,
                page.name,
                page.url,
                class.unwrap(),
                page.publisher,
                page.provider,
                page.status,
                page.topics.0
            );
        }
        for row in &records.withheld {
            *counts.entry(format!("withheld: {}", row.reason)).or_default() += 1;
            println!("HELD\t{}\t{}\t{}", row.body, row.reason, row.what);
        }
        for row in &records.rejected {
            *counts.entry(format!("rejected: {}", row.reason)).or_default() += 1;
            println!("REJ\t{}\t{}", row.reason, row.what);
        }
    }
    for (what, count) in counts {
        println!("COUNT {count:6} {what}");
    }
    println!(
        "COUNT counties with a page of their own {}, parcels {}, or of a place {}",
        own.len(),
        parcels.len(),
        any.len()
    );
}
