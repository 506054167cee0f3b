//! Counts results on the real files, if `PLATBOOK_DATA` names them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use platbook::{
    geometry::ring,
    vocabulary::{Geoid, JurisdictionId, Layer},
};

use super::super::*;
use crate::{
    boundaries::{
        assemble::{Tolerance, assemble},
        load::{Loaded, load_all},
    },
    curated::Tables,
    input::manifest::Manifest,
};

/// The county that a place's internal point lies in.
fn counties(loaded: &Loaded) -> BTreeMap<Geoid, Geoid> {
    let of = |layer: Layer| loaded.kept.iter().filter(move |area| area.geoid.layer() == layer);
    let county_of = |place: &crate::boundaries::load::Kept| {
        let point = place.internal_point.or_else(|| platbook::geometry::point_inside(&place.rings))?;
        let mut near =
            of(Layer::County).filter(|county| county.geoid.state_fips() == place.geoid.state_fips());
        near.find(|county| {
            county.rings.iter().filter(|closed| ring::contains(closed, point)).count() % 2 == 1
        })
        .map(|county| (place.geoid, county.geoid))
    };
    of(Layer::Place).filter_map(county_of).collect()
}

#[test]
#[ignore = "reads the real files; set PLATBOOK_DATA and run with --ignored"]
fn the_real_files() {
    let Ok(data) = std::env::var("PLATBOOK_DATA") else { return };
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.toml");
    let manifest = Manifest::load(&manifest).unwrap();
    let tables = Tables::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated"))).unwrap();
    let mut loaded = load_all(&manifest, Path::new(&data), &tables.areas, |_| {}).unwrap();
    let (dotgov, gsa) = (std::mem::take(&mut loaded.dotgov), std::mem::take(&mut loaded.govt_urls));
    let retired = std::mem::take(&mut loaded.govt_urls_retired);
    let counties = counties(&loaded);
    let inputs = assemble(&manifest, loaded, &tables.areas, Tolerance { settled_m: 25, elsewhere_m: 25 });
    let governments = governments(&inputs.jurisdictions, &counties);
    for known in [&counties, &BTreeMap::new()] {
        let of = |government: &Government| Government {
            county: known.get(&government.id).copied(),
            ..government.clone()
        };
        let governments: Vec<Government> = governments.iter().map(of).collect();
        let joined = join(&governments, &tables.lists, &dotgov, &gsa, &retired);
        let covered = report(&joined);
        if !known.is_empty() {
            list(&governments, &joined);
            assert!(covered[&Layer::County] >= 2_350, "{covered:?}");
            assert!(covered[&Layer::Place] >= 7_500, "{covered:?}");
            assert!(covered[&Layer::Cousub] >= 2_900, "{covered:?}");
        }
    }
}

fn report(joined: &Joined) -> BTreeMap<Layer, usize> {
    for (outcome, count) in &joined.counts {
        println!("{count:7} {outcome}");
    }
    let mut covered: BTreeMap<Layer, BTreeSet<Geoid>> = BTreeMap::new();
    let mut by_source: BTreeMap<(Layer, &str, bool), usize> = BTreeMap::new();
    for site in &joined.records.websites {
        let JurisdictionId::Census(geoid) = site.body else { continue };
        *by_source.entry((geoid.layer(), site.source.as_str(), site.functions.is_empty())).or_default() += 1;
        if site.functions.is_empty() {
            covered.entry(geoid.layer()).or_default().insert(geoid);
        }
    }
    println!("sites by layer, source, main: {by_source:?}");
    covered.into_iter().map(|(layer, ids)| (layer, ids.len())).collect()
}

/// Prints every site and every rejected row on its own line, for review.
fn list(governments: &[Government], joined: &Joined) {
    let names: BTreeMap<Geoid, &Government> =
        governments.iter().map(|government| (government.id, government)).collect();
    for site in &joined.records.websites {
        let JurisdictionId::Census(geoid) = site.body else { continue };
        let government = names[&geoid];
        println!(
            "SITE\t{geoid}\t{}\t{}\t{}\t{}\t{}\t{}",
            government.name,
            government.kind(),
            government.state.usps(),
            site.url,
            site.source,
            site.office.as_deref().unwrap_or("-")
        );
    }
    for row in &joined.records.rejected {
        println!("REJECTED\t{}\t{}\t{}", row.source, row.what, row.reason);
    }
}
