//! Checks how sentences and names are written, by the rules that a program can check.
//!
//! Each comment, sentence in a string and paragraph of a document is held to each rule.

use crate::{
    comments::{blanked, literals_and_comments},
    source::{read, text_files},
};

/// A rule and what it finds in a text: each find is a fault.
struct Rule {
    name: &'static str,
    says: &'static str,
    finds: fn(&Text) -> Vec<String>,
}

const RULES: [Rule; 6] = [
    Rule { name: "start", says: "no sentence begins with a clause as its subject", finds: clause_starts },
    Rule {
        name: "word",
        says: "plain words: says, available, is not a, accepted, fixed",
        finds: house_words,
    },
    Rule { name: "length", says: "a sentence has at most 25 words", finds: long_sentences },
    Rule { name: "doc", says: "a doc comment says more than three words, or is left out", finds: short_docs },
    Rule { name: "spelling", says: "American spelling, in names as well", finds: british },
    Rule { name: "notice", says: "a notice has at most two sentences", finds: long_notices },
];

const WORDS_MAX: usize = 25;
const DOC_WORDS_MIN: usize = 4;
const NOTICE_SENTENCES_MAX: usize = 2;

/// First words that only a question may begin with.
const CLAUSES: [&str; 5] = ["Who", "Whom", "Whose", "What", "Where"];

/// Folder of the sentences of notices.
const NOTICES: &str = "library/src/words/en";

/// Words and phrases that make a reader stumble.
const HOUSE_WORDS: [&str; 17] = [
    "told",
    "tells",
    "at hand",
    "as may be",
    "is none",
    "nobody is asked",
    "so many",
    "borne",
    "lately",
    "be of use",
    "mended",
    "lines of a city",
    "turned away",
    "turning away",
    "let in",
    "put together",
    "what came",
];

/// Beginnings of words in British spelling. Capitalized ones are listed only if the code has such types: others are
/// names of places, such as Rockville Centre.
const BRITISH: [&str; 21] = [
    "neighbour",
    "Neighbour",
    "colour",
    "Colour",
    "behaviour",
    "Behaviour",
    "favour",
    "honour",
    "licence",
    "grey",
    "centre",
    "metre",
    "normalis",
    "organis",
    "recognis",
    "summaris",
    "initialis",
    "optimise",
    "optimisation",
    "judgement",
    "labelled",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `///`, before an item.
    Doc,
    Comment,
    /// A sentence in a string.
    Literal,
    /// A line of code or a row of a table, which has names and words but no sentences.
    Code,
    Document,
}

/// A text to check: a paragraph of a comment or document, a sentence in a string, or a line of code or of a table.
struct Text {
    path: String,
    line: usize,
    kind: Kind,
    words: String,
    /// Whether the text is a whole comment, not one paragraph of several.
    is_whole: bool,
}

impl Text {
    fn sentences(&self) -> Vec<&str> {
        if self.kind == Kind::Code {
            return Vec::new();
        }
        let ends = self.words.match_indices([' ']).map(|(at, _)| at);
        let ends = ends.filter(|at| self.words[..*at].ends_with(['.', '?', '!']));
        let mut starts = vec![0];
        starts.extend(ends);
        let next = starts.iter().skip(1).copied().chain([self.words.len()]);
        starts.iter().zip(next).map(|(start, end)| self.words[*start..end].trim()).collect()
    }
}

fn clause_starts(text: &Text) -> Vec<String> {
    let is_clause = |sentence: &&str| {
        let first = sentence.split(' ').next().unwrap_or_default();
        CLAUSES.contains(&first) && !sentence.ends_with('?')
    };
    text.sentences().into_iter().filter(is_clause).map(str::to_owned).collect()
}

fn house_words(text: &Text) -> Vec<String> {
    // Rust itself has `is_none()` and `let in_...`, which are not the phrases.
    let is_code = text.kind == Kind::Code;
    let words =
        if is_code { text.words.replace("is_none", "").replace("let ", "") } else { text.words.clone() };
    let plain: String = words.chars().map(|char| if char.is_alphanumeric() { char } else { ' ' }).collect();
    let spaced = format!(" {} ", plain.to_lowercase());
    let found = HOUSE_WORDS.iter().filter(|word| spaced.contains(&format!(" {word} ")));
    found.map(|word| (*word).to_owned()).collect()
}

fn long_sentences(text: &Text) -> Vec<String> {
    let long = |sentence: &&str| sentence.split(' ').filter(|word| is_word(word)).count() > WORDS_MAX;
    text.sentences().into_iter().filter(long).map(str::to_owned).collect()
}

fn short_docs(text: &Text) -> Vec<String> {
    let count = text.words.split(' ').filter(|word| is_word(word)).count();
    let is_short = text.kind == Kind::Doc && text.is_whole && count < DOC_WORDS_MIN;
    is_short.then(|| text.words.clone()).into_iter().collect()
}

fn british(text: &Text) -> Vec<String> {
    let words = text.words.split(|char: char| !char.is_alphabetic());
    words.filter(|word| BRITISH.iter().any(|start| word.starts_with(start))).map(str::to_owned).collect()
}

fn long_notices(text: &Text) -> Vec<String> {
    let is_notice = text.kind == Kind::Literal && text.path.starts_with(NOTICES);
    let is_long = is_notice && text.sentences().len() > NOTICE_SENTENCES_MAX;
    is_long.then(|| text.words.clone()).into_iter().collect()
}

