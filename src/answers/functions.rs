//! Who does each job, as ready-made entries that answers share.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};

use super::Answers;
use crate::{
    directory::{Directory, Row, Scope, SourceRow},
    rules::{FunctionRule, Outcome, Performer},
    vocabulary::{
        Confidence, Function, FunctionSet, Level, RecordId, Role, StateCode, Topic, TopicSet, bare_url,
        office_key,
    },
    wire::{
        Folder, FunctionEntry, Functions, Office, PageUrl, Ready, ReadyEntry, ReadyFunctions, Resource,
        Shared, UrlScope,
    },
};

/// Bytes kept of single entries, and of all entries of a scope together: the latter are what most answers need, the
/// former make new ones.
const ENTRY_BYTES_MAX: u64 = 32 << 20;
const SCOPE_BYTES_MAX: u64 = 64 << 20;
/// Bytes of a usual entry, and of a usual scope.
const ENTRY_BYTES: u64 = 2 << 10;
const SCOPE_BYTES: u64 = 14 << 10;
/// Bytes of a key and what stands around a piece.
const PIECE_BYTES: u64 = 256;
/// Resources shown with an entry: of the body itself, and of its state.
const OWN_RESOURCES_MAX: usize = 3;
const STATE_RESOURCES_MAX: usize = 2;

/// Who does what, as it was asked for lately. Within bounds of bytes, whatever is asked.
pub(super) struct JobsCache {
    entries: Cache<(Function, Scope), Arc<Piece<ReadyEntry>>, ByBytes>,
    scopes: Cache<Scope, Arc<Piece<ReadyFunctions>>, ByBytes>,
}

#[derive(Clone)]
struct ByBytes;

impl<K, T: ?Sized> Weighter<K, Arc<Piece<Shared<T>>>> for ByBytes {
    fn weight(&self, _: &K, piece: &Arc<Piece<Shared<T>>>) -> u64 {
        piece.shape.len() as u64 + PIECE_BYTES
    }
}

impl JobsCache {
    pub(super) fn new() -> JobsCache {
        let count = |all: u64, one: u64| (all / one) as usize;
        JobsCache {
            entries: Cache::with_weighter(count(ENTRY_BYTES_MAX, ENTRY_BYTES), ENTRY_BYTES_MAX, ByBytes),
            scopes: Cache::with_weighter(count(SCOPE_BYTES_MAX, SCOPE_BYTES), SCOPE_BYTES_MAX, ByBytes),
        }
    }
}

impl std::fmt::Debug for JobsCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("JobsCache").field(&self.entries.len()).field(&self.scopes.len()).finish()
    }
}

/// A ready-made part of an answer, and what the answer must say besides.
#[derive(Debug)]
pub(super) struct Piece<S> {
    pub(super) shape: S,
    pub(super) remarks: Remarks,
}

/// What an answer says of the records in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    /// Sources in order of first use.
    pub(super) sources: Vec<SourceRow>,
    /// Records left out.
    pub(super) withheld: usize,
    /// Whether a main site stands in for the page of an office.
    pub(super) main_site: bool,
}

impl Remarks {
    /// Adds a source once.
    pub(super) fn source(&mut self, row: SourceRow) {
        if !self.sources.contains(&row) {
            self.sources.push(row);
        }
    }

    /// Adds those of a part of the answer.
    pub(super) fn add(&mut self, other: &Remarks) {
        other.sources.iter().for_each(|row| self.source(*row));
        self.withheld += other.withheld;
        self.main_site |= other.main_site;
    }
}

/// Who does each job within a scope.
pub(super) fn functions(answers: &Answers, scope: Scope) -> Arc<Piece<ReadyFunctions>> {
    answers.jobs.scopes.get(&scope).unwrap_or_else(|| {
        let made = Arc::new(all_entries(answers, scope));
        answers.jobs.scopes.insert(scope, made.clone());
        made
    })
}

fn all_entries(answers: &Answers, scope: Scope) -> Piece<ReadyFunctions> {
    let mut remarks = Remarks::default();
    let entries = Functions::of(|function| one_function(answers, scope, function, &mut remarks));
    Piece { shape: Shared::of(&entries), remarks }
}

/// Who does one job within a scope.
pub(super) fn one_function(
    answers: &Answers,
    scope: Scope,
    function: Function,
    remarks: &mut Remarks,
) -> Option<ReadyEntry> {
    let piece = entry(answers, scope, function)?;
    remarks.add(&piece.remarks);
    Some(piece.shape.clone())
}

