//! Polygons of one kind of map, with the attributes from their publisher.
//!
//! Polygons are sorted along a Hilbert curve, so polygons that are close on the ground are close in the file. A tree of
//! boxes finds the polygons at a point; each box holds up to sixteen polygons or smaller boxes. The edges of a ring
//! form blocks, each with a box of its own. A lookup skips the blocks north, south and east of the point, so it reads
//! few of a river's ten thousand edges.

use std::ops::Range;

use rkyv::{Archive, Serialize, rend::u32_le};

use crate::{
    geometry::{Bbox, LonLat, Plane, distance_to_segment_m, ring},
    snapshot::{
        SnapshotError,
        container::LAYER,
        text_heap::{TextHeap, text_at},
        write_error::WriteError,
    },
    vocabulary::MapKind,
};

/// Number of bytes for the length before each text in the heap.
const LENGTH_BYTES: usize = 2;
/// Number of boxes in a box of the next level. Chosen, not measured.
const FAN: usize = 16;
/// Number of edges in a block. Chosen, not measured.
const BLOCK_EDGES: usize = 32;
/// Record number of a polygon without attributes. Such a polygon marks the extent that the map covers.
const EXTENT: u32 = u32::MAX;

/// West, south, east, north in 1e-7 degree.
type Corners = (i32, i32, i32, i32);
/// The archived form of [`Corners`].
type ArchivedCorners = <Corners as Archive>::Archived;

/// The section `polygons` as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Polygons {
    /// The number of the kind, `MapKind as u8`.
    kind: u8,
    /// Names of the attributes, as positions in `heap`.
    fields: Vec<u32>,
    /// Values of the attributes as positions in `heap`, in the order of the records.
    values: Vec<u32>,
    /// The polygons, sorted along a Hilbert curve.
    rows: Vec<PolygonRow>,
    /// The tree of boxes, level after level: boxes around the polygons' boxes, boxes around those, and last a single
    /// box.
    boxes: Vec<(i32, i32, i32, i32)>,
    /// First box of each level, and at the end the number of all boxes.
    level_starts: Vec<u32>,
    /// First ring of each polygon, and at the end the number of all rings.
    polygon_starts: Vec<u32>,
    /// First vertex of each ring, and at the end the number of all vertices. The last vertex of a ring repeats its
    /// first.
    ring_starts: Vec<u32>,
    /// Index in `blocks` of the first block of each ring.
    ring_blocks: Vec<u32>,
    /// The box around each block of 32 edges, ring after ring.
    blocks: Vec<(i32, i32, i32, i32)>,
    /// Longitude and latitude of all vertices, in 1e-7 degree.
    vertices: Vec<(i32, i32)>,
    /// Texts, each after two bytes with its length; place 0 is the empty text.
    heap: Vec<u8>,
}

/// A polygon as stored.
#[derive(Debug, Archive, Serialize)]
pub struct PolygonRow {
    /// Number of the polygon's record in `values`; `u32::MAX` for a polygon that marks the map's extent.
    record: u32,
    /// West, south, east, north of the polygon's rings.
    corners: (i32, i32, i32, i32),
}

/// A polygon before it is packed into a layer file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPolygon {
    /// A value for each attribute; `None` for a polygon that marks the map's extent.
    pub values: Option<Vec<String>>,
    /// Closed rings: a point inside an odd number of them is inside the polygon. Lines of [`MapKind::Ground`] are open.
    pub rings: Vec<Vec<LonLat>>,
}

impl Polygons {
    /// Packs the polygons of a map. `fields` are the names of the attributes. Polygons without a ring are skipped.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a value has more than 65,535 bytes.
    pub fn pack(kind: MapKind, fields: &[&str], polygons: &[NewPolygon]) -> Result<Polygons, WriteError> {
        let mut heap = TextHeap::<LENGTH_BYTES>::new();
        let places: Result<Vec<u32>, WriteError> = fields.iter().map(|field| heap.place(field)).collect();
        let mut packed = Polygons {
            kind: kind as u8,
            fields: places?,
            polygon_starts: vec![0],
            ring_starts: vec![0],
            ..Polygons::default()
        };
        let mut records = std::collections::HashMap::new();
        for (polygon, corners) in in_order(polygons) {
            let record = match &polygon.values {
                None => EXTENT,
                Some(values) => {
                    let places: Result<Vec<u32>, WriteError> =
                        values.iter().map(|value| heap.place(value)).collect();
                    let next = records.len() as u32;
                    *records.entry(places?).or_insert_with_key(|places| {
                        packed.values.extend_from_slice(places);
                        next
                    })
                }
            };
            packed.rows.push(PolygonRow { record, corners });
            polygon.rings.iter().for_each(|ring| packed.ring(ring));
            packed.polygon_starts.push(packed.ring_starts.len() as u32 - 1);
        }
        packed.heap = heap.into_bytes();
        packed.tree();
        Ok(packed)
    }

