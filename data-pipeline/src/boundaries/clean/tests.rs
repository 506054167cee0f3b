use proptest::prelude::*;

use super::*;

fn at(lon: i32, lat: i32) -> LonLat {
    LonLat::from_units(lat, lon)
}

fn ring(points: &[(i32, i32)]) -> Vec<LonLat> {
    points.iter().map(|(lon, lat)| at(*lon, *lat)).collect()
}

fn inside(rings: &[Vec<LonLat>], point: LonLat) -> bool {
    rings.iter().filter(|ring| contains(ring, point)).count() % 2 == 1
}

fn square(west: i32, south: i32, side: i32) -> Vec<LonLat> {
    ring(&[
        (west, south),
        (west + side, south),
        (west + side, south + side),
        (west, south + side),
        (west, south),
    ])
}

#[test]
fn a_clean_ring_stays() {
    let (rings, changes) = clean(vec![square(0, 0, 10)]).unwrap();
    assert_eq!((rings, changes), (vec![square(0, 0, 10)], Changes::default()));
}

#[test]
fn repeats_spikes_and_open_ends_are_repaired() {
    let messy = ring(&[(0, 0), (0, 0), (10, 0), (15, 0), (10, 0), (10, 10), (10, 20), (10, 10), (0, 10)]);
    let (rings, changes) = clean(vec![messy]).unwrap();
    assert_eq!(rings, [square(0, 0, 10)]);
    assert_eq!((changes.closed, changes.duplicates > 0, changes.spikes > 0), (1, true, true));
    // A vertex on a straight border stays: the neighbor may have it too.
    let straight = ring(&[(0, 0), (5, 0), (10, 0), (10, 10), (0, 0)]);
    assert_eq!(clean(vec![straight.clone()]).unwrap().0, [straight]);
}

#[test]
fn a_spike_at_the_seam_is_found() {
    let seam = ring(&[(-5, 0), (0, 0), (10, 0), (10, 10), (0, 10), (0, 0), (-5, 0)]);
    let (rings, _) = clean(vec![seam]).unwrap();
    assert_eq!(rings.len(), 1);
    assert_eq!(signed_area_doubled(&rings[0]), 200);
}

#[test]
fn a_ring_that_touches_itself_is_cut() {
    // A figure eight through (10, 10), and a hole drawn as part of its outer ring.
    let eight = ring(&[(0, 0), (10, 0), (10, 10), (20, 10), (20, 20), (10, 20), (10, 10), (0, 10), (0, 0)]);
    let (rings, changes) = clean(vec![eight]).unwrap();
    assert_eq!((rings.len(), changes.split), (2, 1));
    assert!(rings.iter().all(|ring| signed_area_doubled(ring) == 200));
    let keyhole =
        ring(&[(0, 0), (20, 0), (20, 20), (0, 20), (0, 0), (5, 10), (10, 15), (10, 5), (5, 10), (0, 0)]);
    let (rings, _) = clean(vec![keyhole]).unwrap();
    let areas: Vec<_> = rings.iter().map(|ring| signed_area_doubled(ring).signum()).collect();
    assert_eq!((rings.len(), areas.iter().filter(|sign| **sign < 0).count()), (2, 1), "{rings:?}");
}

#[test]
fn rings_that_enclose_nothing_go() {
    let (rings, changes) =
        clean(vec![ring(&[(0, 0), (5, 5), (9, 9), (0, 0)]), ring(&[(1, 1)]), vec![], square(0, 0, 4)])
            .unwrap();
    assert_eq!((rings.len(), changes.dropped), (1, 3));
}

#[test]
fn holes_run_clockwise_and_orphans_are_counted() {
    let mut outer = square(0, 0, 100);
    outer.reverse();
    // Both small squares run against the direction of the outer ring, as holes do, but the second square lies outside
    // that ring.
    let (rings, changes) = clean(vec![outer, square(10, 10, 10), square(200, 200, 10)]).unwrap();
    let signs: Vec<_> = rings.iter().map(|ring| signed_area_doubled(ring).signum()).collect();
    assert_eq!(signs, [1, -1, 1]);
    assert_eq!((changes.orphan_holes, changes.reversed), (1, 2));
}

#[test]
fn an_edge_across_the_180th_meridian_is_refused() {
    let degree = UNITS_PER_DEGREE;
    let jump = ring(&[(179 * degree, 0), (-179 * degree, 0), (-179 * degree, degree), (179 * degree, 0)]);
    let message = clean(vec![jump]).unwrap_err().to_string();
    assert!(message.contains("20 degrees") && message.contains("180th meridian"), "{message}");
}

#[test]
fn a_sum_of_tiles_has_one_outline() {
    let tiles =
        [square(0, 0, 10), square(10, 0, 10), square(0, 10, 10), square(10, 10, 10), square(50, 50, 5)];
    let outline = dissolve(tiles.iter().map(Vec::as_slice));
    let (rings, _) = clean(outline).unwrap();
    let mut areas: Vec<_> = rings.iter().map(|ring| signed_area_doubled(ring)).collect();
    areas.sort();
    assert_eq!(areas, [50, 800]);
}

fn rings() -> impl Strategy<Value = Vec<Vec<LonLat>>> {
    // Rings on a small grid: they repeat vertices, run back on themselves, touch and cross.
    let ring = prop::collection::vec((0i32..7, 0i32..7), 0..14);
    prop::collection::vec(ring, 0..4).prop_map(|rings| {
        rings
            .iter()
            .map(|points| {
                let mut closed = ring_of(points);
                closed.extend(closed.first().copied());
                closed
            })
            .collect()
    })
}

fn ring_of(points: &[(i32, i32)]) -> Vec<LonLat> {
    ring(points)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn containment_is_unchanged_and_cleaning_settles(rings in rings()) {
        let (cleaned, _) = clean(rings.clone()).unwrap();
        for (lon, lat) in (-1..8).flat_map(|lon| (-1..8).map(move |lat| (lon, lat))) {
            prop_assert_eq!(inside(&rings, at(lon, lat)), inside(&cleaned, at(lon, lat)), "{},{}", lon, lat);
        }
        let (again, changes) = clean(cleaned.clone()).unwrap();
        prop_assert_eq!(&again, &cleaned);
        prop_assert!(!changes.is_repair() && changes.reversed == 0, "{:?}", changes);
        for ring in &cleaned {
            let vertices: HashSet<_> = ring[1..].iter().collect();
            prop_assert_eq!(vertices.len(), ring.len() - 1, "a vertex is visited twice");
            prop_assert_eq!(ring.first(), ring.last());
        }
    }

    #[test]
    fn dissolving_keeps_containment(rings in rings()) {
        let outline = dissolve(rings.iter().map(Vec::as_slice));
        for (lon, lat) in (-1..8).flat_map(|lon| (-1..8).map(move |lat| (lon, lat))) {
            prop_assert_eq!(inside(&rings, at(lon, lat)), inside(&outline, at(lon, lat)));
        }
    }
}
