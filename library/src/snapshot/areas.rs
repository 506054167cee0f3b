//! Areas: the polygons that the trie locates, and their codes. Each area is a record of one layer from one source.
//!
//! A code is a u64 with one field for each layer. A field identifies an area by `color | index`: one of the field's
//! color bits, and the area's number within its layer and color. Areas that tile the land without overlap share a
//! color. Sources whose lines do not match vertex for vertex get different colors.
//!
//! The code of a point in several overlapping areas is the XOR of their codes. It has several color bits, or none, so
//! it never looks like the code of a single area. The list of overlaps says which areas it stands for.

use rkyv::{Archive, Serialize};

use super::SnapshotError;
use crate::vocabulary::{Geoid, Layer, Scale};

/// Maximum number of colors of a field; the array of starts in [`FieldReader`] has this size. Chosen, not measured.
const COLORS_MAX: usize = 16;
/// Stands for a missing row, in the columns `jurisdiction` and `county`.
const NONE: u32 = u32::MAX;

/// Layers that have a field in a code. The county determines the state, so states have no field.
pub const FIELD_LAYERS: [Layer; 3] = [Layer::County, Layer::Cousub, Layer::Place];

/// The bits of one layer in a code. The low bits are the index, and the bits above are the colors.
#[derive(Clone, Copy, Debug, Default, Archive, Serialize)]
pub struct Field {
    /// Position of the lowest bit of the field.
    pub shift: u32,
    /// Number of bits of the index.
    pub index_bits: u32,
    /// Number of color bits, one for each color.
    pub color_bits: u32,
}

/// One area: a polygon record of one layer from one source.
#[derive(Clone, Copy, Debug, PartialEq, Archive, Serialize)]
pub struct AreaRow {
    /// The GEOID as a number, from [`Geoid::to_u64`].
    pub geoid: u64,
    /// Row of the area's jurisdiction. `u32::MAX` for a retired area, and for a filler: a statistical unit that only
    /// says "no town here".
    pub jurisdiction: u32,
    /// Row of the county that this area is or lies in; `u32::MAX` for places and retired counties.
    pub county: u32,
    /// Five-digit code that a subdivision and a place share if both are the same government; 0 for other areas.
    pub link: u32,
    /// Scale denominator of the area's lines, such as `500_000`.
    pub scale: u32,
    /// Row in `meta` of the area's source.
    pub source: u16,
    /// FIPS code of the area's state, 1 to 78.
    pub state: u8,
    /// A combination of the bits of [`area_flag`].
    pub flags: u8,
}

/// The bits that [`AreaRow::flags`] may have.
pub mod area_flag {
    /// The area is of an older vintage, and newer areas have replaced it.
    pub const RETIRED: u8 = 1;
    /// County subdivisions cover this area's state without gaps.
    pub const TILED: u8 = 2;
    /// The area is from a supplement, which fills gaps of the layer's main source. The outer border of a supplement is
    /// not more exact than a line of the main source.
    pub const SUPPLEMENT: u8 = 4;
}

/// The kinds of border that an edge can be, one bit for each kind.
pub mod line_kind {
    /// A line between counties, or the outer line of a county.
    pub const COUNTY: u8 = 1;
    /// A line of the limits of an incorporated place.
    pub const PLACE: u8 = 2;
    /// Any other line: between subdivisions of one county, or a coarse line that a more exact one replaces.
    pub const OTHER: u8 = 4;
    /// The bits of all kinds.
    pub const ANY: u8 = COUNTY | PLACE | OTHER;
}

