//! Screening facts at a point, each with the office that decides.

use super::{
    Answers, Found, Lookup, Notice, Parameter, RawParameters, Refusal, Remarks, Request, Spot, Territory,
    at_point::{AtPoint, covering},
    model::{Answer, Data, Screened, ScreenedFact},
    notices::point_notices,
    parameters,
    resolve::parse_point,
};
use crate::{
    directory::{Chain, Directory, Row},
    facts::{Fact, FactKey, FactKeys, Said},
    geometry::LonLat,
    vocabulary::FunctionSet,
};

/// The parameters of `/screening`.
pub const PARAMETERS: &[Parameter] = &[parameters::LAT.required(), parameters::LON.required()];

/// Most resources shown with a fact; chosen, not measured.
const RESOURCES_MAX: usize = 4;

/// Parses the point of a request.
///
/// # Errors
/// `bad-point`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    Ok(Request::Screening { point: parse_point(given.get("lat"), given.get("lon"))? })
}

/// Returns what must be looked up for a point.
///
/// # Errors
/// `outside-coverage`, so that a point without an answer is not looked up.
pub(super) fn lookup(answers: &Answers, point: LonLat) -> Result<Lookup, Refusal> {
    let directory = answers.directory();
    let chain = covering(directory, point)?;
    let county = directory.id_of(chain.county);
    Ok(Lookup::Facts { spot: Spot { point, county }, keys: keys_at(directory, &chain) })
}

/// Returns the facts that apply to a chain.
fn keys_at(directory: &Directory, chain: &Chain) -> FactKeys {
    let state = directory.state_of(chain.state);
    FactKey::ALL.into_iter().filter(|key| key.applies_in(state)).collect()
}

/// Answers `/screening`.
///
/// # Errors
/// `outside-coverage`.
pub(super) fn screening(answers: &Answers, point: LonLat, found: Found) -> Result<Answer<'_>, Refusal> {
    let directory = answers.directory();
    let at = AtPoint::look_up(directory, point)?;
    let chain = &at.chain;
    let mut screener = Screener {
        answers,
        territory: at.territory(directory),
        places: chain.rows().rev().chain(directory.country_row()).collect(),
        remarks: Remarks::default(),
    };
    let Found { facts, looked_up_at, lifetime_s, .. } = found;
    let fact = |key| facts.get(key).cloned().unwrap_or_else(|| Fact::new(key, Said::NotAsked));
    let facts: Vec<_> = keys_at(directory, chain).iter().map(|key| screener.screened(fact(key))).collect();
    let any = |is: fn(&Said) -> bool| facts.iter().any(|screened| is(&screened.fact.said));
    let mut notices = vec![Notice::ScreeningOnly];
    notices.extend(any(|said| matches!(said, Said::NotChecked { .. })).then_some(Notice::SomeNotChecked));
    notices.extend(any(|said| *said == Said::NotAsked).then_some(Notice::NobodyAsked));
    notices.extend(point_notices(answers, &at, screener.remarks));
    let lineage = chain.rows().collect();
    let answer = answers.answer(Data::Screening(Screened { point, lineage, facts }), notices);
    let as_of = looked_up_at.map_or(answer.as_of, Into::into);
    Ok(Answer { as_of, lifetime_s, ..answer })
}

/// Finds the offices that decide about the facts of one answer.
struct Screener<'a> {
    answers: &'a Answers,
    /// The territory whose offices decide.
    territory: Territory,
    /// Places whose pages are searched, the nearest first.
    places: Vec<Row>,
    remarks: Remarks,
}

impl<'a> Screener<'a> {
    fn screened(&mut self, fact: Fact) -> ScreenedFact<'a> {
        let row = fact.key.row();
        let decider = row.function.and_then(|function| self.answers.assignment(self.territory, function));
        decider.iter().for_each(|entry| self.remarks.add(entry.remarks()));
        let resources = row.topic.map_or_else(Vec::new, |topic| {
            let directory = self.answers.directory();
            let topics = [topic].into_iter().collect();
            self.remarks.withheld += directory.withheld(&self.places, topics, FunctionSet::default());
            let mut best = directory.resources_for(&self.places, topic);
            best.truncate(RESOURCES_MAX);
            best
        });
        ScreenedFact { fact, decider, resources }
    }
}
