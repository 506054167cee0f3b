//! The edge of the mapped land: which points of a county's legal area lie in water.
//!
//! Legal lines of counties run through bays, lakes and the sea. Other published lines of the same counties end at the
//! shore. If the snapshot maps a county by its legal lines, the section holds the land within the other lines, along
//! the shore.
//!
//! The land is a trie of its own. A point lies in water if it is farther from the land than the land's line may be
//! off.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    areas::line_kind,
    trie::{LabelSet, Line, Trie, TrieBuilder},
    write_error::WriteError,
};
use crate::geometry::LonLat;

/// The contents of the section, before packing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewShore {
    /// Counties that reach beyond the shore, as rows of `jurisdictions`.
    pub counties: Vec<u32>,
    /// Sources whose areas include the water that is theirs by law, as rows of `meta`.
    pub with_water: Vec<u16>,
    /// Sources of the lines that end at the shore, as rows of `meta`.
    pub sources: Vec<u16>,
    /// How far those lines may be off, in meters.
    pub error_m: u32,
    /// The outline of the land: closed lines, divided at any vertex.
    pub outline: Vec<Vec<LonLat>>,
}

/// The shore as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Shore {
    counties: Vec<u32>,
    with_water: Vec<u16>,
    sources: Vec<u16>,
    error_m: u32,
    trie: Trie,
}

impl Shore {
    /// Packs the section; `leaf_edges_max` is that of [`TrieBuilder::new`].
    ///
    /// # Errors
    /// [`WriteError::LongEdge`] if an edge is too long.
    pub fn pack(new: NewShore, leaf_edges_max: usize) -> Result<Shore, WriteError> {
        let NewShore { mut counties, mut with_water, mut sources, error_m, outline } = new;
        counties.sort_unstable();
        with_water.sort_unstable();
        sources.sort_unstable();
        let label = LabelSet { code: 1, areas: Vec::new(), kinds: line_kind::OTHER };
        let lines: Vec<Line<'_>> = outline.iter().map(|vertices| Line { label: 0, vertices }).collect();
        let trie = TrieBuilder::new(leaf_edges_max).build(&[label], &lines)?;
        Ok(Shore { counties, with_water, sources, error_m, trie })
    }
}

impl ArchivedShore {
    /// Whether the point is farther from all land than the shoreline may be off. Valid only for points of areas that
    /// include their water, near the shores of [`ArchivedShore::counties`]: the section has no land elsewhere.
    pub fn is_beyond(&self, point: LonLat) -> bool {
        if self.trie.lookup(point) != 0 {
            return false;
        }
        let (limit_m, mut is_near) = (f64::from(self.error_m.to_native()), false);
        self.trie.near(point, limit_m, line_kind::ANY, None, |edge| {
            is_near |= edge.distance_m <= limit_m;
            edge.distance_m
        });
        !is_near
    }

    /// Counties that reach beyond the shore, as ascending rows.
    pub fn counties(&self) -> impl Iterator<Item = u32> {
        self.counties.iter().map(|row| row.to_native())
    }

    /// Whether areas of the source, given by its row, include the water that is theirs by law.
    pub fn is_with_water(&self, source: u16) -> bool {
        self.with_water.binary_search_by_key(&source, |row| row.to_native()).is_ok()
    }

    /// Sources of the lines that end at the shore, as rows of `meta`.
    pub fn sources(&self) -> impl Iterator<Item = u16> {
        self.sources.iter().map(|row| row.to_native())
    }

    pub(super) fn check_layout(&self, jurisdictions: usize, sources: usize) -> Result<(), SnapshotError> {
        if self.counties().any(|row| row as usize >= jurisdictions) {
            return Err(SnapshotError::layout("shore", "a row names a county that does not exist"));
        }
        let with_water = self.with_water.iter().map(|row| row.to_native());
        if self.sources().chain(with_water).any(|row| usize::from(row) >= sources) {
            return Err(SnapshotError::layout("shore", "a row names a source that does not exist"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Land of 0.01 degree, about 1,100 m, from the corner to the north and east; its line may be off by 200 m.
    #[test]
    fn water_begins_where_the_shore_can_no_longer_be() {
        let corners = [(0, 0), (100_000, 0), (100_000, 100_000), (0, 100_000), (0, 0)];
        let outline = vec![corners.map(|(lon, lat)| LonLat::from_units(lat, lon)).to_vec()];
        let new = NewShore {
            counties: vec![7, 3],
            with_water: vec![4, 2],
            sources: vec![1],
            error_m: 200,
            outline,
        };
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&Shore::pack(new, 32).unwrap()).unwrap();
        let shore = rkyv::access::<ArchivedShore, rkyv::rancor::Error>(&bytes).unwrap();
        // 1,000 steps are 11.1 m.
        for (lon, is_beyond) in [(50_000, false), (100_500, false), (117_000, false), (119_000, true)] {
            assert_eq!(shore.is_beyond(LonLat::from_units(50_000, lon)), is_beyond, "{lon}");
        }
        assert!(shore.counties().eq([3, 7]) && shore.sources().eq([1]));
        assert_eq!([1, 2, 4].map(|source| shore.is_with_water(source)), [false, true, true]);
        assert!(shore.check_layout(8, 5).is_ok());
        assert!(shore.check_layout(7, 5).is_err() && shore.check_layout(8, 4).is_err());
    }
}
