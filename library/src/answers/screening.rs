//! Screening facts at a point, each with the office that decides.

use super::{
    Answers, Found, Lookup, Notice, Parameter, RawParameters, Refusal, Remarks, Request, Spot, Territory,
    at_point::{AtPoint, covering},
    locality::{Locality, lineage_of_name},
    model::{Answer, Data, Screened, ScreenedFact},
    notices::{place_notices, point_notices},
    parameters,
    resolve::parse_point,
};
use crate::{
    directory::{Chain, Directory, ResourceView, Row},
    facts::{Fact, FactKey, FactKeys, Said},
    geometry::LonLat,
    vocabulary::FunctionSet,
};

/// The parameters of `/screening`.
pub const PARAMETERS: &[Parameter] = &[
    parameters::LAT,
    parameters::LON,
    parameters::PLACE,
    parameters::STATE_OF_PLACE,
    parameters::ID_OF_PLACE,
];

const MODES: &str = "give lat and lon; for the radon zone alone, place and state, or jurisdiction_id";

/// Maximum number of resources shown with a fact; chosen, not measured.
const RESOURCES_MAX: usize = 4;

/// Parses the point or the place of a request.
///
/// # Errors
/// `bad-point`, `bad-parameter`, `unknown-state`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let is_given = |names: &[&str]| names.iter().any(|name| given.get(name).is_some());
    match (is_given(&["lat", "lon"]), is_given(&["place", "state", "jurisdiction_id"])) {
        (true, true) => Err(Refusal::bad_parameter(format!("several inputs: {MODES}"))),
        (false, true) => Ok(Request::ScreenPlace { place: Locality::parse(given, MODES)? }),
        (_, false) => Ok(Request::Screening { point: parse_point(given.get("lat"), given.get("lon"))? }),
    }
}

/// Returns what must be looked up for a place: the facts of its county.
///
/// # Errors
/// The reason, if the place is not found or has no county.
pub(super) fn lookup_of_place(answers: &Answers, place: &Locality) -> Result<Lookup, Refusal> {
    let Placed { county, point, .. } = Placed::find(answers, place)?;
    let keys = FactKey::ALL.into_iter().filter(|key| key.is_of_county()).collect();
    Ok(Lookup::Facts { spot: Spot { point, county: answers.directory().id_of(county) }, keys })
}

/// Answers `/screening` for a place, with the facts of its county.
///
/// # Errors
/// The reason, if the place is not found or has no county.
pub(super) fn of_place<'a>(
    answers: &'a Answers,
    place: &Locality,
    found: Found,
) -> Result<Answer<'a>, Refusal> {
    let directory = answers.directory();
    let Placed { row, county, point, remarks } = Placed::find(answers, place)?;
    let territory = answers.territory_of(row);
    let mut screener =
        Screener { answers, territory, places: directory.with_parents(row), remarks: Remarks::default() };
    let lineage = lineage_of_name(directory, row);
    let state = directory.state_of(county);
    let keys = FactKey::ALL.into_iter().filter(|key| key.applies_in(state));
    let facts = keys.map(|key| screener.screened(fact_of_place(&found, key))).collect();
    let mut notices = vec![Notice::ScreeningOnly, Notice::CountyFactsOnly { place: row, county }];
    notices.splice(0..0, remarks);
    notices.extend(place_notices(answers, row, territory, screener.remarks, None));
    Ok(answers.answer(Data::Screening(Screened { point, lineage, facts }), notices))
}

fn fact_of_place(found: &Found, key: FactKey) -> Fact {
    let said = if key.is_of_county() { Said::NotAsked } else { Said::NeedsPoint };
    found.facts.get(key).cloned().unwrap_or_else(|| Fact::new(key, said))
}

/// A place whose county is screened.
struct Placed {
    row: Row,
    county: Row,
    /// A point inside the place.
    point: LonLat,
    /// Caveats on how the name of the place was read.
    remarks: Vec<Notice>,
}

impl Placed {
    fn find(answers: &Answers, place: &Locality) -> Result<Placed, Refusal> {
        let directory = answers.directory();
        let (row, remarks) = place.find(answers)?;
        let inside = |row: Row| directory.jurisdiction(row).point;
        let county = directory.scope_of(row).map(|scope| scope.county);
        match county.and_then(|county| Some((county, inside(row).or_else(|| inside(county))?))) {
            Some((county, point)) => Ok(Placed { row, county, point, remarks }),
            None => Err(Refusal::bad_parameter(format!(
                "{} lies in no single county; {MODES} of a county, city or town",
                directory.name_of(row)
            ))),
        }
    }
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
    let at = AtPoint::look_up(directory, point, None)?;
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

/// Returns the national page on which a person sees a fact; `None` if the snapshot has none.
pub fn national_page(directory: &Directory, key: FactKey) -> Option<ResourceView<'_>> {
    directory.page_at(directory.country_row()?, key.row().page?)
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
        let directory = self.answers.directory();
        let mut resources = row.topic.map_or_else(Vec::new, |topic| {
            let topics = [topic].into_iter().collect();
            self.remarks.withheld += directory.withheld(&self.places, topics, FunctionSet::default());
            directory.resources_for(&self.places, topic)
        });
        // If no map was read, the page with the national map comes first. Pages of the state mostly explain how to read
        // that map.
        if let Some(page) = national_page(directory, fact.key).filter(|_| !fact.is_checked()) {
            resources.retain(|view| view.number != page.number);
            resources.insert(0, page);
        }
        resources.truncate(RESOURCES_MAX);
        ScreenedFact { fact, decider, resources }
    }
}
