//! House rules that no compiler enforces, checked on the text of the repository.
//!
//! Each test gathers faults and gives them to [`check`], which prints all of them with the rule.

#![expect(unreachable_pub, reason = "the modules of a test crate share freely")]

mod circles; // dependencies between rooms and back
mod comments; // the comments and strings of code
mod map; // which room may import which, and use what
mod release; // one version, and commands that exist
mod source; // the files, and the part of Rust's syntax that the rules need
mod words; // how sentences and names are written

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use source::{RustFile, all_rust_files, read, root, rust_files, text_files};

/// Folders with the code of the packages.
const CODE: [&str; 6] =
    ["src/", "library/src/", "library/container/src/", "https/src/", "release/src/", "data-pipeline/src/"];

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;

/// Marks of unfinished work, which no code may have.
const UNFINISHED: [&str; 3] = ["todo!", "unimplemented!", "dbg!"];

/// Fails with every fault and the rule that it breaks.
fn check(rule: &str, faults: impl IntoIterator<Item = String>) {
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{rule}\n  {}\n", faults.join("\n  "));
}

/// Returns the places where the code of these files has one of these words.
fn places_of(words: &[&str], files: impl Iterator<Item = RustFile>) -> Vec<String> {
    let places = files.flat_map(|file| {
        let lines = words.iter().flat_map(|word| file.lines_with(word).map(move |line| (line, word)));
        lines.map(|(line, word)| format!("{}:{line}: `{word}`", file.path)).collect::<Vec<_>>()
    });
    places.collect()
}

#[test]
fn nothing_is_left_undone() {
    let faults = places_of(&UNFINISHED, CODE.into_iter().flat_map(rust_files));
    check("what the code does not do yet is not in it", faults);
}

#[test]
fn unsafe_code_stays_in_the_snapshot() {
    let may = ["library/src/snapshot/", "python/src/capsule.rs", "browser/src/lib.rs"];
    let outside =
        all_rust_files().into_iter().filter(|file| !may.iter().any(|path| file.path.starts_with(path)));
    check(&format!("`unsafe` is used under {} only", may.join(" and ")), places_of(&["unsafe"], outside));
}

#[test]
fn files_and_functions_are_short() {
    let mut faults = Vec::new();
    for file in all_rust_files() {
        let lines = file.text.lines().count();
        if lines > FILE_LINES_MAX {
            faults.push(format!("{}: {lines} lines", file.path));
        }
        for (name, lines) in file.functions {
            let length = lines.len();
            if length > FUNCTION_LINES_MAX {
                faults.push(format!("{}:{}: `{name}` has {length} lines", file.path, lines.start));
            }
        }
    }
    check("files have at most 500 lines, functions at most 70", faults);
}

#[test]
fn no_text_names_one_machine_or_unfinished_work() {
    // Joined here, so that this file does not contain them.
    let banned = ["/work", "/root"].map(|path| format!("{path}/"));
    let notes = ["FIX", "TO", "XX"].into_iter().zip(["ME", "DO", "X"]).map(|(a, b)| format!("{a}{b}"));
    let banned: Vec<String> = banned.into_iter().chain(notes).collect();
    let mut faults = Vec::new();
    for path in text_files() {
        for (at, line) in read(&path).lines().enumerate() {
            let found = banned.iter().filter(|word| line.contains(word.as_str()));
            faults.extend(found.map(|word| format!("{path}:{}: {word}", at + 1)));
        }
    }
    check("no path of one machine and no note of unfinished work is in the repository", faults);
}

/// `cargo test` skips the documentation examples of these packages, because running them would read all of their code
/// again.
#[test]
fn examples_in_documentation_are_run() {
    let opens = |line: &str| {
        let line = line.trim_start();
        let fence = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        fence.is_some_and(|rest| rest.trim().starts_with("```"))
    };
    let mut faults = Vec::new();
    for file in ["data-pipeline/", "library/container/", "snapshots/"].into_iter().flat_map(rust_files) {
        // Every second fence closes a block.
        let fences = (1..).zip(file.text.lines()).filter(|(_, line)| opens(line)).step_by(2);
        let run = fences.filter(|(_, line)| !line.ends_with("```text"));
        faults.extend(run.map(|(line, _)| format!("{}:{line}", file.path)));
    }
    check("examples in documentation stand where they are run, in library/src or src", faults);
}

#[test]
fn the_format_version_is_one_number() {
    let stated = format!("**Format version {}.", platbook::snapshot::FORMAT_VERSION);
    assert!(read("snapshots/FORMAT.md").contains(&stated), "snapshots/FORMAT.md does not say {stated}");
}

