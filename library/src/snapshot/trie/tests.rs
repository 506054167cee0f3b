//! Compares the trie with point-in-ring tests by the border rule, on small maps.

use proptest::prelude::*;
use rkyv::{rancor, util::AlignedVec};

use super::{ArchivedTrie, LabelSet, Line, TrieBuilder};
use crate::{
    geometry::{LonLat, Plane, distance_to_segment_m, ring},
    snapshot::{line_kind, write_error::WriteError},
};

fn archived(leaf_edges_max: usize, rings: &[Vec<LonLat>]) -> AlignedVec {
    let labels: Vec<LabelSet> = (0..rings.len())
        .map(|at| LabelSet { code: 1 << at, areas: vec![at as u32], kinds: line_kind::ANY })
        .collect();
    let lines: Vec<Line<'_>> =
        rings.iter().enumerate().map(|(at, ring)| Line { label: at as u32, vertices: ring }).collect();
    let trie = TrieBuilder::new(leaf_edges_max).build(&labels, &lines).unwrap();
    rkyv::to_bytes::<rancor::Error>(&trie).unwrap()
}

fn trie(bytes: &AlignedVec) -> &ArchivedTrie {
    rkyv::access::<ArchivedTrie, rancor::Error>(bytes).unwrap()
}

/// Returns a number with one bit for each ring, set if the ring contains the point.
fn expected(rings: &[Vec<LonLat>], point: LonLat) -> u64 {
    (0..rings.len()).filter(|at| ring::contains(&rings[*at], point)).fold(0, |code, at| code | 1 << at)
}

/// A closed ring of points within `reach` of a center. It has any shape and may cross itself. A small reach puts many
/// vertices and edges on each other and on cell corners.
fn closed_ring(center: (i32, i32), reach: i32) -> impl Strategy<Value = Vec<LonLat>> {
    let vertex = (-reach..=reach, -reach..=reach)
        .prop_map(move |(x, y)| LonLat::from_units(center.1 + y, center.0 + x));
    proptest::collection::vec(vertex, 3..40).prop_map(|mut ring| {
        ring.push(ring[0]);
        ring
    })
}

/// Vertices, middles of edges, and points next to these; a wrong border rule would fail there.
fn telling_points(rings: &[Vec<LonLat>]) -> Vec<LonLat> {
    let mut points = Vec::new();
    for edge in rings.iter().flat_map(|ring| ring.windows(2)) {
        let middle =
            LonLat::from_units((edge[0].lat() + edge[1].lat()) / 2, (edge[0].lon() + edge[1].lon()) / 2);
        for point in [edge[0], middle] {
            for (x, y) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (7, 3), (-300, 200)] {
                points.push(LonLat::from_units(point.lat() + y, point.lon() + x));
            }
        }
    }
    points
}

fn check(leaf_edges_max: usize, rings: &[Vec<LonLat>]) -> Result<(), TestCaseError> {
    let bytes = archived(leaf_edges_max, rings);
    let points = telling_points(rings);
    let mut together = vec![0; points.len()];
    trie(&bytes).lookup_all(&points, &mut together);
    for (point, code) in points.into_iter().zip(together) {
        prop_assert_eq!(trie(&bytes).lookup(point), expected(rings, point), "at {:?}", point);
        prop_assert_eq!(code, expected(rings, point), "among others at {:?}", point);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn small_worlds(rings in proptest::collection::vec(closed_ring((-930_000_000, 450_000_000), 40), 1..5), leaf in 1usize..9) {
        check(leaf, &rings)?;
    }

    #[test]
    fn worlds_of_many_cells(rings in proptest::collection::vec(closed_ring((0, 0), 30_000_000), 1..4), leaf in 1usize..9) {
        check(leaf, &rings)?;
    }

    /// At a corner of a root cell, corners of cells of every level coincide.
    #[test]
    fn around_a_root_corner(rings in proptest::collection::vec(closed_ring((8_388_608, 16_777_216), 300), 1..4), leaf in 1usize..5) {
        check(leaf, &rings)?;
    }

    #[test]
    fn the_nearest_edge_is_the_nearest(ring in closed_ring((-930_000_000, 450_000_000), 2_000_000), x in -3_000_000..3_000_000, y in -3_000_000..3_000_000) {
        let point = LonLat::from_units(450_000_000 + y, -930_000_000 + x);
        let by_hand = ring.windows(2).map(|edge| distance_to_segment_m(point, edge[0], edge[1])).fold(f64::INFINITY, f64::min);
        let bytes = archived(8, std::slice::from_ref(&ring));
        let mut found = f64::INFINITY;
        trie(&bytes).near(point, by_hand * 3.0 + 0.1, line_kind::ANY, None, |edge| {
            found = found.min(edge.distance_m);
            found
        });
        prop_assert!((found - by_hand).abs() < 1e-6 * by_hand.max(1.0), "{} {}", found, by_hand);
    }

    /// The answer `false` must always be correct.
    #[test]
    fn a_quick_no_is_right(ring in closed_ring((-930_000_000, 450_000_000), 2_000_000), x in -3_000_000..3_000_000, y in -3_000_000..3_000_000, share in 0.1..2.0) {
        let point = LonLat::from_units(450_000_000 + y, -930_000_000 + x);
        let by_hand = ring.windows(2).map(|edge| distance_to_segment_m(point, edge[0], edge[1])).fold(f64::INFINITY, f64::min);
        let bytes = archived(8, std::slice::from_ref(&ring));
        let reach = Plane::at(point).reach(by_hand * share);
        let may = trie(&bytes).may_be_near(point, reach, line_kind::ANY);
        prop_assert!(may || share < 1.0, "an edge is {} m away", by_hand);
    }
}

#[test]
fn where_nothing_is_near_the_quick_answer_is_no() {
    let ring =
        [(0, 0), (5_000_000, 0), (0, 5_000_000), (0, 0)].map(|(lon, lat)| LonLat::from_units(lat, lon));
    let bytes = archived(1, &[ring.to_vec()]);
    for (lon, lat, kinds, expected) in [
        (-2_000, 1_000_000, line_kind::ANY, true),
        (-2_000, 1_000_000, 0, false),
        (-20_000, 1_000_000, line_kind::ANY, false),
        (1_000_000, 1_000_000, line_kind::ANY, false),
        (900_000_000, 0, line_kind::ANY, false),
    ] {
        let point = LonLat::from_units(lat, lon);
        assert_eq!(trie(&bytes).may_be_near(point, (10_000, 10_000), kinds), expected, "{lon} {lat} {kinds}");
    }
}

#[test]
fn the_ends_of_the_globe_answer() {
    let bytes = archived(4, &[]);
    for (lon, lat) in [(-1_800_000_000, -900_000_000), (1_800_000_000, 900_000_000), (0, 0)] {
        assert_eq!(trie(&bytes).lookup(LonLat::from_units(lat, lon)), 0);
        trie(&bytes)
            .near(LonLat::from_units(lat, lon), 5_000.0, line_kind::ANY, None, |edge| panic!("{edge:?}"));
    }
}

#[test]
fn a_giant_edge_is_refused() {
    let ring =
        [(0, 0), (300_000_000, 0), (0, 300_000_000), (0, 0)].map(|(lon, lat)| LonLat::from_units(lat, lon));
    let line = Line { label: 0, vertices: &ring };
    let error = TrieBuilder::new(8).build(&[LabelSet::default()], &[line]).unwrap_err();
    assert!(matches!(error, WriteError::LongEdge { .. }), "{error}");
}