fn entry(answers: &Answers, scope: Scope, function: Function) -> Option<Arc<Piece<ReadyEntry>>> {
    let state = answers.directory.ruled_state(answers.directory.state_of(scope.county)?)?;
    let key = (function, state.narrowed(scope, function));
    if let Some(known) = answers.jobs.entries.get(&key) {
        return Some(known);
    }
    let made = Arc::new(make(answers, key.1, function)?);
    answers.jobs.entries.insert(key, made.clone());
    Some(made)
}

fn make(answers: &Answers, scope: Scope, function: Function) -> Option<Piece<ReadyEntry>> {
    let outcome = answers.directory.who_does(scope, function)?;
    let chain: Vec<Row> = scope.rows().collect();
    let state = answers.directory.state_of(scope.county)?;
    let mut maker = Maker { answers, state, chain: &chain, remarks: Remarks::default() };
    let worded: Vec<Worded<'_>> = outcome.also.iter().map(Worded::of).collect();
    let main = Worded::of(&outcome);
    let mut shape = maker.entry(&main);
    shape.also = worded.iter().map(|also| maker.entry(also)).collect();
    Some(Piece { shape: Shared::of(&shape), remarks: maker.remarks })
}

/// An outcome with its reason in full.
struct Worded<'o> {
    outcome: &'o Outcome,
    basis: String,
}

impl<'o> Worded<'o> {
    fn of(outcome: &'o Outcome) -> Worded<'o> {
        let stop = |law: &str| if law.ends_with('.') { "" } else { "." };
        let law = outcome.statute.as_deref().map_or(String::new(), |law| format!(" Law: {law}{}", stop(law)));
        Worded { outcome, basis: format!("{}{law}", outcome.basis) }
    }
}

/// Makes the entries of one chain.
struct Maker<'a, 'c> {
    answers: &'a Answers,
    state: StateCode,
    /// Place, county subdivision, county: where to look where no body is named.
    chain: &'c [Row],
    remarks: Remarks,
}

impl<'a> Maker<'a, '_> {
    fn entry<'e>(&mut self, worded: &'e Worded<'_>) -> FunctionEntry<'e>
    where
        'a: 'e,
    {
        let (directory, outcome) = (&self.answers.directory, worded.outcome);
        let body = outcome.body.as_ref().and_then(|id| directory.found(id));
        let evidence = directory.rule_source(self.state, outcome.source);
        evidence.into_iter().for_each(|row| self.remarks.source(row));
        let title = outcome.office.as_deref();
        let office = body.zip(title).map(|(row, title)| self.office(row, title, outcome.function));
        FunctionEntry {
            function: outcome.function,
            jurisdiction_id: outcome.body.clone(),
            office_name: title,
            office,
            resources: self.resources(body, outcome.function),
            role: Some(outcome.role),
            levy_scope: outcome.levy_scope,
            basis: Some(&worded.basis),
            evidence_url: evidence.map(|row| directory.source(row).url),
            confidence: Some(outcome.confidence),
            also: Vec::new(),
        }
    }

    fn office<'e>(&mut self, body: Row, title: &'e str, function: Function) -> Office<'e>
    where
        'a: 'e,
    {
        let functions = self.answers.directory.functions_of(body, title, function);
        office(self.answers, body, title, functions, &mut self.remarks)
    }

    /// Of the body and its state; of the whole chain where no body is named. Laws stay out: `evidence_url` cites them.
    /// Exemptions have the pages of assessment.
    fn resources(&mut self, body: Option<Row>, function: Function) -> Vec<&'a Ready<Resource<'static>>> {
        if function == Function::Exemptions {
            return Vec::new();
        }
        let directory = &self.answers.directory;
        let own: Vec<Row> = body.map_or(self.chain.to_vec(), |body| vec![body]);
        let state: Vec<Row> =
            directory.state_row(self.state).into_iter().filter(|row| !own.contains(row)).collect();
        let best = |places: &[Row], most: usize| {
            let found = directory.resources_for_function(places, function).into_iter();
            found.filter(|view| !view.law).take(most).collect::<Vec<_>>()
        };
        let mut found = best(&own, OWN_RESOURCES_MAX);
        let known: Vec<String> = found.iter().map(|view| bare_url(view.url)).collect();
        let of_state = best(&state, STATE_RESOURCES_MAX).into_iter();
        found.extend(of_state.filter(|view| !known.contains(&bare_url(view.url))));
        let fit = |topics: TopicSet| function.topics().iter().position(|topic| topics.has(*topic));
        found.sort_by_key(|view| fit(view.topics));
        let topics: TopicSet = function.topics().iter().copied().collect();
        let places: Vec<Row> = own.iter().chain(&state).copied().collect();
        self.remarks.withheld += directory.withheld(&places, topics, [function].into_iter().collect());
        found
            .into_iter()
            .map(|view| {
                self.remarks.source(view.source);
                self.answers.resource_piece(view.number)
            })
            .collect()
    }
}

