//! Joins loaded records by id into the input of [`compile`](super::compile::compile).
//!
//! Names, ids, populations and successors meet here; lines are not touched.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    geometry::Bbox,
    snapshot::write::{CoverageRow, DroppedCount, Meta, NewJurisdiction, SourceRecord},
    vocabulary::{
        Coverage, FuncStat, Geoid, JurisdictionId, Layer, PerState, Scale, StateCode, split_namelsad,
    },
};

use crate::{
    boundaries::{
        codes::Series,
        compile::{Area, AreaKind, Inputs},
        inner::InnerPoints,
        legal_area::off_percent,
        load::{Kept, Loaded},
        naming,
        same_as::SameAs,
        select::Kind,
        shore::Shores,
    },
    curated::AreaTables,
    input::{
        Record,
        gazetteer::Listed,
        manifest::{Manifest, Role, Source},
    },
};

/// Coarsest scale denominator whose lines are simplified. Lines of 1:20,000,000 already have fewer vertices than any
/// tolerance leaves.
const SIMPLIFIED_MAX: u32 = 500_000;

/// Distances by which lines of 1:500,000 or finer may be moved to simplify them, in meters; 0 keeps them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    /// Maximum distance where people live, in meters.
    pub settled_m: u32,
    /// Maximum distance where few people live, in meters. It is reduced to the uncertainty of the line's scale, but not
    /// below `settled_m`.
    pub elsewhere_m: u32,
}

/// Joins all records and tables.
pub fn assemble(manifest: &Manifest, mut loaded: Loaded, tables: &AreaTables, simplify: Tolerance) -> Inputs {
    let named = named_only(manifest, &loaded);
    let known: BTreeSet<Geoid> = loaded
        .kept
        .iter()
        .filter(|area| area.kind == Kind::Jurisdiction)
        .map(|area| area.geoid)
        .chain(named.iter().map(|row| row.geoid))
        .collect();
    let same = SameAs::of(&tables.same_as, &known);
    let inner = InnerPoints::of(&loaded.kept, &same);
    let listed = loaded.listed.iter().map(|unit| (unit.geoid, unit)).collect();
    let join = Join { manifest, tables, ocd: ocd_ids(&loaded), same: &same, inner, listed, loaded: &loaded };
    let mut jurisdictions = vec![join.country()];
    jurisdictions.extend(
        loaded.kept.iter().filter(|area| area.kind == Kind::Jurisdiction).map(|area| join.kept(area)),
    );
    jurisdictions.extend(named.iter().map(|row| join.named(row)));
    let meta = meta(manifest, &loaded, &named, simplify);
    let tiled = tiled(manifest, &loaded);
    let replaced = replaced(&loaded, &known);
    let tribal = std::mem::take(&mut loaded.tribal);
    let installations = std::mem::take(&mut loaded.installations);
    let shores = Shores::take(manifest, &mut loaded);
    let areas = areas(manifest, &mut loaded.kept, &same, simplify);
    let internal_points = loaded.kept.iter().filter_map(|area| area.internal_point).collect();
    Inputs {
        meta,
        jurisdictions,
        replaced,
        areas,
        tiled,
        internal_points,
        tribal,
        installations,
        shores,
        simplify_m: simplify.elsewhere_m,
    }
}

/// For each state, whether every point on land lies in a subdivision or in a filler.
fn tiled(manifest: &Manifest, loaded: &Loaded) -> PerState<bool> {
    // States without any subdivision in the files stay false: there a gap between areas means nothing.
    let mut tiled = PerState::default();
    for area in loaded.kept.iter().filter(|area| area.geoid.layer() == Layer::Cousub) {
        if let Some(state) = StateCode::from_fips(area.geoid.state_fips()) {
            *tiled.get_mut(state) = manifest.is_complete(Layer::Cousub, state);
        }
    }
    tiled
}

/// A jurisdiction known by name and code only, without a polygon.
struct Named {
    geoid: Geoid,
    record: Record,
    lsad: Option<&'static str>,
    source: usize,
}

