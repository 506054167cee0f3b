//! Streets by ZIP code, with their ranges of house numbers and the lines on which these houses lie.
//!
//! Streets are sorted by ZIP code and then by key, so streets of one name in a ZIP code are adjacent. `geocoder` makes
//! the key from a street's name. Writers and readers must use the same rules for the key.

use std::{collections::BTreeMap, ops::Range};

use rkyv::{
    Archive, Serialize,
    rend::{u16_le, u32_le},
};

use crate::{
    geometry::LonLat,
    snapshot::{
        SnapshotError,
        container::LAYER,
        steps::Packing,
        text_heap::{TextHeap, bytes_at, text_at},
        write_error::WriteError,
    },
};

/// Number of bytes for the length before each text in the heap.
const LENGTH_BYTES: usize = 1;

/// Flag of a range whose houses lie right of the line, for a person who follows the line from its first vertex.
const RIGHT: u8 = 1;

/// The section `streets` as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Streets {
    /// The ZIP codes of the file, ascending.
    zips: Vec<u32>,
    /// First street of each ZIP code, and at the end the number of all streets.
    zip_starts: Vec<u32>,
    /// Pairs of a city and a ZIP code that reaches into the city, sorted by state and key.
    cities: Vec<CityRow>,
    /// Streets, sorted by ZIP code and key.
    streets: Vec<StreetRow>,
    /// First range of each street, and at the end the number of all ranges.
    street_starts: Vec<u32>,
    /// House number ranges, in the order of the streets.
    ranges: Vec<RangeRow>,
    /// Texts before the digits of house numbers, as positions in `heap`. The first is the empty text.
    prefixes: Vec<u32>,
    /// First vertex of each line: longitude, latitude.
    line_firsts: Vec<(i32, i32)>,
    /// First word of each line in `steps`, and at the end the number of all words.
    line_starts: Vec<u32>,
    /// [`Packing`] of the steps of each line.
    line_packings: Vec<u8>,
    /// The steps from vertex to vertex of all lines, packed.
    steps: Vec<u16>,
    /// Texts, each after a byte with its length; place 0 is the empty text.
    heap: Vec<u8>,
}

/// A city and a ZIP code that reaches into it.
#[derive(Debug, Archive, Serialize)]
pub struct CityRow {
    /// Folded name of the city without spaces, as a position in the heap.
    key: u32,
    /// ZIP code as a number.
    zip: u32,
    /// FIPS code of the state.
    state: u8,
    /// 1 if no other place of the state has the city's name, else 0.
    is_only: u8,
}

/// A street in a ZIP code, as stored.
#[derive(Debug, Archive, Serialize)]
pub struct StreetRow {
    /// Key for lookups, as a position in the heap.
    key: u32,
    /// Name as published, as a position in the heap.
    name: u32,
    /// Standard abbreviation of the street type, such as `st`, as a position in the heap.
    kind: u32,
    /// The letters that occur in the key, one bit for each letter; see [`letters_of`].
    letters: u32,
    /// Compass point before the name: 0 for none, 1 to 8 clockwise from north.
    before: u8,
    /// Compass point after the name and type: 0 for none, 1 to 8 clockwise from north.
    after: u8,
}

/// House numbers along one side of a line, as stored.
#[derive(Debug, Archive, Serialize)]
pub struct RangeRow {
    /// House number at the first vertex of the line.
    from: u32,
    /// House number at the last vertex of the line; may be smaller than `from`.
    to: u32,
    /// Index of the line in `line_firsts` and `line_starts`.
    line: u32,
    /// FIPS code of the county, 5 digits.
    county: u16,
    /// Index into `prefixes` of [`Streets`].
    prefix: u16,
    /// [`RIGHT`] if the range is on the right side.
    flags: u8,
}

/// A street before it is packed into a layer file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewStreet {
    /// ZIP code as a number.
    pub zip: u32,
    /// Key for lookups, as `geocoder` makes it.
    pub key: String,
    /// Name in the publisher's spelling.
    pub name: String,
    /// Standard abbreviation of the street type; may be empty.
    pub kind: String,
    /// Compass point before the name: 0 for none, 1 to 8 clockwise from north.
    pub before: u8,
    /// Compass point after the name and type: 0 for none, 1 to 8 clockwise from north.
    pub after: u8,
}

