//! Compares the time of a search by name with that of SQLite's FTS5 over the same names.
//!
//! Both run at once on the same questions, so that the ratios do not depend on the machine. Reads the built-in
//! snapshot, or the file that PLATBOOK_BENCH_SNAPSHOT names. SQLite has two indexes in memory. One has each name's
//! folded words (prefix indexes of 2, 3 and 4 letters), the other its trigrams for misspelled names.

use std::{hint::black_box, path::Path, time::Instant};

use platbook::{
    directory::Directory,
    snapshot::{Snapshot, Space},
    vocabulary::{Folded, StateCode},
};
use rusqlite::{Connection, params};

const ROUNDS: usize = 7;
const LIMIT: usize = 10;
/// Number of searches in SQLite, and of searches for misspelled names: both are slow.
const SLOW: usize = 400;

fn main() {
    let snapshot = match std::env::var_os("PLATBOOK_BENCH_SNAPSHOT") {
        Some(path) => Snapshot::open(Path::new(&path)),
        None => platbook_service::shipping::built_in(),
    };
    let directory = Directory::new(snapshot.expect("a snapshot to measure"));
    let names = names(&directory);
    let peer = Peer::of(&directory);
    println!("{} names of {} places", names.len(), directory.snapshot().names().place_count());
    println!("{:34} {:>9} {:>9} {:>9} {:>8}", "questions", "us", "99 % us", "peer us", "x peer");
    let shown: Vec<(String, Option<StateCode>)> = spread(&names, 20_000);
    let plain: Vec<(String, StateCode)> =
        shown.iter().filter_map(|(name, state)| Some((name.clone(), (*state)?))).collect();
    row(
        "exact, name and state",
        &plain,
        |(name, state)| directory.places_named(name, *state).len(),
        |(name, state)| peer.exact(name, *state).len(),
    );
    row(
        "whole search of a name, top 10",
        &plain,
        |(name, _)| directory.search(name, None, LIMIT).places.len(),
        |(name, _)| peer.prefix(name).len(),
    );
    for letters in [2, 3, 4, 6] {
        let starts: Vec<String> = plain.iter().filter_map(|(name, _)| start(name, letters)).collect();
        let label = format!("prefix of {letters} letters, top {LIMIT}");
        row(
            &label,
            &starts,
            |text| directory.search(text, None, LIMIT).places.len(),
            |text| peer.prefix(text).len(),
        );
    }
    typos(&directory, &peer, plain.iter().map(|(name, _)| name.as_str()));
    hostile(&directory);
}

