//! Address ranges of the Census Bureau become the streets of a layer file.
//!
//! Two kinds of TIGER/Line files have them, a file for each county: `addrfeat`, and `edges`, which has further lines. A
//! side of an edge becomes a range if its street has a name, its two numbers differ in their digits only, and its ZIP code
//! is known; the others are counted with the reason why not.

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

/// Streets, and what became of the records.
#[derive(Debug, Default)]
pub struct Gathered {
    /// What is packed.
    pub streets: NewStreets,
    /// Sides with numbers, by what became of them.
    pub fates: BTreeMap<Fate, usize>,
    /// Ranges whose middle lies in another county by the snapshot's lines than by the file.
    pub beyond_county: usize,
}

/// What became of a side with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It is a range.
    Kept,
    /// The same range stood before, mostly under another record of the same name.
    Repeated,
    /// Its street has no name.
    NoName,
    /// It has no ZIP code.
    NoZip,
    /// Its numbers differ in more than their last digits.
    Numbers,
}

impl Fate {
    /// The fate in plain words.
    pub fn as_str(self) -> &'static str {
        match self {
            Fate::Kept => "kept",
            Fate::Repeated => "left out: the same range stands already",
            Fate::NoName => "left out: the street has no name",
            Fate::NoZip => "left out: no ZIP code",
            Fate::Numbers => "left out: the two numbers differ in more than their last digits",
        }
    }
}

/// Gathers the ranges of files: each its name and its bytes. The directory tells which cities the ZIP codes reach.
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
        *gathered.fates.entry(Fate::Kept).or_default() -= repeated;
        *gathered.fates.entry(Fate::Repeated).or_default() += repeated;
    }
    let cities = cities::of(&gathered.streets, directory);
    gathered.streets.cities = cities.rows;
    gathered.beyond_county = cities.beyond_county;
    Ok(gathered)
}

#[derive(Default)]
struct Gatherer {
    gathered: Gathered,
    /// Numbers of lines: edges of two counties, and edges with several names, share one.
    lines: HashMap<Vec<LonLat>, u32>,
}

impl Gatherer {
    fn edge(&mut self, edge: &TigerEdge) {
        let name = edge.name.as_deref().and_then(|text| Some((text, StreetName::read(text)?)));
        for (side, right) in [(&edge.left, false), (&edge.right, true)] {
            let Some(side) = side else { continue };
            let fate = self.side(edge, name.as_ref(), side, right);
            *self.gathered.fates.entry(fate).or_default() += 1;
        }
    }

    fn side(
        &mut self,
        edge: &TigerEdge,
        name: Option<&(&str, StreetName)>,
        side: &Side,
        right: bool,
    ) -> Fate {
        let Some((text, name)) = name else { return Fate::NoName };
        let Some(zip) = side.zip else { return Fate::NoZip };
        let Some((prefix, from, to)) = side.numbers() else { return Fate::Numbers };
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
        Fate::Kept
    }
}

#[cfg(test)]
mod tests;
