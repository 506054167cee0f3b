//! The answer of `/screening`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Jurisdiction, Point, Ready, ReadyEntry, Resource, schema};
use crate::vocabulary::Function;

/// Facts to look at before one asks the office that decides.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Screening<'a> {
    /// Always `screening`.
    #[schemars(with = "schema::ScreeningWord")]
    pub kind: &'static str,
    /// The point.
    pub point: Point,
    /// State, county, county subdivision, place.
    pub jurisdictions: Vec<&'a Ready<Jurisdiction<'static>>>,
    /// What the maps say.
    pub facts: Facts<'a>,
}

/// One fact for each kind.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Facts<'a> {
    /// Flood zone.
    pub flood: Fact<'a, Flood>,
    /// Wetlands.
    pub wetlands: Fact<'a, Wetlands>,
    /// Soil.
    pub soils: Fact<'a, Soils>,
    /// Height of the ground.
    pub elevation: Fact<'a, Elevation>,
    /// Shoreland; only in Minnesota.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shoreland: Option<Fact<'a, Shoreland>>,
    /// Radon zone of the county.
    pub radon: Fact<'a, Radon>,
}

/// What a map says of the point. Never an official determination.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{S}Fact")]
pub struct Fact<'a, S> {
    /// The fact in one word.
    pub status: S,
    /// The fact in plain words.
    pub summary: String,
    /// More on it.
    pub detail: Option<String>,
    /// Values for machines.
    pub values: Map<String, Value>,
    /// The data that the fact is read from.
    pub dataset: &'static str,
    /// Who publishes the data.
    pub publisher: &'static str,
    /// Date of the data, where known.
    pub as_of: Option<String>,
    /// What the fact is not.
    pub caveat: &'static str,
    /// Who decides.
    pub decided_by: Decider,
    /// Pages to confirm the fact.
    pub resources: Vec<&'a Ready<Resource<'static>>>,
}

/// Who makes the official decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Decider {
    /// In plain words.
    pub description: &'static str,
    /// The function whose office is given.
    pub function: Option<Function>,
    /// The responsible local body, where one applies.
    pub office: Option<ReadyEntry>,
}

/// The words of a kind of fact.
pub trait Status: Serialize + JsonSchema {
    /// What could not be checked.
    const UNKNOWN: Self;
}

/// Words with their meanings, the last of which is `unknown`.
macro_rules! statuses {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$word_doc])* $word,)*
            /// Not checked.
            Unknown,
        }
        impl Status for $name {
            const UNKNOWN: $name = $name::Unknown;
        }
    };
}

statuses! {
    /// Flood zone.
    Flood {
        /// In a special flood hazard area.
        Sfha,
        /// Moderate hazard.
        Moderate,
        /// Minimal hazard.
        Minimal,
        /// On no flood map.
        Unmapped,
    }
}
statuses! {
    /// Whether a mapped wetland is here.
    Wetlands {
        /// Inside one.
        Yes,
        /// Close to one.
        Near,
        /// In none.
        No,
    }
}
statuses! {
    /// Whether the soil is known.
    Soils {
        /// Known.
        Ok,
        /// On no soil map.
        None,
    }
}
statuses! {
    /// Whether the height is known.
    Elevation {
        /// Known.
        Ok,
    }
}
statuses! {
    /// Whether shoreland rules are likely to hold.
    Shoreland {
        /// Likely.
        Likely,
        /// Not likely.
        No,
    }
}
statuses! {
    /// Radon zone of the county.
    Radon {
        /// Highest potential.
        #[serde(rename = "zone_1")]
        Zone1,
        /// Moderate potential.
        #[serde(rename = "zone_2")]
        Zone2,
        /// Low potential.
        #[serde(rename = "zone_3")]
        Zone3,
        /// The county is not on the list.
        NotListed,
    }
}
