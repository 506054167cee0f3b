//! Land of American Indian nations: names, sentences for answers, and a separate trie.
//!
//! The chain of governments does not include this land. The land may lie in a county and in a city, and both keep some
//! of their jobs there. The trie is built like that of the chain. The code of an area is its number plus one.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    trie::{LabelSet, Line, Trie, TrieBuilder},
    write_error::WriteError,
};
use crate::geometry::LonLat;

/// An area before it is packed into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTribalLand {
    /// Name of the area, with its legal words.
    pub name: String,
    /// Name of the nation, if it differs from that of the land.
    pub nation: Option<String>,
    /// Sentences about the effects of the land's status for an owner.
    pub words: String,
    /// URL of the nation's main site.
    pub site: Option<String>,
    /// Sources of the area's lines, sentences and site, as rows of `meta`.
    pub sources: Vec<u16>,
}

/// A border: its vertices, and the numbers of the areas on both sides.
pub type Border<'a> = (&'a [LonLat], Vec<u32>);

/// The areas as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct TribalLands {
    /// Positions in `heap` of the name, the nation and the sentences of each area. The nation is the empty text if its
    /// name is that of the land.
    rows: Vec<(u32, u32, u32)>,
    /// Sources of the lines and sentences of all areas, as rows of `meta`.
    sources: Vec<u16>,
    heap: Vec<u8>,
    trie: Trie,
}

impl TribalLands {
    /// Packs areas and their borders. The areas must not overlap.
    ///
    /// # Errors
    /// [`WriteError::LongText`] or [`WriteError::LongEdge`] if a text or an edge is too long.
    pub fn pack(
        areas: &[NewTribalLand],
        borders: &[Border<'_>],
        leaf_edges_max: usize,
        sources: Vec<u16>,
    ) -> Result<TribalLands, WriteError> {
        let mut heap = TextHeap::<2>::new();
        let mut rows = Vec::with_capacity(areas.len());
        for area in areas {
            let nation = heap.place(area.nation.as_deref().unwrap_or_default())?;
            rows.push((heap.place(&area.name)?, nation, heap.place(&area.words)?));
        }
        // The code is the number plus one, because code 0 means that no area covers the point.
        let code = |sides: &Vec<u32>| sides.iter().fold(0, |code, area| code ^ (u64::from(*area) + 1));
        let label = |(_, sides): &Border<'_>| LabelSet { code: code(sides), areas: Vec::new(), kinds: 0 };
        let labels: Vec<LabelSet> = borders.iter().map(label).collect();
        let lines: Vec<Line<'_>> =
            (0..).zip(borders).map(|(label, (vertices, _))| Line { label, vertices }).collect();
        let trie = TrieBuilder::new(leaf_edges_max).build(&labels, &lines)?;
        Ok(TribalLands { rows, sources, heap: heap.into_bytes(), trie })
    }
}

/// Sites and sources of each area, as stored. This is a separate section because older snapshots have only
/// [`TribalLands`].
#[derive(Debug, Default, Archive, Serialize)]
pub struct NationSites {
    /// Position in `heap` of the URL of the nation's main site, for each area; the empty text if no site is known.
    sites: Vec<u32>,
    /// Sources of each area's lines, sentences and site, as rows of `meta`.
    sources: Vec<Vec<u16>>,
    heap: Vec<u8>,
}

impl NationSites {
    /// Packs the sites and sources of areas, in the order of [`TribalLands::pack`].
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a URL is too long.
    pub fn pack(areas: &[NewTribalLand]) -> Result<NationSites, WriteError> {
        let mut heap = TextHeap::<2>::new();
        let places = areas.iter().map(|area| heap.place(area.site.as_deref().unwrap_or_default()));
        let sites = places.collect::<Result<_, _>>()?;
        let sources = areas.iter().map(|area| area.sources.clone()).collect();
        Ok(NationSites { sites, sources, heap: heap.into_bytes() })
    }
}

impl ArchivedNationSites {
    /// The URL of the nation's main site, by the number of the area; `None` if no site is known.
    pub fn of(&self, number: u32) -> Option<&str> {
        let place = self.sites.get(number as usize)?.to_native();
        Some(text_at::<2>(&self.heap, place)).filter(|url| !url.is_empty())
    }

    /// Sources of an area by its number, as rows of `meta`.
    pub fn sources(&self, number: u32) -> impl Iterator<Item = u16> {
        let rows = self.sources.get(number as usize).into_iter();
        rows.flat_map(|rows| rows.iter().map(|row| row.to_native()))
    }

