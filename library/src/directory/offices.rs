//! Finds the bodies and offices that do each job, by the rules of the state, for a chain or a jurisdiction.

use std::{borrow::Cow, collections::BTreeMap};

use super::{Chain, Directory, Lookup, OfficeSite, Resolution, Row, SourceRow};
use crate::{
    rules::{
        ChainFacts, Guide, Job, LegalArea, Outcome, Part, PastCases, StateFile, StateRules, candidates,
        evaluate_one, jobs_of, outcome_by,
    },
    vocabulary::{Coverage, Date, Function, FunctionSet, Geoid, JurisdictionId, Layer, Role, StateCode},
};

/// The file of a state with the dependencies of its rules.
#[derive(Debug)]
pub struct RuledState {
    /// Rules, and the texts about the state.
    pub file: StateFile,
    /// Cases of the rules that held until a day.
    past: PastCases,
    /// For each function, whether its outcome today depends on the place, and whether on the county subdivision.
    depends_on: [(bool, bool); Function::ALL.len()],
}

/// The places that the rules of a state list, by county. A place in two counties is in both lists.
#[derive(Debug, Default)]
pub(super) struct ListedPlaces {
    by_county: BTreeMap<Row, Vec<Geoid>>,
    /// Places whose county is not known. They are in each list of `by_county`, too.
    anywhere: Vec<Geoid>,
}

/// The area that rules are evaluated for: a county, and the parts of it that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The county or equivalent.
    pub county: Row,
    /// The county subdivision, or why there is no particular one.
    pub cousub: Part<Row>,
    /// The incorporated place, or why there is no particular one.
    pub place: Part<Row>,
    /// Number of the state's past cases that held on the day of the question; 0 for a question about today. Equal
    /// numbers mean equal rules, so a scope has no day.
    pub past: u16,
}

/// The functions of an office of a body, and its website.
#[derive(Clone, Copy, Debug)]
pub struct NamedOffice {
    /// All functions of the office.
    pub functions: FunctionSet,
    /// The page and contact data of the office on record.
    pub site: OfficeSite,
    /// Whether no job of the body has this title today, so that only an answer for an earlier day names the office.
    pub is_past: bool,
}

impl Scope {
    /// Land of a county outside of all county subdivisions and places.
    pub fn outside(county: Row) -> Scope {
        Scope { county, cousub: Part::Nowhere, place: Part::Nowhere, past: 0 }
    }

    /// A whole county: subdivision and place are left open.
    pub fn open(county: Row) -> Scope {
        Scope { county, cousub: Part::Open, place: Part::Open, past: 0 }
    }

    /// The jurisdictions of the scope, nearest first.
    pub fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        [self.place.area(), self.cousub.area(), Some(self.county)].into_iter().flatten()
    }
}

impl RuledState {
    pub(super) fn new(file: StateFile, past: PastCases) -> RuledState {
        let depends_on = Function::ALL.map(|function| {
            file.rules.rule(function).map_or((false, false), |rule| (rule.asks_place(), rule.asks_cousub()))
        });
        RuledState { file, past, depends_on }
    }

    /// Cases of the rules that held until a day.
    pub fn past(&self) -> &PastCases {
        &self.past
    }

    /// Whether the outcome for a function today depends on the place, and whether on the county subdivision.
    pub(super) fn depends_on(&self, function: Function) -> (bool, bool) {
        self.depends_on[function as usize]
    }

    /// The places that conditions of cases list, today or earlier; some more than once.
    fn listed_places(&self) -> Vec<Geoid> {
        let functions = self.file.rules.functions.iter();
        let today = functions.flat_map(|rule| rule.cases.iter().chain(&rule.also));
        let cases = today.chain(self.past.cases.iter().map(|past| &past.case));
        cases.flat_map(|case| case.when.places.iter().chain(&case.unless.places)).copied().collect()
    }

    /// The scope without the parts that cannot change the outcome, so that equal outcomes have equal scopes.
    pub fn narrowed(&self, scope: Scope, function: Function) -> Scope {
        let (place, cousub) = self.depends_on(function);
        let past = || self.past.held(scope.past).iter().filter(|past| past.function == function);
        let keeps_place = place || past().any(|past| past.case.asks_place());
        let keeps_cousub = cousub || past().any(|past| past.case.asks_cousub());
        Scope {
            place: if keeps_place { scope.place } else { Part::Open },
            cousub: if keeps_cousub { scope.cousub } else { Part::Open },
            ..scope
        }
    }
}

