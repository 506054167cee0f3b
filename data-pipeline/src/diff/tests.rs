//! Compares the invented world with itself after one change: the report has that change and no other.

use platbook::{
    geometry::LonLat,
    snapshot::write::{
        ArcRef, Boundaries, Contents, EncodedSection, Jurisdictions, NewJurisdiction, PageSections,
        PastRules, StateFiles,
    },
    testing::{self, directory_with as world},
};

use super::*;

/// Makes the invented world without any page.
fn without_pages(contents: &mut Contents) {
    contents.pages = PageSections::default();
}

/// Makes the invented world with each vertex of its outlines where `moved` puts it.
fn with_outlines(contents: &mut Contents, moved: impl Fn(LonLat) -> LonLat) {
    let directory = testing::directory();
    let boundaries = directory.snapshot().boundaries();
    let mut arcs: Vec<Vec<LonLat>> = Vec::new();
    let mut areas = Vec::new();
    for area in 0..boundaries.area_count() as u32 {
        let mut rings = Vec::new();
        for ring in boundaries.rings(area) {
            rings.push(vec![ArcRef { arc: arcs.len() as u32, reversed: false }]);
            arcs.push(ring.into_iter().map(&moved).collect());
        }
        areas.push(rings);
    }
    contents.ruled.boundaries = EncodedSection::new(&Boundaries::pack(&arcs, &areas)).unwrap();
}

/// Makes the invented world with each government after `change`.
fn with_governments(contents: &mut Contents, change: impl Fn(&mut NewJurisdiction)) {
    let directory = testing::directory();
    let known = directory.snapshot().jurisdictions();
    let mut all = Vec::new();
    for (id, row) in (0..known.len() as u32).filter_map(|row| known.get(row)) {
        let mut government = NewJurisdiction {
            id,
            name: known.name(row).to_owned(),
            legal_type: known.legal_type(row).map(str::to_owned),
            ocd_id: known.ocd_id(row),
            same_as: Vec::new(),
            population: row.population(),
            point: row.point(),
            bbox: row.bbox(),
            source: row.source(),
            vintage: row.vintage(),
            func_stat: row.func_stat(),
            area_off_percent: row.area_off_percent(),
        };
        change(&mut government);
        all.push(government);
    }
    let (packed, _) = Jurisdictions::pack(&mut all, &[]).unwrap();
    contents.ruled.jurisdictions = EncodedSection::new(&packed).unwrap();
}

/// Checks that the report has these lines, and no changes of other kinds.
fn check(change: impl FnOnce(&mut Contents), kinds: &[Kind], expected: &[&str]) {
    let diff = Diff::between(&testing::directory(), &world(change));
    let text = diff.in_words(9);
    for line in expected {
        assert!(text.contains(line), "expected {line:?} in:\n{text}");
    }
    let found: BTreeSet<Kind> =
        diff.states.iter().flat_map(|state| &state.kinds).map(|found| found.kind).collect();
    assert!(found.iter().eq(kinds), "{found:?}:\n{text}");
}

#[test]
fn what_is_the_same_is_not_reported() {
    let nothing = "No differences.\n";
    check(|_| {}, &[], &[nothing]);
    check(|contents| with_outlines(contents, |vertex| vertex), &[], &[nothing]);
    check(|contents| contents.ruled.meta.as_of = "2026-06-01T00:00:00Z".to_owned(), &[], &[nothing]);
}

#[test]
fn governments_that_are_renamed_or_joined_are_reported() {
    let changed = |government: &mut NewJurisdiction| match government.id.to_string().as_str() {
        "cousub:2700110000" => government.name = "Ash town".to_owned(),
        "cousub:2700120000" => government.same_as.push("cousub:2700330000".parse().unwrap()),
        _ => {}
    };
    check(|contents| with_governments(contents, |_| {}), &[], &["No differences.\n"]);
    check(
        |contents| with_governments(contents, changed),
        &[Kind::Jurisdictions],
        &[
            "Ash town (700 people), cousub:2700110000: was called Elm town",
            "Oak town (900 people), cousub:2700120000: is one government with others than before",
        ],
    );
}

