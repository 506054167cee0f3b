//! The map of ARCHITECTURE.md, "Who may import whom": the only list of rooms and of what each may do.
//!
//! Cargo keeps packages apart. The first table orders the rooms of a package, so that no import leads up. The second names
//! what most rooms may not do, and the rooms that may. These tests read both and check the code against them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    CODE, check,
    source::{RustFile, read, rust_files},
};

/// Packages of one room, which imports nothing of its own.
const LONE_ROOMS: [(&str, &str); 3] =
    [("library/container/", "container"), ("https/", "https"), ("release/", "release")];

/// The two tables of ARCHITECTURE.md.
struct Map {
    /// The package of each room, and the room's step in the order of that package.
    places: BTreeMap<String, (String, usize)>,
    powers: Vec<Power>,
}

/// An action that only a few rooms may take.
struct Power {
    name: String,
    /// Signs in the code that show the action.
    signs: Vec<String>,
    /// Names of rooms, or of a package for all of its rooms.
    rooms: BTreeSet<String>,
}

impl Map {
    fn read() -> Map {
        let text = read("ARCHITECTURE.md");
        let (_, section) = text.split_once("## Who may import whom").expect("ARCHITECTURE.md has the tables");
        let section = section.split("\n## ").next().unwrap_or(section);
        let mut places = BTreeMap::new();
        for [package, rooms] in rows(section, "| package |") {
            for (step, rooms) in rooms.split(" < ").enumerate() {
                let place = (names(&package).concat(), step);
                places.extend(names(rooms).into_iter().map(|room| (room, place.clone())));
            }
        }
        let powers = rows(section, "| power |").into_iter().map(|[name, signs, rooms]| Power {
            name: names(&name).concat(),
            signs: names(&signs),
            rooms: names(&rooms).into_iter().collect(),
        });
        Map { places, powers: powers.collect() }
    }

    /// Returns imports of a file against the order.
    fn import_faults(&self, file: &RustFile) -> Vec<String> {
        let room = room_of(&file.path);
        let Some((_, own)) = self.places.get(&room) else {
            let fault = format!("{}: `{room}` has no place in the tables of ARCHITECTURE.md", file.path);
            return if is_beside_the_order(&room) { Vec::new() } else { vec![fault] };
        };
        let prefix = if room.starts_with("pipeline/") { "pipeline/" } else { "" };
        let imports = file.names_after("crate").chain(file.names_after("platbook_pipeline"));
        let imports = imports.map(|(line, name)| (line, format!("{prefix}{name}")));
        let is_below = |name: &str| self.places.get(name).is_some_and(|(_, step)| step < own);
        let refused = imports.filter(|(_, name)| *name != room && !is_below(name));
        let faults =
            refused.map(|(line, name)| format!("{}:{line}: `{room}` must not import `{name}`", file.path));
        faults.chain(file.supers_beyond_the_module()).collect()
    }

    /// Returns actions of a file that its room may not take.
    fn power_faults(&self, file: &RustFile) -> Vec<String> {
        let room = room_of(&file.path);
        let package = self.places.get(&room).map_or("", |(package, _)| package);
        let refused = self
            .powers
            .iter()
            .filter(|power| ![&room, package].iter().any(|name| power.rooms.contains(*name)));
        let shown =
            refused.flat_map(|power| power.shown_in(file).into_iter().map(move |place| (place, &power.name)));
        shown.map(|((line, sign), name)| format!("{}:{line}: `{sign}`, which is {name}", file.path)).collect()
    }
}

impl Power {
    /// Returns the lines of a file that take the action, with the sign.
    fn shown_in(&self, file: &RustFile) -> Vec<(usize, &str)> {
        let lines = |sign: &str| -> Vec<usize> {
            match sign.strip_prefix("platbook::") {
                Some(room) => file
                    .names_after("platbook")
                    .filter(|(_, name)| *name == room)
                    .map(|(line, _)| line)
                    .collect(),
                None => file.lines_with(sign).collect(),
            }
        };
        self.signs
            .iter()
            .flat_map(|sign| lines(sign).into_iter().map(move |line| (line, sign.as_str())))
            .collect()
    }
}

/// Returns the room of a file: one of the library or the service, or `pipeline/` and a room of the pipeline.
fn room_of(path: &str) -> String {
    let (package, below) = path.split_once("src/").expect("code is below src/");
    let room = below.split(['/', '.']).next().unwrap_or(below);
    let lone = LONE_ROOMS.iter().find(|(folder, _)| *folder == package);
    let prefix = if package == "data-pipeline/" { "pipeline/" } else { "" };
    lone.map_or_else(|| format!("{prefix}{room}"), |(_, room)| (*room).to_owned())
}

