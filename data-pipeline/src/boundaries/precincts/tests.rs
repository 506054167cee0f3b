//! Small invented counties: squares in a row, a precinct in each.

use std::path::Path;

use platbook::{
    geometry::{LonLat, ring},
    vocabulary::{Geoid, Layer},
};

use super::*;
use crate::{
    boundaries::clean::clean,
    curated::{AreaTables, Part, PrecinctRow, StatePrecincts},
    input::gazetteer::Listed,
};

mod lines;

/// Side of a square, in 1e-7 degree: about 1 km.
const SIDE: i32 = 100_000;
/// The source of the polygons of places.
const PLACES: usize = 7;

/// The rules of the tables, and those of a state whose cities and villages lie in no town.
fn rules() -> PrecinctRules {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated"));
    let mut rules = AreaTables::load(folder).unwrap().precincts;
    let words = [("town", "town"), ("vlg", "village"), ("village", "village"), ("city", "city")];
    let words = words.map(|(written, word)| (written.to_owned(), word.to_owned())).into();
    rules.states.insert(55, StatePrecincts { words, ..StatePrecincts::default() });
    rules
}

/// A listed subdivision, with its point in the first square.
fn listed((digits, name, word): &(&str, &str, &str)) -> Listed {
    Listed {
        geoid: cousub(digits),
        name: format!("{name} {word}"),
        lsad: None,
        func_stat: None,
        land_m2: 0,
        water_m2: 0,
        point: at(SIDE / 2, SIDE / 2),
    }
}

fn at(x: i32, y: i32) -> LonLat {
    LonLat::from_units(420_000_000 + y, -900_000_000 + x)
}

/// A block of squares, from column `x` and row `y`.
fn block(x: i32, y: i32, columns: i32, rows: i32) -> Vec<LonLat> {
    let (west, south) = (x * SIDE, y * SIDE);
    let mut ring: Vec<LonLat> = (0..columns).map(|step| at(west + step * SIDE, south)).collect();
    ring.extend((0..rows).map(|step| at(west + columns * SIDE, south + step * SIDE)));
    ring.extend((0..columns).map(|step| at(west + (columns - step) * SIDE, south + rows * SIDE)));
    ring.extend((0..rows).map(|step| at(west, south + (rows - step) * SIDE)));
    ring.push(ring[0]);
    ring
}

fn cousub(digits: &str) -> Geoid {
    Geoid::parse(Layer::Cousub, digits).unwrap()
}

/// An invented county with a table of codes. A town has a code, a name and a legal word; a place also has the column of
/// its square.
#[derive(Default)]
struct County<'a> {
    towns: &'a [(&'a str, &'a str, &'a str)],
    places: &'a [(&'a str, &'a str, &'static str, i32)],
    codes: &'a [(&'a str, u32)],
}

impl County<'_> {
    fn towns(&self, precincts: Vec<Precinct>) -> Towns {
        self.towns_by(precincts, &rules())
    }

    fn towns_by(&self, precincts: Vec<Precinct>, rules: &PrecinctRules) -> Towns {
        let subdivisions: Vec<Listed> = self.towns.iter().map(listed).collect();
        let squares: Vec<Vec<Vec<LonLat>>> =
            self.places.iter().map(|(.., column)| vec![block(*column, 0, 1, 1)]).collect();
        let places = self.places.iter().zip(&squares).map(|((digits, name, word, _), rings)| {
            let geoid = Geoid::parse(Layer::Place, digits).unwrap();
            KnownPlace { geoid, name, word: Some(word), rings, source: PLACES }
        });
        let county = precincts[0].county;
        let code = |(name, code): &(&str, u32)| {
            let row =
                PrecinctCodes { county: "Home".to_owned(), name: (*name).to_owned(), codes: vec![*code] };
            (county.state_fips(), row)
        };
        let around = [block(-20, -20, 60, 60)];
        let known = Known {
            places: places.collect(),
            counties: vec![KnownCounty { geoid: county, name: "Home", rings: &around }],
            listed: &subdivisions,
            ..Known::default()
        };
        let inputs = Inputs {
            precincts: precincts.into_iter().map(|precinct| (0, precinct)).collect(),
            codes: self.codes.iter().map(code).collect(),
        };
        towns(inputs, &known, rules)
    }
}

