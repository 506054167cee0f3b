//! Height of the ground, from the USGS 3D Elevation Program.

use super::{FactRow, FactStatus, Judged, Values, fact::number};
use crate::vocabulary::{OutsideSource, Topic};

pub(super) static ROW: FactRow = FactRow {
    word: "elevation",
    schema: "Elevation",
    about: "Height of the ground.",
    about_statuses: "Whether the height is known.",
    statuses: &[(FactStatus::Ok, "Known."), (FactStatus::Unknown, "Not checked.")],
    source: OutsideSource::published(
        "3D Elevation Program",
        "https://www.usgs.gov/3d-elevation-program",
        "U.S. Geological Survey",
    ),
    function: None,
    topic: Some(Topic::Elevation),
    page: Some("https://apps.nationalmap.gov/viewer/"),
    only_in: None,
};

/// Plausible heights in the United States in feet, with a margin: Badwater Basin is at -282, Denali at 20,310.
const FEET: std::ops::RangeInclusive<f64> = -400.0..=20_400.0;

/// The height of the ground at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Elevation {
    /// Feet above sea level; `None` if the data has no height, as on open water.
    pub feet: Option<f64>,
    /// Width of a cell of the data in meters, if known.
    pub resolution_m: Option<f64>,
}

impl Elevation {
    /// Judges a height in feet; `None` for a height that does not occur in the United States.
    pub fn judge(feet: Option<f64>, resolution_m: Option<f64>) -> Option<Elevation> {
        let is_plausible = feet.is_none_or(|feet| FEET.contains(&feet));
        is_plausible.then_some(Elevation { feet, resolution_m: resolution_m.filter(|_| feet.is_some()) })
    }
}

impl Judged for Elevation {
    fn status(&self) -> FactStatus {
        if self.feet.is_some() { FactStatus::Ok } else { FactStatus::Unknown }
    }

    fn values(&self) -> Values {
        let feet = self.feet.map(|feet| (feet * 100.0).round() / 100.0);
        let values = [number("feet", feet), number("resolution_m", self.resolution_m)];
        values.into_iter().flatten().collect()
    }
}
