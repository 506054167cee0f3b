//! Joins the outcomes of the rules with offices, sources and pages: which body performs each function.

use std::{iter, sync::Arc};

use super::{
    Answers,
    job_pages::pages,
    offices::{Office, Remarks},
    titles::{office_id, shown_title, with_kind},
};
use crate::{
    directory::{DateRef, Directory, NamedOffice, ResourceView, Row, Scope, SourceRow},
    rules::{Basis, ChainNames, FunctionRule, Outcome, Performer, Reason},
    vocabulary::{Confidence, DatedKind, Function, Level, PageUse, Role, StateCode, Topic, TopicSet},
};

/// Maximum number of the body's own pages that an entry shows; chosen, not measured.
const OWN_PAGES_MAX: usize = 3;

/// The area whose assignments are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Territory {
    /// A part of a county.
    Scope(Scope),
    /// A part of a county on land of an American Indian nation: each office there may be the wrong one.
    TribalLand(Scope),
    /// A part of a county on land that may be federal: zoning and permits may not apply there.
    FederalLand(Scope),
    /// Most of a state; holds the row of the state.
    State(Row),
    /// An area that no rules cover, such as the nation.
    Unruled,
}

impl Territory {
    /// The part of a county; `None` for a state, and for an area that no rules cover.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Territory::Scope(scope) | Territory::TribalLand(scope) | Territory::FederalLand(scope) => {
                Some(scope)
            }
            Territory::State(_) | Territory::Unruled => None,
        }
    }
}

/// The body that performs each function in a territory: one entry per function with a rule, in the contract's order.
#[derive(Clone, Debug, Default)]
pub struct Assignments(Vec<Entry>);

/// A body that performs a function, with its office and pages.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The rules' outcome: function, body id, title, reason. The outcome's own `also` is empty: see [`Entry::also`].
    pub outcome: Outcome,
    /// The body that does the job; `None` where no body does, or the rules cannot settle on one.
    pub body: Option<Row>,
    /// The source that the rule cites.
    pub evidence: Option<SourceRow>,
    /// The office; `None` if the rules name no body or no office.
    pub office: Option<Office>,
    /// Numbers of the pages on the topics of the function, best first.
    pub resources: Vec<usize>,
    /// Dates and amounts that people ask the office for.
    pub dates: Vec<DateRef>,
    /// Exemptions of some owners, such as seniors and veterans, besides the main exemption in `dates`.
    pub relief: Vec<DateRef>,
    /// Further bodies for the same function; their own `also` is empty, and they have no pages.
    pub also: Vec<Entry>,
    /// Number of pages left out because their source is not documented.
    withheld: usize,
}

impl Assignments {
    /// Returns the entry of a function; `None` if the rules have nothing on the function.
    pub fn get(&self, function: Function) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.outcome.function == function)
    }

    /// All entries, in the contract's order of functions.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter()
    }

    /// Sums up the remarks of all entries.
    pub(super) fn remarks(&self) -> Remarks {
        let mut remarks = Remarks::default();
        self.iter().for_each(|entry| remarks.add(entry.remarks()));
        remarks
    }
}

impl Entry {
    /// Iterates over the entry itself, then its further bodies.
    pub fn all(&self) -> impl Iterator<Item = &Entry> {
        iter::once(self).chain(&self.also)
    }

    /// Sums up the remarks of the entry and its further bodies.
    pub(super) fn remarks(&self) -> Remarks {
        let mut remarks = Remarks { withheld: self.withheld, ..Remarks::default() };
        self.all().filter_map(|entry| entry.office.as_ref()).for_each(|office| remarks.add(office.remarks()));
        remarks
    }
}

impl Answers {
    /// Finds the body that performs each function in a territory.
    pub fn assignments(&self, territory: Territory) -> Assignments {
        Assignments(
            Function::ALL.iter().filter_map(|function| self.assignment(territory, *function)).collect(),
        )
    }

    /// Returns the remarks of a territory's assignments, from the cache if possible.
    pub(super) fn remarks(&self, territory: Territory) -> Remarks {
        self.remarks.get(&territory).unwrap_or_else(|| {
            let remarks = self.assignments(territory).remarks();
            self.remarks.insert(territory, remarks);
            remarks
        })
    }

    /// Finds the body that performs one function in a territory; `None` where no rule covers it.
    pub fn assignment(&self, territory: Territory, function: Function) -> Option<Entry> {
        assignment(self.directory(), territory, function)
    }