/// Whether the room is a package of its own, or the root of a package, which may import all rooms.
fn is_beside_the_order(room: &str) -> bool {
    let is_root = ["lib", "main"].contains(&room.trim_start_matches("pipeline/"));
    is_root || LONE_ROOMS.iter().any(|(_, lone)| *lone == room)
}

/// The rows of the table whose heading line begins with this text, as cells.
fn rows<const N: usize>(section: &str, heading: &str) -> Vec<[String; N]> {
    let lines = section.lines().skip_while(|line| !line.starts_with(heading));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(str::to_owned).collect::<Vec<_>>();
    rows.map(|row| cells(row).try_into().expect("each row has as many cells as the table")).collect()
}

/// The names between backquotes in a cell.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn code() -> impl Iterator<Item = RustFile> {
    CODE.into_iter().flat_map(rust_files)
}

#[test]
fn imports_follow_the_order() {
    let map = Map::read();
    let faults = code().flat_map(|file| map.import_faults(&file));
    check("imports go only where ARCHITECTURE.md, \"Who may import whom\", says", faults);
}

#[test]
fn rooms_use_only_their_powers() {
    let map = Map::read();
    let faults = code().flat_map(|file| map.power_faults(&file));
    check("rooms do only what ARCHITECTURE.md, \"Who may import whom\", says", faults);
}

/// A name that matches nothing would allow something by accident.
#[test]
fn each_name_in_the_map_is_needed() {
    let map = Map::read();
    let files: Vec<RustFile> = code().collect();
    let rooms: BTreeSet<String> = files.iter().map(|file| room_of(&file.path)).collect();
    let missing = map.places.keys().filter(|room| !rooms.contains(*room));
    let mut faults: Vec<String> = missing.map(|room| format!("`{room}` is not in the code")).collect();
    for power in &map.powers {
        let using: BTreeSet<String> = files
            .iter()
            .filter(|file| !power.shown_in(file).is_empty())
            .map(|file| room_of(&file.path))
            .collect();
        let packages = using.iter().filter_map(|room| map.places.get(room)).map(|(package, _)| package);
        let known: BTreeSet<&String> = using.iter().chain(packages).collect();
        let idle = power.rooms.iter().filter(|room| !known.contains(room));
        faults.extend(idle.map(|room| format!("`{room}` does not need `{}`", power.name)));
    }
    check("the map speaks only of rooms that there are and of powers that they use", faults);
}

#[test]
fn what_the_map_does_not_allow_is_refused() {
    let map = Map::read();
    for (path, code, expected) in [
        ("library/src/vocabulary/a.rs", "use std::fs::read;", "files"),
        ("library/src/directory/a.rs", "fn f() -> Instant { Instant::now() }", "clock"),
        ("src/http/a.rs", "fn f() { std::fs::write(path, bytes) }", "files"),
        ("library/src/answers/a.rs", "async fn f() {}", "async"),
        ("src/anew/a.rs", "use hyper::Method;", "network"),
        ("src/main.rs", "use tokio::runtime;", "network"),
        ("data-pipeline/src/fetch/a.rs", "use tokio::net::TcpListener;", "listening"),
        ("data-pipeline/src/input/a.rs", "use platbook::{answers::Answers, geometry};", "answers"),
        ("src/pages/a.rs", "fn f(file: &platbook::snapshot::Snapshot) {}", "tables"),
    ] {
        let faults = map.power_faults(&RustFile::parse(path, code));
        assert!(faults.iter().any(|fault| fault.ends_with(expected)), "{path}: {code}: {faults:?}");
    }
    for (path, code, expected) in [
        ("library/src/directory/a.rs", "use crate::{geometry::LonLat, answers::Answers};", "`answers`"),
        ("library/src/geocoder/a.rs", "fn f(directory: &crate::directory::Directory) {}", "`directory`"),
        ("src/anew/a.rs", "", "has no place"),
        ("src/keys/a.rs", "use super::super::http;", "by `crate::`"),
        ("src/mcp/a.rs", "use crate::pages::Route;", "`pages`"),
        ("data-pipeline/src/input/a.rs", "use crate::output::publish;", "`pipeline/output`"),
    ] {
        let faults = map.import_faults(&RustFile::parse(path, code));
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{path}: {code}: {faults:?}");
    }
}
