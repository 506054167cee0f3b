//! Tests that the rejection of a defective snapshot names its defect, and that the default snapshot is sound.

use super::*;
use crate::{
    rules::{DistrictPerCounty, StateFile},
    snapshot::write::{
        CityChanges, Communities, Contents, EncodedSection, NewCityChange, NewCityFate, NewCommunity,
        NewTribalLand, PageSections, StateFiles, TribalLands, Trie, TrieBuilder,
    },
    testing::{self, directory_with as world},
};

/// A trie without lines, in which no point has a government.
fn no_lines() -> EncodedSection<Trie> {
    EncodedSection::new(&TrieBuilder::new(4).build(&[], &[]).unwrap()).unwrap()
}

/// Returns the state file of the test snapshot, with a change.
fn state_file(change: impl FnOnce(&mut StateFile)) -> EncodedSection<StateFiles> {
    let minnesota = StateCode::from_fips(27).unwrap();
    let mut file = testing::directory().snapshot().state_files().state(minnesota).unwrap();
    change(&mut file);
    EncodedSection::new(&StateFiles::pack(&[file], &[]).unwrap()).unwrap()
}

/// Compares the start of the message with `expected`, which is "fit" for an accepted snapshot.
fn check(judged: Result<(), Rejection>, expected: &str) {
    let said = judged.map_or_else(|rejection| rejection.to_string(), |()| "fit".to_owned());
    assert!(said.starts_with(expected), "expected {expected:?}, got {said:?}");
}

#[test]
fn a_defect_of_a_snapshot_alone_is_reported() {
    let empty_trie = |contents: &mut Contents| contents.ruled.trie = no_lines();
    check(is_sound(&testing::directory()), "fit");
    check(is_sound(&world(empty_trie)), "expected counties to be found at their own points, found 0 of 3");
}

#[test]
fn texts_that_must_not_be_shown_are_refused() {
    type Change = fn(&mut Contents, String);
    let places: [(&str, Change); 6] = [
        ("a source with", |contents, text| contents.ruled.meta.sources[0].publisher = text),
        ("a source with", |contents, text| contents.ruled.meta.sources[0].name = text),
        ("tribal land with", |contents, text| {
            let land = NewTribalLand {
                name: "Heron".to_owned(),
                nation: None,
                words: text,
                site: None,
                sources: vec![0],
            };
            let packed = TribalLands::pack(&[land], &[], 4, vec![0]).unwrap();
            contents.ruled.tribal = EncodedSection::new(&packed).unwrap();
        }),
        ("a city with", |contents, name| {
            let change = NewCityChange { name, what: NewCityFate::Ended(1), year: None, source: 0 };
            contents.ruled.city_changes =
                EncodedSection::new(&CityChanges::pack(&[change]).unwrap()).unwrap();
        }),
        ("a rule with", |contents, text| {
            contents.ruled.state_files = state_file(|file| file.rules.functions[0].cases[0].why = text);
        }),
        ("a district with", |contents, name| {
            contents.ruled.state_files = state_file(|file| {
                let (set, id) = ("a".to_owned(), "a:{fips}".to_owned());
                file.rules.per_county.push(DistrictPerCounty { set, id, name, source: 0 });
            });
        }),
    ];
    for (what, change) in places {
        for text in ["a\u{1b}[2J", "a\u{202e}b", "a\u{e0041}b", "a\nb", &"long ".repeat(500)] {
            let error =
                is_sound(&world(|contents| change(contents, text.to_owned()))).unwrap_err().to_string();
            assert!(error.contains(what) && error.len() < 400, "{text:?}: {error}");
        }
        check(is_sound(&world(|contents| change(contents, "Doña Ana, Hawaiʻi".to_owned()))), "fit");
    }
    // A community with a long name is not tested, because the section of communities cannot store one.
    let judged = is_sound(&world(|contents| {
        let community = NewCommunity { name: "a\u{202e}b".to_owned(), body: 4, state: 27, known: false };
        contents.pages.communities = Communities::pack(vec![community]).unwrap();
    }));
    let said = judged.unwrap_err().to_string();
    assert!(said.contains("a community with"), "{said}");
    for (url, is_fit) in [("https://a.example", true), ("javascript:alert(1)", false), ("file:///etc", false)]
    {
        let judged = is_sound(&world(|contents| contents.ruled.meta.sources[0].url = url.to_owned()));
        assert_eq!(judged.is_ok(), is_fit, "{url}: {judged:?}");
    }
}

/// The expected message, and the change that causes it.
type Changed = (&'static str, fn(&mut Contents));

#[test]
fn losses_and_older_dates_are_reported() {
    let served = world(|contents| contents.ruled.meta.as_of = "2026-06-01T00:00:00Z".to_owned());
    let later = |contents: &mut Contents| contents.ruled.meta.as_of = "2026-06-02T00:00:00Z".to_owned();
    let changes: [Changed; 6] = [
        ("fit", |_| {}),
        ("expected about 1 resources, as in the one served, found 0", |contents| {
            contents.pages = PageSections::default();
        }),
        ("expected about 1 outlines of the layer cousub in MN, as in the one served, found 0", |contents| {
            contents.ruled.meta.coverage.remove(0);
        }),
        ("the rules of MN are missing", |contents| {
            contents.ruled.state_files = EncodedSection::new(&StateFiles::default()).unwrap();
        }),
        (
            "expected points inside the counties served to lie in the same counties, found 0 of 3",
            |contents| {
                contents.ruled.trie = no_lines();
            },
        ),
        (
            "it is dated 2026-01-01T00:00:00Z, older than the one served, dated 2026-06-01T00:00:00Z",
            |contents| {
                contents.ruled.meta.as_of = "2026-01-01T00:00:00Z".to_owned();
            },
        ),
    ];
    for (expected, change) in changes {
        let new = world(|contents| {
            later(contents);
            change(contents);
        });
        check(may_follow(&new, &served, false), expected);
    }
    check(may_follow(&testing::directory(), &served, true), "fit");
}

#[test]
fn a_share_is_enough_from_its_percentage_on() {
    for (has, of, percent, expected) in
        [(50, 100, 50, true), (49, 100, 50, false), (3, 5, 50, true), (2, 5, 50, false), (0, 0, 95, true)]
    {
        assert_eq!(is_enough(has, of, percent), expected, "{has} of {of}, {percent} %");
    }
}

/// Opens the default snapshot, which is in the repository.
fn nation() -> Directory {
    crate::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/default.platbook")).unwrap()
}

#[test]
fn the_default_snapshot_is_sound_and_follows_itself() {
    let directory = nation();
    check(is_sound(&directory), "fit");
    check(may_follow(&directory, &directory, false), "fit");
}

#[test]
fn another_world_does_not_follow_the_nation() {
    let nation = nation();
    let world = world(|contents| contents.ruled.meta.as_of = "2027-01-01T00:00:00Z".to_owned());
    check(may_follow(&world, &nation, false), "expected about 56 rows of the layer state");
}
