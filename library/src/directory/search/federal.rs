//! Finds federal land by name, such as a base or a national park, with the counties that it reaches.
//!
//! Federal land is not a government of the chain, so a search finds the counties of the land instead, with a caveat.
//! The counties are found by testing points of a grid over each outline of the land.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{FEW_PLACES_MAX, Interpretation, Search, nations::own_words};
use crate::{
    directory::{Directory, FederalLandRow, FederalLandView, Resolution, Row},
    vocabulary::{FederalKind, Folded, StateCode, key_of},
};

/// Words for kinds of federal land, which many names share.
const KIND_WORDS: [&str; 40] = [
    "afb",
    "air",
    "airfield",
    "and",
    "area",
    "army",
    "arsenal",
    "barracks",
    "base",
    "coast",
    "corps",
    "depot",
    "field",
    "force",
    "forest",
    "forests",
    "grassland",
    "grasslands",
    "guard",
    "joint",
    "lakeshore",
    "marine",
    "military",
    "monument",
    "national",
    "naval",
    "navy",
    "of",
    "park",
    "parks",
    "post",
    "preserve",
    "recreation",
    "refuge",
    "reservation",
    "seashore",
    "space",
    "station",
    "the",
    "wildlife",
];

/// Words that begin the name of a base without a word for its kind: "Fort Sill", "Camp Pendleton".
const BASE_WORDS: [&str; 2] = ["fort", "camp"];

/// A name of federal land. `L` identifies the land.
#[derive(Debug)]
struct LandName<L> {
    /// The key of the name without words for kinds.
    own: String,
    /// The whole name, folded.
    name: Folded,
    kind: FederalKind,
    land: L,
}

/// Names of federal land, in the order of their keys.
#[derive(Debug)]
pub(in crate::directory) struct FederalNames<L = FederalLandRow>(Box<[LandName<L>]>);

impl<L> LandName<L> {
    fn is_whole(&self, words: &[&str]) -> bool {
        self.name.words().eq(words.iter().copied())
    }
}

impl<L: Copy> FederalNames<L> {
    pub(in crate::directory) fn of<'v>(
        lands: impl Iterator<Item = (L, FederalLandView<'v>)>,
    ) -> FederalNames<L> {
        let named = lands.map(|(land, view)| {
            let name = Folded::of(view.name);
            let own = own_words(&name.words().collect::<Vec<_>>(), &KIND_WORDS);
            LandName { own, name, kind: view.kind, land }
        });
        let mut names: Vec<LandName<L>> = named.filter(|name| !name.own.is_empty()).collect();
        // Camp Pendleton has an air station of its own, with a longer name.
        names.sort_by_cached_key(|one| {
            (one.own.clone(), one.kind, one.name.words().count(), one.name.as_str().to_owned())
        });
        FederalNames(names.into())
    }

    /// All outlines of the land that the words name; empty if they name none.
    ///
    /// Words for the kind must be those of the name: "Sequoia National Forest" is not a park. Bases need no such match,
    /// because people use many words for them. Without words for a kind, only a base counts, by its whole name or as a
    /// fort or camp.
    fn of_words(&self, words: &[&str]) -> Vec<L> {
        let own = own_words(words, &KIND_WORDS);
        let is_plain = own == key_of(words);
        let is_fort = words.first().is_some_and(|first| BASE_WORDS.contains(first));
        let start = self.0.partition_point(|known| known.own.as_str() < own.as_str());
        let alike = self.0[start..].iter().take_while(|known| known.own == own);
        let is_named = |known: &&LandName<L>| match known.kind {
            FederalKind::Base => !is_plain || is_fort || known.is_whole(words),
            _ => !is_plain && words.iter().all(|word| known.name.words().any(|other| other == *word)),
        };
        let named: Vec<&LandName<L>> = alike.filter(is_named).collect();
        let whole = named.iter().find(|known| known.is_whole(words));
        let Some(best) = whole.or(named.first()) else { return Vec::new() };
        named.iter().filter(|known| known.kind == best.kind).map(|known| known.land).collect()
    }
}

impl Search<'_> {
    /// The federal land of a name, with the counties that it reaches, those with most of the land first.
    pub(super) fn federal_land(
        &self,
        interpretations: &[Interpretation<'_>],
    ) -> Option<(FederalLandRow, Vec<Row>)> {
        let mut whole = interpretations.iter().filter(|one| one.county.is_none());
        whole.find_map(|one| {
            let lands = self.directory.federal_names().of_words(&one.words);
            let counties = self.directory.counties_of_federal(&lands, one.state);
            lands.first().copied().filter(|_| !counties.is_empty()).map(|land| (land, counties))
        })
    }
}

impl Directory {
    /// The counties that federal land reaches in a state, or in all states, those with most of the land first. A
    /// national forest may reach a dozen, so only [`FEW_PLACES_MAX`] are given.
    fn counties_of_federal(&self, lands: &[FederalLandRow], state: Option<StateCode>) -> Vec<Row> {
        let mut area_in: BTreeMap<Row, u64> = BTreeMap::new();
        for (point, area) in lands.iter().flat_map(|land| self.points_in_federal(*land)) {
            if let Resolution::Inside(chain) = self.resolve(point) {
                let known = area_in.entry(chain.county).or_default();
                *known = known.saturating_add(area);
            }
        }
        let mut counties: Vec<(u64, Row)> = area_in.into_iter().map(|(row, area)| (area, row)).collect();
        counties.retain(|(_, row)| state.is_none_or(|state| self.state_of(*row) == Some(state)));
        counties.sort_by_key(|(area, row)| (Reverse(*area), *row));
        counties.into_iter().map(|(_, row)| row).take(FEW_PLACES_MAX).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{directory::Unlisted, testing};

    #[test]
    fn federal_land_is_found_by_its_name() {
        let directory = testing::directory();
        for (text, expected) in [
            ("Elk National Park", "Adams County"),
            ("elk park, minnesota", "Adams County"),
            ("building permit in elk national park", "Adams County"),
            // Another kind of land, another state, and no word for a kind.
            ("Elk National Forest", ""),
            ("Elk National Park, WI", ""),
            ("elk", ""),
            // A government has the name.
            ("Rivertown", "Rivertown"),
        ] {
            let found = directory.search(text, None, 10);
            let is_federal = matches!(found.unlisted[..], [Unlisted::FederalLand(_)]);
            let names: Vec<&str> = found.places.iter().map(|found| directory.name_of(found.row)).collect();
            assert_eq!(
                (names.join(", ").as_str(), is_federal),
                (expected, expected.ends_with("County")),
                "{text}"
            );
        }
    }

    #[test]
    fn words_for_kinds_must_be_those_of_the_name() {
        let lands = [
            ("Sequoia National Park", FederalKind::Park),
            ("Sequoia National Forest", FederalKind::Forest),
            ("Fort Sill", FederalKind::Base),
            ("Luke Air Force Base", FederalKind::Base),
            ("Coast Guard Air Station Cape Cod", FederalKind::Base),
        ];
        let view = |(name, kind)| FederalLandView { name, kind };
        let names = FederalNames::of(lands.into_iter().map(view).enumerate());
        for (text, expected) in [
            ("sequoia national forest", Some(1)),
            ("sequoia park", Some(0)),
            ("sequoia monument", None),
            ("sequoia", None),
            ("fort sill", Some(2)),
            ("fort sill army post", Some(2)),
            ("luke afb", Some(3)),
            ("luke", None),
            ("cape cod", None),
            ("cape cod coast guard station", Some(4)),
            ("national park", None),
            ("", None),
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(names.of_words(&words).first().copied(), expected, "{text}");
        }
    }
}
