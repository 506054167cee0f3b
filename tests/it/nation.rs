//! Tests the built-in snapshot: real points, every border, published figures.

use fastrand::Rng;
use platbook::{
    answers::{Found, Request},
    directory::{Directory, Lookup, Resolution, Row},
    geometry::LonLat,
    reference::{RandomPoints, cross_check},
    snapshot::Snapshot,
    vocabulary::{Layer, StateCode},
};
use platbook_service::edition::Edition;

use crate::sweep::steps;

fn nation() -> Directory {
    platbook_service::embedded().expect("the default snapshot is built in")
}

/// Points of known places, written from maps and gazetteers: latitude, longitude, county, subdivision, place.
const POINTS: &[(f64, f64, &str, &str, &str)] = &[
    // Minneapolis, Chicago, Los Angeles, Houston, Phoenix, Philadelphia city halls
    (44.9773, -93.2655, "27053", "2705343000", "2743000"),
    (41.8839, -87.6319, "17031", "1703114000", "1714000"),
    (34.0537, -118.2428, "06037", "-", "0644000"),
    (29.7601, -95.3694, "48201", "-", "4835000"),
    (33.4486, -112.0773, "04013", "-", "0455000"),
    (39.9524, -75.1636, "42101", "4210160000", "4260000"),
    // New York City: Manhattan, Bronx, Brooklyn, Queens, Staten Island
    (40.7128, -74.0060, "36061", "3606144919", "3651000"),
    (40.8262, -73.9227, "36005", "3600508510", "3651000"),
    (40.6925, -73.9909, "36047", "3604710022", "3651000"),
    (40.7135, -73.8283, "36081", "3608160323", "3651000"),
    (40.6422, -74.0762, "36085", "3608570915", "3651000"),
    // New England: town, city, gore, unorganized territory, plantation
    (44.2601, -72.5754, "50023", "5002346000", "5046000"),
    (41.7658, -72.6734, "09110", "0911037070", "0937000"),
    (42.3601, -71.0589, "25025", "2502507000", "2507000"),
    (41.8240, -71.4128, "44007", "4400759000", "4459000"),
    (43.2067, -71.5381, "33013", "3301314200", "3314200"),
    (45.9044, -68.9213, "23021", "-", "-"),
    (41.2835, -70.0995, "25019", "2501943790", "-"),
    // Independent cities, and the county around one
    (39.2908, -76.6107, "24510", "-", "2404000"),
    (39.4015, -76.6019, "24005", "-", "-"),
    (38.6273, -90.1979, "29510", "-", "2965000"),
    (37.5407, -77.4360, "51760", "-", "5167000"),
    (39.1638, -119.7674, "32510", "-", "3209700"),
    // Consolidated governments
    (37.7793, -122.4193, "06075", "-", "0667000"),
    (39.7392, -104.9903, "08031", "-", "0820000"),
    (36.1627, -86.7816, "47037", "-", "4752006"),
    (39.7684, -86.1581, "18097", "-", "1836003"),
    (38.0406, -84.5037, "21067", "-", "2146027"),
    (30.3322, -81.6557, "12031", "-", "1235000"),
    (29.9511, -90.0715, "22071", "-", "2255000"),
    // Townships and open country
    (43.6220, -95.7000, "27105", "2710515850", "-"),
    (44.4605, -110.8281, "56039", "-", "-"),
    (31.0000, -103.0000, "48371", "-", "-"),
    // Alaska: a borough, the two parts of a divided census area, and the Aleutians on both sides of 180 degrees
    (61.2181, -149.9003, "02020", "-", "0203000"),
    (61.1309, -146.3483, "02063", "-", "0282200"),
    (62.1067, -145.5553, "02066", "-", "-"),
    (51.8800, -176.6000, "02016", "-", "0200065"),
    (52.9000, 173.2000, "02016", "-", "-"),
    // Renamed county, Hawaii, District of Columbia
    (43.3400, -102.5600, "46102", "-", "-"),
    (21.3069, -157.8583, "15003", "-", "-"),
    (20.7984, -156.3319, "15009", "-", "-"),
    (38.9072, -77.0369, "11001", "-", "1150000"),
    // Islands of the Great Lakes, a pier, a border river
    (45.6200, -85.5300, "26029", "2602963140", "-"),
    (37.7955, -122.3937, "06075", "-", "0667000"),
    (42.3314, -83.0458, "26163", "2616322000", "2622000"),
    // Island areas
    (18.4500, -66.0700, "72127", "-", "-"),
    (13.4757, 144.7489, "66010", "-", "-"),
    (18.3419, -64.9307, "78030", "-", "7816300"),
    (-14.2783, -170.7025, "60010", "-", "6062500"),
    (15.1869, 145.7544, "69110", "-", "6918020"),
];

