//! Reasons why the rules name a body, or name none. A reason has keys and names, from which `words` makes sentences.

use std::sync::Arc;

use crate::vocabulary::StateCode;

/// The reason why the rules name a body for a function, or name none, with the names for the reason's sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The reason, without the names.
    pub reason: Reason,
    /// Names for the slots of the sentence. All outcomes of one function at a chain share them.
    pub names: Arc<ChainNames>,
}

/// The reason why the rules name a body, or name none, without names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named for what the variants say of them")]
pub enum Reason {
    /// The sentence from the state file, and the name of the district that the sentence may mention.
    Stated { why: String, district: Option<String> },
    /// Like `Stated`, but the confidence of the state file is low, so the outcome names no body.
    Unconfirmed { why: String, district: Option<String> },
    /// Several cases may hold; the missing area would decide between them.
    DependsOn(Missing),
    /// A further body may take part in the function; the missing area would decide whether it does.
    MayApply(Missing),
    /// Governments of this layer do the job, but it is not known which of them does it here.
    DoneBySome(Missing),
    /// Several districts lie in the county, and the government that would decide between them is not known.
    Divided(Missing),
    /// The point does not lie in a government of this layer.
    NoGovernment(Unit),
    /// The area of this layer does not act as a government.
    NotActing(Unit),
    /// No district of the set includes the county or the county subdivision.
    NoDistrict,
    /// The rule for most of the state, in the words of the state file; for answers about a whole state.
    InGeneral { place_words: String, summary: Vec<String> },
}

/// A layer of governments, as the rules use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A Census place that is incorporated: a city, town, village or borough.
    Place,
    /// A town or township: a Census county subdivision.
    Cousub,
    /// A county or its equivalent, such as a parish.
    County,
}

/// A government that would decide an outcome, but that the chain does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The layer of the missing government.
    pub unit: Unit,
    /// The reason why the government is missing.
    pub gap: Gap,
}

/// The reason why a chain names no government of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A city began or ended after the mapped city limits were drawn.
    OldLimits,
    /// The snapshot has no boundaries of the layer here.
    NoLines,
    /// The question is about a whole county, which has several governments of the layer.
    Choice,
}

/// The names of the areas of a chain, in the form that sentences use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainNames {
    /// The state, for its name and for sentences that differ by state.
    pub state: StateCode,
    /// Name of the county; empty for a state as a whole.
    pub county: String,
    /// Name of the county subdivision; `None` if the chain has none or does not know it.
    pub cousub: Option<String>,
    /// Name of the incorporated place; `None` if the chain has none or does not know it.
    pub place: Option<String>,
    /// The state's word for a county subdivision, such as "town" or "township".
    pub cousub_word: Option<String>,
}

impl ChainNames {
    /// The names of a state as a whole: no county, subdivision or place.
    pub fn of_state(state: StateCode) -> ChainNames {
        ChainNames { state, county: String::new(), cousub: None, place: None, cousub_word: None }
    }
}
