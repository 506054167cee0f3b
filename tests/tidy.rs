//! House rules that no compiler enforces, checked on the text of the repository.
//!
//! Each test gathers faults and gives them to [`check`], which prints all of them with the rule.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
};

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;

/// Where the core is: the same question has the same answer.
const CORE: &[&str] = &["src/snapshot/", "src/directory/", "src/wire/", "src/answers/", "src/op", "src/ref"];

/// All but `snapshot` and what it stands on.
const ABOVE_SNAPSHOT: &[&str] =
    &["src/directory/", "src/wire/", "src/answers/", "src/op", "src/ref", "src/http/", "src/cli/"];

/// Everything but src/keys/, whose file `platbook keys` writes; by first letters.
const ALL_BUT_KEYS: &[&str] = &[
    "src/a", "src/c", "src/d", "src/g", "src/h", "src/l", "src/m", "src/o", "src/r", "src/s", "src/v",
    "src/w",
];

/// Words that files whose paths begin so must not use, and why.
const ABSENT: [(&[&str], &str, &str); 7] = [
    (
        &["src/vocabulary/", "src/geometry/"],
        "fs:: io:: net:: time:: serde_json rkyv memmap2 tokio hyper async",
        "words and geometry know no files, formats or transports",
    ),
    (
        CORE,
        "net:: time:: env:: SystemTime Instant jiff tokio hyper async println eprintln",
        "the core has no clock, no network, no async, no environment, no output",
    ),
    (
        &["src/snapshot/", "src/directory/", "src/reference.rs"],
        "serde_json csv clap anyhow",
        "the data side knows no shapes of answers, and its errors have types",
    ),
    (
        ABOVE_SNAPSHOT,
        "rkyv memmap2 fst Contents TrieBuilder write_container NewJurisdiction",
        "only `snapshot` knows its bytes, and nothing that listens writes snapshots",
    ),
    (&["src/"], "todo! unimplemented! dbg!", "nothing is left undone"),
    (
        ALL_BUT_KEYS,
        "File::create OpenOptions fs::write fs::rename",
        "a service writes no files; only the commands of `keys` do",
    ),
    (
        &["data-pipeline/src/"],
        "todo! unimplemented! dbg! TcpListener SystemTime Instant",
        "nothing is left undone; the pipeline never listens, and a build reads no clock",
    ),
];

/// Fails with every fault and the rule that it breaks.
fn check(rule: &str, faults: impl IntoIterator<Item = String>) {
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{rule}\n  {}\n", faults.join("\n  "));
}

#[test]
fn modules_import_only_what_the_map_allows() {
    let table = import_table();
    let mut faults = Vec::new();
    for file in rust_files(&["src/", "data-pipeline/src/"]) {
        let Some(importer) = module_of(&file.path) else { continue };
        let Some(allowed) = table.get(&importer) else {
            faults.push(format!("{}: `{importer}` has no row in the table of ARCHITECTURE.md", file.path));
            continue;
        };
        for (line, name) in imports(&file) {
            if name != importer && !allowed.contains(&name) {
                faults.push(format!("{}:{line}: `{importer}` must not use `{name}`", file.path));
            }
        }
        faults.extend(file.supers_beyond_the_module());
    }
    check("imports go only where ARCHITECTURE.md, \"Who may import whom\", says", faults);
}

/// The row of the table that a file belongs to: a module of the library, or `pipeline/` and a room of the pipeline.
fn module_of(path: &str) -> Option<String> {
    let (package, below) = path.split_once("src/")?;
    let module = below.split(['/', '.']).next().filter(|name| !["lib", "main"].contains(name))?;
    Some(if package.is_empty() { module.to_owned() } else { format!("pipeline/{module}") })
}

/// Modules that a file names, with the line, as rows of the table.
fn imports(file: &RustFile) -> Vec<(usize, String)> {
    if file.path.starts_with("src/") {
        return file.names_after("crate::");
    }
    let rooms = file.names_after("crate::").into_iter().chain(file.names_after("platbook_pipeline::"));
    let rooms = rooms.map(|(line, name)| (line, format!("pipeline/{name}")));
    rooms.chain(file.names_after("platbook::")).collect()
}

#[test]
fn the_map_has_every_module_and_no_other() {
    let declared = |path: &str, before: &str| {
        let text = read(path);
        let modules = text.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            Some(format!("{before}{}", line.strip_prefix("mod ")?.strip_suffix(';')?))
        });
        modules.collect::<BTreeSet<String>>()
    };
    let mut modules = declared("src/lib.rs", "");
    modules.extend(declared("data-pipeline/src/lib.rs", "pipeline/"));
    modules.extend(declared("data-pipeline/src/main.rs", "pipeline/"));
    let mapped: BTreeSet<String> = import_table().into_keys().collect();
    let faults = modules.symmetric_difference(&mapped).map(|name| format!("`{name}` is in only one of them"));
    check("the packages and the import table of ARCHITECTURE.md name the same modules", faults);
}

