//! Finds the body that a case of the rules names at a chain, or the reason why it names none.

use std::borrow::Cow;

use super::{
    Case, ChainFacts, ChainNames, FunctionRule, Gap, LegalArea, Missing, Part, Performer, Reason, StateRules,
    Unit,
};
use crate::vocabulary::{JurisdictionId, Layer};

/// The body that a case names at a chain, or the reason why it names none.
pub(super) enum RuleResult<'a> {
    /// The body. The name is only there for a district.
    Body(JurisdictionId, Option<Cow<'a, str>>),
    /// An office has the case's title, but its body is not known for this reason.
    Unknown(Reason),
    /// An office has the case's title, but its body is not known. The sentence of the case says why.
    Unsettled,
    /// The body that should act does not exist or does not act, for this reason.
    Idle(Reason),
    /// No office does the job.
    Nobody,
}

/// The rules of a state and the chain to evaluate them for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) rules: &'a StateRules,
    pub(super) chain: &'a ChainFacts<'a>,
}

impl<'a> Asked<'a> {
    /// Finds the body that a case names.
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
        let some = |gap| RuleResult::Unknown(Reason::DoneBySome(Missing { unit: Unit::Place, gap }));
        match &self.chain.place {
            Part::In(place) => self.acting(place),
            Part::NotAtHand => some(Gap::OldLimits),
            Part::Open => some(Gap::Choice),
            Part::Nowhere => RuleResult::Idle(Reason::NoGovernment(Unit::Place)),
        }
    }

    fn cousub(self) -> RuleResult<'a> {
        let some = |gap| RuleResult::Unknown(Reason::DoneBySome(Missing { unit: Unit::Cousub, gap }));
        match &self.chain.cousub {
            Part::In(area) => self.acting(area),
            Part::NotAtHand => some(Gap::NoLines),
            Part::Open => some(Gap::Choice),
            Part::Nowhere => RuleResult::Idle(Reason::NoGovernment(Unit::Cousub)),
        }
    }

    fn acting(self, area: &LegalArea<'a>) -> RuleResult<'a> {
        if self.rules.governs(area) {
            return RuleResult::Body(JurisdictionId::Census(area.geoid), None);
        }
        RuleResult::Idle(Reason::NotActing(match area.geoid.layer() {
            Layer::Place => Unit::Place,
            Layer::Cousub => Unit::Cousub,
            Layer::County | Layer::State => Unit::County,
        }))
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
        let divided = |gap| RuleResult::Unknown(Reason::Divided(Missing { unit: Unit::Cousub, gap }));
        let own = match self.chain.cousub {
            Part::NotAtHand => return divided(Gap::NoLines),
            Part::Open => return divided(Gap::Choice),
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

    /// Returns the layer whose gap in the chain prevents a single outcome of the rule. The subdivision counts only if
    /// the rule uses it.
    pub(super) fn what_is_missing(self, rule: &FunctionRule) -> Missing {
        let (unit, gap) = match (self.chain.cousub, self.chain.place) {
            (Part::NotAtHand, _) if rule.asks_cousub() => (Unit::Cousub, Gap::NoLines),
            (Part::Open, _) if rule.asks_cousub() => (Unit::Cousub, Gap::Choice),
            (_, Part::NotAtHand) => (Unit::Place, Gap::OldLimits),
            _ => (Unit::Place, Gap::Choice),
        };
        Missing { unit, gap }
    }

    /// Copies the names of the chain for use in sentences.
    pub(super) fn names(self) -> ChainNames {
        let name = |part: Part<LegalArea<'_>>| part.area().map(|area| area.name.to_owned());
        ChainNames {
            state: self.rules.state,
            county: self.chain.county.name.to_owned(),
            cousub: name(self.chain.cousub),
            place: name(self.chain.place),
            cousub_word: self.rules.cousub_word.clone(),
        }
    }
}