/// An office: its own page where that is on record, else the main site of its government.
pub(super) fn office<'e>(
    answers: &'e Answers,
    body: Row,
    title: &'e str,
    functions: FunctionSet,
    remarks: &mut Remarks,
) -> Office<'e> {
    let directory = &answers.directory;
    let id = directory.jurisdiction(body).id;
    let office_id = RecordId::of(&office_key(&id, title));
    let site = directory.site_of_office(body, functions);
    let with_url = site.filter(|site| site.url.is_some());
    if let Some(site) = &site {
        remarks.source(site.source);
        remarks.main_site |= site.is_main;
    }
    let own_site = site.filter(|site| !site.is_main);
    let words: Vec<&str> = functions.iter().map(Function::as_str).collect();
    Office {
        office_id: office_id.text(Folder::Offices.prefix()),
        name: title,
        kind: Some(words.join(", ")),
        page_url: PageUrl::Record { site: answers.site(), folder: Folder::Offices, id: office_id },
        jurisdiction_id: id,
        phone: own_site.and_then(|site| site.phone),
        email: own_site.and_then(|site| site.email),
        url: site.and_then(|site| site.url),
        url_scope: with_url.map(|site| if site.is_main { UrlScope::Government } else { UrlScope::Office }),
        address: own_site.and_then(|site| site.address),
        person: (),
        verified_status: with_url.map(|site| site.status),
        verified_at: None,
    }
}

/// Who does each job in most of a state: titles, and a body only where the rules settle on the state itself.
pub(super) fn state_functions(answers: &Answers, state_row: Row, remarks: &mut Remarks) -> ReadyFunctions {
    let state = answers.directory.state_of(state_row);
    let ruled = state.and_then(|state| answers.directory.ruled_state(state));
    let entries = Functions::of(|function| {
        let rule = ruled?.file.rules.rule(function)?;
        Some(state_entry(answers, state?, state_row, rule, remarks))
    });
    Shared::of(&entries)
}

fn state_entry(
    answers: &Answers,
    state: StateCode,
    state_row: Row,
    rule: &FunctionRule,
    remarks: &mut Remarks,
) -> ReadyEntry {
    let directory = &answers.directory;
    let id = directory.jurisdiction(state_row).id;
    let last = rule.cases.last();
    // A last case may be the state's only for land that nobody else governs: then the level in general is another.
    let by_state = last.filter(|case| {
        let is_state = case.by == Performer::State || case.by == Performer::Body(id.clone());
        rule.level == Some(Level::State) && is_state && case.confidence > Confidence::Low
    });
    let title = by_state.and_then(|case| case.office.as_deref()).unwrap_or(&rule.office);
    let mut maker = Maker { answers, state, chain: &[state_row], remarks: Remarks::default() };
    let evidence = last.and_then(|case| directory.rule_source(state, case.source));
    evidence.into_iter().for_each(|row| maker.remarks.source(row));
    let basis = format!("In {}: {}. {}", state.name(), rule.place_words, rule.summary.join(" "));
    let shape = FunctionEntry {
        function: rule.function,
        jurisdiction_id: by_state.map(|_| id),
        office_name: Some(title),
        office: by_state.map(|_| maker.office(state_row, title, rule.function)),
        resources: maker.resources(None, rule.function),
        role: Some(Role::Primary),
        levy_scope: None,
        basis: Some(&basis),
        evidence_url: evidence.map(|row| directory.source(row).url),
        confidence: last.map_or(Some(Confidence::Low), |case| Some(case.confidence)),
        also: Vec::new(),
    };
    remarks.add(&maker.remarks);
    Shared::of(&shape)
}

/// Bodies outside the chain that do the job of a topic here, such as an appraisal district.
pub(super) fn bodies_outside(directory: &Directory, scope: Scope, topic: Topic, inside: &[Row]) -> Vec<Row> {
    let bodies = topic.functions().iter().filter_map(|function| {
        let body = directory.who_does(scope, *function)?.body?;
        directory.found(&body)
    });
    bodies.filter(|row| !inside.contains(row)).collect()
}
