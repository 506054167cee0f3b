//! Why the rules name a body, or none: keys and names, from which `words` makes sentences.

use std::sync::Arc;

use crate::vocabulary::StateCode;

/// Why the rules name a body for a function, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The reason.
    pub reason: Reason,
    /// The names that a sentence on it may need.
    pub names: Arc<ChainNames>,
}

/// The reason why the rules name a body, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named for what the variants say of them")]
pub enum Reason {
    /// The state file's own sentence, and the name of the district that it may speak of.
    Stated { why: String, district: Option<String> },
    /// The same, where the file is not sure enough for a body to be named.
    Unconfirmed { why: String, district: Option<String> },
    /// The cases of the state file differ by what is missing.
    DependsOn(Missing),
    /// A further body has a part in some cases, which differ by what is missing.
    MayApply(Missing),
    /// Governments of this layer do the job; which one is missing.
    DoneBySome(Missing),
    /// Districts share the county; what decides among them is missing.
    Divided(Missing),
    /// There is no government of this layer.
    NoGovernment(Unit),
    /// The area of this layer has no government.
    NotActing(Unit),
    /// No district is known here.
    NoDistrict,
    /// What holds in most of the state, in the words of its file.
    InGeneral { place_words: String, summary: Vec<String> },
}

/// A layer of governments that rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Incorporated places.
    Place,
    /// County subdivisions.
    Cousub,
    /// Counties and their equivalents.
    County,
}

/// A government that a chain does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The layer of which no government is known.
    pub unit: Unit,
    /// Why it is not known.
    pub gap: Gap,
}

/// Why a chain does not have a government of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A city began or ended after the city limits were drawn.
    OldLimits,
    /// The snapshot has no lines of the layer here.
    NoLines,
    /// The question is about a whole county, which has several.
    Choice,
}

/// The names of a chain, as sentences use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainNames {
    /// The state.
    pub state: StateCode,
    /// The county.
    pub county: String,
    /// The county subdivision.
    pub cousub: Option<String>,
    /// The incorporated place.
    pub place: Option<String>,
    /// The state's word for a county subdivision.
    pub cousub_word: Option<String>,
}

impl ChainNames {
    /// Those of a state as a whole.
    pub fn of_state(state: StateCode) -> ChainNames {
        ChainNames { state, county: String::new(), cousub: None, place: None, cousub_word: None }
    }
}