/// Returns the bits of [`line_kind`] for an edge that has these areas on its two sides.
///
/// In a state that subdivisions cover, their outer lines are the county lines. The lines of the county layer may be
/// less exact there, so they do not count.
pub fn line_kinds(sides: &[AreaRow]) -> u8 {
    let of = |layer: Layer| {
        sides
            .iter()
            .filter(move |area| Geoid::from_u64(area.geoid).is_some_and(|geoid| geoid.layer() == layer))
    };
    let tiles: Vec<u32> =
        of(Layer::Cousub).filter(|area| area.flags & area_flag::TILED != 0).map(|area| area.county).collect();
    // With only one such subdivision at the edge, the other side is another state or the sea. The edge is then a county
    // line as well.
    let tiles_part_counties = tiles.len() == 1 || tiles.iter().any(|county| *county != tiles[0]);
    // A line counts if supplements are on both of its sides, but not if it is the outer border of a supplement.
    let supplements = of(Layer::County).filter(|area| area.flags & area_flag::SUPPLEMENT != 0).count();
    let county_layer_counts = supplements > 1
        || of(Layer::County).any(|area| area.flags & (area_flag::TILED | area_flag::SUPPLEMENT) == 0);
    let county = if tiles_part_counties || county_layer_counts { line_kind::COUNTY } else { 0 };
    let place = if of(Layer::Place).next().is_some() { line_kind::PLACE } else { 0 };
    if county | place == 0 { line_kind::OTHER } else { county | place }
}

/// The areas as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Areas {
    /// One [`Field`] for each of [`FIELD_LAYERS`].
    pub fields: Vec<Field>,
    /// First area of each color, in the order of the fields.
    pub color_starts: Vec<u32>,
    /// Sorted by layer, color and GEOID. States come first: they have polygons, but no field and so no code.
    pub rows: Vec<AreaRow>,
    /// Codes that stand for several areas, each with bits in one field only; ascending.
    pub overlap_codes: Vec<u64>,
    /// First entry of each overlap in `overlap_areas`, and at the end the length of `overlap_areas`.
    pub overlap_starts: Vec<u32>,
    /// Numbers of the overlapping areas, in the order of the overlaps.
    pub overlap_areas: Vec<u32>,
}

/// The numbers of several areas that overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaNumbers<'a>(&'a [rkyv::rend::u32_le]);

impl<'a> AreaNumbers<'a> {
    /// Iterates over the numbers in stored order.
    pub fn iter(self) -> impl Iterator<Item = u32> + 'a {
        self.0.iter().map(|area| area.to_native())
    }
}

/// The areas that one field of a code stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Covering<'a> {
    /// The field has no area.
    None,
    /// One area, by its number.
    One(u32),
    /// Several overlapping areas of one layer.
    Many(AreaNumbers<'a>),
    /// Several areas, but the list of overlaps does not have their code. The reader must test the polygons.
    Unlisted,
}

/// Decodes the fields of codes. It holds the numbers of the table in native byte order, converted once.
#[derive(Clone, Debug, Default)]
pub struct CodeReader {
    fields: [FieldReader; FIELD_LAYERS.len()],
}

#[derive(Clone, Debug, Default)]
struct FieldReader {
    shift: u32,
    index_bits: u32,
    /// Mask of the field's bits, for a code that was shifted right by `shift`.
    mask: u64,
    /// First area of each color.
    starts: [u32; COLORS_MAX],
}

impl CodeReader {
    pub(super) fn new(areas: &ArchivedAreas) -> CodeReader {
        let mut starts = areas.color_starts.iter().map(|start| start.to_native());
        let mut reader = CodeReader::default();
        for (reader, field) in reader.fields.iter_mut().zip(areas.fields.iter()) {
            let colors = field.color_bits.to_native();
            reader.shift = field.shift.to_native();
            reader.index_bits = field.index_bits.to_native();
            reader.mask = (1 << (reader.index_bits + colors)) - 1;
            for color in 0..colors as usize {
                reader.starts[color] = starts.next().unwrap_or(NONE);
            }
        }
        reader
    }

    /// The areas that a code has in one field. `field` is an index in [`FIELD_LAYERS`].
    #[inline]
    pub fn covering<'a>(&self, areas: &'a ArchivedAreas, code: u64, field: usize) -> Covering<'a> {
        let FieldReader { shift, index_bits, mask, starts } = &self.fields[field];
        let part = code >> shift & mask;
        if part == 0 {
            return Covering::None;
        }
        // Exactly one color bit means one area, because areas of one color do not overlap.
        let colors = part >> index_bits;
        if colors.is_power_of_two() {
            let index = (part & ((1 << index_bits) - 1)) as u32;
            return Covering::One(starts[colors.trailing_zeros() as usize].saturating_add(index));
        }
        areas.overlap(part << shift)
    }
}

