//! Who a case of the rules means at a chain, or why nobody can be named.

use std::{borrow::Cow, fmt};

use super::{Case, ChainFacts, FunctionRule, LegalArea, Part, Performer, StateRules};
use crate::vocabulary::JurisdictionId;

/// What came of a performer: the body, or why there is none.
pub(super) enum RuleResult<'a> {
    /// The body; the name of the district where it is one.
    Body(JurisdictionId, Option<Cow<'a, str>>),
    /// Somebody has the title, but which body is not known.
    Untold(Reason<'a>),
    /// The same, and the case's own words say why.
    Unsettled,
    /// The body that should act is not there or does not act.
    Idle(Reason<'a>),
    /// Nobody does the job.
    Nobody,
}

/// Why no body is named. It is put into words only where it is shown: most cases that are tried are somebody else's.
#[derive(Clone, Copy)]
pub(super) enum Reason<'a> {
    /// A government of this word does the job; which one is not known.
    DoneBySome { word: &'a str, missing: Missing<'a> },
    /// Districts of this county do the job; which one is not known.
    Divided { county: &'a str, missing: Missing<'a> },
    /// There is no government of this word.
    NoGovernment { word: &'a str },
    /// The area has no government.
    NotActing { name: &'a str },
    /// No district is known.
    NoDistrict,
}

/// What a chain does not say.
#[derive(Clone, Copy)]
pub(super) enum Missing<'a> {
    /// Whether there is a city: city limits are older than a city.
    CityLines,
    /// Which county subdivision: no boundaries are at hand.
    CousubLines { state: &'a str, word: &'a str },
    /// Which one: the question is about a whole county.
    Choice { county: &'a str, word: &'a str },
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::DoneBySome { word, missing } => write!(f, "The {word} does this. {missing}"),
            Reason::Divided { county, missing } => {
                write!(f, "{county} is divided between districts. {missing}")
            }
            Reason::NoGovernment { word } => write!(f, "No {word} government is on record here."),
            Reason::NotActing { name } => {
                write!(f, "{name} has no government of its own, and who does this instead is not on record.")
            }
            Reason::NoDistrict => f.write_str("No district is on record here."),
        }
    }
}

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::CityLines => f.write_str(
                "A city has begun or ended here or near since the city limits at hand were drawn, so whether this is \
                 land of a city cannot be told.",
            ),
            Missing::CousubLines { state, word } => write!(
                f,
                "No {word} boundaries are at hand for this part of {state}, so which {word} this is cannot be told."
            ),
            Missing::Choice { county, word } => {
                write!(f, "{county} has more than one, so ask for a point or a {word}.")
            }
        }
    }
}

/// Rules, and the chain that they are asked about.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) rules: &'a StateRules,
    pub(super) chain: &'a ChainFacts<'a>,
}

impl<'a> Asked<'a> {
    /// Who a case means.
    pub(super) fn find(self, case: &'a Case) -> RuleResult<'a> {
        match &case.by {
            Performer::Place => self.place(),
            Performer::Cousub => self.cousub(),
            Performer::County => self.acting(&self.chain.county),
            Performer::State => {
                RuleResult::Body(JurisdictionId::Census(self.chain.county.geoid.state()), None)
            }
            Performer::Body(id) => RuleResult::Body(id.clone(), None),
            Performer::DistrictOf(set) => self.district(set),
            Performer::Unsettled => RuleResult::Unsettled,
            Performer::Nobody => RuleResult::Nobody,
        }
    }

    fn place(self) -> RuleResult<'a> {
        let untold = |missing| RuleResult::Untold(Reason::DoneBySome { word: "city", missing });
        match &self.chain.place {
            Part::In(place) => self.acting(place),
            Part::NotAtHand => untold(Missing::CityLines),
            Part::Open => untold(self.choice("city")),
            Part::Nowhere => RuleResult::Idle(Reason::NoGovernment { word: "city, town or village" }),
        }
    }

    fn cousub(self) -> RuleResult<'a> {
        let word = self.cousub_word();
        let untold = |missing| RuleResult::Untold(Reason::DoneBySome { word, missing });
        match &self.chain.cousub {
            Part::In(area) => self.acting(area),
            Part::NotAtHand => untold(self.cousub_lines()),
            Part::Open => untold(self.choice(word)),
            Part::Nowhere => RuleResult::Idle(Reason::NoGovernment { word }),
        }
    }

    fn acting(self, area: &LegalArea<'a>) -> RuleResult<'a> {
        if self.rules.governs(area) {
            RuleResult::Body(JurisdictionId::Census(area.geoid), None)
        } else {
            RuleResult::Idle(Reason::NotActing { name: area.name })
        }
    }

    fn district(self, set: &str) -> RuleResult<'a> {
        let county = self.chain.county.geoid;
        let listed = || self.rules.districts.iter().filter(|district| district.set == set);
        if let Some(whole) = listed().find(|district| district.counties.contains(&county)) {
            return RuleResult::Body(whole.id.clone(), Some(Cow::Borrowed(&whole.name)));
        }
        let touches = listed().any(|district| {
            district.rest_of.contains(&county)
                || district.cousubs.iter().any(|cousub| cousub.county() == Some(county))
        });
        if !touches {
            return self.county_district(set);
        }
        let divided =
            |missing| RuleResult::Untold(Reason::Divided { county: self.chain.county.name, missing });
        let own = match self.chain.cousub {
            Part::NotAtHand => return divided(self.cousub_lines()),
            Part::Open => return divided(self.choice(self.cousub_word())),
            Part::In(area) => listed().find(|district| district.cousubs.contains(&area.geoid)),
            Part::Nowhere => None,
        };
        match own.or_else(|| listed().find(|district| district.rest_of.contains(&county))) {
            Some(district) => RuleResult::Body(district.id.clone(), Some(Cow::Borrowed(&district.name))),
            None => RuleResult::Idle(Reason::NoDistrict),
        }
    }

    fn county_district(self, set: &str) -> RuleResult<'a> {
        let county = self.chain.county;
        let Some(pattern) = self.rules.per_county.iter().find(|pattern| pattern.set == set) else {
            return RuleResult::Idle(Reason::NoDistrict);
        };
        let id = pattern.id.replace("{fips}", &format!("{:03}", county.geoid.code() % 1000));
        let name = pattern.name.replace("{county}", county.name);
        RuleResult::Body(JurisdictionId::District(id.into()), Some(Cow::Owned(name)))
    }

    /// The state's word for a county subdivision.
    pub(super) fn cousub_word(self) -> &'a str {
        self.rules.cousub_word.as_deref().unwrap_or("town")
    }

    /// What the chain does not say of what the rule asks: the word of the layer, and why.
    pub(super) fn what_is_missing(self, rule: &FunctionRule) -> (&'a str, Missing<'a>) {
        let word = self.cousub_word();
        match (self.chain.cousub, self.chain.place) {
            (Part::NotAtHand, _) if rule.asks_cousub() => (word, self.cousub_lines()),
            (Part::Open, _) if rule.asks_cousub() => (word, self.choice(word)),
            (_, Part::NotAtHand) => ("city", Missing::CityLines),
            _ => ("city", self.choice("city")),
        }
    }

    fn choice(self, word: &'a str) -> Missing<'a> {
        Missing::Choice { county: self.chain.county.name, word }
    }

    fn cousub_lines(self) -> Missing<'a> {
        Missing::CousubLines { state: self.rules.state.name(), word: self.cousub_word() }
    }
}
