//! Writes the content of a snapshot as text that is committed and reviewed: the same snapshot gives the same
//! text.

use std::fmt::{self, Write as _};

use platbook::{
    directory::Directory,
    vocabulary::{Function, Layer, Topic},
};

use serde::Serialize;

use super::{
    census_list::CensusList,
    coverage::{Coverage, Job, LAYERS, StateCount},
    figures, known, lines, phones,
    table::{Rows, Table},
};

/// Number of resources that a state should have of its own: a target of the project.
const OWN_RESOURCES_MIN: u32 = 10;

/// Headings of topics in the order of [`Topic::all`], at most five letters wide.
const TOPIC_HEADINGS: [&str; Topic::COUNT] = [
    "parcl", "gis", "asses", "pay", "tax", "deeds", "plats", "zoning", "permt", "septc", "wetld", "flood",
    "soils", "elev", "roads", "publd", "genrl", "appls", "exmpt",
];

/// Plural names of the areas of [`LAYERS`].
const LAYER_WORDS: [&str; 3] = ["counties", "places", "subdivisions"];

/// The content of a snapshot: figures, and tables by state.
#[derive(Debug, Serialize)]
pub struct Holdings {
    digest: String,
    as_of: String,
    bytes: u64,
    source_vertices: u64,
    stored_vertices: u64,
    tables: Vec<Table>,
}

impl Holdings {
    /// Counts the content of a snapshot, and measures it against a Census list if there is one.
    pub fn of(directory: &Directory, list: Option<&CensusList>) -> Holdings {
        let meta = directory.snapshot().meta();
        Holdings {
            digest: directory.snapshot_id().to_string(),
            as_of: directory.as_of().to_owned(),
            bytes: directory.snapshot().bytes().len() as u64,
            source_vertices: meta.source_vertices(),
            stored_vertices: meta.stored_vertices(),
            tables: tables(directory, list),
        }
    }
}

impl fmt::Display for Holdings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holdings { digest, as_of, bytes, source_vertices, stored_vertices, tables } = self;
        write!(f, "digest {digest}\nas of {as_of}\nbytes {bytes}\n")?;
        write!(f, "source vertices {source_vertices}\nstored vertices {stored_vertices}\n")?;
        tables.iter().try_for_each(|table| table.fmt(f))
    }
}

fn tables(directory: &Directory, list: Option<&CensusList>) -> Vec<Table> {
    let (coverage, figures) = (Coverage::of(directory), figures::figures(directory));
    let mut tables = vec![
        Table::new("Areas", areas(directory)),
        Table::new(
            "Lines: points that find their own unit, land in several units, and enclosed land in none",
            lines::lines(directory, &figures),
        ),
        Table::without_heading("Left out, by reason", left_out(directory)),
        Table::new("Against the targets", targets(&coverage)),
        Table::new(
            "By state: functions of 7 that name a source; official websites; counties with a map; resources",
            states(&coverage),
        ),
        topics(&coverage),
    ];
    tables.extend(LAYER_WORDS.iter().enumerate().map(|(at, word)| {
        let which = if LAYERS[at] == Layer::County { "all" } else { "those that govern" };
        let title = format!(
            "Offices of {word} ({which}): a body, its office with a page of its own, with the main site only"
        );
        Table::new(title, offices(&coverage, at))
    }));
    tables.extend(phones::tables(directory));
    tables.extend(known::tables(&figures));
    tables.extend(list.into_iter().flat_map(|list| list.tables(directory)));
    tables
}

fn areas(directory: &Directory) -> Rows {
    let meta = directory.snapshot().meta();
    let mut table = vec![words(&["layer", "with polygons", "named only", "states complete"])];
    for layer in Layer::ALL {
        let rows = || meta.coverage.iter().filter(|row| row.layer() == Some(layer));
        let with: u32 = rows().map(|row| row.with_boundary()).sum();
        let named: u32 = rows().map(|row| row.named_only()).sum();
        let complete =
            rows().filter(|row| row.coverage() == platbook::vocabulary::Coverage::Complete).count();
        table.push(row(layer.prefix(), [with, named, complete as u32]));
    }
    table
}

fn left_out(directory: &Directory) -> Rows {
    let dropped = directory.snapshot().meta().dropped.iter();
    dropped.map(|dropped| row(&dropped.reason, [dropped.count()])).collect()
}

