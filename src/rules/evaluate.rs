//! Asking the rules.

use super::{Case, Conditions, FunctionRule, Governing, Performer, StateRules};
use crate::vocabulary::{Confidence, FuncStat, Function, Geoid, JurisdictionId, Layer, LevyScope, Role};

/// An area of the chain.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    /// GEOID.
    pub geoid: Geoid,
    /// Name as a sentence uses it.
    pub name: &'a str,
    /// Legal word, lower case.
    pub word: Option<&'a str>,
    /// Census functional status.
    pub status: FuncStat,
}

/// The county subdivision of a chain.
#[derive(Clone, Copy, Debug)]
pub enum Cousub<'a> {
    /// No boundaries of this layer are at hand here, so it is not known.
    NotAtHand,
    /// Boundaries are at hand and no legal subdivision covers the point.
    Nowhere,
    /// This one.
    In(Area<'a>),
}

/// What the engine knows of a point.
#[derive(Clone, Copy, Debug)]
pub struct ChainFacts<'a> {
    /// The county or county equivalent.
    pub county: Area<'a>,
    /// The county subdivision.
    pub cousub: Cousub<'a>,
    /// The incorporated place.
    pub place: Option<Area<'a>>,
}

/// Who does a job for a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The function.
    pub function: Function,
    /// The body; `None` where nobody does it or it cannot be told.
    pub body: Option<JurisdictionId>,
    /// The office's title; `None` where nobody does it.
    pub office: Option<String>,
    /// Primary, or the role of a further body.
    pub role: Role,
    /// Whose levy.
    pub levy_scope: Option<LevyScope>,
    /// The reason in plain words.
    pub basis: String,
    /// The law.
    pub statute: Option<String>,
    /// Number of the source in the state file's list.
    pub source: usize,
    /// How sure the file is.
    pub confidence: Confidence,
    /// Further bodies.
    pub also: Vec<Outcome>,
}

/// One outcome per function, in the order of [`Function::ALL`].
pub fn evaluate(rules: &StateRules, chain: &ChainFacts<'_>) -> Vec<Outcome> {
    let engine = Engine { rules, chain };
    rules.functions.iter().map(|rule| engine.function(rule)).collect()
}

/// Three-valued, because a chain may lack its county subdivision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Unknown,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds { Truth::Yes } else { Truth::No }
    }
}

/// What came of a performer: the body, or why there is none.
enum Found {
    Body(JurisdictionId, Option<String>),
    /// Somebody has the title, but which body is not known.
    Untold(String),
    /// The body that should act is not there or does not act.
    Idle(String),
    Nobody,
}

struct Engine<'a> {
    rules: &'a StateRules,
    chain: &'a ChainFacts<'a>,
}