#[test]
fn known_points_find_their_governments() {
    let nation = nation();
    let mut wrong = Vec::new();
    for (lat, lon, county, cousub, place) in POINTS {
        let digits = |row: Option<Row>| {
            let id = row.map(|row| nation.jurisdiction(row).id.to_string());
            id.map_or("-".to_owned(), |id| {
                id.split_once(':').map_or(String::new(), |(_, digits)| digits.to_owned())
            })
        };
        let found = match nation.resolve(LonLat::from_lat_lon(*lat, *lon).unwrap()) {
            Resolution::Outside => ["outside".to_owned(), String::new(), String::new()],
            Resolution::Inside(chain) => {
                [digits(Some(chain.county)), digits(chain.cousub), digits(chain.place)]
            }
        };
        if found != [*county, *cousub, *place] {
            wrong.push(format!("{lat},{lon}: expected {county} {cousub} {place}, got {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Answers share cached text. They have the same bytes as answers that are written as a whole, and a service with an
/// empty cache gives the same tags. Some caveats add a source: those of a young city, a city in several counties and a
/// military base. The chains of such answers are those of answers without the caveat.
#[test]
fn sharing_changes_neither_bytes_nor_tags() {
    let [first, second] = [nation(), nation()].map(|nation| Edition::new(nation, "https://platbook.example"));
    let (fort_sill, lawton) = ((34.66, -98.40), (34.6036, -98.3959));
    let named =
        [("San Joaquin County", "CA"), ("Mountain House", "CA"), ("Brooklyn", "NY"), ("New York city", "NY")];
    let points =
        POINTS.iter().map(|(lat, lon, ..)| (*lat, *lon)).chain([fort_sill, lawton, (40.6501, -73.9496)]);
    let points = points.map(|(lat, lon)| LonLat::from_lat_lon(lat, lon).unwrap());
    let names = named.map(|(place, state)| Request::named(place, state.parse().unwrap()));
    for request in points.map(|point| Request::Resolve { point }).chain(names) {
        let encoded = |edition: &Edition| {
            let answer = edition.answers().finish(&request, Found::default()).unwrap();
            edition.encode(&answer)
        };
        let whole = first.encode_whole(&first.answers().finish(&request, Found::default()).unwrap());
        let plain = whole.fill("an-id-of-a-request").into_contiguous();
        for _ in 0..2 {
            assert_eq!(encoded(&first).fill("an-id-of-a-request").into_contiguous(), plain, "{request:?}");
        }
        assert_eq!(encoded(&first).hash(), encoded(&second).hash(), "{request:?}");
    }
}

#[test]
fn what_is_not_covered_is_outside() {
    let nation = nation();
    for (lat, lon) in [
        (0.0, 0.0),
        (90.0, 0.0),
        (-90.0, 180.0),
        (0.0, -180.0),
        (43.6532, -79.3832),  // Toronto
        (31.7000, -106.4800), // Ciudad Juárez
        (35.0000, -140.0000), // the Pacific
        (43.7500, -78.6000),  // Lake Ontario, beyond the middle
        (25.0000, -90.0000),  // the Gulf
    ] {
        let point = LonLat::from_lat_lon(lat, lon).unwrap();
        assert_eq!(nation.resolve(point), Resolution::Outside, "{lat},{lon}");
    }
}

/// An inexact rule would show at border vertices: such a point would belong to two counties, or to none.
#[test]
fn each_border_vertex_lies_in_exactly_one_county() {
    let nation = nation();
    let mut points = RandomPoints::new(nation.snapshot(), 7);
    let areas = nation.snapshot().areas();
    for _ in 0..steps(150_000) {
        let vertex = points.near_a_vertex(0);
        let Resolution::Inside(chain) = nation.resolve(vertex) else {
            // Water of a full-resolution place may extend farther than any county.
            let is_county = |area: &u32| areas.area(*area).and_then(|row| row.layer()) != Some(Layer::Place);
            assert!(
                !nation.covering_areas(vertex).iter().any(is_county),
                "{vertex} has an area but no county"
            );
            continue;
        };
        let base = |area: &u32| {
            areas.area(*area).is_some_and(|row| row.layer() == Some(Layer::County) && row.source == 1)
        };
        let counties = nation.covering_areas(vertex).into_iter().filter(base).count();
        assert!(counties <= 1, "{vertex} lies in {counties} counties of one source");
        let id = |row: Row| nation.jurisdiction(row).id.to_string();
        assert_eq!(id(chain.county)[7..9], id(chain.state)[6..8], "{vertex}");
        if let Some(cousub) = chain.cousub {
            assert_eq!(id(cousub)[7..12], id(chain.county)[7..12], "{vertex}");
        }
        if let Some(place) = chain.place {
            assert_eq!(id(place)[6..8], id(chain.state)[6..8], "{vertex}");
        }
    }
}

/// A file of points reports the same doubts as an answer.
#[test]
fn a_point_is_uncertain_where_a_line_leaves_a_doubt() {
    let nation = nation();
    let mut points = RandomPoints::new(nation.snapshot(), 11);
    let mut uncertain = 0;
    let steps = steps(20_000);
    for _ in 0..steps {
        let point = points.near_a_vertex(40_000);
        let Resolution::Inside(chain) = nation.resolve(point) else { continue };
        let lines = nation.borders(point, &chain);
        let doubt = [lines.county, lines.place].into_iter().flatten().any(|line| line.is_doubtful());
        assert_eq!(nation.is_uncertain(point, &chain), doubt, "{point}");
        uncertain += usize::from(doubt);
    }
    assert!(
        (steps / 10..steps / 10 * 9).contains(&uncertain),
        "points on both sides of the question: {uncertain}"
    );
}

#[test]
fn trie_and_reference_engine_agree() {
    let steps = steps(60_000);
    let check = cross_check(&nation(), steps as u64, 11, || {});
    assert_eq!(check.difference_count, 0, "{:?}", check.differences);
    assert!(check.covered > steps as u64 / 3 * 2, "{check:?}");
}

#[test]
fn every_state_county_and_place_with_polygons_is_reached_from_its_own_point() {
    let nation = nation();
    // A few small areas lose their own point, because lines are simplified or a neighbor has finer lines. Towns
    // assembled from precincts lose it more often.
    for (layer, least, missed_permille_max) in [
        (Layer::State, 55, 0),
        (Layer::County, 3_200, 1),
        (Layer::Cousub, 16_000, 7),
        (Layer::Place, 19_000, 2),
    ] {
        let asked = nation.rows_of(layer).filter_map(|row| {
            let view = nation.jurisdiction(row);
            Some((row, view.point.filter(|_| view.has_boundary)?))
        });
        let asked: Vec<(Row, LonLat)> = asked.collect();
        assert!(asked.len() >= least, "{layer:?}: {}", asked.len());
        let reached = |row: Row, point: LonLat| match nation.resolve(point) {
            Resolution::Outside => false,
            Resolution::Inside(chain) => chain.rows().any(|other| other == row),
        };
        let missed = asked.iter().filter(|(row, point)| !reached(*row, *point));
        let missed: Vec<String> = missed.map(|(row, _)| nation.jurisdiction(*row).id.to_string()).collect();
        assert!(missed.len() * 1000 <= asked.len() * missed_permille_max, "{layer:?}: {missed:?}");
    }
}

#[test]
fn counts_are_those_of_the_sources() {
    let nation = nation();
    let of = |layer: Layer| nation.snapshot().jurisdictions().rows_of(layer).len();
    assert_eq!(of(Layer::State), StateCode::all().count());
    assert!(of(Layer::County) >= 3_233, "{}", of(Layer::County));
    assert!(of(Layer::Cousub) > 17_000, "{}", of(Layer::Cousub));
    assert!(of(Layer::Place) > 19_000, "{}", of(Layer::Place));
}

#[test]
fn retired_ids_name_their_successors() {
    let nation = nation();
    for (old, expected) in [
        ("county:02261", &["county:02063", "county:02066"][..]),
        ("county:46113", &["county:46102"]),
        ("county:51515", &["county:51019"]),
        ("county:09003", &["county:09110", "county:09140", "county:09160"]),
        ("cousub:0900337070", &["cousub:0911037070"]),
    ] {
        let Lookup::Replaced(rows) = nation.lookup(&old.parse().unwrap()) else {
            panic!("{old} should be replaced")
        };
        let ids: Vec<String> = rows.iter().map(|row| nation.jurisdiction(*row).id.to_string()).collect();
        assert_eq!(ids, expected, "{old}");
    }
}

/// Damage to any byte of the file is noticed before its content is used. Each test of a byte reads all 60 MB, so only a
/// few bytes are tried. `every_truncation_and_every_changed_byte_is_refused` changes each byte of a small world.
#[test]
fn damage_anywhere_is_refused() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/default.platbook");
    let mut file = std::fs::read(path).unwrap();
    let mut rng = Rng::with_seed(0);
    for _ in 0..200 {
        let (at, mask) = (rng.usize(..file.len()), rng.u8(1..));
        file[at] ^= mask;
        assert!(Snapshot::check(&file).is_err(), "byte {at}, mask {mask}");
        file[at] ^= mask;
    }
}