#[test]
fn what_must_be_absent_is_absent() {
    let mut faults = Vec::new();
    for (paths, words, why) in ABSENT {
        for file in rust_files(paths) {
            for word in words.split(' ') {
                let lines = file.lines_with(word);
                faults.extend(lines.map(|line| format!("{}:{line}: `{word}`: {why}", file.path)));
            }
        }
    }
    check("some words must not be used in some places; see ABSENT in tests/tidy.rs", faults);
}

#[test]
fn unsafe_code_stays_in_the_snapshot() {
    let outside = all_rust_files().into_iter().filter(|file| !file.path.starts_with("src/snapshot/"));
    let faults = outside.flat_map(|file| {
        file.lines_with("unsafe").map(|line| format!("{}:{line}", file.path)).collect::<Vec<_>>()
    });
    check("`unsafe` is used under src/snapshot/ only", faults);
}

#[test]
fn files_and_functions_are_short() {
    let mut faults = Vec::new();
    for file in all_rust_files() {
        let lines = file.text.lines().count();
        if lines > FILE_LINES_MAX {
            faults.push(format!("{}: {lines} lines", file.path));
        }
        for (name, lines) in file.functions() {
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
    // Put together here, so that this file does not hold them.
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

#[test]
fn the_format_version_is_one_number() {
    let stated = |path: &str, before: &str, after: char| {
        let text = read(path);
        let number =
            text.split_once(before).and_then(|(_, rest)| rest.split(after).next().map(str::to_owned));
        (path.to_owned(), number)
    };
    let code = platbook::snapshot::FORMAT_VERSION.to_string();
    let faults = [
        stated("src/snapshot/container.rs", "pub const FORMAT_VERSION: u32 = ", ';'),
        stated("snapshots/FORMAT.md", "**Format version ", '.'),
    ];
    let faults = faults.into_iter().filter(|(_, number)| number.as_ref() != Some(&code));
    check(
        &format!("the snapshot format is {code} wherever it is written"),
        faults.map(|(path, number)| format!("{path}: {number:?}")),
    );
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

/// A file or folder of ours, written out in full.
fn is_repository_path(word: &str) -> bool {
    let ours = ["src/", "data-pipeline/", "tests/", "benches/", "snapshots/"];
    let whole = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    // A snapshot may be left out of a checkout, and a data directory is never in one.
    whole
        && ours.iter().any(|folder| word.starts_with(folder))
        && !word.ends_with(".platbook")
        && !word.ends_with("/data")
}

/// The lines of a document's `sh` blocks that begin with one of our commands; comments cut off.
fn commands(document: &str) -> Vec<String> {
    let blocks = document.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let lines = blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim());
    let ours = ["cargo ", "make ", "platbook ", "platbook-pipeline "];
    lines.filter(|line| ours.iter().any(|name| line.starts_with(name))).map(str::to_owned).collect()
}

/// What is wrong with a command, if anything.
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
    // `keys` has commands of its own.
    let inner = if *command == "keys" { &options[..1] } else { &[] };
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
    let path = format!("data-pipeline/src/commands/{command}.rs");
    let Ok(source) = fs::read_to_string(root().join(path)) else { return Some("no such command".to_owned()) };
    let field = |option: &str| format!(" {}: ", option.trim_start_matches('-').replace('-', "_"));
    let unknown = options.iter().find(|word| word.starts_with("--") && !source.contains(&field(word)))?;
    Some(format!("no option {unknown}"))
}

/// Module and what it may import, from the table in ARCHITECTURE.md.
fn import_table() -> BTreeMap<String, BTreeSet<String>> {
    let text = read("ARCHITECTURE.md");
    let (_, section) = text.split_once("## Who may import whom").expect("ARCHITECTURE.md has the table");
    let section = section.split("\n## ").next().unwrap_or(section);
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').skip(1).map(names).collect::<Vec<_>>());
    cells.map(|cells| (cells[0][0].clone(), cells[1].iter().cloned().collect())).collect()
}

/// A Rust file: its text, and the same with comments, literals and `#[cfg(test)]` items blanked.
struct RustFile {
    path: String,
    text: String,
    code: String,
}

impl RustFile {
    fn read(path: String) -> RustFile {
        let text = read(&path);
        let code = without_tests(blanked(&text));
        RustFile { path, text, code }
    }

    fn line_of(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    /// Lines of the code with this word; one that ends in `::` may also follow a path.
    fn lines_with(&self, word: &str) -> impl Iterator<Item = usize> {
        let ends = |at: usize| !self.code[at + word.len()..].starts_with(is_name) || word.ends_with("::");
        let starts = |at: usize| !self.code[..at].ends_with(is_name);
        self.code
            .match_indices(word)
            .filter(move |(at, _)| starts(*at) && ends(*at))
            .map(|(at, _)| self.line_of(at))
    }

    /// First names after a path such as `crate::`, those in braces included.
    fn names_after(&self, path: &str) -> Vec<(usize, String)> {
        let mut names = Vec::new();
        for (at, _) in self.code.match_indices(path).filter(|(at, _)| !self.code[..*at].ends_with(is_name)) {
            let rest = &self.code[at + path.len()..];
            let members =
                if rest.starts_with('{') { members(&rest[1..matching_brace(rest, 0)]) } else { vec![rest] };
            for member in members {
                let name: String = member.trim_start().chars().take_while(|char| is_name(*char)).collect();
                names.extend((!name.is_empty()).then(|| (self.line_of(at), name)));
            }
        }
        names
    }

    /// `super` that reaches the crate's root, where the table would not see it.
    fn supers_beyond_the_module(&self) -> Option<String> {
        let below = self.path.split_once("src/")?.1;
        let depth = below.split('/').filter(|part| *part != "mod.rs").count();
        let beyond = "super::".repeat(depth);
        let at = self.code.find(&beyond)?;
        Some(format!("{}:{}: name other modules by `crate::`", self.path, self.line_of(at)))
    }

    /// Name and lines of each function, tests included.
    fn functions(&self) -> Vec<(String, Range<usize>)> {
        let code = blanked(&self.text);
        let mut functions = Vec::new();
        for (at, _) in code.match_indices("fn ").filter(|(at, _)| !code[..*at].ends_with(is_name)) {
            let name: String = code[at + 3..].chars().take_while(|char| is_name(*char)).collect();
            let mut depth = 0;
            let open = code[at..].find(|char| {
                depth += i32::from("([".contains(char)) - i32::from(")]".contains(char));
                depth == 0 && "{;".contains(char)
            });
            let Some(open) = open.map(|open| at + open).filter(|open| code[*open..].starts_with('{')) else {
                continue;
            };
            let line = |at: usize| code[..at].matches('\n').count() + 1;
            functions.push((name, line(at)..line(matching_brace(&code, open)) + 1));
        }
        functions
    }
}

fn is_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Where the brace at `open` is closed.
fn matching_brace(code: &str, open: usize) -> usize {
    let mut depth = 0;
    let close = code[open..].find(|char| {
        depth += i32::from(char == '{') - i32::from(char == '}');
        depth == 0
    });
    open + close.expect("braces of code that compiles match")
}

/// The parts between commas that are in no inner brace.
fn members(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = |char| {
        depth += i32::from(char == '{') - i32::from(char == '}');
        depth == 0 && char == ','
    };
    list.split(split).collect()
}

/// The text with comments, strings and characters turned into spaces; lines stay.
fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = if out.ends_with(is_name) && is_name(char) { 0 } else { literal_or_comment(rest) };
        let (part, after) = rest.split_at(length.max(char.len_utf8()));
        if length == 0 {
            out.push_str(part);
        } else {
            out.extend(part.chars().map(|char| if char == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    out
}

/// Bytes of the comment or literal that the text begins with; 0 without one.
fn literal_or_comment(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let raw =
        text.trim_start_matches('b').strip_prefix('r').map(|rest| rest.split('"').next().unwrap_or(rest));
    if let Some(hashes) = raw.filter(|hashes| hashes.bytes().all(|byte| byte == b'#')) {
        let start = text.find('"').unwrap_or(text.len() - 1) + 1;
        let close = format!("\"{hashes}");
        return text[start..].find(&close).map_or(text.len(), |end| start + end + close.len());
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some('\\'), _) => quoted(text, '\''),
        (Some('\''), Some(char), Some('\'')) => 2 + char.len_utf8(),
        _ => 0,
    }
}

/// Bytes up to the closing mark.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    let close = text[1..].find(|char| {
        let closes = char == mark && !escaped;
        escaped = char == '\\' && !escaped;
        closes
    });
    close.map_or(text.len(), |close| close + 2)
}

/// The code without items under `#[cfg(test)]`.
fn without_tests(mut code: String) -> String {
    const TEST: &str = "#[cfg(test)]";
    while let Some(start) = code.find(TEST) {
        let open = code[start..].find(['{', ';']).map_or(code.len() - 1, |open| start + open);
        let end = if code[open..].starts_with('{') { matching_brace(&code, open) } else { open };
        let blank: String =
            code[start..=end].chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect();
        code.replace_range(start..=end, &blank);
    }
    code
}

fn all_rust_files() -> Vec<RustFile> {
    let paths = text_files().into_iter().filter(|path| path.ends_with(".rs"));
    paths.map(RustFile::read).collect()
}

/// Files of the code proper: no unit tests that stand in files of their own.
fn rust_files(paths: &[&str]) -> Vec<RustFile> {
    let wanted = |path: &String| paths.iter().any(|wanted| path.starts_with(wanted));
    let is_test = |path: &String| path.ends_with("/tests.rs") || path.contains("/tests/");
    let found =
        text_files().into_iter().filter(|path| path.ends_with(".rs") && wanted(path) && !is_test(path));
    found.map(RustFile::read).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

/// All text files of the repository, by their path from its root.
fn text_files() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root().join(&folder)).expect("the repository can be read");
        for entry in entries.map(|entry| entry.expect("the repository can be read")) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            let is_folder = entry.path().is_dir();
            let text = ["rs", "md", "toml", "sh", "lua"].iter().any(|end| name.ends_with(&format!(".{end}")));
            if is_folder && ![".git", "target", "data"].contains(&name.as_str()) {
                folders.push(path);
            } else if !is_folder && (text || name == "Makefile" || path == Path::new(".ci/run")) {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}
