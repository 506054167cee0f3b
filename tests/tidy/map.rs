//! The map of ARCHITECTURE.md, "Who may import whom": the only list of modules and of what each may do.
//!
//! What a row does not allow is refused, so a module without a row may do nothing and one with a new row only what the
//! row says.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    CODE, check,
    source::{RustFile, read, root, rust_files},
};

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

    /// What a file imports against its row.
    fn import_faults(&self, file: &RustFile) -> Vec<String> {
        let importer = module_of(&file.path);
        if importer == "container" {
            return Vec::new(); // a package of one room
        }
        let Some(row) = self.modules.get(&importer) else {
            let fault = format!("{}: `{importer}` has no row in the table of ARCHITECTURE.md", file.path);
            return if is_root(&importer) { Vec::new() } else { vec![fault] };
        };
        let mut imports = imports(file);
        imports.retain(|(_, name)| *name != importer && !row.imports.contains(name));
        let faults = imports
            .iter()
            .map(|(line, name)| format!("{}:{line}: `{importer}` must not import `{name}`", file.path));
        let beyond = file.supers_beyond_the_module().filter(|_| !is_root(&importer));
        faults.chain(beyond).collect()
    }

    /// What a file uses against its row.
    fn use_faults(&self, file: &RustFile) -> Vec<String> {
        let row = self.modules.get(&module_of(&file.path));
        let refused = self.uses.iter().filter(|(name, _)| row.is_none_or(|row| !row.uses.contains(*name)));
        let words = refused.flat_map(|(name, words)| words.iter().map(move |word| (name, word)));
        let faults = words.flat_map(|(name, word)| {
            file.lines_with(word).map(move |line| format!("{}:{line}: `{word}`, which is {name}", file.path))
        });
        faults.collect()
    }
}

/// The row that a file belongs to: a room of the library or the service, or `pipeline/` and a room of the pipeline.
fn module_of(path: &str) -> String {
    let (package, below) = path.split_once("src/").expect("code is below src/");
    let module = below.split(['/', '.']).next().unwrap_or(below);
    match package {
        "data-pipeline/" => format!("pipeline/{module}"),
        "library/container/" => "container".to_owned(),
        _ => module.to_owned(),
    }
}

/// Whether it is the root of a package, which joins modules. Without a row it may import them all, and use nothing.
fn is_root(module: &str) -> bool {
    ["lib", "main"].contains(&module.trim_start_matches("pipeline/"))
}

/// Modules that a file names, with the line, as rows of the table.
fn imports(file: &RustFile) -> Vec<(usize, String)> {
    if !file.path.starts_with("data-pipeline/") {
        return file.names_after("crate::").into_iter().chain(file.names_after("platbook::")).collect();
    }
    let rooms = file.names_after("crate::").into_iter().chain(file.names_after("platbook_pipeline::"));
    let rooms = rooms.map(|(line, name)| (line, format!("pipeline/{name}")));
    rooms.chain(file.names_after("platbook::")).collect()
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
        let folders = match name.strip_prefix("pipeline/") {
            Some(room) => vec![format!("data-pipeline/src/{room}")],
            None => ["library/src", "src", "library"].map(|folder| format!("{folder}/{name}")).into(),
        };
        let exists = folders
            .iter()
            .any(|folder| root().join(folder).is_dir() || root().join(format!("{folder}.rs")).is_file());
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
        ("library/src/vocabulary/a.rs", "use std::fs::read;", "files"),
        ("library/src/directory/a.rs", "fn f() -> Instant { Instant::now() }", "clock"),
        ("src/http/a.rs", "fn f() { std::fs::write(path, bytes) }", "files"),
        ("library/src/answers/a.rs", "async fn f() {}", "async"),
        ("src/anew/a.rs", "use hyper::Method;", "network"),
        ("src/main.rs", "use tokio::runtime;", "network"),
        ("data-pipeline/src/fetch/a.rs", "use tokio::net::TcpListener;", "listening"),
    ] {
        let faults = map.use_faults(&RustFile::of(path, code));
        assert!(faults.iter().any(|fault| fault.ends_with(told)), "{path}: {code}: {faults:?}");
    }
    for (path, code, told) in [
        ("library/src/directory/a.rs", "use crate::{geometry::LonLat, wire::Envelope};", "`wire`"),
        ("src/anew/a.rs", "", "has no row"),
        ("src/keys/a.rs", "use super::super::http;", "by `crate::`"),
        ("data-pipeline/src/input/a.rs", "use platbook::answers::Answers;", "`answers`"),
        ("data-pipeline/src/input/a.rs", "use crate::output::publish;", "`pipeline/output`"),
    ] {
        let faults = map.import_faults(&RustFile::of(path, code));
        assert!(faults.iter().any(|fault| fault.contains(told)), "{path}: {code}: {faults:?}");
    }
}