/// Subdivisions and places of the Open Civic Data list, in states for which the files lack polygons of that layer. In
/// the other states a code without a polygon is out of use.
fn named_only(manifest: &Manifest, loaded: &Loaded) -> Vec<Named> {
    let Some(source) = manifest.sources.iter().position(|source| source.role == Role::OcdIds) else {
        return Vec::new();
    };
    // A code that has an area or was replaced must not get a second row from the list.
    let mut taken: BTreeSet<Geoid> = loaded.kept.iter().map(|area| area.geoid).collect();
    taken.extend(loaded.replaced.iter().map(|row| row.old));
    let missing = |geoid: Geoid| {
        let state = StateCode::from_fips(geoid.state_fips());
        geoid.layer() != Layer::County
            && state.is_some_and(|state| !manifest.is_complete(geoid.layer(), state))
    };
    let mut named = Vec::new();
    for row in loaded.ocd.rows.iter().filter(|row| missing(row.geoid)) {
        if taken.insert(row.geoid) {
            let split = split_namelsad(&row.name);
            let name = split.map_or(row.name.as_str(), |(bare, _)| bare).to_owned();
            let lsad = split.map(|(_, legal)| legal.lsad);
            let record = Record::named(row.geoid, name, row.name.clone());
            named.push(Named { geoid: row.geoid, record, lsad, source });
        }
    }
    named
}

/// Open Civic Data ids by current GEOIDs.
fn ocd_ids(loaded: &Loaded) -> BTreeMap<Geoid, String> {
    let renamed: BTreeMap<Geoid, Geoid> =
        loaded.replaced.iter().filter(|row| row.new.len() == 1).map(|row| (row.old, row.new[0])).collect();
    let today = |geoid: Geoid| renamed.get(&geoid).copied().unwrap_or(geoid);
    loaded.ocd.rows.iter().map(|row| (today(row.geoid), row.id.clone())).collect()
}

struct Join<'a> {
    manifest: &'a Manifest,
    tables: &'a AreaTables,
    ocd: BTreeMap<Geoid, String>,
    same: &'a SameAs,
    inner: InnerPoints<'a>,
    listed: BTreeMap<Geoid, &'a Listed>,
    loaded: &'a Loaded,
}

impl Join<'_> {
    fn country(&self) -> NewJurisdiction {
        let source =
            self.manifest.sources.iter().position(|source| source.layer == Some(Layer::State)).unwrap_or(0);
        NewJurisdiction {
            id: JurisdictionId::Country,
            name: "United States".to_owned(),
            legal_type: None,
            ocd_id: Some("ocd-division/country:us".to_owned()),
            same_as: Vec::new(),
            population: 0,
            point: None,
            bbox: None,
            source: source as u16,
            vintage: self.manifest.sources.get(source).map_or(0, |source| source.vintage),
            func_stat: FuncStat::Active,
            area_off_percent: 0,
        }
    }

    fn kept(&self, area: &Kept) -> NewJurisdiction {
        let bbox = Bbox::around(area.rings.iter().flatten().copied());
        let name = match StateCode::from_fips(area.geoid.state_fips()) {
            // Files name some states by their formal names ("Commonwealth of the Northern Mariana Islands").
            Some(state) if area.geoid.layer() == Layer::State => state.name().to_owned(),
            _ => area.name.clone(),
        };
        NewJurisdiction {
            legal_type: area.legal_type.clone(),
            point: self.inner.point(area),
            bbox: bbox.map(|bbox| [bbox.min.lon(), bbox.min.lat(), bbox.max.lon(), bbox.max.lat()]),
            source: area.source as u16,
            vintage: area.vintage,
            func_stat: area.func_stat,
            area_off_percent: self.area_off_percent(area),
            ..self.by_id(area.geoid, name)
        }
    }

    /// Percent by which an outline differs from the legal area; 0 for official lines, which are the legal
    /// ones.
    fn area_off_percent(&self, area: &Kept) -> i8 {
        let legal = self.listed.get(&area.geoid);
        let is_made = !self.manifest.sources[area.source].official;
        legal.filter(|_| is_made).map_or(0, |legal| off_percent(&area.rings, legal))
    }

    fn named(&self, row: &Named) -> NewJurisdiction {
        let name = naming::name(&self.tables.naming, &row.record, row.lsad);
        let is_city_part = row.geoid.layer() == Layer::Cousub && self.same.links.contains_key(&row.geoid);
        NewJurisdiction {
            legal_type: name.legal_type,
            source: row.source as u16,
            vintage: self.manifest.sources[row.source].vintage,
            // The Open Civic Data list holds functioning governments only.
            func_stat: if is_city_part { FuncStat::Fictitious } else { FuncStat::Active },
            ..self.by_id(row.geoid, name.name)
        }
    }

    /// The Open Civic Data id. A city's part that is a subdivision has the city's id: Open Civic Data does
    /// not list parts.
    fn ocd_id(&self, geoid: Geoid) -> Option<String> {
        let city = || self.same.others.get(&geoid)?.iter().find(|other| other.layer() == Layer::Place);
        let of_city = || self.ocd.get(city().filter(|_| geoid.layer() == Layer::Cousub)?).cloned();
        self.ocd.get(&geoid).cloned().or_else(|| state_ocd_id(geoid)).or_else(of_city)
    }

    /// A jurisdiction with the fields that its id determines; the others are empty.
    fn by_id(&self, geoid: Geoid, name: String) -> NewJurisdiction {
        let others = self.same.others.get(&geoid).into_iter().flatten();
        NewJurisdiction {
            id: JurisdictionId::Census(geoid),
            name,
            legal_type: None,
            ocd_id: self.ocd_id(geoid),
            same_as: others.map(|other| JurisdictionId::Census(*other)).collect(),
            population: self
                .loaded
                .population
                .get(&geoid)
                .map_or(0, |people| (*people).min(u64::from(u32::MAX)) as u32),
            point: None,
            bbox: None,
            source: 0,
            vintage: 0,
            func_stat: FuncStat::Unknown,
            area_off_percent: 0,
        }
    }
}

