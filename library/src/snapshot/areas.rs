//! Areas: the polygons of the trie, each a record of one layer from one source, and their codes.
//!
//! A code is a u64 with one field per layer. Inside a field, an area is `colour | index`: one bit out of the
//! field's colour bits, and the area's number within layer and colour. Areas whose polygons tile without
//! overlap share a colour; sources whose lines do not match vertex for vertex get different ones. XOR of the
//! codes of areas that overlap then has several colour bits, or none and an index: it never looks like a
//! single area, and the list of overlaps says which areas it stands for.

use rkyv::{Archive, Serialize};

use super::SnapshotError;
use crate::vocabulary::{Geoid, Layer, Scale};

/// Colours that a field may have.
const COLOURS_MAX: usize = 16;
/// `jurisdiction` and `county` of an area that has none.
const NONE: u32 = u32::MAX;

/// Layers that have a field; the state follows from the county.
pub const FIELD_LAYERS: [Layer; 3] = [Layer::County, Layer::Cousub, Layer::Place];

/// The bits of one layer in a code: from low to high, index and colours.
#[derive(Clone, Copy, Debug, Default, Archive, Serialize)]
pub struct Field {
    /// Lowest bit.
    pub shift: u32,
    /// Bits of the index.
    pub index_bits: u32,
    /// Bits of the colours, one each.
    pub colour_bits: u32,
}

/// One area.
#[derive(Clone, Copy, Debug, PartialEq, Archive, Serialize)]
pub struct AreaRow {
    /// [`Geoid::to_u64`].
    pub geoid: u64,
    /// Row of its jurisdiction; `u32::MAX` for a filler (a statistical unit that only says "no town here")
    /// and for a retired area.
    pub jurisdiction: u32,
    /// Row of the county that it is or lies in; `u32::MAX` for places and retired counties.
    pub county: u32,
    /// Five-digit code that subdivision and place share where both are one government; else 0.
    pub link: u32,
    /// Scale denominator of its lines.
    pub scale: u32,
    /// Row of its source.
    pub source: u16,
    /// FIPS code of its state.
    pub state: u8,
    /// [`area_flag`]s.
    pub flags: u8,
}

/// Bits of [`AreaRow::flags`].
pub mod area_flag {
    /// A unit of an older vintage: others have taken its place.
    pub const RETIRED: u8 = 1;
    /// County subdivisions tile this area's state without gaps.
    pub const TILED: u8 = 2;
    /// From a supplement: its outer border is not a better line than that of the layer's main source.
    pub const SUPPLEMENT: u8 = 4;
}

/// What kind of border an edge is, as bits.
pub mod line_kind {
    /// A line between counties, or the outer line of one.
    pub const COUNTY: u8 = 1;
    /// A line of an incorporated place.
    pub const PLACE: u8 = 2;
    /// Any other: between subdivisions of one county, or a line that a better one stands in for.
    pub const OTHER: u8 = 4;
    /// Every edge.
    pub const ANY: u8 = COUNTY | PLACE | OTHER;
}

/// The [`line_kind`]s of an edge that has these areas on its sides.
///
/// Where subdivisions tile a state their outer lines are the county lines, and the county layer's own, which
/// may be coarser, are not counted a second time.
pub fn line_kinds(sides: &[AreaRow]) -> u8 {
    let of = |layer: Layer| {
        sides
            .iter()
            .filter(move |area| Geoid::from_u64(area.geoid).is_some_and(|geoid| geoid.layer() == layer))
    };
    let tiles: Vec<u32> =
        of(Layer::Cousub).filter(|area| area.flags & area_flag::TILED != 0).map(|area| area.county).collect();
    let tiles_part_counties = tiles.len() == 1 || tiles.iter().any(|county| *county != tiles[0]);
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
    /// Fields of [`FIELD_LAYERS`].
    pub fields: Vec<Field>,
    /// First area of each colour, field after field.
    pub colour_starts: Vec<u32>,
    /// Sorted by layer, colour, GEOID. States come first: they have polygons but no field, and so no code.
    pub rows: Vec<AreaRow>,
    /// Codes (one field only, in place) that stand for several areas; ascending.
    pub overlap_codes: Vec<u64>,
    /// First entry of each overlap in `overlap_areas`; one more at the end.
    pub overlap_starts: Vec<u32>,
    /// Areas of the overlaps.
    pub overlap_areas: Vec<u32>,
}