impl ArchivedAreas {
    fn overlap(&self, code: u64) -> Covering<'_> {
        let Ok(at) = self.overlap_codes.binary_search_by_key(&code, |code| code.to_native()) else {
            return Covering::Unlisted;
        };
        let start = |at: usize| self.overlap_starts.get(at).map_or(0, |start| start.to_native() as usize);
        self.overlap_areas
            .get(start(at)..start(at + 1))
            .map_or(Covering::Unlisted, |areas| Covering::Many(AreaNumbers(areas)))
    }

    /// The area with this number; `None` for an unknown number.
    #[inline]
    pub fn area(&self, number: u32) -> Option<&ArchivedAreaRow> {
        self.rows.get(number as usize)
    }

    /// The numbers of all areas with a GEOID. Different sources may each have one such area.
    ///
    /// Areas of one color are sorted by GEOID, so a binary search finds them in each color. The few states precede the
    /// first color, and their order is not known here, so all of them are read.
    pub fn areas_of(&self, geoid: Geoid) -> impl Iterator<Item = u32> {
        let key = geoid.to_u64();
        let starts = self.color_starts.iter().map(|start| start.to_native() as usize);
        let ends = starts.clone().skip(1).chain([self.rows.len()]);
        let colored = starts.clone().zip(ends).flat_map(move |(start, end)| {
            let rows = self.rows.get(start..end).unwrap_or_default();
            let first = rows.partition_point(|row| row.geoid.to_native() < key);
            let own = rows[first..].iter().take_while(move |row| row.geoid.to_native() == key);
            (start + first..).zip(own).map(|(number, _)| number as u32)
        });
        let is_state = geoid.layer() == Layer::State;
        let states_end = starts.into_iter().next().filter(|_| is_state).unwrap_or(0);
        let states = (0..).zip(self.rows.get(..states_end).unwrap_or_default());
        states.filter(move |(_, row)| row.geoid.to_native() == key).map(|(number, _)| number).chain(colored)
    }

    /// The code of an area by its number: the color bit and the index, in the area's field. `None` for states and
    /// unknown numbers.
    pub fn code(&self, number: u32) -> Option<u64> {
        let mut slot = 0;
        for field in self.fields.iter() {
            for color in 0..field.color_bits.to_native() {
                let start = self.color_starts.get(slot)?.to_native();
                let end =
                    self.color_starts.get(slot + 1).map_or(self.rows.len() as u32, |start| start.to_native());
                if (start..end).contains(&number) {
                    let part = 1 << (field.index_bits.to_native() + color) | u64::from(number - start);
                    return Some(part << field.shift.to_native());
                }
                slot += 1;
            }
        }
        None
    }

    pub(super) fn check_layout(&self, jurisdictions: usize) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout("areas", detail));
        if self.fields.len() != FIELD_LAYERS.len() {
            return wrong("the section must have three fields");
        }
        let bits = |field: &ArchivedField| {
            (field.shift.to_native(), field.index_bits.to_native(), field.color_bits.to_native())
        };
        if self.fields.iter().map(bits).any(|(shift, index, colors)| {
            shift > 63 || index > 32 || colors > COLORS_MAX as u32 || index + colors > 63
        }) {
            return wrong("a field is wider than a code");
        }
        let in_range = |row: u32| row == NONE || (row as usize) < jurisdictions;
        if !self
            .rows
            .iter()
            .all(|row| in_range(row.jurisdiction.to_native()) && in_range(row.county.to_native()))
        {
            return wrong("an area names a jurisdiction that does not exist");
        }
        Ok(())
    }
}

impl ArchivedAreaRow {
    /// Row of the area's jurisdiction; `None` for fillers and retired areas.
    #[inline]
    pub fn jurisdiction_row(&self) -> Option<u32> {
        some(self.jurisdiction.to_native())
    }

    /// Row of the county that this area is or lies in; `None` for places and retired counties.
    #[inline]
    pub fn county_row(&self) -> Option<u32> {
        some(self.county.to_native())
    }

