//! Counts the people who find a telephone of the office that does a job for them, by the origin and age of the
//! number.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use platbook::{
    directory::{ContactOrigin, Directory, Row},
    vocabulary::{Function, Layer, Share, StateCode, UrlScope},
};

use super::{
    people,
    table::{Rows, Table},
};

/// The jobs that each county, town or city does for all its land.
const JOBS: [Function; 3] = [Function::Assessment, Function::TaxCollection, Function::Recording];

/// The jobs that are counted for cities.
const CITY_JOBS: [Function; 2] = [Function::Zoning, Function::Permits];

/// Number of cities that are counted, the largest first.
const CITIES: usize = 1_000;

/// Counts for one job, in one state or in all states.
#[derive(Clone, Debug, Default)]
struct Reached {
    people: u64,
    /// People with a telephone of the office.
    by_office: u64,
    /// People with only the main line of the government.
    by_main_line: u64,
    sources: BTreeSet<usize>,
    years: BTreeSet<u16>,
}

impl Reached {
    fn add(&mut self, people: u64, found: Option<&ContactOrigin<'_>>) {
        self.people += people;
        let Some(origin) = found else { return };
        match origin.scope {
            UrlScope::Office => self.by_office += people,
            UrlScope::Government => self.by_main_line += people,
        }
        self.sources.insert(origin.source.index());
        self.years.extend(origin.year);
    }

    fn row(&self, state: &str, job: Function) -> Vec<String> {
        let share = |part: u64| Share::new(part, self.people).to_string();
        vec![
            state.to_owned(),
            job.as_str().to_owned(),
            (self.people / 1_000).to_string(),
            share(self.by_office + self.by_main_line),
            share(self.by_office),
            self.sources.len().to_string(),
            years(&self.years),
        ]
    }
}

fn years(years: &BTreeSet<u16>) -> String {
    match (years.first(), years.last()) {
        (Some(first), Some(last)) if first < last => format!("{first}-{last}"),
        (Some(only), _) => only.to_string(),
        _ => "-".to_owned(),
    }
}

/// The tables: people by state and job, the largest cities, and where telephones are from.
pub(super) fn tables(directory: &Directory) -> Vec<Table> {
    vec![
        Table::new("People whose office can be called, by state and job", by_state(directory)).with_note(
            "people in thousands, of 2019, each by place, town or rest of a county; any %: of the office or the main line of its \
             government, rounded down; years of texts that have a date"
                .to_owned(),
        ),
        Table::new(format!("The {CITIES} largest cities: zoning or permits office can be called"), cities(directory)),
        Table::new("Telephones by source", sources(directory)),
    ]
}

fn by_state(directory: &Directory) -> Rows {
    let heading = ["state", "job", "people", "any %", "office %", "sources", "years"];
    let mut states: BTreeMap<(StateCode, usize), Reached> = BTreeMap::new();
    let mut all: [Reached; JOBS.len()] = Default::default();
    for (row, people) in people::people(directory) {
        let Some(state) = directory.state_of(row) else { continue };
        for (at, job) in JOBS.into_iter().enumerate() {
            let found = called(directory, row, job);
            states.entry((state, at)).or_default().add(people.into(), found.as_ref());
            all[at].add(people.into(), found.as_ref());
        }
    }
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    table.extend(all.iter().zip(JOBS).map(|(reached, job)| reached.row("all", job)));
    table.extend(states.iter().map(|((state, at), reached)| reached.row(state.usps(), JOBS[*at])));
    table
}

/// The origin of the telephone of the office that does a job in an area; `None` without a telephone.
fn called<'d>(directory: &'d Directory, row: Row, job: Function) -> Option<ContactOrigin<'d>> {
    let outcome = directory.who_does(directory.scope_of(row)?, job)?;
    let body = directory.found(outcome.body.as_ref()?)?;
    let office = directory.office_named(body, outcome.office.as_deref()?, job);
    let shown = directory.shown_site(office.site)?;
    shown.origin.filter(|_| shown.phone.is_some())
}

fn cities(directory: &Directory) -> Rows {
    let mut largest: Vec<Row> = directory.rows_of(Layer::Place).collect();
    largest.sort_by_key(|row| Reverse(directory.jurisdiction(*row).population));
    largest.truncate(CITIES);
    let mut counts = [0u32; CITY_JOBS.len() + 1];
    let mut of_office = counts;
    for city in largest {
        let found = CITY_JOBS.map(|job| called(directory, city, job).map(|origin| origin.scope));
        for (at, scope) in found.iter().enumerate() {
            counts[at] += u32::from(scope.is_some());
            of_office[at] += u32::from(*scope == Some(UrlScope::Office));
        }
        counts[2] += u32::from(found.iter().any(Option::is_some));
        of_office[2] += u32::from(found.contains(&Some(UrlScope::Office)));
    }
    let mut table = vec![["job", "any", "office"].map(str::to_owned).to_vec()];
    let names = CITY_JOBS.map(Function::as_str).into_iter().chain(["one of the two"]);
    table.extend(
        names
            .zip(counts.iter().zip(of_office))
            .map(|(name, (any, office))| vec![name.to_owned(), any.to_string(), office.to_string()]),
    );
    table
}

/// A line for each published list, and one for all pages that were read one by one.
fn sources(directory: &Directory) -> Rows {
    let mut lists: BTreeMap<String, (u32, BTreeSet<u16>)> = BTreeMap::new();
    let records = &directory.snapshot().meta().sources;
    let contacts = directory.snapshot().contacts();
    for contact in contacts.into_iter().flat_map(|contacts| contacts.rows()) {
        let list = records.get(usize::from(contact.source())).filter(|source| !source.digest.is_empty());
        let name = list.map_or("Pages that were read one by one", |source| &*source.name);
        let (count, years) = lists.entry(name.to_owned()).or_default();
        *count += 1;
        years.extend(contact.year());
    }
    let mut table = vec![["source", "contacts", "years"].map(str::to_owned).to_vec()];
    table.extend(lists.into_iter().map(|(name, (count, of))| vec![name, count.to_string(), years(&of)]));
    table
}
