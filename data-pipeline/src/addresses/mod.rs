//! Turns address ranges of the Census Bureau into the streets of a layer file.
//!
//! Two kinds of TIGER/Line files have such ranges, one file for each county: `addrfeat`, and `edges`, which has
//! further lines. A side of an edge becomes a range under three conditions. Its street has a name, its two numbers
//! differ in their digits only, and its ZIP code is known. The other sides are counted by the reason.

mod cities;
mod read;

use std::collections::{BTreeMap, HashMap};

use platbook::{
    directory::Directory,
    geocoder::{Compass, StreetName},
    geometry::LonLat,
    snapshot::write::{NewRange, NewStreet, NewStreets},
};

use crate::input::ReadError;

pub use read::{Side, TigerEdge, edges};

/// Streets, and counts of the records.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The streets, ranges and cities to pack.
    pub streets: NewStreets,
    /// Number of sides with numbers, by result.
    pub results: BTreeMap<SideResult, usize>,
    /// Number of ranges whose middle lies in one county by the snapshot's lines and in another by the file.
    pub beyond_county: usize,
}

/// The result for a side with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SideResult {
    /// The side became a range.
    Kept,
    /// The same range was already there, mostly from another record of the same name.
    Repeated,
    /// Left out, because the side's street has no name.
    NoName,
    /// Left out, because the side has no ZIP code.
    NoZip,
    /// Left out, because the side's numbers differ in more than their last digits.
    Numbers,
}

impl SideResult {
    /// The result in plain words, for a list of counts.
    pub fn as_str(self) -> &'static str {
        match self {
            SideResult::Kept => "kept",
            SideResult::Repeated => "left out: the same range is already there",
            SideResult::NoName => "left out: the street has no name",
            SideResult::NoZip => "left out: no ZIP code",
            SideResult::Numbers => "left out: the two numbers differ in more than their last digits",
        }
    }
}

/// Gathers the ranges of files, each given as its name and bytes. The directory finds the cities of each ZIP
/// code.
///
/// # Errors
/// When a file cannot be read.
pub fn gather(files: &[(String, Vec<u8>)], directory: &Directory) -> Result<Gathered, ReadError> {
    let mut gatherer = Gatherer::default();
    for (file, bytes) in files {
        edges(file, bytes)?.iter().for_each(|edge| gatherer.edge(edge));
    }
    let Gatherer { mut gathered, .. } = gatherer;
    for ranges in gathered.streets.streets.values_mut() {
        ranges.sort();
        let before = ranges.len();
        ranges.dedup();
        let repeated = before - ranges.len();
        *gathered.results.entry(SideResult::Kept).or_default() -= repeated;
        *gathered.results.entry(SideResult::Repeated).or_default() += repeated;
    }
    let cities = cities::of(&gathered.streets, directory);
    gathered.streets.cities = cities.rows;
    gathered.beyond_county = cities.beyond_county;
    Ok(gathered)
}

#[derive(Default)]
struct Gatherer {
    gathered: Gathered,
    /// The number of each line. An edge on a county line, or with several names, is in several records, which share
    /// one number.
    lines: HashMap<Vec<LonLat>, u32>,
}

impl Gatherer {
    fn edge(&mut self, edge: &TigerEdge) {
        let name = edge.name.as_deref().and_then(|text| Some((text, StreetName::read(text)?)));
        for (side, right) in [(&edge.left, false), (&edge.right, true)] {
            let Some(side) = side else { continue };
            let result = self.side(edge, name.as_ref(), side, right);
            *self.gathered.results.entry(result).or_default() += 1;
        }
    }

    fn side(
        &mut self,
        edge: &TigerEdge,
        name: Option<&(&str, StreetName)>,
        side: &Side,
        right: bool,
    ) -> SideResult {
        let Some((text, name)) = name else { return SideResult::NoName };
        let Some(zip) = side.zip else { return SideResult::NoZip };
        let Some((prefix, from, to)) = side.numbers() else { return SideResult::Numbers };
        let next = self.lines.len() as u32;
        let lines = &mut self.gathered.streets.lines;
        let line = *self.lines.entry(edge.line.clone()).or_insert_with(|| {
            lines.push(edge.line.clone());
            next
        });
        let street = NewStreet {
            zip,
            key: name.key.clone(),
            name: (*text).to_owned(),
            kind: name.kind.unwrap_or_default().to_owned(),
            before: Compass::number(name.before),
            after: Compass::number(name.after),
        };
        let range = NewRange { from, to, prefix, county: edge.county, right, line };
        self.gathered.streets.streets.entry(street).or_default().push(range);
        SideResult::Kept
    }
}

#[cfg(test)]
mod tests;
