//! Asking the rules.

use super::{Case, Conditions, FunctionRule, Governing, Performer, StateRules, wording::named_once};
use crate::vocabulary::{Confidence, FuncStat, Function, Geoid, JurisdictionId, Layer, LevyScope, Role};

const NO_CITY_LINES: &str = "A city has begun or ended here or near since the city limits at hand were drawn, so whether \
                             this is land of a city cannot be told.";

/// A legal area of the chain, as the rules see it.
#[derive(Clone, Copy, Debug)]
pub struct LegalArea<'a> {
    /// GEOID.
    pub geoid: Geoid,
    /// Name as a sentence uses it.
    pub name: &'a str,
    /// Legal word, lower case.
    pub word: Option<&'a str>,
    /// Census functional status.
    pub status: FuncStat,
}

/// The county subdivision or the incorporated place of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<T> {
    /// No boundaries of this layer are at hand here, so it is not known.
    NotAtHand,
    /// The question is about a whole county, so it is left open.
    Open,
    /// Boundaries are at hand and no legal area of the layer covers the point.
    Nowhere,
    /// This one.
    In(T),
}

/// What the engine knows of a point.
#[derive(Clone, Copy, Debug)]
pub struct ChainFacts<'a> {
    /// The county or county equivalent.
    pub county: LegalArea<'a>,
    /// The county subdivision.
    pub cousub: Part<LegalArea<'a>>,
    /// The incorporated place.
    pub place: Part<LegalArea<'a>>,
}

impl<T> Part<T> {
    /// The area, where there is one.
    pub fn area(self) -> Option<T> {
        match self {
            Part::In(area) => Some(area),
            Part::NotAtHand | Part::Open | Part::Nowhere => None,
        }
    }

    /// The same with what `of` makes of the area.
    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Part<U> {
        match self {
            Part::NotAtHand => Part::NotAtHand,
            Part::Open => Part::Open,
            Part::Nowhere => Part::Nowhere,
            Part::In(area) => Part::In(of(area)),
        }
    }

    fn is_known(&self) -> bool {
        matches!(self, Part::In(_) | Part::Nowhere)
    }
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

/// One function's outcome.
pub fn evaluate_one(rules: &StateRules, chain: &ChainFacts<'_>, function: Function) -> Option<Outcome> {
    Some(Engine { rules, chain }.function(rules.rule(function)?))
}

/// The jobs that `body` does somewhere in the chain, each as an outcome without further bodies, in the order of
/// [`Function::ALL`]. Parts of the chain that are open may be anything.
pub fn jobs_of(rules: &StateRules, chain: &ChainFacts<'_>, body: &JurisdictionId) -> Vec<Outcome> {
    let engine = Engine { rules, chain };
    let of_rule = |rule: &FunctionRule| {
        let also = rule.also.iter().filter(|case| engine.holds(case) != Truth::No);
        // Asked before the outcome is made: most cases are somebody else's, and their reasons take time to put into words.
        let own =
            engine.possible_cases(rule).into_iter().chain(also).filter(|case| engine.is_done_by(case, body));
        own.map(|case| engine.outcome(rule.function, case)).collect::<Vec<_>>()
    };
    rules.functions.iter().flat_map(of_rule).collect()
}

impl StateRules {
    /// Whether an area acts as a government: by the lists of the file, else by its Census status.
    pub fn governs(&self, area: &LegalArea<'_>) -> bool {
        let layer = area.geoid.layer();
        let lists: &Governing = match layer {
            Layer::Place => &self.places,
            Layer::Cousub => &self.cousubs,
            Layer::County | Layer::State => &self.counties,
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
enum Finding {
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
    /// What may come out: one outcome where the chain is known, several where it is not.
    fn possible(&self, rule: &FunctionRule) -> Vec<Outcome> {
        let cases = self.possible_cases(rule).into_iter();
        cases.map(|case| self.outcome(rule.function, case)).collect()
    }

    /// The cases that may hold, up to the first that does.
    fn possible_cases<'r>(&self, rule: &'r FunctionRule) -> Vec<&'r Case> {
        let mut possible = Vec::new();
        for case in &rule.cases {
            let holds = self.holds(case);
            if holds != Truth::No {
                possible.push(case);
            }
            if holds == Truth::Yes {
                break;
            }
        }
        possible
    }

    /// Whether the outcome of a case names this body.
    fn is_done_by(&self, case: &Case, body: &JurisdictionId) -> bool {
        case.confidence > Confidence::Low && matches!(self.find(case), Finding::Body(id, _) if id == *body)
    }

    fn function(&self, rule: &FunctionRule) -> Outcome {
        let mut outcome = self.agreed(rule, self.possible(rule));
        outcome.also = rule.also.iter().filter_map(|case| self.further(rule.function, case)).collect();
        outcome
    }

    /// One possible outcome stands; several that agree on body and title stand too; else only a title is left.
    fn agreed(&self, rule: &FunctionRule, possible: Vec<Outcome>) -> Outcome {
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
            basis: format!("Who does this depends on {}", self.what_is_missing()),
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
                let basis = format!("May apply here, depending on {}", self.what_is_missing());
                outcome.office.is_some().then_some(Outcome { body: None, basis, ..outcome })
            }
        }
    }

