//! Compiles a small invented world, and resolves points in it: slivers, gaps, fillers, linked cities, retired
//! counties. Further tests damage its file, and follow cursors across two snapshots.
//!
//! Two states are on a grid with steps of 0.001 degree (111 m north, less east). In Minnesota (27) subdivisions tile
//! the land; Wisconsin (55) has none; Alaska (2) has a retired county with two coarse successors.

use std::path::Path;

use platbook::{
    answers::{Answers, Data, Paging, Refusal, Request},
    directory::{Directory, Lookup, Quality, Resolution, Row},
    geometry::{LonLat, point_inside},
    snapshot::{
        Snapshot,
        write::{
            CoverageRow, Meta, NewJurisdiction, NewResource, PageSections, Records, Section, SourceRecord,
            write_container,
        },
    },
    vocabulary::{
        ActionSet, FuncStat, Geoid, JurisdictionId, PageUse, PerState, ProblemKind, RecordId, SourceKind,
        Topic, VerifiedStatus,
    },
};
use platbook_pipeline::{
    boundaries::{
        compile::{Area, AreaKind, Inputs},
        same_as::SameAs,
        shore::Shores,
    },
    build::Ruled,
    curated::Tables,
    input::manifest::Manifest,
};

const STEP: i32 = 10_000;
const WEST: i32 = -930_000_000;
const SOUTH: i32 = 450_000_000;

fn at(x: f64, y: f64) -> LonLat {
    let place = |origin: i32, steps: f64| origin + (steps * f64::from(STEP)) as i32;
    LonLat::from_units(place(SOUTH, y), place(WEST, x))
}

fn geoid(id: &str) -> Geoid {
    match id.parse() {
        Ok(JurisdictionId::Census(geoid)) => geoid,
        other => panic!("{id}: {other:?}"),
    }
}

/// A closed ring through corners in steps.
fn ring(corners: &[(i32, i32)]) -> Vec<LonLat> {
    let mut ring: Vec<LonLat> = corners.iter().map(|(x, y)| at(f64::from(*x), f64::from(*y))).collect();
    ring.push(ring[0]);
    ring
}

fn rectangle(x: (i32, i32), y: (i32, i32)) -> Vec<LonLat> {
    ring(&[(x.0, y.0), (x.1, y.0), (x.1, y.1), (x.0, y.1)])
}

struct Source {
    number: u16,
    scale: u32,
}

const COUNTIES: Source = Source { number: 0, scale: 500_000 };
const TOWNS: Source = Source { number: 1, scale: 100_000 };
const PLACES: Source = Source { number: 2, scale: 100_000 };
const COARSE: Source = Source { number: 3, scale: 20_000_000 };

fn area(id: &str, source: &Source, rings: Vec<Vec<LonLat>>) -> Area {
    Area {
        geoid: geoid(id),
        kind: AreaKind::Jurisdiction,
        rings,
        series: usize::from(source.number),
        source: source.number,
        scale: source.scale,
        supplement: false,
        settled_m: 0.0,
        elsewhere_m: 0.0,
        link: 0,
    }
}

fn areas() -> Vec<Area> {
    let city = rectangle((40, 60), (60, 80));
    let mut areas = vec![
        area("county:27001", &COUNTIES, vec![rectangle((0, 100), (0, 100))]),
        area("county:27003", &COUNTIES, vec![rectangle((100, 200), (0, 100))]),
        area("county:55001", &COUNTIES, vec![rectangle((200, 300), (0, 100))]),
        // The town's line crosses the county's: 100 m too far east in its southern part.
        area(
            "cousub:2700100001",
            &TOWNS,
            vec![ring(&[(0, 0), (101, 0), (101, 20), (100, 20), (100, 50), (0, 50)])],
        ),
        area("cousub:2700100002", &TOWNS, vec![rectangle((0, 100), (50, 100)), city.clone()]),
        area("cousub:2700111111", &TOWNS, vec![city]),
        area(
            "cousub:2700399999",
            &TOWNS,
            vec![ring(&[(101, 0), (150, 0), (150, 100), (100, 100), (100, 50), (100, 20), (101, 20)])],
        ),
        // The town's line ends one step short of the state line in the south, and one step beyond it in the north.
        area(
            "cousub:2700300003",
            &TOWNS,
            vec![ring(&[(150, 0), (199, 0), (199, 50), (201, 50), (201, 100), (150, 100)])],
        ),
        area("place:2711111", &PLACES, vec![rectangle((41, 61), (60, 80))]),
        area("place:5500001", &PLACES, vec![rectangle((199, 220), (10, 20))]),
        area("county:02261", &COUNTIES, vec![rectangle((1000, 1100), (0, 100))]),
        area("county:02063", &COARSE, vec![rectangle((995, 1050), (0, 100))]),
        area("county:02066", &COARSE, vec![rectangle((1050, 1090), (0, 100))]),
    ];
    for area in &mut areas {
        area.supplement = area.source == COARSE.number;
        if area.geoid.fp5() == Some(11111) {
            area.link = 11111;
        }
        match area.geoid.to_string().as_str() {
            "county:02261" => area.kind = AreaKind::Retired,
            "cousub:2700399999" => area.kind = AreaKind::Filler,
            _ => {}
        }
    }
    areas
}

