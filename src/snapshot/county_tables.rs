//! What is known of whole counties, and which counties a ZIP code reaches. A snapshot may have this section, and so may
//! a layer file.

use std::ops::Range;

use rkyv::{Archive, Deserialize, Serialize};

use super::SnapshotError;
use crate::vocabulary::Radon;

/// The section as stored.
#[derive(Clone, Debug, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct CountyTables {
    /// Radon zones by county, ascending.
    radon: Vec<RadonRow>,
    /// Radon zones by town, ascending, where the counties are younger than the list of zones.
    radon_towns: Vec<RadonTownRow>,
    /// Where the radon zones are from: a row of the file's sources; `u16::MAX` without them.
    radon_source: u16,
    /// Pairs of ZIP code and county, ascending by ZIP code; in one the county with the most address ranges first.
    zip_counties: Vec<ZipCountyRow>,
    /// Where the pairs are from: a row of the file's sources; `u16::MAX` without them.
    zip_source: u16,
}

/// The radon zone of a county.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize)]
pub struct RadonRow {
    /// FIPS code, 5 digits.
    pub county: u16,
    /// Zone 1 (highest potential) to 3.
    pub zone: u8,
}

/// The radon zone of a town.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize)]
pub struct RadonTownRow {
    /// GEOID of the county subdivision as a number, 10 digits.
    pub town: u64,
    /// Zone 1 (highest potential) to 3.
    pub zone: u8,
}

/// A county that a ZIP code reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize)]
pub struct ZipCountyRow {
    /// ZIP code.
    pub zip: u32,
    /// FIPS code, 5 digits.
    pub county: u16,
    /// Address ranges of the ZIP code in the county.
    pub ranges: u32,
}

impl CountyTables {
    /// Tables of these rows, each kind with its source.
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
    /// The radon zone of a town, or else of its county; `None` where the tables have no radon zones at all.
    pub fn radon(&self, county: u16, town: Option<u64>) -> Option<Radon> {
        if self.radon.is_empty() {
            return None;
        }
        let of_town = town.and_then(|town| {
            let at = self.radon_towns.binary_search_by_key(&town, |row| row.town.to_native()).ok()?;
            self.radon_towns.get(at).map(|row| row.zone)
        });
        let of_county = || {
            let at = self.radon.binary_search_by_key(&county, |row| row.county.to_native()).ok()?;
            self.radon.get(at).map(|row| row.zone)
        };
        Some(match of_town.or_else(of_county) {
            Some(1) => Radon::Zone1,
            Some(2) => Radon::Zone2,
            Some(3) => Radon::Zone3,
            _ => Radon::NotListed,
        })
    }

    /// How many counties have a radon zone.
    pub fn radon_count(&self) -> usize {
        self.radon.len()
    }

    /// Row of the source of the radon zones.
    pub fn radon_source(&self) -> Option<u16> {
        Some(self.radon_source.to_native()).filter(|row| *row != u16::MAX)
    }

    /// The counties that a ZIP code reaches, the one with most address ranges first, each with that number.
    pub fn counties_of(&self, zip: u32) -> impl ExactSizeIterator<Item = (u16, u32)> {
        let rows = &self.zip_counties[self.rows_of(zip)];
        rows.iter().map(|row| (row.county.to_native(), row.ranges.to_native()))
    }

    /// How many pairs of ZIP code and county there are.
    pub fn zip_county_count(&self) -> usize {
        self.zip_counties.len()
    }

    /// Row of the source of the pairs.
    pub fn zip_source(&self) -> Option<u16> {
        Some(self.zip_source.to_native()).filter(|row| *row != u16::MAX)
    }

    fn rows_of(&self, zip: u32) -> Range<usize> {
        let start = self.zip_counties.partition_point(|row| row.zip.to_native() < zip);
        let end = self.zip_counties.partition_point(|row| row.zip.to_native() <= zip);
        start..end
    }

    pub(super) fn check(&self) -> Result<(), SnapshotError> {
        let zones = self.radon.iter().map(|row| row.zone).chain(self.radon_towns.iter().map(|row| row.zone));
        let zones = zones.into_iter().all(|zone| (1..=3).contains(&zone));
        let ascending = |a: &ArchivedRadonRow, b: &ArchivedRadonRow| a.county < b.county;
        if !zones || !self.radon.is_sorted_by(ascending) {
            return Err(SnapshotError::layout("county_tables", "zones 1 to 3, each county once, expected"));
        }
        if !self.zip_counties.is_sorted_by_key(|row| row.zip.to_native()) {
            return Err(SnapshotError::layout("county_tables", "ZIP codes in ascending order expected"));
        }
        Ok(())
    }
}