impl Directory {
    /// The rules of a state and the texts around them; `None` if the snapshot has none.
    pub fn ruled_state(&self, state: StateCode) -> Option<&RuledState> {
        let past = || self.snapshot.past_rules().and_then(|past| past.state(state));
        let none = || PastCases { state, cases: Vec::new() };
        let decode = || {
            let file = self.snapshot.state_files().state(state)?;
            Some(Box::new(RuledState::new(file, past().unwrap_or_else(none))))
        };
        self.ruled_states.get(state).get_or_init(decode).as_deref()
    }

    /// All guides, in the order of the snapshot.
    pub fn guides(&self) -> &[Guide] {
        self.guides.get_or_init(|| {
            let mut guides = self.snapshot.state_files().guides();
            guides.extend(self.snapshot.dates().into_iter().flat_map(|dates| dates.guides()));
            guides
        })
    }

    /// The scope of a point's chain.
    pub fn scope_of_chain(&self, chain: &Chain) -> Scope {
        let cousub = match (chain.cousub, self.state_of(chain.county)) {
            (Some(row), _) => Part::In(row),
            (None, _) if self.lacks_towns_at(chain.county) => Part::NotAtHand,
            (None, _) => Part::Nowhere,
        };
        Scope { county: chain.county, cousub, place: chain.place.map_or(Part::Nowhere, Part::In), past: 0 }
    }

    /// The number of past cases of a county's state that held on a day, for [`Scope::past`].
    pub fn past_cases_on(&self, county: Row, date: Date) -> u16 {
        let state = self.state_of(county).and_then(|state| self.ruled_state(state));
        state.map_or(0, |state| state.past.count_on(date))
    }

    /// Whether a point of the county outside of all mapped county subdivisions may lie in an unmapped one. It may not
    /// if the mapped ones cover the state, or if the county has no subdivisions.
    pub fn lacks_towns_at(&self, county: Row) -> bool {
        let coverage = self.state_of(county).map(|state| self.cousub_coverage(state));
        let is_whole = matches!(coverage, Some(Coverage::Complete | Coverage::NotApplicable));
        let with_towns =
            || self.counties_with_towns.get_or_init(|| self.counties_of_towns(self.rows_of(Layer::Cousub)));
        !is_whole && with_towns().contains(&county.number())
    }

    /// The scope of a jurisdiction below a state. For a county it is the land outside of places; for a place it is
    /// the place's inner point. `None` for states, the country and unknown districts.
    pub fn scope_of(&self, row: Row) -> Option<Scope> {
        match self.id_of(row) {
            JurisdictionId::Census(geoid) => match geoid.layer() {
                Layer::State => None,
                Layer::County => Some(Scope { cousub: self.open_cousub(row, geoid), ..Scope::outside(row) }),
                Layer::Cousub => {
                    let county = self.row_of(geoid.county()?)?;
                    let place = self.same_as(row).find(|same| self.layer(*same) == Some(Layer::Place));
                    Some(Scope {
                        cousub: Part::In(row),
                        place: place.map_or(Part::Nowhere, Part::In),
                        ..Scope::outside(county)
                    })
                }
                Layer::Place => self.scope_of_place(row),
            },
            JurisdictionId::District(name) => self.scope_of_district(&name),
            JurisdictionId::Country => None,
        }
    }

    /// The subdivision of a county's scope: open, unless the county or its state has no subdivisions.
    fn open_cousub(&self, county: Row, geoid: Geoid) -> Part<Row> {
        match StateCode::from_fips(geoid.state_fips()).map(|state| self.cousub_coverage(state)) {
            Some(Coverage::NotApplicable) => Part::Nowhere,
            Some(Coverage::Missing | Coverage::Partial) if !self.lacks_towns_at(county) => Part::Nowhere,
            _ => Part::Open,
        }
    }

    fn scope_of_place(&self, row: Row) -> Option<Scope> {
        let chain = self.chain_of_place(row)?;
        Some(Scope { place: Part::In(row), ..self.scope_of_chain(&chain) })
    }

