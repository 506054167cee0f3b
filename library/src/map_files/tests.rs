//! Tests of layer files for the invented states: the answers that they give, and those that they leave to online
//! services.

use std::sync::LazyLock;

use super::*;
use crate::{
    facts::{Fact, FactKey, FactStatus},
    geocoder::{Compass, StreetName},
    geometry::LonLat,
    snapshot::write::{
        About, CountyTables, LayerContents, NewCity, NewPolygon, NewRange, NewStreet, NewStreets, Polygons,
        RadonRow, SourceRecord, Streets, ZipCountyRow,
    },
    testing::{self, point},
    vocabulary::{JurisdictionId, MapKind},
};

fn about(name: &str) -> About {
    let source = SourceRecord {
        name: name.to_owned(),
        url: "https://example.org/data".to_owned(),
        publisher: "A publisher".to_owned(),
        official: true,
        retrieved_at: "2026-01-01".to_owned(),
        license_class: 1,
        vintage: 2021,
        scale: 24_000,
        digest: String::new(),
        simplified_m: 0,
    };
    About { as_of: "2021".to_owned(), pipeline_version: "0".to_owned(), sources: vec![source] }
}

fn file(contents: LayerContents) -> LayerFile {
    LayerFile::copy(&contents.to_bytes().unwrap()).unwrap()
}

/// Oak St runs north through the middle of Adams County. Line Rd is 40 m beyond the county's east line, and Far Rd
/// several kilometers.
fn addresses() -> LayerFile {
    let mut new = NewStreets::default();
    for (name, x) in [("Oak St", 5.0), ("Line Rd", 10.05), ("Far Rd", 15.0)] {
        let parts = StreetName::read(name).unwrap();
        let line = new.lines.len() as u32;
        new.lines.push(vec![point(x, 6.0), point(x, 7.0)]);
        let street = NewStreet {
            zip: 55_001,
            key: parts.key,
            name: name.to_owned(),
            kind: parts.kind.unwrap_or_default().to_owned(),
            before: Compass::number(parts.before),
            after: Compass::number(parts.after),
        };
        let range =
            NewRange { from: 101, to: 199, prefix: String::new(), county: 27_001, right: false, line };
        new.streets.entry(street).or_default().push(range);
    }
    new.cities = vec![NewCity { state: 27, key: "rivertown".to_owned(), zip: 55_001, is_only: true }];
    let streets = Some(Streets::pack(&new).unwrap());
    file(LayerContents {
        about: about("TIGER/Line 2021 address ranges of county 27001"),
        streets,
        ..LayerContents::default()
    })
}

fn tables() -> LayerFile {
    let radon = vec![RadonRow { county: 27_001, zone: 1 }];
    let pair = |county, ranges| ZipCountyRow { zip: 55_001, county, ranges };
    let zips = vec![pair(27_001, 75), pair(27_003, 25)];
    let county_tables = Some(CountyTables::pack(radon, Vec::new(), Some(0), zips, Some(0)));
    file(LayerContents { about: about("Lists"), county_tables, ..LayerContents::default() })
}

/// The answers over the test snapshot.
fn world() -> &'static Answers {
    static WORLD: LazyLock<Answers> = LazyLock::new(|| Answers::new(testing::directory()));
    &WORLD
}

fn layers(files: Vec<LayerFile>) -> MapFiles {
    MapFiles::new(files)
}

/// Formats an answer as one line.
fn shown(answer: Option<AddressAnswer>) -> String {
    match answer {
        Some(AddressAnswer::One(found)) => format!("{}: {}", found.matched_address, found.method),
        Some(AddressAnswer::Unplaceable(why)) => why,
        Some(AddressAnswer::Several(choices)) => format!("{} choices", choices.len()),
        other => format!("{other:?}"),
    }
}

#[test]
fn known_addresses_are_answered_and_others_left() {
    let layers = layers(vec![addresses()]);
    for (text, expected) in [
        (
            "151 Oak St, Rivertown, MN",
            "151 Oak St, Rivertown, MN 55001: placed between house numbers 101 and 199",
        ),
        ("151 Aok Street, MN 55001", "None"),
        ("151 Oka, MN 55001", "None"),
        (
            "151 oak, 55001",
            "151 Oak St, MN 55001: placed between house numbers 101 and 199; the street's type added",
        ),
        ("151 Elm St, 55001", "None"),
        ("251 Oak St, 55001", "None"),
        ("151 Oak St, 55999", "None"),
        // Far Rd lies kilometers outside the county that its range belongs to.
        ("151 Far Rd, 55001", "None"),
    ] {
        assert_eq!(shown(layers.address(world(), text)), expected, "{text}");
    }
    assert!(
        shown(layers.address(world(), "PO Box 5, Rivertown, MN"))
            .contains("a PO box is not a place on a map")
    );
    assert_eq!(shown(layers.address(world(), "Oak St, Rivertown, MN")), "None");
    assert!(layers.hint(world(), "Oak St, Rivertown, MN").unwrap().contains("house number"));
}

#[test]
fn a_house_lies_in_the_county_of_its_range() {
    let layers = layers(vec![addresses()]);
    let Some(AddressAnswer::One(found)) = layers.address(world(), "151 Line Rd, 55001") else {
        panic!("it is found")
    };
    assert!(found.point.lon() < point(10.0, 0.0).lon(), "{} lies in Adams County", found.point);
    assert_eq!((found.source.publisher.as_ref(), found.looked_up_at), ("A publisher", None));
}

