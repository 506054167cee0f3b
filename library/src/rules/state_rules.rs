//! The rules of a state as plain values. The pipeline reads them from a state file and checks them, and a snapshot
//! stores them.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{
    Confidence, Function, Geoid, JurisdictionId, Layer, Level, LevyScope, Role, StateCode,
};

/// The body that does the job in a case, as the state file gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Performer {
    /// The incorporated place around the point.
    Place,
    /// The county subdivision around the point.
    Cousub,
    /// The county or county equivalent around the point.
    County,
    /// The state around the point.
    State,
    /// The body with this id, even if the point does not lie in it.
    Body(JurisdictionId),
    /// The district of this set that includes the county or county subdivision around the point.
    DistrictOf(String),
    /// An office with the case's title, but the chain does not determine its body.
    Unsettled,
    /// No body does the job.
    Nobody,
}

/// Conditions on a chain. Each non-empty list and each `Some` is one condition; all conditions must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The place is in this list.
    pub places: Vec<Geoid>,
    /// The county subdivision is in this list.
    pub cousubs: Vec<Geoid>,
    /// The county is in this list.
    pub counties: Vec<Geoid>,
    /// There is a place, and its legal word is in this list.
    pub place_types: Vec<String>,
    /// There is a county subdivision, and its legal word is in this list.
    pub cousub_types: Vec<String>,
    /// The county's legal word is in this list.
    pub county_types: Vec<String>,
    /// Whether the point lies in an incorporated place.
    pub in_place: Option<bool>,
    /// Whether the point lies in a legal county subdivision.
    pub in_cousub: Option<bool>,
    /// Whether the county subdivision acts as a government. A missing subdivision counts as one that does not.
    pub cousub_governs: Option<bool>,
    /// Whether the county acts as a government.
    pub county_governs: Option<bool>,
}

impl Conditions {
    /// Whether there are no conditions, so that they hold for every chain.
    pub fn is_empty(&self) -> bool {
        *self == Conditions::default()
    }

    /// Whether a condition lists single governments.
    pub fn names_any(&self) -> bool {
        !self.places.is_empty() || !self.cousubs.is_empty() || !self.counties.is_empty()
    }

    /// Whether a condition depends on the place of the chain.
    pub fn about_place(&self) -> bool {
        !self.places.is_empty() || !self.place_types.is_empty() || self.in_place.is_some()
    }

    /// Whether a condition depends on the county subdivision of the chain.
    pub fn about_cousub(&self) -> bool {
        !self.cousubs.is_empty()
            || !self.cousub_types.is_empty()
            || self.in_cousub.is_some()
            || self.cousub_governs.is_some()
    }
}

/// One case of a function, or a further body with its conditions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Conditions that must all hold.
    pub when: Conditions,
    /// Conditions of which none may hold.
    pub unless: Conditions,
    /// The body that does the job.
    pub by: Performer,
    /// Title of the office; `None` only if no body does the job.
    pub office: Option<String>,
    /// `Primary` in a case. For a further body, its role from the state file.
    pub role: Role,
    /// The tax levy that the body bills or collects; `None` if the file does not limit it.
    pub levy_scope: Option<LevyScope>,
    /// The reason, as a sentence. It may have the placeholders {place}, {cousub}, {county}, {state} and {district}.
    pub why: String,
    /// Citation of the law; `None` if the file cites none.
    pub statute: Option<String>,
    /// Index of the source in the file's list of sources.
    pub source: usize,
    /// The confidence that the file gives the case.
    pub confidence: Confidence,
}

impl Case {
    /// Whether the place of a chain can change the outcome of the case, or the sentence with the reason.
    pub fn asks_place(&self) -> bool {
        self.when.about_place()
            || self.unless.about_place()
            || self.by == Performer::Place
            || self.why.contains("{place}")
    }

    /// Whether the county subdivision of a chain can change the outcome of the case, or the sentence with the reason.
    pub fn asks_cousub(&self) -> bool {
        self.when.about_cousub()
            || self.unless.about_cousub()
            || matches!(self.by, Performer::Cousub | Performer::DistrictOf(_))
            || self.why.contains("{cousub}")
    }
}

/// The rules of a state file for one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionRule {
    /// The function that the rule is for.
    pub function: Function,
    /// The usual title in this state of the office that does the job.
    pub office: String,
    /// The level of government that usually does the job; `None` if no level is usual.
    pub level: Option<Level>,
    /// Plain words for a government of this level, such as "your county".
    pub place_words: String,
    /// A remark for readers of the file.
    pub note: Option<String>,
    /// Plain sentences for the state's guide.
    pub summary: Vec<String>,
    /// Cases in order. The first case that holds decides, and the last case always holds.
    pub cases: Vec<Case>,
    /// Further bodies. The outcome names each one whose conditions hold.
    pub also: Vec<Case>,
}