/// The id of a state: `state:mn`, `district:dc`, `territory:pr`, as Open Civic Data spells it.
fn state_ocd_id(geoid: Geoid) -> Option<String> {
    let state = StateCode::from_fips(geoid.state_fips()).filter(|_| geoid.layer() == Layer::State)?;
    let kind = match state.usps() {
        "DC" => "district",
        "AS" | "GU" | "MP" | "PR" | "VI" => "territory",
        _ => "state",
    };
    Some(format!("ocd-division/country:us/{kind}:{}", state.usps().to_ascii_lowercase()))
}

/// Retired GEOIDs with the successors that the snapshot has.
fn replaced(loaded: &Loaded, known: &BTreeSet<Geoid>) -> Vec<(Geoid, Vec<JurisdictionId>)> {
    let mut rows: BTreeMap<Geoid, BTreeSet<Geoid>> = BTreeMap::new();
    for row in loaded.replaced.iter().filter(|row| !known.contains(&row.old)) {
        rows.entry(row.old).or_default().extend(row.new.iter().filter(|new| known.contains(new)));
    }
    let ids = |new: BTreeSet<Geoid>| new.into_iter().map(JurisdictionId::Census).collect();
    rows.into_iter().filter(|(_, new)| !new.is_empty()).map(|(old, new)| (old, ids(new))).collect()
}

fn areas(manifest: &Manifest, kept: &mut [Kept], same: &SameAs, simplify: Tolerance) -> Vec<Area> {
    let series = series(manifest);
    let kind = |kind: Kind| match kind {
        Kind::Jurisdiction => AreaKind::Jurisdiction,
        Kind::Filler => AreaKind::Filler,
        Kind::Retired => AreaKind::Retired,
    };
    let area = |area: &mut Kept| Area {
        geoid: area.geoid,
        kind: kind(area.kind),
        rings: std::mem::take(&mut area.rings),
        series: series[area.source],
        source: area.source as u16,
        scale: area.scale.denominator,
        // A supplement is a coarse source from which the manifest takes only areas that a finer source lacks.
        supplement: !manifest.sources[area.source].only.is_empty() && area.scale.denominator > SIMPLIFIED_MAX,
        settled_m: f64::from(simplify.of(area.geoid.layer(), area.scale).settled_m),
        elsewhere_m: f64::from(simplify.of(area.geoid.layer(), area.scale).elsewhere_m),
        link: same.links.get(&area.geoid).copied().unwrap_or(0),
    };
    kept.iter_mut().map(area).collect()
}

