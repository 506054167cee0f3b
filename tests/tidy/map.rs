//! The map of ARCHITECTURE.md, "Who may import whom": the only list of modules and of what each may do.
//!
//! What a row does not allow is refused, so a module without a row may do nothing and one with a new row only what the
//! row says.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    CODE, check,
    source::{RustFile, read, root, rust_files},
};

const PIPELINE: &str = "data-pipeline";

/// Names between backquotes, in a cell of a table.
type Names = BTreeSet<String>;

/// The two tables.
struct Map {
    modules: BTreeMap<String, Module>,
    /// By the name of what may be used: the words that show in code that it is.
    uses: BTreeMap<String, Names>,
}

/// A row of the first table.
struct Module {
    imports: Names,
    uses: Names,
}

impl Map {
    fn read() -> Map {
        let text = read("ARCHITECTURE.md");
        let (_, section) = text.split_once("## Who may import whom").expect("ARCHITECTURE.md has the tables");
        let section = section.split("\n## ").next().unwrap_or(section);
        let modules = rows(section, "| module |").into_iter().map(|(name, cells)| {
            let [imports, uses] = cells.try_into().expect("a row of modules has three cells");
            (name, Module { imports, uses })
        });
        let uses = rows(section, "| use |").into_iter().map(|(name, cells)| {
            let [words] = cells.try_into().expect("a row of uses has two cells");
            (name, words)
        });
        Map { modules: modules.collect(), uses: uses.collect() }
    }

    /// The module that a file belongs to. Rooms of the pipeline have rows of their own; what is in none of them shares
    /// the row of the package. `None` for the root files, which only join modules.
    fn module_of<'p>(&self, path: &'p str) -> Option<String> {
        let first = |below: &'p str| below.split(['/', '.']).next().unwrap_or_default();
        if let Some(below) = path.strip_prefix("src/") {
            return Some(first(below)).filter(|name| !["lib", "main"].contains(name)).map(str::to_owned);
        }
        let room = room(first(path.strip_prefix("data-pipeline/src/")?));
        Some(if self.modules.contains_key(&room) { room } else { PIPELINE.to_owned() })
    }

    /// What a file imports against its row.
    fn import_faults(&self, file: &RustFile) -> Vec<String> {
        let Some(importer) = self.module_of(&file.path) else { return Vec::new() };
        let Some(row) = self.modules.get(&importer) else {
            return vec![format!("{}: `{importer}` has no row in the table of ARCHITECTURE.md", file.path)];
        };
        let mut imports =
            file.names_after(if file.path.starts_with("src/") { "crate::" } else { "platbook::" });
        if importer.contains('/') {
            let rooms = file.names_after("crate::").into_iter().map(|(line, name)| {
                let room = room(&name);
                (line, if self.modules.contains_key(&room) { room } else { PIPELINE.to_owned() })
            });
            imports.extend(rooms);
        }
        imports.retain(|(_, name)| *name != importer && !row.imports.contains(name));
        let mut faults: Vec<String> = imports
            .iter()
            .map(|(line, name)| format!("{}:{line}: `{importer}` must not import `{name}`", file.path))
            .collect();
        if importer != PIPELINE {
            faults.extend(file.supers_beyond_the_module());
        }
        faults
    }

    /// What a file uses against its row.
    fn use_faults(&self, file: &RustFile) -> Vec<String> {
        let module = self.module_of(&file.path);
        let row = module.as_ref().and_then(|module| self.modules.get(module));
        let refused = self.uses.iter().filter(|(name, _)| row.is_none_or(|row| !row.uses.contains(*name)));
        let words = refused.flat_map(|(name, words)| words.iter().map(move |word| (name, word)));
        let faults = words.flat_map(|(name, word)| {
            file.lines_with(word).map(move |line| format!("{}:{line}: `{word}`, which is {name}", file.path))
        });
        faults.collect()
    }
}

/// How a room of the pipeline is named in the table.
fn room(name: &str) -> String {
    format!("pipeline/{name}")
}

/// The rows of the table with this first heading: the name in the first cell, and the names in each further one.
fn rows(section: &str, heading: &str) -> Vec<(String, Vec<Names>)> {
    let lines = section.lines().skip_while(|line| !line.starts_with(heading));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Names>();
    let read = |row: &str| {
        let mut cells = row.trim_matches('|').split('|').map(names);
        let name = cells.next().and_then(|names| names.into_iter().next());
        (name.expect("a row begins with a name between backquotes"), cells.collect())
    };
    rows.map(read).collect()
}

#[test]
fn modules_import_only_what_the_map_allows() {
    let map = Map::read();
    let faults = CODE.into_iter().flat_map(rust_files).flat_map(|file| map.import_faults(&file));
    check("imports go only where ARCHITECTURE.md, \"Who may import whom\", says", faults);
}

#[test]
fn modules_use_only_what_the_map_allows() {
    let map = Map::read();
    let faults = CODE.into_iter().flat_map(rust_files).flat_map(|file| map.use_faults(&file));
    check("modules use only what ARCHITECTURE.md, \"Who may import whom\", says", faults);
}

/// A row that names nothing would allow what nobody meant.
#[test]
fn each_name_in_the_map_stands_for_something() {
    let map = Map::read();
    let mut faults = Vec::new();
    for (name, row) in &map.modules {
        let folder = match name.strip_prefix("pipeline/") {
            Some(room) => format!("data-pipeline/src/{room}"),
            None if name == PIPELINE => PIPELINE.to_owned(),
            None => format!("src/{name}"),
        };
        let exists = root().join(&folder).is_dir() || root().join(folder + ".rs").is_file();
        faults.extend((!exists).then(|| format!("`{name}` is not in the code")));
        let unknown = row.imports.iter().filter(|import| !map.modules.contains_key(*import));
        faults.extend(unknown.map(|import| format!("`{name}` may import `{import}`, which has no row")));
        let undefined = row.uses.iter().filter(|used| !map.uses.contains_key(*used));
        faults.extend(undefined.map(|used| format!("`{name}` may use `{used}`, which is not explained")));
    }
    check("the map speaks only of modules and uses that there are", faults);
}

#[test]
fn what_a_row_does_not_allow_is_refused() {
    let map = Map::read();
    for (path, code, told) in [
        ("src/vocabulary/a.rs", "use std::fs::read;", "files"),
        ("src/directory/a.rs", "fn f() -> Instant { Instant::now() }", "clock"),
        ("src/http/a.rs", "fn f() { std::fs::write(path, bytes) }", "files"),
        ("src/answers/a.rs", "async fn f() {}", "async"),
        ("src/anew/a.rs", "use hyper::Method;", "network"),
        ("src/main.rs", "use tokio::runtime;", "network"),
        ("data-pipeline/src/a.rs", "use tokio::net::TcpListener;", "listening"),
    ] {
        let faults = map.use_faults(&RustFile::of(path, code));
        assert!(faults.iter().any(|fault| fault.ends_with(told)), "{path}: {code}: {faults:?}");
    }
    for (path, code, told) in [
        ("src/directory/a.rs", "use crate::{geometry::LonLat, wire::Envelope};", "`wire`"),
        ("src/anew/a.rs", "", "has no row"),
        ("src/keys/a.rs", "use super::super::http;", "by `crate::`"),
        ("data-pipeline/src/a.rs", "use platbook::answers::Answers;", "`answers`"),
    ] {
        let faults = map.import_faults(&RustFile::of(path, code));
        assert!(faults.iter().any(|fault| fault.contains(told)), "{path}: {code}: {faults:?}");
    }
}
