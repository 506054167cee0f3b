//! The rules of a state as plain values. The pipeline checks them when it loads a state file, and a snapshot carries them.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{
    Confidence, Function, Geoid, JurisdictionId, Layer, Level, LevyScope, Role, StateCode,
};

/// The body that does the job in a case.
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
    /// A body named by id, whether or not the point lies in it.
    Body(JurisdictionId),
    /// The district of this set that has the point's county or county subdivision as a member.
    DistrictOf(String),
    /// An office of this title, whose body does not follow from the chain.
    Unsettled,
    /// No body: nobody does the job.
    Nobody,
}

/// Conditions on a chain. Each list that is not empty and each `Some` is one condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The place is one of these.
    pub places: Vec<Geoid>,
    /// The county subdivision is one of these.
    pub cousubs: Vec<Geoid>,
    /// The county is one of these.
    pub counties: Vec<Geoid>,
    /// There is a place and its legal word is one of these.
    pub place_types: Vec<String>,
    /// There is a county subdivision and its legal word is one of these.
    pub cousub_types: Vec<String>,
    /// The county's legal word is one of these.
    pub county_types: Vec<String>,
    /// Whether the point lies in an incorporated place.
    pub in_place: Option<bool>,
    /// Whether the point lies in a legal county subdivision.
    pub in_cousub: Option<bool>,
    /// Whether that subdivision acts as a government; a missing subdivision counts as one that does not.
    pub cousub_governs: Option<bool>,
    /// Whether the county acts as a government.
    pub county_governs: Option<bool>,
}

impl Conditions {
    /// Whether there is no condition, so that every chain meets it.
    pub fn is_empty(&self) -> bool {
        *self == Conditions::default()
    }

    /// Whether a condition names governments.
    pub fn names_any(&self) -> bool {
        !self.places.is_empty() || !self.cousubs.is_empty() || !self.counties.is_empty()
    }

    /// Whether a condition depends on the place.
    pub fn about_place(&self) -> bool {
        !self.places.is_empty() || !self.place_types.is_empty() || self.in_place.is_some()
    }

    /// Whether a condition depends on the county subdivision.
    pub fn about_cousub(&self) -> bool {
        !self.cousubs.is_empty()
            || !self.cousub_types.is_empty()
            || self.in_cousub.is_some()
            || self.cousub_governs.is_some()
    }
}

/// One case of a function, or one further body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// All of these must hold.
    pub when: Conditions,
    /// None of these may hold.
    pub unless: Conditions,
    /// The body that does the job.
    pub by: Performer,
    /// The office's title; `None` only where nobody does the job.
    pub office: Option<String>,
    /// Primary in a case. In a further body, the role that the file gives it.
    pub role: Role,
    /// The tax levy that is billed or collected.
    pub levy_scope: Option<LevyScope>,
    /// The reason, as a sentence that may name {place}, {cousub}, {county}, {state} and {district}.
    pub why: String,
    /// Citation of the law; `None` where the file cites none.
    pub statute: Option<String>,
    /// Number of the source in the file's list, from 0.
    pub source: usize,
    /// The file's confidence in the case.
    pub confidence: Confidence,
}

/// Everything that a file says about one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionRule {
    /// The function that the rule is for.
    pub function: Function,
    /// The usual title of the office in the state.
    pub office: String,
    /// The usual level of government that does the job; `None` where none is usual.
    pub level: Option<Level>,
    /// Plain words for that level's place, such as "your county".
    pub place_words: String,
    /// A remark for readers of the file.
    pub note: Option<String>,
    /// Plain sentences for the state's guide.
    pub summary: Vec<String>,
    /// Cases: the first that holds decides, the last holds always.
    pub cases: Vec<Case>,
    /// Further bodies: each that holds is named.
    pub also: Vec<Case>,
}

impl FunctionRule {
    /// Whether the place of a chain can change the outcome or its words.
    pub fn asks_place(&self) -> bool {
        self.all_cases().any(|case| {
            case.when.about_place()
                || case.unless.about_place()
                || case.by == Performer::Place
                || case.why.contains("{place}")
        })
    }

    /// Whether the county subdivision of a chain can change the outcome or its words.
    pub fn asks_cousub(&self) -> bool {
        self.all_cases().any(|case| {
            case.when.about_cousub()
                || case.unless.about_cousub()
                || matches!(case.by, Performer::Cousub | Performer::DistrictOf(_))
                || case.why.contains("{cousub}")
        })
    }

    /// The cases that a text on the whole state rests on. The others are for governments that they name.
    pub fn statewide_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| !case.when.names_any())
    }

    /// Whether a case may name this body, by the layer of its id alone. Cases of low confidence name no body.
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

/// Which areas of a layer act as governments. Lists of the file override the Census status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Governing {
    /// Legal words of areas that act, where the Census status is unknown or fictitious.
    pub types: Vec<String>,
    /// Areas that act whatever their status.
    pub always: Vec<Geoid>,
    /// Areas that do not act whatever their status.
    pub never: Vec<Geoid>,
}

/// A body that is not a Census unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct District {
    /// Id of the kind `district:...`.
    pub id: JurisdictionId,
    /// Name as sentences use it.
    pub name: String,
    /// The set that cases refer to.
    pub set: String,
    /// Counties that belong to it wholly.
    pub counties: Vec<Geoid>,
    /// County subdivisions that belong to it.
    pub cousubs: Vec<Geoid>,
    /// Counties of which it has the rest: all land that no other district of the set has.
    pub rest_of: Vec<Geoid>,
    /// Web address of its own site.
    pub url: Option<String>,
    /// Number of the source in the file's list, from 0.
    pub source: usize,
}

/// A template: one district for each county that no listed district of the set includes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistrictPerCounty {
    /// The set that cases refer to.
    pub set: String,
    /// Id without `district:`; `{fips}` stands for the county's last three digits.
    pub id: String,
    /// Name; `{county}` stands for the county's name.
    pub name: String,
    /// Number of the source in the file's list, from 0.
    pub source: usize,
}

impl DistrictPerCounty {
    /// Returns the digits in the county's slot of one of these ids; `None` for another id.
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
    /// Which places act as governments: all but those in `never`.
    pub places: Governing,
    /// One rule per function, in the order of [`Function::ALL`].
    pub functions: Vec<FunctionRule>,
    /// Districts that the file lists one by one.
    pub districts: Vec<District>,
    /// Sets of districts that follow the county lines.
    pub per_county: Vec<DistrictPerCounty>,
}

impl StateRules {
    /// Returns the rule of a function; `None` where the file has no rule for it.
    pub fn rule(&self, function: Function) -> Option<&FunctionRule> {
        self.functions.iter().find(|rule| rule.function == function)
    }
}
