//! From cleaned areas to the sections of a snapshot.

use std::collections::HashMap;

use crate::{
    boundaries::{
        codes::{CodesTooLong, Colored, Series, colors, encode, list_overlaps},
        fans,
        landmarks::Landmarks,
        settled::Settled,
        shore::Shores,
        simplify::{Ground, Leeway, crossings, simplify},
        topology::Topology,
    },
    input::outlines::Outline,
};
use platbook::{
    geometry::{Bbox, LonLat, UNITS_PER_DEGREE, ring},
    snapshot::{
        area_flag,
        write::{
            AreaRow, Areas, Boundaries, EncodedSection, Jurisdictions, LabelSet, Line, Meta, NewJurisdiction,
            Trie, TrieBuilder, WriteError, line_kinds,
        },
    },
    vocabulary::{Geoid, JurisdictionId, Layer, PerState},
};

/// Edges a leaf of the trie holds at most. On the default snapshot 40 saved 4 % of all bytes and cost 5 to 15 % of
/// the time of a lookup near a border; 24 cost 4 % more bytes and saved no time that could be measured.
const LEAF_EDGES_MAX: usize = 32;

/// People a square kilometer from which on a whole county counts as settled: suburbs of 2,000 square meters a head and
/// fields between them.
const CROWDED_PER_KM2: f64 = 150.0;
/// Length of a degree of latitude, kilometers.
const KM_PER_DEGREE: f64 = 111.2;

/// No row: the `jurisdiction` or `county` of an area that has none.
const NONE: u32 = u32::MAX;

/// What an area stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaKind {
    /// A jurisdiction of the snapshot.
    Jurisdiction,
    /// A statistical unit that only says "no town here".
    Filler,
    /// A unit of an older vintage whose place others have taken.
    Retired,
}

/// A cleaned area.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its id.
    pub geoid: Geoid,
    /// What it stands for.
    pub kind: AreaKind,
    /// Closed rings; outer ones and holes told apart by even-odd.
    pub rings: Vec<Vec<LonLat>>,
    /// Areas of one series tile the plane together.
    pub series: Series,
    /// Row of its source.
    pub source: u16,
    /// Scale denominator.
    pub scale: u32,
    /// Whether the area adds to another source of its layer.
    pub supplement: bool,
    /// Meters by which its lines may be moved where people live.
    pub settled_m: f64,
    /// And elsewhere.
    pub elsewhere_m: f64,
    /// Code that it shares with the place or subdivision that is the same government; else 0.
    pub link: u32,
}

/// All that a snapshot is compiled from.
#[derive(Debug)]
pub struct Inputs {
    /// Sources, coverage, dates; vertex counts are filled in here.
    pub meta: Meta,
    /// Every jurisdiction, with polygons or without.
    pub jurisdictions: Vec<NewJurisdiction>,
    /// Retired ids and their successors.
    pub replaced: Vec<(Geoid, Vec<JurisdictionId>)>,
    /// County, subdivision and place areas.
    pub areas: Vec<Area>,
    /// Whether subdivisions tile the state.
    pub tiled: PerState<bool>,
    /// Points that the Census publishes, each inside its unit.
    pub internal_points: Vec<LonLat>,
    /// Land of American Indian nations, each area with the row of its source.
    pub tribal: Vec<(usize, Outline)>,
    /// Where the mapped land ends.
    pub shores: Shores,
    /// Meters by which lines of that land and of the shore may be moved.
    pub simplify_m: u32,
}

/// Areas as sections, which lines alone decide.
#[derive(Debug)]
pub struct Compiled {
    /// Sources, coverage, dates, and how many vertices there were and are.
    pub meta: Meta,
    /// The jurisdictions in the order of their section: an index is a row.
    pub rows: Vec<NewJurisdiction>,
    /// The jurisdictions with their names; an index is a row.
    pub jurisdictions: EncodedSection<Jurisdictions>,
    /// Polygons by number, and their codes.
    pub areas: EncodedSection<Areas>,
    /// Finds the code of a point.
    pub trie: EncodedSection<Trie>,
    /// The outlines of all areas, as shared arcs.
    pub boundaries: EncodedSection<Boundaries>,
}