    /// Finds the body and the office of each function in a territory, without pages, dates and further bodies, as a
    /// column has them. Takes half the time of [`Answers::assignments`] (2026-11-28).
    pub fn performers(&self, territory: Territory) -> Assignments {
        let state = territory.scope().and_then(|scope| self.directory().state_of(scope.county));
        let Some(state) = state else { return Assignments::default() };
        let maker = Maker { directory: self.directory(), state, places: &[], around: &[] };
        let entry = |outcome| maker.entry(Outcome { also: Vec::new(), ..outcome });
        Assignments(self.rule_outcomes(territory).map(entry).collect())
    }

    /// Finds the outcome of each function in a territory, without offices and pages, in the contract's order.
    pub(super) fn outcomes(&self, territory: Territory) -> Vec<Outcome> {
        let whole = |outcome: Outcome| {
            let also = outcome.also.into_iter().map(|further| with_kind(self.directory(), further)).collect();
            with_kind(self.directory(), Outcome { also, ..outcome })
        };
        self.rule_outcomes(territory).map(whole).collect()
    }

    /// The outcomes of a territory with the titles of the rules, under which pages and telephones of offices are kept.
    fn rule_outcomes(&self, territory: Territory) -> impl Iterator<Item = Outcome> {
        let outcome = move |function: &Function| match narrowed(self.directory(), territory, *function)? {
            Territory::Scope(scope) => self.directory().who_does(scope, *function),
            Territory::TribalLand(scope) => Some(less_sure(self.directory().who_does(scope, *function)?)),
            Territory::FederalLand(scope) => Some(less_bound(self.directory().who_does(scope, *function)?)),
            Territory::State(_) | Territory::Unruled => None,
        };
        Function::ALL.iter().filter_map(outcome)
    }

    /// Returns the entry of an outcome that applies only in a part of this body's area.
    pub(super) fn entry_of(&self, body: Row, outcome: Outcome) -> Option<Entry> {
        let state = self.directory().state_of(body)?;
        Some(Maker { directory: self.directory(), state, places: &[], around: &[] }.main_entry(outcome))
    }
}

/// Finds the body that performs one function in a territory; `None` where no rule covers it.
pub fn assignment(directory: &Directory, territory: Territory, function: Function) -> Option<Entry> {
    let entry = match narrowed(directory, territory, function)? {
        Territory::Scope(scope) => in_scope(directory, scope, function),
        Territory::TribalLand(scope) => on_tribal_land(directory, scope, function),
        Territory::FederalLand(scope) => in_scope(directory, scope, function).map(on_federal_land),
        Territory::State(row) => in_state(directory, row, function),
        Territory::Unruled => None,
    }?;
    let is_done = entry.all().any(|entry| entry.outcome.office.is_some());
    // If no office does the job, no day to pay or to appeal applies.
    let of = |kinds: &[DatedKind]| if is_done { dates(directory, territory, kinds) } else { Vec::new() };
    let relief = if function == Function::Exemptions { of(&DatedKind::RELIEF) } else { Vec::new() };
    Some(Entry { dates: of(function.dated_kinds()), relief, ..entry })
}

/// The dates and amounts of these kinds in a territory. Pass the territory before it is narrowed, because a city's
/// dates may differ even if the same body performs the function.
fn dates(directory: &Directory, territory: Territory, kinds: &[DatedKind]) -> Vec<DateRef> {
    match territory {
        Territory::State(row) => {
            directory.state_of(row).map_or_else(Vec::new, |state| directory.dates_of_state(state, kinds))
        }
        _ => territory.scope().map_or_else(Vec::new, |scope| directory.dates_in(scope, kinds)),
    }
}

/// Returns the territory without the parts that cannot change the outcome of the function.
fn narrowed(directory: &Directory, territory: Territory, function: Function) -> Option<Territory> {
    let (scope, same): (Scope, fn(Scope) -> Territory) = match territory {
        Territory::Scope(scope) => (scope, Territory::Scope),
        Territory::TribalLand(scope) => (scope, Territory::TribalLand),
        Territory::FederalLand(scope) => (scope, Territory::FederalLand),
        Territory::State(_) | Territory::Unruled => return Some(territory),
    };
    let state = directory.state_of(scope.county)?;
    Some(same(directory.ruled_state(state)?.narrowed(scope, function)))
}

pub(super) fn is_state(directory: &Directory, row: Row) -> bool {
    directory.state_of(row).and_then(|state| directory.state_row(state)) == Some(row)
}

