//! Facts about whole counties, and the counties in which each ZIP code has addresses. Snapshots and layer files may
//! have this section.

use std::ops::Range;

use rkyv::{Archive, Deserialize, Serialize};

use super::SnapshotError;

/// The section `county_tables` as stored.
#[derive(Clone, Debug, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct CountyTables {
    /// Radon zones by county, ascending by FIPS code.
    radon: Vec<RadonRow>,
    /// Radon zones by town, ascending, for counties that were formed after the list of zones.
    radon_towns: Vec<RadonTownRow>,
    /// Row in `meta` of the source of the radon zones; `u16::MAX` without zones.
    radon_source: u16,
    /// Pairs of ZIP code and county, ascending by ZIP code. Within a ZIP code, the county with the most address ranges
    /// comes first.
    zip_counties: Vec<ZipCountyRow>,
    /// Row in `meta` of the source of these pairs; `u16::MAX` without pairs.
    zip_source: u16,
}

/// The radon zone of a county.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize)]
pub struct RadonRow {
    /// FIPS code of the county, 5 digits.
    pub county: u16,
    /// Zone 1 (highest potential) to 3 (lowest).
    pub zone: u8,
}

/// The radon zone of a town.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize)]
pub struct RadonTownRow {
    /// GEOID of the county subdivision as a number, 10 digits.
    pub town: u64,
    /// Zone 1 (highest potential) to 3 (lowest).
    pub zone: u8,
}

/// A ZIP code and a county in which it has addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize)]
pub struct ZipCountyRow {
    /// ZIP code as a number.
    pub zip: u32,
    /// FIPS code of the county, 5 digits.
    pub county: u16,
    /// Number of address ranges of the ZIP code in the county.
    pub ranges: u32,
}

impl CountyTables {
    /// Sorts and packs the rows. Each source is a row of `meta`.
    pub fn pack(
        mut radon: Vec<RadonRow>,
        mut radon_towns: Vec<RadonTownRow>,
        radon_source: Option<u16>,
        mut zip_counties: Vec<ZipCountyRow>,
        zip_source: Option<u16>,
    ) -> CountyTables {
        radon.sort_unstable();
        radon_towns.sort_unstable();
        zip_counties.sort_unstable_by_key(|row| (row.zip, u32::MAX - row.ranges, row.county));
        CountyTables {
            radon,
            radon_towns,
            radon_source: radon_source.unwrap_or(u16::MAX),
            zip_counties,
            zip_source: zip_source.unwrap_or(u16::MAX),
        }
    }
}

impl ArchivedCountyTables {
    /// The radon zone of a town, or else of its county, from 1 to 3; `None` if neither has a zone.
    pub fn radon(&self, county: u16, town: Option<u64>) -> Option<u8> {
        let of_town = town.and_then(|town| {
            let at = self.radon_towns.binary_search_by_key(&town, |row| row.town.to_native()).ok()?;
            self.radon_towns.get(at).map(|row| row.zone)
        });
        let of_county = || {
            let at = self.radon.binary_search_by_key(&county, |row| row.county.to_native()).ok()?;
            self.radon.get(at).map(|row| row.zone)
        };
        of_town.or_else(of_county)
    }

    /// Number of counties that have a radon zone.
    pub fn radon_count(&self) -> usize {
        self.radon.len()
    }

    /// Row in `meta` of the source of the radon zones; `None` without zones.
    pub fn radon_source(&self) -> Option<u16> {
        Some(self.radon_source.to_native()).filter(|row| *row != u16::MAX)
    }

    /// The counties in which a ZIP code has addresses, each with the number of address ranges, the largest number
    /// first.
    pub fn counties_of(&self, zip: u32) -> impl ExactSizeIterator<Item = (u16, u32)> {
        let rows = &self.zip_counties[self.rows_of(zip)];
        rows.iter().map(|row| (row.county.to_native(), row.ranges.to_native()))
    }

    /// Number of pairs of ZIP code and county.
    pub fn zip_county_count(&self) -> usize {
        self.zip_counties.len()
    }

