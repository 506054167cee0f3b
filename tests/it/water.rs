//! Tests points on the water and beside it: the county of each, and whether the answer mentions the water. The
//! counties are those of TIGER/Line 2020, and those of New York's subdivisions of 2018. Distances from land were
//! measured by another engine, in the Census Bureau's clipped counties of 2016.

use serde_json::Value;

use crate::harness::{Client, Server};

/// Description, latitude and longitude of a point, then the expected county and quality of its answer. `None` if the
/// point has no answer.
type Row = (&'static str, f64, f64, Option<(&'static str, &'static str)>);

const WATER: &str = "water";

const ROWS: &[Row] = &[
    ("Fort Sumter, too small for the map", 32.7523, -79.8747, Some(("county:45019", WATER))),
    ("Charleston Harbor", 32.77, -79.91, Some(("county:45019", WATER))),
    ("Lake Michigan, of Wisconsin", 43.2, -87.3, Some(("county:55089", WATER))),
    ("Lake Michigan, of Michigan", 43.2, -86.7, Some(("county:26121", WATER))),
    ("Lake Michigan, of Indiana", 41.70, -87.2, Some(("county:18127", WATER))),
    // The snapshot has no legal boundary of any county of Illinois, and no city reaches there.
    ("Lake Michigan, of Illinois", 42.2, -87.4, None),
    ("Lake Superior, of Minnesota", 47.2, -91.0, Some(("county:27075", WATER))),
    ("Saginaw Bay", 43.85, -83.6, Some(("county:26063", WATER))),
    ("Lake Erie, of Ohio", 41.55, -82.0, Some(("county:39093", WATER))),
    ("Lake Erie, of Pennsylvania", 42.25, -80.1, Some(("county:42049", WATER))),
    ("Lake Ontario, of New York, where no town reaches", 43.4, -77.6, Some(("county:36055", WATER))),
    ("Chesapeake Bay, of Maryland", 38.5, -76.43, Some(("county:24009", WATER))),
    ("Chesapeake Bay, of Virginia", 37.5, -76.1, None),
    ("the Potomac, of Maryland", 38.35, -77.0, Some(("county:24017", WATER))),
    // The lines of these counties end at the shore, but the city limits extend over the water.
    ("San Francisco Bay, in the city", 37.80, -122.35, Some(("county:06075", WATER))),
    ("Mobile Bay, in the city of Mobile", 30.60, -88.0, Some(("county:01097", WATER))),
    ("Public Square, Cleveland", 41.4993, -81.6944, Some(("county:39035", "inside"))),
    ("the art museum of Milwaukee, on the lake", 43.0401, -87.8971, Some(("county:55079", "inside"))),
    ("the City Dock of Annapolis", 38.9785, -76.4922, Some(("county:24003", "inside"))),
    ("the Battery of Charleston", 32.7697, -79.9296, Some(("county:45019", "inside"))),
    ("Mackinac Island", 45.8492, -84.6189, Some(("county:26097", "inside"))),
    ("Canal Park, Duluth", 46.7867, -92.1005, Some(("county:27137", "inside"))),
];

/// The faults of an answer, one on each line.
fn faults((what, _, _, expected): &Row, answer: &Value) -> Vec<String> {
    let data = &answer["data"];
    let got = data["match"]["quality"].as_str().map(|quality| {
        let county = data["jurisdictions"][1]["jurisdiction_id"].as_str().unwrap_or_default();
        (county, quality)
    });
    let mut faults = Vec::new();
    if got != *expected {
        faults.push(format!("{what}: expected {expected:?}, got {got:?}"));
    }
    let notices = answer["notices"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let says_water = notices.filter(|notice| notice.starts_with("This point is in the water of ")).count();
    let is_water = expected.is_some_and(|(_, quality)| quality == WATER);
    if says_water != usize::from(is_water) {
        faults.push(format!("{what}: {says_water} notices speak of water"));
    }
    let sources = answer["sources"].as_array().into_iter().flatten();
    let shores =
        sources.filter(|source| source["name"] == "Cartographic boundary file, counties, 2016").count();
    if is_water && shores != 1 {
        faults.push(format!("{what}: the shore is {shores} times among the sources"));
    }
    faults
}

#[test]
fn on_the_water_of_a_county_it_answers_and_says_so() {
    let mut client = Client::connect(Server::shared().address);
    let faults = ROWS.iter().flat_map(|row| {
        let (_, lat, lon, _) = row;
        faults(row, &client.get(&format!("/v1/jurisdictions/resolve?lat={lat}&lon={lon}")).json())
    });
    let wrong: Vec<String> = faults.collect();
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}
