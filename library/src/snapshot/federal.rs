//! Federal land: names, kinds and rough outlines of bases, parks, forests and the land of other agencies.
//!
//! The outlines may overlap and are off by up to some kilometers, so a point inside one "may" be on federal land. Each
//! degree of latitude lists the outlines that reach into it. A lookup compares the point with the boxes of only these
//! outlines.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::{
    geometry::{Bbox, LonLat, UNITS_PER_DEGREE, ring::crosses_west_ray},
    vocabulary::FederalKind,
};

/// Number of bands of one degree, from the South Pole to the North Pole; the last holds only the pole.
const BANDS: usize = 181;

/// The position of a point relative to city limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CityLimits {
    /// Outside the limits of all cities.
    Outside,
    /// Inside a government that is both a city and a county. Such a government has open land, so bases count: Fort
    /// Gordon is in Augusta.
    CityAndCounty,
    /// Inside the limits of any other city.
    City,
}

/// An outline before it is packed into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFederalLand {
    /// Name of the federal land.
    pub name: String,
    /// The kind of land; rows are sorted by it.
    pub kind: FederalKind,
    /// Whether the outline counts at points inside city limits.
    pub in_cities: bool,
    /// A closed ring: the last point repeats the first.
    pub outline: Vec<LonLat>,
    /// Row in `meta` of the outline's source.
    pub source: u16,
}

/// The federal land as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct FederalLands {
    /// Sorted by kind and name; a lookup returns the first row that matches.
    rows: Vec<FederalRow>,
    /// Latitude and longitude of the vertices, in 1e-7 degree, outline after outline.
    vertices: Vec<(i32, i32)>,
    /// Index in `in_bands` of the first row in each band, and at the end the length of `in_bands`.
    band_starts: Vec<u32>,
    /// Numbers of the rows that reach into each band, ascending within a band.
    in_bands: Vec<u32>,
    /// Rows in `meta` of the sources, one for each row. Snapshots before December 2026 have a shorter list here: the
    /// sources of all rows together.
    sources: Vec<u16>,
    heap: Vec<u8>,
}

#[derive(Debug, Archive, Serialize)]
pub(super) struct FederalRow {
    /// Position of the land's name in `heap`.
    name: u32,
    /// Index of the outline's first vertex, and the number of its vertices.
    start: u32,
    count: u32,
    /// South, north, west and east end of the outline, in 1e-7 degree.
    reach: [i32; 4],
    /// The number of the kind; see [`FederalKind::number`].
    kind: u8,
    in_cities: bool,
}

impl FederalLands {
    /// Packs outlines, sorted by kind and name.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a name has more than 65,535 bytes.
    pub fn pack(mut lands: Vec<NewFederalLand>) -> Result<FederalLands, WriteError> {
        lands.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        let mut heap = TextHeap::<2>::new();
        let mut packed = FederalLands::default();
        let mut bands = vec![Vec::new(); BANDS];
        for (number, land) in (0..).zip(&lands) {
            let ends = |of: fn(&LonLat) -> i32| {
                let all = land.outline.iter().map(of);
                (all.clone().min().unwrap_or_default(), all.max().unwrap_or_default())
            };
            let ((south, north), (west, east)) = (ends(|point| point.lat()), ends(|point| point.lon()));
            bands[band(south)..=band(north)].iter_mut().for_each(|rows| rows.push(number));
            packed.rows.push(FederalRow {
                name: heap.place(&land.name)?,
                start: packed.vertices.len() as u32,
                count: land.outline.len() as u32,
                reach: [south, north, west, east],
                kind: land.kind.number(),
                in_cities: land.in_cities,
            });
            packed.sources.push(land.source);
            packed.vertices.extend(land.outline.iter().map(|point| (point.lat(), point.lon())));
        }
        packed.band_starts.push(0);
        for rows in bands {
            packed.in_bands.extend(rows);
            packed.band_starts.push(packed.in_bands.len() as u32);
        }
        packed.heap = heap.into_bytes();
        Ok(packed)
    }
}

