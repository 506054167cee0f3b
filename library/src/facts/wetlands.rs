//! Wetlands, from the National Wetlands Inventory of the U.S. Fish and Wildlife Service or a state's download of that
//! inventory.

use super::{
    Attributes, FactRow, FactStatus, Judged, Values,
    fact::{number, text},
};
use crate::vocabulary::{OutsideSource, Topic};

pub(super) static ROW: FactRow = FactRow {
    word: "wetlands",
    schema: "Wetlands",
    about: "Wetlands.",
    about_statuses: "Whether a mapped wetland is here.",
    statuses: &[
        (FactStatus::Yes, "Inside one."),
        (FactStatus::Near, "Close to one."),
        (FactStatus::No, "In none."),
        (FactStatus::Unknown, "Not checked."),
    ],
    source: OutsideSource::published(
        "National Wetlands Inventory",
        "https://www.fws.gov/program/national-wetlands-inventory",
        "U.S. Fish and Wildlife Service",
    ),
    function: None,
    topic: Some(Topic::Wetlands),
    page: Some("https://www.fws.gov/program/national-wetlands-inventory/wetlands-mapper"),
    only_in: None,
};

/// Maximum distance at which a wetland counts as near, in feet. This project chose it, because each law has its own
/// distance.
pub const NEAR_FT: u16 = 300;

/// The statement of the inventory about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Wetlands {
    /// The wetland at the point, or else one within [`NEAR_FT`].
    pub wetland: Option<Wetland>,
    /// The images that the map was drawn from.
    pub images: Images,
}

/// A wetland of the inventory.
#[derive(Clone, Debug, PartialEq)]
pub struct Wetland {
    /// Whether the wetland contains the point.
    pub is_here: bool,
    /// The distance of the wetland in feet. `None` if it contains the point, or if the reader does not know the
    /// distance.
    pub distance_ft: Option<f64>,
    /// The inventory's name for the kind of wetland, such as `Freshwater Pond`.
    pub kind: Option<String>,
    /// The inventory's code for the wetland, such as `PUBHx`.
    pub code: Option<String>,
    /// The size of the wetland in acres, if stated.
    pub acres: Option<f64>,
}

/// The aerial images that the inventory was drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// The record of images could not be read.
    NotChecked,
    /// No images: the area was never mapped.
    None,
    /// Images exist; the value is the year of the oldest image, if known.
    Year(Option<u16>),
}

impl Wetlands {
    /// Judges the wetlands at the point and those within [`NEAR_FT`], with their distances in feet if known. The
    /// result is the largest wetland at the point, or else the nearest. The largest one counts if distances are not
    /// known.
    pub fn judge<A: Attributes>(here: &[A], near: &[(A, Option<f64>)], images: Images) -> Wetlands {
        let here = here.iter().map(|feature| Wetland::read(feature, true, None));
        let near = near.iter().map(|(feature, distance_ft)| Wetland::read(feature, false, *distance_ft));
        let rank = |wetland: &Wetland| {
            (!wetland.is_here, wetland.distance_ft.unwrap_or(0.0), -wetland.acres.unwrap_or(0.0))
        };
        let by_rank = |one: &Wetland, other: &Wetland| {
            let ((a, b, c), (x, y, z)) = (rank(one), rank(other));
            a.cmp(&x).then(b.total_cmp(&y)).then(c.total_cmp(&z))
        };
        Wetlands { wetland: here.chain(near).min_by(by_rank), images }
    }
}

impl Wetland {
    fn read(feature: &impl Attributes, is_here: bool, distance_ft: Option<f64>) -> Wetland {
        Wetland {
            is_here,
            distance_ft,
            kind: feature.first_text(&["wetland_type", "wetland_ty"]),
            code: feature.first_text(&["attribute"]),
            acres: feature.number("acres").filter(|acres| *acres > 0.0),
        }
    }
}

impl Judged for Wetlands {
    fn status(&self) -> FactStatus {
        match &self.wetland {
            Some(wetland) if wetland.is_here => FactStatus::Yes,
            Some(_) => FactStatus::Near,
            None if self.images == Images::None => FactStatus::Unknown,
            None => FactStatus::No,
        }
    }

    fn values(&self) -> Values {
        let wetland = self.wetland.iter().flat_map(|wetland| {
            [
                text("wetland_type", wetland.kind.as_deref()),
                text("wetland_code", wetland.code.as_deref()),
                number("acres", wetland.acres.map(|acres| (acres * 100.0).round() / 100.0)),
                number("distance_ft", wetland.distance_ft),
            ]
        });
        let searched = Some(NEAR_FT).filter(|_| self.status() != FactStatus::Unknown);
        let year = if let Images::Year(year) = self.images { year } else { None };
        let rest = [number("searched_ft", searched), number("image_year", year)];
        wetland.chain(rest).flatten().collect()
    }
}
