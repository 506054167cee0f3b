//! Counts the pages that first links of jobs lead to, by kind: a page for the job, the office, or a home page. The
//! governments are drawn at random, in proportion to their people.

use std::collections::BTreeMap;

use platbook::{
    answers::{Link, LinkKind, Territory, assignment},
    directory::{Directory, Row},
    vocabulary::{Function, JurisdictionId, Layer},
};

use super::table::{Rows, Table};

/// How many governments are drawn: a share of 50 % is then known to about 3 points for each job.
const DRAWN: usize = 300;

/// The fixed seed of the draw, so that reports on two snapshots draw alike and can be compared.
const SEED: u64 = 33;

/// Headings of the columns, in the order of [`Kind`].
const HEADINGS: [&str; 7] = ["action", "office", "page", "home page", "data", "none", "may be broken"];

/// The page that a first link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Action,
    Office,
    Page,
    HomePage,
    Data,
    None,
}

impl Kind {
    fn of(first: Option<&Link<'_>>) -> Kind {
        match first.map(|link| link.kind) {
            Some(LinkKind::Action(_)) => Kind::Action,
            Some(LinkKind::Office) => Kind::Office,
            Some(LinkKind::Page) => Kind::Page,
            Some(LinkKind::HomePage) => Kind::HomePage,
            Some(LinkKind::Data) => Kind::Data,
            None => Kind::None,
        }
    }
}

/// The shares of first links by job, for governments drawn by population.
pub(super) fn table(directory: &Directory) -> Table {
    let mut table: Rows = vec![std::iter::once("job").chain(HEADINGS).map(str::to_owned).collect()];
    let drawn = draw(&people(directory), DRAWN);
    let mut all = [0u32; HEADINGS.len()];
    for function in Function::ALL {
        let counts = counts(directory, &drawn, function);
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        table.push(shares(function.as_str(), &counts));
    }
    table.insert(1, shares("all", &all));
    Table::new("First links of jobs, for governments drawn by population", table).with_note(format!(
        "percent of {DRAWN} places, towns and counties drawn by people of 2019 with a fixed seed; action: a page to do it on; \
data: a portal or a download"
    ))
}

fn counts(directory: &Directory, drawn: &[Row], function: Function) -> [u32; HEADINGS.len()] {
    let mut counts = [0; HEADINGS.len()];
    for row in drawn {
        let territory = directory.scope_of(*row).map_or(Territory::Unruled, Territory::Scope);
        let entry = assignment(directory, territory, function);
        let links = entry.map(|entry| entry.links(directory)).unwrap_or_default();
        counts[Kind::of(links.first()) as usize] += 1;
        counts[HEADINGS.len() - 1] += u32::from(links.first().is_some_and(Link::is_broken));
    }
    counts
}

fn shares(name: &str, counts: &[u32; HEADINGS.len()]) -> Vec<String> {
    let of = counts[..HEADINGS.len() - 1].iter().sum::<u32>().max(1);
    let share = |count: &u32| format!("{:.1}", 100.0 * f64::from(*count) / f64::from(of));
    std::iter::once(name.to_owned()).chain(counts.iter().map(share)).collect()
}

/// The people of each place, and of the rest of each county. If towns govern, the rest is divided evenly among the towns
/// without a population of their own.
fn people(directory: &Directory) -> Vec<(Row, u64)> {
    let mut rest: BTreeMap<Row, u64> = BTreeMap::new();
    for county in directory.rows_of(Layer::County) {
        rest.insert(county, u64::from(directory.jurisdiction(county).population));
    }
    let mut people = Vec::new();
    for place in directory.rows_of(Layer::Place) {
        let own = u64::from(directory.jurisdiction(place).population);
        let county = directory.chain_of_place(place).map(|chain| chain.county);
        if let Some(left) = county.and_then(|county| rest.get_mut(&county)) {
            people.push((place, own.min(*left)));
            *left = left.saturating_sub(own);
        }
    }
    let mut towns: BTreeMap<Row, Vec<Row>> = BTreeMap::new();
    for town in directory.rows_of(Layer::Cousub).filter(|row| directory.governs(*row)) {
        let JurisdictionId::Census(geoid) = directory.id_of(town) else { continue };
        let is_place = directory.same_as(town).any(|row| directory.jurisdiction(row).population > 0);
        if let Some(county) = geoid.county().and_then(|county| directory.row_of(county)).filter(|_| !is_place)
        {
            towns.entry(county).or_default().push(town);
        }
    }
    for (county, left) in rest {
        match towns.get(&county) {
            Some(towns) => people.extend(towns.iter().map(|town| (*town, left / towns.len() as u64))),
            None => people.push((county, left)),
        }
    }
    people
}

/// Draws rows by their people, with a fixed seed.
fn draw(people: &[(Row, u64)], count: usize) -> Vec<Row> {
    let mut sums: Vec<u64> = Vec::with_capacity(people.len());
    let mut total = 0;
    for (_, own) in people {
        total += own;
        sums.push(total);
    }
    let mut state = SEED;
    let drawn = (0..count).filter(|_| total > 0).map(|_| {
        let at = next(&mut state) % total;
        people[sums.partition_point(|sum| *sum <= at)].0
    });
    drawn.collect()
}

/// The next number of SplitMix64, from its reference implementation by Vigna (2015).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