    /// The chain at a place's inner point; `None` if no inner point is known.
    pub fn chain_of_place(&self, row: Row) -> Option<Chain> {
        match self.resolve(self.jurisdiction(row).point?) {
            Resolution::Inside(chain) => Some(Chain { place: Some(row), ..chain }),
            Resolution::Outside => None,
        }
    }

    /// The scope of a district, by a county or county subdivision that belongs to the district.
    fn scope_of_district(&self, name: &str) -> Option<Scope> {
        let state = name.get(..2)?.parse::<StateCode>().ok()?;
        let rules = &self.ruled_state(state)?.file.rules;
        let id = JurisdictionId::District(name.into());
        if let Some(district) = rules.districts.iter().find(|district| district.id == id) {
            let cousub = district.cousubs.first();
            let member = cousub.or(district.counties.first()).or(district.rest_of.first())?;
            let cousub = cousub.and_then(|geoid| self.row_of(*geoid));
            let county = self.row_of(member.county()?)?;
            let cousub = cousub.map_or(Part::Nowhere, Part::In);
            return Some(Scope { cousub, ..Scope::open(county) });
        }
        let county = rules.per_county.iter().find_map(|pattern| {
            let digits = pattern.county_digits(name)?;
            self.row_of(Geoid::parse(Layer::County, &format!("{:02}{digits}", state.fips())).ok()?)
        })?;
        Some(Scope::open(county))
    }

    /// The body and office that do a job within the scope, by the rules of its state.
    pub fn who_does(&self, scope: Scope, function: Function) -> Option<Outcome> {
        let (rules, facts) = self.rules_and_facts(scope)?;
        evaluate_one(rules, &facts, function)
    }

    /// Evaluates one function for land of a county that no county subdivision and no place covers.
    pub fn outside_towns(&self, county: Row, function: Function) -> Option<Outcome> {
        self.who_does(Scope::outside(county), function)
    }

