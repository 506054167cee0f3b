//! Checks that the invented snapshot matches the map in the module comment, and that the library answers questions
//! about it.

use std::sync::Arc;

use super::*;
use crate::{
    answers::{Answers, Data, Found, Request},
    columns::{Cell, ChainCells, Column, Location, Outcome, PointCells, Table},
    directory::{Lookup, Quality, Resolution, Row},
    words::{English, Words as _},
};

/// Returns the names of the chain at a point of the grid, and the quality of the answer.
fn chain_at(directory: &Directory, x: f64, y: f64) -> String {
    match directory.resolve(point(x, y)) {
        Resolution::Outside => "outside".to_owned(),
        Resolution::Inside(chain) => {
            let names: Vec<&str> = chain.rows().map(|row| directory.name_of(row)).collect();
            let quality = format!("{:?}", chain.quality);
            format!("{} ({})", names.join(", "), quality.split([' ', '{']).next().unwrap_or_default())
        }
    }
}

#[test]
fn the_world_is_as_its_picture_says() {
    let directory = directory();
    for (x, y, expected) in [
        (5.0, 2.5, "Minnesota, Adams County, Elm town (Inside)"),
        (5.0, 7.5, "Minnesota, Adams County, Oak town (Inside)"),
        (9.5, 4.5, "Minnesota, Adams County, Elm town, Rivertown (Inside)"),
        (11.5, 4.5, "Minnesota, Baker County, Pine town, Rivertown (Inside)"),
        // A point exactly on the county line belongs to the county in the east.
        (10.0, 1.0, "Minnesota, Baker County, Pine town (Inside)"),
        (25.0, 5.5, "Wisconsin, Clark County (Inside)"),
        // In the overlap, the finer line decides.
        (19.5, 2.5, "Minnesota, Baker County, Pine town (Sliver)"),
        // In the gap: a point within the uncertainty of Minnesota's lines, and a point in the middle, which is in no
        // state.
        (20.00003, 7.5, "Minnesota, Baker County, Pine town (Nearest)"),
        (20.5, 7.5, "outside"),
        // The uncertainty of Wisconsin's line is 254 m.
        (20.9, 7.5, "Wisconsin, Clark County (Nearest)"),
        (-1.0, 5.0, "outside"),
        // In the lake: first more than 100 m from the shore, then nearer to it.
        (2.0, 1.5, "Minnesota, Adams County, Elm town (Water)"),
        (2.0, 1.05, "Minnesota, Adams County, Elm town (Inside)"),
        (2.0, 0.5, "Minnesota, Adams County, Elm town (Inside)"),
        // In Port: on land, in the strip of the shore's uncertainty, and at sea.
        (29.5, 7.0, "Wisconsin, Clark County, Port (Inside)"),
        (30.2, 7.0, "Wisconsin, Clark County, Port (Sliver)"),
        (31.0, 7.0, "Wisconsin, Clark County, Port (Water)"),
    ] {
        assert_eq!(chain_at(&directory, x, y), expected, "at {x}, {y}");
    }
}

/// The invented snapshot lists no overlaps, so the trie's path identifies the areas. They must be those of the
/// polygons.
#[test]
fn areas_without_a_listed_code_are_those_of_the_polygons() {
    let directory = directory();
    let boundaries = directory.snapshot().boundaries();
    for (x, y) in (-4..124).flat_map(|x| (-4..44).map(move |y| (f64::from(x) / 4.0, f64::from(y) / 4.0))) {
        let at = point(x, y);
        let by_polygon: Vec<u32> =
            (0..boundaries.area_count() as u32).filter(|area| boundaries.contains(*area, at)).collect();
        let mut found = directory.covering_areas(at);
        found.sort_unstable();
        assert_eq!(found, by_polygon, "at {x}, {y}");
    }
}

#[test]
fn near_lines_have_their_distance_and_other_side() {
    let directory = directory();
    let at = point(9.9, 4.5);
    let Resolution::Inside(chain) = directory.resolve(at) else { panic!("the point is in the world") };
    let borders = directory.borders(at, &chain);
    let (county, place) = (borders.county.unwrap(), borders.place.unwrap());
    let name = |row: Option<Row>| row.map(|row| directory.name_of(row));
    assert_eq!(name(county.neighbor), Some("Baker County"));
    // A tenth of a cell: 0.001 degree of longitude at 45.045 degrees north.
    assert!((county.distance_m - 78.6).abs() < 0.1, "{county:?}");
    assert!((place.distance_m - 1_493.0).abs() < 1.0, "{place:?}");
    assert_eq!(place.neighbor, None);
    assert!(directory.reaches_beyond(chain.place.unwrap(), chain.county));
}