#[test]
fn an_address_that_cannot_be_placed_gets_a_hint() {
    let layers = layers(vec![addresses(), tables()]);
    for (text, said) in [
        ("251 Oak St, 55001", "have Oak St there with house numbers from 101 to 199 only"),
        (
            "251 Oak St, 55001",
            "ZIP code 55001 reaches Adams County, MN (75% of its addresses); Baker County, MN (25%",
        ),
        ("251 Oak St, 55001", "look up Adams County, MN"),
        ("251 Oak St, Rivertown, MN", "The text names Rivertown, MN: look up Rivertown, MN"),
    ] {
        let hint = layers.hint(world(), text).unwrap_or_default();
        assert!(hint.contains(said), "{text}: {hint}");
    }
    for text in ["PO Box 5, 55001", "5 Oak St, Nowhere, WY"] {
        assert_eq!(layers.hint(world(), text), None, "{text}");
    }
}

fn spot(at: LonLat, county: &str) -> Spot {
    Spot { point: at, county: county.parse::<JurisdictionId>().unwrap() }
}

#[test]
fn radon_is_known_for_counties_of_the_list() {
    let with = layers(vec![tables()]);
    let zone = |layers: &MapFiles, county| {
        let facts =
            layers.facts(world(), &spot(point(5.0, 5.0), county), FactKeys::from_iter([FactKey::Radon]));
        facts.get(FactKey::Radon).map(Fact::status)
    };
    assert_eq!(zone(&with, "county:27001"), Some(FactStatus::Zone1));
    assert_eq!(zone(&with, "county:55001"), Some(FactStatus::NotListed));
    assert_eq!(zone(&layers(Vec::new()), "county:27001"), None);
    let unasked = with.facts(world(), &spot(point(5.0, 5.0), "county:27001"), FactKeys::default());
    assert_eq!(unasked, Facts::default());
}

/// A map with two squares: one of half a cell at 5, 5, and a larger one around it with other values. The map's extent
/// runs from 4, 4 to 8, 8.
fn map(kind: MapKind, fields: &[&str], inner: &[&str], outer: &[&str]) -> LayerFile {
    let square = |low: f64, high: f64| {
        vec![point(low, low), point(high, low), point(high, high), point(low, high), point(low, low)]
    };
    let polygon = |values: &[&str], low, high| NewPolygon {
        values: Some(values.iter().map(|value| (*value).to_owned()).collect()),
        rings: vec![square(low, high)],
    };
    let mut polygons = vec![polygon(inner, 5.0, 5.5)];
    if !outer.is_empty() {
        polygons.push(polygon(outer, 4.5, 6.0));
    }
    polygons.push(NewPolygon { values: None, rings: vec![square(4.0, 8.0)] });
    let polygons = Some(Polygons::pack(kind, fields, &polygons).unwrap());
    file(LayerContents { about: about("A map"), polygons, ..LayerContents::default() })
}

#[test]
fn maps_state_what_they_have_at_the_point() {
    let flood = map(
        MapKind::Flood,
        &["fld_zone", "zone_subty", "sfha_tf", "static_bfe"],
        &["AE", "FLOODWAY", "T", "812.5"],
        &["X", "0.2 PCT ANNUAL CHANCE FLOOD HAZARD", "F", "-9999"],
    );
    let wetlands =
        map(MapKind::Wetlands, &["attribute", "wetland_ty", "acres"], &["L1UBH", "Lake", "12.345"], &[]);
    let soils =
        map(MapKind::Soils, &["musym", "muname", "hydclprs"], &["BoA", "Bowdre silty clay loam", "20"], &[]);
    let shoreland = map(MapKind::Shoreland, &["pwi_class", "pw_basin_n"], &["P", "Oak"], &[]);
    let layers = layers(vec![flood, wetlands, soils, shoreland]);
    let all = FactKeys::from_iter(FactKey::ALL);
    // A cell is 1.1 km high, so a hundredth of a cell is 11 m.
    for (x, flood, wetlands, soils, shoreland) in [
        (5.25, "sfha", "yes", "ok", "likely"),
        (5.55, "moderate", "near", "-", "likely"),
        (5.7, "moderate", "no", "-", "likely"),
        (6.5, "-", "no", "-", "-"),
        (9.0, "-", "-", "-", "-"),
    ] {
        let facts = layers.facts(world(), &spot(point(x, 5.25), "county:27001"), all);
        let status = |key| facts.get(key).map_or("-", |fact| fact.status().as_str());
        let keys = [FactKey::Flood, FactKey::Wetlands, FactKey::Soils, FactKey::Shoreland];
        assert_eq!(keys.map(status), [flood, wetlands, soils, shoreland], "{x}");
        assert_eq!(facts.get(FactKey::Elevation), None);
    }
}

#[test]
fn a_fact_has_the_date_and_source_of_its_file() {
    let layers = layers(vec![map(MapKind::Flood, &["fld_zone", "sfha_tf"], &["AE", "T"], &[])]);
    let keys = FactKeys::from_iter([FactKey::Flood]);
    let facts = layers.facts(world(), &spot(point(5.25, 5.25), "county:27001"), keys);
    let flood = facts.get(FactKey::Flood).unwrap();
    assert_eq!((flood.as_of.as_deref(), flood.source().name.as_ref()), (Some("2021"), "A map"));
}
