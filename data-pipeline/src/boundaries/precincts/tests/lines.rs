//! Tests precincts that do not follow the boundary of a town.

use super::*;

#[test]
fn the_line_of_a_town_divides_precincts_that_do_not_keep_to_it() {
    const CEDAR: (&str, &str, &str) = ("5503366550", "Red Cedar", "town");
    const CREEK: (&str, &str, &str) = ("5503368700", "Rock Creek", "town");
    let village = ("5503301000", "Colfax", "village");
    let county = County { towns: &[CEDAR, CREEK, village], ..County::default() };
    let row = |written: &str, town: Option<&str>, part| PrecinctRow {
        county: Geoid::parse(Layer::County, "55033").unwrap(),
        written: written.to_owned(),
        town: town.map(cousub),
        part,
        why: "It is no square.".to_owned(),
    };
    // The precinct of this town has a surplus square and a strip of 20 m. The neighbor's precinct has a square of this
    // town.
    let wide = || named("55033", "RED CEDAR TOWN", vec![block(0, 0, 3, 1), block(0, 1, 1, 1)]);
    let beside = || named("55033", "ROCK CREEK TOWN", vec![block(1, 1, 2, 1), block(0, 2, 3, 1)]);
    let colfax = || named("55033", "COLFAX VLG", vec![block(3, 0, 1, 1)]);
    let over = |east: i32, north: i32| vec![at(0, 0), at(east, 0), at(east, north), at(0, north), at(0, 0)];
    let two = over(2 * SIDE, 2 * SIDE);
    for (line, written, cedar, creek, colfax_has) in [
        // The town gets three squares of its own precinct and one of the neighbor's.
        (two.clone(), "", 4, 4, 1),
        // The row applies only to the precinct with this name.
        (two.clone(), "ROCK CREEK", 1, 4, 1),
        // A strip along the line does not count as a part. The town keeps its whole third square and gets nothing of
        // the village.
        (over(3 * SIDE - 150, SIDE), "", 3, 5, 1),
        (over(4 * SIDE, SIDE), "", 3, 5, 1),
        // A line that meets no precinct.
        (over(-9 * SIDE, -SIDE), "", 0, 5, 1),
    ] {
        let mut rules = rules();
        rules.states.get_mut(&55).unwrap().rows =
            vec![row(written, Some(CEDAR.0), Part::Within(line.clone())), row("RED CEDAR", None, Part::All)];
        let found = squares(&county.towns_by(vec![wide(), beside(), colfax()], &rules));
        let of = |town: (&str, &str, &str)| {
            found
                .iter()
                .filter(|(_, found, _)| *found == town.0[5..])
                .map(|(.., squares)| *squares)
                .sum::<i128>()
        };
        assert_eq!((of(CEDAR), of(CREEK), of(village)), (cedar, creek, colfax_has), "{line:?} {written:?}");
    }
}
