//! Decides which records become jurisdictions, and why the others do not.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use platbook::vocabulary::{FuncStat, Geoid, Layer, Scale, legal_type_of};

use crate::{
    curated::{StatusTable, Subject},
    input::{
        Record,
        manifest::{Manifest, Shore, Source},
    },
};

/// The role of a kept record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A legal area with an id, a name and a page.
    Jurisdiction,
    /// A statistical unit. Its polygon makes "no town here" different from "no data here".
    Filler,
    /// An area that is out of use. It is kept because its successors are known at a coarser scale only. Its finer
    /// outline is used as their outer border.
    Retired,
}

/// The reason why a record was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Drawn for statistics (CDP, CCD, comunidad, zona urbana).
    Statistical,
    /// A part of a county that is all water.
    WaterOnly,
    /// A supplement's record of a GEOID that another source also has.
    InPrimary,
    /// The GEOID went out of use.
    Replaced,
    /// No ring was left after cleaning.
    Empty,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Statistical => "drawn for statistics",
            Reason::WaterOnly => "water only",
            Reason::InPrimary => "another source has it",
            Reason::Replaced => "replaced by newer areas",
            Reason::Empty => "encloses nothing",
        })
    }
}

/// Facts of all files that a decision on one record needs.
#[derive(Debug)]
pub struct Context<'a> {
    /// Functional status of areas, by rule.
    pub status: &'a StatusTable,
    /// GEOIDs that sources other than supplements have.
    pub primary: BTreeSet<Geoid>,
    /// GEOIDs that the manifest calls replaced and that have a successor in these files. The value is the
    /// coarsest scale at which the successors are known.
    pub replaced: BTreeMap<Geoid, Option<Scale>>,
    /// Subdivisions that the manifest calls replaced, except those whose whole land went to one other subdivision.
    pub ended: BTreeSet<Geoid>,
    /// LSAD of every incorporated place, by state FIPS code and last five digits.
    pub places: BTreeMap<(u8, u32), Option<String>>,
}

/// The decision on a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The record goes into the snapshot, with this role and status.
    Keep(Kind, FuncStat),
    /// The record is left out.
    Drop(Reason),
}

