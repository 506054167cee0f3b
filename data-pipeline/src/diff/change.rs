//! One change of one government.

use platbook::{
    directory::{Directory, Row},
    vocabulary::StateCode,
};
use serde::{Serialize, Serializer};

/// The kind of a change; a report lists kinds in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Governments and areas that are new, gone or renamed.
    Jurisdictions,
    /// Outlines that are new, gone or moved.
    Borders,
    /// Jobs with another body, office or confidence.
    Offices,
    /// Rules, districts and sentences of a state's file.
    Rules,
    /// Web pages that are new or gone.
    Links,
}

impl Kind {
    /// All kinds, in the order of a report.
    pub const ALL: [Kind; 5] = [Kind::Jurisdictions, Kind::Borders, Kind::Offices, Kind::Rules, Kind::Links];
}

/// One change, of one government.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The state; `None` for the nation.
    #[serde(serialize_with = "usps")]
    pub state: Option<StateCode>,
    /// Kind of the change.
    pub kind: Kind,
    /// Id of the government.
    pub id: String,
    /// Name of the government.
    pub name: String,
    /// Residents by the snapshot that has the government; 0 if unknown.
    pub people: u64,
    /// The change, as the end of a sentence that begins with the name.
    pub what: String,
    /// Square kilometers that the government gained or lost; `None` unless its outline moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_km2: Option<f64>,
}

fn usps<S: Serializer>(state: &Option<StateCode>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(state.map_or("US", StateCode::usps))
}

impl Change {
    /// A change of kind `kind` for the jurisdiction in a row.
    pub(super) fn of(directory: &Directory, row: Row, kind: Kind, what: String) -> Change {
        let view = directory.jurisdiction(row);
        Change {
            state: view.state,
            kind,
            id: view.id.to_string(),
            name: view.name.to_owned(),
            people: view.population.into(),
            what,
            moved_km2: None,
        }
    }
}