    fn outcome(&self, function: Function, case: &Case) -> Outcome {
        let found = self.find(case);
        let district = match &found {
            Finding::Body(_, district) => district.clone(),
            Finding::Untold(_) | Finding::Idle(_) | Finding::Nobody => None,
        };
        let why = self.fill(&case.why, district.as_deref());
        let (body, office, basis) = match found {
            Finding::Body(body, _) if case.confidence > Confidence::Low => {
                (Some(body), case.office.clone(), why)
            }
            Finding::Body(..) => {
                (None, case.office.clone(), format!("{why} This is not confirmed, so no body is named."))
            }
            Finding::Untold(reason) if reason.is_empty() => (None, case.office.clone(), why),
            Finding::Untold(reason) => (None, case.office.clone(), reason),
            Finding::Idle(reason) => (None, None, reason),
            Finding::Nobody => (None, None, why),
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

    fn find(&self, case: &Case) -> Finding {
        match &case.by {
            Performer::Place => match self.chain.place {
                Part::In(place) => self.acting(&place),
                Part::NotAtHand => Finding::Untold(format!("The city does this. {NO_CITY_LINES}")),
                Part::Open => Finding::Untold(format!("The city does this. {}", self.asked_openly("city"))),
                Part::Nowhere => {
                    Finding::Idle("No city, town or village government is on record here.".to_owned())
                }
            },
            Performer::Cousub => match self.chain.cousub {
                Part::In(area) => self.acting(&area),
                Part::NotAtHand => Finding::Untold(format!(
                    "The {} does this. {}",
                    self.cousub_word(),
                    self.no_cousub_lines()
                )),
                Part::Open => {
                    let word = self.cousub_word();
                    Finding::Untold(format!("The {word} does this. {}", self.asked_openly(word)))
                }
                Part::Nowhere => {
                    Finding::Idle(format!("No {} government is on record here.", self.cousub_word()))
                }
            },
            Performer::County => self.acting(&self.chain.county),
            Performer::State => Finding::Body(JurisdictionId::Census(self.chain.county.geoid.state()), None),
            Performer::Body(id) => Finding::Body(id.clone(), None),
            Performer::DistrictOf(set) => self.district(set),
            Performer::Unsettled => Finding::Untold(String::new()),
            Performer::Nobody => Finding::Nobody,
        }
    }

    fn acting(&self, area: &LegalArea<'_>) -> Finding {
        if self.rules.governs(area) {
            Finding::Body(JurisdictionId::Census(area.geoid), None)
        } else {
            Finding::Idle(format!(
                "{} has no government of its own, and who does this instead is not on record.",
                area.name
            ))
        }
    }

    fn district(&self, set: &str) -> Finding {
        let county = self.chain.county.geoid;
        let listed = || self.rules.districts.iter().filter(|district| district.set == set);
        if let Some(whole) = listed().find(|district| district.counties.contains(&county)) {
            return Finding::Body(whole.id.clone(), Some(whole.name.clone()));
        }
        let touches = listed().any(|district| {
            district.rest_of.contains(&county)
                || district.cousubs.iter().any(|cousub| cousub.county() == Some(county))
        });
        if !touches {
            return self.county_district(set);
        }
        let own = match self.chain.cousub {
            Part::NotAtHand => {
                return Finding::Untold(format!(
                    "{} is divided between districts. {}",
                    self.chain.county.name,
                    self.no_cousub_lines()
                ));
            }
            Part::Open => {
                return Finding::Untold(format!(
                    "{} is divided between districts. {}",
                    self.chain.county.name,
                    self.asked_openly(self.cousub_word())
                ));
            }
            Part::In(area) => listed().find(|district| district.cousubs.contains(&area.geoid)),
            Part::Nowhere => None,
        };
        match own.or_else(|| listed().find(|district| district.rest_of.contains(&county))) {
            Some(district) => Finding::Body(district.id.clone(), Some(district.name.clone())),
            None => Finding::Idle("No district is on record here.".to_owned()),
        }
    }

    fn county_district(&self, set: &str) -> Finding {
        let county = self.chain.county;
        let Some(pattern) = self.rules.per_county.iter().find(|pattern| pattern.set == set) else {
            return Finding::Idle("No district is on record here.".to_owned());
        };
        let id = pattern.id.replace("{fips}", &format!("{:03}", county.geoid.code() % 1000));
        let name = pattern.name.replace("{county}", county.name);
        Finding::Body(JurisdictionId::District(id.into()), Some(name))
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
        truths.extend(listed(&asked.counties, Some(chain.county)));
        if !asked.county_types.is_empty() {
            truths.push(among(chain.county.word, &asked.county_types));
        }
        truths
            .extend(asked.county_governs.map(|acts| Truth::from(self.rules.governs(&chain.county) == acts)));
        if asked.about_place() && !chain.place.is_known() {
            truths.push(Truth::Unknown);
        } else {
            let place = chain.place.area();
            truths.extend(listed(&asked.places, place));
            truths.extend(of_type(&asked.place_types, place));
            truths.extend(asked.in_place.map(|inside| Truth::from(place.is_some() == inside)));
        }
        if asked.about_cousub() && !chain.cousub.is_known() {
            truths.push(Truth::Unknown);
        } else {
            let cousub = chain.cousub.area();
            truths.extend(listed(&asked.cousubs, cousub));
            truths.extend(of_type(&asked.cousub_types, cousub));
            truths.extend(asked.in_cousub.map(|inside| Truth::from(cousub.is_some() == inside)));
            let acting = cousub.is_some_and(|area| self.rules.governs(&area));
            truths.extend(asked.cousub_governs.map(|acts| Truth::from(acting == acts)));
        }
        truths
    }

    fn fill(&self, template: &str, district: Option<&str>) -> String {
        let cousub = self.chain.cousub.area().map_or(self.cousub_word(), |cousub| cousub.name);
        named_once(template, "{cousub}", cousub)
            .replace("{place}", self.chain.place.area().map_or("the city", |place| place.name))
            .replace("{cousub}", cousub)
            .replace("{county}", self.chain.county.name)
            .replace("{state}", self.rules.state.name())
            .replace("{district}", district.unwrap_or("the district"))
    }

    fn cousub_word(&self) -> &str {
        self.rules.cousub_word.as_deref().unwrap_or("town")
    }

    /// What the chain does not say, and why.
    fn what_is_missing(&self) -> String {
        let word = self.cousub_word();
        match (self.chain.cousub, self.chain.place) {
            (Part::NotAtHand, _) => format!("the {word}. {}", self.no_cousub_lines()),
            (Part::Open, _) => format!("the {word}. {}", self.asked_openly(word)),
            (_, Part::NotAtHand) => format!("the city. {NO_CITY_LINES}"),
            _ => format!("the city. {}", self.asked_openly("city")),
        }
    }

    fn asked_openly(&self, word: &str) -> String {
        format!("{} has more than one, so ask for a point or a {word}.", self.chain.county.name)
    }

    fn no_cousub_lines(&self) -> String {
        let (word, state) = (self.cousub_word(), self.rules.state.name());
        format!(
            "No {word} boundaries are at hand for this part of {state}, so which {word} this is cannot be told."
        )
    }
}

fn listed(list: &[Geoid], area: Option<LegalArea<'_>>) -> Option<Truth> {
    (!list.is_empty()).then(|| Truth::from(area.is_some_and(|area| list.contains(&area.geoid))))
}

fn of_type(words: &[String], area: Option<LegalArea<'_>>) -> Option<Truth> {
    (!words.is_empty()).then(|| area.map_or(Truth::No, |area| among(area.word, words)))
}

fn among(word: Option<&str>, words: &[String]) -> Truth {
    Truth::from(word.is_some_and(|word| words.iter().any(|known| known == word)))
}