fn in_scope(directory: &Directory, scope: Scope, function: Function) -> Option<Entry> {
    let mut outcome = directory.who_does(scope, function)?;
    let places = match (&outcome.office, &outcome.body) {
        (Some(_), None) => directory.may_do(scope, function),
        _ => Vec::new(),
    };
    let around = match function {
        Function::Gis => map_places(directory, scope),
        // A county's site often has the search for the values that its towns and cities set.
        Function::Assessment => vec![scope.county],
        _ => Vec::new(),
    };
    let maker =
        Maker { directory, state: directory.state_of(scope.county)?, places: &places, around: &around };
    let also = std::mem::take(&mut outcome.also).into_iter().map(|outcome| maker.entry(outcome)).collect();
    Some(Entry { also, ..maker.main_entry(outcome) })
}

/// The governments whose parcel map covers a scope, the nearest first: the jurisdictions of the scope, then the body
/// that values property. An appraisal district of Texas has the map that its county lacks.
fn map_places(directory: &Directory, scope: Scope) -> Vec<Row> {
    let values = directory.who_does(scope, Function::Assessment).and_then(|outcome| outcome.body);
    scope.rows().chain(values.and_then(|id| directory.found(&id))).collect()
}

/// Lowers confidence on land of a nation, because the state's rules may or may not apply, depending on the parcel's
/// owner. If the rules name no body there, the nation may do the job, and pages of the state would mislead.
fn on_tribal_land(directory: &Directory, scope: Scope, function: Function) -> Option<Entry> {
    let mut main = in_scope(directory, scope, function)?;
    let is_states = |number: &usize| {
        directory.resource(*number).is_some_and(|page| is_state(directory, page.jurisdiction))
    };
    // Further bodies have no pages.
    if main.office.is_none() {
        main.resources.retain(|number| !is_states(number));
    }
    let outcomes = iter::once(&mut main.outcome).chain(main.also.iter_mut().map(|entry| &mut entry.outcome));
    outcomes.for_each(lower);
    Some(main)
}

/// Returns an outcome with the confidence that it has on land of a nation.
fn less_sure(mut outcome: Outcome) -> Outcome {
    outcome.also.iter_mut().for_each(lower);
    lower(&mut outcome);
    outcome
}

fn lower(outcome: &mut Outcome) {
    outcome.confidence = outcome.confidence.min(Confidence::Medium);
}

fn on_federal_land(entry: Entry) -> Entry {
    Entry { outcome: less_bound(entry.outcome), ..entry }
}

/// Lowers confidence of zoning and permits, which do not bind the federal government on its own land.
fn less_bound(mut outcome: Outcome) -> Outcome {
    if matches!(outcome.function, Function::Zoning | Function::Permits) {
        lower(&mut outcome);
    }
    outcome
}

/// Finds the usual title in a state; names a body only where the rules settle on the state itself.
fn in_state(directory: &Directory, state_row: Row, function: Function) -> Option<Entry> {
    let state = directory.state_of(state_row)?;
    let rule = directory.ruled_state(state)?.file.rules.rule(function)?;
    Some(Maker { directory, state, places: &[state_row], around: &[] }.state_entry(state_row, rule))
}

/// Makes the entries of one function.
struct Maker<'d> {
    directory: &'d Directory,
    state: StateCode,
    /// Governments that may do the job. Their pages are searched if no body is named.
    places: &'d [Row],
    /// Other governments whose pages for the job hold here as well.
    around: &'d [Row],
}

