//! Jurisdictions, one row each, sorted by id. One heap holds their texts.

use std::collections::HashMap;

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::{
    geometry::LonLat,
    vocabulary::{Folded, FuncStat, Geoid, JurisdictionId, Layer, StateCode, names_of},
};

/// Key of `country:us`. It sorts before all others because no state has FIPS code 0.
const COUNTRY_KEY: u64 = 0;

/// Keys of districts have these bits, and the index of the name in `district_names`. They sort after the keys of all
/// layers.
const DISTRICT_KEY: u64 = 0xd0 << 56;

/// Start of every Open Civic Data id in the United States; the heap stores only the rest.
const OCD_COUNTRY: &str = "ocd-division/country:us";
/// Number of bytes for the length before each text in the heap.
const LENGTH_BYTES: usize = 1;

/// One jurisdiction as stored.
#[derive(Clone, Copy, Debug, Archive, Serialize)]
pub struct JurisdictionRow {
    /// Positions of texts in the heap; the empty text is at 0.
    name: u32,
    legal_type: u32,
    ocd_id: u32,
    /// Index in `same_as` of a count, which the rows of the same government follow. 0 if there are no such rows.
    same_as: u32,
    population: u32,
    /// A point inside the jurisdiction; longitude `i32::MIN` if none is known.
    lon: i32,
    lat: i32,
    /// West, south, east, north of the jurisdiction's polygons; valid only if `has_boundary` is 1.
    bbox: [i32; 4],
    source: u16,
    /// Year that the jurisdiction's source describes; 0 if unknown.
    vintage: u16,
    func_stat: u8,
    state: u8,
    has_boundary: u8,
    /// See [`NewJurisdiction::area_off_percent`]. 0 in files of format 3, where this byte is padding.
    area_off_percent: i8,
}

/// A retired id, and the position of the ids that replaced it.
#[derive(Clone, Copy, Debug, Archive, Serialize)]
pub struct ReplacedRow {
    old: u64,
    /// Index of the first entry in `successors`, and the number of entries.
    successors: (u32, u32),
}

/// The jurisdictions as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Jurisdictions {
    /// One key for each row, ascending: [`Geoid::to_u64`], the key of the country, or that of a district.
    keys: Vec<u64>,
    rows: Vec<JurisdictionRow>,
    same_as: Vec<u32>,
    replaced: Vec<ReplacedRow>,
    successors: Vec<u32>,
    /// District names (the texts after `district:`) as positions in the heap; ascending by text.
    district_names: Vec<u32>,
    /// Texts, each after one byte with its length.
    heap: Vec<u8>,
}

/// A jurisdiction before it is packed into a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJurisdiction {
    /// `country:us`, a Census id or a district whose name begins with the postal code of its state.
    pub id: JurisdictionId,
    /// Name in common use.
    pub name: String,
    /// Legal word in lower case, such as `charter township`.
    pub legal_type: Option<String>,
    /// Open Civic Data id, if known.
    pub ocd_id: Option<String>,
    /// Ids of other rows for the same government or area.
    pub same_as: Vec<JurisdictionId>,
    /// Number of residents; used for ranking.
    pub population: u32,
    /// A point inside the jurisdiction, if known.
    pub point: Option<LonLat>,
    /// Bounding box of the jurisdiction's polygons: west, south, east, north in 1e-7 degree.
    pub bbox: Option<[i32; 4]>,
    /// Row in `meta` of the jurisdiction's source.
    pub source: u16,
    /// Year that the jurisdiction's source describes; 0 if unknown.
    pub vintage: u16,
    /// Functional status, from the Census.
    pub func_stat: FuncStat,
    /// Percent by which the area inside the mapped outline exceeds the legal area; negative if it is smaller. It is 0
    /// if no difference is known.
    pub area_off_percent: i8,
}