fn named(county: &str, name: &str, rings: Vec<Vec<LonLat>>) -> Precinct {
    let county = Geoid::parse(Layer::County, county).unwrap();
    Precinct { county, name: name.to_owned(), district: false, numbered: false, cousub: None, rings }
}

/// Checks the result for each precinct. A row has its name and the expected result, "00275 by name" or a reason. The
/// precincts are squares in one line, from column 0 on.
fn check(county: &County, fips: &str, rows: &[(&str, &str)]) {
    let precincts = rows.iter().enumerate();
    let precincts =
        precincts.map(|(at, (name, _))| named(fips, name, vec![block(at as i32, 0, 1, 1)])).collect();
    let found = county.towns(precincts);
    for (outcome, (name, expected)) in found.outcomes.iter().zip(rows) {
        let shown = match &outcome.placement {
            Placement::Placed(town, how) => format!("{} {how}", &town.digits()[5..]),
            Placement::Left(why) => why.to_string(),
        };
        assert_eq!((outcome.name.as_str(), shown.as_str()), (*name, *expected));
    }
    laws(rows.len(), &found);
}

/// Checks that every precinct has one result, and that each placed area is in one record.
fn laws(precincts: usize, found: &Towns) {
    assert_eq!(found.outcomes.len(), precincts);
    let placed = |outcome: &&Outcome| matches!(outcome.placement, Placement::Placed(..));
    let area: i128 = found
        .records
        .iter()
        .flat_map(|(_, record)| &record.rings)
        .map(|ring| ring::signed_area_doubled(ring))
        .sum();
    let one = ring::signed_area_doubled(&block(0, 0, 1, 1));
    assert_eq!(area, one * found.outcomes.iter().filter(placed).count() as i128);
}

#[test]
fn wisconsin() {
    let county = County {
        towns: &[
            ("5500900275", "Suamico", "village"),
            ("5500900300", "Holland", "town"),
            ("5500931000", "Green Bay", "city"),
            ("5500931025", "Green Bay", "town"),
        ],
        places: &[("5531000", "Green Bay", "city", 3)],
        ..County::default()
    };
    check(
        &county,
        "55009",
        &[
            ("SUAMICO VLG 1 TO 4", "00275 by name and legal word"),
            ("HOLLAND TOWN", "00300 by name and legal word"),
            ("GREEN BAY TOWN WARD 1", "31025 by name and legal word"),
            ("GREEN BAY 7", "31000 by name and polygon of the place"),
            ("GREEN BAY 8", "31025 by name and polygon of the place"),
            ("HOLLAND VLG", "no subdivision of the county has that name"),
            ("ELSEWHERE TOWN", "no subdivision of the county has that name"),
            ("SUAMICO VLG/HOLLAND TOWN", "joins several towns"),
        ],
    );
}

#[test]
fn pennsylvania() {
    let county = County {
        towns: &[
            ("4202939352", "Kennett", "township"),
            ("4202939360", "Kennett Square", "borough"),
            ("4202945008", "Derry", "township"),
            ("4202945016", "Derry", "borough"),
        ],
        places: &[("4239360", "Kennett Square", "borough", 1), ("4245016", "Derry", "borough", 4)],
        ..County::default()
    };
    check(
        &county,
        "42029",
        &[
            ("KENNETT TWP 1", "39352 by name and legal word"),
            ("KENNETT SQ N", "39360 by name"),
            ("KENNETT PARK", "no subdivision of the county has that name"),
            ("DERRY 2", "45008 by name and polygon of the place"),
            ("DERRY 1", "45016 by name and polygon of the place"),
            // The name of a borough that lies elsewhere.
            ("KENNETT SQ S-1", "name and polygon of the place disagree"),
        ],
    );
}

#[test]
fn ohio() {
    let county = County {
        towns: &[
            ("3906532837", "Hale", "township"),
            ("3906537814", "Jackson", "township"),
            ("3906545598", "Lynn", "township"),
        ],
        places: &[("3953144", "Mount Victory", "village", 0), ("3945590", "Lynn", "village", 3)],
        codes: &[("BUCK", 37814), ("LYNN TWP", 37814)],
    };
    check(
        &county,
        "39065",
        &[
            ("MT VICTORY/HALE", "32837 by name"),
            ("HALE/JACKSON", "joins several towns"),
            ("BUCK", "37814 by code"),
            ("LYNN", "named after a place, and its town is not given"),
            ("LYNN", "45598 by name"),
            ("LYNN TWP", "name and code disagree"),
            ("MT VICTORY VLG", "no subdivision of the county has that name"),
        ],
    );
}