impl Maker<'_> {
    fn main_entry(&self, outcome: Outcome) -> Entry {
        let entry = self.entry(outcome);
        if entry.outcome.office.is_none() {
            // No office does the job, so a page on it would mislead.
            return entry;
        }
        self.with_pages(entry)
    }

    /// Makes an entry without pages. Most pages of a further body belong to another office.
    fn entry(&self, outcome: Outcome) -> Entry {
        let body = outcome.body.as_ref().and_then(|id| self.directory.found(id));
        let office = body.zip(outcome.office.as_deref());
        let office = office.map(|(row, title)| self.office(row, title, outcome.function));
        let evidence = self.directory.rule_source(self.state, outcome.source);
        let title = office.as_ref().map(|office| office.title.clone()).or(outcome.office);
        Entry {
            outcome: Outcome { office: title, ..outcome },
            body,
            evidence,
            office,
            resources: Vec::new(),
            dates: Vec::new(),
            relief: Vec::new(),
            also: Vec::new(),
            withheld: 0,
        }
    }

    fn state_entry(&self, state_row: Row, rule: &FunctionRule) -> Entry {
        let id = self.directory.id_of(state_row);
        let last = rule.cases.last();
        // The last case may name the state only for land without another government. So the rule's usual level must
        // also be the state.
        let by_state = last.filter(|case| {
            let is_state = case.by == Performer::State || case.by == Performer::Body(id.clone());
            rule.level == Some(Level::State) && is_state && case.confidence > Confidence::Low
        });
        let title = by_state.and_then(|case| case.office.as_deref()).unwrap_or(&rule.office);
        let reason =
            Reason::InGeneral { place_words: rule.place_words.clone(), summary: rule.summary.clone() };
        let names = ChainNames::of_state(self.state);
        self.with_pages(self.entry(Outcome {
            function: rule.function,
            body: by_state.map(|_| id),
            office: Some(title.to_owned()),
            role: Role::Primary,
            levy_scope: None,
            basis: Basis { reason, names: Arc::new(names) },
            statute: None,
            source: last.map_or(usize::MAX, |case| case.source),
            confidence: last.map_or(Confidence::Low, |case| case.confidence),
            also: Vec::new(),
        }))
    }

    fn office(&self, body: Row, title: &str, function: Function) -> Office {
        let NamedOffice { functions, site, is_past } = self.directory.office_named(body, title, function);
        let id = office_id(self.directory, body, title);
        Office { id, body, title: shown_title(self.directory, body, title), functions, site, is_past }
    }

    /// Adds the pages of the body, best first. If no body is named, adds pages of the governments that may do the job,
    /// or else of the state.
    ///
    /// A page of another government comes first if only that page lets people do the task. Examples are the deed index
    /// of a state and the parcel map of a county. The main site is left out where an office is named, since the office
    /// has it already. Laws are left out because the evidence cites them, and raw data because no browser shows it.
    fn with_pages(&self, entry: Entry) -> Entry {
        let (directory, office, function) = (self.directory, entry.office.as_ref(), entry.outcome.function);
        let own: Vec<Row> = office.map_or(self.places.to_vec(), |office| vec![office.body]);
        let mut found = pages(directory, &own, function, office.is_some());
        found.truncate(own_pages_max(office, function));
        let state = directory.state_row(self.state).filter(|row| !own.contains(row));
        if found.is_empty() && (office.is_none() || function == Function::Gis) {
            let is_map =
                |view: &ResourceView<'_>| view.topics.has(Topic::ParcelMap) || function != Function::Gis;
            let fit = |view: &ResourceView<'_>| {
                view.page_use == PageUse::Act
                    && Function::served_first_by(view.topics) == Some(function)
                    && is_map(view)
            };
            found.extend(pages(directory, state.as_slice(), function, false).into_iter().find(fit));
        }
        let borrowed = self.borrowed(function, &found, state);
        if let Some(page) = borrowed.filter(|page| found.iter().all(|view| view.number != page.number)) {
            found.insert(0, page);
        }
        let topics: TopicSet = function.topics().iter().copied().collect();
        let places: Vec<Row> = own.into_iter().chain(state).collect();
        let withheld = directory.withheld(&places, topics, [function].into_iter().collect());
        Entry { resources: found.into_iter().map(|view| view.number).collect(), withheld, ..entry }
    }
}

impl<'d> Maker<'d> {
    /// Finds a page of a surrounding government or of the state for the first action of the function that any page has.
    /// `None` if a page of the body has that action already.
    fn borrowed(
        &self,
        function: Function,
        own: &[ResourceView<'_>],
        state: Option<Row>,
    ) -> Option<ResourceView<'d>> {
        let others: Vec<Row> = self.around.iter().copied().chain(state).collect();
        for action in function.actions() {
            if own.iter().any(|view| view.actions.has(*action) && !view.is_broken()) {
                return None;
            }
            let page = self.directory.page_for_action(&others, *action);
            if page.is_some() {
                return page;
            }
        }
        None
    }
}

/// Returns how many of the body's pages are shown. For exemptions it is one page if the same office does assessment,
/// else none.
fn own_pages_max(office: Option<&Office>, function: Function) -> usize {
    let also_values = office.is_some_and(|office| office.functions.has(Function::Assessment));
    if function == Function::Exemptions { usize::from(also_values) } else { OWN_PAGES_MAX }
}

/// Returns bodies outside the chain that perform a function of a topic here, such as an appraisal district.
pub(super) fn bodies_outside(directory: &Directory, scope: Scope, topic: Topic, inside: &[Row]) -> Vec<Row> {
    let bodies = topic.functions().iter().filter_map(|function| {
        let body = directory.who_does(scope, *function)?.body?;
        directory.found(&body)
    });
    bodies.filter(|row| !inside.contains(row)).collect()
}
