//! Faults of a curated file, with file, line and key.

use std::fmt;

/// One fault of one file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {key}{what}", key = KeyPrefix(.key))]
pub struct Fault {
    /// Path of the file as it was given.
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Path of the key, such as `assessment.case[2].by`; empty if the text is not TOML.
    pub key: String,
    /// The fault, and the expected value.
    pub what: String,
}

struct KeyPrefix<'a>(&'a str);

impl fmt::Display for KeyPrefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "{}: ", self.0) }
    }
}

/// All faults of the hand-kept tables, each on its own line.
#[derive(Debug, thiserror::Error)]
#[error("{}", list(.0))]
pub struct CuratedError(pub Vec<Fault>);

fn list(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    lines.join("\n")
}

/// The ends of the lines of a text. A table of 10,000 rows asks for the line of each, so the text is read only once.
pub(crate) struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Lines {
        Lines { ends: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// The line of a byte offset, counted from 1.
    pub(crate) fn at(&self, offset: usize) -> usize {
        1 + self.ends.partition_point(|end| *end < offset)
    }
}

/// The line of one byte offset, counted from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    Lines::of(text).at(offset)
}