/// The line between Adams and Baker County moves east by a cell.
#[test]
fn borders_that_move_are_reported_with_their_area_and_people() {
    let line = testing::point(10.0, 0.0).lon();
    let moved = |vertex: LonLat| {
        let by = if vertex.lon() == line { testing::STEP } else { 0 };
        LonLat::from_units(vertex.lat(), vertex.lon() + by)
    };
    check(
        |contents| with_outlines(contents, moved),
        &[Kind::Borders],
        &[
            "outlines new, gone or moved: 5, where 20,000 people live; 35.02 km2 passed from one to another",
            "Adams County (12,000 people), county:27001: has 8.75 km2 moved in or out, 8.75 km2 more",
            "Baker County (8,000 people), county:27003: has 8.75 km2 moved in or out, 8.75 km2 less",
        ],
    );
}

#[test]
fn outlines_that_are_gone_are_reported() {
    check(
        |contents| {
            contents.ruled.boundaries =
                EncodedSection::new(&Boundaries::pack(&[], &vec![Vec::new(); 7])).unwrap();
        },
        &[Kind::Borders],
        &[
            "MN, 5,700,000 people\n  outlines new, gone or moved: 6",
            "county:27001: no longer has an outline",
            "WI, 5,900,000 people",
        ],
    );
}

#[test]
fn pages_that_are_gone_are_reported() {
    check(
        without_pages,
        &[Kind::Links],
        &[
            "governments with web pages new or gone: 1, where 12,000 people live",
            "gone: main site https://adams.example.gov; gone: Adams County parcel map https://adams.example.gov/map",
        ],
    );
}

/// Without rules, no job has an office.
#[test]
fn rules_that_are_gone_are_reported_with_the_jobs() {
    check(
        |contents| {
            contents.ruled.state_files = EncodedSection::new(&StateFiles::default()).unwrap();
        },
        &[Kind::Offices, Kind::Rules],
        &[
            "Minnesota (5,700,000 people), state:27: no longer has rules",
            "assessment: not on record, was Office of assessment of Adams County (high)",
        ],
    );
}

/// Until 2020 the state kept the deeds of Adams County, which no answer for today shows.
#[test]
fn a_past_case_that_is_gone_is_reported() {
    check(
        |contents| contents.ruled.past_rules = EncodedSection::new(&PastRules::default()).unwrap(),
        &[Kind::Rules],
        &[
            "recording: past case until 2020-01-01 removed: State office of deeds | Until 2020 the state kept the deeds.",
        ],
    );
}

#[test]
fn programs_get_all_of_it() {
    let diff = Diff::between(&testing::directory(), &world(without_pages));
    let json = serde_json::to_value(diff).unwrap();
    let links = &json["states"][0]["kinds"][0];
    assert_eq!((&json["states"][0]["state"], &links["kind"]), (&"MN".into(), &"links".into()));
    assert_eq!(links["changes"][0]["id"], "county:27001");
    assert!(
        Diff::between(&testing::directory(), &world(without_pages))
            .in_words(0)
            .contains("and 1 more; --json has all")
    );
}

#[test]
fn each_snapshot_adds_its_changes_to_the_history() {
    let (full, bare) = (testing::directory(), world(without_pages));
    let first = history(&Diff::between(&full, &bare), None);
    let [entry] = &first.entries[..] else { panic!("{first:?}") };
    assert_eq!(entry.from_id, full.snapshot_id());
    assert_eq!(entry.totals.len(), 1, "{entry:?}");
    assert!(entry.totals[0].starts_with("governments with web pages new or gone: 1, where "), "{entry:?}");
    let [change] = &entry.changes[..] else { panic!("{entry:?}") };
    assert_eq!((change.government.as_str(), change.name.as_str()), ("county:27001", "Adams County, MN"));
    assert!(change.words.contains("gone: Adams County parcel map https://"), "{change:?}");
    let second = history(&Diff::between(&bare, &full), Some(first.clone()));
    assert_eq!((second.entries.len(), &second.entries[1]), (2, &first.entries[0]));
    assert_eq!(history(&Diff::between(&full, &full), Some(second.clone())), second);
}