#[test]
fn kansas_illinois_and_indiana() {
    let county = County {
        towns: &[("2002912725", "Center", "township"), ("2002963000", "Sibley", "township")],
        ..County::default()
    };
    check(
        &county,
        "20029",
        &[
            ("North Center Voting District", "12725 by name"),
            ("Sibley Township Enclave A Voting District", "63000 by name and legal word"),
            ("Sibley Township/City", "63000 by name and legal word"),
            ("AB12", "no subdivision of the county has that name"),
        ],
    );
    let county = County {
        towns: &[("1703532000", "Greenup", "township")],
        places: &[("1732020", "Greenup", "village", 0)],
        ..County::default()
    };
    let too_large =
        "table: With this precinct, Greenup would have 182 km2, but the Census Gazetteer gives it 123.";
    check(&county, "17035", &[("GREENUP 1", "32000 by name"), ("GREENUP 2", too_large)]);
    check(&county, "17003", &[("CAIRO 1", "the county has no towns")]);
}

#[test]
fn what_one_town_encloses_is_its_own_only_if_it_can_be_no_other() {
    let county = County {
        towns: &[("3906532837", "Hale", "township"), ("3906537814", "Jackson", "township")],
        places: &[("3953144", "Mount Victory", "village", 1)],
        ..County::default()
    };
    let ring = |inner: Vec<LonLat>| vec![block(0, -1, 3, 3), inner];
    let check = |precincts: Vec<Precinct>, expected: &[&str]| {
        let count = precincts.len();
        let found = county.towns(precincts);
        assert_eq!(found.outcomes.len(), count);
        let shown = |outcome: &Outcome| match &outcome.placement {
            Placement::Placed(town, how) => format!("{} {how}", &town.digits()[5..]),
            Placement::Left(why) => why.to_string(),
        };
        assert_eq!(found.outcomes.iter().map(shown).collect::<Vec<_>>(), expected);
        found
    };
    let hale = || named("39065", "HALE TWP", ring(block(1, 0, 1, 1)));
    let hole = |name: &str| named("39065", name, vec![block(1, 0, 1, 1)]);
    let jackson = named("39065", "JACKSON TWP", vec![block(3, 0, 1, 1)]);
    // A village that is not a subdivision of its own lies in the township around it.
    let found = check(
        vec![hale(), hole("MT VICTORY VLG")],
        &["32837 by name and legal word", "32837 by what lies around"],
    );
    assert_eq!(found.records[0].1.rings.len(), 1);
    // Jackson has not been found, so any other name may be that of Jackson.
    let unknown = "no subdivision of the county has that name";
    let village_of_none = County { places: &[], ..County { towns: county.towns, ..County::default() } };
    let found = village_of_none.towns(vec![hale(), hole("STATION 5")]);
    assert_eq!(found.outcomes[1].placement, Placement::Left(Why::NoSuchName));
    let found = village_of_none.towns(vec![hale(), hole("STATION 5"), jackson.clone()]);
    assert_eq!(found.outcomes[1].placement, Placement::Placed(cousub("3906532837"), How::Enclosed));
    // This village at the border of the county touches one town of its own county, so it lies in that town.
    let others = || {
        let sides = [block(0, 0, 1, 1), block(2, 0, 1, 1), block(1, -1, 1, 1)];
        named("39101", "ELSEWHERE TWP", sides.to_vec())
    };
    check(
        vec![hole("MT VICTORY VLG"), named("39065", "HALE TWP", vec![block(1, 1, 1, 1)]), others()],
        &["32837 by what lies around", "32837 by name and legal word", "the county has no towns"],
    );
    // At the edge of the data there may be another town.
    check(
        vec![named("39065", "STATION 5", vec![block(7, 0, 1, 1)]), jackson],
        &[unknown, "37814 by name and legal word"],
    );
}