fn targets(coverage: &Coverage) -> Rows {
    let (states, all) = (coverage.sum(false), coverage.sum(true));
    let [counties, places, cousubs] = states.layers;
    let every = |test: &dyn Fn(&StateCount) -> bool| {
        coverage.states.values().filter(|count| test(count)).count() as u32
    };
    let count_of = coverage.states.len() as u32;
    let topics = coverage.national.len() as u32;
    let with_national = coverage.national.iter().filter(|count| **count > 0).count() as u32;
    let mut table = vec![words(&["", "have", "of", "target"])];
    for (what, have, of, target) in [
        (
            "states and territories, all 7 functions with evidence",
            every(&|count| count.functions_with_evidence == 7),
            count_of,
            count_of,
        ),
        ("counties of states and DC with an official website", counties.sites, counties.areas, 2_350),
        ("places of states and DC with an official website", places.sites, places.areas, 7_500),
        ("subdivisions of states and DC with an official website", cousubs.sites, cousubs.areas, 2_900),
        (
            "counties of states and DC with a parcel map or map site",
            states.counties_with_maps,
            counties.areas,
            1_100,
        ),
        (
            "states and territories with 10 resources of their own",
            every(&|count| count.own_resources >= OWN_RESOURCES_MIN),
            count_of,
            50,
        ),
        ("topics with a national resource", with_national, topics, topics),
        ("topics with a guide", coverage.guides, topics, topics),
    ] {
        table.push(row(what, [have, of, target]));
    }
    let sites: u32 = all.layers.iter().map(|layer| layer.sites).sum();
    table.push(row("official websites, territories too", [sites]));
    table
}

fn states(coverage: &Coverage) -> Rows {
    let heading = [
        "state", "rules", "counties", "site", "map", "places", "site", "subdivs", "site", "own res",
        "all res",
    ];
    let mut table = vec![words(&heading)];
    table.extend(by_state(coverage, |name, count| {
        let [counties, places, cousubs] = count.layers;
        let figures = [
            count.functions_with_evidence,
            counties.areas,
            counties.sites,
            count.counties_with_maps,
            places.areas,
            places.sites,
            cousubs.areas,
            cousubs.sites,
            count.own_resources,
            count.all_resources,
        ];
        Some(row(name, figures))
    }));
    table
}

fn topics(coverage: &Coverage) -> Table {
    let mut heading = words(&["state"]);
    heading.extend(words(&TOPIC_HEADINGS));
    heading.push("main".to_owned());
    let mut table = vec![heading, row("US", coverage.national)];
    let line = |name: &str, count: &StateCount| {
        Some(row(name, count.resources.into_iter().chain([count.main_sites])))
    };
    table.extend(by_state(coverage, line));
    let legend: Vec<String> = Topic::all()
        .zip(TOPIC_HEADINGS)
        .filter(|(topic, heading)| topic.as_str() != *heading)
        .map(|(topic, heading)| format!("{heading} {}", topic.as_str()))
        .collect();
    let title = "Resources by topic, main sites apart; US: of the nation alone, all: of the states";
    Table::new(title, table).with_note(format!("{}; main: main site", legend.join(", ")))
}

fn offices(coverage: &Coverage, layer: usize) -> Rows {
    let mut heading = words(&["state", "areas"]);
    heading.extend(Function::ALL.map(|function| function.as_str().to_owned()));
    let mut table = vec![heading];
    table.extend(by_state(coverage, |name, count| {
        let layer = &count.layers[layer];
        let mut cells = row(name, [layer.governing]);
        let served = layer.served.iter();
        cells.extend(served.map(|of| format!("{}/{}/{}", of.body, of.own_page, of.main_site)));
        (layer.governing > 0).then_some(cells)
    }));
    table
}

/// Returns a line for all states, and one for each state that has something to count.
fn by_state(coverage: &Coverage, line: impl Fn(&str, &StateCount) -> Option<Vec<String>>) -> Rows {
    let all = line("all", &coverage.sum(true));
    let states = coverage.states.iter().map(|(state, count)| line(state.usps(), count));
    all.into_iter().chain(states.flatten()).collect()
}

fn words(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn row(name: &str, figures: impl IntoIterator<Item = u32>) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(figures.into_iter().map(|figure| figure.to_string())).collect()
}

/// Returns a tab-separated line for each job of each government in the counts: its office and known page.
pub fn jobs(directory: &Directory) -> String {
    let mut text = String::from("government\tname\tfunction\tbody\toffice\tpage\turl\n");
    for job in Coverage::of(directory).jobs {
        let Job { row, function, body, office, page } = job;
        let government = directory.jurisdiction(row);
        let body = body.map_or("-".to_owned(), |body| directory.jurisdiction(body).id.to_string());
        let (kind, url) = match &page {
            Some((url, false)) => ("own", url.as_str()),
            Some((url, true)) => ("main site", url.as_str()),
            None => ("-", "-"),
        };
        let (id, name, function) = (government.id, government.name, function.as_str());
        let office = office.as_deref().unwrap_or("-");
        let _ = writeln!(text, "{id}\t{name}\t{function}\t{body}\t{office}\t{kind}\t{url}");
    }
    text
}
