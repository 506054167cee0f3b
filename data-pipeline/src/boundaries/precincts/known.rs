//! Places, counties and names from files other than those of precincts.

use std::collections::BTreeSet;

use platbook::{
    geometry::LonLat,
    vocabulary::{Geoid, Layer},
};

use crate::input::gazetteer::Listed;

/// An incorporated place with its polygon.
#[derive(Clone, Debug)]
pub struct KnownPlace<'a> {
    /// GEOID of the place.
    pub geoid: Geoid,
    /// Name without the legal word.
    pub name: &'a str,
    /// Legal word, lower case; `None` if the record has no LSAD code, or if the code stands for no word.
    pub word: Option<&'static str>,
    /// Closed rings; the place is the set of points in an odd number of them.
    pub rings: &'a [Vec<LonLat>],
    /// Position of the polygon's file in the manifest's sources.
    pub source: usize,
}

/// A county with its polygon.
#[derive(Clone, Copy, Debug)]
pub struct KnownCounty<'a> {
    /// GEOID of the county.
    pub geoid: Geoid,
    /// Name without the legal word.
    pub name: &'a str,
    /// Closed rings; the county is the set of points in an odd number of them.
    pub rings: &'a [Vec<LonLat>],
}

/// Facts from other files that precincts are checked against.
#[derive(Debug, Default)]
pub struct Known<'a> {
    /// Incorporated places, each once.
    pub places: Vec<KnownPlace<'a>>,
    /// Counties of all states, each once.
    pub counties: Vec<KnownCounty<'a>>,
    /// Counties, subdivisions and places as the Census lists them, with and without a government.
    pub listed: &'a [Listed],
    /// Subdivisions that a boundary file already has.
    pub drawn: BTreeSet<Geoid>,
}

/// The place with the state and last five digits of a subdivision: the two are one government. The place may not
/// exist.
pub(super) fn twin(cousub: Geoid) -> Option<Geoid> {
    Geoid::parse(Layer::Place, &format!("{:02}{:05}", cousub.state_fips(), cousub.fp5()?)).ok()
}
