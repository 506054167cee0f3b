//! Resolves many points at once: slices in, columns out.
//!
//! Nothing is allocated for a point. Columns are allocated once for a call, and each jurisdiction that occurs is
//! stored once in the dictionary of its layer. A data frame can use the codes and the texts of the dictionaries as they
//! are. Formats with a bitmap of nulls, such as Apache Arrow, derive it from [`NO_CODE`].

use super::{Directory, Quality, Resolution, Row};
use crate::geometry::{LonLat, PointError};

/// Points that are resolved together, so that their data stays in the fastest cache. Chosen, not measured.
pub const BLOCK_POINTS: usize = 64;

/// The code of a point without a jurisdiction of the layer.
pub const NO_CODE: u32 = u32::MAX;

/// The jurisdiction of one layer that covers each point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// For each point an index into `dictionary`, or [`NO_CODE`].
    pub codes: Vec<u32>,
    /// Each jurisdiction that occurs, once, in the order of its first point.
    pub dictionary: Vec<Row>,
}

impl Column {
    /// The jurisdiction of a point, by its index; `None` if it has none of this layer.
    pub fn get(&self, point: usize) -> Option<Row> {
        let code = *self.codes.get(point)?;
        self.dictionary.get(code as usize).copied()
    }
}

/// How a point met its areas, in one byte: [`Quality`] without its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum QualityCode {
    /// In no covered state or territory; all columns have [`NO_CODE`].
    Outside = 0,
    /// Inside each area of the chain.
    Inside = 1,
    /// In a sliver where layers of different scale or vintage disagree; settled by the reconciliation rule.
    Sliver = 2,
    /// Just outside the mapped shore or border; the nearest county is given.
    Nearest = 3,
    /// Beyond the mapped shore, in water that is part of the county's legal area.
    Water = 4,
}

/// The chains of many points. Each column has an entry for each point, in the given order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// States and territories, including the District of Columbia.
    pub state: Column,
    /// Counties and county equivalents.
    pub county: Column,
    /// County subdivisions: towns and townships.
    pub cousub: Column,
    /// Incorporated places, such as cities and villages.
    pub place: Column,
    /// How each point met its areas.
    pub quality: Vec<QualityCode>,
    /// Meters from the point to the county given for it; 0 unless the quality is `Nearest`.
    pub nearest_m: Vec<f32>,
}

/// The reason why slices of coordinates cannot be resolved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BulkError {
    /// The slices have different lengths.
    #[error("expected as many longitudes as latitudes, got {lats} latitudes and {lons} longitudes")]
    Lengths {
        /// Number of latitudes given.
        lats: usize,
        /// Number of longitudes given.
        lons: usize,
    },
    /// A point is not on the globe.
    #[error("at index {index}: {cause}; latitudes come first, longitudes second")]
    Point {
        /// Index of the point in the slices.
        index: usize,
        /// The coordinate that is out of range.
        cause: PointError,
    },
}

impl Directory {
    /// The chains of many points, given as latitudes and longitudes in degrees (WGS84).
    ///
    /// # Errors
    /// [`BulkError`] if the slices differ in length, or a point is not on the globe; the error has its index. No
    /// chains are returned then.
    pub fn resolve_all(&self, lats: &[f64], lons: &[f64]) -> Result<Columns, BulkError> {
        if lats.len() != lons.len() {
            return Err(BulkError::Lengths { lats: lats.len(), lons: lons.len() });
        }
        let mut writer = ColumnWriter::new(self.jurisdiction_count(), lats.len());
        let mut points = Vec::with_capacity(BLOCK_POINTS);
        for (block, (lats, lons)) in lats.chunks(BLOCK_POINTS).zip(lons.chunks(BLOCK_POINTS)).enumerate() {
            points.clear();
            for (at, (lat, lon)) in lats.iter().zip(lons).enumerate() {
                let index = block * BLOCK_POINTS + at;
                let point = LonLat::from_lat_lon(*lat, *lon);
                points.push(point.map_err(|cause| BulkError::Point { index, cause })?);
            }
            self.resolve_each(&points, |resolution| writer.push(&resolution));
        }
        Ok(writer.columns)
    }

    /// Calls `take` with the resolution of each point, in their order, as [`Directory::resolve`] gives it. Points that
    /// lie far apart take less time than one by one.
    pub fn resolve_each(&self, points: &[LonLat], mut take: impl FnMut(Resolution)) {
        let mut codes = [0; BLOCK_POINTS];
        for points in points.chunks(BLOCK_POINTS) {
            self.snapshot.trie().lookup_all(points, &mut codes);
            points.iter().zip(codes).for_each(|(point, code)| take(self.resolve_code(*point, code)));
        }
    }
}

/// Columns under construction, with the code of each jurisdiction.
struct ColumnWriter {
    columns: Columns,
    /// Codes by row. A row belongs to one layer, so one table serves all columns.
    codes: Vec<u32>,
}

impl ColumnWriter {
    fn new(rows: usize, points: usize) -> ColumnWriter {
        let column = || Column { codes: Vec::with_capacity(points), dictionary: Vec::new() };
        ColumnWriter {
            columns: Columns {
                state: column(),
                county: column(),
                cousub: column(),
                place: column(),
                quality: Vec::with_capacity(points),
                nearest_m: Vec::with_capacity(points),
            },
            codes: vec![NO_CODE; rows],
        }
    }

    fn push(&mut self, resolution: &Resolution) {
        let chain = match resolution {
            Resolution::Inside(chain) => Some(chain),
            Resolution::Outside => None,
        };
        let (quality, nearest_m) = match chain.map(|chain| chain.quality) {
            None => (QualityCode::Outside, 0.0),
            Some(Quality::Inside) => (QualityCode::Inside, 0.0),
            Some(Quality::Sliver) => (QualityCode::Sliver, 0.0),
            Some(Quality::Water) => (QualityCode::Water, 0.0),
            Some(Quality::Nearest { meters }) => (QualityCode::Nearest, meters as f32),
        };
        let Columns { state, county, cousub, place, .. } = &mut self.columns;
        for (column, row) in [
            (state, chain.map(|chain| chain.state)),
            (county, chain.map(|chain| chain.county)),
            (cousub, chain.and_then(|chain| chain.cousub)),
            (place, chain.and_then(|chain| chain.place)),
        ] {
            column.codes.push(row.map_or(NO_CODE, |row| code(&mut self.codes, &mut column.dictionary, row)));
        }
        self.columns.quality.push(quality);
        self.columns.nearest_m.push(nearest_m);
    }
}

/// The code of a row, which is added to the dictionary if it is new.
#[inline]
fn code(codes: &mut [u32], dictionary: &mut Vec<Row>, row: Row) -> u32 {
    let known = &mut codes[row.index()];
    if *known == NO_CODE {
        *known = dictionary.len() as u32;
        dictionary.push(row);
    }
    *known
}