impl Engine<'_> {
    fn function(&self, rule: &FunctionRule) -> Outcome {
        let mut possible: Vec<Outcome> = Vec::new();
        for case in &rule.cases {
            match self.holds(case) {
                Truth::No => {}
                Truth::Unknown => possible.push(self.outcome(rule.function, case)),
                Truth::Yes => {
                    possible.push(self.outcome(rule.function, case));
                    break;
                }
            }
        }
        let mut outcome = self.settle(rule, possible);
        outcome.also = rule.also.iter().filter_map(|case| self.further(rule.function, case)).collect();
        outcome
    }

    /// One possible outcome stands; several that agree on body and title stand too; else only a title is left.
    fn settle(&self, rule: &FunctionRule, possible: Vec<Outcome>) -> Outcome {
        let mut rest = possible.into_iter();
        let Some(first) = rest.next() else {
            return self.untold(rule, None);
        };
        let (mut agree, mut same_title) = (true, true);
        for other in rest {
            same_title &= other.office == first.office;
            agree &= other.body == first.body && other.office == first.office;
        }
        if agree {
            return first;
        }
        let title = if same_title { first.office.clone() } else { None };
        Outcome { source: first.source, ..self.untold(rule, title) }
    }

    fn untold(&self, rule: &FunctionRule, title: Option<String>) -> Outcome {
        let (source, statute, confidence) = match rule.cases.last() {
            Some(case) => (case.source, case.statute.clone(), case.confidence),
            None => (0, None, Confidence::Low),
        };
        Outcome {
            function: rule.function,
            body: None,
            office: title.or_else(|| Some(rule.office.clone())),
            role: Role::Primary,
            levy_scope: None,
            basis: format!("Who does this depends on the {}. {}", self.cousub_word(), self.no_cousub_lines()),
            statute,
            source,
            confidence,
            also: Vec::new(),
        }
    }

    /// A further body; `None` where it does not apply or does not act.
    fn further(&self, function: Function, case: &Case) -> Option<Outcome> {
        match self.holds(case) {
            Truth::No => None,
            Truth::Yes => {
                let outcome = self.outcome(function, case);
                outcome.office.is_some().then_some(outcome)
            }
            Truth::Unknown => {
                let outcome = self.outcome(function, case);
                let basis = format!("May apply here. {}", self.no_cousub_lines());
                outcome.office.is_some().then_some(Outcome { body: None, basis, ..outcome })
            }
        }
    }

    fn outcome(&self, function: Function, case: &Case) -> Outcome {
        let found = self.find(case);
        let district = match &found {
            Found::Body(_, district) => district.clone(),
            Found::Untold(_) | Found::Idle(_) | Found::Nobody => None,
        };
        let why = self.fill(&case.why, district.as_deref());
        let (body, office, basis) = match found {
            Found::Body(body, _) if case.confidence > Confidence::Low => {
                (Some(body), case.office.clone(), why)
            }
            Found::Body(..) => {
                (None, case.office.clone(), format!("{why} This is not confirmed, so no body is named."))
            }
            Found::Untold(reason) if reason.is_empty() => (None, case.office.clone(), why),
            Found::Untold(reason) => (None, case.office.clone(), reason),
            Found::Idle(reason) => (None, None, reason),
            Found::Nobody => (None, None, why),
        };
        Outcome {
            function,
            body,
            office,
            role: case.role,
            levy_scope: case.levy_scope,
            basis,
            statute: case.statute.clone(),
            source: case.source,
            confidence: case.confidence,
            also: Vec::new(),
        }
    }

    fn find(&self, case: &Case) -> Found {
        match &case.by {
            Performer::Place => match self.chain.place {
                Some(place) => self.acting(&place),
                None => Found::Idle("No city, town or village government is on record here.".to_owned()),
            },
            Performer::Cousub => match self.chain.cousub {
                Cousub::In(area) => self.acting(&area),
                Cousub::NotAtHand => {
                    Found::Untold(format!("The {} does this. {}", self.cousub_word(), self.no_cousub_lines()))
                }
                Cousub::Nowhere => {
                    Found::Idle(format!("No {} government is on record here.", self.cousub_word()))
                }
            },
            Performer::County => self.acting(&self.chain.county),
            Performer::State => Found::Body(JurisdictionId::Census(self.chain.county.geoid.state()), None),
            Performer::Body(id) => Found::Body(id.clone(), None),
            Performer::DistrictOf(set) => self.district(set),
            Performer::Unsettled => Found::Untold(String::new()),
            Performer::Nobody => Found::Nobody,
        }
    }

    fn acting(&self, area: &Area<'_>) -> Found {
        if self.governs(area) {
            Found::Body(JurisdictionId::Census(area.geoid), None)
        } else {
            Found::Idle(format!(
                "{} has no government of its own, and who does this instead is not on record.",
                area.name
            ))
        }
    }

    fn governs(&self, area: &Area<'_>) -> bool {
        let layer = area.geoid.layer();
        let lists: &Governing = match layer {
            Layer::Place => &self.rules.places,
            Layer::Cousub => &self.rules.cousubs,
            Layer::County | Layer::State => &self.rules.counties,
        };
        if lists.never.contains(&area.geoid) {
            return false;
        }
        if lists.always.contains(&area.geoid) || area.status.governs() {
            return true;
        }
        match area.status {
            FuncStat::Unknown | FuncStat::Fictitious => {
                layer == Layer::Place || among(area.word, &lists.types) == Truth::Yes
            }
            _ => false,
        }
    }

    fn district(&self, set: &str) -> Found {
        let county = self.chain.county.geoid;
        let listed = || self.rules.districts.iter().filter(|district| district.set == set);
        if let Some(whole) = listed().find(|district| district.counties.contains(&county)) {
            return Found::Body(whole.id.clone(), Some(whole.name.clone()));
        }
        let touches = listed().any(|district| {
            district.rest_of.contains(&county)
                || district.cousubs.iter().any(|cousub| cousub.county() == Some(county))
        });
        if !touches {
            return self.county_district(set);
        }
        let own = match self.chain.cousub {
            Cousub::NotAtHand => {
                return Found::Untold(format!(
                    "{} is divided between districts. {}",
                    self.chain.county.name,
                    self.no_cousub_lines()
                ));
            }
            Cousub::In(area) => listed().find(|district| district.cousubs.contains(&area.geoid)),
            Cousub::Nowhere => None,
        };
        match own.or_else(|| listed().find(|district| district.rest_of.contains(&county))) {
            Some(district) => Found::Body(district.id.clone(), Some(district.name.clone())),
            None => Found::Idle("No district is on record here.".to_owned()),
        }
    }

    fn county_district(&self, set: &str) -> Found {
        let county = self.chain.county;
        let Some(pattern) = self.rules.per_county.iter().find(|pattern| pattern.set == set) else {
            return Found::Idle("No district is on record here.".to_owned());
        };
        let id = pattern.id.replace("{fips}", &format!("{:03}", county.geoid.code() % 1000));
        let name = pattern.name.replace("{county}", county.name);
        Found::Body(JurisdictionId::District(id.into()), Some(name))
    }

    fn holds(&self, case: &Case) -> Truth {
        let (mut unknown, chain) = (false, self.chain);
        for truth in self.conditions(&case.when, chain) {
            match truth {
                Truth::No => return Truth::No,
                Truth::Unknown => unknown = true,
                Truth::Yes => {}
            }
        }
        for truth in self.conditions(&case.unless, chain) {
            match truth {
                Truth::Yes => return Truth::No,
                Truth::Unknown => unknown = true,
                Truth::No => {}
            }
        }
        if unknown { Truth::Unknown } else { Truth::Yes }
    }

    fn conditions(&self, asked: &Conditions, chain: &ChainFacts<'_>) -> Vec<Truth> {
        let mut truths = Vec::new();
        let place = chain.place;
        let listed = |list: &[Geoid], area: Option<Area<'_>>| {
            (!list.is_empty()).then(|| Truth::from(area.is_some_and(|area| list.contains(&area.geoid))))
        };
        truths.extend(listed(&asked.places, place));
        truths.extend(listed(&asked.counties, Some(chain.county)));
        if !asked.place_types.is_empty() {
            truths.push(place.map_or(Truth::No, |place| among(place.word, &asked.place_types)));
        }
        if !asked.county_types.is_empty() {
            truths.push(among(chain.county.word, &asked.county_types));
        }
        truths.extend(asked.in_place.map(|inside| Truth::from(place.is_some() == inside)));
        truths.extend(asked.county_governs.map(|acts| Truth::from(self.governs(&chain.county) == acts)));
        let cousub_asked = !asked.cousubs.is_empty()
            || !asked.cousub_types.is_empty()
            || asked.in_cousub.is_some()
            || asked.cousub_governs.is_some();
        if !cousub_asked {
            return truths;
        }
        let cousub = match chain.cousub {
            Cousub::NotAtHand => {
                truths.push(Truth::Unknown);
                return truths;
            }
            Cousub::Nowhere => None,
            Cousub::In(area) => Some(area),
        };
        truths.extend(listed(&asked.cousubs, cousub));
        if !asked.cousub_types.is_empty() {
            truths.push(cousub.map_or(Truth::No, |area| among(area.word, &asked.cousub_types)));
        }
        truths.extend(asked.in_cousub.map(|inside| Truth::from(cousub.is_some() == inside)));
        let acting = cousub.is_some_and(|area| self.governs(&area));
        truths.extend(asked.cousub_governs.map(|acts| Truth::from(acting == acts)));
        truths
    }

    fn fill(&self, template: &str, district: Option<&str>) -> String {
        let cousub = match self.chain.cousub {
            Cousub::In(area) => area.name,
            Cousub::NotAtHand | Cousub::Nowhere => self.cousub_word(),
        };
        template
            .replace("{place}", self.chain.place.map_or("the place", |place| place.name))
            .replace("{cousub}", cousub)
            .replace("{county}", self.chain.county.name)
            .replace("{state}", self.rules.state.name())
            .replace("{district}", district.unwrap_or("the district"))
    }

    fn cousub_word(&self) -> &str {
        self.rules.cousub_word.as_deref().unwrap_or("town")
    }

    fn no_cousub_lines(&self) -> String {
        let (word, state) = (self.cousub_word(), self.rules.state.name());
        format!(
            "No {word} boundaries are at hand for this part of {state}, so which {word} this is cannot be told."
        )
    }
}

fn among(word: Option<&str>, words: &[String]) -> Truth {
    Truth::from(word.is_some_and(|word| words.iter().any(|known| known == word)))
}
