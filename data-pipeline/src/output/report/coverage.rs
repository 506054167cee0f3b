//! Counts, by state, how much of the directory a snapshot fills, as answers would show it.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    directory::{Directory, Row, Scope, SourceRow},
    vocabulary::{Function, Layer, StateCode, Topic, TopicSet, UrlScope, is_same_page},
};

/// The layers whose areas govern below the state.
pub(super) const LAYERS: [Layer; 3] = [Layer::County, Layer::Place, Layer::Cousub];

/// Topics whose pages are maps.
const MAPS: [Topic; 2] = [Topic::ParcelMap, Topic::CountyGis];

/// First FIPS code of the territories (American Samoa): the codes of states end at 56.
const TERRITORIES_FROM: u8 = 60;

/// Numbers of governments of a layer by what is known of their office for one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Served {
    /// Number of governments for which the rules name a body.
    pub(super) body: u32,
    /// Number of these governments whose office has a page of its own.
    pub(super) own_page: u32,
    /// Number of these governments for which only the body's main site is known.
    pub(super) main_site: u32,
}

/// The counts of a layer within a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LayerCount {
    /// Number of areas in the layer.
    pub(super) areas: u32,
    /// Number of areas with an official website, under their own id or that of the same government.
    pub(super) sites: u32,
    /// Number of areas in `served`: all counties, and the places and subdivisions that act as governments.
    pub(super) governing: u32,
    /// Offices by function, in the order of [`Function::ALL`].
    pub(super) served: [Served; Function::ALL.len()],
}

/// The counts of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StateCount {
    /// Number of functions whose every case has a source with an address.
    pub(super) functions_with_evidence: u32,
    /// Counts by layer, in the order of [`LAYERS`].
    pub(super) layers: [LayerCount; 3],
    /// Resources of all bodies of the state by topic, without main sites.
    pub(super) resources: [u32; Topic::COUNT],
    /// Number of resources that are main sites.
    pub(super) main_sites: u32,
    /// Number of resources of all bodies of the state, including main sites.
    pub(super) all_resources: u32,
    /// Number of resources of the state itself.
    pub(super) own_resources: u32,
    /// Number of counties with a parcel map or a map site other than their main site.
    pub(super) counties_with_maps: u32,
}

/// One job of one government, for the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The government for whose area the job is done.
    pub(super) row: Row,
    /// The function of the job.
    pub(super) function: Function,
    /// The body that the rules name; `None` without a rule.
    pub(super) body: Option<Row>,
    /// Title of the office; `None` without a rule.
    pub(super) office: Option<String>,
    /// Address of the office's page, and whether it is only the main site of the body.
    pub(super) page: Option<(String, bool)>,
}

/// The counts of all states, and the list of jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Coverage {
    /// Counts by state, in the order of FIPS codes.
    pub(super) states: BTreeMap<StateCode, StateCount>,
    /// Number of national resources by topic.
    pub(super) national: [u32; Topic::COUNT],
    /// Number of topics that have a guide.
    pub(super) guides: u32,
    /// Each job of each government in `served`.
    pub(super) jobs: Vec<Job>,
}

impl StateCount {
    fn add(&mut self, other: &StateCount) {
        self.functions_with_evidence += other.functions_with_evidence;
        for (all, one) in self.layers.iter_mut().zip(&other.layers) {
            all.areas += one.areas;
            all.sites += one.sites;
            all.governing += one.governing;
            for (all, one) in all.served.iter_mut().zip(&one.served) {
                all.body += one.body;
                all.own_page += one.own_page;
                all.main_site += one.main_site;
            }
        }
        self.resources.iter_mut().zip(&other.resources).for_each(|(all, one)| *all += one);
        self.main_sites += other.main_sites;
        self.all_resources += other.all_resources;
        self.own_resources += other.own_resources;
        self.counties_with_maps += other.counties_with_maps;
    }
}

impl Coverage {
    /// Counts everything in a directory.
    pub(super) fn of(directory: &Directory) -> Coverage {
        let mut coverage = Coverage {
            guides: directory.guides().iter().map(|guide| guide.topic).collect::<BTreeSet<_>>().len() as u32,
            ..Coverage::default()
        };
        for state in StateCode::all() {
            let count = StateCount {
                functions_with_evidence: functions_with_evidence(directory, state),
                ..StateCount::default()
            };
            coverage.states.insert(state, count);
        }
        for (at, layer) in LAYERS.into_iter().enumerate() {
            for row in directory.rows_of(layer) {
                coverage.add_area(directory, at, row);
            }
        }
        coverage.add_resources(directory);
        coverage
    }