/// The key of an id; `None` for an unknown district. `district_at` finds the index of a district's name.
fn key(id: &JurisdictionId, district_at: impl Fn(&str) -> Option<usize>) -> Option<u64> {
    match id {
        JurisdictionId::Country => Some(COUNTRY_KEY),
        // The id `state:00` is well formed, but its key would be that of the country.
        JurisdictionId::Census(geoid) => Some(geoid.to_u64()).filter(|key| *key != COUNTRY_KEY),
        JurisdictionId::District(name) => district_at(name).map(|at| DISTRICT_KEY | at as u64),
    }
}

/// The state of an id; `None` for the country. A district's name begins with the postal code of its state.
pub(super) fn state_of(id: &JurisdictionId) -> Option<StateCode> {
    match id {
        JurisdictionId::Census(geoid) => StateCode::from_fips(geoid.state_fips()),
        JurisdictionId::District(name) => name.get(..2).and_then(|code| code.parse().ok()),
        JurisdictionId::Country => None,
    }
}

impl Jurisdictions {
    /// Sorts `all` in place, and packs it. The index of a jurisdiction is then its row. Returns the section, and the
    /// row of each id.
    ///
    /// # Errors
    /// If an id occurs twice, if `same_as` or `replaced` name an unknown id, or if a text is too long.
    pub fn pack(
        all: &mut [NewJurisdiction],
        replaced: &[(Geoid, Vec<JurisdictionId>)],
    ) -> Result<(Jurisdictions, HashMap<JurisdictionId, u32>), WriteError> {
        let districts = district_names(all);
        let own_key = |id: &JurisdictionId| {
            key(id, |name| districts.binary_search_by(|other| (**other).cmp(name)).ok())
        };
        all.sort_by_key(|jurisdiction| own_key(&jurisdiction.id));
        let mut rows = HashMap::new();
        for (row, jurisdiction) in all.iter().enumerate() {
            if rows.insert(jurisdiction.id.clone(), row as u32).is_some() {
                return Err(WriteError::DuplicateId { id: jurisdiction.id.clone() });
            }
        }
        let find = |of: &JurisdictionId, id: &JurisdictionId| {
            rows.get(id).copied().ok_or_else(|| WriteError::UnknownId { of: of.clone(), id: id.clone() })
        };
        let mut packed = Jurisdictions { same_as: vec![0], ..Jurisdictions::default() };
        let mut texts = TextHeap::new();
        for name in &districts {
            packed.district_names.push(texts.place(name)?);
        }
        for jurisdiction in all.iter() {
            let others = jurisdiction.same_as.iter().map(|id| find(&jurisdiction.id, id));
            let same_as = packed.same_as(&others.collect::<Result<Vec<_>, _>>()?);
            packed.keys.extend(own_key(&jurisdiction.id));
            let row = row(jurisdiction, same_as, &mut texts)?;
            packed.rows.push(row);
        }
        let mut sorted: Vec<_> = replaced.iter().collect();
        sorted.sort();
        for (old, successors) in sorted {
            let start = packed.successors.len() as u32;
            for id in successors {
                packed.successors.push(find(&JurisdictionId::Census(*old), id)?);
            }
            packed
                .replaced
                .push(ReplacedRow { old: old.to_u64(), successors: (start, successors.len() as u32) });
        }
        packed.heap = texts.into_bytes();
        Ok((packed, rows))
    }

    fn same_as(&mut self, others: &[u32]) -> u32 {
        if others.is_empty() {
            return 0;
        }
        let place = self.same_as.len() as u32;
        self.same_as.push(others.len() as u32);
        self.same_as.extend(others);
        place
    }
}

