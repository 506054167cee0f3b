//! Incorporated places that lie in several counties, with the rows of these counties.

use rkyv::{Archive, Serialize};

use super::SnapshotError;

/// The places in several counties, as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct PlaceCounties {
    /// Pairs of rows of `jurisdictions`: a place and a county in which it lies. Ascending.
    rows: Vec<(u32, u32)>,
    /// Row in `meta` of the source of this list.
    source: u16,
}

impl PlaceCounties {
    /// Packs the places that lie in at least two counties, and drops the others. `pairs` are rows of a place and a
    /// county; `source` is a row of `meta`.
    pub fn pack(mut pairs: Vec<(u32, u32)>, source: u16) -> PlaceCounties {
        pairs.sort_unstable();
        pairs.dedup();
        let several = pairs.chunk_by(|a, b| a.0 == b.0).filter(|counties| counties.len() > 1);
        PlaceCounties { rows: several.flatten().copied().collect(), source }
    }
}

impl ArchivedPlaceCounties {
    /// Returns the rows of the counties in which a place lies; no rows for a place in one county.
    pub fn of(&self, place: u32) -> impl Iterator<Item = u32> {
        let start = self.rows.partition_point(|row| row.0.to_native() < place);
        let rows = self.rows.get(start..).unwrap_or_default().iter();
        rows.take_while(move |row| row.0.to_native() == place).map(|row| row.1.to_native())
    }

    /// Row in `meta` of the source of this list.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    pub(super) fn check_layout(&self, rows: usize, sources: usize) -> Result<(), SnapshotError> {
        let is_row = |row: u32| (row as usize) < rows;
        if usize::from(self.source()) >= sources {
            return Err(SnapshotError::layout("place_counties", "the source does not exist"));
        }
        if self.rows.iter().any(|row| !is_row(row.0.to_native()) || !is_row(row.1.to_native())) {
            return Err(SnapshotError::layout(
                "place_counties",
                "a row names a jurisdiction that does not exist",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_several_counties_are_kept() {
        let packed = PlaceCounties::pack(vec![(9, 4), (9, 3), (9, 3), (7, 3), (2, 1), (2, 3)], 1);
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedPlaceCounties, rkyv::rancor::Error>(&bytes).unwrap();
        let of = |place: u32| read.of(place).collect::<Vec<_>>();
        assert_eq!((of(2), of(7), of(9), of(10)), (vec![1, 3], vec![], vec![3, 4], vec![]));
        assert!(read.check_layout(10, 2).is_ok());
        assert!(read.check_layout(9, 2).is_err() && read.check_layout(10, 1).is_err());
    }
}