    /// The sum of the states and DC, and of the territories if wanted.
    pub(super) fn sum(&self, with_territories: bool) -> StateCount {
        let mut sum = StateCount::default();
        let wanted = |state: &&StateCode| with_territories || state.fips() < TERRITORIES_FROM;
        self.states.keys().filter(wanted).for_each(|state| sum.add(&self.states[state]));
        sum
    }

    fn add_area(&mut self, directory: &Directory, layer: usize, row: Row) {
        let Some(state) = directory.state_of(row) else { return };
        let count = self.states.entry(state).or_default();
        let of_layer = &mut count.layers[layer];
        of_layer.areas += 1;
        of_layer.sites += u32::from(main_site(directory, row).is_some());
        if LAYERS[layer] == Layer::County {
            count.counties_with_maps += u32::from(has_map(directory, row));
        } else if !directory.governs(row) {
            return;
        }
        of_layer.governing += 1;
        let scope = directory.scope_of(row);
        for (at, function) in Function::ALL.into_iter().enumerate() {
            let job = job(directory, row, scope, function);
            let served = &mut of_layer.served[at];
            served.body += u32::from(job.body.is_some());
            match &job.page {
                Some((_, false)) => served.own_page += 1,
                Some((_, true)) => served.main_site += 1,
                None => {}
            }
            self.jobs.push(job);
        }
    }

    fn add_resources(&mut self, directory: &Directory) {
        let country = directory.country_row();
        for view in (0..directory.resource_count()).filter_map(|number| directory.resource(number)) {
            let own = view.jurisdiction;
            if Some(own) == country {
                count_topics(&mut self.national, view.topics);
                continue;
            }
            let Some(state) = directory.state_of(own) else { continue };
            let count = self.states.entry(state).or_default();
            count.all_resources += 1;
            count.own_resources += u32::from(directory.state_row(state) == Some(own));
            if is_main_site(directory, own, view.url) {
                count.main_sites += 1;
            } else {
                count_topics(&mut count.resources, view.topics);
            }
        }
    }
}

fn count_topics(counts: &mut [u32; Topic::COUNT], topics: TopicSet) {
    topics.iter().for_each(|topic| counts[topic as usize] += 1);
}

/// The number of functions whose every case names a source that has an address.
fn functions_with_evidence(directory: &Directory, state: StateCode) -> u32 {
    let Some(ruled) = directory.ruled_state(state) else { return 0 };
    let has_address = |source: usize| {
        let row: Option<SourceRow> = directory.rule_source(state, source);
        row.is_some_and(|row| !directory.source(row).url.is_empty())
    };
    let rules = ruled.file.rules.functions.iter();
    let evident = rules.filter(|rule| {
        !rule.cases.is_empty() && rule.cases.iter().chain(&rule.also).all(|case| has_address(case.source))
    });
    evident.count() as u32
}

fn job(directory: &Directory, row: Row, scope: Option<Scope>, function: Function) -> Job {
    let outcome = scope.and_then(|scope| directory.who_does(scope, function));
    let body = outcome.as_ref().and_then(|outcome| directory.found(outcome.body.as_ref()?));
    let office = outcome.and_then(|outcome| outcome.office);
    let page = body.zip(office.as_deref()).and_then(|(body, title)| {
        let site = directory.shown_site(directory.office_named(body, title, function).site)?;
        Some((site.url?.to_owned(), site.scope == UrlScope::Government))
    });
    Job { row, function, body, office, page }
}

fn main_site(directory: &Directory, row: Row) -> Option<&str> {
    directory.main_site_of(row).and_then(|site| site.url)
}

/// Whether the address is the government's main site.
fn is_main_site(directory: &Directory, row: Row, url: &str) -> bool {
    main_site(directory, row).is_some_and(|main| is_same_page(main, url))
}

fn has_map(directory: &Directory, county: Row) -> bool {
    let maps: TopicSet = MAPS.into_iter().collect();
    let own = directory.own_resources(county);
    own.iter().any(|view| view.topics.meets(maps) && !is_main_site(directory, county, view.url))
}
