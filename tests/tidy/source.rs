//! The files of the repository, and the little of Rust that the rules need to read.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// A Rust file: its text, and the same with comments, literals and `#[cfg(test)]` items blanked.
pub struct RustFile {
    pub path: String,
    pub text: String,
    code: String,
}

impl RustFile {
    fn read(path: String) -> RustFile {
        RustFile::of(&path, &read(&path))
    }

    /// A file of this text.
    pub fn of(path: &str, text: &str) -> RustFile {
        RustFile { path: path.to_owned(), text: text.to_owned(), code: without_tests(blanked(text)) }
    }

    fn line_of(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    /// Lines of the code with this word; one that ends in `::` may also follow a path.
    pub fn lines_with(&self, word: &str) -> impl Iterator<Item = usize> {
        let ends = |at: usize| !self.code[at + word.len()..].starts_with(is_name) || word.ends_with("::");
        let starts = |at: usize| !self.code[..at].ends_with(is_name);
        self.code
            .match_indices(word)
            .filter(move |(at, _)| starts(*at) && ends(*at))
            .map(|(at, _)| self.line_of(at))
    }

    /// First names after a path such as `crate::`, those in braces included.
    pub fn names_after(&self, path: &str) -> Vec<(usize, String)> {
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

    /// The paths of all `use` items, whole, without their new names.
    pub fn uses(&self) -> Vec<Vec<String>> {
        let items = self.code.match_indices("use ").filter(|(at, _)| !self.code[..*at].ends_with(is_name));
        let trees = items.filter_map(|(at, word)| self.code[at + word.len()..].split(';').next());
        trees.flat_map(|tree| paths_of(tree, &[])).collect()
    }

    /// The paths below `crate::`, `super::` and `self::` that stand in the code.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let begins = ["crate::", "super::", "self::"];
        let found = begins.into_iter().flat_map(|begin| self.code.match_indices(begin));
        let starts = found.map(|(at, _)| at).filter(|at| {
            let before = &self.code[..*at];
            !before.ends_with(is_name) && !before.ends_with("::")
        });
        let path = |at: usize| {
            let end = self.code[at..]
                .find(|char| !is_name(char) && char != ':')
                .map_or(self.code.len(), |end| at + end);
            paths_of(&self.code[at..end], &[])
        };
        starts.flat_map(path).collect()
    }

    /// `super` that reaches the crate's root, where the map would not see it.
    pub fn supers_beyond_the_module(&self) -> Option<String> {
        let below = self.path.split_once("src/")?.1;
        let depth = below.split('/').filter(|part| *part != "mod.rs").count();
        let at = self.code.find(&"super::".repeat(depth))?;
        Some(format!("{}:{}: name other modules by `crate::`", self.path, self.line_of(at)))
    }

    /// Name and lines of each function, tests included.
    pub fn functions(&self) -> Vec<(String, Range<usize>)> {
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

/// The paths of a tree as `use` has it, each below `above`.
fn paths_of(tree: &str, above: &[String]) -> Vec<Vec<String>> {
    let (path, inner) = match tree.find('{') {
        Some(open) => (&tree[..open], members(&tree[open + 1..matching_brace(tree, open)])),
        None => (tree.split(" as ").next().unwrap_or(tree), Vec::new()),
    };
    let names = path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    let path: Vec<String> = above.iter().cloned().chain(names).collect();
    if !tree.contains('{') {
        return if path.is_empty() { Vec::new() } else { vec![path] };
    }
    inner
        .into_iter()
        .filter(|member| !member.trim().is_empty())
        .flat_map(|member| paths_of(member, &path))
        .collect()
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

pub fn all_rust_files() -> Vec<RustFile> {
    let paths = text_files().into_iter().filter(|path| path.ends_with(".rs"));
    paths.map(RustFile::read).collect()
}

/// Files of the code proper in a folder: no unit tests that stand in files of their own.
pub fn rust_files(folder: &str) -> Vec<RustFile> {
    let paths = text_files().into_iter().filter(|path| path.ends_with(".rs") && path.starts_with(folder));
    paths.filter(|path| !is_test(path)).map(RustFile::read).collect()
}

/// Whether the module that a file holds, or one around it, is declared for tests alone.
fn is_test(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let declaration = format!("#[cfg(test)] mod {};", name.trim_end_matches(".rs"));
    let declares = |parent: String| {
        let text = fs::read_to_string(root().join(parent)).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains(&declaration)
    };
    let parents = ["mod.rs", "lib.rs", "main.rs"].map(|parent| format!("{folder}/{parent}"));
    parents.into_iter().chain([format!("{folder}.rs")]).any(declares) || is_test(folder)
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

/// All text files of the repository, by their path from its root.
pub fn text_files() -> Vec<String> {
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
