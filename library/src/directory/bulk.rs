//! Many points at once: slices in, columns out.
//!
//! Nothing is allocated for a point: columns are made once for the call, and each jurisdiction that occurs stands
//! once in the dictionary of its layer. A data frame takes the codes as they are and the texts of the dictionaries. Where it wants
//! a bitmap of nulls, as Apache Arrow does, [`NO_CODE`] says which entries are null.

use super::{Directory, Quality, Resolution, Row};
use crate::geometry::{LonLat, PointError};

/// Points that are resolved together: what is fetched for them stays in the fastest memory.
pub const BLOCK_POINTS: usize = 64;

/// The code of a point that has no jurisdiction of the layer.
pub const NO_CODE: u32 = u32::MAX;

/// Which jurisdiction of one layer covers each point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// For each point a place in `dictionary`, or [`NO_CODE`].
    pub codes: Vec<u32>,
    /// Each jurisdiction that occurs, once, in the order of its first point.
    pub dictionary: Vec<Row>,
}

impl Column {
    /// The jurisdiction of a point; `None` where it has none of this layer.
    pub fn get(&self, point: usize) -> Option<Row> {
        let code = *self.codes.get(point)?;
        self.dictionary.get(code as usize).copied()
    }
}

/// How a point met its areas: [`Quality`] without its figure, one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum QualityCode {
    /// In no covered state or territory: all columns have [`NO_CODE`].
    Outside = 0,
    /// Inside each area of the chain.
    Inside = 1,
    /// In a sliver where layers of different scale or vintage disagree; reconciled by the written rule.
    Sliver = 2,
    /// Just outside the mapped shore or border; the nearest county answers.
    Nearest = 3,
    /// Beyond the mapped shore, in water that is part of the county's legal area.
    Water = 4,
}

/// The chains of many points: each column has an entry for each point, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// States.
    pub state: Column,
    /// Counties and county equivalents.
    pub county: Column,
    /// County subdivisions: towns and townships.
    pub cousub: Column,
    /// Incorporated places.
    pub place: Column,
    /// How each point met its areas.
    pub quality: Vec<QualityCode>,
    /// Meters from the point to the county that answers for it; 0 but where the quality is `Nearest`.
    pub nearest_m: Vec<f32>,
}

/// Why slices of coordinates cannot be resolved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BulkError {
    /// One slice is longer than the other.
    #[error("expected as many longitudes as latitudes, got {lats} latitudes and {lons} longitudes")]
    Lengths {
        /// Latitudes that came.
        lats: usize,
        /// Longitudes that came.
        lons: usize,
    },
    /// A point that is not on the globe.
    #[error("at index {index}: {cause}; latitudes come first, longitudes second")]
    Point {
        /// Its place in the slices.
        index: usize,
        /// What is wrong with it.
        cause: PointError,
    },
}

impl Directory {
    /// The chains of many points, given as latitudes and longitudes in degrees (WGS84).
    ///
    /// # Errors
    /// When the slices differ in length, or a point is not on the globe: the error names its index. Then nothing was
    /// resolved.
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

    /// Which governments cover each of these points, in their order: what [`Directory::resolve`] says of each, in less time
    /// than one by one, where they lie far apart.
    pub fn resolve_each(&self, points: &[LonLat], mut take: impl FnMut(Resolution)) {
        let mut codes = [0; BLOCK_POINTS];
        for points in points.chunks(BLOCK_POINTS) {
            self.snapshot.trie().lookup_all(points, &mut codes);
            points.iter().zip(codes).for_each(|(point, code)| take(self.resolve_code(*point, code)));
        }
    }
}

/// Columns, and the code of each jurisdiction that has one.
struct ColumnWriter {
    columns: Columns,
    /// By row; a row is of one layer, so one table serves all columns.
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
            Some(Quality::Nearest { metres }) => (QualityCode::Nearest, metres as f32),
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

/// The code of a row, which is added to the dictionary where it is new.
#[inline]
fn code(codes: &mut [u32], dictionary: &mut Vec<Row>, row: Row) -> u32 {
    let known = &mut codes[row.index()];
    if *known == NO_CODE {
        *known = dictionary.len() as u32;
        dictionary.push(row);
    }
    *known
}