fn is_word(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

/// The paragraphs of numbered lines, each item of a list by itself, and the rows of tables. Code is left out.
fn paragraphs<'a>(path: &str, kind: Kind, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Text> {
    let mut found: Vec<Text> = Vec::new();
    let (mut is_open, mut is_code) = (false, false);
    for (line, words) in lines {
        // A block with a margin is code in Markdown.
        let is_block = kind == Kind::Document && !is_open && words.starts_with("    ");
        let words = words.trim();
        let is_fence = words.starts_with("```");
        is_code ^= is_fence;
        if kind == Kind::Document && words.starts_with('|') {
            let words = words.to_owned();
            found.push(Text { path: path.to_owned(), line, kind: Kind::Code, words, is_whole: false });
        }
        if is_fence || is_code || is_block || words.is_empty() || words.starts_with(['|', '#', '<']) {
            is_open = false;
            continue;
        }
        let item = words.strip_prefix("- ").or_else(|| words.strip_prefix("* "));
        match found.last_mut().filter(|_| is_open && item.is_none()) {
            Some(text) => text.words = format!("{} {words}", text.words),
            None => {
                let words = item.unwrap_or(words).to_owned();
                found.push(Text { path: path.to_owned(), line, kind, words, is_whole: true });
            }
        }
        is_open = true;
    }
    let is_whole = found.len() == 1;
    found.iter_mut().for_each(|text| text.is_whole = is_whole);
    found
}

/// The comments of Rust code, each joined from its lines, and the sentences in its strings.
fn texts_of_code(path: &str, text: &str) -> Vec<Text> {
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let mut found = Vec::new();
    let mut comment: Vec<(usize, &str)> = Vec::new();
    let mut end_of_comment = 0;
    let mut marker = "";
    let mut flush = |comment: &mut Vec<(usize, &str)>, marker: &str| {
        let kind = if marker == "///" { Kind::Doc } else { Kind::Comment };
        found.extend(paragraphs(path, kind, std::mem::take(comment).into_iter()));
    };
    let mut literals = Vec::new();
    for hidden in literals_and_comments(text) {
        let piece = &text[hidden.clone()];
        let Some(this) = ["///", "//!", "//"].into_iter().find(|marker| piece.starts_with(marker)) else {
            literals.extend(sentence(path, line_of(hidden.start), piece));
            continue;
        };
        let between = &text[end_of_comment..hidden.start];
        let follows = between.trim().is_empty() && between.matches('\n').count() == 1 && this == marker;
        if !follows {
            flush(&mut comment, marker);
        }
        comment.push((line_of(hidden.start), &piece[this.len()..]));
        (end_of_comment, marker) = (hidden.end, this);
    }
    flush(&mut comment, marker);
    found.extend(literals);
    let code = (1..)
        .zip(blanked(text).lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(line, words)| Text {
            path: path.to_owned(),
            line,
            kind: Kind::Code,
            words: words.to_owned(),
            is_whole: true,
        })
        .collect::<Vec<_>>();
    found.extend(code);
    found
}

/// A string of four words or more that ends as a sentence does.
fn sentence(path: &str, line: usize, literal: &str) -> Option<Text> {
    let words = literal.trim_matches(['"', 'r', 'b', '#']).replace("\\\n", "").replace("\\n", " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_sentence = words.ends_with(['.', '?', '!']) && words.matches(' ').count() >= 3;
    let kind = Kind::Literal;
    is_sentence.then(|| Text { path: path.to_owned(), line, kind, words, is_whole: true })
}

/// The texts of all files. Curated tables have tests of their own, and this file holds the words that it looks for.
fn texts() -> Vec<Text> {
    let is_held =
        |path: &String| !path.starts_with("data-pipeline/curated/") && path != "tests/tidy/words.rs";
    let of_file = |path: String| {
        let text = read(&path);
        match path.rsplit('.').next() {
            Some("rs") => texts_of_code(&path, &text),
            Some("md") => paragraphs(&path, Kind::Document, (1..).zip(text.lines())),
            _ => Vec::new(),
        }
    };
    text_files().into_iter().filter(is_held).flat_map(of_file).collect()
}

#[test]
fn words_are_plain() {
    let texts = texts();
    let faults = RULES.iter().flat_map(|rule| {
        texts.iter().flat_map(|text| {
            let found = (rule.finds)(text).into_iter();
            found.map(|found| format!("{}:{}: {}: {found}", text.path, text.line, rule.says))
        })
    });
    crate::check("comments, sentences and documents follow docs/contribute.md", faults);
}

#[test]
fn each_rule_finds_what_it_is_for() {
    let code = r#"
/// Two words.
fn neighbour() {}
/// Whatever it is called.
/// What it tells is mended.
const A: &str = "First things first. Then the second. And a third one.";
"#;
    let texts = texts_of_code("library/src/words/en.rs", code);
    let found: Vec<(&str, usize)> = RULES
        .iter()
        .map(|rule| (rule.name, texts.iter().map(|text| (rule.finds)(text).len()).sum()))
        .collect();
    assert_eq!(found, [("start", 1), ("word", 2), ("length", 0), ("doc", 1), ("spelling", 1), ("notice", 1)]);
    let long = Text {
        path: String::new(),
        line: 1,
        kind: Kind::Document,
        words: format!("One{} neighbour.", " word".repeat(24)),
        is_whole: true,
    };
    assert_eq!((long_sentences(&long).len(), british(&long).len()), (1, 1));
    let question = Text { words: "Where does it end?".to_owned(), ..long };
    assert!(clause_starts(&question).is_empty());
}