fn row(
    new: &NewJurisdiction,
    same_as: u32,
    texts: &mut TextHeap<LENGTH_BYTES>,
) -> Result<JurisdictionRow, WriteError> {
    let mut text = |value: &str| texts.place(value);
    let ocd_id = new.ocd_id.as_deref().unwrap_or_default();
    // The country's own id would become the empty text, which means that no id is known. A slash stands for it.
    let below = ocd_id.strip_prefix(OCD_COUNTRY).map_or("", |rest| if rest.is_empty() { "/" } else { rest });
    Ok(JurisdictionRow {
        name: text(&new.name)?,
        legal_type: text(new.legal_type.as_deref().unwrap_or_default())?,
        ocd_id: text(below)?,
        same_as,
        population: new.population,
        lon: new.point.map_or(i32::MIN, |point| point.lon()),
        lat: new.point.map_or(0, |point| point.lat()),
        bbox: new.bbox.unwrap_or_default(),
        source: new.source,
        vintage: new.vintage,
        func_stat: new.func_stat as u8,
        state: state_of(&new.id).map_or(0, StateCode::fips),
        has_boundary: u8::from(new.bbox.is_some()),
        area_off_percent: new.area_off_percent,
    })
}

/// Names of all districts, ascending and without duplicates.
fn district_names(all: &[NewJurisdiction]) -> Vec<Box<str>> {
    let name = |jurisdiction: &NewJurisdiction| match &jurisdiction.id {
        JurisdictionId::District(name) => Some(name.clone()),
        JurisdictionId::Country | JurisdictionId::Census(_) => None,
    };
    let mut names: Vec<Box<str>> = all.iter().filter_map(name).collect();
    names.sort();
    names.dedup();
    names
}

impl ArchivedJurisdictions {
    fn key(&self, id: &JurisdictionId) -> Option<u64> {
        key(id, |name| {
            self.district_names.binary_search_by(|place| self.heap_text(place.to_native()).cmp(name)).ok()
        })
    }

    /// Number of jurisdictions, including the nation.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the snapshot has no jurisdictions.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row of an id; `None` if the snapshot does not have it.
    pub fn find(&self, id: &JurisdictionId) -> Option<u32> {
        let key = self.key(id)?;
        self.keys.binary_search_by_key(&key, |key| key.to_native()).ok().map(|row| row as u32)
    }

    /// The rows that replaced a retired id; `None` if the id was not retired.
    pub fn successors(&self, id: &JurisdictionId) -> Option<impl Iterator<Item = u32>> {
        let key = self.key(id)?;
        let at = self.replaced.binary_search_by_key(&key, |row| row.old.to_native()).ok()?;
        let (start, count) =
            (self.replaced[at].successors.0.to_native(), self.replaced[at].successors.1.to_native());
        let rows = self.successors.iter().skip(start as usize).take(count as usize);
        Some(rows.map(|row| row.to_native()))
    }

    /// The other rows for the same government or area as this row.
    pub fn same_as(&self, row: u32) -> impl Iterator<Item = u32> {
        let place = self.rows.get(row as usize).map_or(0, |row| row.same_as.to_native()) as usize;
        let count = self.same_as.get(place).map_or(0, |count| count.to_native() as usize);
        self.same_as.iter().skip(place + 1).take(count).map(|row| row.to_native())
    }

    /// The fields of a row, without its id; `None` for an unknown row.
    #[inline]
    pub fn fields(&self, row: u32) -> Option<&ArchivedJurisdictionRow> {
        self.rows.get(row as usize)
    }

    /// The id and fields of a row; `None` for an unknown row.
    pub fn get(&self, row: u32) -> Option<(JurisdictionId, &ArchivedJurisdictionRow)> {
        Some((self.id(row)?, self.rows.get(row as usize)?))
    }

    /// The id of a row; `None` for an unknown row.
    pub fn id(&self, row: u32) -> Option<JurisdictionId> {
        Some(match self.keys.get(row as usize)?.to_native() {
            COUNTRY_KEY => JurisdictionId::Country,
            key if key & DISTRICT_KEY == DISTRICT_KEY => {
                let place = self.district_names.get((key & !DISTRICT_KEY) as usize)?;
                JurisdictionId::District(self.heap_text(place.to_native()).into())
            }
            key => JurisdictionId::Census(Geoid::from_u64(key)?),
        })
    }

