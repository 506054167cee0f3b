//! What services outside of the snapshot say. None is configured yet.

use std::fmt::Debug;

use serde_json::{Map, Value};

use super::{Answers, Refusal, resolve};
use crate::{
    geometry::LonLat,
    wire::{
        Elevation, Envelope, Flood, MatchMode, ProblemKind, Radon, ResolveResult, Shoreland, Soils, Wetlands,
    },
};

/// Services outside of the snapshot.
pub trait Lookups: Debug + Send + Sync {
    /// Where an address is.
    ///
    /// # Errors
    /// `address-not-found`, `ambiguous`, `busy`, `upstream-unavailable`.
    fn geocode(&self, address: &str) -> Result<LonLat, Refusal>;

    /// What the maps say of a point. Its state tells whether there is a map of shorelands.
    fn screen(&self, point: LonLat) -> Findings;
}

/// What the maps say of a point; none where a map could not be asked.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "each is named as its fact in `wire::Facts`")]
pub struct Findings {
    pub flood: Option<Finding<Flood>>,
    pub wetlands: Option<Finding<Wetlands>>,
    pub soils: Option<Finding<Soils>>,
    pub elevation: Option<Finding<Elevation>>,
    pub shoreland: Option<Finding<Shoreland>>,
    pub radon: Option<Finding<Radon>>,
}

/// What one map says.
#[derive(Clone, Debug)]
pub struct Finding<S> {
    /// In one word.
    pub status: S,
    /// In plain words.
    pub summary: String,
    /// More on it.
    pub detail: Option<String>,
    /// For machines.
    pub values: Map<String, Value>,
    /// Date of the map.
    pub as_of: Option<String>,
}

/// No service is configured.
#[derive(Debug)]
pub struct NotConfigured;

impl Lookups for NotConfigured {
    fn geocode(&self, _: &str) -> Result<LonLat, Refusal> {
        Err(Refusal::new(
            ProblemKind::UpstreamUnavailable,
            "address lookups are not configured on this server; ask with lat and lon",
        ))
    }

    fn screen(&self, _: LonLat) -> Findings {
        Findings::default()
    }
}

/// Answers for an address.
///
/// # Errors
/// As [`Lookups::geocode`], and `outside-coverage`.
pub(super) fn by_address<'a>(
    answers: &'a Answers,
    address: &str,
) -> Result<Envelope<'a, ResolveResult<'a>>, Refusal> {
    let mut answer = resolve::by_point(answers, answers.lookups.geocode(address)?)?;
    answer.data.matched.mode = MatchMode::Address;
    Ok(answer)
}