/// Areas that overlap, by number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaNumbers<'a>(&'a [rkyv::rend::u32_le]);

impl<'a> AreaNumbers<'a> {
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = u32> + 'a {
        self.0.iter().map(|area| area.to_native())
    }
}

/// What a field of a code stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Covering<'a> {
    /// No area.
    None,
    /// One area, by number.
    One(u32),
    /// Several areas.
    Many(AreaNumbers<'a>),
    /// Several areas that the list of overlaps does not have: ask the polygons.
    Unlisted,
}

/// Reads the fields of codes: the table's own numbers, made ready once.
#[derive(Clone, Debug, Default)]
pub struct CodeReader {
    fields: [FieldReader; FIELD_LAYERS.len()],
}

#[derive(Clone, Debug, Default)]
struct FieldReader {
    shift: u32,
    index_bits: u32,
    /// The field's bits, shifted down.
    mask: u64,
    /// First area of each colour.
    starts: [u32; COLOURS_MAX],
}

impl CodeReader {
    pub(super) fn of(areas: &ArchivedAreas) -> CodeReader {
        let mut starts = areas.colour_starts.iter().map(|start| start.to_native());
        let mut reader = CodeReader::default();
        for (reader, field) in reader.fields.iter_mut().zip(areas.fields.iter()) {
            let colours = field.colour_bits.to_native();
            reader.shift = field.shift.to_native();
            reader.index_bits = field.index_bits.to_native();
            reader.mask = (1 << (reader.index_bits + colours)) - 1;
            for colour in 0..colours as usize {
                reader.starts[colour] = starts.next().unwrap_or(NONE);
            }
        }
        reader
    }

    /// The areas that a code has in a field (by position in [`FIELD_LAYERS`]).
    #[inline]
    pub fn covering<'a>(&self, areas: &'a ArchivedAreas, code: u64, field: usize) -> Covering<'a> {
        let FieldReader { shift, index_bits, mask, starts } = &self.fields[field];
        let part = code >> shift & mask;
        if part == 0 {
            return Covering::None;
        }
        let colours = part >> index_bits;
        if colours.is_power_of_two() {
            let index = (part & ((1 << index_bits) - 1)) as u32;
            return Covering::One(starts[colours.trailing_zeros() as usize].saturating_add(index));
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

    /// An area by number.
    #[inline]
    pub fn area(&self, number: u32) -> Option<&ArchivedAreaRow> {
        self.rows.get(number as usize)
    }

    /// The areas of a GEOID, by number: it may have several, from different sources. Areas of one colour are sorted by
    /// GEOID, so each colour is searched by halves. States come before the first colour, sorted by colours that nothing
    /// else tells of: they are looked through, as there are few.
    pub fn areas_of(&self, geoid: Geoid) -> impl Iterator<Item = u32> {
        let key = geoid.to_u64();
        let starts = self.colour_starts.iter().map(|start| start.to_native() as usize);
        let ends = starts.clone().skip(1).chain([self.rows.len()]);
        let coloured = starts.clone().zip(ends).flat_map(move |(start, end)| {
            let rows = self.rows.get(start..end).unwrap_or_default();
            let first = rows.partition_point(|row| row.geoid.to_native() < key);
            let own = rows[first..].iter().take_while(move |row| row.geoid.to_native() == key);
            (start + first..).zip(own).map(|(number, _)| number as u32)
        });
        let is_state = geoid.layer() == Layer::State;
        let states_end = starts.into_iter().next().filter(|_| is_state).unwrap_or(0);
        let states = (0..).zip(self.rows.get(..states_end).unwrap_or_default());
        states.filter(move |(_, row)| row.geoid.to_native() == key).map(|(number, _)| number).chain(coloured)
    }

    /// The code of an area by number: its colour and index in its field.
    pub fn code(&self, number: u32) -> Option<u64> {
        let mut slot = 0;
        for field in self.fields.iter() {
            for colour in 0..field.colour_bits.to_native() {
                let start = self.colour_starts.get(slot)?.to_native();
                let end = self
                    .colour_starts
                    .get(slot + 1)
                    .map_or(self.rows.len() as u32, |start| start.to_native());
                if (start..end).contains(&number) {
                    let part = 1 << (field.index_bits.to_native() + colour) | u64::from(number - start);
                    return Some(part << field.shift.to_native());
                }
                slot += 1;
            }
        }
        None
    }

    pub(super) fn check(&self, jurisdictions: usize) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout("areas", detail));
        if self.fields.len() != FIELD_LAYERS.len() {
            return wrong("expected three fields");
        }
        let bits = |field: &ArchivedField| {
            (field.shift.to_native(), field.index_bits.to_native(), field.colour_bits.to_native())
        };
        if self.fields.iter().map(bits).any(|(shift, index, colours)| {
            shift > 63 || index > 32 || colours > COLOURS_MAX as u32 || index + colours > 63
        }) {
            return wrong("a field is wider than a code");
        }
        let in_range = |row: u32| row == NONE || (row as usize) < jurisdictions;
        if !self
            .rows
            .iter()
            .all(|row| in_range(row.jurisdiction.to_native()) && in_range(row.county.to_native()))
        {
            return wrong("an area names a jurisdiction that is not there");
        }
        Ok(())
    }
}

