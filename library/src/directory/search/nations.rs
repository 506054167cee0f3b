//! Finds land of American Indian nations by name, with the counties that it reaches.
//!
//! A nation is not a government of the chain, so a search finds the counties of its land instead, with a notice. The
//! counties are found by testing points of a grid over each county. For a small land that all grid points miss,
//! points beside the land's borders are tested.

use std::collections::{BTreeMap, BTreeSet};

use super::{Interpretation, Search};
use crate::{
    directory::{Directory, Resolution, Row, TribalLandRow},
    geometry::LonLat,
    vocabulary::{Folded, Layer, StateCode, key_of},
};

/// Words that many names of such lands share.
const COMMON_WORDS: [&str; 21] = [
    "and",
    "band",
    "colony",
    "community",
    "confederated",
    "indian",
    "indians",
    "land",
    "nation",
    "of",
    "off",
    "pueblo",
    "rancheria",
    "reservation",
    "reservations",
    "the",
    "tribal",
    "tribe",
    "tribes",
    "trust",
    "village",
];

/// A county counts if it has at least this fraction (one in n) of the points beside a land's borders. If a border
/// follows a county line, some points lie on the wrong side of that line. Chosen, not measured.
const BORDER_SHARE: u32 = 8;

/// Lands by the keys of their names, and the counties of each.
#[derive(Debug, Default)]
pub(in crate::directory) struct NamedLands {
    /// Keys of names with their lands, ascending.
    keys: Vec<(String, TribalLandRow)>,
    /// Lands with their counties, ascending.
    counties: BTreeSet<(TribalLandRow, Row)>,
}

impl NamedLands {
    pub(in crate::directory) fn new(directory: &Directory) -> NamedLands {
        let mut counties = BTreeSet::new();
        for point in directory.points_in_counties() {
            if let Some(land) = directory.tribal_land_at(point)
                && let Resolution::Inside(chain) = directory.resolve(point)
            {
                counties.insert((land, chain.county));
            }
        }
        let large = counties.iter().map(|(land, _)| *land).collect();
        counties.extend(directory.counties_of_small_lands(&large));
        let lands: BTreeSet<TribalLandRow> = counties.iter().map(|(land, _)| *land).collect();
        let mut keys = Vec::new();
        for land in lands {
            let view = directory.tribal_land(land);
            for name in [Some(view.name), view.nation].into_iter().flatten() {
                // Words in parentheses are not part of the name that people use.
                let outside = name.split('(').next().unwrap_or(name);
                let name = Folded::of(outside);
                keys.push((own_words(&name.words().collect::<Vec<_>>(), &COMMON_WORDS), land));
            }
        }
        keys.sort();
        keys.dedup();
        NamedLands { keys, counties }
    }

    /// The lands with this key, each with its counties, restricted to a state if one is given.
    fn of_key(
        &self,
        directory: &Directory,
        key: &str,
        state: Option<StateCode>,
    ) -> Vec<(TribalLandRow, Vec<Row>)> {
        let start = self.keys.partition_point(|known| known.0.as_str() < key);
        let lands = self.keys[start..].iter().take_while(|known| known.0 == key).map(|known| known.1);
        let with_counties = lands.map(|land| (land, self.counties_of(directory, land, state)));
        let mut lands: Vec<_> = with_counties.filter(|(_, counties)| !counties.is_empty()).collect();
        // Several nations may share a name; the one with the most people around it comes first.
        let people = |counties: &[Row]| counties.iter().map(|row| directory.population_of(*row)).max();
        lands.sort_by_cached_key(|(_, counties)| std::cmp::Reverse(people(counties)));
        lands
    }

    fn counties_of(&self, directory: &Directory, land: TribalLandRow, state: Option<StateCode>) -> Vec<Row> {
        let of_land = self.counties.iter().filter(|entry| entry.0 == land).map(|entry| entry.1);
        of_land
            .filter(|county| state.is_none_or(|state| directory.state_of(*county) == Some(state)))
            .collect()
    }
}

/// The key of a name without the words that many names of its kind share.
pub(super) fn own_words(words: &[&str], common: &[&str]) -> String {
    let own: Vec<&str> = words.iter().copied().filter(|word| !common.contains(word)).collect();
    key_of(&own)
}

impl Search<'_> {
    /// The lands of a name, each with its counties. With `plain`, a name without any common word counts as well, such
    /// as "Red Lake". The index is used only for names that may be those of a land, because making it is slow.
    pub(super) fn lands(
        &self,
        interpretations: &[Interpretation<'_>],
        plain: bool,
    ) -> Vec<(TribalLandRow, Vec<Row>)> {
        let may_name = |one: &&Interpretation<'_>| {
            let is_plain = || one.words.iter().all(|word| !COMMON_WORDS.contains(word));
            one.county.is_none() && (plain || !is_plain())
        };
        let named = interpretations.iter().filter(may_name).map(|one| {
            let key = own_words(&one.words, &COMMON_WORDS);
            let lands = (!key.is_empty()).then(|| self.directory.named_lands());
            lands.map_or(Vec::new(), |lands| lands.of_key(self.directory, &key, one.state))
        });
        named.into_iter().find(|lands| !lands.is_empty()).unwrap_or_default()
    }
}

impl Directory {
    /// Finds the counties of small lands by points beside the borders of each land. Leaves out the lands in `large`.
    fn counties_of_small_lands(&self, large: &BTreeSet<TribalLandRow>) -> Vec<(TribalLandRow, Row)> {
        let (mut all, mut met) = (BTreeMap::new(), BTreeMap::new());
        let Some(lands) = self.snapshot.tribal() else { return Vec::new() };
        lands.beside_borders(|point| {
            if let Some(land) = self.tribal_land_at(point).filter(|land| !large.contains(land))
                && let Resolution::Inside(chain) = self.resolve(point)
            {
                *all.entry(land).or_insert(0_u32) += 1;
                *met.entry((land, chain.county)).or_insert(0_u32) += 1;
            }
        });
        let is_there = |land: TribalLandRow, points: u32| points.saturating_mul(BORDER_SHARE) >= all[&land];
        met.into_iter()
            .filter(|((land, _), points)| is_there(*land, *points))
            .map(|(entry, _)| entry)
            .collect()
    }

    /// Points on a grid over the box of each county.
    fn points_in_counties(&self) -> impl Iterator<Item = LonLat> {
        let areas = self.snapshot.areas();
        let is_county =
            move |area: u32| areas.area(area).is_some_and(|row| row.layer() == Some(Layer::County));
        let boxes = self.area_boxes().iter().filter(move |(area, _)| is_county(*area));
        boxes.flat_map(|(_, bbox)| bbox.grid())
    }
}
