//! The places, counties and names that files other than those of precincts give.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer},
};

/// An incorporated place.
#[derive(Clone, Debug)]
pub struct KnownPlace<'a> {
    /// Its code.
    pub geoid: Geoid,
    /// Its name without the legal word.
    pub name: &'a str,
    /// Its legal word, lower case.
    pub word: Option<&'static str>,
    /// Its polygon.
    pub rings: &'a [Vec<LonLat>],
    /// The source of its polygon.
    pub source: usize,
}

/// A county.
#[derive(Clone, Copy, Debug)]
pub struct KnownCounty<'a> {
    /// Its code.
    pub geoid: Geoid,
    /// Its name without the legal word.
    pub name: &'a str,
    /// Its polygon.
    pub rings: &'a [Vec<LonLat>],
}

/// What is known from other files.
#[derive(Debug, Default)]
pub struct Known<'a> {
    /// Incorporated places.
    pub places: Vec<KnownPlace<'a>>,
    /// Counties.
    pub counties: Vec<KnownCounty<'a>>,
    /// Full names of subdivisions, as other files spell them.
    pub full_names: BTreeMap<Geoid, &'a str>,
    /// Subdivisions that have a polygon already.
    pub drawn: BTreeSet<Geoid>,
}

/// The place of the same state and last five digits as a subdivision: the two are one government.
pub(super) fn twin(cousub: Geoid) -> Option<Geoid> {
    Geoid::parse(Layer::Place, &format!("{:02}{:05}", cousub.state_fips(), cousub.fp5()?)).ok()
}