/// A range of house numbers before it is packed into a layer file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewRange {
    /// House number at the first vertex of the line.
    pub from: u32,
    /// House number at the last vertex of the line; may be smaller than `from`.
    pub to: u32,
    /// Text before the digits of the house numbers; usually empty.
    pub prefix: String,
    /// FIPS code of the county, 5 digits.
    pub county: u16,
    /// Whether the houses lie right of the line, for a person who follows the line from its first vertex.
    pub right: bool,
    /// Index of the line in [`NewStreets::lines`].
    pub line: u32,
}

/// A city and a ZIP code that reaches into it, before packing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewCity {
    /// FIPS code of the state.
    pub state: u8,
    /// Folded name, without spaces.
    pub key: String,
    /// ZIP code as a number.
    pub zip: u32,
    /// Whether no other place of the state has the city's name.
    pub is_only: bool,
}

/// The contents of the section `streets`, before packing.
#[derive(Clone, Debug, Default)]
pub struct NewStreets {
    /// Streets with their ranges, in the order of the file.
    pub streets: BTreeMap<NewStreet, Vec<NewRange>>,
    /// Lines by index, each with its vertices.
    pub lines: Vec<Vec<LonLat>>,
    /// Cities, sorted by state and key.
    pub cities: Vec<NewCity>,
}

/// A street as read from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Street<'a> {
    /// Key for lookups, as `geocoder` makes it.
    pub key: &'a str,
    /// Name in the publisher's spelling.
    pub name: &'a str,
    /// Standard abbreviation of the street type; may be empty.
    pub kind: &'a str,
    /// The letters that occur in the key; see [`letters_of`].
    pub letters: u32,
    /// Compass point before the name: 0 for none, 1 to 8 clockwise from north.
    pub before: u8,
    /// Compass point after the name and type: 0 for none, 1 to 8 clockwise from north.
    pub after: u8,
}

/// House numbers along one side of a line, as read from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseRange<'a> {
    /// House number at the first vertex of the line.
    pub from: u32,
    /// House number at the last vertex of the line; may be smaller than `from`.
    pub to: u32,
    /// Text before the digits of the house numbers; usually empty.
    pub prefix: &'a str,
    /// FIPS code of the county, 5 digits.
    pub county: u16,
    /// Whether the houses lie right of the line, for a person who follows the line from its first vertex.
    pub right: bool,
    /// Index of the line, for [`ArchivedStreets::line`].
    pub line: u32,
}

/// The letters that occur in a key: bit 0 for `a` to bit 25 for `z`.
pub fn letters_of(key: &str) -> u32 {
    let letters = key.bytes().filter(u8::is_ascii_lowercase);
    letters.fold(0, |letters, byte| letters | 1 << (byte - b'a'))
}

/// Whether two keys with these letters may differ by at most `slips` slips. One slip removes at most one letter and
/// adds at most one. This test rejects most streets without comparing the keys.
#[inline]
pub fn letters_near(some: u32, others: u32, slips: u32) -> bool {
    at_most(some & !others, slips) && at_most(others & !some, slips)
}

/// Whether at most `count` bits are set. For small counts, clearing the lowest bits is faster than counting all.
#[inline]
fn at_most(bits: u32, count: u32) -> bool {
    let without_one = |bits: u32| bits & bits.wrapping_sub(1);
    match count {
        0 => bits == 0,
        1 => without_one(bits) == 0,
        2 => without_one(without_one(bits)) == 0,
        more => bits.count_ones() <= more,
    }
}

impl Streets {
    /// Packs streets; equal contents give equal bytes.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a name has more than 255 bytes.
    pub fn pack(new: &NewStreets) -> Result<Streets, WriteError> {
        let mut packer = Packer {
            section: Streets {
                zip_starts: vec![0],
                street_starts: vec![0],
                line_starts: vec![0],
                prefixes: vec![0],
                ..Streets::default()
            },
            heap: TextHeap::new(),
        };
        for (street, ranges) in &new.streets {
            packer.street(street, ranges)?;
        }
        packer.section.zip_starts.push(packer.section.streets.len() as u32);
        for city in &new.cities {
            let key = packer.heap.place(&city.key)?;
            let &NewCity { zip, state, is_only, .. } = city;
            packer.section.cities.push(CityRow { key, zip, state, is_only: is_only.into() });
        }
        new.lines.iter().for_each(|line| packer.line(line));
        Ok(Streets { heap: packer.heap.into_bytes(), ..packer.section })
    }
}