#[test]
fn voting_districts_with_the_code_of_their_town_stand_before_precincts() {
    let numbered = |county: &str, number: &str| {
        let county = Geoid::parse(Layer::County, county).unwrap();
        let cousub = Geoid::parse(Layer::Cousub, &format!("26{}", &number[..8])).ok();
        let (rings, name) = (vec![block(0, 0, 1, 1)], number.to_owned());
        Precinct { county, name, district: true, numbered: true, cousub, rings }
    };
    let county = County {
        towns: &[
            ("2602500100", "Here", "township"),
            ("2609900200", "There", "charter township"),
            ("2602525935", "Emmett", "charter township"),
            ("2606900300", "Yonder", "township"),
        ],
        ..County::default()
    };
    let found = county.towns(vec![
        // An outline made from the addresses of voters has four times the area of the township.
        named("26099", "THERE TWP 1", vec![block(0, 0, 4, 1)]),
        numbered("26099", "09900200001"),
        numbered("26025", "02500100001"),
        numbered("26025", "02599999001"),
        numbered("26025", "02525950002"),
        // No district has the code of this town.
        named("26069", "YONDER TWP 1", vec![block(4, 0, 1, 1)]),
    ]);
    let placements: Vec<&Placement> = found.outcomes.iter().map(|outcome| &outcome.placement).collect();
    assert_eq!(
        placements,
        [
            &Placement::Placed(cousub("2609900200"), How::Code),
            &Placement::Placed(cousub("2602500100"), How::Code),
            &Placement::Left(Why::NoSuchCode),
            &Placement::Placed(cousub("2602525935"), How::Table),
            &Placement::Placed(cousub("2609900200"), How::NameAndType),
            &Placement::Placed(cousub("2606900300"), How::NameAndType),
        ]
    );
    assert!(squares(&found).iter().all(|(.., squares)| *squares == 1));
    assert_eq!(found.records[1].1.namelsad.as_deref(), Some("Emmett charter township"));
}

/// The squares that each town has, with the source of its outline.
fn squares(found: &Towns) -> Vec<(usize, String, i128)> {
    let one = ring::signed_area_doubled(&block(0, 0, 1, 1));
    let squares = |record: &Record| {
        let (rings, _) = clean(record.rings.clone()).unwrap();
        rings.iter().map(|ring| ring::signed_area_doubled(ring)).sum::<i128>() / one
    };
    let records = found.records.iter();
    records
        .map(|(source, record)| (*source, record.geoid.digits()[5..].to_owned(), squares(record)))
        .collect()
}

#[test]
fn a_village_whose_precincts_differ_has_the_polygon_of_its_place() {
    let county = County {
        towns: &[("5500900300", "Holland", "town"), ("5500975275", "Suamico", "village")],
        places: &[("5575275", "Suamico", "village", 0)],
        ..County::default()
    };
    let village = |rings: Vec<LonLat>| named("55009", "SUAMICO VLG", vec![rings]);
    let beside = || named("55009", "HOLLAND TOWN", vec![block(2, 0, 1, 1)]);
    let rounded = [at(0, 0), at(SIDE, 900), at(SIDE, SIDE), at(0, SIDE - 900), at(0, 0)].to_vec();
    for (precincts, source) in [
        // The precinct has twice the land of the village. The rest has no town.
        (vec![village(block(0, 0, 2, 1)), beside()], PLACES),
        (vec![village(block(5, 5, 1, 1)), beside()], PLACES),
        (vec![beside()], PLACES),
        // Two drawings of one line.
        (vec![village(rounded), beside()], 0),
        (vec![village(block(0, 0, 1, 1)), beside()], 0),
    ] {
        let found = squares(&county.towns(precincts));
        let sources: Vec<(usize, &str)> =
            found.iter().map(|(source, town, _)| (*source, town.as_str())).collect();
        assert_eq!(sources, [(0, "00300"), (source, "75275")]);
        assert!(found.iter().all(|(.., squares)| *squares <= 1));
    }
}

