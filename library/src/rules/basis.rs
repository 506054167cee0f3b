//! Reasons why the rules name a body, or name none: keys and names, from which `words` makes sentences.

use std::sync::Arc;

use crate::vocabulary::StateCode;

/// The reason why the rules name a body for a function, or name none, with the names that its sentence needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Which of the reasons applies.
    pub reason: Reason,
    /// Names for the slots of the sentence; shared by all outcomes of a function at a chain.
    pub names: Arc<ChainNames>,
}

/// The reason why the rules name a body, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named for what the variants say of them")]
pub enum Reason {
    /// The state file's own sentence, and the name of the district that it may speak of.
    Stated { why: String, district: Option<String> },
    /// As `Stated`, where the file's confidence is low, so that no body is named.
    Unconfirmed { why: String, district: Option<String> },
    /// Several cases may hold, depending on the missing area.
    DependsOn(Missing),
    /// A further body may have a part in the function, which depends on the missing area.
    MayApply(Missing),
    /// Governments of this layer do the job; which of them is not known.
    DoneBySome(Missing),
    /// Several districts lie in the county; the government that decides among them is not known.
    Divided(Missing),
    /// The point lies in no government of this layer.
    NoGovernment(Unit),
    /// The area of this layer has no government.
    NotActing(Unit),
    /// No district of the set has the county or the county subdivision.
    NoDistrict,
    /// The rule of most of the state, in the words of its file; for answers about a whole state.
    InGeneral { place_words: String, summary: Vec<String> },
}

/// A layer of governments that rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A city, town, village or borough that is incorporated: a Census place.
    Place,
    /// A town or township: a Census county subdivision.
    Cousub,
    /// A county or its equivalent, such as a parish.
    County,
}

/// A government that decides an outcome and that the chain does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The layer of which no government is known.
    pub unit: Unit,
    /// The cause of the gap.
    pub gap: Gap,
}

/// The cause of a gap: why a chain names no government of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A city began or ended after the city limits were drawn.
    OldLimits,
    /// The snapshot has no boundaries of the layer here.
    NoLines,
    /// The question is about a whole county, which has several governments of the layer.
    Choice,
}

/// The names of a chain, as sentences use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainNames {
    /// The state, for its name and for cases that differ by state.
    pub state: StateCode,
    /// Name of the county; empty for a state as a whole.
    pub county: String,
    /// Name of the county subdivision; `None` where the chain has none or does not know it.
    pub cousub: Option<String>,
    /// Name of the incorporated place; `None` where the chain has none or does not know it.
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
