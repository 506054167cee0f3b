//! Checks that no two files of a room depend on each other.
//!
//! A file depends on the file that defines the names it uses; re-exports are followed. A parent and its children count
//! as one file, because `mod.rs` declares and re-exports them, and they may use its items.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    CODE, check,
    source::{RustFile, rust_files},
};

/// A module by its names from the root of its package; the root has none.
type Module = Vec<String>;

/// Maximum number of re-exports of re-exports to follow; the code has two.
const HOPS_MAX: usize = 6;

/// The modules of a package.
struct Package {
    files: BTreeMap<Module, RustFile>,
    /// The names that each module imports by `use`, each with its whole path.
    imported: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

impl Package {
    fn read(files: Vec<RustFile>) -> Package {
        let files: BTreeMap<Module, RustFile> =
            files.into_iter().map(|file| (module_path(&file.path), file)).collect();
        let names = |file: &RustFile| {
            let uses = file.paths.iter().filter(|path| path.is_use).map(|path| &path.names);
            uses.filter_map(|path| Some((path.last()?.clone(), path.clone()))).collect()
        };
        let imported = files.iter().map(|(module, file)| (module.clone(), names(file))).collect();
        Package { files, imported }
    }

    /// The module whose file defines a path; `None` for paths outside the package.
    fn resolve(&self, from: &Module, path: &[String], hops: usize) -> Option<Module> {
        let first = path.first().filter(|_| hops < HOPS_MAX)?;
        let (mut module, mut rest) = match first.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => {
                let count = path.iter().take_while(|name| *name == "super").count();
                (from[..from.len().checked_sub(count)?].to_vec(), &path[count..])
            }
            child => {
                let is_child = self.files.contains_key(&[from.as_slice(), &[child.to_owned()]].concat());
                (is_child.then(|| from.clone())?, path)
            }
        };
        while let Some((name, further)) = rest.split_first() {
            let inner = [module.as_slice(), std::slice::from_ref(name)].concat();
            if !self.files.contains_key(&inner) {
                break;
            }
            (module, rest) = (inner, further);
        }
        let re_exported = rest.first().and_then(|name| self.imported.get(&module)?.get(name));
        let defined = re_exported.and_then(|path| self.resolve(&module, path, hops + 1));
        Some(defined.unwrap_or(module))
    }

    /// The files of the same room that a file depends on.
    fn depends_on(&self, module: &Module, file: &RustFile) -> BTreeSet<Module> {
        let begins = ["crate", "super", "self"];
        let named = file.paths.iter().filter(|path| path.is_use || begins.contains(&path.names[0].as_str()));
        let found = named.filter_map(|path| self.resolve(module, &path.names, 0));
        let is_other = |other: &Module| {
            other.first() == module.first() && !other.starts_with(module) && !module.starts_with(other)
        };
        found.filter(is_other).collect()
    }

    /// Returns each dependency that leads back to its own file.
    fn circles(&self) -> Vec<String> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> =
            self.files.iter().map(|(module, file)| (module, self.depends_on(module, file))).collect();
        let leads = |from: &Module, to: &Module| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = next.pop() {
                if module == *to {
                    return true;
                }
                if let Some(further) = edges.get(&module).filter(|_| seen.insert(module.clone())) {
                    next.extend(further.iter().cloned());
                }
            }
            false
        };
        let all = edges.iter().flat_map(|(from, to)| to.iter().map(move |to| (*from, to)));
        let back = all.filter(|(from, to)| leads(to, from));
        back.map(|(from, to)| format!("`{}` and `{}`", from.join("::"), to.join("::"))).collect()
    }
}

fn module_path(path: &str) -> Module {
    let below = path.split_once("src/").map_or(path, |(_, below)| below).trim_end_matches(".rs");
    let mut names: Module = below.split('/').map(str::to_owned).collect();
    names.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    names
}

#[test]
fn no_room_has_a_circle() {
    let packages = CODE.into_iter().map(|folder| Package::read(rust_files(folder)));
    check(
        "of two files of a room, at most one depends on the other",
        packages.flat_map(|package| package.circles()),
    );
}

#[test]
fn circles_are_found() {
    let file = |(path, code): &(&str, &str)| RustFile::parse(path, code);
    for (files, expected) in [
        (&[("src/a/b.rs", "use super::c::X;"), ("src/a/c.rs", "fn f(y: super::b::Y) {}")][..], 2),
        (
            &[
                ("src/a/mod.rs", "mod b; mod c; mod d;"),
                ("src/a/b.rs", "use crate::a::{c::X, d};"),
                ("src/a/c.rs", ""),
                ("src/a/d.rs", "use super::b;"),
            ],
            2,
        ),
        // A circle through a name that the room's `mod.rs` re-exports.
        (
            &[
                ("src/a/mod.rs", "pub use b::Y; mod b; mod c;"),
                ("src/a/b.rs", "use super::c::X;"),
                ("src/a/c.rs", "use super::Y;"),
            ],
            2,
        ),
        (&[("src/a/b.rs", "use super::c::X;"), ("src/a/c.rs", "use crate::z::Y;"), ("src/z.rs", "")], 0),
        (&[("src/a/mod.rs", "use b::Y; pub struct X;"), ("src/a/b.rs", "use super::X;")], 0),
        (
            &[
                ("src/a/b.rs", "use super::c;"),
                ("src/a/c.rs", "#[cfg(test)] mod tests { use super::super::b; }"),
            ],
            0,
        ),
    ] {
        let circles = Package::read(files.iter().map(file).collect()).circles();
        assert_eq!(circles.len(), expected, "{files:?}: {circles:?}");
    }
}