impl ArchivedAreaRow {
    /// Row of its jurisdiction.
    #[inline]
    pub fn jurisdiction_row(&self) -> Option<u32> {
        some(self.jurisdiction.to_native())
    }

    /// Row of the county that it is or lies in.
    #[inline]
    pub fn county_row(&self) -> Option<u32> {
        some(self.county.to_native())
    }

    /// Whether the flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Its GEOID.
    pub fn geoid(&self) -> Option<Geoid> {
        Geoid::from_u64(self.geoid.to_native())
    }

    /// Its layer: the highest byte of the GEOID's number.
    #[inline]
    pub fn layer(&self) -> Option<Layer> {
        Layer::from_u8((self.geoid.to_native() >> 56) as u8)
    }

    /// Code that subdivision and place share where both are one government; else 0.
    #[inline]
    pub fn link(&self) -> u32 {
        self.link.to_native()
    }

    /// Row of its source.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    /// Scale of its lines.
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

    /// Two colours of states (2 and 1), two of counties (2 and 1), one of subdivisions (1), no places.
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
                Field { shift: 0, index_bits: 1, colour_bits: 2 },
                Field { shift: 3, index_bits: 0, colour_bits: 1 },
                Field { shift: 4, index_bits: 0, colour_bits: 0 },
            ],
            colour_starts: vec![3, 5, 6],
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
        let reader = CodeReader::of(areas);
        let covering = |code: u64, field: usize| reader.covering(areas, code, field);
        for (code, number, field) in [(0b010, 3, 0), (0b011, 4, 0), (0b100, 5, 0), (0b1000, 6, 1)] {
            assert_eq!(areas.code(number), Some(code));
            assert_eq!(covering(code, field), Covering::One(number));
        }
        assert_eq!(covering(0, 0), Covering::None);
        assert!(matches!(covering(0b110, 0), Covering::Many(both) if both.iter().eq([3, 5])));
        // Areas 3 and 4 share a colour: their overlap has none.
        assert_eq!(covering(0b001, 0), Covering::Unlisted);
        assert_eq!(covering(0b111, 0), Covering::Unlisted);
    }

    #[test]
    fn areas_are_found_by_their_ids_whatever_their_colour() {
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