    /// Row in `meta` of the source of the pairs of ZIP code and county; `None` without pairs.
    pub fn zip_source(&self) -> Option<u16> {
        Some(self.zip_source.to_native()).filter(|row| *row != u16::MAX)
    }

    fn rows_of(&self, zip: u32) -> Range<usize> {
        let start = self.zip_counties.partition_point(|row| row.zip.to_native() < zip);
        let end = self.zip_counties.partition_point(|row| row.zip.to_native() <= zip);
        start..end
    }

    pub(super) fn check_layout(&self) -> Result<(), SnapshotError> {
        let zones = self.radon.iter().map(|row| row.zone).chain(self.radon_towns.iter().map(|row| row.zone));
        let zones = zones.into_iter().all(|zone| (1..=3).contains(&zone));
        let ascending = |a: &ArchivedRadonRow, b: &ArchivedRadonRow| a.county < b.county;
        if !zones || !self.radon.is_sorted_by(ascending) {
            return Err(SnapshotError::layout(
                "county_tables",
                "a zone is not 1 to 3, or a county occurs twice",
            ));
        }
        if !self.zip_counties.is_sorted_by_key(|row| row.zip.to_native()) {
            return Err(SnapshotError::layout("county_tables", "the ZIP codes are not in ascending order"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        snapshot::{LayerFile, write::LayerContents},
        testing,
    };

    fn layer(tables: CountyTables) -> Result<LayerFile, SnapshotError> {
        let contents = LayerContents { county_tables: Some(tables), ..LayerContents::default() };
        LayerFile::copy(&contents.to_bytes().unwrap())
    }

    #[test]
    fn rows_are_found_again() {
        let radon = vec![RadonRow { county: 27_053, zone: 1 }, RadonRow { county: 1_001, zone: 2 }];
        let towns = vec![RadonTownRow { town: 911_012_345, zone: 3 }];
        let pair = |zip, county, ranges| ZipCountyRow { zip, county, ranges };
        let zips = vec![pair(55_401, 27_053, 9), pair(1_002, 25_011, 58), pair(1_002, 25_015, 1946)];
        let layer = layer(CountyTables::pack(radon, towns, Some(0), zips, None)).unwrap();
        let tables = layer.county_tables().unwrap();
        for (county, town, zone) in [
            (27_053, None, Some(1)),
            (1_001, Some(5), Some(2)),
            (9_110, Some(911_012_345), Some(3)),
            (9_110, None, None),
        ] {
            assert_eq!(tables.radon(county, town), zone, "{county}");
        }
        assert_eq!(tables.counties_of(1_002).collect::<Vec<_>>(), [(25_015, 1946), (25_011, 58)]);
        assert_eq!(tables.counties_of(99_999).len(), 0);
        assert_eq!((tables.radon_source(), tables.zip_source()), (Some(0), None));
        assert_eq!((tables.radon_count(), tables.zip_county_count()), (2, 3));
    }

    #[test]
    fn a_snapshot_may_have_them() {
        assert!(testing::directory().snapshot().county_tables().is_none());
        let radon = vec![RadonRow { county: 27_001, zone: 2 }];
        let tables = CountyTables::pack(radon, Vec::new(), Some(0), Vec::new(), None);
        let directory = testing::directory_with(|contents| {
            contents.pages.county_tables = Some(tables);
        });
        let snapshot = directory.snapshot();
        assert_eq!(snapshot.county_tables().and_then(|tables| tables.radon(27_001, None)), Some(2));
    }

    #[test]
    fn without_a_list_nothing_is_said() {
        let layer = layer(CountyTables::pack(Vec::new(), Vec::new(), None, Vec::new(), None)).unwrap();
        let tables = layer.county_tables().unwrap();
        assert_eq!((tables.radon_count(), tables.radon(27_053, None)), (0, None));
    }

    #[test]
    fn zones_that_make_no_sense_are_refused() {
        let row = |county, zone| RadonRow { county, zone };
        for radon in [vec![row(1_001, 4)], vec![row(1_001, 1), row(1_001, 2)]] {
            let error = layer(CountyTables::pack(radon, Vec::new(), None, Vec::new(), None)).unwrap_err();
            assert!(error.to_string().contains("county_tables"), "{error}");
        }
    }
}
