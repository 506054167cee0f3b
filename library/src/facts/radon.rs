//! The radon zone of a county, from the list of the Environmental Protection Agency.

use super::{FactRow, FactStatus, Judged, Values, fact::number};
use crate::vocabulary::OutsideSource;

pub(super) static ROW: FactRow = FactRow {
    word: "radon",
    schema: "Radon",
    about: "Radon zone of the county.",
    about_statuses: "Radon zone of the county.",
    statuses: &[
        (FactStatus::Zone1, "Highest potential."),
        (FactStatus::Zone2, "Moderate potential."),
        (FactStatus::Zone3, "Low potential."),
        (FactStatus::NotListed, "The county is not on the list."),
        (FactStatus::Unknown, "Not checked."),
    ],
    source: OutsideSource::published(
        "EPA Map of Radon Zones",
        "https://www.epa.gov/radon/epa-map-radon-zones",
        "U.S. Environmental Protection Agency",
    ),
    function: None,
    topic: None,
    page: Some("https://www.epa.gov/radon/epa-map-radon-zones"),
    only_in: None,
};

/// The year of the list, the EPA Map of Radon Zones.
pub const RADON_LIST_YEAR: &str = "1993";

/// The radon zone of a county.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the zones are the list's: 1 has the highest potential")]
pub enum Radon {
    Zone1,
    Zone2,
    Zone3,
    /// The county is not on the list.
    NotListed,
}

impl Radon {
    /// The zone with this number on the list; `None` stands for a county that is not listed.
    pub fn judge(zone: Option<u8>) -> Radon {
        match zone {
            Some(1) => Radon::Zone1,
            Some(2) => Radon::Zone2,
            Some(3) => Radon::Zone3,
            _ => Radon::NotListed,
        }
    }

    /// The number of the zone on the list; `None` for a county that is not listed.
    pub fn number(self) -> Option<u16> {
        match self {
            Radon::Zone1 => Some(1),
            Radon::Zone2 => Some(2),
            Radon::Zone3 => Some(3),
            Radon::NotListed => None,
        }
    }
}

impl Judged for Radon {
    fn status(&self) -> FactStatus {
        match self {
            Radon::Zone1 => FactStatus::Zone1,
            Radon::Zone2 => FactStatus::Zone2,
            Radon::Zone3 => FactStatus::Zone3,
            Radon::NotListed => FactStatus::NotListed,
        }
    }

    fn values(&self) -> Values {
        number("zone", self.number()).into_iter().collect()
    }
}