impl Tolerance {
    /// The tolerance for lines of this layer and scale.
    fn of(self, layer: Layer, scale: Scale) -> Tolerance {
        if scale.denominator > SIMPLIFIED_MAX {
            return Tolerance::default();
        }
        // People live on both sides of a place's boundary, so it never gets the wider limit.
        let elsewhere_m = if layer == Layer::Place { 0 } else { self.elsewhere_m };
        let elsewhere_m = elsewhere_m.min(scale.uncertainty_m() as u32).max(self.settled_m);
        Tolerance { settled_m: self.settled_m, elsewhere_m }
    }
}

/// The series of each source. Sources of one layer, publisher, vintage and scale are one series: their lines
/// match.
fn series(manifest: &Manifest) -> Vec<Series> {
    let mut known = BTreeMap::new();
    let key = |source: &Source| (source.layer, source.publisher.clone(), source.vintage, source.scale);
    manifest
        .sources
        .iter()
        .map(|source| {
            let next = known.len();
            *known.entry(key(source)).or_insert(next)
        })
        .collect()
}

fn meta(manifest: &Manifest, loaded: &Loaded, named: &[Named], simplify: Tolerance) -> Meta {
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for dropped in &loaded.dropped {
        *reasons.entry(dropped.reason.to_string()).or_default() += 1;
    }
    Meta {
        // The date is the manifest's, so that the same inputs give the same bytes.
        as_of: format!("{}T00:00:00Z", manifest.released),
        pipeline_version: env!("CARGO_PKG_VERSION").to_owned(),
        sources: manifest.sources.iter().map(|source| source_record(source, simplify)).collect(),
        coverage: coverage(manifest, loaded, named),
        dropped: reasons.into_iter().map(|(reason, count)| DroppedCount { reason, count }).collect(),
        source_vertices: 0,
        stored_vertices: 0,
    }
}

fn source_record(source: &Source, simplify: Tolerance) -> SourceRecord {
    let digests: Vec<&str> = source.files.iter().map(|file| file.sha256.as_str()).collect();
    // A row has one digest. For several files it is the digest of their digests.
    let digest = match digests.as_slice() {
        [one] => format!("sha256:{one}"),
        many => format!("blake3 of {} sha256 digests:{}", many.len(), blake3::hash(many.concat().as_bytes())),
    };
    let simplified_m =
        source.layer.zip(source.scale).map(|(layer, scale)| simplify.of(layer, scale).elsewhere_m);
    SourceRecord {
        name: source.name.clone(),
        url: source.url.clone(),
        publisher: source.publisher.clone(),
        official: source.official,
        retrieved_at: source.retrieved_at.clone(),
        license_class: source.license_class as u8,
        vintage: source.vintage,
        scale: source.scale.map_or(0, |scale| scale.denominator),
        digest,
        simplified_m: simplified_m.unwrap_or(0),
    }
}

fn coverage(manifest: &Manifest, loaded: &Loaded, named: &[Named]) -> Vec<CoverageRow> {
    let mut rows = Vec::new();
    for layer in Layer::ALL {
        for state in StateCode::all() {
            let here = |geoid: Geoid| geoid.layer() == layer && geoid.state_fips() == state.fips();
            let kept = loaded.kept.iter().filter(|area| here(area.geoid) && area.kind == Kind::Jurisdiction);
            let mut by_source: BTreeMap<usize, u32> = BTreeMap::new();
            kept.for_each(|area| *by_source.entry(area.source).or_default() += 1);
            // Of sources with equally many areas the first counts, so that the result is always the same.
            let most = by_source.iter().max_by_key(|(source, count)| (**count, std::cmp::Reverse(**source)));
            let with_boundary = by_source.values().sum();
            let named_only = named.iter().filter(|row| here(row.geoid)).count() as u32;
            let coverage = match (with_boundary, named_only) {
                (0, 0) => Coverage::NotApplicable,
                _ if manifest.is_complete(layer, state) => Coverage::Complete,
                (0, _) => Coverage::Missing,
                _ => Coverage::Partial,
            };
            let source = most.map_or(u16::MAX, |(source, _)| *source as u16);
            rows.push(CoverageRow {
                layer: layer as u8,
                state: state.fips(),
                coverage: coverage as u8,
                source,
                with_boundary,
                named_only,
            });
        }
    }
    rows
}