    /// The URLs of the main sites of all areas that have one.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.sites.len() as u32).filter_map(|number| self.of(number))
    }

    pub(super) fn check_layout(&self, areas: usize, sources: usize) -> Result<(), SnapshotError> {
        if self.sites.len() != areas || self.sources.len() != areas {
            let detail = format!("{areas} sites expected, one for each area; got {}", self.sites.len());
            return Err(SnapshotError::layout("nation_sites", detail));
        }
        let rows = |number| self.sources(number);
        if (0..areas as u32).flat_map(rows).any(|row| usize::from(row) >= sources) {
            return Err(SnapshotError::layout("nation_sites", "a row names a source that does not exist"));
        }
        Ok(())
    }
}

impl ArchivedTribalLands {
    /// The number of areas in the section.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The number of the area that contains the point; `None` outside all areas.
    pub fn at(&self, point: LonLat) -> Option<u32> {
        let number = self.trie.lookup(point).checked_sub(1)?;
        (number < self.rows.len() as u64).then_some(number as u32)
    }

    /// Calls `visit` with points on both sides of all borders, so that it gets points of every area, even the smallest.
    pub fn beside_borders(&self, visit: impl FnMut(LonLat)) {
        self.trie.beside_edges(visit);
    }

    /// Name of the area, name of the nation and sentences, by the number of the area. Empty texts for an unknown
    /// number.
    pub fn texts(&self, number: u32) -> [&str; 3] {
        let places = self
            .rows
            .get(number as usize)
            .map_or([0; 3], |row| [row.0.to_native(), row.1.to_native(), row.2.to_native()]);
        places.map(|place| text_at::<2>(&self.heap, place))
    }

    /// The names and sentences of all areas.
    pub fn all_texts(&self) -> impl Iterator<Item = &str> {
        (0..self.rows.len() as u32).flat_map(|number| self.texts(number))
    }

    /// Sources of the lines and sentences of all areas, as rows of `meta`.
    pub fn sources(&self) -> impl Iterator<Item = u16> {
        self.sources.iter().map(|row| row.to_native())
    }

    pub(super) fn check_layout(&self, sources: usize) -> Result<(), SnapshotError> {
        if self.sources().any(|row| usize::from(row) >= sources) {
            return Err(SnapshotError::layout("tribal", "a row names a source that does not exist"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_finds_its_area_and_its_texts() {
        let ring = |west: i32| {
            let corners = [(west, 0), (west + 1_000, 0), (west + 1_000, 1_000), (west, 1_000), (west, 0)];
            corners.map(|(lon, lat)| LonLat::from_units(lat, lon))
        };
        let (one, two) = (ring(0), ring(5_000));
        let land = |name: &str, nation: Option<&str>| NewTribalLand {
            name: name.to_owned(),
            nation: nation.map(str::to_owned),
            words: "Words.".to_owned(),
            site: nation.map(|_| "https://one.example/".to_owned()),
            sources: vec![0; usize::from(nation.is_some())],
        };
        let areas = [land("One Reservation", Some("One Nation")), land("Two Pueblo", None)];
        let packed = TribalLands::pack(&areas, &[(&one, vec![0]), (&two, vec![1])], 32, vec![0]).unwrap();
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedTribalLands, rkyv::rancor::Error>(&bytes).unwrap();
        let at = |lon: i32| read.at(LonLat::from_units(500, lon)).map(|number| read.texts(number));
        assert_eq!(at(500), Some(["One Reservation", "One Nation", "Words."]));
        assert_eq!(at(5_500), Some(["Two Pueblo", "", "Words."]));
        assert_eq!(at(3_000), None);
        let mut met = std::collections::BTreeSet::new();
        read.beside_borders(|point| {
            met.insert(read.at(point));
        });
        assert_eq!(met, [None, Some(0), Some(1)].into());
        assert!(read.check_layout(1).is_ok() && read.check_layout(0).is_err());
        let sites = rkyv::to_bytes::<rkyv::rancor::Error>(&NationSites::pack(&areas).unwrap()).unwrap();
        let sites = rkyv::access::<ArchivedNationSites, rkyv::rancor::Error>(&sites).unwrap();
        assert_eq!((sites.of(0), sites.of(1), sites.of(2)), (Some("https://one.example/"), None, None));
        assert_eq!((sites.sources(0).count(), sites.sources(1).count()), (1, 0));
        assert!(sites.check_layout(2, 1).is_ok());
        assert!(sites.check_layout(1, 1).is_err() && sites.check_layout(2, 0).is_err());
    }
}
