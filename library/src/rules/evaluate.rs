//! Evaluates the rules of a state for a chain, with one outcome per function.
//!
//! In a chain with gaps, several cases may hold. The outcome then has the values that all these cases share, and its
//! `basis` names the gap.

use std::{borrow::Cow, sync::Arc};

use super::{
    Basis, Case, ChainFacts, ChainNames, FunctionRule, Reason, StateRules,
    performers::{Asked, RuleResult},
    truth::Truth,
};
use crate::vocabulary::{Confidence, Function, JurisdictionId, LevyScope, Role};

/// The outcome of the rules for one function: the body, the office and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The function that the outcome is for.
    pub function: Function,
    /// The body that does the job; `None` if no body does it or the rules cannot decide which one does.
    pub body: Option<JurisdictionId>,
    /// Title of the office; `None` if no office does the job.
    pub office: Option<String>,
    /// `Primary`, or the role of a further body.
    pub role: Role,
    /// The tax levy that a further body bills or collects; `None` if the state file does not limit it.
    pub levy_scope: Option<LevyScope>,
    /// The reason why the outcome names this body, or why it names none.
    pub basis: Basis,
    /// Citation of the law, as the state file writes it; `None` if it cites none.
    pub statute: Option<String>,
    /// Index of the source in the list of the state file.
    pub source: usize,
    /// The confidence that the state file gives the case.
    pub confidence: Confidence,
    /// Further bodies that take part in the function. Their own lists are empty.
    pub also: Vec<Outcome>,
}

/// A job of a body, without the reason. Building a reason takes many times as long, and most callers need none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job<'r> {
    /// The function that the job is part of.
    pub function: Function,
    /// The body that does the job.
    pub body: JurisdictionId,
    /// Title of the office; `None` if the case names none.
    pub office: Option<Cow<'r, str>>,
    /// `Primary`, or the role of a further body.
    pub role: Role,
}

impl Job<'_> {
    /// Copies borrowed texts, so that the job outlives the rules.
    pub fn into_owned(self) -> Job<'static> {
        Job { office: self.office.map(|title| Cow::Owned(title.into_owned())), ..self }
    }
}

/// Returns one outcome per function, in the order of [`Function::ALL`].
pub fn evaluate(rules: &StateRules, chain: &ChainFacts<'_>) -> Vec<Outcome> {
    let asked = Asked { rules, chain };
    rules.functions.iter().map(|rule| asked.function(rule)).collect()
}

/// Returns the outcome of one function; `None` if the state file has no rule for it.
pub fn evaluate_one(rules: &StateRules, chain: &ChainFacts<'_>, function: Function) -> Option<Outcome> {
    Some(Asked { rules, chain }.function(rules.rule(function)?))
}

/// Returns the bodies that may do a job at a chain, including those of low confidence.
pub fn candidates(rules: &StateRules, chain: &ChainFacts<'_>, function: Function) -> Vec<JurisdictionId> {
    let asked = Asked { rules, chain };
    let cases =
        rules.rule(function).into_iter().flat_map(|rule| asked.possible(asked.cases_on_its_day(rule)));
    let body = |case| match asked.find(case) {
        RuleResult::Body(id, _) => Some(id),
        RuleResult::Unknown(_) | RuleResult::Unsettled | RuleResult::Idle(_) | RuleResult::Nobody => None,
    };
    cases.filter_map(body).collect()
}

/// Returns the outcome of the first case that names `body` for a function somewhere in the chain; `None` if no case
/// does. An open part of the chain may be any area.
pub fn outcome_by(
    rules: &StateRules,
    chain: &ChainFacts<'_>,
    function: Function,
    body: &JurisdictionId,
) -> Option<Outcome> {
    let asked = Asked { rules, chain };
    let rule = rules.rule(function)?;
    let case = asked.cases_of(rule).find(|case| case.office.is_some() && asked.is_done_by(case, body))?;
    Some(asked.outcome(function, case, &Arc::new(asked.names())))
}

/// Returns the jobs that `body` does somewhere in the chain, in the order of [`Function::ALL`]. A part that is left
/// open (`Part::Open`) may be any area.
pub fn jobs_of<'r>(rules: &'r StateRules, chain: &ChainFacts<'_>, body: &JurisdictionId) -> Vec<Job<'r>> {
    let asked = Asked { rules, chain };
    let mut jobs = Vec::new();
    for rule in &rules.functions {
        let own = asked.cases_of(rule).filter(|case| asked.is_done_by(case, body));
        jobs.extend(own.map(|case| Job {
            function: rule.function,
            body: body.clone(),
            office: case.office.as_deref().map(Cow::Borrowed),
            role: case.role,
        }));
    }
    jobs
}