struct Packer {
    section: Streets,
    heap: TextHeap<LENGTH_BYTES>,
}

impl Packer {
    fn street(&mut self, street: &NewStreet, ranges: &[NewRange]) -> Result<(), WriteError> {
        if self.section.zips.last() != Some(&street.zip) {
            if !self.section.zips.is_empty() {
                self.section.zip_starts.push(self.section.streets.len() as u32);
            }
            self.section.zips.push(street.zip);
        }
        let row = StreetRow {
            key: self.heap.place(&street.key)?,
            name: self.heap.place(&street.name)?,
            kind: self.heap.place(&street.kind)?,
            letters: letters_of(&street.key),
            before: street.before,
            after: street.after,
        };
        self.section.streets.push(row);
        for range in ranges {
            let prefix = self.prefix(&range.prefix)?;
            let &NewRange { from, to, line, county, right, .. } = range;
            let flags = if right { RIGHT } else { 0 };
            self.section.ranges.push(RangeRow { from, to, line, county, prefix, flags });
        }
        self.section.street_starts.push(self.section.ranges.len() as u32);
        Ok(())
    }

    fn prefix(&mut self, text: &str) -> Result<u16, WriteError> {
        let place = self.heap.place(text)?;
        let known = self.section.prefixes.iter().position(|other| *other == place);
        Ok(known.unwrap_or_else(|| {
            self.section.prefixes.push(place);
            self.section.prefixes.len() - 1
        }) as u16)
    }

    fn line(&mut self, line: &[LonLat]) {
        let section = &mut self.section;
        section.line_firsts.push(line.first().map_or((0, 0), |first| (first.lon(), first.lat())));
        let steps =
            line.windows(2).map(|edge| (edge[1].lon() - edge[0].lon(), edge[1].lat() - edge[0].lat()));
        let packing = Packing::shortest(steps.clone());
        section.line_packings.push(packing.bits() as u8);
        steps.for_each(|step| packing.push(&mut section.steps, step));
        section.line_starts.push(section.steps.len() as u32);
    }
}

impl ArchivedStreets {
    /// Number of house number ranges.
    pub fn range_count(&self) -> usize {
        self.ranges.len()
    }

    /// Number of streets. A street counts once for each of its ZIP codes.
    pub fn street_count(&self) -> usize {
        self.streets.len()
    }

    /// All ZIP codes of the file, ascending.
    pub fn zips(&self) -> impl ExactSizeIterator<Item = u32> {
        self.zips.iter().map(|zip| zip.to_native())
    }

    /// The streets of a ZIP code, by number; empty for an unknown ZIP code.
    pub fn streets_of(&self, zip: u32) -> Range<usize> {
        let at = self.zips.binary_search_by_key(&zip, |other| other.to_native());
        at.map_or(0..0, |at| bounds(&self.zip_starts, at, self.streets.len()))
    }

    /// The streets of a ZIP code that have exactly this key. `of_zip` is the range of all streets of the ZIP code.
    pub fn streets_named(&self, of_zip: &Range<usize>, key: &str) -> Range<usize> {
        let rows = self.streets.get(of_zip.clone()).unwrap_or_default();
        let start = rows.partition_point(|row| self.bytes(row.key) < key.as_bytes());
        let count = rows[start..].iter().take_while(|row| self.bytes(row.key) == key.as_bytes()).count();
        of_zip.start + start..of_zip.start + start + count
    }