fn jurisdiction(id: JurisdictionId, rings: &[Vec<LonLat>]) -> NewJurisdiction {
    NewJurisdiction {
        name: id.to_string(),
        id,
        legal_type: None,
        ocd_id: None,
        same_as: Vec::new(),
        population: 0,
        point: point_inside(rings),
        bbox: None,
        source: 0,
        vintage: 2020,
        func_stat: FuncStat::Active,
        area_off_percent: 0,
    }
}

fn inputs() -> Inputs {
    let areas = areas();
    let legal = areas.iter().filter(|area| area.kind == AreaKind::Jurisdiction);
    let mut jurisdictions = vec![jurisdiction(JurisdictionId::Country, &[])];
    jurisdictions.extend(legal.map(|area| jurisdiction(JurisdictionId::Census(area.geoid), &area.rings)));
    jurisdictions.extend(
        ["state:02", "state:27", "state:55"].map(|id| jurisdiction(JurisdictionId::Census(geoid(id)), &[])),
    );
    let source = |name: &str| SourceRecord {
        name: name.to_owned(),
        url: "https://example.gov/".to_owned(),
        publisher: "Example".to_owned(),
        official: true,
        retrieved_at: "2026-01-01".to_owned(),
        license_class: 0,
        vintage: 2020,
        scale: 1,
        digest: String::new(),
        simplified_m: 0,
    };
    let tiled_state =
        CoverageRow { layer: 2, state: 27, coverage: 2, source: 1, with_boundary: 4, named_only: 0 };
    let meta = Meta {
        as_of: "2026-01-01T00:00:00Z".to_owned(),
        sources: ["counties", "towns", "places", "coarse"].map(source).into(),
        coverage: vec![tiled_state],
        ..Meta::default()
    };
    let successors = ["county:02063", "county:02066"].map(|id| JurisdictionId::Census(geoid(id)));
    let tiled = PerState::from_fn(|fips| fips == 27);
    Inputs {
        meta,
        jurisdictions,
        replaced: vec![(geoid("county:02261"), successors.into())],
        areas,
        tiled,
        internal_points: Vec::new(),
        tribal: Vec::new(),
        installations: Vec::new(),
        shores: Shores::default(),
        simplify_m: 0,
    }
}

/// Makes the world of these inputs, without rules.
fn ruled(inputs: Inputs) -> Ruled {
    let manifest = Manifest::parse(Path::new("m.toml"), "released = \"2026-01-01\"\nsource = []").unwrap();
    Ruled::compile(&manifest, &Tables::default(), inputs, &|_| {}).unwrap()
}

fn world() -> Directory {
    ruled(inputs()).directory
}

fn file() -> Vec<u8> {
    world().snapshot().bytes().to_vec()
}

/// County, subdivision and place of a point, "-" for none, and whether the point was plainly inside.
fn check(world: &Directory, x: f64, y: f64, expected: &str) {
    let id = |row: Option<Row>| row.map_or("-".to_owned(), |row| world.jurisdiction(row).id.to_string());
    let found = match world.resolve(at(x, y)) {
        Resolution::Outside => "outside".to_owned(),
        Resolution::Inside(chain) => {
            let quality = match chain.quality {
                Quality::Inside => "inside",
                Quality::Sliver => "sliver",
                Quality::Water => "water",
                Quality::Nearest { .. } => "nearest",
            };
            assert_eq!(
                id(Some(chain.state)),
                geoid(&id(Some(chain.county))).state().to_string(),
                "at {x},{y}"
            );
            format!("{} {} {} {quality}", id(Some(chain.county)), id(chain.cousub), id(chain.place))
        }
    };
    assert_eq!(found, expected, "at {x},{y}");
}

#[test]
fn points_find_their_chain() {
    let world = world();
    for (x, y, expected) in [
        (50.0, 25.0, "county:27001 cousub:2700100001 - inside"),
        (50.0, 70.0, "county:27001 cousub:2700111111 place:2711111 inside"),
        (250.0, 50.0, "county:55001 - - inside"),
        (210.0, 15.0, "county:55001 - place:5500001 inside"),
        // A filler: a county without a town.
        (120.0, 50.0, "county:27003 - - inside"),
        (400.0, 50.0, "outside"),
        (50.0, -10.0, "outside"),
    ] {
        check(&world, x, y, expected);
    }
}