    /// Whether the area has this bit of [`area_flag`].
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The area's GEOID; `None` if the stored number is not a GEOID.
    pub fn geoid(&self) -> Option<Geoid> {
        Geoid::from_u64(self.geoid.to_native())
    }

    /// The area's layer, from the highest byte of the GEOID's number; `None` for an unknown layer.
    #[inline]
    pub fn layer(&self) -> Option<Layer> {
        Layer::from_u8((self.geoid.to_native() >> 56) as u8)
    }

    /// Code that a subdivision and a place share if both are the same government; 0 for other areas.
    #[inline]
    pub fn link(&self) -> u32 {
        self.link.to_native()
    }

    /// Row in `meta` of the area's source.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    /// Map scale of the area's lines.
    pub fn scale(&self) -> Scale {
        Scale { denominator: self.scale.to_native() }
    }
}

fn some(row: u32) -> Option<u32> {
    (row != NONE).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geoid(digits: &str, layer: Layer) -> Geoid {
        Geoid::parse(layer, digits).unwrap()
    }

    /// Areas in five colors: two and one states, two and one counties, and one subdivision. There are no places.
    fn areas() -> rkyv::util::AlignedVec {
        let row = |digits: &str, layer| AreaRow {
            geoid: geoid(digits, layer).to_u64(),
            jurisdiction: NONE,
            county: NONE,
            link: 0,
            scale: 1,
            source: 0,
            state: 1,
            flags: 0,
        };
        let areas = Areas {
            fields: vec![
                Field { shift: 0, index_bits: 1, color_bits: 2 },
                Field { shift: 3, index_bits: 0, color_bits: 1 },
                Field { shift: 4, index_bits: 0, color_bits: 0 },
            ],
            color_starts: vec![3, 5, 6],
            rows: vec![
                row("02", Layer::State),
                row("04", Layer::State),
                row("01", Layer::State),
                row("01001", Layer::County),
                row("01003", Layer::County),
                row("01005", Layer::County),
                row("0100100001", Layer::Cousub),
            ],
            overlap_codes: vec![0b110],
            overlap_starts: vec![0, 2],
            overlap_areas: vec![3, 5],
        };
        rkyv::to_bytes::<rkyv::rancor::Error>(&areas).unwrap()
    }

    #[test]
    fn codes_read_back() {
        let bytes = areas();
        let areas = rkyv::access::<ArchivedAreas, rkyv::rancor::Error>(&bytes).unwrap();
        let reader = CodeReader::new(areas);
        let covering = |code: u64, field: usize| reader.covering(areas, code, field);
        for (code, number, field) in [(0b010, 3, 0), (0b011, 4, 0), (0b100, 5, 0), (0b1000, 6, 1)] {
            assert_eq!(areas.code(number), Some(code));
            assert_eq!(covering(code, field), Covering::One(number));
        }
        assert_eq!(covering(0, 0), Covering::None);
        assert!(matches!(covering(0b110, 0), Covering::Many(both) if both.iter().eq([3, 5])));
        // Areas 3 and 4 share a color, so the code of their overlap has no color bit.
        assert_eq!(covering(0b001, 0), Covering::Unlisted);
        assert_eq!(covering(0b111, 0), Covering::Unlisted);
    }

    #[test]
    fn areas_are_found_by_their_ids_whatever_their_color() {
        let bytes = areas();
        let areas = rkyv::access::<ArchivedAreas, rkyv::rancor::Error>(&bytes).unwrap();
        for (digits, layer, numbers) in [
            ("01", Layer::State, &[2][..]),
            ("02", Layer::State, &[0]),
            ("04", Layer::State, &[1]),
            ("05", Layer::State, &[]),
            ("01003", Layer::County, &[4]),
            ("01005", Layer::County, &[5]),
            ("0100100001", Layer::Cousub, &[6]),
            ("0100199999", Layer::Cousub, &[]),
        ] {
            assert!(areas.areas_of(geoid(digits, layer)).eq(numbers.iter().copied()), "{digits}");
        }
    }
}