    /// The rows of one layer. They are consecutive because rows are sorted by layer first.
    pub fn rows_of(&self, layer: Layer) -> std::ops::Range<u32> {
        let first = |key: u64| self.keys.partition_point(|other| other.to_native() < key) as u32;
        let base = (layer as u64) << 56;
        // Key 0 belongs to the country, although it looks like the key of a state.
        first(base.max(COUNTRY_KEY + 1))..first(base + (1 << 56))
    }

    fn heap_text(&self, place: u32) -> &str {
        text_at::<LENGTH_BYTES>(&self.heap, place)
    }

    /// All names of a row, folded; the name of [`ArchivedJurisdictions::name`] is the first.
    pub fn names(&self, id: &JurisdictionId, row: &ArchivedJurisdictionRow) -> Vec<Folded> {
        names_of(id, self.name(row), self.legal_type(row), self.ocd_id(row).as_deref())
    }

    /// Name in common use.
    pub fn name(&self, row: &ArchivedJurisdictionRow) -> &str {
        self.heap_text(row.name.to_native())
    }

    /// Legal word in lower case; `None` without one.
    pub fn legal_type(&self, row: &ArchivedJurisdictionRow) -> Option<&str> {
        Some(self.heap_text(row.legal_type.to_native())).filter(|text| !text.is_empty())
    }

    /// Open Civic Data id; `None` if it is not known.
    pub fn ocd_id(&self, row: &ArchivedJurisdictionRow) -> Option<String> {
        match self.heap_text(row.ocd_id.to_native()) {
            "" => None,
            "/" => Some(OCD_COUNTRY.to_owned()),
            below => Some(format!("{OCD_COUNTRY}{below}")),
        }
    }

    pub(super) fn check_layout(&self, sources: usize) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout("jurisdictions", detail));
        if self.keys.len() != self.rows.len() {
            return wrong("the numbers of keys and rows differ");
        }
        if self.rows.iter().any(|row| usize::from(row.source.to_native()) >= sources) {
            return wrong("a row names a source that does not exist");
        }
        // `Directory` reads a row that does not exist as row 0, so row 0 must be the nation.
        if self.id(0) != Some(JurisdictionId::Country) {
            return wrong("row 0 is not the nation");
        }
        Ok(())
    }
}

impl ArchivedJurisdictionRow {
    /// Number of residents; used for ranking.
    pub fn population(&self) -> u32 {
        self.population.to_native()
    }

    /// A point inside the jurisdiction; `None` if none is known.
    pub fn point(&self) -> Option<LonLat> {
        let lon = self.lon.to_native();
        (lon != i32::MIN).then_some(LonLat::from_units(self.lat.to_native(), lon))
    }

    /// West, south, east, north of the jurisdiction's polygons in 1e-7 degree; `None` without polygons.
    pub fn bbox(&self) -> Option<[i32; 4]> {
        (self.has_boundary != 0).then(|| std::array::from_fn(|at| self.bbox[at].to_native()))
    }

    /// Row in `meta` of the jurisdiction's source.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    /// Year that the jurisdiction's source describes; 0 if unknown.
    pub fn vintage(&self) -> u16 {
        self.vintage.to_native()
    }

    /// Functional status; `Unknown` for a letter that no release has written.
    pub fn func_stat(&self) -> FuncStat {
        FuncStat::from_letter(self.func_stat).unwrap_or(FuncStat::Unknown)
    }

    /// FIPS code of the jurisdiction's state; 0 for the country.
    pub fn state(&self) -> u8 {
        self.state
    }

    /// Percent by which the area inside the mapped outline exceeds the legal area; negative if it is smaller. It is 0
    /// if no difference is known.
    pub fn area_off_percent(&self) -> i8 {
        self.area_off_percent
    }

    /// Whether the snapshot has polygons of the jurisdiction.
    pub fn has_boundary(&self) -> bool {
        self.has_boundary != 0
    }
}
