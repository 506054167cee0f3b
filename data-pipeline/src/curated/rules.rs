//! What a curated state file says, checked and ready to be asked: plain values, no serde, no I/O.
//!
//! Needs nothing but `platbook::vocabulary`, so that this file and `evaluate.rs` can move as they are.

use platbook::vocabulary::{Geoid, JurisdictionId, StateCode};

/// A job that some office does for a property. The order is the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Function {
    /// Setting the taxable value.
    Assessment,
    /// Billing and collecting the property tax.
    TaxCollection,
    /// Keeping deeds and other land records.
    Recording,
    /// Zoning.
    Zoning,
    /// Building permits.
    Permits,
    /// Parcel maps.
    Gis,
    /// Exemptions and relief from property tax.
    Exemptions,
}

impl Function {
    /// All functions, in the contract's order.
    pub const ALL: [Function; 7] = [
        Function::Assessment,
        Function::TaxCollection,
        Function::Recording,
        Function::Zoning,
        Function::Permits,
        Function::Gis,
        Function::Exemptions,
    ];

    /// The contract's word, which is also the table's name in a state file.
    pub fn as_str(self) -> &'static str {
        match self {
            Function::Assessment => "assessment",
            Function::TaxCollection => "tax_collection",
            Function::Recording => "recording",
            Function::Zoning => "zoning",
            Function::Permits => "permits",
            Function::Gis => "gis",
            Function::Exemptions => "exemptions",
        }
    }

    /// The function with this word.
    pub fn from_word(word: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.as_str() == word)
    }
}

/// How sure the file is of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A pointer to check: the office title is shown, no body is named.
    Low,
    /// Right in general, varies locally.
    Medium,
    /// Sure.
    High,
}

/// What a body is to the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The body to ask first.
    Primary,
    /// A further body, for example one that sends a second bill.
    Secondary,
    /// Collects what is overdue.
    Delinquent,
}

/// Whose levy a body bills or collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevyScope {
    /// The county's.
    County,
    /// A city's, town's or village's.
    Municipal,
    /// A school district's.
    School,
    /// A special district's.
    Special,
    /// Everybody's.
    All,
}

/// Who does the job in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Somebody with this title, but which body it is cannot be told from the chain.
    Unsettled,
    /// Nobody.
    Nobody,
}

/// Conditions on a chain. Each list that is not empty and each `Some` is one condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}

/// One case of a function, or one further body.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The level of government that does a job in most of a state, as the contract names levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The state.
    State,
    /// Counties.
    County,
    /// Towns and townships.
    Town,
    /// Cities and other incorporated places.
    City,
}

/// Everything that a file says about one function.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Which areas of a layer act as governments. Lists of the file beat the Census status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Governing {
    /// Legal words of areas that act, where the Census status is unknown or fictitious.
    pub types: Vec<String>,
    /// Areas that act whatever their status.
    pub always: Vec<Geoid>,
    /// Areas that do not act whatever their status.
    pub never: Vec<Geoid>,
}

/// A body that is no Census unit.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The rules of one state.
#[derive(Clone, Debug, PartialEq, Eq)]
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
