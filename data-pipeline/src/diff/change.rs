//! One change.

use platbook::{
    directory::{Directory, Row},
    vocabulary::StateCode,
};
use serde::{Serialize, Serializer};

/// What kind of change it is, in the order of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Governments and areas that are new, gone, or called otherwise.
    Jurisdictions,
    /// Outlines that are new, gone, or run elsewhere.
    Borders,
    /// Jobs that another body or office does, or with another certainty.
    Offices,
    /// What a state's file says.
    Rules,
    /// Web pages that are new or gone.
    Links,
}

/// One change, of one government.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The state; `None` for the nation.
    #[serde(serialize_with = "usps")]
    pub state: Option<StateCode>,
    /// The kind.
    pub kind: Kind,
    /// Whose.
    pub id: String,
    /// Its name.
    pub name: String,
    /// People who live there, as the snapshot knows them.
    pub people: u64,
    /// What has changed, as the end of a sentence that begins with the name.
    pub what: String,
    /// The area that passed from or to another, of borders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_km2: Option<f64>,
}

fn usps<S: Serializer>(state: &Option<StateCode>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(state.map_or("US", StateCode::usps))
}

impl Change {
    /// A change of the jurisdiction in this row.
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