#[test]
fn slivers_are_settled_by_the_finest_line() {
    let world = world();
    for (x, y, expected) in [
        // The town's finer line decides, and its county follows.
        (100.5, 10.0, "county:27001 cousub:2700100001 - sliver"),
        // Beyond the state line of the county layer, but inside the finer town.
        (200.5, 75.0, "county:27003 cousub:2700300003 - sliver"),
        // A gap between town and state line: the nearest town of the county fills it.
        (199.5, 40.0, "county:27003 cousub:2700300003 - sliver"),
        // A finer place of the other state decides: the nearest county there answers.
        (199.5, 15.0, "county:55001 - place:5500001 sliver"),
        // On the city line, place and city part are equally fine, so the place's line counts.
        (40.5, 70.0, "county:27001 cousub:2700100002 - sliver"),
        (60.5, 70.0, "county:27001 cousub:2700111111 place:2711111 sliver"),
    ] {
        check(&world, x, y, expected);
    }
}

#[test]
fn just_outside_the_mapped_shore_the_nearest_county_answers() {
    let world = world();
    check(&world, 250.0, -1.0, "county:55001 - - nearest");
    check(&world, 50.0, -1.0, "county:27001 cousub:2700100001 - nearest");
    // A line of 1:500,000 may be off by 254 m, so 333 m is outside.
    check(&world, 250.0, -3.0, "outside");
}

#[test]
fn a_retired_county_gives_way_to_its_successors() {
    let world = world();
    for (x, expected) in [
        (1020.0, "county:02063 - - inside"),
        (1070.0, "county:02066 - - inside"),
        // Only the retired county's finer outline reaches here: the nearest successor answers.
        (1095.0, "county:02066 - - sliver"),
    ] {
        check(&world, x, 50.0, expected);
    }
    let Lookup::Replaced(rows) = world.lookup(&"county:02261".parse().unwrap()) else {
        panic!("expected successors")
    };
    let ids: Vec<String> = rows.iter().map(|row| world.jurisdiction(*row).id.to_string()).collect();
    assert_eq!(ids, ["county:02063", "county:02066"]);
    assert_eq!(world.lookup(&"county:27005".parse().unwrap()), Lookup::Unknown);
}

#[test]
fn borders_name_the_other_side() {
    let world = world();
    let borders = |x: f64, y: f64| {
        let Resolution::Inside(chain) = world.resolve(at(x, y)) else { panic!("{x},{y} is outside") };
        world.borders(at(x, y), &chain)
    };
    let name = |row: Option<Row>| row.map(|row| world.jurisdiction(row).id.to_string());
    let line = borders(98.0, 40.0).county.unwrap();
    assert_eq!((name(line.neighbor).as_deref(), line.scale.denominator), (Some("county:27003"), 100_000));
    assert!((line.distance_m - 157.0).abs() < 2.0, "{line:?}");
    // In Wisconsin, which has no towns, the county layer's own line counts.
    assert_eq!(borders(299.0, 50.0).county.unwrap().scale.denominator, 500_000);
    let place = borders(50.0, 58.0).place.unwrap();
    assert_eq!(name(place.neighbor).as_deref(), Some("place:2711111"));
    assert_eq!(borders(250.0, 50.0).place, None);
}

#[test]
fn every_point_inside_an_area_leads_to_it() {
    let world = world();
    for area in
        areas().iter().filter(|area| area.kind == AreaKind::Jurisdiction && area.source != COARSE.number)
    {
        let point = point_inside(&area.rings).unwrap();
        let Resolution::Inside(chain) = world.resolve(point) else { panic!("{} at {point}", area.geoid) };
        let rows = [Some(chain.county), chain.cousub, chain.place];
        let ids = rows.into_iter().flatten().map(|row| world.jurisdiction(row).id.to_string());
        assert!(ids.into_iter().any(|id| id == area.geoid.to_string()), "{} at {point}", area.geoid);
    }
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    assert!(file() == file());
}

#[test]
fn every_truncation_and_every_changed_byte_is_refused() {
    let file = file();
    for length in 0..file.len() {
        assert!(Snapshot::check(&file[..length]).is_err(), "{length}");
    }
    let threads = 2;
    std::thread::scope(|scope| {
        for first in 0..threads {
            let mut damaged = file.clone();
            scope.spawn(move || {
                for at in (first..damaged.len()).step_by(threads) {
                    let mask = 1 << (at % 8);
                    damaged[at] ^= mask;
                    assert!(Snapshot::check(&damaged).is_err(), "byte {at}");
                    damaged[at] ^= mask;
                }
            });
        }
    });
}