#[test]
fn commands_in_the_documents_exist() {
    let mut faults = Vec::new();
    for path in text_files().into_iter().filter(|path| path.ends_with(".md")) {
        for line in commands(&read(&path)) {
            let words: Vec<&str> = line.split_whitespace().collect();
            faults.extend(command_fault(&words).map(|fault| format!("{path}: `{line}`: {fault}")));
        }
    }
    check("each command and option shown in a document can be given", faults);
    let shown = commands(&read("README.md"));
    for command in ["cargo run --release -- serve", "cargo test"] {
        assert!(shown.iter().any(|line| line == command), "README.md shows `{command}` on a line of its own");
    }
}

#[test]
fn paths_in_the_documents_exist() {
    let mut faults = Vec::new();
    for path in text_files().into_iter().filter(|path| path.ends_with(".md")) {
        let text = read(&path);
        let quoted = text.split('`').skip(1).step_by(2).filter(|word| is_repository_path(word));
        let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
        let linked = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let linked = linked.filter(|to| !to.is_empty() && !to.contains("://")).map(|to| folder.join(to));
        let named = quoted.map(PathBuf::from).chain(linked);
        let missing = named.filter(|named| !root().join(named).exists());
        faults.extend(missing.map(|named| format!("{path}: {}", named.display())));
    }
    check("each file that a document names exists", faults);
}

/// A file or folder of the repository, written out in full.
fn is_repository_path(word: &str) -> bool {
    const OURS: [&str; 9] = [
        "src/",
        "library/",
        "https/",
        "release/",
        "data-pipeline/",
        "tests/",
        "benches/",
        "snapshots/",
        "docs/",
    ];
    let whole = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    // A snapshot may be left out of a checkout, and a data directory is never in one.
    whole
        && OURS.iter().any(|folder| word.starts_with(folder))
        && !word.ends_with(".platbook")
        && !word.ends_with("/data")
        && !word.ends_with("/XX.toml") // one for each state
}

/// Returns the lines of a document's `sh` blocks that begin with one of the project's commands, without comments.
fn commands(document: &str) -> Vec<String> {
    let blocks = document.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let lines = blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim());
    let ours = ["cargo ", "make ", "platbook ", "platbook-pipeline "];
    lines.filter(|line| ours.iter().any(|name| line.starts_with(name))).map(str::to_owned).collect()
}

/// Returns the fault of a command, or `None` for a valid one.
fn command_fault(words: &[&str]) -> Option<String> {
    match words {
        ["make", target] => {
            let known = read("Makefile").lines().any(|line| line.starts_with(&format!("{target}:")));
            (!known).then(|| "no such target".to_owned())
        }
        ["cargo", "run", "--release", "-p", "platbook-pipeline", "--", rest @ ..]
        | ["platbook-pipeline", rest @ ..] => pipeline_fault(rest),
        ["cargo", "run", "--release", "--", rest @ ..] | ["platbook", rest @ ..] => service_fault(rest),
        _ => None,
    }
}

fn service_fault(words: &[&str]) -> Option<String> {
    let (command, options) = words.split_first()?;
    // These two have commands of their own.
    let inner = if ["keys", "list"].contains(command) { &options[..1] } else { &[] };
    let help = Command::new(env!("CARGO_BIN_EXE_platbook")).arg(command).args(inner).arg("--help").output();
    let help = help.expect("the binary that cargo has just built runs");
    if !help.status.success() {
        return Some("no such command".to_owned());
    }
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let unknown = options.iter().find(|word| word.starts_with("--") && !help.contains(*word))?;
    Some(format!("no option {unknown}"))
}

/// The pipeline's binary belongs to another package, so its arguments are read from its sources.
fn pipeline_fault(words: &[&str]) -> Option<String> {
    let (command, options) = words.split_first()?;
    let path = format!("data-pipeline/src/commands/{}.rs", command.replace('-', "_"));
    let text = |path: &str| fs::read_to_string(root().join(path));
    let Ok(mut source) = text(&path) else { return Some("no such command".to_owned()) };
    // Options that several commands share are in the file of one of them, or in one of their own.
    for (shared, file) in [("InputArgs", "input_args"), ("ReleaseArgs", "publish")] {
        if source.contains(shared) {
            source += &text(&format!("data-pipeline/src/commands/{file}.rs")).unwrap_or_default();
        }
    }
    let field = |option: &str| format!(" {}: ", option.trim_start_matches('-').replace('-', "_"));
    let unknown = options.iter().find(|word| word.starts_with("--") && !source.contains(&field(word)))?;
    Some(format!("no option {unknown}"))
}