/// The band that contains a latitude, given in 1e-7 degree.
fn band(lat: i32) -> usize {
    let degree = lat.div_euclid(UNITS_PER_DEGREE) + 90;
    (degree.max(0) as usize).min(BANDS - 1)
}

impl ArchivedFederalLands {
    /// The number of the first outline that contains the point; `None` if none does. At points inside city limits, only
    /// the outlines that count there are tested.
    pub fn at(&self, point: LonLat, limits: CityLimits) -> Option<u32> {
        let at = band(point.lat());
        let (start, end) = (self.band_starts.get(at)?.to_native(), self.band_starts.get(at + 1)?.to_native());
        let rows = self.in_bands.get(start as usize..end as usize)?.iter().map(|row| row.to_native());
        let mut near = rows.filter_map(|number| Some((number, self.rows.get(number as usize)?)));
        near.find(|(_, row)| row.counts_inside(limits) && row.may_reach(point) && self.is_inside(row, point))
            .map(|(number, _)| number)
    }

    fn is_inside(&self, row: &ArchivedFederalRow, point: LonLat) -> bool {
        let start = row.start.to_native() as usize;
        let vertices = self.vertices.get(start..start + row.count.to_native() as usize).unwrap_or_default();
        let at =
            |index: usize| LonLat::from_units(vertices[index].0.to_native(), vertices[index].1.to_native());
        let crossed = (1..vertices.len()).filter(|next| crosses_west_ray(at(next - 1), at(*next), point));
        crossed.count() % 2 == 1
    }

    /// The number of outlines. Land with several outlines counts several times.
    pub fn count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The points inside an outline, on a grid over its bounding box; empty for an unknown number. Each point has the
    /// area of its grid cell, in units of (1e-7 degree)^2.
    pub fn points_inside(&self, number: u32) -> Vec<(LonLat, u64)> {
        let Some(row) = self.rows.get(number as usize) else { return Vec::new() };
        let [south, north, west, east] = [0, 1, 2, 3].map(|at: usize| row.reach[at].to_native());
        let bbox = Bbox { min: LonLat::from_units(south, west), max: LonLat::from_units(north, east) };
        let inside = bbox.grid().filter(|point| self.is_inside(row, *point));
        inside.map(|point| (point, bbox.cell_area())).collect()
    }

    /// Name and kind of the outline with this number; `None` for an unknown number.
    pub fn get(&self, number: u32) -> Option<(&str, FederalKind)> {
        let row = self.rows.get(number as usize)?;
        Some((text_at::<2>(&self.heap, row.name.to_native()), FederalKind::from_number(row.kind)?))
    }

    /// Sources of an outline, as rows of `meta`. In snapshots before December 2026, they are the sources of all
    /// outlines together.
    pub fn sources(&self, number: u32) -> impl Iterator<Item = u16> {
        let is_own = self.sources.len() == self.rows.len();
        let range = if is_own { number as usize..number as usize + 1 } else { 0..self.sources.len() };
        self.sources.get(range).unwrap_or_default().iter().map(|row| row.to_native())
    }

    pub(super) fn check_layout(&self, sources: usize) -> Result<(), SnapshotError> {
        let wrong = |what| Err(SnapshotError::layout("federal", what));
        if self.sources.iter().any(|row| usize::from(row.to_native()) >= sources) {
            return wrong("a row names a source that does not exist");
        }
        let fits = |row: &ArchivedFederalRow| {
            let end = u64::from(row.start.to_native()) + u64::from(row.count.to_native());
            end <= self.vertices.len() as u64 && FederalKind::from_number(row.kind).is_some()
        };
        if !self.rows.iter().all(fits) {
            return wrong("a row has a wrong kind, or vertices that do not exist");
        }
        let is_list = self.band_starts.len() == BANDS + 1 && self.band_starts.is_sorted();
        let end = self.band_starts.last().map_or(0, |end| end.to_native() as usize);
        if !is_list || end != self.in_bands.len() {
            return wrong("the bands of latitude do not follow each other");
        }
        if self.in_bands.iter().any(|row| row.to_native() as usize >= self.rows.len()) {
            return wrong("a band names a row that does not exist");
        }
        Ok(())
    }
}