#[test]
fn rows_of_a_table_say_what_single_points_say() {
    let columns =
        Column::chosen(Some(&["county_id", "cousub_id", "place_id", "nearest_m", "tribal_land"]), None)
            .unwrap();
    let table = Arc::new(Table::new(Arc::new(Answers::new(directory())), columns));
    let directory = table.directory();
    let places: Vec<LonLat> = (-8..128)
        .flat_map(|x| (-4..44).map(move |y| point(f64::from(x) / 4.0, f64::from(y) / 4.0)))
        .collect();
    let (mut resolver, mut chains) = (table.resolver(), Vec::new());
    let text = |cells: &ChainCells<'_>, at: usize| cells.text(table.columns()[at]).map(String::from);
    let locations = places.iter().copied().map(Location::Point);
    let outcomes = resolver.resolve(locations, |cells| chains.push([0, 1, 2].map(|at| text(cells, at))));
    assert_eq!(outcomes.len(), places.len());
    for (place, outcome) in places.iter().zip(outcomes) {
        let cell = |column| PointCells::new(directory, outcome).cell(column);
        match directory.resolve(*place) {
            Resolution::Outside => assert_eq!((outcome, outcome.quality()), (&Outcome::Outside, "outside")),
            Resolution::Inside(chain) => {
                let id = |row: Row| directory.id_of(row).to_string();
                let expected = [Some(id(chain.county)), chain.cousub.map(id), chain.place.map(id)];
                assert_eq!(chains[outcome.chain_number().unwrap()], expected, "{place}");
                let land = directory.tribal_land_at(*place).map(|land| directory.tribal_land(land).name);
                assert_eq!(cell(Column::TribalLand), land.map_or(Cell::Null, Cell::Text), "{place}");
                let is_nearest = matches!(chain.quality, Quality::Nearest { .. });
                assert_eq!(matches!(cell(Column::NearestM), Cell::Meters(_)), is_nearest, "{place}");
            }
        }
    }
    let once: std::collections::BTreeSet<_> = chains.iter().collect();
    assert_eq!(once.len(), chains.len(), "each chain has one number");
}

#[test]
fn rows_that_are_no_point_say_why() {
    let columns = Column::chosen(Some(&["county_name"]), Some(&["zoning"])).unwrap();
    let table = Arc::new(Table::new(Arc::new(Answers::new(directory())), columns));
    let rows = ["county:27003", "state:27"]
        .map(|id| Location::Jurisdiction(table.directory().found(&id.parse().unwrap()).unwrap()));
    let numbers = [(45.025, -93.95), (f64::NAN, 0.0), (f64::INFINITY, 0.0), (91.0, 0.0)];
    let locations = rows.into_iter().chain(numbers.map(Location::of_degrees));
    let mut resolver = table.resolver();
    let mut names = Vec::new();
    let outcomes = resolver.resolve(locations, |cells| {
        names.push(cells.text(table.columns()[0]).map(String::from));
    });
    let expected = ["exact", "invalid", "inside", "invalid", "invalid", "invalid"];
    assert_eq!(outcomes.iter().map(Outcome::quality).collect::<Vec<_>>(), expected);
    assert_eq!(names, [Some("Baker County".to_owned()), Some("Adams County".to_owned())]);
    let why = "expected a county, city, town or township, got Minnesota";
    assert_eq!(outcomes[1].error(), Some(why));
}

/// Files written before the section `shore` existed do not separate land from water.
#[test]
fn without_a_shore_no_point_is_said_to_lie_in_water() {
    let directory = directory_with(|contents| contents.ruled.shore = None);
    assert_eq!(chain_at(&directory, 2.0, 1.5), "Minnesota, Adams County, Elm town (Inside)");
    assert_eq!(chain_at(&directory, 31.0, 7.0), "Wisconsin, Clark County, Port (Sliver)");
    assert_eq!(directory.shore_sources().count(), 0);
}

#[test]
fn offices_come_with_body_site_and_reason() {
    let answers = Answers::new(directory());
    let directory = answers.directory();
    for (x, y, function, body, website, why) in [
        (
            5.0,
            2.5,
            Function::Assessment,
            Some("Adams County"),
            Some("https://adams.example.gov"),
            "Adams County does this.",
        ),
        (9.5, 4.5, Function::Zoning, Some("Rivertown"), None, "Inside Rivertown the city zones."),
        (11.5, 8.5, Function::Zoning, Some("Baker County"), None, "Baker County does this."),
    ] {
        let answer = answers.finish(&Request::Resolve { point: point(x, y) }, Found::default()).unwrap();
        let Data::Resolve(resolved) = &answer.data else { panic!("the answer is that of a point") };
        let assignments = answers.assignments(resolved.territory);
        let entry = assignments.get(function).unwrap();
        assert_eq!(entry.body.map(|row| directory.name_of(row)), body);
        let site = entry.office.as_ref().and_then(|office| office.shown_site(directory));
        assert_eq!(site.and_then(|site| site.url), website);
        assert_eq!(English.reason(&entry.outcome), why);
    }
}

#[test]
fn names_and_ids_are_found() {
    let directory = directory();
    let named = directory.places_named("Rivertown", StateCode::from_fips(27).unwrap());
    assert_eq!(named.len(), 1);
    assert_eq!(directory.id_of(named[0]), id("place:2740000"));
    let replaced = directory.lookup(&id("county:27999"));
    assert!(matches!(replaced, Lookup::Replaced(rows) if directory.name_of(rows[0]) == "Adams County"));
    assert_eq!(directory.lookup(&id("county:27005")), Lookup::Unknown);
}

#[test]
fn the_world_is_the_same_at_each_call() {
    assert_eq!(snapshot(), snapshot());
}
