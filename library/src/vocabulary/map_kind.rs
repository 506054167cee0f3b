//! The kinds of maps that a layer file may hold.

use std::{fmt, str::FromStr};

/// The subject of a map of polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MapKind {
    /// Flood hazard areas (FEMA).
    Flood = 0,
    /// Wetlands (National Wetlands Inventory).
    Wetlands = 1,
    /// Map units of the soil survey (SSURGO).
    Soils = 2,
    /// Public waters whose shores have rules.
    Shoreland = 3,
    /// Roads, rivers and lakes (TIGER/Line), drawn on the maps of pages. They are not reported as facts about a point.
    Ground = 4,
}

impl MapKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [MapKind; 5] =
        [MapKind::Flood, MapKind::Wetlands, MapKind::Soils, MapKind::Shoreland, MapKind::Ground];

    /// The word for the kind. It is also the key of the kind's fact in the contract, if there is one.
    pub fn as_str(self) -> &'static str {
        match self {
            MapKind::Flood => "flood",
            MapKind::Wetlands => "wetlands",
            MapKind::Soils => "soils",
            MapKind::Shoreland => "shoreland",
            MapKind::Ground => "ground",
        }
    }

    /// The kind stored as this number; `None` for a number that no release has written.
    pub fn from_u8(number: u8) -> Option<MapKind> {
        MapKind::ALL.into_iter().find(|kind| *kind as u8 == number)
    }
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no kind of map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected flood, wetlands, soils, shoreland or ground, got {got:?}")]
pub struct MapKindError {
    /// The rejected word, cut to 40 characters.
    pub got: String,
}

impl FromStr for MapKind {
    type Err = MapKindError;

    fn from_str(word: &str) -> Result<MapKind, MapKindError> {
        let known = MapKind::ALL.into_iter().find(|kind| kind.as_str() == word);
        known.ok_or_else(|| MapKindError { got: word.chars().take(40).collect() })
    }
}