impl ArchivedFederalRow {
    fn counts_inside(&self, limits: CityLimits) -> bool {
        let is_base = self.kind == FederalKind::Base.number();
        match limits {
            CityLimits::Outside => true,
            CityLimits::CityAndCounty => self.in_cities || is_base,
            CityLimits::City => self.in_cities,
        }
    }

    fn may_reach(&self, point: LonLat) -> bool {
        let [south, north, west, east] = [0, 1, 2, 3].map(|at: usize| self.reach[at].to_native());
        (south..=north).contains(&point.lat()) && (west..=east).contains(&point.lon())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(south: i32, west: i32, side: i32) -> Vec<LonLat> {
        let corners = [(0, 0), (0, side), (side, side), (side, 0), (0, 0)];
        corners.map(|(up, right)| LonLat::from_units(south + up, west + right)).to_vec()
    }

    #[test]
    fn the_surest_kind_at_a_point_counts_and_cities_are_left_out() {
        let land = |name: &str, kind, in_cities, outline| NewFederalLand {
            name: name.to_owned(),
            kind,
            in_cities,
            outline,
            source: kind as u16,
        };
        let degree = UNITS_PER_DEGREE;
        let lands = vec![
            land("Wide Forest", FederalKind::Forest, false, square(30 * degree, 0, 3 * degree)),
            land("Fort Small", FederalKind::Base, true, square(31 * degree, degree, degree / 10)),
            land("Fort Near", FederalKind::Base, false, square(32 * degree, 2 * degree, degree / 10)),
        ];
        let packed = FederalLands::pack(lands).unwrap();
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedFederalLands, rkyv::rancor::Error>(&bytes).unwrap();
        let at = |lat: f64, lon: f64, limits| {
            let point = LonLat::from_lat_lon(lat, lon).unwrap();
            read.at(point, limits).and_then(|number| read.get(number)).map(|(name, _)| name)
        };
        use CityLimits::{City, CityAndCounty, Outside};
        for (lat, lon, limits, name) in [
            (31.05, 1.05, Outside, Some("Fort Small")),
            (31.05, 1.05, City, Some("Fort Small")),
            (32.05, 2.05, City, None),
            (32.05, 2.05, CityAndCounty, Some("Fort Near")),
            (32.9, 2.9, Outside, Some("Wide Forest")),
            (32.9, 2.9, CityAndCounty, None),
            (33.1, 1.0, Outside, None),
            (-80.0, 1.0, Outside, None),
        ] {
            assert_eq!(at(lat, lon, limits), name, "{lat} {lon} {limits:?}");
        }
        let sources: Vec<Vec<u16>> = (0..4).map(|number| read.sources(number).collect()).collect();
        let [base, forest] = [FederalKind::Base as u16, FederalKind::Forest as u16];
        assert_eq!(sources, [vec![base], vec![base], vec![forest], vec![]]);
        assert!(read.check_layout(9).is_ok() && read.check_layout(0).is_err() && read.get(3).is_none());
    }

    #[test]
    fn a_damaged_section_is_rejected() {
        let whole = || {
            let outline = square(0, 0, 10);
            let (name, kind) = ("A".to_owned(), FederalKind::Park);
            FederalLands::pack(vec![NewFederalLand { name, kind, in_cities: false, outline, source: 0 }])
                .unwrap()
        };
        let damage: [fn(&mut FederalLands); 4] = [
            |lands| lands.rows[0].kind = 9,
            |lands| lands.rows[0].start = u32::MAX,
            |lands| lands.band_starts[3] = u32::MAX,
            |lands| lands.in_bands[0] = 1,
        ];
        for damage in damage {
            let mut lands = whole();
            damage(&mut lands);
            let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&lands).unwrap();
            let read = rkyv::access::<ArchivedFederalLands, rkyv::rancor::Error>(&bytes).unwrap();
            assert!(read.check_layout(1).is_err());
        }
    }
}
