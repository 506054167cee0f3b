//! What a state's rules say: plain values, checked when they were loaded. A snapshot carries them.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{Confidence, Function, Geoid, JurisdictionId, Level, LevyScope, Role, StateCode};

/// Who does the job in a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Performer {
    /// The incorporated place around the point.
    Place,
    /// The county subdivision around the point.
    Cousub,
    /// The county or county equivalent around the point.
    County,
    /// The state.
    State,
    /// A body named by id, whether or not the point lies in it.
    Body(JurisdictionId),
    /// The district of this set that has the point's county or county subdivision as a member.
    DistrictOf(String),
    /// An office of this title, whose body does not follow from the chain.
    Unsettled,
    /// Nobody.
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
    /// Whether that subdivision acts as a government; one that is not there does not.
    pub cousub_governs: Option<bool>,
    /// Whether the county acts as a government.
    pub county_governs: Option<bool>,
}

impl Conditions {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Conditions::default()
    }

    /// Whether the place matters.
    pub fn about_place(&self) -> bool {
        !self.places.is_empty() || !self.place_types.is_empty() || self.in_place.is_some()
    }

    /// Whether the county subdivision matters.
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
    /// Who does the job.
    pub by: Performer,
    /// The office's title; `None` only where nobody does the job.
    pub office: Option<String>,
    /// Primary in a case; what the file says in a further body.
    pub role: Role,
    /// Whose levy is billed or collected.
    pub levy_scope: Option<LevyScope>,
    /// Why, as a sentence that may name {place}, {cousub}, {county}, {state} and {district}.
    pub why: String,
    /// The law.
    pub statute: Option<String>,
    /// Number of the source in the file's list.
    pub source: usize,
    /// How sure the file is.
    pub confidence: Confidence,
}

/// Everything that a file says about one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionRule {
    /// The function.
    pub function: Function,
    /// The office's title in general.
    pub office: String,
    /// The level in general.
    pub level: Option<Level>,
    /// Plain words for where that is.
    pub place_words: String,
    /// A remark.
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

    fn all_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().chain(&self.also)
    }
}

/// Which areas of a layer act as governments. Lists of the file beat the Census status.
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
    /// `district:...`
    pub id: JurisdictionId,
    /// Name.
    pub name: String,
    /// The set that cases refer to.
    pub set: String,
    /// Counties that belong to it wholly.
    pub counties: Vec<Geoid>,
    /// County subdivisions that belong to it.
    pub cousubs: Vec<Geoid>,
    /// Counties of which it has what no other district of the set has.
    pub rest_of: Vec<Geoid>,
    /// Its own site.
    pub url: Option<String>,
    /// Number of the source in the file's list.
    pub source: usize,
}

/// One district for each county of the state that no listed district of the set has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistrictPerCounty {
    /// The set that cases refer to.
    pub set: String,
    /// Id without `district:`; `{fips}` stands for the county's last three digits.
    pub id: String,
    /// Name; `{county}` stands for the county's name.
    pub name: String,
    /// Number of the source in the file's list.
    pub source: usize,
}

impl DistrictPerCounty {
    /// What stands for the county in the id of one of these districts; `None` for another id.
    pub fn county_digits<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (before, after) = self.id.split_once("{fips}")?;
        name.strip_prefix(before)?.strip_suffix(after)
    }
}

/// The rules of one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateRules {
    /// The state.
    pub state: StateCode,
    /// The state's word for a county subdivision that governs ("town", "township"); `None` where there is none.
    pub cousub_word: Option<String>,
    /// Counties that act.
    pub counties: Governing,
    /// County subdivisions that act.
    pub cousubs: Governing,
    /// Places that act: all but those in `never`.
    pub places: Governing,
    /// One rule per function, in the order of [`Function::ALL`].
    pub functions: Vec<FunctionRule>,
    /// Listed districts.
    pub districts: Vec<District>,
    /// Districts that follow the counties.
    pub per_county: Vec<DistrictPerCounty>,
}

impl StateRules {
    /// The rule of a function; `None` where the file says nothing of it.
    pub fn rule(&self, function: Function) -> Option<&FunctionRule> {
        self.functions.iter().find(|rule| rule.function == function)
    }
}
