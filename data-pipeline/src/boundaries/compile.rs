//! Compiles cleaned areas into the sections of a snapshot.
//!
//! Arcs are cut, simplified and given codes; the codes then label the lines of the trie. Rules and offices
//! are not known here.

use std::collections::HashMap;

use crate::{
    boundaries::{
        codes::{AreaToColor, CodesTooLong, Series, color_areas, encode, list_overlaps},
        fans,
        landmarks::Landmarks,
        settled::Settled,
        shore::Shores,
        simplify::{Ground, Leeway, crossings, simplify},
        topology::Topology,
    },
    input::{installations::Installation, outlines::Outline},
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

/// Maximum number of edges in a leaf of the trie. On the default snapshot, a maximum of 40 saved 4 % of all bytes,
/// and lookups near a border took 5 to 15 % longer. A maximum of 24 took 4 % more bytes and saved no measurable time.
const LEAF_EDGES_MAX: usize = 32;

/// People per square kilometer from which a whole county counts as settled: about the density of suburbs with fields
/// between them. Chosen, not measured.
const CROWDED_PER_KM2: f64 = 150.0;
/// Length of a degree of latitude in kilometers: on a sphere with the mean radius of the Earth.
const KM_PER_DEGREE: f64 = 111.2;

/// Marks an area without a row of `jurisdiction` or `county`.
const NONE: u32 = u32::MAX;

/// The role of an area in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaKind {
    /// An area with a row among the jurisdictions.
    Jurisdiction,
    /// A statistical unit that only means "no town here".
    Filler,
    /// A unit of an older vintage that others have replaced.
    Retired,
}

/// A cleaned area, ready to be compiled.
#[derive(Clone, Debug)]
pub struct Area {
    /// GEOID of the area.
    pub geoid: Geoid,
    /// The role of the area.
    pub kind: AreaKind,
    /// Closed rings; the area is the set of points in an odd number of them.
    pub rings: Vec<Vec<LonLat>>,
    /// Series of the area; areas of one series tile the plane together.
    pub series: Series,
    /// Row of the area's source in [`Meta`].
    pub source: u16,
    /// Denominator of the scale of the area's lines: 500,000 for 1:500,000.
    pub scale: u32,
    /// Whether the area comes from a supplement: a source for areas that another source of the layer lacks.
    pub supplement: bool,
    /// Meters by which the area's lines may be moved where people live; 0 keeps them.
    pub settled_m: f64,
    /// Meters by which the area's lines may be moved where few people live.
    pub elsewhere_m: f64,
    /// Five-digit code that the area shares with the place or subdivision that is the same government; else 0.
    pub link: u32,
}

/// All data that areas are compiled from.
#[derive(Debug)]
pub struct Inputs {
    /// Sources, coverage and dates; [`compile`] fills in the vertex counts.
    pub meta: Meta,
    /// Every jurisdiction, with or without polygons.
    pub jurisdictions: Vec<NewJurisdiction>,
    /// Retired GEOIDs and their successors.
    pub replaced: Vec<(Geoid, Vec<JurisdictionId>)>,
    /// Areas of counties, subdivisions and places.
    pub areas: Vec<Area>,
    /// For each state, whether subdivisions and fillers cover all its land.
    pub tiled: PerState<bool>,
    /// Points that the Census publishes, each inside its unit.
    pub internal_points: Vec<LonLat>,
    /// Land of American Indian nations, each area with the row of its source.
    pub tribal: Vec<(usize, Outline)>,
    /// Military installations, each with its area and a point inside.
    pub installations: Vec<Installation>,
    /// The shore lines of counties.
    pub shores: Shores,
    /// Meters by which lines of tribal land and of the shore may be moved.
    pub simplify_m: u32,
}

/// Sections that depend only on areas and names.
#[derive(Debug)]
pub struct Compiled {
    /// Sources, coverage, dates, and the vertex counts before and after simplification.
    pub meta: Meta,
    /// The jurisdictions in the order of their section: the index is the row.
    pub rows: Vec<NewJurisdiction>,
    /// The section of jurisdictions with their names.
    pub jurisdictions: EncodedSection<Jurisdictions>,
    /// The section of areas and their codes; the index is the polygon's number.
    pub areas: EncodedSection<Areas>,
    /// The section that finds the code of a point.
    pub trie: EncodedSection<Trie>,
    /// The section with the outlines of all areas, as shared arcs.
    pub boundaries: EncodedSection<Boundaries>,
}

/// The reason why areas cannot be compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A section cannot be made: an id occurs twice or has no row, or an edge is longer than the format
    /// allows.
    #[error(transparent)]
    Section(#[from] WriteError),
    /// The areas need codes longer than 64 bits.
    #[error(transparent)]
    Codes(#[from] CodesTooLong),
}

/// Compiles areas into sections, and reports each step to `progress`.
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
    let (labels, lines) = labels_and_lines(&area_table, &codes, &topology.arcs, &sides);
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

/// Sorts areas, and their rings, into the order of the codes; returns each area's color.
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
    let colored: Vec<AreaToColor> = areas
        .iter()
        .map(|area| AreaToColor { geoid: area.geoid, series: area.series, bbox: bbox(area) })
        .collect();
    let rings = std::mem::take(&mut topology.areas);
    let mut together: Vec<_> =
        color_areas(&colored, &overlaps).into_iter().zip(areas.drain(..).zip(rings)).collect();
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

/// The cells in and around places, and in densely populated counties.
fn settled(areas: &[Area], jurisdictions: &[NewJurisdiction]) -> Settled {
    let population: HashMap<&JurisdictionId, u32> =
        jurisdictions.iter().map(|jurisdiction| (&jurisdiction.id, jurisdiction.population)).collect();
    let wanted = |area: &&Area| match area.geoid.layer() {
        Layer::Place => true,
        Layer::County => {
            let people = population.get(&JurisdictionId::Census(area.geoid)).copied().unwrap_or(0);
            // The planning regions of Connecticut have no estimate of population, but they are densely populated.
            people == 0 || f64::from(people) > CROWDED_PER_KM2 * square_km(&area.rings)
        }
        Layer::State | Layer::Cousub => false,
    };
    Settled::of(areas.iter().filter(wanted).map(|area| area.rings.as_slice()))
}

/// The area of closed rings in square kilometers. The rings must have the direction that `clean` gives them.
fn square_km(rings: &[Vec<LonLat>]) -> f64 {
    let Some(first) = rings.first().and_then(|ring| ring.first()) else { return 0.0 };
    let units = rings.iter().map(|ring| ring::signed_area_doubled(ring)).sum::<i128>() as f64 / 2.0;
    units * first.lat_degrees().to_radians().cos() * (KM_PER_DEGREE / f64::from(UNITS_PER_DEGREE)).powi(2)
}

/// The leeway of each arc: the strictest of the areas on its sides.
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

/// The labels of all arcs, and the arcs as lines of the trie. Arcs with the same areas on their sides share a label. An
/// arc without areas on its sides lies inside one area and is not a border.
///
/// Labels of the longest lines come first, because small numbers take less room in the trie.
fn labels_and_lines<'a>(
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