/// Why areas cannot be compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A section cannot be made: an id stands twice or points nowhere, or an edge is absurdly long.
    #[error(transparent)]
    Section(#[from] WriteError),
    /// There are more areas than codes.
    #[error(transparent)]
    Codes(#[from] CodesTooLong),
}

/// Compiles; says what it does through `progress`.
///
/// # Errors
/// See [`CompileError`].
pub fn compile(inputs: Inputs, progress: &dyn Fn(&str)) -> Result<Compiled, CompileError> {
    let Inputs { mut meta, mut jurisdictions, replaced, mut areas, tiled, internal_points, .. } = inputs;
    let (section, rows) = Jurisdictions::pack(&mut jurisdictions, &replaced)?;
    areas.retain(|area| !area.rings.is_empty());
    areas.sort_by_key(|area| (area.geoid, area.series));
    meta.source_vertices = areas.iter().flat_map(|area| &area.rings).map(|ring| ring.len() as u64).sum();

    progress("cutting rings into arcs");
    let mut topology = Topology::of(areas.iter().map(|area| area.rings.as_slice()));
    let leeways = leeways(&areas, &topology.sides());
    progress("simplifying arcs");
    let landmarks = Landmarks::of(internal_points.into_iter());
    let ground = Ground { settled: settled(&areas, &jurisdictions), landmarks };
    simplify(&mut topology.arcs, &leeways, &ground);
    meta.stored_vertices = topology.arcs.iter().map(|arc| arc.len() as u64).sum();

    progress("numbering areas");
    let crossings = crossings(&topology.arcs, &leeways, u64::MAX);
    let colors = sort_by_code(&mut areas, &mut topology, &crossings);
    let area_rows: Vec<AreaRow> = areas.iter().map(|area| area_row(area, &rows, &tiled)).collect();
    let (mut area_table, codes) = encode(area_rows, &colors)?;
    let sides = topology.sides();

    progress("building the trie");
    let (labels, lines) = labeled(&area_table, &codes, &topology.arcs, &sides);
    let trie = TrieBuilder::new(LEAF_EDGES_MAX).build(&labels, &lines)?;
    progress("listing overlaps");
    let boxes: Vec<Bbox> = areas.iter().map(bbox).collect();
    list_overlaps(&mut area_table, &codes, &boxes, trie.values().iter().copied());
    Ok(Compiled {
        meta,
        rows: jurisdictions,
        jurisdictions: EncodedSection::new(&section)?,
        areas: EncodedSection::new(&area_table)?,
        trie: EncodedSection::new(&trie)?,
        boundaries: EncodedSection::new(&Boundaries::pack(&topology.arcs, &topology.areas))?,
    })
}

/// Sorts areas, and their rings, into the order of the codes; gives each area's color.
fn sort_by_code(areas: &mut Vec<Area>, topology: &mut Topology, crossings: &[(usize, usize)]) -> Vec<u32> {
    let sides = topology.sides();
    let between = |(a, b): &(usize, usize)| {
        let pairs =
            sides[*a].iter().flat_map(|one| sides[*b].iter().map(|other| (*one as usize, *other as usize)));
        pairs.filter(|(one, other)| one != other).collect::<Vec<_>>()
    };
    let series: Vec<Series> = areas.iter().map(|area| area.series).collect();
    let mut overlaps = fans::overlaps(topology, &series);
    overlaps.extend(crossings.iter().flat_map(between));
    let colored: Vec<Colored> = areas
        .iter()
        .map(|area| Colored { geoid: area.geoid, series: area.series, bbox: bbox(area) })
        .collect();
    let rings = std::mem::take(&mut topology.areas);
    let mut together: Vec<_> =
        colors(&colored, &overlaps).into_iter().zip(areas.drain(..).zip(rings)).collect();
    together.sort_by_key(|(color, (area, _))| (area.geoid.layer(), *color, area.geoid));
    let (colors, both): (Vec<u32>, Vec<_>) = together.into_iter().unzip();
    (*areas, topology.areas) = both.into_iter().unzip();
    colors
}

fn bbox(area: &Area) -> Bbox {
    let nothing = Bbox { min: LonLat::from_units(0, 0), max: LonLat::from_units(0, 0) };
    Bbox::around(area.rings.iter().flatten().copied()).unwrap_or(nothing)
}

fn area_row(area: &Area, rows: &HashMap<JurisdictionId, u32>, tiled: &PerState<bool>) -> AreaRow {
    let find = |geoid: Geoid| rows.get(&JurisdictionId::Census(geoid)).copied().unwrap_or(NONE);
    let state = area.geoid.state_fips();
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    let retired = area.kind == AreaKind::Retired;
    AreaRow {
        geoid: area.geoid.to_u64(),
        jurisdiction: if area.kind == AreaKind::Jurisdiction { find(area.geoid) } else { NONE },
        county: area.geoid.county().filter(|_| !retired).map_or(NONE, find),
        link: area.link,
        scale: area.scale,
        source: area.source,
        state,
        flags: flag(retired, area_flag::RETIRED)
            | flag(
                tiled.at_fips(state) == Some(&true) && area.geoid.layer() != Layer::Place,
                area_flag::TILED,
            )
            | flag(area.supplement, area_flag::SUPPLEMENT),
    }
}

/// Where people live: in and around places, and in counties that are full of people.
fn settled(areas: &[Area], jurisdictions: &[NewJurisdiction]) -> Settled {
    let population: HashMap<&JurisdictionId, u32> =
        jurisdictions.iter().map(|jurisdiction| (&jurisdiction.id, jurisdiction.population)).collect();
    let wanted = |area: &&Area| match area.geoid.layer() {
        Layer::Place => true,
        Layer::County => {
            let people = population.get(&JurisdictionId::Census(area.geoid)).copied().unwrap_or(0);
            // The planning regions of Connecticut have no estimate: they are full of people, too.
            people == 0 || f64::from(people) > CROWDED_PER_KM2 * square_km(&area.rings)
        }
        Layer::State | Layer::Cousub => false,
    };
    Settled::of(areas.iter().filter(wanted).map(|area| area.rings.as_slice()))
}

/// Area of closed rings that are turned as `clean` turns them.
fn square_km(rings: &[Vec<LonLat>]) -> f64 {
    let Some(first) = rings.first().and_then(|ring| ring.first()) else { return 0.0 };
    let units = rings.iter().map(|ring| ring::signed_area_doubled(ring)).sum::<i128>() as f64 / 2.0;
    units * first.lat_degrees().to_radians().cos() * (KM_PER_DEGREE / f64::from(UNITS_PER_DEGREE)).powi(2)
}

/// An arc may be moved by as much as the strictest of its sides allows.
fn leeways(areas: &[Area], sides: &[Vec<u32>]) -> Vec<Leeway> {
    let of = |number: &u32| &areas[*number as usize];
    let leeway = |sides: &Vec<u32>| {
        let strictest = |meters: fn(&Area) -> f64| {
            let found = sides.iter().map(of).map(meters).fold(f64::INFINITY, f64::min);
            if found.is_finite() { found } else { 0.0 }
        };
        let tilings = sides.iter().map(of).fold(0, |bits, area| bits | 1 << (area.series % 64));
        let (settled_m, elsewhere_m) = (strictest(|area| area.settled_m), strictest(|area| area.elsewhere_m));
        Leeway { settled_m, elsewhere_m, tilings }
    };
    sides.iter().map(leeway).collect()
}

/// The labels of all arcs, and the arcs as lines of the trie. Arcs with the same areas on their sides share a
/// label; an arc with none (inside one area) is not a border. Labels of the longest lines come first: small numbers
/// take less room in the trie.
fn labeled<'a>(
    table: &Areas,
    codes: &[u64],
    arcs: &'a [Vec<LonLat>],
    sides: &[Vec<u32>],
) -> (Vec<LabelSet>, Vec<Line<'a>>) {
    let bordering = || arcs.iter().zip(sides).filter(|(_, sides)| !sides.is_empty());
    let mut lengths: HashMap<&[u32], usize> = HashMap::new();
    bordering().for_each(|(vertices, sides)| *lengths.entry(sides).or_default() += vertices.len());
    let mut order: Vec<(&[u32], usize)> = lengths.into_iter().collect();
    order.sort_by_key(|(sides, length)| (std::cmp::Reverse(*length), *sides));
    let label = |sides: &[u32]| {
        let rows: Vec<AreaRow> = sides.iter().map(|side| table.rows[*side as usize]).collect();
        let code = sides.iter().fold(0, |code, side| code ^ codes[*side as usize]);
        LabelSet { code, areas: sides.to_vec(), kinds: line_kinds(&rows) }
    };
    let labels = order.iter().map(|(sides, _)| label(sides)).collect();
    let numbers: HashMap<&[u32], u32> =
        (0..).zip(&order).map(|(number, (sides, _))| (*sides, number)).collect();
    let lines =
        bordering().map(|(vertices, sides)| Line { label: numbers[sides.as_slice()], vertices }).collect();
    (labels, lines)
}