/// Measures searches for misspelled names, and how many of the names are found among the first ten.
fn typos<'n>(directory: &Directory, peer: &Peer, names: impl Iterator<Item = &'n str>) {
    let one: Vec<(String, &str)> =
        names.enumerate().filter_map(|(at, name)| Some((slip(name, at)?, name))).collect();
    let is_short = |(text, _): &&(String, &str)| text.chars().count() < 8;
    let again = |(at, (text, name)): (usize, &(String, &'n str))| Some((slip(text, at * 7 + 3)?, *name));
    let short = one.iter().filter(is_short).cloned().collect();
    let two = one.iter().filter(|pair| !is_short(pair)).enumerate().filter_map(again).collect();
    for (label, mut pairs) in
        [("typo, 4 to 7 letters", short), ("typo, all names", one), ("two typos, 8 letters or more", two)]
    {
        pairs.retain(|(text, _)| misses(directory, text));
        pairs.truncate(SLOW * 4);
        row(
            label,
            &pairs,
            |(text, _)| directory.search(text, None, LIMIT).places.len(),
            |(text, _)| peer.typo(text).len(),
        );
        let ours = |(text, name): &&(String, &str)| {
            let mut found = directory.search(text, None, LIMIT).places.into_iter();
            found.any(|found| directory.jurisdiction(found.row).name == *name)
        };
        let peers =
            |(text, name): &&(String, &str)| peer.typo(text).contains(&Folded::of(name).as_str().to_owned());
        let share = |count: usize| 100.0 * count as f64 / pairs.len() as f64;
        let (ours, peers) = (pairs.iter().filter(ours).count(), pairs.iter().filter(peers).count());
        println!("  found again: {:.0} %, peer {:.0} %", share(ours), share(peers));
    }
}

/// Returns each name of each place once, with the place's state.
fn names(directory: &Directory) -> Vec<(String, Option<StateCode>)> {
    let rows = directory.rows();
    rows.map(|row| directory.jurisdiction(row)).map(|view| (view.name.to_owned(), view.state)).collect()
}

/// Returns `count` items that are spread evenly over all items.
fn spread<T: Clone>(all: &[T], count: usize) -> Vec<T> {
    let step = (all.len() / count).max(1);
    all.iter().step_by(step).cloned().collect()
}

fn start(name: &str, letters: usize) -> Option<String> {
    let start: String = name.chars().take(letters).collect();
    (start.chars().count() == letters && start.chars().all(char::is_alphabetic)).then_some(start)
}

/// The name with one letter dropped, doubled, swapped with the next or replaced.
fn slip(name: &str, at: usize) -> Option<String> {
    let mut letters: Vec<char> = name.to_lowercase().chars().collect();
    if letters.len() < 4 {
        return None;
    }
    let place = at * 31 % (letters.len() - 1);
    match at % 4 {
        0 => drop(letters.remove(place)),
        1 => letters.insert(place, letters[place]),
        2 => letters.swap(place, place + 1),
        _ => letters[place] = 'q',
    }
    Some(letters.into_iter().collect())
}

/// Returns whether a text matches only after its spelling was corrected, so that its time includes the correction.
fn misses(directory: &Directory, text: &str) -> bool {
    let mut found = directory.search(text, None, 1).places.into_iter();
    found.all(|found| found.matched_by == platbook::directory::MatchedBy::Spelling)
}

/// Prints times in microseconds: the median of the rounds' means, the 99th percentile, the peer's median, and the
/// ratio.
fn row<Q>(label: &str, questions: &[Q], ours: impl Fn(&Q) -> usize, peers: impl Fn(&Q) -> usize) {
    let few = &questions[..questions.len().min(SLOW)];
    let rounds: Vec<(f64, f64)> =
        (0..ROUNDS).map(|_| (mean_us(questions, &ours), mean_us(few, &peers))).collect();
    let median = |figures: Vec<f64>| {
        let mut figures = figures;
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    };
    let us = median(rounds.iter().map(|round| round.0).collect());
    let peer_us = median(rounds.iter().map(|round| round.1).collect());
    let mut each: Vec<f64> = questions.iter().map(|question| once_us(question, &ours)).collect();
    each.sort_by(f64::total_cmp);
    let slow = each[each.len() * 99 / 100];
    println!("{label:34} {us:9.2} {slow:9.2} {peer_us:9.1} {:8.1}", peer_us / us);
}

fn mean_us<Q>(questions: &[Q], ask: impl Fn(&Q) -> usize) -> f64 {
    let start = Instant::now();
    let found: usize = questions.iter().map(|question| ask(black_box(question))).sum();
    black_box(found);
    start.elapsed().as_secs_f64() * 1e6 / questions.len() as f64
}

fn once_us<Q>(question: &Q, ask: impl Fn(&Q) -> usize) -> f64 {
    let start = Instant::now();
    black_box(ask(black_box(question)));
    start.elapsed().as_secs_f64() * 1e6
}

/// Prints the slowest of texts made to be slow, 200 characters each.
fn hostile(directory: &Directory) {
    let long = |part: &str| part.chars().cycle().take(200).collect::<String>();
    let mut worst = (0.0, String::new());
    for part in [
        "a",
        "ab ",
        "a,",
        "st ",
        "saint",
        "e\u{301}\u{301}",
        "\u{301}",
        "\u{202e}אב",
        "🏠",
        "a\0",
        "\u{fdfa}",
        "new ",
        "township ",
        "city of ",
        "county, ",
        "springfield",
        "s t ",
        "lake ",
        "union township ",
        "in, or, me, ",
        "ﬃ",
        "İ",
        // A text that matches nothing, in which each word is similar to a known one.
        "the elymiuth criwfoud plououth ilyoouth jeofersun jeeferson baieding seroice oivingston west virginia ",
        "franklinn springfeld oersnsenn inaaaerts ntriinrre washingtony unionx cityy townshipz ",
        "alemouth iancaster iraoford uraeford arewford buiudung oecoruer toiuship servica plymoute new york ",
        "washingtonx, countyy, lakez, jacksonx, ",
    ] {
        for count in [200, 160, 120, 100, 90, 80, 63, 62, 40, 20, 12] {
            let text: String = long(part).chars().take(count).collect();
            for limit in [10, 50] {
                let us =
                    (0..5).map(|_| once_us(&text, |text| directory.search(text, None, limit).places.len()));
                let us = us.fold(f64::MAX, f64::min);
                if us > worst.0 {
                    worst = (us, text.chars().take(30).collect());
                }
            }
        }
    }
    println!("slowest hostile text {:.0} us: {:?}...", worst.0, worst.1);
}

/// A database of SQLite FTS5 in memory.
struct Peer(Connection);

impl Peer {
    fn of(directory: &Directory) -> Peer {
        let db = Connection::open_in_memory().expect("SQLite opens");
        db.execute_batch(
            "create virtual table names using fts5(name, state unindexed, people unindexed, prefix='2 3 4');
             create virtual table parts using fts5(name, people unindexed, tokenize='trigram');
             create table whole (name text, state text, people integer);",
        )
        .expect("SQLite has FTS5");
        db.execute_batch("begin").expect("SQLite works");
        directory.snapshot().names().for_each(Space::Places, |key, ranks| {
            let numbers = ranks.iter().filter_map(|rank| directory.snapshot().names().place(rank));
            for row in numbers.filter_map(|number| directory.row(number)) {
                let view = directory.jurisdiction(row);
                let (name, state) = (Folded::of(view.name), view.state.map_or("", StateCode::usps));
                let run = |sql: &str, name: &str| {
                    let mut insert = db.prepare_cached(sql).expect("SQL is right");
                    insert.execute(params![name, state, view.population]).expect("a row is written");
                };
                run("insert into names values (?1, ?2, ?3)", name.as_str());
                run("insert into whole values (?1, ?2, ?3)", key);
                run("insert into parts values (?1, ?3 + 0 * length(?2))", name.as_str());
            }
        });
        db.execute_batch("commit; create index whole_name on whole (name, state, people);")
            .expect("SQLite works");
        Peer(db)
    }

    fn names(&self, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Vec<String> {
        let mut query = self.0.prepare_cached(sql).expect("SQL is right");
        let rows = query.query_map(values, |row| row.get::<_, String>(0)).expect("the query runs");
        rows.filter_map(Result::ok).collect()
    }

    fn exact(&self, name: &str, state: StateCode) -> Vec<String> {
        let key = Folded::of(name).key();
        self.names(
            "select name from whole where name = ?1 and state = ?2 order by people desc limit 10",
            &[&key, &state.usps()],
        )
    }

    fn prefix(&self, text: &str) -> Vec<String> {
        let query = format!("^ \"{}\" *", Folded::of(text).as_str());
        self.names("select name from names where names match ?1 order by people desc limit 10", &[&query])
    }

    /// Returns the names that share the most trigrams with the text.
    fn typo(&self, text: &str) -> Vec<String> {
        let letters: Vec<char> = Folded::of(text).as_str().chars().collect();
        let parts: Vec<String> =
            letters.windows(3).map(|part| format!("\"{}\"", part.iter().collect::<String>())).collect();
        self.names(
            "select name from parts where parts match ?1 order by rank limit 10",
            &[&parts.join(" OR ")],
        )
    }
}