impl<'a> Asked<'a> {
    /// Returns the cases that may hold, then the further bodies that may take part.
    fn cases_of<'r>(self, rule: &'r FunctionRule) -> impl Iterator<Item = &'r Case> + use<'r, 'a> {
        let further = move |case: &&Case| self.rules.holds(case, self.chain) != Truth::No;
        self.possible(rule.cases.iter()).chain(rule.also.iter().filter(further))
    }

    /// Returns the cases of the rule on the day of the question: first the past ones that held then.
    fn cases_on_its_day(self, rule: &'a FunctionRule) -> impl Iterator<Item = &'a Case> + use<'a> {
        let past = self.chain.past.iter().filter(|past| past.function == rule.function);
        past.map(|past| &past.case).chain(&rule.cases)
    }

    /// Returns the cases that may hold, in order. The first case that certainly holds is the last one returned.
    fn possible<'r, C: Iterator<Item = &'r Case>>(
        self,
        cases: C,
    ) -> impl Iterator<Item = &'r Case> + use<'r, 'a, C> {
        let mut is_settled = false;
        cases
            .map_while(move |case| {
                if is_settled {
                    return None;
                }
                let holds = self.rules.holds(case, self.chain);
                is_settled = holds == Truth::Yes;
                Some((holds != Truth::No).then_some(case))
            })
            .flatten()
    }

    /// Whether the outcome of this case would name `body`.
    fn is_done_by(self, case: &Case, body: &JurisdictionId) -> bool {
        case.confidence > Confidence::Low && matches!(self.find(case), RuleResult::Body(id, _) if id == *body)
    }

    fn function(self, rule: &'a FunctionRule) -> Outcome {
        let names = Arc::new(self.names());
        let possible =
            self.possible(self.cases_on_its_day(rule)).map(|case| self.outcome(rule.function, case, &names));
        let mut outcome = self.agreed(rule, possible, &names);
        let further = rule.also.iter().filter_map(|case| self.further(rule, case, &names));
        let is_new = |other: &Outcome| {
            other.body.is_none() || (&other.body, &other.office) != (&outcome.body, &outcome.office)
        };
        outcome.also = each_once(further.filter(is_new));
        outcome
    }

    /// Returns the only possible outcome, or the last of several that all have the same body and title. The first
    /// may be about a few towns, the last is the most general. Its confidence is then the lowest of all. Otherwise the
    /// outcome has no body, and it has a title only if all share one.
    fn agreed(
        self,
        rule: &FunctionRule,
        mut possible: impl Iterator<Item = Outcome>,
        names: &Arc<ChainNames>,
    ) -> Outcome {
        let Some(first) = possible.next() else {
            return self.open(rule, None, names);
        };
        let (body, title, mut confidence) = (first.body.clone(), first.office.clone(), first.confidence);
        let (mut same_body, mut same_title, mut last) = (true, true, first);
        for other in possible {
            same_body &= other.body == body;
            same_title &= other.office == title;
            confidence = confidence.min(other.confidence);
            last = other;
        }
        if same_body && same_title {
            return Outcome { confidence, ..last };
        }
        let title = title.filter(|_| same_title);
        Outcome { source: last.source, ..self.open(rule, title, names) }
    }

    /// Returns an outcome without a body, because the body depends on areas that the chain does not name.
    fn open(self, rule: &FunctionRule, title: Option<String>, names: &Arc<ChainNames>) -> Outcome {
        let (source, statute, confidence) = match rule.cases.last() {
            // The outcome names no body, so its confidence is never high.
            Some(case) => (case.source, case.statute.clone(), case.confidence.min(Confidence::Medium)),
            None => (0, None, Confidence::Low),
        };
        Outcome {
            function: rule.function,
            body: None,
            office: title.or_else(|| Some(rule.office.clone())),
            role: Role::Primary,
            levy_scope: None,
            basis: basis(Reason::DependsOn(self.what_is_missing(rule)), names),
            statute,
            source,
            confidence,
            also: Vec::new(),
        }
    }

    /// Returns the outcome of a further body; `None` if its conditions do not hold or the body does not act.
    fn further(self, rule: &FunctionRule, case: &Case, names: &Arc<ChainNames>) -> Option<Outcome> {
        let holds = self.rules.holds(case, self.chain);
        if holds == Truth::No {
            return None;
        }
        let outcome =
            Some(self.outcome(rule.function, case, names)).filter(|outcome| outcome.office.is_some())?;
        if holds == Truth::Yes {
            return Some(outcome);
        }
        let basis = basis(Reason::MayApply(self.what_is_missing(rule)), names);
        Some(Outcome { body: None, basis, ..outcome })
    }

    fn outcome(self, function: Function, case: &Case, names: &Arc<ChainNames>) -> Outcome {
        let why = case.why.clone();
        let is_sure = case.confidence > Confidence::Low;
        let (body, office, reason) = match self.find(case) {
            RuleResult::Body(body, district) => {
                let district = district.map(Cow::into_owned);
                let reason = match is_sure {
                    true => Reason::Stated { why, district },
                    false => Reason::Unconfirmed { why, district },
                };
                (Some(body).filter(|_| is_sure), case.office.clone(), reason)
            }
            RuleResult::Unknown(reason) => (None, case.office.clone(), reason),
            RuleResult::Unsettled => (None, case.office.clone(), Reason::Stated { why, district: None }),
            RuleResult::Idle(reason) => (None, None, reason),
            RuleResult::Nobody => (None, None, Reason::Stated { why, district: None }),
        };
        Outcome {
            function,
            body,
            office,
            role: case.role,
            levy_scope: case.levy_scope,
            basis: basis(reason, names),
            statute: case.statute.clone(),
            source: case.source,
            confidence: case.confidence,
            also: Vec::new(),
        }
    }
}

/// Returns each further body once. Of several that read alike, the last one stays, with the lowest confidence of all.
/// In a whole county, cases for single towns differ only in their sources.
fn each_once(further: impl Iterator<Item = Outcome>) -> Vec<Outcome> {
    let mut found: Vec<Outcome> = Vec::new();
    for outcome in further {
        let reads_alike = |known: &&mut Outcome| {
            let seen = |one: &Outcome| (one.role, one.levy_scope);
            (&known.body, &known.office, &known.basis) == (&outcome.body, &outcome.office, &outcome.basis)
                && seen(known) == seen(&outcome)
        };
        match found.iter_mut().find(reads_alike) {
            Some(known) => {
                *known = Outcome { confidence: known.confidence.min(outcome.confidence), ..outcome }
            }
            None => found.push(outcome),
        }
    }
    found
}

fn basis(reason: Reason, names: &Arc<ChainNames>) -> Basis {
    Basis { reason, names: Arc::clone(names) }
}
