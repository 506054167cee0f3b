//! Tests that each row of a file of points has the offices, pages, names and lines of a single answer for its point.

use std::{collections::BTreeMap, fs, path::Path};

use fastrand::Rng;
use platbook::{
    answers::{Plan, Request},
    directory::{Directory, Resolution, Row},
    geometry::{LonLat, UNITS_PER_DEGREE},
    vocabulary::{Function, Layer},
};
use platbook_service::edition::Edition;
use serde_json::Value;

use crate::{
    batch::{Table, run},
    harness,
};

/// Number of points of each kind in the test.
const OF_A_KIND: usize = 120;
/// Distance of points from a line, in steps of 1e-7 degree: some 50 to 500 m.
const BESIDE: i32 = 50_000;

/// Points of all states, and points whose answer depends on more than the chain. The latter are on land of American
/// Indian nations, in cities that began or ended after the lines were drawn, and beside lines.
fn telling_points(directory: &Directory) -> Vec<LonLat> {
    let mut rng = Rng::with_seed(23);
    let inner = |row: Row| directory.jurisdiction(row).point;
    let mut counties: Vec<Row> = directory.rows_of(Layer::County).collect();
    rng.shuffle(&mut counties);
    // A point inside each state, and inside some counties at random.
    let mut points: Vec<LonLat> = directory.rows_of(Layer::State).filter_map(inner).collect();
    points.extend(counties.into_iter().take(OF_A_KIND).filter_map(inner));
    let ended = directory.rows_of(Layer::Place).filter(|row| directory.end_of_city(*row).is_some());
    points.extend(ended.filter_map(inner).take(OF_A_KIND));
    points.extend(young_cities(directory));
    points.extend(on_land_of_nations());
    let boundaries = directory.snapshot().boundaries();
    points.extend((0..OF_A_KIND).filter_map(|_| {
        let arc = boundaries.arc(rng.u32(..boundaries.arc_count() as u32));
        let vertex = arc.get(rng.usize(..arc.len()))?;
        let mut beside = |at: i32| at.saturating_add(rng.i32(-BESIDE..=BESIDE));
        Some(LonLat::from_units(beside(vertex.lat()), beside(vertex.lon())))
    }));
    points
}

/// The middle of the land of each young city, and points around it.
fn young_cities(directory: &Directory) -> Vec<LonLat> {
    let changes = directory.snapshot().city_changes().unwrap();
    let middles = (0..).map_while(|number| changes.get(number)).filter_map(|change| change.middle);
    let around = |middle: LonLat| {
        [0, 100_000, 300_000].map(|step| LonLat::from_units(middle.lat() + step, middle.lon() - step))
    };
    middles.flat_map(around).collect()
}

/// The points of the table of American Indian nations.
fn on_land_of_nations() -> Vec<LonLat> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tribal.toml");
    let table: toml::Table = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let points = table["point"].as_array().unwrap().iter();
    points
        .map(|at| LonLat::from_lat_lon(at["lat"].as_float().unwrap(), at["lon"].as_float().unwrap()).unwrap())
        .collect()
}

/// The values in the JSON of a point, under the names of the columns.
fn expected(edition: &Edition, point: LonLat) -> BTreeMap<String, String> {
    let Plan::Done(Ok(answer)) = edition.answers().plan(&Request::Resolve { point }) else {
        return BTreeMap::new();
    };
    let body = edition.encode(&answer).fill("id").into_contiguous();
    let data = serde_json::from_slice::<Value>(&body).unwrap()["data"].take();
    let mut said = BTreeMap::new();
    let mut say = |name: String, value: &Value| {
        said.insert(
            name,
            value.as_str().map_or_else(|| value.to_string().replace("null", ""), str::to_owned),
        );
    };
    for jurisdiction in data["jurisdictions"].as_array().unwrap() {
        let id = jurisdiction["jurisdiction_id"].as_str().unwrap();
        let (layer, digits) = id.split_once(':').unwrap();
        let same_as: Vec<_> =
            jurisdiction["same_as"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        say(layer.to_owned(), &digits.into());
        say(format!("{layer}_id"), &jurisdiction["jurisdiction_id"]);
        say(format!("{layer}_name"), &jurisdiction["name"]);
        say(format!("{layer}_legal_type"), &jurisdiction["legal_type"]);
        say(format!("{layer}_same_as"), &same_as.join(" ").into());
    }
    for function in Function::ALL.map(Function::as_str) {
        let entry = &data["functions"][function];
        say(format!("{function}_body_id"), &entry["jurisdiction_id"]);
        say(format!("{function}_office"), &entry["office_name"]);
        say(format!("{function}_url"), &entry["office"]["url"]);
        say(format!("{function}_phone"), &entry["office"]["phone"]);
        say(format!("{function}_basis"), &entry["basis"]);
        say(format!("{function}_confidence"), &entry["confidence"]);
    }
    let (matched, borders) = (&data["match"], &data["match"]["border"]);
    say("quality".to_owned(), &matched["quality"]);
    for layer in ["county", "place"] {
        say(format!("{layer}_line_m"), &borders[layer]["distance_m"]);
        say(format!("{layer}_line_error_m"), &borders[layer]["uncertainty_m"]);
    }
    said
}

/// Compares two values; the JSON has whole meters.
fn agree(name: &str, in_row: &str, in_json: &str) -> bool {
    let meters = |text: &str| text.parse::<f64>().ok().filter(|_| name.ends_with("_m"));
    match (meters(in_row), meters(in_json)) {
        // A row has tenths, so a value half way may be rounded to either side.
        (Some(tenths), Some(whole)) => (tenths - whole).abs() <= 0.551,
        _ => in_row == in_json,
    }
}

#[test]
fn rows_say_what_single_answers_say() {
    let edition = harness::edition();
    let directory = edition.answers().directory();
    let points = telling_points(directory);
    let step = f64::from(UNITS_PER_DEGREE);
    let row = |point: &LonLat| {
        format!("{:.7},{:.7}\n", f64::from(point.lat()) / step, f64::from(point.lon()) / step)
    };
    // Each point comes twice, so that each cached text is used again after others.
    let rows: String = points.iter().chain(points.iter().rev()).map(row).collect();
    let table =
        Table::of(&run(&["--columns", "all", "--functions", "all"], format!("lat,lon\n{rows}").as_bytes()));
    assert_eq!(table.rows.len(), 2 * points.len());
    let (mut resolved, mut tribal, mut changed, mut wrong) = (0, 0, 0, Vec::new());
    for (at, point) in points.iter().chain(points.iter().rev()).enumerate() {
        let said = expected(&edition, *point);
        assert_eq!(said.is_empty(), !table.field(at, "error").is_empty(), "{point}");
        let differ = said.iter().filter(|(name, value)| !agree(name, table.field(at, name), value));
        wrong.extend(differ.map(|(name, value)| {
            format!("{point} {name}: expected {value:?}, got {:?}", table.field(at, name))
        }));
        let Resolution::Inside(chain) = directory.resolve(*point) else { continue };
        let lines = directory.borders(*point, &chain);
        let is_uncertain = [lines.county, lines.place].into_iter().flatten().any(|line| line.is_doubtful());
        assert_eq!(table.field(at, "uncertain"), is_uncertain.to_string(), "{point}");
        resolved += 1;
        tribal += usize::from(directory.tribal_land_at(*point).is_some());
        changed += usize::from(directory.city_change_at(*point, &chain).is_some());
    }
    assert!(wrong.is_empty(), "{} values differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(resolved > 600 && tribal > 60 && changed > 60, "{resolved} {tribal} {changed}");
}
