//! Minnesota's public waters, whose shores have special rules.
//!
//! Shoreland is land within 1,000 feet of a lake, pond or flowage. It is also land within 300 feet of a river or
//! stream, or on its floodplain if that reaches farther. Source: Minnesota Rules, part 6120.2500, subpart 15.

use super::{
    Attributes, FactRow, FactStatus, Judged, Values,
    fact::{number, text},
};
use crate::vocabulary::{Function, OutsideSource};

pub(super) static ROW: FactRow = FactRow {
    word: "shoreland",
    schema: "Shoreland",
    about: "Shoreland; only in Minnesota.",
    about_statuses: "Whether shoreland rules are likely to hold.",
    statuses: &[
        (FactStatus::Likely, "Likely."),
        (FactStatus::No, "Not likely."),
        (FactStatus::Unknown, "Not checked."),
    ],
    source: OutsideSource::published(
        "Public Waters Inventory",
        "https://gisdata.mn.gov/dataset/water-mn-public-waters",
        "Minnesota Department of Natural Resources",
    ),
    function: Some(Function::Zoning),
    topic: None,
    page: None,
    only_in: Some("MN"),
};

/// How far shoreland reaches from a lake, in feet (subpart 15).
pub const LAKE_FT: u16 = 1_000;

/// How far shoreland reaches from a stream, in feet (subpart 15).
pub const STREAM_FT: u16 = 300;

/// The statement of the public waters inventory about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Shoreland {
    /// The water in whose shoreland the point likely lies; `None` without such water.
    pub water: Option<Water>,
    /// Whether a public water wetland is within [`LAKE_FT`].
    pub is_by_wetland: bool,
    /// Whether streams were searched for; files have only lakes.
    pub has_streams: bool,
}

/// A lake or stream of the inventory.
#[derive(Clone, Debug, PartialEq)]
pub struct Water {
    /// Whether the water is a stream; otherwise it is a lake.
    pub is_stream: bool,
    /// The name of the water, if it has one.
    pub name: Option<String>,
    /// The class of the water's shoreland, which determines the setbacks.
    pub class: Option<String>,
    /// The distance of the water in feet, if the reader knows it.
    pub distance_ft: Option<f64>,
}

impl Shoreland {
    /// Judges the basins within [`LAKE_FT`], each with its distance in feet if known, and the streams within
    /// [`STREAM_FT`].
    ///
    /// `streams` is `None` if the reader has no streams. Without streams and without a lake, the result is `None`,
    /// because a stream's shoreland is still possible.
    pub fn judge<A: Attributes>(basins: &[(A, Option<f64>)], streams: Option<&[A]>) -> Option<Shoreland> {
        // The rules exclude wetlands unless the local office says otherwise.
        let is_lake = |(basin, _): &&(A, Option<f64>)| basin.text("pwi_class") != Some("W");
        let lake = |(basin, distance_ft): &(A, Option<f64>)| Water {
            is_stream: false,
            name: name(basin, &["pw_basin_name", "pw_basin_n"]),
            class: basin.first_text(&["dnr_shoreland_class", "dnr_shorel"]),
            distance_ft: *distance_ft,
        };
        let stream = |stream: &A| Water {
            is_stream: true,
            name: name(stream, &["kittle_name", "kittle_nam"]),
            class: None,
            distance_ft: None,
        };
        let lakes = basins.iter().filter(is_lake).map(lake).collect();
        let of_streams = || best(streams.unwrap_or_default().iter().map(stream).collect());
        let water = best(lakes).or_else(of_streams);
        let is_by_wetland = basins.iter().any(|basin| !is_lake(&basin));
        let has_streams = streams.is_some();
        (has_streams || water.is_some()).then_some(Shoreland { water, is_by_wetland, has_streams })
    }
}

fn name(water: &impl Attributes, fields: &[&str]) -> Option<String> {
    water.first_text(fields).filter(|name| !name.to_lowercase().starts_with("unnamed"))
}

/// The nearest water with a name, or else the nearest without one. Without distances, the first water counts.
fn best(waters: Vec<Water>) -> Option<Water> {
    let far = |water: &Water| water.distance_ft.unwrap_or(0.0);
    waters.into_iter().min_by(|one, other| {
        one.name.is_none().cmp(&other.name.is_none()).then(far(one).total_cmp(&far(other)))
    })
}

impl Judged for Shoreland {
    fn status(&self) -> FactStatus {
        if self.water.is_some() { FactStatus::Likely } else { FactStatus::No }
    }

    fn values(&self) -> Values {
        let water = self.water.iter().flat_map(|water| {
            let kind = if water.is_stream { "stream" } else { "lake" };
            [
                text("water_kind", Some(kind)),
                text("water_name", water.name.as_deref()),
                text("shoreland_class", water.class.as_deref()),
                number("distance_ft", water.distance_ft),
            ]
        });
        let streams = self.has_streams.then_some(STREAM_FT);
        let searched = [number("searched_lakes_ft", Some(LAKE_FT)), number("searched_streams_ft", streams)];
        water.chain(searched).flatten().collect()
    }
}
