//! The report on a night: what each step did, and each failure in one line.

use std::fmt::Write as _;

use platbook::vocabulary::clean_text;
use platbook_release::Release;
use serde::Serialize;

use crate::diff::{Diff, Kind, KindTotal};

/// Maximum length of a line, in characters. Chosen, not measured.
const LINE_CHARS_MAX: usize = 600;

/// Number of examples of each kind of change in each state.
const EXAMPLES: usize = 1;

/// The result of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A new snapshot was published.
    Published,
    /// A new snapshot was published. Some of its sources are those of an earlier night.
    PublishedWithOlderSources,
    /// Nothing was published. Services keep the snapshot that they have.
    Failed,
    /// Nothing was done, because another night is at work.
    Busy,
}

/// A step of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Reading the release of the night before.
    Before,
    /// Fetching lists that changed.
    Fetch,
    /// Looking at a part of the links.
    Links,
    /// Checking the hand-kept tables.
    Check,
    /// Building a snapshot in memory.
    Build,
    /// Comparing the new snapshot with the one of the night before.
    Verify,
    /// Signing and publishing the new snapshot.
    Publish,
}

/// The severity of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The step was done.
    Done,
    /// A source is that of an earlier night.
    Kept,
    /// The night failed here.
    Failed,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The step that the line is about.
    pub step: Step,
    /// Whether the step was done.
    pub level: Level,
    /// The line in words, without a line break.
    pub text: String,
}

/// The report on a night.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Day of the night in UTC.
    pub day: String,
    /// Result of the night.
    pub outcome: Outcome,
    /// The lines of all steps, in order.
    pub lines: Vec<Line>,
    /// Changes by kind; empty without a previous snapshot.
    pub changes: Vec<KindTotal>,
    /// The release that was published; `None` if none was.
    pub release: Option<Release>,
    /// The changes in words, state by state.
    #[serde(skip)]
    pub differences: String,
}

/// The reason why a night failed: a line for each failure of one step.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) step: Step,
    pub(super) lines: Vec<String>,
}

impl Report {
    /// A report without lines.
    pub(super) fn new(day: String, outcome: Outcome) -> Report {
        let (lines, changes) = (Vec::new(), Vec::new());
        Report { day, outcome, lines, changes, release: None, differences: String::new() }
    }

    pub(super) fn add(&mut self, step: Step, level: Level, text: &str) {
        self.lines.push(Line { step, level, text: clean_text(text, LINE_CHARS_MAX) });
    }

    pub(super) fn compare(&mut self, diff: &Diff) {
        self.changes = Kind::ALL.map(|kind| diff.total(kind)).to_vec();
        self.differences = diff.in_words(EXAMPLES);
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        self.outcome = Outcome::Failed;
        self.release = None;
        failure.lines.iter().for_each(|text| self.add(failure.step, Level::Failed, text));
    }

    /// The lines of a level.
    pub fn lines_of(&self, level: Level) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.level == level)
    }

    /// The report for people.
    pub fn to_text(&self) -> String {
        let outcome = match self.outcome {
            Outcome::Published => "published",
            Outcome::PublishedWithOlderSources => "published, with some sources of an earlier night",
            Outcome::Failed => "failed: nothing was published, what services have stays",
            Outcome::Busy => "not begun: another night is at work",
        };
        let mut text = format!("night of {}: {outcome}\n", self.day);
        for line in &self.lines {
            let mark = match line.level {
                Level::Done => "  ",
                Level::Kept => "? ",
                Level::Failed => "! ",
            };
            let _ = writeln!(text, "{mark}{}: {}", line.step.word(), line.text);
        }
        if !self.differences.is_empty() {
            let _ = write!(text, "\n{}", self.differences);
        }
        text
    }

    /// The report for programs, as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }
}

impl Step {
    fn word(self) -> &'static str {
        match self {
            Step::Before => "release before",
            Step::Fetch => "lists",
            Step::Links => "links",
            Step::Check => "tables",
            Step::Build => "build",
            Step::Verify => "verify",
            Step::Publish => "publish",
        }
    }
}

impl Failure {
    pub(super) fn new(step: Step, error: &dyn std::error::Error) -> Failure {
        Failure { step, lines: vec![platbook::vocabulary::with_causes(error)] }
    }
}
