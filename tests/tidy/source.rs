//! Reads the files of the repository, and the part of Rust's syntax that the rules need.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use crate::comments::{is_of_name, literal_or_comment};

/// A Rust file: its text, and its tokens as the compiler reads them. Comments and the text of literals are left out.
pub struct RustFile {
    pub path: String,
    pub text: String,
    /// Name and lines of each function, tests included.
    pub functions: Vec<(String, Range<usize>)>,
    /// All paths outside of tests, those of `use` trees one by one.
    pub paths: Vec<CodePath>,
    /// The code outside of tests.
    tokens: Vec<Token>,
}

/// A path such as `crate::rules::Rule`, by its names.
pub struct CodePath {
    pub line: usize,
    pub names: Vec<String>,
    /// Whether a `use` item imports the path.
    pub is_use: bool,
}

/// A name, a bracket, `::` or another sign.
struct Token {
    text: String,
    line: usize,
}

impl RustFile {
    fn read(path: String) -> RustFile {
        RustFile::parse(&path, &read(&path))
    }

    /// Parses a file with this text.
    pub fn parse(path: &str, text: &str) -> RustFile {
        let all = tokens_of(text);
        let functions = functions(&all);
        let tokens = without_tests(all);
        RustFile { path: path.to_owned(), text: text.to_owned(), functions, paths: paths(&tokens), tokens }
    }

    /// Returns lines of the code with these signs, such as `fs::`.
    pub fn lines_with(&self, signs: &str) -> impl Iterator<Item = usize> {
        let wanted = tokens_of(signs);
        let is_there = move |window: &&[Token]| {
            window.len() >= wanted.len()
                && window.iter().zip(&wanted).all(|(one, other)| one.text == other.text)
        };
        let suffixes = (0..self.tokens.len()).map(|at| &self.tokens[at..]);
        suffixes.filter(is_there).map(|suffix| suffix[0].line)
    }

    /// Returns the second names of paths that begin with this name, with their lines.
    pub fn names_after(&self, first: &str) -> impl Iterator<Item = (usize, &str)> {
        let begins = self.paths.iter().filter(move |path| path.names[0] == first);
        begins.filter_map(|path| Some((path.line, path.names.get(1)?.as_str())))
    }

    /// Returns a fault for a path whose `super` reaches the crate's root: the map would not see such an import.
    pub fn supers_beyond_the_module(&self) -> Option<String> {
        let below = self.path.split_once("src/")?.1;
        let depth = below.split('/').filter(|part| *part != "mod.rs").count();
        let is_beyond =
            |path: &&CodePath| path.names.iter().take_while(|name| *name == "super").count() >= depth;
        let path = self.paths.iter().find(is_beyond)?;
        Some(format!("{}:{}: name other modules by `crate::`", self.path, path.line))
    }
}

/// The tokens of a text, without comments and literals.
fn tokens_of(text: &str) -> Vec<Token> {
    let (mut tokens, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let left_out = literal_or_comment(rest);
        let length = match first {
            _ if left_out > 0 => left_out,
            _ if is_of_name(first) => rest.find(|char| !is_of_name(char)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        if left_out == 0 && !first.is_whitespace() {
            tokens.push(Token { text: part.to_owned(), line });
        }
        line += part.matches('\n').count();
        rest = after;
    }
    tokens
}

/// Returns the index of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    let close = tokens[open..].iter().position(|token| {
        depth += i32::from(["(", "[", "{"].contains(&token.text.as_str()));
        depth -= i32::from([")", "]", "}"].contains(&token.text.as_str()));
        depth == 0
    });
    open + close.expect("brackets of code that compiles match")
}

/// Returns the first `{` or `;` from `at` on outside of inner brackets; `None` if the tokens end before.
fn body_or_end(tokens: &[Token], mut at: usize) -> Option<usize> {
    while !["{", ";"].contains(&tokens.get(at)?.text.as_str()) {
        at = if ["(", "["].contains(&tokens[at].text.as_str()) { closing(tokens, at) } else { at } + 1;
    }
    Some(at)
}

fn functions(tokens: &[Token]) -> Vec<(String, Range<usize>)> {
    let starts = (0..tokens.len()).filter(|at| tokens[*at].text == "fn");
    let function = |at: usize| {
        let name = tokens.get(at + 1).filter(|token| is_name(token))?.text.clone();
        let open = body_or_end(tokens, at).filter(|open| tokens[*open].text == "{")?;
        Some((name, tokens[at].line..tokens[closing(tokens, open)].line + 1))
    };
    starts.filter_map(function).collect()
}

/// Removes items under `#[cfg(test)]`.
fn without_tests(mut tokens: Vec<Token>) -> Vec<Token> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut from = 0;
    while let Some(start) = tokens[from..]
        .windows(TEST.len())
        .position(|window| window.iter().zip(TEST).all(|(token, sign)| token.text == sign))
    {
        let start = from + start;
        let open = body_or_end(&tokens, start + TEST.len()).unwrap_or(tokens.len() - 1);
        let end = if tokens[open].text == "{" { closing(&tokens, open) } else { open };
        tokens.drain(start..=end);
        from = start;
    }
    tokens
}

fn is_name(token: &Token) -> bool {
    token.text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn paths(tokens: &[Token]) -> Vec<CodePath> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_use = tokens[at].text == "use";
        let start = if is_use { at + 1 } else { at };
        at = match tokens.get(start) {
            Some(token) if is_name(token) => path_at(tokens, start, is_use, &[], &mut found),
            _ => start + 1,
        };
    }
    found.retain(|path| path.is_use || path.names.len() > 1);
    found
}

/// Reads the path or tree of paths that begins here, each below `above`; returns the index after it.
fn path_at(
    tokens: &[Token],
    mut at: usize,
    is_use: bool,
    above: &[String],
    found: &mut Vec<CodePath>,
) -> usize {
    let (line, mut names) = (tokens[at].line, above.to_vec());
    while let Some(token) = tokens.get(at) {
        if token.text == "{" {
            let end = closing(tokens, at);
            at += 1;
            while at < end {
                at = path_at(tokens, at, is_use, &names, found) + 1;
            }
            return end + 1;
        }
        let is_part = is_name(token) || token.text == "*";
        names.extend(is_part.then(|| token.text.clone()));
        at += usize::from(is_part);
        let goes_on = tokens.get(at).is_some_and(|token| token.text == "::");
        at += usize::from(goes_on);
        if !goes_on || !is_part {
            break;
        }
    }
    found.push(CodePath { line, names, is_use });
    let is_renamed = is_use && tokens.get(at).is_some_and(|token| token.text == "as");
    if is_renamed { at + 2 } else { at }
}

pub fn all_rust_files() -> Vec<RustFile> {
    let paths = text_files().into_iter().filter(|path| path.ends_with(".rs"));
    paths.map(RustFile::read).collect()
}

/// Returns files of the code proper in a folder, without unit tests in files of their own.
pub fn rust_files(folder: &str) -> Vec<RustFile> {
    let paths = text_files().into_iter().filter(|path| path.ends_with(".rs") && path.starts_with(folder));
    paths.filter(|path| !is_test(path)).map(RustFile::read).collect()
}

/// Whether the module of a file, or one around it, is declared only for tests.
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

/// Returns all text files of the repository, by their path from its root.
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