#[test]
fn a_city_in_two_counties_is_cut_along_their_line() {
    let [west, east] = [[block(0, 0, 2, 1)], [block(2, 0, 2, 1)]];
    let city = [block(1, 0, 2, 1)];
    let geoid = |layer, digits| Geoid::parse(layer, digits).unwrap();
    let subdivisions =
        [("5500900300", "Holland", "town"), ("5500931000", "Ripon", "city"), ("5501131000", "Ripon", "city")]
            .map(|row| listed(&row));
    let place = geoid(Layer::Place, "5531000");
    let county = |digits, rings| KnownCounty { geoid: geoid(Layer::County, digits), name: "Home", rings };
    let known = Known {
        places: vec![KnownPlace {
            geoid: place,
            name: "Ripon",
            word: Some("city"),
            rings: &city,
            source: PLACES,
        }],
        counties: vec![county("55009", &west), county("55011", &east)],
        listed: &subdivisions,
        ..Known::default()
    };
    let inputs = Inputs {
        precincts: vec![(0, named("55009", "HOLLAND TOWN", vec![block(0, 0, 1, 1)]))],
        codes: Vec::new(),
    };
    let found = towns(inputs, &known, &rules());
    let expected = [(0, "00300", 1), (PLACES, "31000", 1), (PLACES, "31000", 1)];
    let expected = expected.map(|(source, town, squares)| (source, town.to_owned(), squares));
    assert_eq!(squares(&found), expected);
}

#[test]
fn gaps_between_precincts_are_no_holes_and_enclaves_are() {
    let county = County {
        towns: &[("5500900300", "Holland", "town"), ("5500900275", "Suamico", "village")],
        ..County::default()
    };
    let town = || named("55009", "HOLLAND TOWN", vec![block(0, 0, 3, 3), block(1, 1, 1, 1)]);
    let rings = |found: &Towns| found.records.iter().map(|(_, record)| record.rings.len()).sum::<usize>();
    // One square is too large for a gap.
    assert_eq!(rings(&county.towns(vec![town()])), 2);
    let small = |name: &str| {
        let hole =
            vec![at(SIDE, SIDE), at(SIDE + 3_000, SIDE), at(SIDE + 3_000, SIDE + 9_000), at(SIDE, SIDE)];
        let outer = match name {
            "" => vec![],
            name => vec![named("55009", name, vec![hole.clone()])],
        };
        [vec![named("55009", "HOLLAND TOWN", vec![block(0, 0, 3, 3), hole])], outer].concat()
    };
    let gap = county.towns(small(""));
    assert_eq!(rings(&gap), 1);
    let enclave = county.towns(small("SUAMICO VLG"));
    assert_eq!(rings(&enclave), 3);
    // A hole whose precinct has no town stays a hole.
    assert_eq!(rings(&county.towns(small("ELSEWHERE"))), 2);
}

#[test]
fn parts_of_a_precinct_that_rows_name_go_to_their_towns() {
    let county = County {
        towns: &[("5503366550", "Red Cedar", "town"), ("5503368700", "Rock Creek", "town")],
        ..County::default()
    };
    let check = |rows: &[(&str, LonLat)], expected: &[&str]| {
        let mut rules = rules();
        let row = |(town, around): &(&str, LonLat)| PrecinctRow {
            county: Geoid::parse(Layer::County, "55033").unwrap(),
            written: "RED CEDAR".to_owned(),
            town: Some(cousub(town)),
            part: Part::Around(*around),
            why: "Its parts are two towns.".to_owned(),
        };
        let state = rules.states.get_mut(&55).unwrap();
        state.rows = rows.iter().map(row).collect();
        // A part with a hole, and another part.
        let rings = vec![block(0, 0, 3, 3), block(1, 1, 1, 1), block(5, 0, 1, 1)];
        let found = county.towns_by(vec![named("55033", "RED CEDAR TOWN", rings)], &rules);
        let shown = |outcome: &Outcome| match &outcome.placement {
            Placement::Placed(town, how) => format!("{} {how}", &town.digits()[5..]),
            Placement::Left(why) => why.to_string(),
        };
        assert_eq!(found.outcomes.iter().map(shown).collect::<Vec<_>>(), expected);
        found.records.iter().map(|(_, record)| record.rings.len()).collect::<Vec<_>>()
    };
    let (large, small, nowhere) = (at(10, 10), at(5 * SIDE + 10, 10), at(9 * SIDE, 10));
    let (cedar, creek) = ("5503366550", "5503368700");
    let both = check(&[(cedar, large), (creek, small)], &["66550 by table", "68700 by table"]);
    assert_eq!(both, [2, 1]);
    let one = check(&[(creek, small)], &["68700 by table", "66550 by name and legal word"]);
    assert_eq!(one, [2, 1]);
    check(&[(creek, nowhere)], &["66550 by name and legal word"]);
}