    /// The street with this number; `None` for an unknown number.
    pub fn street(&self, number: usize) -> Option<Street<'_>> {
        let row = self.streets.get(number)?;
        Some(Street {
            key: self.heap_text(row.key),
            name: self.heap_text(row.name),
            kind: self.heap_text(row.kind),
            letters: row.letters.to_native(),
            before: row.before,
            after: row.after,
        })
    }

    /// The letters of the keys of these streets, in order; see [`letters_of`].
    #[inline]
    pub fn letters(&self, streets: Range<usize>) -> impl Iterator<Item = u32> {
        self.streets.get(streets).unwrap_or_default().iter().map(|row| row.letters.to_native())
    }

    /// The key of the street with this number; `None` for an unknown number.
    pub fn key(&self, number: usize) -> Option<&str> {
        self.streets.get(number).map(|row| self.heap_text(row.key))
    }

    /// Standard abbreviation of a street's type, or the empty text; `None` for an unknown street number.
    pub fn kind(&self, number: usize) -> Option<&str> {
        self.streets.get(number).map(|row| self.heap_text(row.kind))
    }

    /// The ranges of the street with this number.
    pub fn ranges(&self, street: usize) -> impl Iterator<Item = HouseRange<'_>> {
        let rows = &self.ranges[bounds(&self.street_starts, street, self.ranges.len())];
        rows.iter().map(|row| HouseRange {
            from: row.from.to_native(),
            to: row.to.to_native(),
            prefix: self.prefix(row.prefix),
            county: row.county.to_native(),
            right: row.flags & RIGHT != 0,
            line: row.line.to_native(),
        })
    }

    /// The vertices of the line with this index; empty for an unknown index.
    pub fn line(&self, number: u32) -> Vec<LonLat> {
        let at = number as usize;
        let Some(first) = self.line_firsts.get(at) else { return Vec::new() };
        let (mut x, mut y) = (first.0.to_native(), first.1.to_native());
        let words = &self.steps[bounds(&self.line_starts, at, self.steps.len())];
        let mut points = vec![LonLat::from_units(y, x)];
        let packing = self.line_packings.get(at).map_or(0, |bits| u16::from(*bits));
        Packing::from_bits(packing).for_each(words, |step| {
            (x, y) = (x.wrapping_add(step.0), y.wrapping_add(step.1));
            points.push(LonLat::from_units(y, x));
        });
        points
    }

    /// FIPS codes of the states with cities, ascending.
    pub fn states_of_cities(&self) -> impl Iterator<Item = u8> {
        let mut rest = &self.cities[..];
        std::iter::from_fn(move || {
            let state = rest.first()?.state;
            rest = &rest[rest.partition_point(|row| row.state <= state)..];
            Some(state)
        })
    }

    /// The ZIP codes that reach into a city of this state. The flag of each says that no other place of the state has
    /// the name.
    pub fn zips_of_city(&self, state: u8, key: &str) -> impl Iterator<Item = (u32, bool)> {
        let key = key.as_bytes();
        let start = self.cities.partition_point(|row| (row.state, self.bytes(row.key)) < (state, key));
        let rows = self.cities[start..].iter();
        rows.take_while(move |row| row.state == state && self.bytes(row.key) == key)
            .map(|row| (row.zip.to_native(), row.is_only != 0))
    }

    fn heap_text(&self, place: u32_le) -> &str {
        text_at::<LENGTH_BYTES>(&self.heap, place.to_native())
    }

    /// The bytes of a text. Comparing UTF-8 bytes gives the same order as comparing the texts.
    fn bytes(&self, place: u32_le) -> &[u8] {
        bytes_at::<LENGTH_BYTES>(&self.heap, place.to_native())
    }

    fn prefix(&self, at: u16_le) -> &str {
        self.prefixes.get(usize::from(at.to_native())).map_or("", |place| self.heap_text(*place))
    }

    pub(super) fn check_layout(&self) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout_of(&LAYER, "streets", detail));
        if self.zip_starts.len() != self.zips.len() + 1 || self.street_starts.len() != self.streets.len() + 1
        {
            return wrong("the starts of ZIP codes or streets are incomplete");
        }
        if self.line_starts.len() != self.line_firsts.len() + 1 {
            return wrong("the starts of lines are incomplete");
        }
        let lines = self.line_firsts.len();
        if self.ranges.iter().any(|range| range.line.to_native() as usize >= lines) {
            return wrong("a range names a line that does not exist");
        }
        Ok(())
    }
}

/// The range of entries that belong to item `at`. It ends at `limit` at the latest, even in a malformed file.
fn bounds(starts: &rkyv::vec::ArchivedVec<u32_le>, at: usize, limit: usize) -> Range<usize> {
    let start = |at: usize| starts.get(at).map_or(0, |start| start.to_native() as usize).min(limit);
    let from = start(at);
    from..start(at + 1).max(from)
}