    fn ring(&mut self, ring: &[LonLat]) {
        self.ring_blocks.push(self.blocks.len() as u32);
        self.vertices.extend(ring.iter().map(|point| (point.lon(), point.lat())));
        self.ring_starts.push(self.vertices.len() as u32);
        let mut from = 0;
        while from + 1 < ring.len() {
            // Consecutive blocks share a vertex, because a block of 32 edges has 33 vertices.
            let to = (from + BLOCK_EDGES + 1).min(ring.len());
            self.blocks.extend(corners_of(ring[from..to].iter().copied()));
            from += BLOCK_EDGES;
        }
    }

    /// Builds the tree of boxes above the rows, up to a single box.
    fn tree(&mut self) {
        let mut level: Vec<Corners> = self.rows.iter().map(|row| row.corners).collect();
        self.level_starts.push(0);
        while level.len() > 1 || self.boxes.is_empty() && !level.is_empty() {
            level = level.chunks(FAN).map(union).collect();
            self.boxes.extend_from_slice(&level);
            self.level_starts.push(self.boxes.len() as u32);
        }
    }
}

/// The polygons that have vertices, sorted along a Hilbert curve over the extent of all. Ties keep the given order.
fn in_order(polygons: &[NewPolygon]) -> Vec<(&NewPolygon, Corners)> {
    let boxed = polygons.iter().filter_map(|polygon| {
        let corners = corners_of(polygon.rings.iter().flatten().copied())?;
        Some((polygon, corners))
    });
    let mut boxed: Vec<(&NewPolygon, Corners)> = boxed.collect();
    let Some(all) = boxed.iter().map(|(_, corners)| *corners).reduce(|a, b| union(&[a, b])) else {
        return boxed;
    };
    boxed.sort_by_cached_key(|(_, corners)| hilbert_of(all, *corners));
    boxed
}

fn corners_of(points: impl Iterator<Item = LonLat>) -> Option<Corners> {
    let bbox = Bbox::around(points)?;
    Some((bbox.min.lon(), bbox.min.lat(), bbox.max.lon(), bbox.max.lat()))
}

fn union(boxes: &[Corners]) -> Corners {
    boxes.iter().fold((i32::MAX, i32::MAX, i32::MIN, i32::MIN), |all, one| {
        (all.0.min(one.0), all.1.min(one.1), all.2.max(one.2), all.3.max(one.3))
    })
}

/// The position of a box's center along a Hilbert curve of 2^16 x 2^16 cells that covers the box `all`.
fn hilbert_of(all: Corners, one: Corners) -> u64 {
    let cell = |min: i32, max: i32, low: i32, high: i32| {
        let span = (i64::from(max) - i64::from(min)).max(1);
        ((i64::midpoint(low.into(), high.into()) - i64::from(min)) * 0xffff / span) as u32
    };
    hilbert(cell(all.0, all.2, one.0, one.2), cell(all.1, all.3, one.1, one.3))
}

/// Position of a cell along a Hilbert curve of 2^16 x 2^16 cells. Each pass of the loop adds two bits, for a quadrant
/// of half the size.
fn hilbert(mut x: u32, mut y: u32) -> u64 {
    let mut along = 0;
    let mut half = 1 << 15;
    while half > 0 {
        let (right, upper) = (u32::from(x & half > 0), u32::from(y & half > 0));
        along += u64::from(half) * u64::from(half) * u64::from((3 * right) ^ upper);
        // In a lower quadrant, the curve is turned; swapping the coordinates undoes the turn.
        if upper == 0 {
            if right == 1 {
                (x, y) = (0xffff - x, 0xffff - y);
            }
            (x, y) = (y, x);
        }
        half >>= 1;
    }
    along
}