    /// The bodies that may do a job within the scope if no body is certain. These are the candidates of the rules,
    /// and the city around the point or, outside of cities, all parts of the scope.
    pub fn may_do(&self, scope: Scope, function: Function) -> Vec<Row> {
        let Some((rules, facts)) = self.rules_and_facts(scope) else { return Vec::new() };
        let mut rows: Vec<Row> = match scope.place {
            Part::In(place) => vec![place],
            _ => scope.rows().collect(),
        };
        for row in candidates(rules, &facts, function).iter().filter_map(|id| self.found(id)) {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows
    }

    /// Like [`Directory::who_does`], but by the rules given instead of the snapshot's, such as those of a corrected
    /// state file.
    pub fn who_would_do(&self, rules: &StateRules, scope: Scope, function: Function) -> Option<Outcome> {
        evaluate_one(rules, &self.facts(scope)?, function)
    }

    /// Whether a county, county subdivision or place acts as a government by the rules of its state.
    pub fn governs(&self, row: Row) -> bool {
        let ruled = self.state_of(row).and_then(|state| self.ruled_state(state));
        ruled.zip(self.area(row)).is_some_and(|(state, area)| state.file.rules.governs(&area))
    }

    /// All functions of the office with this title in a body, including `function`, and the office's website.
    pub fn office_named(&self, body: Row, title: &str, function: Function) -> NamedOffice {
        let jobs = self.jobs_of(body);
        let same = jobs.iter().filter(|job| job.office.as_deref() == Some(title)).map(|job| job.function);
        let is_past = same.clone().next().is_none();
        let functions = same.chain([function]).collect();
        NamedOffice { functions, site: self.site_of_office(body, &jobs, title, functions), is_past }
    }

    /// The page and contact of the office with this title; `jobs` are all jobs of the body. The body's main site and
    /// main line stand in for an office without a page for any of its jobs. A page for a job belongs to the office
    /// with the first [`Role`] in the job. So a clerk who sells tax deeds does not get the tax collector's page.
    pub fn site_of_office(
        &self,
        body: Row,
        jobs: &[Job<'_>],
        title: &str,
        functions: FunctionSet,
    ) -> OfficeSite {
        let first = |function: Function, is_own: bool| {
            let of_them = jobs.iter().filter(|job| (job.office.as_deref() == Some(title)) == is_own);
            of_them.filter(|job| job.function == function).map(|job| job.role as u8).min()
        };
        let is_anothers = |function: &Function| {
            let (own, other) = (first(*function, true), first(*function, false));
            // Several offices may each be primary for a part of the body's land; they share the page for the job.
            let shares = own == Some(Role::Primary as u8);
            other.is_some_and(|other| own.is_none_or(|own| other < own || (other == own && !shares)))
        };
        let own: FunctionSet = functions.iter().filter(|function| !is_anothers(function)).collect();
        let sites = own.iter().filter_map(|function| self.site_for(body, function));
        OfficeSite {
            site: sites.min_by_key(|site| site.is_main()).or_else(|| self.main_site_ref(body)),
            contact: self.contact_for(body, own),
        }
    }

    /// The jobs of a jurisdiction under its own id or another id of the same government, in the contract's order. Each
    /// has the title of its office and the id that the rules name. All ids of a government have the same jobs.
    pub fn jobs_of(&self, row: Row) -> Cow<'_, [Job<'_>]> {
        let state = self.state_of(row).filter(|state| self.state_row(*state) == Some(row));
        match state {
            Some(state) => {
                let jobs = self.state_jobs.get(state);
                Cow::Borrowed(
                    jobs.get_or_init(|| self.find_jobs_of(row).into_iter().map(Job::into_owned).collect()),
                )
            }
            None => Cow::Owned(self.find_jobs_of(row)),
        }
    }

    /// Finds the jobs of a jurisdiction by evaluating the rules for all ids of its government.
    fn find_jobs_of(&self, row: Row) -> Vec<Job<'_>> {
        let mut rows: Vec<Row> = std::iter::once(row).chain(self.same_as(row)).collect();
        rows.sort();
        let ids: Vec<JurisdictionId> = rows.iter().map(|row| self.id_of(*row)).collect();
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for (rules, facts) in rows.iter().flat_map(|row| self.open_facts(*row)) {
            for job in ids.iter().flat_map(|id| jobs_of(rules, &facts, id)) {
                let same = |known: &Job<'_>| {
                    (known.function, &known.office, &known.body) == (job.function, &job.office, &job.body)
                };
                if !jobs.iter().any(same) {
                    jobs.push(job);
                }
            }
        }
        jobs.sort_by_key(|job| (job.function, job.role as u8));
        jobs
    }

    /// Whether the rules may name this jurisdiction for a function, judged only by its layer: a quick test before
    /// [`Directory::performs`].
    pub fn may_perform(&self, row: Row, function: Function) -> bool {
        let ruled = self.state_of(row).and_then(|state| self.ruled_state(state));
        let rule = ruled.and_then(|ruled| ruled.file.rules.rule(function));
        rule.is_some_and(|rule| rule.may_name(&self.id_of(row)))
    }

    /// The outcome by which the rules name this jurisdiction, under this id, for a function somewhere in its area.
    /// `None` if they name only others or no body.
    pub fn performs(&self, row: Row, function: Function) -> Option<Outcome> {
        if !self.may_perform(row, function) {
            return None;
        }
        let id = self.id_of(row);
        let rows = std::iter::once(row).chain(self.same_as(row));
        let mut facts = rows.flat_map(|row| self.open_facts(row));
        facts.find_map(|(rules, facts)| outcome_by(rules, &facts, function, &id))
    }

    /// The rules and facts for all scopes in which a jurisdiction may do a job. County subdivisions and places that the
    /// jurisdiction does not determine are [`Part::Open`].
    fn open_facts(&self, row: Row) -> Vec<(&StateRules, ChainFacts<'_>)> {
        let id = self.id_of(row);
        let scopes: Vec<Scope> = match &id {
            JurisdictionId::Census(geoid) if geoid.layer() == Layer::State => {
                let counties = self.counties_of(StateCode::from_fips(geoid.state_fips()));
                counties.map(Scope::open).collect()
            }
            JurisdictionId::Census(geoid) if geoid.layer() == Layer::County => {
                let cousub = self.open_cousub(row, *geoid);
                vec![Scope { cousub, ..Scope::open(row) }]
            }
            _ => self.scope_of(row).into_iter().collect(),
        };
        scopes.into_iter().filter_map(|scope| self.rules_and_facts(scope)).collect()
    }

    /// The rules of a scope's state, and the facts of the scope.
    fn rules_and_facts(&self, scope: Scope) -> Option<(&StateRules, ChainFacts<'_>)> {
        let state = self.ruled_state(self.state_of(scope.county)?)?;
        let past = state.past.held(scope.past);
        Some((&state.file.rules, ChainFacts { past, ..self.facts(scope)? }))
    }

    /// The areas of a scope as facts, without past cases.
    fn facts(&self, scope: Scope) -> Option<ChainFacts<'_>> {
        let part = |part: Part<Row>| match part.map(|row| self.area(row)) {
            Part::In(area) => area.map(Part::In),
            Part::NotAtHand => Some(Part::NotAtHand),
            Part::Open => Some(Part::Open),
            Part::Nowhere => Some(Part::Nowhere),
        };
        Some(ChainFacts {
            county: self.area(scope.county)?,
            cousub: part(scope.cousub)?,
            place: part(scope.place)?,
            listed_here: Some(self.listed_in(scope.county)),
            past: &[],
        })
    }

    /// Of the places that the state's rules list, those that may lie in this county.
    fn listed_in(&self, county: Row) -> &[Geoid] {
        let Some(state) = self.state_of(county) else { return &[] };
        let listed = self.listed_places.get(state).get_or_init(|| self.listed_places(state));
        listed.by_county.get(&county).unwrap_or(&listed.anywhere)
    }

    fn listed_places(&self, state: StateCode) -> ListedPlaces {
        let mut listed = ListedPlaces::default();
        let mut places = self.ruled_state(state).map_or_else(Vec::new, RuledState::listed_places);
        places.sort_unstable();
        places.dedup();
        let mut found: Vec<(Row, Geoid)> = Vec::new();
        for place in places {
            let row = self.row_of(place);
            let mut counties = row.map_or_else(Vec::new, |row| self.counties_of_place(row));
            if counties.is_empty() {
                counties.extend(row.and_then(|row| self.county_around(row)));
            }
            if counties.is_empty() {
                listed.anywhere.push(place);
            }
            found.extend(counties.into_iter().map(|county| (county, place)));
        }
        for (county, place) in found {
            listed.by_county.entry(county).or_insert_with(|| listed.anywhere.clone()).push(place);
        }
        listed
    }

    fn area(&self, row: Row) -> Option<LegalArea<'_>> {
        let view = self.jurisdiction(row);
        let JurisdictionId::Census(geoid) = view.id else { return None };
        Some(LegalArea { geoid, name: view.name, word: view.legal_type, status: view.func_stat })
    }

    /// The state of a jurisdiction; `None` for the country.
    pub fn state_of(&self, row: Row) -> Option<StateCode> {
        self.snapshot
            .jurisdictions()
            .fields(row.number())
            .and_then(|fields| StateCode::from_fips(fields.state()))
    }

    /// The counties of a state, in the order of their ids.
    pub(super) fn counties_of(&self, state: Option<StateCode>) -> impl Iterator<Item = Row> {
        let counties = self.rows_of(Layer::County);
        counties.filter(move |row| self.state_of(*row) == state)
    }

    /// The Census layer of a row; `None` for the country and for districts.
    pub fn layer(&self, row: Row) -> Option<Layer> {
        match self.id_of(row) {
            JurisdictionId::Census(geoid) => Some(geoid.layer()),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        }
    }

    /// The row of a current GEOID; `None` for retired and unknown ones.
    pub fn row_of(&self, geoid: Geoid) -> Option<Row> {
        self.found(&JurisdictionId::Census(geoid))
    }

    /// The row of a current id; `None` for retired and unknown ones.
    pub fn found(&self, id: &JurisdictionId) -> Option<Row> {
        match self.lookup(id) {
            Lookup::Found(row) => Some(row),
            Lookup::Replaced(_) | Lookup::Unknown => None,
        }
    }

    /// The source that a state's rule refers to by its number; `None` if the state has no such source.
    pub fn rule_source(&self, state: StateCode, source: usize) -> Option<SourceRow> {
        self.source_row(*self.ruled_state(state)?.file.sources.get(source)?)
    }
}