impl<'a> Context<'a> {
    /// Reads all records once; [`Context::judge`] then decides on them one by one.
    pub fn new<'r>(
        manifest: &Manifest,
        status: &'a StatusTable,
        records: impl Iterator<Item = (&'r Source, &'r Record)>,
    ) -> Context<'a> {
        let ended = manifest.replaced.iter().filter(|row| row.old.layer() == Layer::Cousub);
        let ended = ended.filter(|row| row.merged().is_none()).map(|row| row.old).collect();
        let (primary, replaced, places) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        let mut context = Context { status, primary, replaced, ended, places };
        let mut scales = BTreeMap::new();
        for (source, record) in records {
            scales.insert(record.geoid, source.scale);
            if !source.supplement {
                context.primary.insert(record.geoid);
            }
            if record.geoid.layer() == Layer::Place
                && context.func_stat(source, record) != FuncStat::Statistical
            {
                context.places.extend(key(record.geoid).map(|key| (key, record.lsad.clone())));
            }
        }
        // Files of an older vintage still have the area and no successor: the area is not replaced yet.
        for row in &manifest.replaced {
            let coarsest = row.new.iter().filter_map(|new| scales.get(new).copied()).max();
            context.replaced.extend(coarsest.map(|scale| (row.old, scale)));
        }
        context
    }

    /// Decides whether a record is kept.
    pub fn judge(&self, source: &Source, record: &Record) -> Verdict {
        if let Some(successors) = self.replaced.get(&record.geoid) {
            let coarser = successors.is_some() && *successors > source.scale;
            let keep = Verdict::Keep(Kind::Retired, FuncStat::Nonfunctioning);
            // If the subdivision ended, or its parts went to several others, no single subdivision has its land.
            let is_open = source.complete && self.ended.contains(&record.geoid);
            return if coarser {
                keep
            } else if is_open {
                Verdict::Keep(Kind::Filler, FuncStat::Statistical)
            } else {
                Verdict::Drop(Reason::Replaced)
            };
        }
        if source.supplement && self.primary.contains(&record.geoid) {
            return Verdict::Drop(Reason::InPrimary);
        }
        let subdivision = record.geoid.layer() == Layer::Cousub;
        // COUSUBFP 00000 is "county subdivisions not defined": the county's part of a sea or a Great Lake. Such a
        // record shows that the county reaches there and no town does.
        let undefined = record.geoid.fp5() == Some(0);
        if subdivision && undefined && source.complete && source.shore == Some(Shore::WithWater) {
            return Verdict::Keep(Kind::Filler, FuncStat::Statistical);
        }
        if subdivision && (undefined || record.land_m2 == Some(0)) {
            return Verdict::Drop(Reason::WaterOnly);
        }
        match self.func_stat(source, record) {
            FuncStat::Statistical
                if subdivision
                    && source.complete
                    && !is_census_division(record, self.lsad(source, record)) =>
            {
                Verdict::Keep(Kind::Filler, FuncStat::Statistical)
            }
            // County equivalents without a government stay: every chain needs a county.
            FuncStat::Statistical if record.geoid.layer() == Layer::County => {
                Verdict::Keep(Kind::Jurisdiction, FuncStat::Nonfunctioning)
            }
            FuncStat::Statistical => Verdict::Drop(Reason::Statistical),
            other => Verdict::Keep(Kind::Jurisdiction, other),
        }
    }

    /// The record's LSAD code. Without one, the code of the place that is the same government; else the code that the
    /// manifest assumes. `None` without any of them.
    pub fn lsad<'l>(&'l self, source: &'l Source, record: &'l Record) -> Option<&'l str> {
        let partner = || self.partner(record.geoid).and_then(Option::as_deref);
        record.lsad.as_deref().or_else(partner).or(source.lsad_default.as_deref())
    }

    /// The place with the state and last five digits of a subdivision; `None` for other layers.
    fn partner(&self, geoid: Geoid) -> Option<&Option<String>> {
        key(geoid).filter(|_| geoid.layer() == Layer::Cousub).and_then(|key| self.places.get(&key))
    }

    fn func_stat(&self, source: &Source, record: &Record) -> FuncStat {
        let lsad = self.lsad(source, record);
        if is_statistical(record, lsad) {
            return FuncStat::Statistical;
        }
        self.status.status(&Subject {
            geoid: record.geoid,
            lsad,
            classfp: record.classfp.as_deref(),
            stated: record.func_stat,
            place_of_same_code: self.partner(record.geoid).is_some(),
        })
    }
}

fn key(geoid: Geoid) -> Option<(u8, u32)> {
    Some((geoid.state_fips(), geoid.fp5()?))
}

/// Whether a subdivision is a Census county division or subarea. Those cover states without towns, so as
/// fillers they would separate nothing.
fn is_census_division(record: &Record, lsad: Option<&str>) -> bool {
    record.classfp.as_deref() == Some("Z5") || matches!(lsad, Some("22" | "23"))
}

/// Whether a record is statistical: by FUNCSTAT, by class code, or by LSAD where the file has neither. Class codes U
/// and M are designated places, Z3 and Z5 unorganized territories and census divisions.
///
/// Counties and states are never statistical: every county equivalent stays in the chain.
pub(super) fn is_statistical(record: &Record, lsad: Option<&str>) -> bool {
    if matches!(record.geoid.layer(), Layer::State | Layer::County) {
        return false;
    }
    let class = record.classfp.as_deref().unwrap_or_default();
    let by_class = class.starts_with(['U', 'M']) || matches!(class, "Z3" | "Z5");
    let by_lsad = lsad.and_then(legal_type_of).is_some_and(|row| row.statistical);
    record.func_stat == Some(FuncStat::Statistical) || by_class || by_lsad
}

#[cfg(test)]
mod tests;
