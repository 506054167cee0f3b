//! Finds out whether a point in a county's legal area lies in water.

use super::{Chain, Directory, Quality, SourceRow};
use crate::{geometry::LonLat, snapshot::Snapshot};

/// The counties that reach beyond the shore, with one bit for each row. Each point needs this table, and it is small
/// enough to stay in cache.
#[derive(Debug, Default)]
pub(super) struct WaterCounties(Box<[u64]>);

impl WaterCounties {
    pub(super) fn new(snapshot: &Snapshot) -> WaterCounties {
        let rows: Vec<usize> =
            snapshot.shore().into_iter().flat_map(|shore| shore.counties()).map(|row| row as usize).collect();
        let mut bits = vec![0; rows.iter().max().map_or(0, |last| last / 64 + 1)];
        rows.into_iter().for_each(|row| bits[row / 64] |= 1 << (row % 64));
        WaterCounties(bits.into())
    }

    #[inline]
    fn has(&self, row: usize) -> bool {
        self.0.get(row / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }
}

impl Directory {
    /// The chain, with quality `Water` if the point lies in the county's water.
    #[inline]
    pub(super) fn with_water(&self, point: LonLat, chain: Chain) -> Chain {
        if self.water_counties.has(chain.county.index()) { self.beyond_shore(point, chain) } else { chain }
    }

    /// Tests whether the point is beyond the shoreline. A point outside of every county keeps its quality, because
    /// the county's legal area excludes it.
    fn beyond_shore(&self, point: LonLat, chain: Chain) -> Chain {
        let is_covered = !matches!(chain.quality, Quality::Nearest { .. });
        let in_water = is_covered && self.snapshot.shore().is_some_and(|shore| shore.is_beyond(point));
        if in_water { Chain { quality: Quality::Water, ..chain } } else { chain }
    }

    /// The sources of the shoreline that separates water from land.
    pub fn shore_sources(&self) -> impl Iterator<Item = SourceRow> {
        self.snapshot.shore().into_iter().flat_map(|shore| shore.sources()).map(SourceRow::new)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        directory::{Quality, Resolution},
        testing::{directory, point},
    };

    #[test]
    fn water_changes_the_quality_and_nothing_else() {
        let directory = directory();
        let resolved = |x: f64, y: f64| match directory.resolve(point(x, y)) {
            Resolution::Inside(chain) => chain,
            Resolution::Outside => panic!("{x}, {y} is in the world"),
        };
        let (lake, land) = (resolved(2.0, 1.5), resolved(5.0, 1.5));
        assert_eq!((lake.quality, land.quality), (Quality::Water, Quality::Inside));
        assert!(lake.rows().eq(land.rows()));
        assert_eq!(directory.shore_sources().map(|row| row.index()).collect::<Vec<_>>(), [1]);
    }
}