impl FunctionRule {
    /// Whether the place of a chain can change the outcome of the rule, or the sentence with the reason.
    pub fn asks_place(&self) -> bool {
        self.all_cases().any(Case::asks_place)
    }

    /// Whether the county subdivision of a chain can change the outcome of the rule, or the sentence with the reason.
    pub fn asks_cousub(&self) -> bool {
        self.all_cases().any(Case::asks_cousub)
    }

    /// The cases for texts about the whole state. The other cases are only for the governments that they list.
    pub fn statewide_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| !case.when.names_any())
    }

    /// Whether a case may name this body, judged only by the layer of its id. Cases of low confidence name no body.
    pub fn may_name(&self, body: &JurisdictionId) -> bool {
        let layer = match body {
            JurisdictionId::Census(geoid) => Some(geoid.layer()),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        };
        let names = |case: &Case| match &case.by {
            Performer::State => layer == Some(Layer::State),
            Performer::County => layer == Some(Layer::County),
            Performer::Cousub => layer == Some(Layer::Cousub),
            Performer::Place => layer == Some(Layer::Place),
            Performer::Body(id) => id == body,
            Performer::DistrictOf(_) => matches!(body, JurisdictionId::District(_)),
            Performer::Unsettled | Performer::Nobody => false,
        };
        self.all_cases().any(|case| case.confidence > Confidence::Low && names(case))
    }

    fn all_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().chain(&self.also)
    }
}

/// Which areas of a layer act as governments. These lists override the Census status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Governing {
    /// Legal words of areas that act, although their Census status is unknown or fictitious.
    pub types: Vec<String>,
    /// Areas that act, whatever their Census status is.
    pub always: Vec<Geoid>,
    /// Areas that do not act, whatever their Census status is.
    pub never: Vec<Geoid>,
}

/// A body that is not a Census unit, such as an appraisal district.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct District {
    /// Id that begins with `district:`.
    pub id: JurisdictionId,
    /// Name as sentences use it.
    pub name: String,
    /// The set of districts that cases refer to.
    pub set: String,
    /// Counties that belong to the district as a whole.
    pub counties: Vec<Geoid>,
    /// County subdivisions that belong to the district.
    pub cousubs: Vec<Geoid>,
    /// Counties in which the district has all land that no other district of the set has.
    pub rest_of: Vec<Geoid>,
    /// Web address of the district's own site.
    pub url: Option<String>,
    /// Index of the source in the file's list of sources.
    pub source: usize,
}

/// A template for districts. Each county that no listed district of the set includes has a district of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistrictPerCounty {
    /// The set of districts that cases refer to.
    pub set: String,
    /// Id without `district:`; `{fips}` stands for the last three digits of the county's FIPS code.
    pub id: String,
    /// Name; `{county}` stands for the county's name.
    pub name: String,
    /// Index of the source in the file's list of sources.
    pub source: usize,
}

impl DistrictPerCounty {
    /// Returns the digits at the place of `{fips}` in an id of this template; `None` for another id.
    pub fn county_digits<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (before, after) = self.id.split_once("{fips}")?;
        name.strip_prefix(before)?.strip_suffix(after)
    }
}

/// The rules of one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateRules {
    /// The state that the rules belong to.
    pub state: StateCode,
    /// The state's word for a county subdivision that governs ("town", "township"); `None` if it has no such governments.
    pub cousub_word: Option<String>,
    /// Which counties act as governments.
    pub counties: Governing,
    /// Which county subdivisions act as governments.
    pub cousubs: Governing,
    /// Which places act as governments. A place of unknown or fictitious status acts, whatever its legal word is.
    pub places: Governing,
    /// One rule per function, in the order of [`Function::ALL`].
    pub functions: Vec<FunctionRule>,
    /// Districts that the file lists individually.
    pub districts: Vec<District>,
    /// Templates for districts that follow the county lines.
    pub per_county: Vec<DistrictPerCounty>,
}

impl StateRules {
    /// Returns the rule of a function; `None` if the file has no rule for it.
    pub fn rule(&self, function: Function) -> Option<&FunctionRule> {
        self.functions.iter().find(|rule| rule.function == function)
    }
}