/// The sections of a file, read by the file's section table.
fn sections(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| file[at + byte])) as usize;
    let count = file[12] as usize;
    let row = |at: usize| 32 + 40 * at;
    let name =
        |at: usize| String::from_utf8_lossy(&file[row(at)..row(at) + 16]).trim_end_matches('\0').to_owned();
    (0..count).map(|at| (name(at), file[number(row(at) + 16)..][..number(row(at) + 24)].to_vec())).collect()
}

/// A wrong file with right checksums may be rejected or give wrong answers, but it must not cause a panic.
#[test]
fn wrong_contents_under_right_checksums_do_not_panic() {
    let whole = sections(&file());
    let mut random = 1u64;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let mut opened = 0;
    for _ in 0..1_500 {
        let mut changed = whole.clone();
        let section = next(changed.len());
        // The ends of sections hold their roots: half of the changes go there.
        let bytes = &mut changed[section].1;
        let from = if next(2) == 0 { bytes.len().saturating_sub(400) } else { 0 };
        for _ in 0..=next(4) {
            let at = from + next(bytes.len() - from);
            bytes[at] ^= 1 << next(8);
        }
        let parts: Vec<Section<'_>> = changed.iter().map(|(name, bytes)| Section { name, bytes }).collect();
        let Ok(snapshot) = Snapshot::copy(&write_container(&parts)) else { continue };
        opened += 1;
        let world = Directory::new(snapshot);
        for (x, y) in [(50.0, 70.0), (100.5, 10.0), (199.5, 15.0), (1020.0, 50.0), (250.0, -1.0)] {
            if let Resolution::Inside(chain) = world.resolve(at(x, y)) {
                world.borders(at(x, y), &chain);
                world.jurisdiction(chain.county);
            }
        }
    }
    assert!(opened > 100, "{opened} of 1,500 could be opened");
}

#[test]
fn ids_are_paired_by_code() {
    let known = ["place:2711111", "cousub:2700111111"].map(geoid).into();
    assert_eq!(SameAs::of(&[], &known).links.len(), 2);
}

/// The world with this date, and with five resources of one county.
fn answers_as_of(as_of: &str) -> Answers {
    let Lookup::Found(county) = world().lookup(&JurisdictionId::Census(geoid("county:27001"))) else {
        panic!("the county is in the world");
    };
    let resource = |number: u8| NewResource {
        id: RecordId([number; 10]),
        jurisdiction: county.number(),
        topics: [Topic::Zoning].into_iter().collect(),
        name: format!("Page {number}"),
        description: String::new(),
        url: format!("https://example.gov/{number}"),
        template: String::new(),
        publisher: String::new(),
        provider: String::new(),
        source: 0,
        official: true,
        status: VerifiedStatus::NotYetVerified,
        kind: SourceKind::Curated,
        page_use: PageUse::Act,
        actions: ActionSet::default(),
    };
    let mut resources: Vec<NewResource> = (0..5).map(resource).collect();
    let records = Records::pack(Vec::new(), &mut resources, Vec::new()).unwrap();
    let pages = PageSections { records, ..PageSections::default() };
    let mut inputs = inputs();
    as_of.clone_into(&mut inputs.meta.as_of);
    Answers::new(Directory::new(ruled(inputs).sections.with(&pages).unwrap()))
}

/// The names of a page of the county's resources, and the cursor of the next page.
fn page(answers: &Answers, cursor: Option<&str>) -> Result<(Vec<String>, Option<String>), Refusal> {
    let paging = Paging { limit: 2, cursor: cursor.map(str::to_owned) };
    let request = Request::Place { id: JurisdictionId::Census(geoid("county:27001")), paging };
    match answers.finish(&request, Default::default())?.data {
        Data::Place(place) => {
            let names = place.resources.iter().map(|resource| resource.name.to_owned());
            Ok((names.collect(), place.next_cursor))
        }
        other => panic!("expected a place, got {other:?}"),
    }
}

#[test]
fn a_cursor_of_another_snapshot_says_so() {
    let [old, same, new] = ["2026-01-01", "2026-01-01", "2026-02-01"].map(answers_as_of);
    let (first, cursor) = page(&old, None).unwrap();
    assert_eq!((first.len(), page(&new, None).unwrap().0), (2, first.clone()));
    let (mut all, mut next) = (first, cursor.clone());
    while let Some(cursor) = next {
        // The same inputs make the same snapshot, so a restart in the middle changes nothing.
        let (names, following) = page(&same, Some(&cursor)).unwrap();
        assert_eq!(page(&old, Some(&cursor)).unwrap().0, names);
        all.extend(names);
        let refusal = page(&new, Some(&cursor)).unwrap_err();
        assert_eq!(refusal.kind, ProblemKind::BadCursor);
        assert!(refusal.detail.contains("older snapshot"), "{}", refusal.detail);
        next = following;
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 5);
}
