//! The line between land and water: which points of a county's legal area lie in water.
//!
//! Legal lines of counties run through bays, lakes and the sea. Other published lines of the same counties end at the
//! shore. The section is for counties with their legal lines in the snapshot. It holds the land inside the other lines,
//! along the shore.
//!
//! The land has a separate trie. A point lies in water if its distance to the land exceeds the uncertainty of the
//! shoreline.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    areas::line_kind,
    trie::{LabelSet, Line, Trie, TrieBuilder},
    write_error::WriteError,
};
use crate::geometry::LonLat;

/// The contents of the section `shore`, before packing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewShore {
    /// Counties whose legal area extends beyond the shore, as rows of `jurisdictions`.
    pub counties: Vec<u32>,
    /// Sources whose areas include the water inside legal limits, as rows of `meta`.
    pub with_water: Vec<u16>,
    /// Sources of the lines that end at the shore, as rows of `meta`.
    pub sources: Vec<u16>,
    /// The uncertainty of the lines that end at the shore, in meters.
    pub error_m: u32,
    /// The outline of the land: closed lines, which may be divided at any vertex.
    pub outline: Vec<Vec<LonLat>>,
}

/// The section `shore` as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Shore {
    counties: Vec<u32>,
    with_water: Vec<u16>,
    sources: Vec<u16>,
    error_m: u32,
    trie: Trie,
}

impl Shore {
    /// Packs the section. See [`TrieBuilder::new`] for `leaf_edges_max`.
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
    /// Whether the distance from the point to all land exceeds the uncertainty of the shoreline. Valid only near the
    /// shores of [`ArchivedShore::counties`], for points of areas that include water: the section has no land
    /// elsewhere.
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

    /// Counties whose legal area extends beyond the shore, as rows of `jurisdictions`, ascending.
    pub fn counties(&self) -> impl Iterator<Item = u32> {
        self.counties.iter().map(|row| row.to_native())
    }

    /// Whether areas of this source include the water inside legal limits. `source` is a row of `meta`.
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

    /// The land is a square of 0.01 degree, about 1,100 m, north and east of the origin. The uncertainty of its line is
    /// 200 m.
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
        // 1,000 units are 11.1 m.
        for (lon, is_beyond) in [(50_000, false), (100_500, false), (117_000, false), (119_000, true)] {
            assert_eq!(shore.is_beyond(LonLat::from_units(50_000, lon)), is_beyond, "{lon}");
        }
        assert!(shore.counties().eq([3, 7]) && shore.sources().eq([1]));
        assert_eq!([1, 2, 4].map(|source| shore.is_with_water(source)), [false, true, true]);
        assert!(shore.check_layout(8, 5).is_ok());
        assert!(shore.check_layout(7, 5).is_err() && shore.check_layout(8, 4).is_err());
    }
}
