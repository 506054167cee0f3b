//! Tests lists joined to counties: those of the invented world and, if `PLATBOOK_DATA` names the files, of the whole
//! country.

use std::path::Path;

use platbook::{snapshot::Snapshot, testing};

use super::*;
use crate::input;

fn zone(state: &str, name: &str, zone: u8) -> RadonZone {
    RadonZone { state: state.parse().unwrap(), name: name.to_owned(), is_city: false, zone }
}

#[test]
fn counties_are_found_by_name() {
    let directory = testing::directory();
    let list = [zone("MN", "Adams County", 1), zone("MN", "BAKER COUNTY", 2), zone("WI", "Adams County", 3)];
    let radon = radon(&list, &directory);
    assert_eq!(radon.counties, [RadonRow { county: 27_001, zone: 1 }, RadonRow { county: 27_003, zone: 2 }]);
    assert_eq!((radon.unmatched, radon.towns), (vec!["Adams County, WI".to_owned()], Vec::new()));
}

#[test]
fn a_city_stands_with_its_word() {
    for (name, whole) in
        [("Richmond city", "Richmond city"), ("Carson City", "Carson City"), ("Richmond", "Richmond city")]
    {
        assert_eq!(with_word(name, "city"), whole);
    }
}

/// Zones by county code of 2010, from another project that matched the same list to counties by hand.
fn joined_elsewhere(data: &Path) -> BTreeMap<u64, u8> {
    let text = std::fs::read_to_string(data.join("directory/radon/epa_county_radon_zones.json")).unwrap();
    let rows: Vec<serde_json::Value> = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
    let row = |row: &serde_json::Value| {
        (row["fips"].as_str().unwrap().parse().unwrap(), row["epa_zone"].as_u64().unwrap() as u8)
    };
    rows.iter().map(row).collect()
}

#[test]
#[ignore = "reads the real files; set PLATBOOK_DATA and run with --ignored"]
fn every_county_of_the_country() {
    let data = std::env::var("PLATBOOK_DATA").expect("PLATBOOK_DATA names the directory of published files");
    let data = Path::new(&data);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let directory = Directory::new(Snapshot::open(&root.join("snapshots/default.platbook")).unwrap());
    let bytes = std::fs::read(data.join("directory/radon/radon_zone.xls")).unwrap();
    let radon = radon(&input::radon::zones("radon_zone.xls", &bytes).unwrap(), &directory);
    println!(
        "{} counties, {} towns; unmatched {:?}",
        radon.counties.len(),
        radon.towns.len(),
        radon.unmatched
    );
    let found: BTreeMap<u64, u8> = radon.counties.iter().map(|row| (row.county.into(), row.zone)).collect();
    let elsewhere = joined_elsewhere(data);
    let mut lacking = Vec::new();
    for row in directory.rows_of(Layer::County) {
        let view = directory.jurisdiction(row);
        let Some(geoid) = geoid_of(&directory, row) else { continue };
        match (found.get(&geoid.code()), elsewhere.get(&geoid.code())) {
            (Some(mine), Some(other)) => assert_eq!(mine, other, "{} {}", view.id, view.name),
            (Some(mine), None) => println!("only here: {} {} zone {mine}", view.id, view.name),
            (None, Some(other)) => panic!("{} {} is zone {other} elsewhere", view.id, view.name),
            (None, None) => lacking.push(format!("{} {}", view.id, view.name)),
        }
    }
    println!("{} without a zone: {}", lacking.len(), lacking.join("; "));
    assert!(radon.unmatched.is_empty());
    assert!(lacking.iter().all(|county| {
        // Island areas were not on the list; regions of Connecticut have towns in several zones.
        ["county:09", "county:60", "county:66", "county:69", "county:72", "county:78"]
            .iter()
            .any(|start| county.starts_with(start))
    }));
    let towns = directory.rows_of(Layer::Cousub).filter_map(|row| geoid_of(&directory, row));
    let towns: Vec<Geoid> = towns.filter(|town| town.state_fips() == 9).collect();
    assert_eq!(radon.towns.len(), towns.len(), "each town of Connecticut has a zone");
    let pairs = std::fs::read(data.join("boundaries-2/addr/county_zip.parquet")).unwrap();
    assert_eq!(input::zip_counties::pairs("county_zip.parquet", &pairs).unwrap().len(), 54_747);
}