impl ArchivedPolygons {
    /// The kind of map; `None` for an unknown number.
    pub fn kind(&self) -> Option<MapKind> {
        MapKind::from_u8(self.kind)
    }

    /// Number of polygons, including those that mark the extent.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the map has no polygons.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Names of the attributes, in the order of a record.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.fields.iter().map(|place| self.heap_text(*place))
    }

    /// The value of an attribute. Returns the empty text if the polygon has no value or the map has no such attribute.
    pub fn value(&self, polygon: usize, field: &str) -> &str {
        let read = || {
            let at = self.fields().position(|name| name == field)?;
            let record = self.rows.get(polygon)?.record.to_native();
            let first = (record != EXTENT).then_some(record as usize)?.checked_mul(self.fields.len())?;
            Some(self.heap_text(*self.values.get(first + at)?))
        };
        read().unwrap_or_default()
    }

    /// Numbers of the polygons that contain the point by the border rule, ascending. Polygons that mark the extent are
    /// left out.
    pub fn at(&self, point: LonLat) -> Vec<usize> {
        let mut found = self.touching((point.lon(), point.lat(), point.lon(), point.lat()));
        found.retain(|polygon| !self.is_extent(*polygon) && self.contains(*polygon, point));
        found
    }

    /// Whether the map's extent contains the point. At such a point, the lack of a polygon means that the land has
    /// nothing of this kind.
    pub fn reaches(&self, point: LonLat) -> bool {
        let found = self.touching((point.lon(), point.lat(), point.lon(), point.lat()));
        found.into_iter().any(|polygon| self.is_extent(polygon) && self.contains(polygon, point))
    }

    /// Numbers of the polygons whose boxes meet `bbox`, ascending. Polygons that mark the extent are left out.
    pub fn meeting(&self, bbox: Bbox) -> Vec<usize> {
        let mut found = self.touching((bbox.min.lon(), bbox.min.lat(), bbox.max.lon(), bbox.max.lat()));
        found.retain(|polygon| !self.is_extent(*polygon));
        found
    }

    /// Polygons with a line within `within_m` meters of the point, the nearest first. Each has its distance in meters.
    pub fn near(&self, point: LonLat, within_m: f64) -> Vec<(usize, f64)> {
        let (east, north) = Plane::at(point).reach(within_m);
        let add = |at: i32, by: i64| (i64::from(at) + by).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let around = (
            add(point.lon(), -east),
            add(point.lat(), -north),
            add(point.lon(), east),
            add(point.lat(), north),
        );
        let found = self.touching(around).into_iter().filter(|polygon| !self.is_extent(*polygon));
        let far = found.map(|polygon| (polygon, self.distance_m(polygon, point, around)));
        let mut near: Vec<(usize, f64)> = far.filter(|(_, meters)| *meters <= within_m).collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1));
        near
    }

    /// The closed rings of a polygon, by its number.
    pub fn rings(&self, polygon: usize) -> impl Iterator<Item = Vec<LonLat>> {
        self.ring_numbers(polygon).map(|ring| {
            let vertices = &self.vertices[bounds(&self.ring_starts, ring, self.vertices.len())];
            vertices
                .iter()
                .map(|vertex| LonLat::from_units(vertex.1.to_native(), vertex.0.to_native()))
                .collect()
        })
    }

    /// Whether the polygon only marks the map's extent.
    pub fn is_extent(&self, polygon: usize) -> bool {
        self.rows.get(polygon).is_some_and(|row| row.record == EXTENT)
    }

    /// Whether the polygon contains the point, by the border rule.
    fn contains(&self, polygon: usize, point: LonLat) -> bool {
        let mut crossings = 0;
        self.for_each_block(polygon, |corners, edges| {
            // Only edges that cross the ray from the point due west count. Blocks north, south and east of the point
            // have none.
            if corners.1 <= point.lat() && point.lat() <= corners.3 && corners.0 <= point.lon() {
                crossings += edges.filter(|(a, b)| ring::crosses_west_ray(*a, *b, point)).count();
            }
        });
        crossings % 2 == 1
    }

    fn distance_m(&self, polygon: usize, point: LonLat, around: Corners) -> f64 {
        let mut least = f64::INFINITY;
        self.for_each_block(polygon, |corners, edges| {
            if touches(corners, around) {
                least = edges.map(|(a, b)| distance_to_segment_m(point, a, b)).fold(least, f64::min);
            }
        });
        least
    }

    /// Calls `visit` for each block of a polygon, with the block's box and edges.
    fn for_each_block(
        &self,
        polygon: usize,
        mut visit: impl FnMut(Corners, &mut dyn Iterator<Item = (LonLat, LonLat)>),
    ) {
        let point = |vertex: &<(i32, i32) as Archive>::Archived| {
            LonLat::from_units(vertex.1.to_native(), vertex.0.to_native())
        };
        for ring in self.ring_numbers(polygon) {
            let vertices = &self.vertices[bounds(&self.ring_starts, ring, self.vertices.len())];
            let first = self.ring_blocks.get(ring).map_or(usize::MAX, |first| first.to_native() as usize);
            let count = vertices.len().saturating_sub(1).div_ceil(BLOCK_EDGES);
            let blocks = first.checked_add(count).and_then(|end| self.blocks.get(first..end));
            for (at, corners) in blocks.unwrap_or_default().iter().enumerate() {
                let end = (BLOCK_EDGES * (at + 1) + 1).min(vertices.len());
                let chain = &vertices[BLOCK_EDGES * at..end];
                visit(native(corners), &mut chain.windows(2).map(|edge| (point(&edge[0]), point(&edge[1]))));
            }
        }
    }

    fn ring_numbers(&self, polygon: usize) -> Range<usize> {
        bounds(&self.polygon_starts, polygon, self.ring_blocks.len())
    }

    /// Numbers of the polygons whose boxes touch the box `around`, ascending.
    fn touching(&self, around: Corners) -> Vec<usize> {
        let mut found = Vec::new();
        if let Some(top) = self.level_starts.len().checked_sub(2) {
            self.descend(top, 0, around, &mut found);
        }
        found
    }

    fn descend(&self, level: usize, at: usize, around: Corners, found: &mut Vec<usize>) {
        let boxes = &self.boxes[bounds(&self.level_starts, level, self.boxes.len())];
        if !boxes.get(at).is_some_and(|corners| touches(native(corners), around)) {
            return;
        }
        let below = FAN * at..FAN * (at + 1);
        match level.checked_sub(1) {
            Some(level) => below.for_each(|at| self.descend(level, at, around, found)),
            None => found
                .extend(below.filter(|at| {
                    self.rows.get(*at).is_some_and(|row| touches(native(&row.corners), around))
                })),
        }
    }

    fn heap_text(&self, place: u32_le) -> &str {
        text_at::<LENGTH_BYTES>(&self.heap, place.to_native())
    }

    pub(super) fn check_layout(&self) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout_of(&LAYER, "polygons", detail));
        if self.kind().is_none() {
            return wrong("the kind of map is unknown");
        }
        let (rings, polygons) = (self.ring_blocks.len(), self.rows.len());
        if self.ring_starts.len() != rings + 1 || self.polygon_starts.len() != polygons + 1 {
            return wrong("the starts of rings or polygons are incomplete");
        }
        let has_record = |record: u32| (record as usize + 1) * self.fields.len() <= self.values.len();
        let mut records = self.rows.iter().map(|row| row.record.to_native());
        if !records.all(|record| record == EXTENT || has_record(record)) {
            return wrong("a polygon names a record that does not exist");
        }
        Ok(())
    }
}

fn native(corners: &ArchivedCorners) -> Corners {
    (corners.0.to_native(), corners.1.to_native(), corners.2.to_native(), corners.3.to_native())
}

fn touches(a: Corners, b: Corners) -> bool {
    a.0 <= b.2 && b.0 <= a.2 && a.1 <= b.3 && b.1 <= a.3
}

/// The range of entries that belong to item `at`. It ends at `limit` at the latest, even in a malformed file.
fn bounds(starts: &rkyv::vec::ArchivedVec<u32_le>, at: usize, limit: usize) -> Range<usize> {
    let start = |at: usize| starts.get(at).map_or(0, |start| start.to_native() as usize).min(limit);
    let from = start(at);
    from..start(at + 1).max(from)
}

#[cfg(test)]
mod tests;
